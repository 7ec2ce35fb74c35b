//! Work that most of the path is, and that can be another way. These are found:
//!
//! - One op that takes at least a fifth of the path, and three times the median of at least seven other ops of its type. Where
//!   shapes say how much each of them calculates, the finding says whether it has more work or is slow for its work. The step is replayed
//!   with the median of its peers as its length.
//!   Only ops of equal shapes, or the same op in other steps, are compared: without such, the longest op is named, and nothing is promised.
//! - One op of a host that feeds a GPU, with three tenths of the path, that computes on the CPU, and its other calls ([`host_op`](super::super::host_op)).
//! - Products of matrices or attention that take half of a GPU's time ([`dominant_kernels`]).
//! - Ops of TensorFlow that are most of a GPU's time ([`dominant_graph_ops`]).
//! - Elementwise kernels of PyTorch that no compiler fused, with at least a fifth of the path: each reads and writes all of its tensors,
//!   so that a chain of them that is fused moves a half or less. The step is replayed with half their lengths.
//!
//! A type that is merely dear is no finding: the verdict names it.
//!
//! One call that takes ten times the longest of those with the same shapes has no more work than they: its process was held up once.

use super::super::context::{Context, With, by_path};
use super::super::finding::{Alone, Facts, Needs, Rule, Ruling, Work};
use super::super::host_op::{OnHost, longest, only_records};
use super::super::kernel_kinds::has_sixteen_bits;
use super::first_step::first_step;
use super::host_op_between::PASSES_ON;
use super::unrecorded_waits::waits;
use super::{dominant_graph_ops, dominant_kernels, dominant_kind};
use crate::base::units::{Bytes, Nanos};
use crate::causality::observed::SegmentKind;
use crate::gpu::accelerators::accelerators;
use crate::model::arguments::{Argument, Noun};
use crate::model::category::{only_wraps, starts_program};
use crate::{Category, DeviceId, OpId, StringId, Trace};
use std::collections::{BTreeMap, BTreeSet};

/// At least this part of the path, as its divisor.
const LEAST: i64 = 5;
/// How many times the median of its peers an op takes.
const TIMES: i64 = 3;
/// The least peers.
const LEAST_PEERS: usize = 7;
/// An op that passes tensors on is unlike its peers if it takes this many times as long.
const UNLIKE: i64 = 1_000;
/// An op calculates more if it does so this many times as much as its peers.
const MORE_WORK: f64 = 1.5;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    if !context.compares {
        return Ruling::Lacks(Needs::Clocks);
    }
    let mut of_op: BTreeMap<OpId, Nanos> = BTreeMap::new();
    for own in &context.study.causes().observed.segments {
        if own.kind == SegmentKind::Compute {
            *of_op.entry(own.op).or_default() += own.interval.length();
        }
    }
    host_op(context, &of_op)
        .or_else(|| one_op(context, &of_op))
        .or_else(|| elementwise(context, &of_op))
        .or_else(|| dominant_kind::judge(context, &of_op))
        .or_else(|| dominant_kernels::judge(context))
        .or_else(|| dominant_graph_ops::judge(context))
        .unwrap_or(Ruling::Nothing)
}

/// Whether `time` is enough of the path.
fn is_much(context: &Context<'_>, time: Nanos) -> bool {
    time.0.saturating_mul(LEAST) >= context.trace().span().length().0
}

/// One op of a host that has a large part of the path. What only records is left out together: one does not go without the others.
fn host_op(context: &Context<'_>, of_op: &BTreeMap<OpId, Nanos>) -> Option<Ruling> {
    let trace = context.trace();
    // The runtime prepares a program, which nobody can split.
    let of_host = longest(context.study, &context.study.causes().observed.segments)
        .filter(|own| !starts_program(trace.op_type(own.calls[0])));
    let OnHost { mut calls, time: on_path } = of_host.or_else(|| longest_record(context, of_op))?;
    let op = calls[0];
    if first_step(context).ops.contains(&op) {
        return None;
    }
    let records = only_records(trace, op);
    if records {
        calls = trace.ops().ids().take(trace.counted_ops()).filter(|&own| only_records(trace, own)).collect();
    }
    let lengths: Vec<(OpId, Nanos)> = calls.iter().map(|&own| (own, Nanos(0))).collect();
    let facts = Facts {
        name: context.study.title(op).to_owned(),
        other: trace.op_type(op).to_owned(),
        count: lengths.len() as u64,
        time: if records { context.study.self_time(op) } else { on_path },
        alone: Some(if records { Alone::Records } else { Alone::OnHost }),
        ..Facts::default()
    };
    let scenario = || context.replay.with_lengths(&lengths);
    let most = Some(context.most_without(None));
    let with = With { facts, evidence: vec![op], change: None, scenario: &scenario, most };
    Some(context.judge(Rule::DominantWork, on_path, with)).filter(|own| matches!(own, Ruling::Found(_)))
}

/// Where no accelerator was recorded: the longest op of those that only write something down, and how long all of these take, if that is much.
fn longest_record(context: &Context<'_>, of_op: &BTreeMap<OpId, Nanos>) -> Option<OnHost> {
    let trace = context.trace();
    if !accelerators(trace).is_empty() {
        return None;
    }
    let own = || of_op.iter().filter(|&(&op, _)| only_records(trace, op)).map(|(&op, &time)| (op, time));
    let (op, _) = own().max_by_key(|&(op, time)| (time, std::cmp::Reverse(op)))?;
    let all = own().fold(Nanos(0), |sum, (_, time)| sum + time);
    is_much(context, all).then(|| OnHost { calls: vec![op], time: all })
}

/// One op that takes much longer than others of its type.
fn one_op(context: &Context<'_>, of_op: &BTreeMap<OpId, Nanos>) -> Option<Ruling> {
    let trace = context.trace();
    // Where a GPU was recorded, ops of its host have rules of their own.
    let devices: BTreeSet<DeviceId> = accelerators(trace).into_iter().flat_map(|one| one.devices).collect();
    let is_counted = |op: OpId| {
        (devices.is_empty() || devices.contains(&trace.device_of(op))) && !only_wraps(trace.op_type(op))
    };
    let (&op, &on_path) = of_op
        .iter()
        .filter(|&(&op, _)| is_counted(op))
        .max_by_key(|&(&op, &time)| (time, std::cmp::Reverse(op)))?;
    if !is_much(context, on_path) {
        return None;
    }
    // It waits for a GPU that was not recorded.
    if waits(context).iter().any(|&(wait, _)| wait == op) {
        return None;
    }
    let key = |op: OpId| {
        (trace.nodes().op_type(trace.ops().node(op)), trace.devices().get(trace.device_of(op)).kind)
    };
    let own_key: (StringId, _) = key(op);
    // Rows that overlap without threads seem to contain one another: only all of it says how long one took.
    let length = |op: OpId| trace.ops().interval(op).length();
    let peers = trace.ops().ids().take(trace.counted_ops()).filter(|&other| {
        other != op
            && trace.category(other) == Category::Compute
            && key(other) == own_key
            && length(other) > Nanos(0)
    });
    let mut peers: Vec<OpId> = peers.collect();
    if peers.len() < LEAST_PEERS {
        return None;
    }
    // The first call of an operator begins things: a rule of its own finds it.
    let start = |op: OpId| trace.ops().start(op);
    let nests = trace.devices().get(trace.device_of(op)).nests;
    if nests && peers.iter().all(|&other| start(op) < start(other)) {
        return None;
    }
    peers.sort_by_key(|&other| (length(other), other));
    let usual = median(&peers.iter().map(|&other| length(other)).collect::<Vec<_>>());
    let own = context.study.self_time(op);
    if own.0 < usual.0.saturating_mul(TIMES) || own.0.saturating_mul(2) < length(op).0 {
        return None;
    }
    let node = trace.ops().node(op);
    let texts = [trace.nodes().name(node), trace.nodes().label(node)].map(|own| trace.text(own));
    let few_bits = texts.into_iter().any(has_sixteen_bits);
    let work = work_of(context, op, &peers);
    let stall = held_up(context, op, &peers);
    // Another shape, or another place of the graph, is a good reason to take longer.
    let own_shapes = shapes(trace, op);
    let bytes = |op: OpId| trace.outputs().requested_bytes(op);
    let is_alike = |other: OpId| {
        trace.ops().node(other) == trace.ops().node(op)
            || own_shapes.is_some() && shapes(trace, other) == own_shapes
            || own_shapes.is_none() && bytes(op) > Bytes(0) && bytes(other) == bytes(op)
    };
    if work.is_none() && stall.is_none() {
        let all = peers.len();
        peers.retain(|&other| is_alike(other));
        if peers.len() < LEAST_PEERS {
            // What only passes tensors on takes no time, whatever their shapes: this one did something else, too.
            let is_unlike = PASSES_ON.contains(&trace.text(own_key.0)) && own.0 / UNLIKE >= usual.0;
            let facts = Facts {
                name: context.study.title(op).to_owned(),
                other: trace.text(own_key.0).to_owned(),
                count: 1,
                of: all as u64,
                time: own,
                usual,
                alone: Some(if is_unlike { Alone::Unlike } else { Alone::Longest }),
                has_gpus: !devices.is_empty(),
                few_bits,
                ..Facts::default()
            };
            return Some(by_path(Rule::DominantWork, on_path, facts, vec![op]));
        }
    }
    let usual = median(&peers.iter().map(|&other| length(other)).collect::<Vec<_>>());
    if own.0 < usual.0.saturating_mul(TIMES) {
        return None;
    }
    let lengths = [(op, stall.map_or(usual, |(_, usual)| usual))];
    let facts = Facts {
        name: context.study.title(op).to_owned(),
        other: trace.text(own_key.0).to_owned(),
        count: 1,
        of: stall.map_or(peers.len(), |(count, _)| count) as u64,
        time: own,
        usual: lengths[0].1,
        is_stall: stall.is_some(),
        has_gpus: !devices.is_empty(),
        few_bits,
        work,
        ..Facts::default()
    };
    let scenario = || context.replay.with_lengths(&lengths);
    let with =
        With { facts, evidence: vec![op], change: None, scenario: &scenario, most: Some(own - lengths[0].1) };
    Some(context.judge(Rule::DominantWork, on_path, with))
}

/// The median of `sorted`: of an even number the mean of the two in the middle.
fn median(sorted: &[Nanos]) -> Nanos {
    match sorted.len() {
        0 => Nanos(0),
        count => Nanos(sorted[(count - 1) / 2].0.midpoint(sorted[count / 2].0)),
    }
}

/// How many times the longest call with the same shapes one takes that was held up.
const HELD_UP: i64 = 10;

/// How many of `peers`, the shortest first, have the shapes of `op`, and the median of these, if `op` was held up: it takes many times as long as
/// each of them. `None` where shapes were not recorded, too.
fn held_up(context: &Context<'_>, op: OpId, peers: &[OpId]) -> Option<(usize, Nanos)> {
    let trace = context.trace();
    let own = shapes(trace, op)?;
    let mut alike: Vec<Nanos> = Vec::new();
    for &peer in peers {
        if shapes(trace, peer).as_ref() == Some(&own) {
            alike.push(trace.ops().interval(peer).length());
        }
    }
    let is_long = |longest: Nanos| longest.0.saturating_mul(HELD_UP) <= context.study.self_time(op).0;
    let counts = alike.len() >= LEAST_PEERS && alike.last().is_some_and(|&longest| is_long(longest));
    counts.then(|| (alike.len(), median(&alike)))
}

/// The shapes of the inputs of `op`, as they are written.
fn shapes(trace: &Trace, op: OpId) -> Option<String> {
    let own = trace.arguments().of(op).find(|Argument { name, .. }| Noun::of(name) == Some(Noun::Shapes));
    own.map(|own| own.value.shown().into_owned())
}

/// What `op` calculates, and how fast; and the median of its peers, where at least as many as are needed are known.
fn work_of(context: &Context<'_>, op: OpId, peers: &[OpId]) -> Option<Work> {
    let works = context.study.works();
    let figures = |op: OpId| {
        let work = works.of(op)?;
        Some((work.flops?.0 as f64, work.flops_per_second()? / 1e9))
    };
    let own = figures(op)?;
    let mut known: Vec<(f64, f64)> = peers.iter().filter_map(|&peer| figures(peer)).collect();
    if known.len() < LEAST_PEERS {
        return None;
    }
    let middle = (known.len() - 1) / 2;
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let usual = known[middle].0;
    known.sort_by(|a, b| a.1.total_cmp(&b.1));
    Some(Work {
        flops: own.0,
        rate: own.1,
        usual,
        usual_rate: known[middle].1,
        is_more: own.0 >= usual * MORE_WORK,
    })
}

/// Kernels that work element by element, and that no compiler fused.
fn elementwise(context: &Context<'_>, of_op: &BTreeMap<OpId, Nanos>) -> Option<Ruling> {
    let trace = context.trace();
    let nodes = trace.nodes();
    let is_elementwise: Vec<bool> =
        nodes.ids().map(|node| trace.text(nodes.name(node)).contains("elementwise_kernel")).collect();
    let is_it = |op: OpId| is_elementwise[trace.ops().node(op).index()];
    let on_path = of_op.iter().filter(|&(&op, _)| is_it(op)).fold(Nanos(0), |sum, (_, &time)| sum + time);
    if !is_much(context, on_path) {
        return None;
    }
    let devices = accelerators(trace).into_iter().flat_map(|one| one.devices);
    let kernels: Vec<OpId> =
        devices.flat_map(|device| trace.ops_of(device)).filter(|&op| is_it(op)).collect();
    // The same kernel again and again is repeated, not a chain.
    let kinds: BTreeSet<_> = kernels.iter().map(|&op| nodes.name(trace.ops().node(op))).collect();
    if kinds.len() < 2 {
        return None;
    }
    let half: Vec<(OpId, Nanos)> =
        kernels.iter().map(|&op| (op, Nanos(trace.ops().interval(op).length().0 / 2))).collect();
    let all = kernels.iter().fold(Nanos(0), |sum, &op| sum + trace.ops().interval(op).length());
    let mut evidence = kernels.clone();
    evidence.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    let facts = Facts { count: kernels.len() as u64, time: all, ..Facts::default() };
    let scenario = || context.replay.with_lengths(&half);
    let with = With { facts, evidence, change: None, scenario: &scenario, most: Some(Nanos(all.0 / 2)) };
    Some(context.judge(Rule::DominantWork, Nanos(on_path.0 / 2), with))
}
