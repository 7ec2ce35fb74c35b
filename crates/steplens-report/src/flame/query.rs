//! What is asked of a flame.

use steplens_core::questions::flame::Layers;
use steplens_core::questions::range::RangeQuery;

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
