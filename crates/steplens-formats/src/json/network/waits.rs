//! What devices sat waiting for: transfer by transfer, by tensor and sender, and what was sent of each tensor.

use super::listed::Listed;
use crate::json::OpRef;
use serde::Serialize;
use steplens_core::analysis::tensors::{TensorRow, tensors, waits_by_tensor};
use steplens_core::analysis::waits::Wait;
use steplens_core::{Study, order};

/// How many rows of each kind are listed; the total tells of the rest.
const MAX_WAITS: usize = 200;
const MAX_TENSORS: usize = 500;

/// One transfer, or collective, that a device waited for.
#[derive(Serialize)]
pub struct WaitRow<'a> {
    /// What communicated.
    pub op: OpRef,
    /// Who sent it; null for a collective.
    pub source: Option<&'a str>,
    /// Its step, a row of `steps`.
    pub step: usize,
    /// Its size; null for a collective.
    pub bytes: Option<u64>,
    /// Exposed communication that is blamed on it.
    pub waited_ns: i64,
    /// How long the device was idle before it was sent.
    pub idle_before_ns: i64,
}

/// One tensor, or one that a device waited for.
#[derive(Serialize)]
pub struct TensorJson<'a> {
    pub tensor: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'a str>,
    pub transfers: u64,
    pub destinations: u64,
    pub bytes: u64,
    pub waited_ns: i64,
    pub idle_before_ns: i64,
    /// The transfer that most of it is blamed on.
    pub worst: u32,
}

/// The waits, the longest first.
pub(super) fn rows<'a>(study: &'a Study, waits: &[Wait]) -> Listed<WaitRow<'a>> {
    let mut rows: Vec<Wait> = waits.to_vec();
    order::by_number(&mut rows, |wait| (wait.waited.0.saturating_neg(), wait.idle_before.0.saturating_neg()));
    Listed::of(&rows, MAX_WAITS, |wait| {
        let transfer = study.transfers.of_op(wait.op);
        WaitRow {
            op: OpRef::of(study, wait.op),
            source: transfer.map(|transfer| study.trace.text(transfer.source)),
            step: wait.step,
            bytes: transfer.map(|transfer| transfer.bytes.0),
            waited_ns: wait.waited.0,
            idle_before_ns: wait.idle_before.0,
        }
    })
}

/// What each device waited for, by tensor and sender, the longest wait first; all of them.
pub(super) fn by_tensor(study: &Study, waits: &[Wait]) -> Vec<TensorRow> {
    waits_by_tensor(study, waits)
}

/// `rows` as far as they are listed.
pub(super) fn listed<'a>(study: &'a Study, rows: &[TensorRow]) -> Listed<TensorJson<'a>> {
    Listed::of(rows, MAX_WAITS, |row| tensor(study, row))
}

/// What was sent of each tensor, the one first that was waited for longest.
pub(super) fn all_tensors<'a>(study: &'a Study, waits: &[Wait]) -> Listed<TensorJson<'a>> {
    Listed::of(&tensors(study, waits), MAX_TENSORS, |row| tensor(study, row))
}

fn tensor<'a>(study: &'a Study, row: &TensorRow) -> TensorJson<'a> {
    TensorJson {
        tensor: study.trace.text(row.name),
        device: row.device.map(|device| device.get()),
        source: row.source.map(|source| study.trace.text(source)),
        transfers: row.count,
        destinations: row.destinations,
        bytes: row.bytes.0,
        waited_ns: row.waited.0,
        idle_before_ns: row.idle_before.0,
        worst: row.worst.get(),
    }
}
