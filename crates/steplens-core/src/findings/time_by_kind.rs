//! How long accelerators compute each kind: by what XLA's profiler writes next to its instructions, else by the names of kernels.

use super::finding::KernelKind;
use super::kernel_kinds::kind_of;
use super::mostly::ran;
use super::xla_kinds::{OfXla, of_nodes};
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::storage::busy::Busy;
use crate::{Category, NodeId, Study, Trace};
use std::cmp::Reverse;

/// The kind of each node's kernels.
pub(super) fn kinds(trace: &Trace) -> Vec<Option<KernelKind>> {
    let nodes = trace.nodes();
    let text = |node| (trace.text(nodes.name(node)), trace.text(nodes.op_type(node)));
    let of_xla = of_nodes(trace);
    let kind = |node: NodeId| match of_xla[node.index()] {
        OfXla::Kind(kind) => kind,
        OfXla::Nothing | OfXla::Dense => {
            let (name, op_type) = text(node);
            kind_of(name, op_type)
        }
    };
    nodes
        .ids()
        .map(|node| Some(node).filter(|&own| nodes.category(own) == Category::Compute).and_then(kind))
        .collect()
}

/// How long accelerators compute each kind in `span`, the mean over those of the split, the longest first.
pub(super) fn by_kind(study: &Study, span: Interval) -> Vec<(KernelKind, Nanos)> {
    let trace = study.trace();
    let kinds = kinds(trace);
    let ran = ran(study, span, Category::Compute);
    let mut sums: Vec<(KernelKind, Nanos)> = Vec::new();
    for kind in KernelKind::ALL {
        let sum = ran.iter().fold(Nanos(0), |sum, (before, own)| {
            let own = own.iter().filter(|(op, _)| kinds[trace.ops().node(*op).index()] == Some(kind));
            let own = own.map(|&(_, own)| own);
            let mut both: Vec<Interval> = before.intervals().iter().copied().chain(own).collect();
            order::by_number(&mut both, |own| (own.start.0, own.end.0));
            sum + Busy::of(both.into_iter()).within(span) - before.within(span)
        });
        sums.push((kind, Nanos(sum.0 / (ran.len() as i64).max(1))));
    }
    sums.sort_by_key(|&(kind, time)| (Reverse(time), kind));
    sums.retain(|own| own.1 > Nanos(0));
    sums
}
