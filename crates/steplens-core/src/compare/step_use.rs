//! What each step of a trace used besides time: exposed communication, bytes of transfers, and memory. A check compares it with that of a
//! baseline, which keeps it.

use super::samples::counted;
use crate::steps::figures::step_figures;
use crate::steps::rule::Steps;
use crate::{Study, Trace, View};
use std::sync::Arc;

/// Of more steps than this, memory is looked at in every second, third, ... only: each such step is read like a trace of its own.
const MOST_STEPS_OF_MEMORY: usize = 32;

/// Figures of the usual steps, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepUse {
    /// The time of exposed communication in each step, in ns.
    pub exposed_ns: Vec<i64>,
    /// The bytes that each step transferred.
    pub transferred_bytes: Vec<i64>,
    /// The peak of memory in each step that is looked at: the sum of the peaks of all allocators. Empty where none was recorded.
    pub peak_bytes: Vec<i64>,
}

impl StepUse {
    /// The figures of `steps`, into which `trace` divides what `view` shows of `whole`.
    pub fn of(view: &View, whole: &Arc<Trace>, trace: &Trace, steps: &Steps) -> Self {
        let counts = counted(steps, None);
        let rows: Vec<usize> = (0..counts.len()).filter(|&row| counts[row]).collect();
        let figures = step_figures(trace, steps);
        let bytes = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
        let every = rows.len().div_ceil(MOST_STEPS_OF_MEMORY).max(1);
        let peak = |&row: &usize| {
            let step = if steps.rows().len() > 1 { Some(row) } else { view.step };
            let study = Study::of_view(whole, View { step, ..view.clone() });
            let (_, memory) = study.best_memory()?;
            let peaks = memory.accounts.iter().map(|account| account.peak().0.0);
            Some(bytes(peaks.fold(0, u64::saturating_add)))
        };
        Self {
            exposed_ns: rows.iter().map(|&row| figures[row].split.exposed_communication.0).collect(),
            transferred_bytes: rows.iter().map(|&row| bytes(figures[row].transferred.0)).collect(),
            peak_bytes: rows.iter().step_by(every).filter_map(peak).collect(),
        }
    }
}
