//! Whether received tensors are parameters, or depend on work of the receiving task.

use super::links::Links;
use crate::base::ids::StringId;
use crate::base::order;
use crate::model::device::task_of;
use crate::transfers::NoProducer;
use crate::{DeviceId, OpId, Study};

/// How many tasks one pass over all ops can separate; the least number of such passes for any trace; and the most visits to ops in
/// a small trace. Keeps files with a million tasks from costing n².
const TASKS_AT_ONCE: usize = u64::BITS as usize - 1;
const PASSES: usize = 16;
const MAX_OPS_VISITED: usize = 1 << 28;

/// The bit for transfers that were not recorded, which belong to no known task.
const SOMEBODY: u64 = 1 << TASKS_AT_ONCE;

/// The role of an op in the order of transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It received nothing from another task.
    Own,
    /// It received a tensor that was made without any work of the receiving task: it could have arrived earlier.
    Parameter,
    /// It received a tensor to which the receiving task contributed: an answer to a tensor that this task sent.
    FedBack,
    /// It received a tensor, and how that was made was not recorded.
    Unknown,
    /// It received a tensor, but its task was left out because there are too many.
    NotSought,
}

/// The tasks with an op that one of another task uses, sorted.
fn senders(study: &Study, links: &Links) -> Vec<StringId> {
    let trace = study.trace();
    let task = |op: OpId| trace.devices().get(trace.device_of(op)).task;
    let mut senders = Vec::new();
    for &op in &links.order {
        let own = task(op);
        senders
            .extend(links.makers(op).iter().filter_map(|&maker| task(maker).filter(|_| task(maker) != own)));
    }
    order::by_number(&mut senders, |task| (i64::from(task.get()), 0));
    senders.dedup();
    senders
}

/// The origin for each op. Takes time linear in the data flow, and once more for every 63 tasks that receive tensors and send some.
pub(super) fn origins(study: &Study, links: &Links) -> Vec<Origin> {
    let trace = study.trace();
    let mut origins = vec![Origin::Own; trace.ops().len()];
    let task = |device: DeviceId| trace.devices().get(device).task;
    let mut receivers: Vec<StringId> = Vec::new();
    for transfer in study.transfers().rows() {
        let Some(op) = transfer.op else { continue };
        let Some(receiver) = task(trace.device_of(op)) else { continue };
        if task_of(trace.text(transfer.source)).is_none_or(|source| source == trace.text(receiver)) {
            continue;
        }
        origins[op.index()] = match transfer.producer {
            Err(NoProducer::SourceNotTraced | NoProducer::UnknownKey) => Origin::Unknown,
            // Ops that were not recorded (constants, variables) wait for nothing. All tensors count as answers until the opposite
            // is shown.
            Ok(_) | Err(NoProducer::NotRecorded) => {
                receivers.push(receiver);
                Origin::FedBack
            }
        };
    }
    order::by_number(&mut receivers, |task| (i64::from(task.get()), 0));
    receivers.dedup();
    // A task that sends nothing had no part in what it receives: all of these take one pass.
    let senders = senders(study, links);
    let (silent, receivers): (Vec<StringId>, Vec<StringId>) =
        receivers.into_iter().partition(|task| senders.binary_search(task).is_err());
    let passes = PASSES.max(MAX_OPS_VISITED / trace.ops().len().max(1));
    let (receivers, not_sought) =
        receivers.split_at(receivers.len().min(passes.saturating_mul(TASKS_AT_ONCE)));
    let of_silent = (!silent.is_empty()).then_some(silent.as_slice());
    for tasks in of_silent.into_iter().chain(receivers.chunks(TASKS_AT_ONCE)) {
        let is_silent = tasks == silent;
        let row = |device: DeviceId| task(device).and_then(|task| tasks.binary_search(&task).ok());
        let bit = |device: DeviceId| if is_silent { 0 } else { row(device).map_or(0, |row| 1_u64 << row) };
        // For each op one bit per task: whether the task contributed to the output of the op.
        let mut had_part = vec![0_u64; trace.ops().len()];
        for device in trace.devices().ids() {
            let device_bit = bit(device);
            for op in trace.ops_of(device).filter(|op| origins[op.index()] == Origin::Own) {
                had_part[op.index()] = device_bit;
            }
        }
        for op in links.unrecorded() {
            had_part[op.index()] |= SOMEBODY;
        }
        for &op in &links.order {
            had_part[op.index()] |=
                links.makers(op).iter().fold(0, |all, maker| all | had_part[maker.index()]);
        }
        for device in trace.devices().ids() {
            let (device_bit, is_sought) = (bit(device), row(device).is_some());
            for op in trace.ops_of(device).filter(|_| is_sought) {
                let had_part = had_part[op.index()];
                if origins[op.index()] == Origin::FedBack && had_part & device_bit == 0 {
                    origins[op.index()] =
                        if had_part & SOMEBODY == 0 { Origin::Parameter } else { Origin::Unknown };
                }
            }
        }
    }
    let is_not_sought =
        |device: &DeviceId| task(*device).is_some_and(|task| not_sought.binary_search(&task).is_ok());
    for device in trace.devices().ids().filter(is_not_sought) {
        for op in trace.ops_of(device).filter(|op| origins[op.index()] == Origin::FedBack).collect::<Vec<_>>()
        {
            origins[op.index()] = Origin::NotSought;
        }
    }
    origins
}
