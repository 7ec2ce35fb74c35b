//! Copies that the step waits for, by where they go. Where accelerators were recorded, the time is measured: how long they do nothing but
//! copy, by the split, without the share of it in which memory is set; elsewhere the saving is that of a replay in which copies take no
//! time. Each copy counts once, however many devices record it. Where copies from or to memory that is not pinned are half of that time
//! or more, `pageable-copies` says it.
//!
//! Who asked for them is known of TensorFlow's memory optimizer, whose ops are called `swap_out_` and `swap_in_`, and of programs of XLA
//! that keep arrays in the memory of the host. Weights and constants of a graph that are on the host are known by the ops that made them.
//!
//! XProf calls copies of 30 % of the input time a finding (`smart_suggestion/constants.h`).

use super::super::context::Context;
use super::super::finding::{CopiedBy, CopiesOf, Direction, Facts, Rule, Ruling};
use super::all_copies::{copies, exposed, lacks, share_of};
use super::directions::Directions;
use super::pageable_copies::is_mostly_pageable;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::causality::observed::SegmentKind;
use crate::gpu::accelerators::has_any;
use crate::gpu::kernels::has_kernels;
use crate::model::device::DeviceKind;
use crate::model::label;
use crate::replay::change::Change;
use crate::storage::busy::Busy;
use crate::{Category, NodeId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    if !context.has(Category::Copy) {
        return lacks(context);
    }
    if is_mostly_pageable(context) {
        return Ruling::Nothing;
    }
    let all: Vec<OpId> = copies(trace).collect();
    let asks = Asks::of(trace, &all);
    let (asking, copied): (Vec<OpId>, Vec<OpId>) = all.iter().partition(|&&op| asks.has(trace, op));
    let (rows, on_host) = by_direction(trace, &copied);
    let sum = |ops: &[OpId]| ops.iter().fold(Nanos(0), |sum, &op| sum + trace.ops().interval(op).length());
    let (time, copying) = (sum(&all), sum(&copied));
    let is_half = |part: Nanos| part > Nanos(0) && part.0.saturating_mul(2) >= copying.0;
    let copied_by = match () {
        () if is_half(on_host) => Some(CopiedBy::HostMemory),
        () if is_half(swapped(trace, &copied)) => Some(CopiedBy::MemoryOptimizer),
        () if is_half(sum(&of_weights(trace, &copied))) => Some(CopiedBy::Weights),
        () => None,
    };
    let count = all.len() as u64;
    let (of, usual) = (asking.len() as u64, sum(&asking));
    let facts = Facts { count, time, of, usual, copies: rows, copied_by, ..Facts::default() };
    let mut evidence = context.longest_on_path(|kind, _| kind == SegmentKind::Copy);
    let change = Change::Category { category: Category::Copy, factor: 0.0 };
    if has_any(trace) {
        let exposed = share_of(trace, time, exposed(context));
        let all = longest(trace, all);
        let length = |op: OpId| trace.ops().interval(op).length();
        // The path waits for some copy, and perhaps for none of those that take the time.
        let most = all.first().map_or(Nanos(0), |&op| length(op));
        evidence.retain(|&op| length(op).0.saturating_mul(2) >= most.0);
        let evidence = if evidence.is_empty() { all } else { evidence };
        return context.measured(Rule::Copies, exposed, facts, evidence, Some(change));
    }
    let on_path = context.on_path(&[SegmentKind::Copy]);
    context.judge_change(Rule::Copies, on_path, facts, evidence, change)
}

/// The ops by which an executor asks its GPU for copies. They last until the copy has had its turn, so where copies were recorded they are counted
/// apart.
struct Asks {
    has_copies: bool,
}

impl Asks {
    fn of(trace: &Trace, all: &[OpId]) -> Self {
        Self { has_copies: all.iter().any(|&op| has_kernels(trace, trace.device_of(op))) }
    }

    fn has(&self, trace: &Trace, op: OpId) -> bool {
        let device = trace.device_of(op);
        self.has_copies && trace.devices().get(device).kind == DeviceKind::Gpu && !has_kernels(trace, device)
    }
}

/// The directions of `all`, the one with most time first, and the time of copies from or to arrays in the memory of the host.
fn by_direction(trace: &Trace, all: &[OpId]) -> (Vec<CopiesOf>, Nanos) {
    let mut rows = Direction::ALL.map(|direction| CopiesOf { direction, count: 0, time: Nanos(0) }).to_vec();
    let mut directions = Directions::of(trace, all);
    let mut on_host = Nanos(0);
    for &op in all {
        let (direction, is_of_host) = directions.get(trace, op);
        let length = trace.ops().interval(op).length();
        let row = &mut rows[direction as usize];
        (row.count, row.time) = (row.count + 1, row.time + length);
        if is_of_host {
            on_host += length;
        }
    }
    rows.retain(|row| row.count > 0);
    rows.sort_by_key(|row| (std::cmp::Reverse(row.time), row.direction));
    (rows, on_host)
}

/// Op types of what a graph keeps.
const KEPT: [&str; 9] = [
    "Const",
    "HostConst",
    "Variable",
    "VariableV2",
    "VarHandleOp",
    "ReadVariableOp",
    "Dequantize",
    "TemporaryVariable",
    "ImmutableConst",
];
/// What names of ops that read a variable end with.
const READS: [&str; 2] = ["/read", "/ReadVariableOp"];

/// Those of `all` that copy what a graph keeps: streams name such a copy after the op that made the tensor, `edge_39_fc6/weights/read`.
fn of_weights(trace: &Trace, all: &[OpId]) -> Vec<OpId> {
    let nodes = trace.nodes();
    let text = |id: StringId| trace.text(id);
    let mut types: HashMap<&str, &str, FixedState> = HashMap::default();
    let mut is_kept: HashMap<NodeId, bool, FixedState> = HashMap::default();
    let mut kept = |node: NodeId| {
        *is_kept.entry(node).or_insert_with(|| {
            let name = label::op_of_kernel(text(nodes.name(node)), text(nodes.label(node)));
            let maker = label::producer_of_edge(name).name;
            if types.is_empty() {
                types.extend(nodes.ids().map(|own| (text(nodes.name(own)), text(nodes.op_type(own)))));
            }
            READS.iter().any(|end| maker.ends_with(end))
                || types.get(maker).is_some_and(|op_type| KEPT.contains(op_type))
        })
    };
    all.iter().copied().filter(|&op| kept(trace.ops().node(op))).collect()
}

/// How much of the time of `all` lies within ops of TensorFlow's memory optimizer.
fn swapped(trace: &Trace, all: &[OpId]) -> Nanos {
    let nodes = trace.nodes();
    let swaps: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let name = trace.text(nodes.name(node));
            let is_named = name.starts_with("swap_out_") || name.starts_with("swap_in_");
            is_named && trace.text(nodes.op_type(node)).starts_with("_CopyFrom")
        })
        .collect();
    if !swaps.contains(&true) {
        return Nanos(0);
    }
    let ops = trace.ops();
    let own = ops.ids().filter(|&op| swaps[ops.node(op).index()]);
    let mut intervals: Vec<Interval> = own.map(|op| ops.interval(op)).collect();
    order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
    let swapping = Busy::of(intervals.into_iter());
    all.iter().fold(Nanos(0), |sum, &op| sum + swapping.within(ops.interval(op)))
}

fn longest(trace: &Trace, mut all: Vec<OpId>) -> Vec<OpId> {
    all.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    all
}
