//! The copies of a trace, each once.

use crate::{Category, OpId, Trace};

/// All copies, without those that devices repeat of others.
pub(super) fn copies(trace: &Trace) -> impl Iterator<Item = OpId> + '_ {
    let devices = trace.devices().ids().filter(|&device| !trace.devices().repeats_others(device));
    devices.flat_map(|device| trace.ops_of(device)).filter(|&op| trace.category(op) == Category::Copy)
}
