//! What the figures of a verdict are about: a GPU, several, a CPU; and ranks that begin after others.

use super::{Inputs, is_horovod};
use crate::figures::{count, duration, share};
use crate::names::place_label;
use steplens_core::findings::framework::Framework;
use steplens_core::findings::{LateStart, StoodStill};
use steplens_core::gpu::accelerators::accelerators;
use steplens_core::model::device::DeviceKind;
use steplens_core::{DeviceId, Trace};
use steplens_messages::{say, sentences};

/// What the split is the mean of.
pub(super) fn units(inputs: &Inputs<'_>) -> String {
    let &Inputs { study, own, is_unrecorded, .. } = inputs;
    let number = count(own.accelerators as u64);
    let all_gpus = || {
        let found = accelerators(study.trace());
        found.iter().all(|one| one.name.to_ascii_lowercase().contains("gpu"))
    };
    match own.accelerators {
        0 if is_unrecorded && own.devices == 1 => say!("verdict-one-host").to_owned(),
        0 if own.devices == 1 && is_cpu(study.trace()) && !is_horovod(study) => {
            say!("verdict-one-cpu").to_owned()
        }
        0 if own.devices == 1 => say!("verdict-one-device").to_owned(),
        0 => say!("verdict-devices", count = count(own.devices as u64)),
        1 if all_gpus() => say!("verdict-one-gpu").to_owned(),
        1 => say!("verdict-one-accelerator").to_owned(),
        all if own.devices < all => {
            let number_of_them = count(own.devices as u64);
            match all_gpus() {
                true => say!("verdict-computing-gpus", count = number_of_them, all = number),
                false => say!("verdict-computing-accelerators", count = number_of_them, all = number),
            }
        }
        _ if all_gpus() => say!("verdict-gpus", count = number),
        _ => say!("verdict-accelerators", count = number),
    }
}

/// Whether all that was recorded ran on a CPU: threads of a program, or an executor of TensorFlow.
fn is_cpu(trace: &Trace) -> bool {
    let works = |id: &DeviceId| trace.ops_of(*id).any(|op| !trace.nodes().is_range(trace.ops().node(op)));
    let mut rows = trace.devices().ids().filter(works).map(|id| trace.devices().get(id));
    // A program that writes lines of its own may mean any device.
    let is_known = || Framework::of_trace(trace) != Framework::Unknown;
    rows.all(|row| row.kind == DeviceKind::Cpu || row.nests && is_known())
}

/// That the first op of a rank comes after that of another one, and how long each rank takes by itself.
pub(super) fn late_start(inputs: &Inputs<'_>) -> Option<String> {
    let LateStart { task, time, first, lengths: (least, most) } = inputs.own.late_start?;
    let text = |name| place_label(inputs.study.trace().text(name));
    Some(say!(
        "verdict-late-start",
        task = text(task),
        time = duration(time.0),
        first = text(first),
        share = share(time.0, inputs.own.length.0),
        least = duration(least.0),
        most = duration(most.0)
    ))
}

/// How long threads of programs stood still.
pub(crate) fn stood_still(still: StoodStill) -> String {
    let StoodStill { programs, count: times, time, at_once, .. } = still;
    let (times, time) = (count(times), duration(time.0));
    let what = match programs {
        1 => say!("stood-still", times, time),
        _ => say!("stood-still-each", programs = count(programs), times, time),
    };
    let at_once = at_once.map(|number| {
        let running = count(programs.saturating_sub(number));
        say!("stood-still-at-once", number = count(number), programs = count(programs), running)
    });
    sentences([Some(what), at_once].into_iter().flatten())
}
