//! Copies that the step waits for, by where they go. Where accelerators were recorded, the time is measured: how long they do nothing but
//! copy, by the split, without the share of it in which memory is set; elsewhere the saving is that of a replay in which copies take no
//! time. Each copy counts once, however many devices record it. Where copies from or to memory that is not pinned are half of that time
//! or more, `pageable-copies` says it.
//!
//! Who asked for them is known of TensorFlow's memory optimizer, whose ops are called `swap_out_` and `swap_in_`, and of programs of XLA
//! that keep arrays in the memory of the host.
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
use crate::replay::change::Change;
use crate::scheduling::idle::Busy;
use crate::{Category, OpId, Trace};

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
        () => None,
    };
    let count = all.len() as u64;
    let (of, usual) = (asking.len() as u64, sum(&asking));
    let facts = Facts { count, time, of, usual, copies: rows, copied_by, ..Facts::default() };
    let evidence = context.longest_on_path(|kind, _| kind == SegmentKind::Copy);
    let change = Change::Category { category: Category::Copy, factor: 0.0 };
    if has_any(trace) {
        let exposed = share_of(trace, time, exposed(context));
        let evidence = if evidence.is_empty() { longest(trace, all) } else { evidence };
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
