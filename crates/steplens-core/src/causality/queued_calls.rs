//! Collectives that a program puts into a queue, and that threads of its backend take from there: Gloo's and MPI's.
//!
//! `ProcessGroupGloo` gives each call to one queue, and its threads take the oldest one (`runLoop`). So the k-th call of an operation is the
//! k-th op of its name on these threads, where a process has as many of both. Tasks of a [`TaskQueue`] have numbers.

use super::edge_kind::EdgeKind;
use super::nodes::Nodes;
use crate::gpu::task_queue::TaskQueue;
use crate::{DeviceId, NodeId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// What PyTorch's calls of collectives begin with.
const CALL: &str = "c10d::";
/// What ops of backends with a queue begin with.
const BACKENDS: [&str; 2] = ["gloo:", "mpi:"];

/// The calls and the ops of one operation, in order of start.
#[derive(Default)]
struct Queue {
    calls: Vec<OpId>,
    ops: Vec<OpId>,
}

/// Finds which call put each op into the queue, as (op, call, why).
pub(super) fn queued(trace: &Trace, nodes: &Nodes) -> Vec<(u32, u32, EdgeKind)> {
    let mut found = numbered(trace, nodes);
    let said: Vec<Option<(String, bool)>> = trace.nodes().ids().map(|node| operation(trace, node)).collect();
    if !said.iter().flatten().any(|(_, is_call)| !is_call) {
        return found;
    }
    for device in trace.devices().ids().filter(|&device| trace.devices().get(device).nests) {
        of_device(trace, nodes, device, &said, &mut found);
    }
    found
}

/// Which op put each task into a queue whose tasks have numbers, as (op, what put it, why).
fn numbered(trace: &Trace, nodes: &Nodes) -> Vec<(u32, u32, EdgeKind)> {
    let queue = TaskQueue::found(trace);
    let wanted: HashSet<OpId, FixedState> =
        queue.taken().iter().flat_map(|&(took, put)| [took, put]).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut first: HashMap<OpId, u32, FixedState> = HashMap::default();
    for node in (0..nodes.len() as u32).filter(|&node| wanted.contains(&nodes.op(node))) {
        first.entry(nodes.op(node)).or_insert(node);
    }
    let edge = |&(took, put): &(OpId, OpId)| Some((*first.get(&took)?, *first.get(&put)?, EdgeKind::Launch));
    queue.taken().iter().filter_map(edge).collect()
}

fn of_device(
    trace: &Trace,
    nodes: &Nodes,
    device: DeviceId,
    said: &[Option<(String, bool)>],
    found: &mut Vec<(u32, u32, EdgeKind)>,
) {
    let mut queues: BTreeMap<&str, Queue> = BTreeMap::new();
    for op in trace.ops_of(device) {
        let Some((name, is_call)) = &said[trace.ops().node(op).index()] else { continue };
        let queue = queues.entry(name).or_default();
        if *is_call { queue.calls.push(op) } else { queue.ops.push(op) }
    }
    let start = |op: OpId| trace.ops().start(op);
    let are_joined = |own: &&Queue| {
        own.calls.len() == own.ops.len()
            && own.calls.iter().zip(&own.ops).all(|(&call, &op)| start(call) <= start(op))
    };
    let pairs: Vec<(OpId, OpId)> = queues
        .values()
        .filter(are_joined)
        .flat_map(|own| own.ops.iter().copied().zip(own.calls.iter().copied()))
        .collect();
    if pairs.is_empty() {
        return;
    }
    // The first piece of each op: a call goes on after it has filled the queue.
    let mut first: HashMap<OpId, u32, FixedState> = HashMap::default();
    for node in nodes.of_device(trace, device) {
        first.entry(nodes.op(node)).or_insert(node);
    }
    found.extend(
        pairs.iter().filter_map(|(op, call)| Some((*first.get(op)?, *first.get(call)?, EdgeKind::Launch))),
    );
}

/// The operation that `node` calls or does, without underscores, and whether it calls it.
fn operation(trace: &Trace, node: NodeId) -> Option<(String, bool)> {
    let name = trace.text(trace.nodes().op_type(node));
    let called = name.strip_prefix(CALL);
    let done = || BACKENDS.iter().find_map(|own| name.strip_prefix(own));
    let text = called.or_else(done)?;
    Some((text.chars().filter(|&letter| letter != '_').collect(), called.is_some()))
}
