//! TensorFlow's convolutions, products of matrices and norms that most of a GPU's time is, together with no more than three types of ops. No rule
//! about the host helps then: what is left is to calculate less, or with fewer bits. It is not said where a rule knows by the names of kernels that
//! they are in float32 on a GPU that has tensor cores, nor of a step in which algorithms are tried.

use super::super::context::{Context, figure};
use super::super::finding::{Alone, Facts, Rule, Ruling};
use super::super::framework::Framework;
use super::super::kernel_kinds::{dense_kind_of, has_sixteen_bits};
use super::super::reached::reached;
use super::first_step::first_step;
use super::tensor_cores;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::accelerators;
use crate::model::output::dtype_of_name;
use crate::storage::busy::Busy;
use crate::{Category, OpId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;

/// What the names of norms begin with.
const NORMS: [&str; 2] = ["LRN", "FusedBatchNorm"];
/// What is in the name of an op that TensorFlow adds to turn a tensor for a library.
const TURNS: &str = "-LayoutOptimizer";
/// The most types that are named.
const MOST_NAMES: usize = 3;
/// A type is named from this part of the largest on, as its divisor.
const LEAST_NAMED: i64 = 50;
/// The ops that turn tensors are named from this part of the time on, as its divisor.
const LEAST_TURNED: i64 = 50;

pub(super) fn judge(context: &Context<'_>) -> Option<Ruling> {
    let (trace, study) = (context.trace(), context.study);
    let (ops, nodes) = (trace.ops(), trace.nodes());
    let gpus = accelerators(trace);
    if gpus.is_empty() || !matches!(Framework::of_trace(trace), Framework::Graphs | Framework::TensorFlow2) {
        return None;
    }
    let is_named: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let op_type = trace.text(nodes.op_type(node));
            let is_it = dense_kind_of(op_type).is_some() || NORMS.iter().any(|own| op_type.starts_with(own));
            is_it && nodes.category(node) == Category::Compute
        })
        .collect();
    let length = |op: OpId| ops.interval(op).length();
    let work = || gpus.iter().flat_map(|one| one.unrepeated(trace)).flat_map(|device| trace.ops_of(device));
    let mut of_type: HashMap<StringId, (Nanos, OpId), FixedState> = HashMap::default();
    for op in work().filter(|&op| is_named[ops.node(op).index()]) {
        let row = of_type.entry(nodes.op_type(ops.node(op))).or_insert((Nanos(0), op));
        row.0 += length(op);
        if length(op) > length(row.1) {
            row.1 = op;
        }
    }
    let mut rows: Vec<(StringId, Nanos, OpId)> =
        of_type.into_iter().map(|(name, (time, op))| (name, time, op)).collect();
    rows.sort_by_key(|&(name, time, _)| (Reverse(time), trace.text(name)));
    let largest = rows.first()?.1;
    rows.retain(|own| own.1.0.saturating_mul(LEAST_NAMED) >= largest.0);
    rows.truncate(MOST_NAMES);
    let is_of_row = |op: OpId| {
        let own = nodes.op_type(ops.node(op));
        is_named[ops.node(op).index()] && rows.iter().any(|row| row.0 == own)
    };
    // Of several accelerators all times are their mean; kernels at the same time on one count once.
    let counted = (study.counted().count() as i64).max(1);
    let mean = |time: Nanos| Nanos(time.0 / counted);
    let span = trace.span();
    let time = mean(gpus.iter().fold(Nanos(0), |sum, one| {
        let own = one.unrepeated(trace).flat_map(|device| trace.ops_of(device));
        let mut own: Vec<Interval> = own.filter(|&op| is_of_row(op)).map(|op| ops.interval(op)).collect();
        order::by_number(&mut own, |own| (own.start.0, own.end.0));
        sum + Busy::of(own.into_iter()).within(span)
    }));
    let is_tried = || !first_step(context).trials.is_empty();
    let is_float32 = || matches!(tensor_cores::judge(context), Ruling::Found(_));
    if time.0.saturating_mul(2) < span.length().0 || is_tried() || is_float32() {
        return None;
    }
    let kernels: Vec<OpId> = work().filter(|&op| is_of_row(op)).collect();
    let half = [dtype_of_name("DT_HALF"), dtype_of_name("DT_BFLOAT16")];
    let is_short = |kernel: OpId| {
        let by = study.kernels().op_of(kernel).unwrap_or(kernel);
        has_sixteen_bits(trace.op_name(kernel))
            || trace.outputs().of(by).next().is_some_and(|own| half.contains(&own.dtype))
    };
    let sum = |is_it: &dyn Fn(OpId) -> bool| {
        kernels.iter().filter(|&&op| is_it(op)).fold(Nanos(0), |sum, &op| sum + length(op))
    };
    let few_bits = sum(&is_short).0.saturating_mul(2) >= sum(&|_| true).0;
    let turned = work().filter(|&op| turns(trace.op_name(op))).fold(Nanos(0), |sum, op| sum + length(op));
    let named = |start: &str| rows.iter().any(|own| trace.text(own.0).starts_with(start));
    let facts = Facts {
        name: trace.text(rows.first()?.0).to_owned(),
        names: rows.iter().map(|own| (trace.text(own.0).to_owned(), mean(own.1))).collect(),
        time,
        since: span.length(),
        few_bits,
        alone: Some(Alone::OfGraph {
            is_turned: mean(turned).0.saturating_mul(LEAST_TURNED) >= span.length().0,
            has_lrn: named("LRN"),
            has_dense: rows.iter().any(|own| dense_kind_of(trace.text(own.0)).is_some()),
        }),
        reached: reached(study, &kernels),
        ..Facts::default()
    };
    Some(figure(Rule::DominantWork, Nanos(0), facts, rows.iter().map(|own| own.2).collect()))
}

fn turns(name: &str) -> bool {
    name.contains(TURNS) && name.contains("Transpose")
}
