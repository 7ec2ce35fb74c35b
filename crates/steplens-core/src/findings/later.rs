//! Whether what took long at first comes again in the recording, and how long it takes then.

use crate::base::units::{Interval, Nanos};
use crate::{DeviceId, OpId, Trace};

/// A first call takes this many times as long as the median of the later ones.
const TIMES: i64 = 5;
/// With fewer later calls nobody knows which of them is a usual one.
const LEAST: usize = 2;
/// Rows may nest without end within one another and all fill a pause: no more of them are read.
const MOST: usize = 64;

/// A call that takes much longer than later ones of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Later {
    /// Its name.
    pub name: String,
    /// How long it takes.
    pub first: Nanos,
    /// How many later ones there are.
    pub count: u64,
    /// Their median.
    pub usual: Nanos,
}

/// What fills `window`, a pause, on `device`, next to later ones of its name.
pub(super) fn later_within(trace: &Trace, device: DeviceId, window: Interval) -> Option<Later> {
    let within = |op: OpId| trace.ops().interval(op).clamp_to(window).length();
    let fills = |op: &OpId| within(*op).0.saturating_mul(4) >= window.length().0.saturating_mul(3);
    let found = trace.ops_of(device).filter(fills).take(MOST).filter_map(|op| later(trace, op));
    found.max_by_key(|own| own.first)
}

/// What `op` is next to later ones of its name, if it is the first and takes much longer.
pub(super) fn later(trace: &Trace, op: OpId) -> Option<Later> {
    let ops = trace.ops();
    let name = |op: OpId| trace.nodes().name(ops.node(op));
    let (own, all) = (name(op), trace.ops_of(trace.device_of(op)));
    let all: Vec<OpId> = all.filter(|&other| name(other) == own).collect();
    let is_first = all.iter().all(|&other| ops.start(other) >= ops.start(op));
    // A call may contain a row of its own name.
    let later = all.iter().filter(|&&other| ops.start(other) >= ops.end(op));
    let mut lengths: Vec<Nanos> = later.map(|&other| ops.interval(other).length()).collect();
    lengths.sort_unstable();
    let (first, usual) = (ops.interval(op).length(), *lengths.get(lengths.len().saturating_sub(1) / 2)?);
    let is_much = first.0 >= usual.0.saturating_mul(TIMES) && lengths.len() >= LEAST;
    let name = trace.op_name(op).to_owned();
    (is_first && is_much).then_some(Later { name, first, count: lengths.len() as u64, usual })
}
