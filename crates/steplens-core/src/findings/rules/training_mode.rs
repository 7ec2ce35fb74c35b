//! Batch norm that runs as in training, in a recording of PyTorch without any backward pass: `model.eval()` may have been forgotten. Where kernels were
//! recorded, their names say how batch norm runs; else the argument `training` of `aten::batch_norm` does, or that as many whole numbers are added to
//! (`num_batches_tracked`, which `torch.nn.BatchNorm2d` counts in training alone). `record_shapes=True` records both.
//!
//! Dropout on a CPU goes with it, or comes alone. The time is that of these kernels, or ops: what is left of it afterwards, nobody can tell from the file.

use super::super::context::Context;
use super::super::finding::{Facts, Rule, Ruling};
use super::super::framework::{Framework, has_backward};
use crate::base::order;
use crate::base::units::Interval;
use crate::gpu::accelerators::accelerators;
use crate::gpu::unrecorded::is_gpu_unrecorded;
use crate::model::arguments::Noun;
use crate::model::category::is_training_norm;
use crate::storage::busy::Busy;
use crate::{OpId, Trace};
use std::cmp::Reverse;

/// What compilers call the type of `num_batches_tracked`.
const WHOLE: [&str; 4] = ["long int", "long", "long long", "__int64"];
/// The operator, whose argument at this place is `training` (`aten/src/ATen/native/native_functions.yaml`).
const OPERATOR: (&str, usize) = ("aten::batch_norm", 5);

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    if Framework::of_trace(trace) != Framework::PyTorch || has_backward(trace) || is_gpu_unrecorded(trace) {
        return Ruling::Nothing;
    }
    let mut found = match accelerators(trace).is_empty() {
        true => operators(trace),
        false => kernels(trace),
    };
    let count = found.len() as u64;
    let dropout = if accelerators(trace).is_empty() { dropout(trace) } else { Vec::new() };
    if found.is_empty() && dropout.is_empty() {
        return Ruling::Nothing;
    }
    let time_of = |all: &[OpId]| {
        let mut intervals: Vec<Interval> = all.iter().map(|&op| trace.ops().interval(op)).collect();
        order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
        Busy::of(intervals.into_iter()).within(trace.span())
    };
    let (time, usual) = (time_of(&found), time_of(&dropout));
    found.extend(dropout);
    found.sort_by_key(|&op| (Reverse(trace.ops().interval(op).length()), op));
    let facts = Facts { name: trace.op_name(found[0]).to_owned(), count, time, usual, ..Facts::default() };
    context.measured(Rule::TrainingMode, time_of(&found), facts, found, None)
}

fn kernels(trace: &Trace) -> Vec<OpId> {
    let nodes = trace.nodes();
    let is_it: Vec<bool> =
        nodes.ids().map(|node| is_training_norm(trace.text(nodes.op_type(node)))).collect();
    let devices = accelerators(trace).into_iter().flat_map(|one| one.unrepeated(trace).collect::<Vec<_>>());
    let work = devices.flat_map(|device| trace.ops_of(device));
    work.filter(|&op| is_it[trace.ops().node(op).index()]).collect()
}

fn operators(trace: &Trace) -> Vec<OpId> {
    let of_type = |name: &'static str| trace.ops().ids().filter(move |&op| trace.op_type(op) == name);
    let all: Vec<OpId> = of_type(OPERATOR.0).collect();
    let given = |op: OpId, noun: Noun, place: usize| {
        let own = trace.arguments().of(op).find(|own| Noun::of(own.name) == Some(noun))?;
        nth_text(&own.value.shown(), place).map(str::to_owned)
    };
    let is_whole = |op: OpId| given(op, Noun::Types, 0).is_some_and(|own| WHOLE.contains(&&*own));
    let counted = || of_type("aten::add_").filter(|&op| is_whole(op));
    let says = |op: OpId| given(op, Noun::Inputs, OPERATOR.1);
    if all.iter().all(|&op| says(op).is_none()) {
        return if counted().count() == all.len() { all } else { Vec::new() };
    }
    all.into_iter().filter(|&op| says(op).as_deref() == Some("True")).collect()
}

/// The operators that drop values out: as in training they draw random numbers.
fn dropout(trace: &Trace) -> Vec<OpId> {
    let of_type = |name: &'static str| trace.ops().ids().filter(move |&op| trace.op_type(op) == name);
    let draws = of_type("aten::bernoulli_").next().is_some();
    if draws { of_type("aten::dropout").collect() } else { Vec::new() }
}

/// The text at `place` of a list of texts such as `["", "True"]`. A text that has a comma or a quote in it, such as a list, is one text.
fn nth_text(list: &str, place: usize) -> Option<&str> {
    list.trim().strip_prefix('[')?.strip_suffix(']')?.split('"').skip(1).step_by(2).nth(place)
}
