//! Clocks that differ: a recorded step as TensorFlow would have recorded it, had the clocks of its tasks been ahead by known
//! offsets.
//!
//! A RecvTensor's end is the receiver's clock; its start is the sender's, kept between the receiver's request (here: the first op
//! of the receiving task) and a microsecond before the end (`grpc_remote_worker.cc`).

use crate::proto::RunMetadata;
use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use steplens_core::model::device::task_of;
use steplens_core::model::label;

/// By how many microseconds the clock of each task is ahead.
pub type Offsets = BTreeMap<String, i64>;

/// The tasks of `metadata`.
pub fn tasks(metadata: &RunMetadata) -> BTreeSet<String> {
    metadata.ops().filter_map(|(device, _)| task_of(device)).map(str::to_owned).collect()
}

/// Sets the clocks of `metadata` ahead by `offsets`.
pub fn skew(metadata: &mut RunMetadata, offsets: &Offsets) {
    let ahead = |device: &str| task_of(device).and_then(|task| offsets.get(task)).copied().unwrap_or(0);
    let mut first: BTreeMap<String, i64> = BTreeMap::new();
    for (device, op) in metadata.ops().filter(|(_, op)| op.node_name != "RecvTensor") {
        let first = first.entry(task_of(device).unwrap_or_default().to_owned()).or_insert(i64::MAX);
        *first = op.all_start_micros.min(*first);
    }
    let devices = metadata.step_stats.iter_mut().flat_map(|step| &mut step.dev_stats);
    for device in devices {
        let mine = ahead(&device.device);
        for op in &mut device.node_stats {
            if op.node_name != "RecvTensor" {
                move_by(op, mine);
                continue;
            }
            let sender = label::transfer(&op.timeline_label).map_or(0, |transfer| ahead(transfer.source));
            let end = op.all_start_micros + op.all_end_rel_micros + mine;
            let requested =
                first.get(task_of(&device.device).unwrap_or_default()).map_or(end, |at| at + mine);
            let start = (op.all_start_micros + sender).max(requested).min(end - 1);
            op.all_start_micros = start;
            op.all_end_rel_micros = end - start;
            op.op_end_rel_micros = end - start;
        }
    }
}

/// Moves one op of a hundred by up to a second either way; gives their places in [`RunMetadata::ops`].
pub fn corrupt(metadata: &mut RunMetadata, random: &mut Random) -> BTreeSet<usize> {
    let mut corrupted = BTreeSet::new();
    for (place, op) in metadata.ops_mut().enumerate() {
        if random.below(100) == 0 {
            move_by(op, random.below(2_000_000) as i64 - 1_000_000);
            corrupted.insert(place);
        }
    }
    corrupted
}

/// Moves all times of `op`.
pub fn move_by(op: &mut crate::proto::NodeExecStats, micros: i64) {
    op.all_start_micros += micros;
    op.scheduled_micros += if op.scheduled_micros == 0 { 0 } else { micros };
    for time in [&mut op.all_start_nanos, &mut op.scheduled_nanos] {
        *time += if *time == 0 { 0 } else { micros * 1_000 };
    }
}
