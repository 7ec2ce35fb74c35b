//! `steplens.flame/1`: what ran inside of what: the time of each name, and bars that stand on one another.

mod query;
mod stacked;

pub use query::{Detail, FlameQuery, Focus, Measure, Options, Part};
pub use stacked::write_folded;

use crate::csv::sheet;
use crate::kernels;
use crate::names::kernel_label;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::{figures, text};
use serde::Serialize;
use stacked::{Root, Stacked};
use std::io::{self, Write};
use steplens_core::questions::flame::{Flame, Layers, NameSum};
use steplens_core::questions::range::Range;
use steplens_core::{Category, Nanos, Study};
use steplens_messages::{message, say};

impl Question for Options {
    const NAME: &'static str = "flame";
    type Answer<'a> = FlameAnswer<'a>;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(FlameAnswer::of(shown.study, &self.query(shown.study)?))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(&self.answer(shown)?, out)?)
    }
}

/// One name per row.
fn write_csv(flame: &FlameAnswer<'_>, out: &mut impl Write) -> io::Result<()> {
    sheet!(out, row in &flame.names, {
        name: row.name,
        category: row.category,
        count: row.count,
        self_ns: row.self_ns,
        total_ns: row.total_ns,
        gpu_self_ns: row.gpu_self_ns,
        gpu_ns: row.gpu_ns,
    })
}

/// What ran inside of what.
#[derive(Serialize)]
pub struct FlameAnswer<'a> {
    schema: &'static str,
    /// How many names there are, and which took most, as a sentence.
    pub sentence: String,
    /// What is left out, as sentences.
    pub notes: Vec<String>,
    /// What the bars are made of: `modules`, `ops`, `python` or `scopes`; null if the trace has none of these.
    pub layers: Option<&'static str>,
    /// What they can be made of in this trace.
    pub choices: Vec<&'static str>,
    /// What widths and orders are of: `time` or `gpu`.
    pub measure: &'static str,
    /// The time of everything, on all threads together.
    pub total_ns: i64,
    /// The time of the kernels and copies that it launched. Kernels that run at the same time count each.
    pub gpu_ns: i64,
    /// The time that is in no bar, because an event ended after the event around it.
    pub cut_ns: i64,
    /// The number of transfers that are left out: they are in no scope, and wait next to one another, which is the subject of
    /// `network`.
    pub transfers_left_out: u64,
    /// By name, the one with most of the measure for itself first: the first of `name_count`.
    pub names: Vec<FlameName<'a>>,
    /// The number of names.
    pub name_count: usize,
    /// The names from the bottom to the bar that the question is about, or as far as there are bars.
    pub path: Vec<&'a str>,
    /// The bars: each before those on it, the widest first.
    pub bars: Vec<FlameBar<'a>>,
    /// The number of bars that are too narrow to be among them.
    pub left_out: usize,
    /// What is around one name, if the question is about one: at the bottom is the name, on it what was around it.
    pub outside: Vec<FlameBar<'a>>,
    /// The number of paths around it that are not followed to their end, because they are too many or too long.
    pub shortened: u64,
}

/// The bars of one name.
#[derive(Serialize)]
pub struct FlameName<'a> {
    /// The name.
    pub name: &'a str,
    /// The category of what ran; null for a scope that is no op.
    pub category: Option<&'static str>,
    /// The number of events.
    pub count: u64,
    /// Their time without what ran in them.
    pub self_ns: i64,
    /// Their time; of what is in itself, the outermost alone.
    pub total_ns: i64,
    /// The time of the kernels and copies that they launched themselves.
    pub gpu_self_ns: i64,
    /// The time of those that they, or anything in them, launched; of what is in itself, the outermost alone.
    pub gpu_ns: i64,
}

/// A path of names.
#[derive(Serialize)]
pub struct FlameBar<'a> {
    /// Its name.
    pub name: &'a str,
    /// The category of what ran; null for a scope that is no op.
    pub category: Option<&'static str>,
    /// The number of bars below it.
    pub depth: u32,
    /// Where it begins, in the unit of its width: the sum of what is left of it.
    pub at_ns: i64,
    /// The number of events.
    pub count: u64,
    /// Their time without what ran in them.
    pub self_ns: i64,
    /// Their time.
    pub total_ns: i64,
    /// The time of the kernels and copies that they launched themselves.
    pub gpu_self_ns: i64,
    /// The time of the kernels and copies that they, or anything in them, launched.
    pub gpu_ns: i64,
}

/// All that is shown of a trace, made of `layers`.
pub fn everything(study: &Study, layers: Option<Layers>) -> FlameAnswer<'_> {
    let range = kernels::everything(study);
    let query = FlameQuery { range, layers, measure: Measure::Time, focus: Focus::All, detail: Detail::All };
    FlameAnswer::of(study, &query)
}

impl<'a> FlameAnswer<'a> {
    /// The answer to `query`. A bar or a name that is not there makes an answer without bars.
    pub fn of(study: &'a Study, query: &FlameQuery) -> Self {
        let choices = Layers::of(study.trace());
        let layers = query.layers.filter(|own| choices.contains(own)).or_else(|| choices.first().copied());
        let range = Range::of(study, &query.range);
        let whole = layers.map(|layers| Flame::of(study, &range, layers)).unwrap_or_default();
        let (total, gpu) = whole.total();
        let measure = query.measure;
        let names = names(&whole, measure);
        let stacked = |flame: &Flame<'a>, root| Stacked::of(flame, root, measure, query.detail);
        let mut shortened = 0;
        let (mut bars, mut outside, mut found) = (Stacked::default(), Stacked::default(), Vec::new());
        match &query.focus {
            Focus::All => bars = stacked(&whole, Root::All),
            Focus::Path(path) => {
                let place = whole.place(path);
                bars = stacked(&whole, place.map_or(Root::All, Root::Bar));
                found = place.map_or_else(Vec::new, |place| path_to(&whole, place));
            }
            Focus::Name(name) => {
                if let Some(name) = whole.names.iter().position(|own| own == name) {
                    bars = stacked(&whole.within(name as u32), Root::All);
                    let around = whole.outside(name as u32);
                    shortened = around.shortened;
                    outside = stacked(&around, Root::All);
                }
            }
        }
        Self {
            schema: "steplens.flame/1",
            notes: notes(&whole, bars.left_out + outside.left_out, shortened),
            sentence: sentence(&names, measure, if measure == Measure::Time { total } else { gpu }),
            layers: layers.map(Layers::word),
            choices: choices.into_iter().map(Layers::word).collect(),
            measure: measure.word(),
            total_ns: total.0,
            gpu_ns: gpu.0,
            cut_ns: whole.cut.0,
            transfers_left_out: whole.transfers,
            name_count: names.len(),
            names: names.into_iter().take(query.detail.names()).collect(),
            left_out: bars.left_out + outside.left_out,
            path: found,
            bars: bars.bars,
            outside: outside.bars,
            shortened,
        }
    }

    /// Why the bars are not made of `wanted`, as a sentence; `None` if they are.
    pub fn lacks(&self, wanted: Layers) -> Option<String> {
        let has = self.layers.unwrap_or("");
        let choices = self.choices.join(", ");
        (has != wanted.word() && !has.is_empty())
            .then(|| say!("flame-lacks", wanted = wanted.word(), has, choices))
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

fn names<'a>(flame: &Flame<'a>, measure: Measure) -> Vec<FlameName<'a>> {
    let mut names: Vec<FlameName<'a>> = flame.sums().iter().map(|sum| name_of(flame, sum)).collect();
    let own = |row: &FlameName<'_>| match measure {
        Measure::Time => (row.self_ns, row.total_ns),
        Measure::Gpu => (row.gpu_self_ns, row.gpu_ns),
    };
    names.sort_by(|a, b| own(b).cmp(&own(a)).then_with(|| a.name.cmp(b.name)));
    names
}

fn path_to<'a>(flame: &Flame<'a>, place: u32) -> Vec<&'a str> {
    let name = |place: u32| flame.names[flame.bars[place as usize].name as usize];
    let mut path: Vec<&str> = std::iter::once(place).chain(flame.parents(place)).map(name).collect();
    path.reverse();
    path
}

fn name_of<'a>(flame: &Flame<'a>, sum: &NameSum) -> FlameName<'a> {
    FlameName {
        name: flame.names[sum.name as usize],
        category: sum.category.map(Category::word),
        count: sum.count,
        self_ns: sum.own.0,
        total_ns: sum.total.0,
        gpu_self_ns: sum.gpu_own.0,
        gpu_ns: sum.gpu.0,
    }
}

/// What is left out.
fn notes(whole: &Flame<'_>, left_out: usize, shortened: u64) -> Vec<String> {
    let mut notes = Vec::new();
    if whole.transfers > 0 {
        notes.push(figures::plural(whole.transfers, message!("flame-transfers", count)));
    }
    if whole.cut > Nanos(0) {
        notes.push(say!("flame-cut", time = figures::duration(whole.cut.0)));
    }
    if left_out > 0 {
        notes.push(figures::plural(left_out, message!("flame-narrow", count)));
    }
    if shortened > 0 {
        notes.push(figures::plural(shortened, message!("flame-shortened", count)));
    }
    notes
}

fn sentence(names: &[FlameName<'_>], measure: Measure, all: Nanos) -> String {
    let Some(most) = names.first() else { return say!("flame-none").to_owned() };
    let own = if measure == Measure::Time { most.self_ns } else { most.gpu_self_ns };
    let share = format!("{:.1} %", own as f64 * 100.0 / all.0.max(1) as f64);
    let (count, time, most) =
        (say!("kernels-names", count = names.len()), figures::duration(all.0), kernel_label(most.name));
    match measure {
        Measure::Time => say!("flame-sentence", count, time, most, share),
        Measure::Gpu if all.0 == 0 => say!("flame-no-gpu").to_owned(),
        Measure::Gpu => say!("flame-sentence-gpu", count, time, most, share),
    }
}
