//! What a verdict says of TensorFlow's executors, where an op was not recorded: tensors of a task of which nothing is in the file.

use crate::base::units::Nanos;
use crate::causality::graph::ExecutionGraph;
use crate::causality::observed::{Segment, SegmentKind};
use crate::transfers::NoProducer;
use crate::{StringId, Study};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Who sends what a step waits for, of which nothing else was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The device of this name.
    Of(StringId),
    /// It is not known who.
    Unnamed,
}

/// Who sends the tensors that half of the waiting on the path, `all`, is for.
pub(super) fn sender(study: &Study, segments: &[Segment], all: Nanos) -> Option<Sender> {
    let graph: &ExecutionGraph = &study.causes().graph;
    let mut unnamed = Nanos(0);
    let mut sums: HashMap<StringId, Nanos, FixedState> = HashMap::default();
    for own in segments.iter().filter(|own| own.kind == SegmentKind::Producer) {
        let length = own.interval.length();
        match study.transfers().of_op(own.op) {
            Some(transfer) if transfer.producer == Err(NoProducer::SourceNotTraced) => {
                *sums.entry(transfer.source).or_default() += length;
            }
            None if graph.is_unnamed(own.op) => unnamed += length,
            _ => {}
        }
    }
    let named = sums.into_iter().max_by_key(|&(device, time)| (time, device));
    let named = named.map(|(device, time)| (Sender::Of(device), time));
    let most = named.filter(|own| own.1 >= unnamed).unwrap_or((Sender::Unnamed, unnamed));
    (most.1 > Nanos(0) && most.1.0.saturating_mul(2) >= all.0).then_some(most.0)
}
