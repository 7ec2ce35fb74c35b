//! Why two traces cannot be compared as they are.

use super::Side;
use super::devices::Devices;
use super::joined::Which;
use super::matching::Matching;
use crate::clocks::Doubt;
use crate::model::device::{DeviceKind, FRAMES};
use crate::{DeviceId, OpId, Study, Trace};
use std::collections::BTreeMap;

/// With less than this part of the ops matched, the graphs are others; in millionths.
pub const LEAST_MATCHED_PPM: u64 = 900_000;

/// Something that a trace may have recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recorded {
    /// The graphs of the executor.
    Graphs,
    /// When ops were scheduled.
    Scheduling,
    /// The shapes of outputs.
    Shapes,
    /// The kernels of accelerators.
    Kernels,
    /// TensorFlow's host profiler.
    HostProfiler,
    /// Python frames.
    Frames,
    /// Allocations and frees.
    Memory,
}

impl Recorded {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Graphs,
        Self::Scheduling,
        Self::Shapes,
        Self::Kernels,
        Self::HostProfiler,
        Self::Frames,
        Self::Memory,
    ];

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Graphs => "graphs",
            Self::Scheduling => "scheduling",
            Self::Shapes => "shapes",
            Self::Kernels => "kernels",
            Self::HostProfiler => "host-profiler",
            Self::Frames => "frames",
            Self::Memory => "memory",
        }
    }

    fn is_in(self, trace: &Trace) -> bool {
        let devices = || trace.devices().ids().map(|id| trace.devices().get(id));
        match self {
            Self::Graphs => trace.graph().ids().next().is_some(),
            Self::Scheduling => trace.ops().ids().any(|op| trace.ops().queued(op).is_some()),
            Self::Shapes => !trace.outputs().is_empty(),
            Self::Kernels => devices().any(|device| {
                device.is_accelerator || matches!(device.kind, DeviceKind::Stream | DeviceKind::StreamAll)
            }),
            Self::HostProfiler => trace.devices().host_profilers().next().is_some(),
            Self::Frames => devices().any(|device| trace.text(device.name).ends_with(FRAMES)),
            Self::Memory => trace.memory().has_records() || trace.memory().has_reports(),
        }
    }
}

/// Why times of A and B differ for reasons other than the change.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The graphs are others.
    Graph {
        /// The part of all ops that have a partner, in millionths.
        matched_ppm: u64,
    },
    /// The batches have other sizes.
    Batch {
        /// The size in A, and in B, of most of the ops that differ.
        sizes: [i64; 2],
        /// How many pairs of ops differ so.
        pairs: u64,
    },
    /// One trace has devices that the other one has not.
    Devices {
        /// The devices that only A has.
        only_a: Vec<DeviceId>,
        /// The devices that only B has.
        only_b: Vec<DeviceId>,
    },
    /// The clocks of tasks differ.
    Clocks {
        /// By how much in A, and in B.
        doubts: [Option<Doubt>; 2],
    },
    /// Not the same was recorded.
    Tracing {
        /// What only A has.
        only_a: Vec<Recorded>,
        /// What only B has.
        only_b: Vec<Recorded>,
    },
    /// Only one trace recorded what these devices received.
    Transfers {
        /// The devices, as A has them, whose transfers only A has.
        only_a: Vec<DeviceId>,
        /// The devices, as B has them, whose transfers only B has.
        only_b: Vec<DeviceId>,
    },
    /// Not the same number of steps is shown.
    Steps {
        /// In A, and in B.
        shown: [usize; 2],
    },
}

impl Reason {
    /// The word for this value in every output.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Graph { .. } => "graph",
            Self::Batch { .. } => "batch",
            Self::Devices { .. } => "devices",
            Self::Clocks { .. } => "clocks",
            Self::Tracing { .. } => "tracing",
            Self::Transfers { .. } => "transfers",
            Self::Steps { .. } => "steps",
        }
    }
}

/// The reasons, the gravest first, and for each op of A whether it and its partner work on batches of other sizes.
pub(super) fn found(
    sides: [&Side<'_>; 2],
    devices: &Devices,
    matching: &Matching,
) -> (Vec<Reason>, Vec<bool>) {
    let [a, b] = sides.map(|side| side.study);
    let mut reasons = Vec::new();
    let doubts = [a, b].map(Study::clock_doubt);
    if doubts.iter().any(Option::is_some) {
        reasons.push(Reason::Clocks { doubts });
    }
    let all = matching.ops(Which::A) + matching.ops(Which::B);
    let matched_ppm = (2 * matching.pairs()).saturating_mul(1_000_000).checked_div(all).unwrap_or(1_000_000);
    if matched_ppm < LEAST_MATCHED_PPM {
        reasons.push(Reason::Graph { matched_ppm });
    }
    let (batch, of_other_batch) = batch(a, b, matching);
    reasons.extend(batch);
    let only = |study: &Study, has: &dyn Fn(DeviceId) -> bool| {
        let devices = study.trace().devices();
        let works =
            |&id: &DeviceId| devices.get(id).op_count > 0 && !devices.is_host_profiler(id) && !has(id);
        devices.ids().filter(works).collect::<Vec<_>>()
    };
    let only_a = only(a, &|id| devices.of_a(id).is_some());
    let only_b = only(b, &|id| devices.of_b(id).is_some());
    if !only_a.is_empty() || !only_b.is_empty() {
        reasons.push(Reason::Devices { only_a, only_b });
    }
    let recorded = [a, b].map(|study| Recorded::ALL.map(|own| own.is_in(study.trace())));
    let only = |own: usize| {
        let rows = Recorded::ALL.into_iter().enumerate();
        let is_only = |row: usize| recorded[own][row] && !recorded[1 - own][row];
        rows.filter(|&(row, _)| is_only(row)).map(|(_, own)| own).collect::<Vec<_>>()
    };
    let (only_a, only_b) = (only(0), only(1));
    if !only_a.is_empty() || !only_b.is_empty() {
        reasons.push(Reason::Tracing { only_a, only_b });
    }
    if matched_ppm >= LEAST_MATCHED_PPM {
        reasons.extend(transfers([a, b], devices));
    }
    let shown = sides.map(Side::shown_steps);
    if shown[0] != shown[1] {
        reasons.push(Reason::Steps { shown });
    }
    (reasons, of_other_batch)
}

/// Devices that both traces have, and that received tensors in one of them only: a task can be left out of the recording of
/// transfers, and a step that needs its tensors cannot do without them.
fn transfers(studies: [&Study; 2], devices: &Devices) -> Option<Reason> {
    let received = studies.map(|study| {
        let trace = study.trace();
        let mut received = vec![false; trace.devices().len()];
        for (_, transfer) in study.transfers().all() {
            if let Some(device) = trace.devices().by_name(transfer.destination) {
                received[device.index()] = true;
            }
        }
        received
    });
    if received.iter().any(|own| !own.contains(&true)) {
        // Where a trace has no transfers at all, nothing went over a network, or nothing of it was recorded: the ops without a
        // partner say so.
        return None;
    }
    let [a, b] = &received;
    let only = |study: &Study, own: &[bool], partner: &dyn Fn(DeviceId) -> Option<bool>| {
        let is_only = |&id: &DeviceId| own[id.index()] && partner(id) == Some(false);
        study.trace().devices().ids().filter(is_only).collect::<Vec<_>>()
    };
    let only_a = only(studies[0], a, &|id| Some(b[devices.of_a(id)?.index()]));
    let only_b = only(studies[1], b, &|id| Some(a[devices.of_b(id)?.index()]));
    (!only_a.is_empty() || !only_b.is_empty()).then_some(Reason::Transfers { only_a, only_b })
}

/// The first sizes of the first output of each, if the outputs differ only in these.
fn leading(a: &Trace, b: &Trace, own: OpId, other: OpId) -> Option<[i64; 2]> {
    let mut pairs = a.outputs().of(own).zip(b.outputs().of(other));
    pairs.find_map(|(own, other)| {
        let ([x, rest @ ..], [y, others @ ..]) = (own.shape?, other.shape?) else { return None };
        (x != y && rest == others && own.slot == other.slot).then_some([*x, *y])
    })
}

/// Whether most of the ops whose shapes differ do so in their first size, which is that of a batch; and which ops of A those are,
/// with those that read what they made.
fn batch(a: &Study, b: &Study, matching: &Matching) -> (Option<Reason>, Vec<bool>) {
    if matching.reshaped == 0 {
        return (None, Vec::new());
    }
    let (one, other) = (a.trace(), b.trace());
    let mut sizes: BTreeMap<[i64; 2], u64> = BTreeMap::new();
    let mut is_other = vec![false; one.counted_ops()];
    for (own, partner) in matching.all() {
        if let Some(found) = leading(one, other, own, partner) {
            *sizes.entry(found).or_default() += 1;
            is_other[own.index()] = true;
        }
    }
    let pairs: u64 = sizes.values().sum();
    let usual = sizes.iter().max_by_key(|&(sizes, count)| (*count, std::cmp::Reverse(*sizes)));
    let Some((&usual, _)) = usual.filter(|_| pairs * 2 > matching.reshaped) else {
        return (None, Vec::new());
    };
    let makers = crate::makers::Makers::found(a.edges());
    let reads: Vec<bool> = (0..is_other.len())
        .map(|row| {
            makers
                .of_op(OpId::from_usize(row))
                .iter()
                .any(|&maker| is_other.get(maker.index()) == Some(&true))
        })
        .collect();
    is_other.iter_mut().zip(reads).for_each(|(own, reads)| *own |= reads);
    (Some(Reason::Batch { sizes: usual, pairs }), is_other)
}
