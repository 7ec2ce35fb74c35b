//! Ranges of a program that say what only a first call does: what `torch.compile` times while it compiles (`… (dynamo_timed)`,
//! `torch/_dynamo/utils.py`); or, of XLA and TensorFlow 2: a function is traced or compiled, which their names say;
//! or the first range of its name, which launches nothing, takes much longer than the later ones (`Build buffer allocations`: 47 ms, and then
//! 0.2 ms), and the accelerators are idle meanwhile.

use super::super::framework::Framework;
use super::super::only_first::Shown;
use super::super::pauses::is_compiling;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::accelerators::has_any;
use crate::gpu::captures::records_graph;
use crate::model::category::only_wraps;
use crate::model::device::FRAMES;
use crate::{Category, DeviceId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::cmp::Reverse;

/// A first range takes at least this long,
const LEAST: Nanos = Nanos(10_000_000);
/// and this many times the median of all ranges of its name.
const TIMES_MEDIAN: i64 = 10;
/// A program has at least this many ranges of that name.
const LEAST_RANGES: usize = 3;
/// What a range contains takes nearly as long if it has this share of its time, in percent.
const NEARLY_PERCENT: i128 = 90;

/// The ranges of each program that are named after tracing and compiling, and the innermost that took long only at first. `is_idle` says
/// whether the GPUs of a process were idle for most of a time.
pub(super) fn first_marks(
    shown: &Shown<'_>,
    is_idle: impl Fn(DeviceId, Interval) -> bool,
) -> (Vec<OpId>, Vec<OpId>) {
    let trace = shown.trace();
    match Framework::of_trace(trace) {
        Framework::Jax | Framework::TensorFlow2 => {}
        Framework::PyTorch => {
            let idle = |&op: &OpId| is_idle(trace.device_of(op), trace.ops().interval(op));
            return (compilations(trace).into_iter().filter(idle).collect(), Vec::new());
        }
        _ => return (Vec::new(), Vec::new()),
    }
    let (nodes, ops) = (trace.nodes(), trace.ops());
    let length = |op: OpId| ops.interval(op).length();
    let steps: HashSet<OpId, FixedState> = trace.marks().iter().map(|&(_, mark)| mark).collect();
    let is_of_program = |id: &DeviceId| {
        let row = trace.devices().get(*id);
        row.nests && !trace.text(row.name).ends_with(FRAMES)
    };
    let ranges = || {
        let all = trace.devices().ids().filter(is_of_program).flat_map(|device| trace.ops_of(device));
        all.filter(|&op| trace.category(op) == Category::Range && !steps.contains(&op))
    };
    let compiles: Vec<bool> = nodes.ids().map(|node| is_compiling(trace.text(nodes.name(node)))).collect();
    let idle = |op: &OpId| is_idle(trace.device_of(*op), ops.interval(*op));
    let compiling: Vec<OpId> = ranges().filter(|&op| compiles[ops.node(op).index()]).filter(idle).collect();
    let mut alike: HashMap<(DeviceId, StringId), Vec<OpId>, FixedState> = HashMap::default();
    // What contains launches, or only others, is what the program does each time.
    let is_own = |op: OpId| !compiles[ops.node(op).index()] && !only_wraps(trace.op_type(op));
    let repeated = ranges().filter(|&op| is_own(op) && has_any(trace));
    for op in repeated {
        alike.entry((trace.device_of(op), nodes.name(ops.node(op)))).or_default().push(op);
    }
    let mut first: Vec<((DeviceId, StringId), Vec<OpId>)> = alike
        .into_iter()
        .filter_map(|(key, all)| Some((key, first_of(&all, &length, &|op| ops.start(op).0)?)))
        .map(|(key, long)| {
            let is_first = |op: &OpId| idle(op) && shown.study.kernels().of_op(trace, *op).is_empty();
            (key, long.into_iter().filter(is_first).collect::<Vec<OpId>>())
        })
        .filter(|(_, long)| !long.is_empty())
        .collect();
    let most = |long: &[OpId]| long.iter().map(|&op| length(op)).max().unwrap_or_default();
    let whole = first.iter().map(|(_, long)| most(long)).max().unwrap_or_default();
    first.retain(|(_, long)| i128::from(most(long).0) * 100 >= i128::from(whole.0) * NEARLY_PERCENT);
    let innermost = first.into_iter().min_by_key(|(key, long)| (most(long), *key));
    (compiling, innermost.map(|(_, long)| long).unwrap_or_default())
}

/// How `torch.compile` calls what it times while it compiles.
const TIMED: &str = "(dynamo_timed)";

/// The times in which `torch.compile` compiles: the outermost of what it times, of each thread, in order.
pub(super) fn compilations(trace: &Trace) -> Vec<OpId> {
    let (nodes, ops) = (trace.nodes(), trace.ops());
    // A graph that is recorded is captured, and nothing is compiled.
    let is_timed = |name: &str| name.ends_with(TIMED) && !records_graph(name);
    let is_timed: Vec<bool> = nodes.ids().map(|node| is_timed(trace.text(nodes.name(node)))).collect();
    let mut until: HashMap<(DeviceId, u32), Timestamp, FixedState> = HashMap::default();
    let nests = |op: OpId| trace.devices().get(trace.device_of(op)).nests;
    let mut all: Vec<OpId> = ops
        .ids()
        .filter(|&op| is_timed[ops.node(op).index()] && nests(op) && is_on_host(trace, op))
        .collect();
    all.sort_by_key(|&op| (ops.start(op), Reverse(ops.end(op)), op));
    all.retain(|&op| {
        let until = until.entry((trace.device_of(op), ops.thread(op))).or_insert(Timestamp(i64::MIN));
        let is_outermost = ops.end(op) > *until;
        *until = ops.end(op).max(*until);
        is_outermost
    });
    all
}

/// A GPU has rows of such names, too, which span what it ran for them.
fn is_on_host(trace: &Trace, op: OpId) -> bool {
    !trace.devices().get(trace.device_of(op)).is_accelerator
}

/// Those of `all` that took long, if all of them came before the others.
fn first_of(
    all: &[OpId],
    length: &impl Fn(OpId) -> Nanos,
    start: &impl Fn(OpId) -> i64,
) -> Option<Vec<OpId>> {
    let mut lengths: Vec<i64> = all.iter().map(|&op| length(op).0).collect();
    if lengths.len() < LEAST_RANGES {
        return None;
    }
    lengths.sort_unstable();
    let median = lengths[(lengths.len() - 1) / 2];
    let least = LEAST.0.max(median.saturating_mul(TIMES_MEDIAN));
    let (mut long, others): (Vec<OpId>, Vec<OpId>) = all.iter().partition(|&&op| length(op).0 >= least);
    let last = long.iter().map(|&op| start(op)).max()?;
    long.sort_by_key(|&op| (Reverse(length(op)), op));
    others.iter().all(|&op| start(op) > last).then_some(long)
}
