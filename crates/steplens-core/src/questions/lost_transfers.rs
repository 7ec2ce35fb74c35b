//! Transfers between tasks that took place and were not recorded, where others were.
//!
//! A master asks its tasks to record tensors while the step begins already (`SetRPCLogging` in TensorFlow's `master_session.cc`): what arrives
//! before a task has heard of it leaves no `RecvTensor`. The graphs tell: an op ran that takes what a `_Recv` from another task received.

use crate::dataflow::runs::ExecutionDevice;
use crate::doctor::{Finding, FindingKind, Limit, MAX_OPS};
use crate::model::device::task_of;
use crate::model::graph::{End, Rendezvous};
use crate::transfers::InputKey;
use crate::{DeviceId, OpId, StringId, Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// How many nodes are looked at, for each op and each node that receives. In recorded graphs a tensor has a few users.
const MOST_VISITS_EACH: usize = 64;

/// The finding for what `study` shows; `None` if every transfer has its record, or none has. The ops are the first that took each tensor,
/// by their ids in the opened trace.
pub fn lost_transfers(study: &Study) -> Option<Finding> {
    let (trace, flow, transfers) = (study.trace(), study.flow(), study.transfers());
    let meetings = trace.graph().rendezvous();
    if meetings.is_empty() {
        return None;
    }
    let by_graph = flow.executions.by_graph();
    let mut tasks = Tasks::of(trace);
    let mut left = MOST_VISITS_EACH.saturating_mul(trace.ops().len() + meetings.len());
    let (mut recorded, mut lost) = (0_u64, Vec::new());
    for meeting in meetings.iter().filter(|meeting| meeting.end == End::Recv) {
        let Some(device) = tasks.receiver_of_another(meeting) else { continue };
        let receiver = meeting.node;
        for execution in by_graph.of(trace.graph().part_of(receiver)) {
            let users = flow.graph.users_of(receiver);
            match left.checked_sub(users.len() + 1) {
                Some(rest) => left = rest,
                None => return Some(given_up(meetings.len() as u64)),
            }
            // Of several graphs of one execution with this key, one has the transfer.
            if transfers.receiver(flow, execution, meeting) != Some(receiver) {
                continue;
            }
            let place = ExecutionDevice { execution, device };
            if !transfers.brought(place, InputKey::GraphNode(receiver)).is_empty() {
                recorded += 1;
                continue;
            }
            let taken = users.iter().find_map(|&user| flow.runs_of_node(trace, user, place).first());
            lost.extend(taken);
        }
    }
    if recorded == 0 || lost.is_empty() {
        return None;
    }
    let count = lost.len() as u64;
    lost.sort_unstable();
    let mut devices: Vec<DeviceId> = lost.iter().map(|&op| trace.device_of(op)).collect();
    devices.dedup();
    let old = |op: OpId| study.old_op().map_or(op, |old_op| old_op[op.index()]);
    let ops = lost.into_iter().take(MAX_OPS).map(old).collect();
    Some(Finding { kind: FindingKind::LostTransfers(count + recorded), count, ops, devices })
}

/// Not looked for, because the graphs ask for more than the size of the trace allows.
fn given_up(count: u64) -> Finding {
    let kind = FindingKind::Limit(Limit::UnrecordedTransfers);
    Finding { kind, count, ops: Vec::new(), devices: Vec::new() }
}

/// Which transfers are between tasks.
struct Tasks<'a> {
    trace: &'a Trace,
    /// By both devices: the one that receives, if it has ops and is of another task.
    known: HashMap<(StringId, StringId), Option<DeviceId>, FixedState>,
}

impl<'a> Tasks<'a> {
    fn of(trace: &'a Trace) -> Self {
        Self { trace, known: HashMap::default() }
    }

    /// The device that receives from another task.
    fn receiver_of_another(&mut self, meeting: &Rendezvous) -> Option<DeviceId> {
        let trace = self.trace;
        *self.known.entry((meeting.source, meeting.destination)).or_insert_with(|| {
            let device = trace.devices().by_name(meeting.destination)?;
            let [from, to] = [meeting.source, meeting.destination].map(|device| task_of(trace.text(device)));
            (from? != to? && trace.devices().get(device).op_count > 0).then_some(device)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::builder::OpRecord;
    use crate::model::graph::GraphNodeRecord;
    use crate::model::op::OpTimes;
    use crate::{TraceBuilder, View};
    use std::sync::Arc;

    const W: &str = "/job:w/replica:0/task:0/device:CPU:0";
    const PS: &str = "/job:ps/replica:0/task:0/device:CPU:0";

    /// What is found for a worker that receives `x` and `y`: only those in `recorded` have a `RecvTensor`, and only the ops in `ran` ran.
    fn found(recorded: &[&str], ran: &[&str]) -> Option<(u64, FindingKind)> {
        let mut builder = TraceBuilder::default();
        let slot = builder.begin_device();
        builder.name_device(slot, W.as_bytes());
        let mut op = |name: &[u8], label: &str| {
            let times = OpTimes { start_unix_ns: 100, length_ns: 10, ..OpTimes::default() };
            builder.op(slot, &OpRecord { name, label: label.as_bytes(), times }).unwrap();
        };
        for tensor in recorded {
            op(b"RecvTensor", &format!("[8B] edge_1_{tensor} from {PS} to {W}"));
        }
        ran.iter().for_each(|name| op(name.as_bytes(), &format!("{name} = Neg({name}_in)")));
        for tensor in ["x", "y"] {
            let name = format!("{tensor}/_1");
            let key = format!("edge_1_{tensor}");
            let rendezvous = Some((key.as_bytes(), PS.as_bytes(), W.as_bytes()));
            let device = W.as_bytes();
            builder.graph_node(&GraphNodeRecord {
                name: name.as_bytes(),
                op: b"_Recv",
                device,
                rendezvous,
                ..GraphNodeRecord::default()
            });
            let user = format!("use_{tensor}");
            builder.graph_node(&GraphNodeRecord {
                name: user.as_bytes(),
                op: b"Neg",
                device,
                inputs: &[name.as_bytes()],
                ..GraphNodeRecord::default()
            });
        }
        let trace = Arc::new(builder.finish(&Default::default()));
        let study = Study::of_view(&trace, View::default());
        lost_transfers(&study).map(|finding| (finding.count, finding.kind))
    }

    #[test]
    fn what_an_op_took_was_received() {
        let both = ["use_x", "use_y"];
        assert_eq!(found(&["x"], &both), Some((1, FindingKind::LostTransfers(2))));
        assert_eq!(found(&["x", "y"], &both), None);
        // An op that did not run may be on a branch that was not taken.
        assert_eq!(found(&["x"], &["use_x"]), None);
        // This version records no transfers at all.
        assert_eq!(found(&[], &both), None);
    }
}
