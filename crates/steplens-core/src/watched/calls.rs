//! How often each fetches and feeds ran, and how long it took.

use super::runs::{CallId, Runs};
use crate::base::units::Nanos;
use std::collections::BTreeMap;

/// The lengths of some runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// How many there are.
    pub count: u64,
    sum: i128,
    least: i64,
    most: i64,
}

impl Lengths {
    fn add(&mut self, length: Nanos) {
        self.least = if self.count == 0 { length.0 } else { self.least.min(length.0) };
        self.most = self.most.max(length.0);
        self.sum += i128::from(length.0);
        self.count += 1;
    }

    /// The mean, rounded to the nearest nanosecond; `None` without any.
    pub fn mean(&self) -> Option<Nanos> {
        let count = i128::from(self.count);
        let mean = (self.sum + count / 2).checked_div(count)?;
        i64::try_from(mean).ok().map(Nanos)
    }

    /// The shortest; `None` without any.
    pub fn least(&self) -> Option<Nanos> {
        (self.count > 0).then_some(Nanos(self.least))
    }

    /// The longest; `None` without any.
    pub fn most(&self) -> Option<Nanos> {
        (self.count > 0).then_some(Nanos(self.most))
    }
}

/// The runs with the same fetches and feeds. Tracing makes a run longer, so traced ones are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallFigures {
    /// Those that were not traced.
    pub untraced: Lengths,
    /// Those that were.
    pub traced: Lengths,
}

/// The figures of all listed runs, by their fetches and feeds. Runs whose fetches are unknown come last.
pub fn figures(runs: &Runs) -> Vec<(Option<CallId>, CallFigures)> {
    let mut found = BTreeMap::<CallId, CallFigures>::new();
    let mut unknown = CallFigures::default();
    for run in &runs.runs {
        let own = run.call.map_or(&mut unknown, |call| found.entry(call).or_default());
        let lengths = if run.trace.is_some() { &mut own.traced } else { &mut own.untraced };
        lengths.add(run.length);
    }
    let mut rows: Vec<_> = found.into_iter().map(|(call, own)| (Some(call), own)).collect();
    if unknown != CallFigures::default() {
        rows.push((None, unknown));
    }
    rows
}
