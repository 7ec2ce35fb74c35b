//! What devices sat waiting for: transfer by transfer, by tensor and sender, and what was sent of each tensor.

use crate::listed::Listed;
use serde::Serialize;
use steplens_core::Study;
use steplens_core::base::order;
use steplens_core::network::tensors::{TensorRow, rows_of_waits, tensors, waits_by_tensor};
use steplens_core::network::waits::Wait;
use steplens_core::study::step_of_op::StepOfOp;

/// How many rows of each kind are listed; the total counts the rest, too.
const MAX_WAITS: usize = 200;
const MAX_TENSORS: usize = 500;

/// One tensor, or one that a device waited for; of single waits, with their step.
#[derive(Serialize)]
pub struct TensorJson<'a> {
    /// Its name: of the variable, else of what made it.
    pub tensor: &'a str,
    /// Whether it is a gradient for that variable.
    pub is_gradient: bool,
    /// The device that waited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<u32>,
    /// The device that sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// As `steplens steps` counts them: from 1.
    pub step: Option<usize>,
    /// How many transfers of it.
    pub transfers: u64,
    /// To how many devices.
    pub destinations: u64,
    /// Null where nothing recorded it.
    pub bytes: Option<u64>,
    /// Exposed communication that is blamed on it.
    pub waited_ns: i64,
    /// How long devices were idle before it was sent.
    pub idle_before_ns: i64,
    /// How much later its first consumers could start because of it; null where nothing tells.
    pub delayed_ns: Option<i64>,
    /// The transfer that most of it is blamed on.
    pub worst: u32,
}

/// Single waits, the longest first.
pub(super) fn waits<'a>(study: &'a Study, waits: &[Wait]) -> Listed<TensorJson<'a>> {
    let mut rows: Vec<Wait> = waits.to_vec();
    order::by_number(&mut rows, |wait| (wait.waited.0.saturating_neg(), wait.idle_before.0.saturating_neg()));
    rows.truncate(MAX_WAITS);
    let tensors = rows_of_waits(study, &rows);
    let mut listed = Listed::of(rows.len(), MAX_WAITS, &mut |at| TensorJson {
        step: Some(rows[at].step + 1),
        ..tensor(study, &tensors[at])
    });
    listed.total = waits.len();
    listed
}

/// The tensor that a device waited for longest.
pub(crate) fn longest<'a>(study: &'a Study, steps: &StepOfOp) -> Option<TensorJson<'a>> {
    let waits = steplens_core::network::waits::waits(study, steps);
    waits_by_tensor(study, &waits).first().map(|row| tensor(study, row))
}

/// What each device waited for, by tensor and sender, the longest wait first.
pub(super) fn by_tensor<'a>(study: &'a Study, rows: &[TensorRow]) -> Listed<TensorJson<'a>> {
    Listed::of(rows.len(), MAX_WAITS, &mut |at| tensor(study, &rows[at]))
}

/// What was sent of each tensor, the one first that was waited for longest.
pub(super) fn all_tensors<'a>(study: &'a Study, waits: &[Wait]) -> Listed<TensorJson<'a>> {
    let rows = tensors(study, waits);
    Listed::of(rows.len(), MAX_TENSORS, &mut |at| tensor(study, &rows[at]))
}

#[inline(never)]
fn tensor<'a>(study: &'a Study, row: &TensorRow) -> TensorJson<'a> {
    // Of no bytes is an order between tasks, or what recorded no size: a collective, a tensor between devices of one task.
    let is_known = row.bytes.0 > 0 || study.transfers().of_op(row.worst).is_some();
    TensorJson {
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
