//! A view: the part of an opened trace that is shown, as a separate trace.

use crate::base::units::{Interval, Nanos};
use crate::build::rebuilt::{Placed, Rebuilt};
use crate::clocks::{ClockSetting, Clocks};
use crate::dataflow::DataFlow;
use crate::doctor::{Repair, repaired};
use crate::gpu::op_time::{OpTime, with_op_time};
use crate::steps::rule::{Apart, StepRule, Steps};
use crate::transfers::Transfers;
use crate::{OpId, Study, Trace};
use std::sync::Arc;

/// What is shown; by default everything, as it was recorded.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The repairs, which are applied before everything else.
    pub repairs: Vec<Repair>,
    /// The rule for steps.
    pub rule: StepRule,
    /// The step that is shown, as a row of [`Steps`]; `None` for all of them on one axis.
    pub step: Option<usize>,
    /// How the clocks of tasks are aligned; `None` if they stay as they were recorded.
    pub clocks: Option<ClockSetting>,
    /// What counts as the duration of an op.
    pub op_time: OpTime,
}

/// The result of a view.
pub struct Seen {
    /// The trace that it shows.
    pub trace: Arc<Trace>,
    /// What texts call each row that there is to choose from; `None` for one that is no step.
    pub called: Vec<Option<i64>>,
    /// Why a single step is shown first, if it is.
    pub apart: Option<Apart>,
    /// For each device of the trace whether a repair changed its figures.
    pub is_touched: Vec<bool>,
    /// For each op its id in the opened trace; `None` if the view shows the opened trace itself.
    pub old_op: Option<Vec<OpId>>,
}

impl View {
    /// The part of `whole` that the view shows. If its step does not exist, it shows everything.
    pub fn of(&self, whole: &Arc<Trace>) -> Seen {
        let (repaired, mut old_op, touched) = self.repaired(whole);
        let steps = Steps::divided(&repaired, self.rule);
        let called: Vec<Option<i64>> = steps.rows().iter().map(|step| step.called).collect();
        let (rows, apart) = (called.len(), steps.apart(&repaired));
        // A period depends on all ranks of its run, so on their clocks.
        let set_first = self.clocks.as_ref().filter(|_| steps.has_periods());
        let (repaired, steps) = match set_first.and_then(|clocks| clocks.set(&repaired)) {
            Some(set) => {
                let set = seen_of(set, &mut old_op);
                let steps = steps.measured_in(&set);
                (set, steps)
            }
            None => (repaired, steps),
        };
        let trace = match self.step {
            Some(row) if rows > 1 && row < rows => seen_of(steps.alone(&repaired, row), &mut old_op),
            // The mark of the only step says when it begins and ends: Python runs before its first op, and a profiler that stops waits after it.
            _ if rows == 1 && steps.is_all_work(&repaired) => seen_of(steps.only(&repaired), &mut old_op),
            _ => repaired,
        };
        let clocks = self.clocks.as_ref().filter(|_| set_first.is_none());
        let trace = match clocks.and_then(|clocks| clocks.set(&trace)) {
            Some(set) => seen_of(set, &mut old_op),
            None => trace,
        };
        // Names of ops repeat from step to step, so kernels are joined within the view.
        let trace = match with_op_time(&trace, self.op_time) {
            Some(other) => seen_of(other, &mut old_op),
            None => trace,
        };
        let name = |device| trace.devices().get(device).name;
        let is_touched = trace.devices().ids().map(|device| touched.contains(&name(device))).collect();
        Seen { trace, called, apart, is_touched, old_op }
    }

    /// The trace with repairs and aligned clocks, and its steps.
    pub fn steps(&self, whole: &Arc<Trace>) -> (Arc<Trace>, Steps) {
        let (repaired, ..) = self.repaired(whole);
        let steps = Steps::divided(&repaired, self.rule);
        match self.clocks.as_ref().and_then(|clocks| clocks.set(&repaired)) {
            // The division into steps does not depend on the clocks.
            Some(set) => {
                let steps = steps.measured_in(&set.trace);
                (Arc::new(set.trace), steps)
            }
            None => (repaired, steps),
        }
    }

    /// The clocks of everything that was opened, with repairs. They are not computed from a single step, so that a task is moved by
    /// the same offset in all steps.
    pub fn clocks_of(&self, whole: &Arc<Trace>) -> Clocks {
        let (repaired, ..) = self.repaired(whole);
        let flow = DataFlow::indexed(&repaired, self.rule);
        Clocks::estimated(&repaired, &Transfers::joined(&repaired, &flow))
    }

    /// The repaired trace, the old id of each of its ops, and the names of the devices that a repair changed.
    fn repaired(&self, whole: &Arc<Trace>) -> (Arc<Trace>, Option<Vec<OpId>>, Vec<crate::StringId>) {
        match repaired(whole, &self.repairs) {
            None => (Arc::clone(whole), None, Vec::new()),
            Some(repaired) => {
                let devices =
                    repaired.touched.iter().map(|&device| repaired.trace.devices().get(device).name);
                let touched = devices.collect();
                (Arc::new(repaired.trace), Some(repaired.old_op), touched)
            }
        }
    }
}

impl Study {
    /// What of it runs in `span`, cut at both ends. Its old ops are those of `self`.
    pub(crate) fn within(&self, span: Interval) -> Self {
        let (trace, ops) = (&self.trace, self.trace.ops());
        let in_span = |at: &Placed| {
            let own = ops.interval(at.op);
            own.start < span.end && own.end.max(own.start + Nanos(1)) > span.start
        };
        let cut = |at: Placed| Placed { interval: Some(ops.interval(at.op).clamp_to(span)), ..at };
        let mut places = trace.places().filter(in_span).map(cut);
        let period = trace.is_period().then(|| [span.start, span.end].map(|time| trace.unix_ns(time)));
        let mut rebuilt = trace.rebuilt_in(period, &mut places);
        rebuilt.trace.keep_samples_of_ops();
        let seen = Seen {
            is_touched: Vec::new(),
            called: self.called.clone(),
            apart: self.apart,
            old_op: Some(rebuilt.old_op),
            trace: Arc::new(rebuilt.trace),
        };
        Self::of_seen(seen, self.view.clone())
    }
}

/// The trace of `rebuilt`. Updates `old_op` to the ids of the opened trace.
fn seen_of(rebuilt: Rebuilt, old_op: &mut Option<Vec<OpId>>) -> Arc<Trace> {
    let first = |op: &OpId| old_op.as_ref().map_or(*op, |old_op| old_op[op.index()]);
    *old_op = Some(rebuilt.old_op.iter().map(first).collect());
    Arc::new(rebuilt.trace)
}
