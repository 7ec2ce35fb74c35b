//! `op_time`: op durations as in TensorFlow's `timeline.py`: as scheduled, or while kernels ran.
//!
//! The arithmetic is that of `timeline.py` (`_preprocess_op_time`), in nanoseconds. It goes by name: every op gets the span of all
//! kernels that ran for its name. So in a loop each run lasts from the first kernel of all runs to the last. The kernels are those
//! of `stream:all`, which has no copies; without such a device, as in files of TensorFlow 2's profiler, those of the numbered
//! streams. Unlike in `timeline.py`, names count within one part of the files.

use crate::base::units::Interval;
use crate::build::rebuilt::{Placed, Rebuilt};
use crate::gpu::kernels::{Names, has_kernels};
use crate::model::device::DeviceKind;
use crate::{Category, DeviceId, PartId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use steplens_messages::say;

/// What counts as the duration of an op.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpTime {
    /// As recorded: while the executor worked on the op. Its kernels may run later.
    #[default]
    Schedule,
    /// From the start of its first kernel to the end of its last, or of its scheduling if that is later.
    Gpu,
    /// From the start of its scheduling to the end of its last kernel, or of its scheduling if that is later.
    All,
}

impl OpTime {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Schedule, Self::Gpu, Self::All];

    /// The word for this value, the same as in `timeline.py`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Schedule => "schedule",
            Self::Gpu => "gpu",
            Self::All => "all",
        }
    }

    /// The meaning, in words for users.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Schedule => say!("ops-last-schedule"),
            Self::Gpu => {
                say!("ops-last-gpu")
            }
            Self::All => {
                say!("ops-last-all")
            }
        }
    }

    /// The value that `word` stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|how| how.word() == word)
    }
}

/// `trace` with the op durations of `how`; `None` if that changes nothing: as recorded, or without known kernels.
pub fn with_op_time(trace: &Trace, how: OpTime) -> Option<Rebuilt> {
    if how == OpTime::Schedule {
        return None;
    }
    let spans = spans(trace);
    if spans.is_empty() {
        return None;
    }
    let ops = trace.ops();
    let place = |place: Placed| {
        if has_kernels(trace, place.device) {
            return place;
        }
        let key = (trace.nodes().name(ops.node(place.op)), ops.part(place.op));
        let Some(kernels) = spans.get(&key) else { return place };
        let own = ops.interval(place.op);
        let start = if how == OpTime::Gpu { kernels.start } else { own.start };
        Placed { interval: Some(Interval { start, end: kernels.end.max(own.end) }), ..place }
    };
    Some(trace.rebuilt(&mut trace.places().map(place)))
}

/// For each op of `trace` whether it is a kernel that [`with_op_time`] uses for the duration of an op: its time is counted with
/// that op already.
pub fn is_in_its_op(trace: &Trace) -> Vec<bool> {
    let (ops, nodes) = (trace.ops(), trace.nodes());
    let (kernels, others): (Vec<DeviceId>, Vec<DeviceId>) =
        trace.devices().ids().partition(|&device| has_kernels(trace, device));
    let key = |name, op| (name, ops.part(op));
    let launchers: HashSet<(StringId, PartId), FixedState> = others
        .iter()
        .flat_map(|&device| trace.ops_of(device))
        .map(|op| key(nodes.name(ops.node(op)), op))
        .collect();
    let names = Names::found(trace, &kernels);
    let mut is_in = vec![false; ops.len()];
    for kernel in kernels.iter().flat_map(|&device| trace.ops_of(device)) {
        let is_copy = trace.category(kernel) == Category::Copy;
        let launcher = names.of_op(trace, kernel).filter(|&name| launchers.contains(&key(name, kernel)));
        is_in[kernel.index()] = !is_copy && launcher.is_some();
    }
    is_in
}

/// For each op name and part the time from the start of the first kernel to the end of the last.
fn spans(trace: &Trace) -> HashMap<(StringId, PartId), Interval, FixedState> {
    let of_kind = |kind| -> Vec<DeviceId> {
        trace.devices().ids().filter(|&id| trace.devices().get(id).kind == kind).collect()
    };
    let (all, mut numbered) = (of_kind(DeviceKind::StreamAll), of_kind(DeviceKind::Stream));
    numbered.extend(trace.devices().ids().filter(|&id| trace.devices().get(id).is_accelerator));
    let names = Names::found(trace, &[all.as_slice(), &numbered].concat());
    let mut has_all = vec![false; trace.parts().len()];
    for kernel in all.iter().flat_map(|&device| trace.ops_of(device)) {
        has_all[trace.ops().part(kernel).index()] = true;
    }
    let of_all = all.iter().flat_map(|&device| trace.ops_of(device));
    let of_numbered = numbered.iter().flat_map(|&device| trace.ops_of(device)).filter(|&kernel| {
        trace.category(kernel) != Category::Copy && !has_all[trace.ops().part(kernel).index()]
    });
    let mut spans: HashMap<_, Interval, FixedState> = HashMap::default();
    for kernel in of_all.chain(of_numbered) {
        let Some(name) = names.of_op(trace, kernel) else { continue };
        let own = trace.ops().interval(kernel);
        let span = spans.entry((name, trace.ops().part(kernel))).or_insert(own);
        *span = Interval { start: span.start.min(own.start), end: span.end.max(own.end) };
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::builder::{OpRecord, TraceBuilder};
    use crate::model::op::OpTimes;

    #[test]
    fn words_come_back() {
        assert!(OpTime::ALL.iter().all(|&how| OpTime::of_word(how.word()) == Some(how)));
        assert_eq!(OpTime::of_word("kernel"), None);
    }

    #[test]
    fn ops_last_as_their_kernels() {
        let mut builder = TraceBuilder::default();
        let gpu = "/job:w/replica:0/task:0/device:GPU:0";
        let ops = [
            (gpu, "a", 100, 20),
            (gpu, "b", 130, 200),
            (gpu, "c", 140, 5),
            ("/device:GPU:0/stream:all", "a:Mul", 150, 10),
            ("/device:GPU:0/stream:all", "a:Mul", 170, 15),
            ("/device:GPU:0/stream:all", "b:Mul", 190, 10),
            // If there is stream:all, copies and kernels of numbered streams do not count.
            ("/device:GPU:0/stream:13", "c:Mul", 300, 10),
            ("/device:GPU:0/memcpy", "a:MEMCPYDtoH", 400, 10),
        ];
        for (device, name, start_unix_ns, length_ns) in ops {
            let slot = builder.begin_device();
            builder.name_device(slot, device.as_bytes());
            let times = OpTimes { start_unix_ns, length_ns, ..OpTimes::default() };
            builder.op(slot, &OpRecord { name: name.as_bytes(), label: b"", times }).unwrap();
        }
        let trace = builder.finish(&Default::default());
        let times = |how| {
            let trace = with_op_time(&trace, how).unwrap().trace;
            let of = |name: &str| {
                let op = trace.ops().ids().find(|&op| trace.op_name(op) == name).unwrap();
                let own = trace.ops().interval(op);
                (trace.unix_ns(own.start), trace.unix_ns(own.end))
            };
            ["a", "b", "c", "b:Mul"].map(of)
        };
        assert_eq!(times(OpTime::Gpu), [(150, 185), (190, 330), (140, 145), (190, 200)]);
        assert_eq!(times(OpTime::All), [(100, 185), (130, 330), (140, 145), (190, 200)]);
        assert!(with_op_time(&trace, OpTime::Schedule).is_none());
        let is_in = is_in_its_op(&trace);
        let mut within: Vec<&str> =
            trace.ops().ids().filter(|op| is_in[op.index()]).map(|op| trace.op_name(op)).collect();
        within.sort_unstable();
        assert_eq!(within, ["a:Mul", "a:Mul", "b:Mul", "c:Mul"], "copies count by themselves");
    }
}
