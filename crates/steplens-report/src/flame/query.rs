//! What is asked of a flame.

use crate::kernels::everything;
use crate::options::{self, BadOption};
use crate::range::Within;
use serde::Deserialize;
use steplens_core::Study;
use steplens_core::questions::flame::Layers;
use steplens_core::questions::range::RangeQuery;
use steplens_messages::say;

/// What ran inside of what, summed by path of names.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// What it is made of: `modules`, `ops`, `python` or `scopes`; what of these says most if it is not chosen.
    #[cfg_attr(feature = "program", arg(long, value_name = "LAYERS", value_parser = Layers::ALL.map(Layers::word)))]
    pub layers: Option<String>,
    /// What widths and orders are of: `time`, or `gpu`.
    #[cfg_attr(feature = "program", arg(long, value_name = "WHAT", default_value = "time", value_parser = Measure::ALL.map(Measure::word)))]
    pub measure: Option<String>,
    /// As lines of folded stacks.
    #[serde(skip)]
    #[cfg_attr(feature = "program", arg(long, conflicts_with_all = ["json", "csv"]))]
    pub folded: bool,
    /// The part that is looked at: what can be seen of it.
    #[cfg_attr(feature = "program", arg(skip))]
    pub page: Option<Part>,
}

/// The part of a flame that is looked at.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    range: Within,
    /// The bar that it begins with, by the names from the bottom; empty for all of it.
    path: Vec<String>,
    /// The one name that it is about.
    name: Option<String>,
}

impl Options {
    pub(super) fn query(&self, study: &Study) -> Result<FlameQuery, BadOption> {
        let layers = self.layers()?;
        let measure = self.measure.as_deref().map_or(Ok(Measure::default()), measure)?;
        let Some(Part { range, path, name }) = &self.page else {
            let range = everything(study);
            return Ok(FlameQuery { range, layers, measure, focus: Focus::All, detail: Detail::All });
        };
        let focus = name.as_ref().map_or_else(|| Focus::Path(path.clone()), |name| Focus::Name(name.clone()));
        Ok(FlameQuery { range: range.query(), layers, measure, focus, detail: Detail::Seen })
    }

    /// The layers that were chosen.
    pub fn layers(&self) -> Result<Option<Layers>, BadOption> {
        self.layers.as_deref().map(options::layers).transpose()
    }
}

fn measure(word: &str) -> Result<Measure, BadOption> {
    Measure::by_word(word).ok_or_else(|| BadOption(say!("bad-measure", word)))
}

/// A question about a flame.
#[derive(Clone, Debug)]
pub struct FlameQuery {
    /// The events that count.
    pub range: RangeQuery,
    /// What the bars are made of; `None`, or what the trace does not have, for what says most.
    pub layers: Option<Layers>,
    /// What widths and orders are of.
    pub measure: Measure,
    /// The part of the flame.
    pub focus: Focus,
    /// How much of it is wanted.
    pub detail: Detail,
}

/// What the width of a bar is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Time on threads of hosts.
    #[default]
    Time,
    /// Time of kernels and copies on GPUs.
    Gpu,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Time, Self::Gpu];

    /// The word for it in options and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Gpu => "gpu",
        }
    }

    /// The value that `word` stands for.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }
}

/// The part of a flame that is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// All of it.
    #[default]
    All,
    /// One bar, by the names from the bottom to it, and what is on it. If it is not there, the last one before it that is.
    Path(Vec<String>),
    /// All bars of a name: what is in them, and what is around them.
    Name(String),
}

/// How much of a flame is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Every bar and every name.
    All,
    /// What can be seen: bars of a 4,000th of the width and more, and the first 5,000 names.
    Seen,
}

impl Detail {
    /// The most names.
    pub(super) fn names(self) -> usize {
        if self == Self::All { usize::MAX } else { 5_000 }
    }

    /// Whether a bar of `width` of `all` is wide enough.
    pub(super) fn has(self, width: i64, all: i64) -> bool {
        self == Self::All || (width > 0 && width.saturating_mul(4_000) >= all)
    }
}
