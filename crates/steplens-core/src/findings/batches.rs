//! How long a program waits for its next batch.
//!
//! A pipeline of TensorFlow makes batches in threads of its own, next to the step. What these threads do hides behind the step as long as the batch is
//! there when it is asked for, though no op was recorded meanwhile: the profiler leaves out ops of a GPU and cheap ones. How long the program waited is
//! the time of the ops that take a batch.

use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::has_any;
use crate::storage::busy::Busy;
use crate::timeline::split::Split;
use crate::{Category, OpId, Study, Trace};

/// An op whose type contains one of these takes the next batch.
const TAKES: [&str; 6] =
    ["GetNext", "Dequeue", "ReaderRead", "OptionalGetValue", "Unstage", "DatasetToSingleElement"];
/// What the names of the stages of a pipeline begin with.
const STAGE: &str = "Iterator::";

/// Whether `op` takes the next batch.
pub(super) fn takes_batch(trace: &Trace, op: OpId) -> bool {
    trace.category(op) == Category::Input && TAKES.iter().any(|own| trace.op_type(op).contains(own))
}

/// The split of `span`, in which input is no longer than the program waited for batches, where a pipeline makes them, ops that take them were
/// recorded, and no accelerator was.
pub(super) fn split_of(study: &Study, span: Interval) -> Split {
    let (mut split, trace) = (study.step_split(span), study.trace());
    let nodes = trace.nodes();
    let is_stage = |name: &str| name.starts_with(STAGE);
    if split.exposed_input <= Nanos(0)
        || has_any(trace)
        || !nodes.ids().any(|node| is_stage(trace.text(nodes.name(node))))
    {
        return split;
    }
    let takes = trace.ops().ids().take(trace.counted_ops()).filter(|&op| takes_batch(trace, op));
    let mut takes: Vec<Interval> = takes.map(|op| trace.ops().interval(op)).collect();
    if takes.is_empty() {
        return split;
    }
    order::by_number(&mut takes, |own| (own.start.0, own.end.0));
    let waited = Busy::of(takes.into_iter()).within(span).min(split.exposed_input);
    split.idle += split.exposed_input - waited;
    split.busy = split.busy - (split.exposed_input - waited);
    split.exposed_input = waited;
    split
}
