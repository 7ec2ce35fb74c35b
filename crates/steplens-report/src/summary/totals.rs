//! What a summary leaves out at first: the transfers of the step and of each device, which need the data flow.

use super::{DeviceTotals, Split, TransferTotals};
use crate::clocks::ClockNote;
use crate::text;
use serde::Serialize;
use steplens_core::{Bytes, Study};

/// `{transfers, transferred_bytes, any_device, clocks, retitled, devices: [{transfers, received_bytes, sent_bytes}]}`: what
/// [`without_transfers`](super::without_transfers) leaves out; `retitled` says whether marks have other names now than before the
/// transfers were known.
pub fn json(study: &Study) -> String {
    /// What a summary leaves out at first, because it needs the data flow.
    #[derive(Serialize)]
    struct Totals {
        #[serde(flatten)]
        totals: TransferTotals,
        /// All devices together: compute means that any device computes. Left out if their clocks differ.
        #[serde(skip_serializing_if = "Option::is_none")]
        any_device: Option<Split>,
        /// Why times of its tasks cannot be compared; left out if they can.
        #[serde(skip_serializing_if = "Option::is_none")]
        clocks: Option<ClockNote>,
        /// Whether marks have other names now than before.
        retitled: bool,
        /// The transfers of each device, by DeviceId.
        devices: Vec<DeviceTotals>,
    }
    let (totals, devices) = totals(study);
    let retitled = study.transfers().renames_marks(study.trace());
    let (clocks, any_device) = of_all_devices(study);
    text(&Totals { totals, any_device, clocks, retitled, devices })
}

/// Why times of the tasks cannot be compared, otherwise the split of all devices together.
pub(super) fn of_all_devices(study: &Study) -> (Option<ClockNote>, Option<Split>) {
    match ClockNote::of(study) {
        Some(note) => (Some(note), None),
        None => (None, Some(study.split(None, study.trace().span()).into())),
    }
}

pub(super) fn totals(study: &Study) -> (TransferTotals, Vec<DeviceTotals>) {
    let (trace, rows) = (study.trace(), study.transfers().rows());
    let mut devices = vec![DeviceTotals::default(); trace.devices().len()];
    for transfer in rows {
        let receiver = match transfer.op {
            Some(op) => Some(trace.device_of(op)),
            None => trace.devices().by_name(transfer.destination),
        };
        if let Some(receiver) = receiver {
            devices[receiver.index()].transfers += 1;
            let received = &mut devices[receiver.index()].received_bytes;
            *received = received.saturating_add(transfer.bytes.0);
        }
        if let Some(sender) = trace.devices().by_name(transfer.source) {
            let sent = &mut devices[sender.index()].sent_bytes;
            *sent = sent.saturating_add(transfer.bytes.0);
        }
    }
    let transferred = rows.iter().map(|transfer| transfer.bytes).sum::<Bytes>();
    (TransferTotals { transfers: rows.len(), transferred_bytes: transferred.0 }, devices)
}
