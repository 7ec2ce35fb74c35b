//! Why two traces cannot be compared as they are, and what can be compared all the same.

use crate::clocks::ClockNote;
use crate::figures::share;
use crate::names::{place_label, visible};
use serde::Serialize;
use steplens_core::DeviceId;
use steplens_core::compare::Comparison;
use steplens_core::compare::joined::Which;
use steplens_core::compare::reasons::{Reason, Recorded};
use steplens_messages::{listed, say};

/// The most devices that a sentence names.
const MOST_DEVICES: usize = 5;

/// A reason.
#[derive(Serialize)]
pub struct ReasonRow {
    /// `clocks`, `graph`, `batch`, `devices`, `tracing`, `transfers` or `steps`.
    pub reason: &'static str,
    /// The reason as a sentence.
    pub sentence: String,
    /// What can still be compared, as a sentence.
    pub still: &'static str,
}

pub(super) fn rows(found: &Comparison<'_>) -> Vec<ReasonRow> {
    found.reasons.iter().map(|reason| row(found, reason)).collect()
}

fn row(found: &Comparison<'_>, reason: &Reason) -> ReasonRow {
    let (sentence, still) = match reason {
        Reason::Clocks { doubts } => {
            let [a, b] = doubts.map(|doubt| doubt.map(|doubt| ClockNote::of_doubt(doubt).sentence));
            let said = [(say!("compare-of-a"), a), (say!("compare-of-b"), b)];
            let said = said.into_iter().filter_map(|(side, said)| Some(format!("{side}: {}", said?)));
            (say!("compare-not-clocks", said = listed(said)), say!("compare-still-clocks"))
        }
        Reason::Graph { matched_ppm } => {
            let part = share(*matched_ppm as i64, 1_000_000);
            (say!("compare-not-graph", share = part), say!("compare-still-graph"))
        }
        Reason::Batch { sizes: [a, b], pairs } => {
            let (a, b) = (a.to_string(), b.to_string());
            (say!("compare-not-batch", a, b, count = *pairs), say!("compare-still-batch"))
        }
        Reason::Devices { only_a, only_b } => {
            let said = each_side(only_a, only_b, |side, ids| devices(found, side, ids));
            (say!("compare-not-devices", said), say!("compare-still-devices"))
        }
        Reason::Tracing { only_a, only_b } => {
            let words = |_: Which, own: &[Recorded]| listed(own.iter().map(|&own| recorded(own)));
            (
                say!("compare-not-tracing", said = each_side(only_a, only_b, words)),
                say!("compare-still-tracing"),
            )
        }
        Reason::Transfers { only_a, only_b } => {
            let said = each_side(only_a, only_b, |side, ids| devices(found, side, ids));
            (say!("compare-not-transfers", said), say!("compare-still-transfers"))
        }
        Reason::Steps { shown: [a, b] } => {
            (say!("compare-not-steps", a = *a, b = *b), say!("compare-still-steps"))
        }
    };
    ReasonRow { reason: reason.word(), sentence, still }
}

/// What only A has, and what only B has.
fn each_side<T>(only_a: &[T], only_b: &[T], words: impl Fn(Which, &[T]) -> String) -> String {
    let of = |own: &[T], side: Which| (!own.is_empty()).then(|| words(side, own));
    let a = of(only_a, Which::A).map(|what| say!("compare-only-in-a", what));
    let b = of(only_b, Which::B).map(|what| say!("compare-only-in-b", what));
    listed([a, b].into_iter().flatten())
}

fn devices(found: &Comparison<'_>, side: Which, ids: &[DeviceId]) -> String {
    let trace = found.sides[side as usize].study.trace();
    let name = |&id: &DeviceId| visible(&place_label(trace.text(trace.devices().get(id).name))).into_owned();
    let mut names: Vec<String> = ids.iter().take(MOST_DEVICES).map(name).collect();
    if ids.len() > MOST_DEVICES {
        names.push(say!("compare-more-devices", count = ids.len() - MOST_DEVICES));
    }
    listed(names)
}

fn recorded(own: Recorded) -> &'static str {
    match own {
        Recorded::Graphs => say!("compare-recorded-graphs"),
        Recorded::Scheduling => say!("compare-recorded-scheduling"),
        Recorded::Shapes => say!("compare-recorded-shapes"),
        Recorded::Kernels => say!("compare-recorded-kernels"),
        Recorded::HostProfiler => say!("compare-recorded-host-profiler"),
        Recorded::Frames => say!("compare-recorded-frames"),
        Recorded::Memory => say!("compare-recorded-memory"),
    }
}
