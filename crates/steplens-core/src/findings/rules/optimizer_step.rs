//! The optimizer of a training on a CPU, or of a host whose GPU has little to do meanwhile: PyTorch marks its step (`Optimizer.step#Adam.step`, `torch/optim/optimizer.py`). One that takes its parameters one
//! by one calls some ten small operators for each; `fused=True` and `foreach=True` take many at once.
//!
//! An optimizer that PyTorch does not have (a class of the program) knows neither: it can call `torch._foreach_…` itself.
//!
//! The step is as long as its mark: Python before its first operator, and after its last one, is a part of it.
//!
//! A step that runs a closure has the backward pass in it: then nobody knows what the optimizer takes.

use super::super::context::{Context, by_path};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use super::super::framework::{Framework, steps_one_by_one};
use super::unrecorded_waits::waited;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::accelerators;
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;

/// At least this part of what is shown, as its divisor.
const LEAST: i64 = 5;
/// A GPU works for at most this part of the steps, as its divisor: else fewer operators save little.
const LEAST_IDLE: i64 = 4;
/// What PyTorch calls the step of an optimizer.
const STEP: &str = "Optimizer.step#";
/// The optimizers of `torch.optim`.
const OF_PYTORCH: [&str; 15] = [
    "ASGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "LBFGS",
    "Muon",
    "NAdam",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SGD",
    "SparseAdam",
];
/// What runs in a backward pass.
const ENGINE: &str = "autograd::engine::";

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    if Framework::of_trace(trace) != Framework::PyTorch {
        return Ruling::Nothing;
    }
    if !context.compares {
        return Ruling::Lacks(Needs::Clocks);
    }
    let mut steps: Vec<OpId> = ops_named(trace, STEP);
    if steps.is_empty() || !steps_one_by_one(trace) {
        return Ruling::Nothing;
    }
    let mut intervals: Vec<Interval> = steps.iter().map(|&op| trace.ops().interval(op)).collect();
    order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
    let busy = Busy::of(intervals.into_iter());
    let time = busy.within(trace.span());
    let runs_backward =
        || ops_named(trace, ENGINE).into_iter().any(|op| busy.within(trace.ops().interval(op)).0 > 0);
    // What waits for a GPU that was not recorded, takes as long with fewer operators: another rule finds it.
    let waited = waited(context, Some(&busy)).min(time);
    if (time - waited).0.saturating_mul(LEAST) < trace.span().length().0 || runs_backward() {
        return Ruling::Nothing;
    }
    let devices: Vec<DeviceId> = accelerators(trace).into_iter().flat_map(|one| one.devices).collect();
    let worked = context.busy(&devices, |_| true);
    let worked = busy.intervals().iter().fold(Nanos(0), |sum, &step| sum + worked.within(step));
    if worked.0.saturating_mul(LEAST_IDLE) > time.0 {
        return Ruling::Nothing;
    }
    steps.sort_by_key(|&op| (Reverse(trace.ops().interval(op).length()), op));
    let name = trace.op_name(steps[0]).trim_start_matches(STEP).trim_end_matches(".step").to_owned();
    let (count, of) = (steps.len() as u64, operators(trace, &steps));
    // What knows of optimizers that take many parameters at once.
    let other = if OF_PYTORCH.contains(&name.as_str()) { "torch.optim" } else { "" }.to_owned();
    let marked = busy.intervals().iter().fold(Nanos(0), |sum, own| sum + own.length());
    let marked = if trace.is_period() { time } else { marked };
    let facts = Facts { name, other, count, of, time: marked, usual: waited, ..Facts::default() };
    by_path(Rule::OptimizerStep, time - waited, facts, steps)
}

fn ops_named(trace: &Trace, start: &str) -> Vec<OpId> {
    let nodes = trace.nodes();
    let is_it: Vec<bool> = nodes.ids().map(|node| trace.text(nodes.name(node)).starts_with(start)).collect();
    trace.ops().ids().filter(|&op| is_it[trace.ops().node(op).index()]).collect()
}

/// How many operators ran within `steps`, on their threads.
fn operators(trace: &Trace, steps: &[OpId]) -> u64 {
    let ops = trace.ops();
    let mut of_thread: HashMap<(DeviceId, u32), Vec<Interval>, FixedState> = HashMap::default();
    for &op in steps {
        of_thread.entry((trace.device_of(op), ops.thread(op))).or_default().push(ops.interval(op));
    }
    of_thread.values_mut().for_each(|own| order::by_number(own, |own| (own.start.0, own.end.0)));
    let is_within = |op: &OpId| {
        let own = of_thread.get(&(trace.device_of(*op), ops.thread(*op)));
        let start = ops.start(*op);
        own.is_some_and(|own| {
            let place = own.partition_point(|step| step.start <= start);
            place > 0 && start < own[place - 1].end
        })
    };
    let is_operator =
        |op: &OpId| trace.category(*op) == Category::Compute && !trace.op_name(*op).starts_with(STEP);
    ops.ids().filter(|op| is_operator(op) && is_within(op)).count() as u64
}
