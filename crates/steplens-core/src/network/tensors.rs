//! Tensors: how much of each was sent, over all steps and destinations, and how long devices waited for it.

use crate::base::ids::TransferId;
use crate::base::order;
use crate::base::units::{Bytes, Nanos};
use crate::collectives::process_groups::said_of;
use crate::model::input_bytes::input_bytes;
use crate::network::waits::Wait;
use crate::transfers::Transfer;
use crate::{DeviceId, OpId, StringId, Study};

/// Suffixes of ops that read a variable for other ops: their names are the name of the variable and one of these.
const READS: [&str; 3] = ["/read", "/Read/ReadVariableOp", "/ReadVariableOp"];

/// One tensor, or one tensor that a device waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorRow {
    /// The variable whose value or gradient it is; otherwise its maker: the name that its transfers have without the partitioner's
    /// number, or the name of a collective.
    pub name: StringId,
    /// Whether it is a gradient.
    pub is_gradient: bool,
    /// For waits: the device that waited.
    pub device: Option<DeviceId>,
    /// The device that sent the tensor; `None` where it was not one alone.
    pub source: Option<StringId>,
    /// The number of transfers.
    pub count: u64,
    /// The number of different destination devices.
    pub destinations: u64,
    /// The bytes of the transfers, summed; of collectives what the device gave.
    pub bytes: Bytes,
    /// Exposed communication that is blamed on the transfers.
    pub waited: Nanos,
    /// Idle before send: how long devices were idle before the transfers were sent.
    pub idle_before: Nanos,
    /// How much later the first consumers could start because of the transfers, summed; `None` if that is not known for any of
    /// them.
    pub delayed: Option<Nanos>,
    /// The transfer with the most blame; without any blame, the first.
    pub worst: OpId,
}

/// One transfer or wait as a row, and the key by which it is grouped.
#[derive(Clone, Copy)]
struct Contribution {
    key: (i64, i64),
    device: DeviceId,
    row: TensorRow,
    worst_cost: i64,
}

/// Every tensor that was sent: the longest wait first, then the largest delay of consumers.
pub fn tensors(study: &Study, waits: &[Wait]) -> Vec<TensorRow> {
    let mut names = TensorNames::new(study);
    let mut rest = waits;
    let mut parts = Vec::with_capacity(study.transfers().rows().len());
    for (id, transfer) in study.transfers().all() {
        rest = &rest[rest.partition_point(|wait| Some(wait.op) < transfer.op)..];
        let wait = rest.first().filter(|wait| Some(wait.op) == transfer.op);
        // If no op recorded the transfer, its producer stands for it.
        let (Some(op), Some(name)) =
            (transfer.op.or(transfer.producer.ok()), names.of_transfer(id, &transfer))
        else {
            continue;
        };
        let device = transfer.op.map(|op| study.trace().device_of(op));
        let device = device.or_else(|| study.trace().devices().by_name(transfer.destination));
        let device = device.unwrap_or_else(|| study.trace().device_of(op));
        parts.push(part(study, (op, device), name, Some(id), wait, false));
    }
    grouped(parts)
}

/// What each device waited for, by tensor and sender; the longest wait first. `waits` must be in the order of their ops.
pub fn waits_by_tensor(study: &Study, waits: &[Wait]) -> Vec<TensorRow> {
    grouped(parts_of_waits(study, waits))
}

/// Each wait as a row.
pub fn rows_of_waits(study: &Study, waits: &[Wait]) -> Vec<TensorRow> {
    parts_of_waits(study, waits).into_iter().map(|part| part.row).collect()
}

fn parts_of_waits(study: &Study, waits: &[Wait]) -> Vec<Contribution> {
    let mut names = TensorNames::new(study);
    let mut parts = Vec::with_capacity(waits.len());
    for wait in waits {
        let id = study.transfers().id_of_op(wait.op);
        let name = id.and_then(|id| names.of_transfer(id, &study.transfers().get(id)));
        let name =
            name.unwrap_or_else(|| (study.trace().nodes().name(study.trace().ops().node(wait.op)), false));
        parts.push(part(study, (wait.op, wait.device), name, id, Some(wait), true));
    }
    parts
}

/// The names by which transfers are grouped: the variable of their tensor, otherwise the maker of the tensor; and whether the
/// tensor is a gradient.
pub struct TensorNames<'a> {
    study: &'a Study,
    /// The maker's name for each tensor of a rendezvous key, once it was looked up. The same keys repeat in every step.
    of_key: Vec<Option<Option<StringId>>>,
}

impl<'a> TensorNames<'a> {
    /// Prepares the names of the transfers of `study`.
    pub fn new(study: &'a Study) -> Self {
        Self { study, of_key: vec![None; study.trace().strings().len()] }
    }

    /// The name, and whether the tensor is a gradient; `None` if nothing in the trace has this name.
    pub fn of_transfer(&mut self, id: TransferId, transfer: &Transfer) -> Option<(StringId, bool)> {
        if let Some(variable) = self.study.variable(id) {
            return Some((variable.name, variable.is_gradient));
        }
        let trace = self.study.trace();
        let known = self.of_key.get_mut(transfer.tensor.index())?;
        let made = *known.get_or_insert_with(|| {
            let name = transfer.output(trace).name;
            let variable = READS.iter().find_map(|read| trace.strings().find(name.strip_suffix(read)?));
            variable.or_else(|| trace.strings().find(name))
        });
        made.map(|made| (made, is_gradient(trace.text(made))))
    }
}

/// Whether `name` is like the name of a gradient: `gradients/..`, `gradients_1/..`.
fn is_gradient(name: &str) -> bool {
    let scope = name.split('/').next().unwrap_or_default();
    scope == "gradients" || scope.starts_with("gradients_")
}

fn part(
    study: &Study,
    (op, device): (OpId, DeviceId),
    (name, is_gradient): (StringId, bool),
    id: Option<TransferId>,
    wait: Option<&Wait>,
    by_device: bool,
) -> Contribution {
    let transfer = id.map(|id| study.transfers().get(id));
    let source = transfer.map(|transfer| transfer.source);
    let row = TensorRow {
        name,
        is_gradient,
        device: by_device.then_some(device),
        source,
        count: 1,
        destinations: 1,
        bytes: transfer.map_or_else(|| given(study, op).unwrap_or_default(), |transfer| transfer.bytes),
        waited: wait.map_or(Nanos(0), |wait| wait.waited),
        idle_before: wait.map_or(Nanos(0), |wait| wait.idle_before),
        delayed: id.and_then(|id| study.transfer_times().delayed(id)),
        worst: op,
    };
    let sender = source.filter(|_| by_device).map_or(-1, |source| i64::from(source.get()));
    let who = if by_device { device.get() } else { 0 };
    let key = (i64::from(name.get()) << 32 | i64::from(who), sender << 1 | i64::from(is_gradient));
    Contribution { key, device, row, worst_cost: (row.waited + row.idle_before).0 }
}

/// How much `op`, of a collective, is given by its rank: as its arguments or its launcher's say, else by its inputs; `None` where nothing says that.
pub fn given(study: &Study, op: OpId) -> Option<Bytes> {
    let said = said_of(study.trace(), study.kernels(), op).and_then(|said| said.bytes);
    said.or_else(|| input_bytes(study.trace(), op))
}

/// Merges `parts` with equal keys.
fn grouped(parts: Vec<Contribution>) -> Vec<TensorRow> {
    let part = |row: u32| &parts[row as usize];
    let mut sorted: Vec<u32> = (0..parts.len() as u32).collect();
    // First sort by device, so that the destinations of one key are next to one another.
    order::by_number(&mut sorted, |row| (i64::from(part(row).device.get()), 0));
    order::by_number(&mut sorted, |row| part(row).key);
    let mut rows: Vec<TensorRow> = Vec::new();
    let mut newest: Option<Contribution> = None;
    for &part in sorted.iter().map(|&row| part(row)) {
        match (rows.last_mut(), &mut newest) {
            (Some(row), Some(newest)) if newest.key == part.key => {
                row.count += 1;
                row.destinations += u64::from(newest.device != part.device);
                row.source = row.source.filter(|source| Some(*source) == part.row.source);
                row.bytes += part.row.bytes;
                row.waited += part.row.waited;
                row.idle_before += part.row.idle_before;
                row.delayed = match (row.delayed, part.row.delayed) {
                    (Some(own), Some(more)) => Some(own + more),
                    (own, more) => own.or(more),
                };
                newest.device = part.device;
                if part.worst_cost > newest.worst_cost {
                    row.worst = part.row.worst;
                    newest.worst_cost = part.worst_cost;
                }
            }
            _ => {
                rows.push(part.row);
                newest = Some(part);
            }
        }
    }
    // Ids of strings differ between a file and a session of it, so ties are broken by size, then by the first op.
    order::by_number(&mut rows, |row| (!(row.bytes.0 >> 1) as i64, i64::from(row.worst.get())));
    order::by_number(&mut rows, |row| {
        (row.waited.0.saturating_neg(), row.delayed.map_or(0, |delayed| delayed.0.saturating_neg()))
    });
    rows
}
