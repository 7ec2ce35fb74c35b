//! Calls that wait for what threads of a pool run: the thread that runs a program of XLA on a CPU waits while its ops run on others. A tensor of
//! BytePS that waits for its turn (`PUSH_PULLQUEUE`) has it when another one was sent.

use super::nodes::Nodes;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::model::category::is_driver_call;
use crate::model::device::{is_of_tensors, is_pool};
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// What the threads of pools ran, for each device that has some and waits.
#[derive(Default)]
pub(super) struct PoolEnds {
    of_device: HashMap<DeviceId, Vec<Ended>, FixedState>,
}

#[derive(Clone, Copy)]
struct Ended {
    at: Timestamp,
    node: u32,
    thread: u32,
    /// The row before it of another thread, plus one.
    other: usize,
}

impl PoolEnds {
    /// Collects what ran, in time n log n.
    pub(super) fn collected(trace: &Trace, nodes: &Nodes) -> Self {
        let mut found = Self::default();
        for device in trace.devices().ids().filter(|&id| trace.devices().get(id).nests) {
            let pools = threads_awaited(trace, device);
            if !pools.is_empty() && trace.ops_of(device).any(|op| is_wait(trace, op)) {
                found.of_device.insert(device, Vec::new());
            }
        }
        if found.of_device.is_empty() {
            return found;
        }
        let mut pools = None;
        for node in 0..nodes.len() as u32 {
            let op = nodes.op(node);
            let device = trace.device_of(op);
            let is_work = matches!(
                trace.category(op),
                Category::Compute | Category::Copy | Category::Communication | Category::Input
            );
            let Some(rows) = found.of_device.get_mut(&device).filter(|_| is_work) else { continue };
            if pools.as_ref().is_none_or(|&(of, _)| of != device) {
                pools = Some((device, threads_awaited(trace, device)));
            }
            let thread = trace.ops().thread(op);
            if nodes.length(node) > Nanos(0) && pools.as_ref().is_some_and(|(_, own)| own.contains(&thread)) {
                rows.push(Ended { at: nodes.interval(node).end, node, thread, other: 0 });
            }
        }
        for rows in found.of_device.values_mut() {
            order::by_number(rows, |own| (own.at.0, nodes.interval(own.node).start.0));
            for row in 1..rows.len() {
                let before = rows[row - 1];
                rows[row].other = if before.thread == rows[row].thread { before.other } else { row };
            }
        }
        found
    }

    /// What `call` waited for: the last that ended on another thread of a pool during `waiting`.
    pub(super) fn last_before(&self, trace: &Trace, call: OpId, waiting: Interval) -> Option<u32> {
        let rows = self.of_device.get(&trace.device_of(call)).filter(|_| is_wait(trace, call))?;
        let last = rows.partition_point(|own| own.at <= waiting.end).checked_sub(1)?;
        let row = match rows[last].thread == trace.ops().thread(call) {
            true => rows[last].other.checked_sub(1)?,
            false => last,
        };
        Some(rows[row]).filter(|own| own.at > waiting.start).map(|own| own.node)
    }
}

/// Whether `op` waits for what is no GPU's.
fn is_wait(trace: &Trace, op: OpId) -> bool {
    let name = trace.op_type(op);
    let is_turn = || !has_turns(trace, trace.device_of(op)) || name.ends_with("QUEUE");
    trace.category(op) == Category::Waiting && !is_driver_call(name) && is_turn()
}

/// Whether the rows of `device` are tensors that are sent in turn.
fn has_turns(trace: &Trace, device: DeviceId) -> bool {
    let name = trace.text(trace.devices().get(device).name);
    is_of_tensors(name) && name.starts_with("BytePS")
}

/// The threads of `device` for which a call may wait.
fn threads_awaited(trace: &Trace, device: DeviceId) -> HashSet<u32, FixedState> {
    match has_turns(trace, device) {
        true => trace.ops_of(device).map(|op| trace.ops().thread(op)).collect(),
        false => pool_threads(trace, device),
    }
}

/// The threads of `device` that run what others hand to them.
pub(super) fn pool_threads(trace: &Trace, device: DeviceId) -> HashSet<u32, FixedState> {
    let first = trace.threads().partition_point(|&(own, ..)| own < device);
    let threads = trace.threads()[first..].iter().take_while(|&&(own, ..)| own == device);
    let of_pool = threads.filter(|&&(.., name)| trace.text(name).split(['/', ' ']).any(is_pool));
    of_pool.map(|&(_, thread, _)| thread).collect()
}
