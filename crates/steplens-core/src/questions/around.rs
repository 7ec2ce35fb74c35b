//! The ops around an op: the one it runs inside of, the one before it, and its Python frames. They follow from the times on its
//! thread, where a format records nesting.

use crate::model::device::FRAMES;
use crate::{DeviceId, OpId, Study};

/// The ops around an op.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// The innermost op that contains it on its thread.
    pub inside_of: Option<OpId>,
    /// Among the ops on its thread inside the same op, the one that ended last before it started; of those that ended together, the
    /// longest.
    pub before: Option<OpId>,
    /// Python frames on its thread that contain it, the outermost first.
    pub frames: Vec<OpId>,
}

/// The ops around `op`. The frames of a kernel are those of the op that launched it.
pub fn around(study: &Study, op: OpId) -> Around {
    let trace = study.trace();
    let device = trace.device_of(op);
    let row = trace.devices().get(device);
    let mut around = Around::default();
    if row.nests {
        around.inside_of = containing(study, device, op).last().copied();
    }
    if row.nests || row.is_accelerator {
        let from = around.inside_of.map(|outer| trace.ops().start(outer));
        let ops = trace.ops();
        let own = ops.interval(op);
        let same = trace.ops_of(device).take_while(|&other| ops.start(other) <= own.start).filter(|&other| {
            let is_inside = from.is_none_or(|from| ops.start(other) >= from);
            other != op && ops.thread(other) == ops.thread(op) && is_inside && ops.end(other) <= own.start
        });
        around.before = same.max_by_key(|&other| {
            (ops.end(other), std::cmp::Reverse(ops.start(other)), std::cmp::Reverse(other))
        });
    }
    let of = study.kernels().op_of(op).unwrap_or(op);
    let name = trace.text(trace.devices().get(trace.device_of(of)).name);
    let frames = [name, FRAMES].concat();
    let is_theirs = |id: &DeviceId| trace.text(trace.devices().get(*id).name) == frames;
    if let Some(frames) = trace.devices().ids().find(is_theirs) {
        around.frames = containing(study, frames, of);
    }
    around
}

/// The ops of `device` on the thread of `op` that contain it, the outermost first.
fn containing(study: &Study, device: DeviceId, op: OpId) -> Vec<OpId> {
    let ops = study.trace().ops();
    let own = ops.interval(op);
    let before = study.trace().ops_of(device).take_while(|&other| ops.start(other) <= own.start);
    let mut found: Vec<OpId> = before
        .filter(|&other| {
            // Of two ops with the same times, the one that comes first in the trace counts as the outer one.
            let is_outer = ops.interval(other) != own || other < op;
            other != op && ops.thread(other) == ops.thread(op) && ops.end(other) >= own.end && is_outer
        })
        .collect();
    crate::base::order::by_number(&mut found, |other| (ops.start(other).0, ops.end(other).0.wrapping_neg()));
    found
}
