//! Products of matrices with 16 bits, or attention in kernels of its own, that take half of the time of a GPU or more: no rule about the host or the
//! kind of numbers helps then, and what is left is less to calculate. Names say how many bits a product has; where they do not, nothing is found.

use super::super::context::{Context, figure};
use super::super::finding::{Alone, Facts, KernelKind, Rule, Ruling};
use super::super::kernel_kinds::{could_use_eight_bits, has_sixteen_bits};
use super::super::reached::reached;
use super::super::time_by_kind::{by_kind, kinds};
use crate::base::units::Nanos;
use crate::gpu::accelerators::accelerators;
use crate::{NodeId, OpId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;

/// The most names of kernels that are said.
const MOST_NAMES: usize = 3;
/// A kernel is named from this part of the largest on, as its divisor.
const LEAST_NAMED: i64 = 50;

pub(super) fn judge(context: &Context<'_>) -> Option<Ruling> {
    let (trace, ops) = (context.trace(), context.trace().ops());
    let gpus = accelerators(trace);
    if gpus.is_empty() {
        return None;
    }
    let whole = trace.span().length();
    let most = by_kind(context.study, trace.span()).into_iter().next();
    let (kind, time) = most.filter(|own| own.1.0.saturating_mul(2) >= whole.0)?;
    if !matches!(kind, KernelKind::Products | KernelKind::Attention) {
        return None;
    }
    let kinds = kinds(trace);
    let nodes = trace.nodes();
    let says_few_bits = |node: NodeId| has_sixteen_bits(trace.text(nodes.name(node)));
    let is_short: Vec<bool> =
        nodes.ids().zip(&kinds).map(|(node, own)| *own == Some(kind) && says_few_bits(node)).collect();
    let mut kernels: Vec<OpId> = Vec::new();
    let mut of_type: HashMap<StringId, (Nanos, OpId), FixedState> = HashMap::default();
    let length = |op: OpId| ops.interval(op).length();
    let (mut all, mut short) = (Nanos(0), Nanos(0));
    let work = gpus.iter().flat_map(|one| one.unrepeated(trace)).flat_map(|device| trace.ops_of(device));
    for op in work.filter(|&op| kinds[ops.node(op).index()] == Some(kind)) {
        let row = of_type.entry(nodes.op_type(ops.node(op))).or_insert((Nanos(0), op));
        row.0 += length(op);
        all += length(op);
        kernels.push(op);
        short += if is_short[ops.node(op).index()] { length(op) } else { Nanos(0) };
        if length(op) > length(row.1) {
            row.1 = op;
        }
    }
    let mut rows: Vec<(&str, Nanos, OpId)> =
        of_type.into_iter().map(|(name, (time, op))| (trace.text(name), time, op)).collect();
    rows.sort_by_key(|&(name, time, _)| (Reverse(time), name));
    if kind == KernelKind::Products && short.0.saturating_mul(2) < all.0 {
        return None;
    }
    let largest = rows.first().map_or(Nanos(0), |own| own.1);
    rows.retain(|own| own.1.0.saturating_mul(LEAST_NAMED) >= largest.0);
    rows.truncate(MOST_NAMES);
    // Of several accelerators all times are their mean.
    let counted = (context.study.counted().count() as i64).max(1);
    let mean = |time: Nanos| Nanos(time.0 / counted);
    let has_eight_bits = kind == KernelKind::Products && could_use_eight_bits(trace);
    let facts = Facts {
        name: rows.first().map(|own| own.0.to_owned()).unwrap_or_default(),
        names: rows.iter().map(|own| (own.0.to_owned(), mean(own.1))).collect(),
        time,
        since: whole,
        reached: reached(context.study, &kernels),
        alone: Some(Alone::OfKernels { kind, has_eight_bits }),
        ..Facts::default()
    };
    let evidence = rows.iter().map(|own| own.2).collect();
    Some(figure(Rule::DominantWork, Nanos(0), facts, evidence))
}
