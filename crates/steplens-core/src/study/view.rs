//! A view: the part of an opened trace that is shown, as a trace of its own.

use crate::build::rebuilt::Rebuilt;
use crate::clocks::{ClockSetting, Clocks};
use crate::dataflow::DataFlow;
use crate::doctor::{Repair, repaired};
use crate::gpu::op_time::{OpTime, with_op_time};
use crate::steps::rule::{Apart, StepRule, Steps};
use crate::transfers::Transfers;
use crate::{OpId, Trace};
use std::sync::Arc;

/// What is shown; by default everything, as it was recorded.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// What is repaired, before all else.
    pub repairs: Vec<Repair>,
    /// What makes a step.
    pub rule: StepRule,
    /// The step that is shown, a row of [`Steps`]; `None` for all of them on one axis.
    pub step: Option<usize>,
    /// What the clocks of tasks are set by; `None` as they were recorded.
    pub clocks: Option<ClockSetting>,
    /// How long ops last.
    pub op_time: OpTime,
}

/// What a view shows.
pub struct Seen {
    /// The trace of it.
    pub trace: Arc<Trace>,
    /// How many steps there are to choose from.
    pub steps: usize,
    /// Why one of them is shown first, if it is.
    pub apart: Option<Apart>,
    /// By device of the trace: whether a repair touched figures of it.
    pub is_touched: Vec<bool>,
    /// What each op was in the opened trace; `None` where the view shows that itself.
    pub old_op: Option<Vec<OpId>>,
}

impl View {
    /// What it shows of `whole`. A step that is not there shows everything.
    pub fn of(&self, whole: &Arc<Trace>) -> Seen {
        let (repaired, mut old_op, touched) = self.repaired(whole);
        let steps = Steps::of(&repaired, self.rule);
        let (count, apart) = (steps.rows().len(), steps.apart(&repaired));
        let trace = match self.step {
            Some(row) if count > 1 && row < count => seen_of(steps.alone(&repaired, row), &mut old_op),
            _ => repaired,
        };
        let trace = match self.clocks.as_ref().and_then(|clocks| clocks.set(&trace)) {
            Some(set) => seen_of(set, &mut old_op),
            None => trace,
        };
        // Names of ops repeat from step to step: kernels are joined within the view.
        let trace = match with_op_time(&trace, self.op_time) {
            Some(other) => seen_of(other, &mut old_op),
            None => trace,
        };
        let name = |device| trace.devices().get(device).name;
        let is_touched = trace.devices().ids().map(|device| touched.contains(&name(device))).collect();
        Seen { trace, steps: count, apart, is_touched, old_op }
    }

    /// The trace, repaired and with its clocks set, and its steps.
    pub fn steps(&self, whole: &Arc<Trace>) -> (Arc<Trace>, Steps) {
        let (repaired, ..) = self.repaired(whole);
        let steps = Steps::of(&repaired, self.rule);
        match self.clocks.as_ref().and_then(|clocks| clocks.set(&repaired)) {
            // What is a step does not depend on whose clocks are right.
            Some(set) => {
                let steps = steps.measured_in(&set.trace);
                (Arc::new(set.trace), steps)
            }
            None => (repaired, steps),
        }
    }

    /// What is known of the clocks, by everything that was opened, repaired: not of the step alone, so that
    /// a task is moved by the same in all of them.
    pub fn clocks_of(&self, whole: &Arc<Trace>) -> Clocks {
        let (repaired, ..) = self.repaired(whole);
        let flow = DataFlow::of(&repaired, self.rule);
        Clocks::of(&repaired, &Transfers::of(&repaired, &flow))
    }

    /// The repaired trace, what each of its ops was, and the names of the devices that were touched.
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

/// The trace of `rebuilt`; `old_op` becomes what each op of it was at first.
fn seen_of(rebuilt: Rebuilt, old_op: &mut Option<Vec<OpId>>) -> Arc<Trace> {
    let first = |op: &OpId| old_op.as_ref().map_or(*op, |old_op| old_op[op.index()]);
    *old_op = Some(rebuilt.old_op.iter().map(first).collect());
    Arc::new(rebuilt.trace)
}
