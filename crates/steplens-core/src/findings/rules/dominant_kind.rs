//! What kind of operator has most of the path of a program on a CPU: convolutions, products of matrices, random numbers. Two operators of one kind
//! are one cause (`aten::mm` and `aten::addmm`), and each kind has advice of its own. Where no kind has much, and three types of operators have half
//! of the path together, they are named. Where a GPU was not recorded, only one operator counts that launches nothing.
//!
//! Of TensorFlow only convolutions and products of matrices count, with half of the path, and ops of 1 ms or more: for shorter ones a GPU would take
//! as long to start them. Where a GPU was not recorded, nothing is said: ops of the host may be its.

use super::super::context::{Context, by_path, figure};
use super::super::finding::{Alone, Facts, OpKind, Rule, Ruling};
use super::super::framework::Framework;
use super::super::kernel_kinds::dense_kind_of;
use super::super::only_first::is_most;
use super::super::recording_cost::recording_cost;
use super::first_step::first_step;
use super::large_batch::many_rows;
use super::unrecorded_waits::waits;
use crate::base::units::Nanos;
use crate::gpu::accelerators::has_any;
use crate::gpu::unrecorded::{is_gpu_unrecorded, is_of_gpu, is_tpu_unrecorded};
use crate::model::category::only_wraps;
use crate::model::device::DeviceKind;
use crate::{Category, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A kind has much of the path from this share on, in percent.
const LEAST_PERCENT: i128 = 30;
/// Of TensorFlow from this share on, in percent.
const LEAST_DENSE_PERCENT: i128 = 50;
/// Of TensorFlow an op counts that takes at least as long.
const LEAST_DENSE: Nanos = Nanos(1_000_000);
/// The largest types are named if they have this share together, in percent.
const LEAST_LARGEST_PERCENT: i128 = 50;
/// A type is named from this part of the largest on, as its divisor.
const LEAST_NAMED: i64 = 50;
/// How many types are named.
const MOST_NAMES: usize = 3;

/// Convolutions of PyTorch that no library carries out: it unfolds the input, and multiplies.
const SLOW: [&str; 5] = ["_slow_conv", "slow_conv", "thnn_conv", "_thnn_conv", "_conv_depthwise"];
/// Products of matrices: `linear` and `matmul` only call one.
const PRODUCTS: [&str; 7] =
    ["mm", "addmm", "bmm", "baddbmm", "mkl_linear", "mkldnn_linear", "_addmm_activation"];
/// Random numbers.
const RANDOM: [&str; 10] = [
    "normal_",
    "uniform_",
    "random_",
    "randn",
    "rand",
    "randint",
    "bernoulli_",
    "exponential_",
    "multinomial",
    "randperm",
];

/// The kind of an operator.
fn kind_of(op_type: &str) -> Option<OpKind> {
    let name = op_type.strip_prefix("aten::").or_else(|| op_type.strip_prefix("mkldnn::")).unwrap_or(op_type);
    match name {
        _ if SLOW.iter().any(|own| name.starts_with(own)) => Some(OpKind::SlowConvolution),
        _ if name.contains("conv") && !name.contains("convert") => Some(OpKind::Convolution),
        _ if PRODUCTS.contains(&name) => Some(OpKind::Products),
        _ if RANDOM.contains(&name) => Some(OpKind::Random),
        _ => None,
    }
}

pub(super) fn judge(context: &Context<'_>, of_op: &BTreeMap<OpId, Nanos>) -> Option<Ruling> {
    let trace = context.trace();
    let is_tensorflow = match Framework::of_trace(trace) {
        _ if has_any(trace) => return None,
        Framework::PyTorch => false,
        Framework::Graphs | Framework::TensorFlow2 => true,
        _ => return None,
    };
    let kind_of: fn(&str) -> Option<OpKind> = if is_tensorflow { dense_kind_of } else { kind_of };
    let least = if is_tensorflow { LEAST_DENSE_PERCENT } else { LEAST_PERCENT };
    let whole = context.trace().span().length();
    // Times of operators are those of their recording.
    if recording_cost(trace).is_some_and(|own| is_most(own.time(), whole)) {
        return None;
    }
    let is_unrecorded = is_gpu_unrecorded(trace);
    if is_tensorflow && (is_unrecorded || is_tpu_unrecorded(trace)) {
        return None;
    }
    // A rule of its own counts what only a first call does.
    let first: HashSet<OpId, FixedState> = first_step(context).ops.iter().copied().collect();
    // An executor may run ops on devices that are neither a CPU nor known as accelerators.
    let is_on_cpu = |op: OpId| {
        let device = trace.devices().get(trace.device_of(op));
        device.kind == DeviceKind::Cpu || device.nests
    };
    let is_dense = |op: OpId| {
        let is_long = trace.ops().interval(op).length() >= LEAST_DENSE;
        is_long && is_on_cpu(op) && dense_kind_of(trace.op_type(op)).is_some()
    };
    let counts = |op: OpId| {
        !first.contains(&op)
            && trace.category(op) == Category::Compute
            && !trace.is_call(op)
            && !only_wraps(trace.op_type(op))
            && (!is_tensorflow || is_dense(op))
    };
    let mut of_type: BTreeMap<&str, (Nanos, OpId)> = BTreeMap::new();
    for (&op, &time) in of_op.iter().filter(|&(&op, _)| counts(op)) {
        let (sum, longest) = of_type.entry(trace.op_type(op)).or_insert((Nanos(0), op));
        *sum += time;
        if time > of_op.get(longest).copied().unwrap_or_default() {
            *longest = op;
        }
    }
    let mut rows: Vec<(&str, Nanos, OpId)> =
        of_type.into_iter().map(|(name, (time, op))| (name, time, op)).collect();
    rows.sort_by_key(|&(name, time, _)| (Reverse(time), name));
    let is_part = |time: Nanos, percent: i128| i128::from(time.0) * 100 >= i128::from(whole.0) * percent;
    if is_unrecorded {
        // What launches something may only have waited for the GPU.
        rows.truncate(1);
        let waits: HashSet<OpId, FixedState> = waits(context).into_iter().map(|(op, _)| op).collect();
        rows.retain(|&(name, _, op)| !is_of_gpu(name) && !waits.contains(&op) && launches_nothing(trace, op));
    }
    // PyTorch sends some convolutions to a library and others to its own code: all are convolutions.
    let summed_as = |name: &str| match kind_of(name) {
        Some(OpKind::SlowConvolution) => Some(OpKind::Convolution),
        kind => kind,
    };
    let mut of_kind: BTreeMap<OpKind, Nanos> = BTreeMap::new();
    for &(name, time, _) in &rows {
        if let Some(kind) = summed_as(name) {
            *of_kind.entry(kind).or_default() += time;
        }
    }
    let most = of_kind.into_iter().max_by_key(|&(kind, time)| (time, Reverse(kind)));
    // A kind is the largest part only if no type of another kind has more.
    let is_largest = |kind: OpKind, time: Nanos| {
        rows.first().is_none_or(|&(name, most, _)| summed_as(name) == Some(kind) || most <= time)
    };
    let most = most.filter(|&(kind, time)| is_part(time, least) && is_largest(kind, time));
    if is_tensorflow && most.is_none() {
        return None;
    }
    match most {
        Some((kind, _)) => rows.retain(|&(name, ..)| summed_as(name) == Some(kind)),
        None => rows.truncate(MOST_NAMES),
    }
    let time = rows.iter().fold(Nanos(0), |sum, &(_, time, _)| sum + time);
    if most.is_none() && (!is_part(time, LEAST_LARGEST_PERCENT) || rows.is_empty()) {
        return None;
    }
    let own_code = rows.iter().filter(|row| kind_of(row.0) == Some(OpKind::SlowConvolution));
    let is_own_code = own_code.fold(Nanos(0), |sum, row| sum + row.1).0.saturating_mul(2) >= time.0;
    // What takes a fiftieth of the largest only surrounds it.
    let largest = rows.first().map_or(Nanos(0), |row| row.1);
    rows.retain(|row| row.1.0.saturating_mul(LEAST_NAMED) >= largest.0);
    rows.truncate(MOST_NAMES);
    let kind = most.map(|(kind, _)| match kind {
        OpKind::Convolution if is_own_code => OpKind::SlowConvolution,
        kind => kind,
    });
    let facts = Facts {
        name: rows.first().map(|&(name, ..)| name.to_owned()).unwrap_or_default(),
        names: rows.iter().map(|&(name, time, _)| (name.to_owned(), time)).collect(),
        count: rows.len() as u64,
        of: rows.iter().find_map(|&(.., op)| many_rows(trace, op)).unwrap_or(0),
        time,
        since: whole,
        alone: Some(Alone::OfKind(kind)),
        ..Facts::default()
    };
    let evidence = rows.iter().map(|&(.., op)| op).collect();
    let is_fault = is_unrecorded || matches!(kind, Some(OpKind::SlowConvolution | OpKind::Random));
    Some(match is_fault {
        true => by_path(Rule::DominantWork, time, facts, evidence),
        false => figure(Rule::DominantWork, Nanos(0), facts, evidence),
    })
}

/// Whether no call within `op` hands anything to a GPU.
fn launches_nothing(trace: &Trace, op: OpId) -> bool {
    let ops = trace.ops();
    let (start, end, thread) = (ops.start(op), ops.end(op), ops.thread(op));
    let mut within = trace.ops_of(trace.device_of(op)).filter(|&own| {
        ops.thread(own) == thread && ops.start(own) >= start && ops.start(own) < end && own != op
    });
    !within.any(|own| matches!(trace.category(own), Category::Launch | Category::Waiting))
}
