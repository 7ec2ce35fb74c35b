//! What devices waited for: transfer by transfer, by tensor and sender, and how much was sent of each tensor.

use crate::listed::Listed;
use serde::Serialize;
use steplens_core::Study;
use steplens_core::base::order;
use steplens_core::network::tensors::{self, rows_of_waits, tensors};
use steplens_core::network::waits::Wait;

/// The most rows of each kind that are listed; the total counts all.
const MAX_WAITS: usize = 200;
const MAX_TENSORS: usize = 500;

/// One tensor, or one tensor that a device waited for; for single waits with their step.
#[derive(Serialize)]
pub struct TensorRow<'a> {
    /// The name of the variable, otherwise of the op that made it.
    pub tensor: &'a str,
    /// Whether it is a gradient for that variable.
    pub is_gradient: bool,
    /// The device that waited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<u32>,
    /// The device that sent it, where it was one alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// The number of the step, as in `steplens steps`: from 1.
    pub step: Option<usize>,
    /// The number of its transfers.
    pub transfers: u64,
    /// The number of different destination devices.
    pub destinations: u64,
    /// The bytes of its transfers; null if they were not recorded.
    pub bytes: Option<u64>,
    /// Exposed communication that is blamed on it.
    pub waited_ns: i64,
    /// Idle before send: how long devices were idle before it was sent.
    pub idle_before_ns: i64,
    /// How much later its first consumers could start because of it; null if that is not known.
    pub delayed_ns: Option<i64>,
    /// The transfer with the most blame.
    pub worst: u32,
}

/// Single waits, the longest first.
pub(super) fn waits<'a>(study: &'a Study, waits: &[Wait]) -> Listed<TensorRow<'a>> {
    let mut rows: Vec<Wait> = waits.to_vec();
    order::by_number(&mut rows, |wait| (wait.waited.0.saturating_neg(), wait.idle_before.0.saturating_neg()));
    rows.truncate(MAX_WAITS);
    let tensors = rows_of_waits(study, &rows);
    let mut listed = Listed::of(rows.len(), MAX_WAITS, &mut |at| TensorRow {
        step: Some(rows[at].step + 1),
        ..tensor(study, &tensors[at])
    });
    listed.total = waits.len();
    listed
}

/// What each device waited for, by tensor and sender; the longest wait first.
pub(super) fn by_tensor<'a>(study: &'a Study, rows: &[tensors::TensorRow]) -> Listed<TensorRow<'a>> {
    Listed::of(rows.len(), MAX_WAITS, &mut |at| tensor(study, &rows[at]))
}

/// How much was sent of each tensor; the longest wait first.
pub(super) fn all_tensors<'a>(study: &'a Study, waits: &[Wait]) -> Listed<TensorRow<'a>> {
    let rows = tensors(study, waits);
    Listed::of(rows.len(), MAX_TENSORS, &mut |at| tensor(study, &rows[at]))
}

#[inline(never)]
fn tensor<'a>(study: &'a Study, row: &tensors::TensorRow) -> TensorRow<'a> {
    // No bytes means a control edge between tasks, or a record without a size: a collective, or a tensor between devices of one
    // task.
    let is_known = row.bytes.0 > 0 || study.transfers().of_op(row.worst).is_some();
    TensorRow {
        tensor: study.trace().text(row.name),
        is_gradient: row.is_gradient,
        device: row.device.map(|device| device.get()),
        source: row.source.map(|source| study.trace().text(source)),
        step: None,
        transfers: row.count,
        destinations: row.destinations,
        bytes: is_known.then_some(row.bytes.0),
        waited_ns: row.waited.0,
        idle_before_ns: row.idle_before.0,
        delayed_ns: row.delayed.map(|delayed| delayed.0),
        worst: row.worst.get(),
    }
}
