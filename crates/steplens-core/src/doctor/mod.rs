//! What is wrong with a trace that can be read, and what can be done about it. From the tables, names and
//! graphs of the trace. For the tab Problems, `steplens doctor`, and views with repairs.
//!
//! A [`Finding`] says what was found, on which devices and with which ops. Some can be repaired: [`repaired`] makes a trace without
//! them. Nothing is repaired unless the user asks for it.
//!
//! | finding | repair |
//! |---|---|
//! | [`TimeBases`](FindingKind::TimeBases) | devices whose clock has another base are moved to where the others start |
//! | [`FarOps`](FindingKind::FarOps) | ops with impossible times are left out |
//! | [`SameDevices`](FindingKind::SameDevices) | two names of one device become one |
//! | [`RepeatedOps`](FindingKind::RepeatedOps) | ops that were recorded, or opened, twice are counted once |
//! | [`ClocksDiffer`](FindingKind::ClocksDiffer) | clocks can be aligned: a choice of the view ([`crate::clocks`]) |
//! | [`RankClocksDiffer`](FindingKind::RankClocksDiffer) | the same |
//! | [`AcceleratorClock`](FindingKind::AcceleratorClock) | none: what an accelerator and its host did is not compared |
//! | [`CoarseHostClock`](FindingKind::CoarseHostClock) | the same |
//! | [`ContradictingTimes`](FindingKind::ContradictingTimes) | none: no clocks explain the times, so they say nothing about the
//! clocks |
//! | [`MissingTask`](FindingKind::MissingTask) | none: the task was not recorded |
//! | [`MoreTasksMissing`](FindingKind::MoreTasksMissing) | none: these tasks were not recorded either |
//! | [`LostTransfers`](FindingKind::LostTransfers) | none: how long these tensors took is not known |
//! | [`KernelsNotRecorded`](FindingKind::KernelsNotRecorded) | none: how long these GPUs took is not known |
//! | [`OneNameOfGpus`](FindingKind::OneNameOfGpus) | none: which GPU ran a kernel is not recorded |
//! | [`ImpossibleMemory`](FindingKind::ImpossibleMemory) | none: the figures are shown as they were reported |
//! | [`Limit`](FindingKind::Limit) | none: an analysis left something out, because there is too much of it |
//! | [`RepeatedStreams`](FindingKind::RepeatedStreams) | not needed: the devices are shown, and counted once |
//! | [`HostProfile`](FindingKind::HostProfile) | not needed: the device is shown, and not counted |
//! | [`UnjoinedEvents`](FindingKind::UnjoinedEvents) | none: the thread of these ops is not known |
//! | [`NoKernels`](FindingKind::NoKernels), [`KernelsLost`](FindingKind::KernelsLost) | the same |
//! | [`CoveringKernels`](FindingKind::CoveringKernels) | none: the kernels are shown as they were recorded |
//! | [`GraphsInPart`](FindingKind::GraphsInPart) | none: what ran there is not known |
//! | [`RanksUnnamed`](FindingKind::RanksUnnamed) | not needed: each file is a rank |
//! | [`ZeroLengths`](FindingKind::ZeroLengths) | none: the ops are shown where they started |

mod bases;
mod devices;
mod far;
mod gpus;
mod graphs;
mod host;
mod kernels;
mod limit;
mod memory;
mod missing;
mod repair;
mod repeats;

use crate::host_profile::Counts;
use crate::{DeviceId, Nanos, OpId, Trace};
use far::Usual;

pub use limit::Limit;
pub use repair::{Repaired, repaired};

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of finding.
    pub kind: FindingKind,
    /// The number of ops it is about.
    pub count: u64,
    /// The first of these ops, at most [`MAX_OPS`]; their ids are those of the trace that was analysed.
    pub ops: Vec<OpId>,
    /// The devices it is about.
    pub devices: Vec<DeviceId>,
}

/// The kinds of findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// Groups of devices run at times that are far apart, as if their clocks counted from different moments. Each group has the
    /// time in ns by which it must be moved to start together with the reference. The reference is the first group and is not
    /// moved.
    TimeBases(Vec<(Vec<DeviceId>, i64)>),
    /// Single ops start or end far away from all others.
    FarOps,
    /// Devices with different names that are the same device, as (device to remove, device to keep).
    SameDevices(Vec<(DeviceId, DeviceId)>),
    /// Nearly all ops of a part are also in another part.
    RepeatedOps,
    /// Some tensors between tasks are received before they were made: (number of tensors between tasks, largest time by which one
    /// is early).
    ClocksDiffer(u64, Nanos),
    /// Some collectives end on one rank before they start on another: (number of such pairs of ranks, largest time).
    RankClocksDiffer(u64, Nanos),
    /// Programs end on an accelerator before its host enqueued them: (number of programs, how far the clocks differ at least).
    AcceleratorClock(u64, Nanos),
    /// The clock of the host counts in long ticks, and that of its accelerator does not: (number of ops of the host, the tick).
    CoarseHostClock(u64, Nanos),
    /// Some tensors between tasks have times that no clocks explain: (number of tensors between tasks, largest time by which one is
    /// received before it was made).
    ContradictingTimes(u64, Nanos),
    /// Transfers, graphs or the numbering of tasks refer to a task without ops.
    MissingTask(String),
    /// More tasks are missing: this many in addition to those with a finding of their own.
    MoreTasksMissing(u64),
    /// Ops took tensors of other tasks that no op recorded, though others were recorded. The number is that of all such tensors.
    LostTransfers(u64),
    /// An executor dispatched ops to GPUs, and no kernel of these GPUs was recorded.
    KernelsNotRecorded,
    /// Kernels of several GPUs were recorded under the name of one.
    OneNameOfGpus,
    /// Allocators report impossible figures for ops.
    ImpossibleMemory,
    /// An analysis left something out.
    Limit(Limit),
    /// `stream:all` and `memcpy` repeat the ops of the numbered streams.
    RepeatedStreams,
    /// TensorFlow's host profiler recorded ops of the executor a second time.
    HostProfile(Counts),
    /// Some events of the host profiler have names of ops of the step, but are no op of the executor. The number is that of all
    /// events with such names.
    UnjoinedEvents(u64),
    /// Calls launch kernels, and none of theirs was recorded. The number is that of all such calls.
    NoKernels(u64),
    /// The same, though the program waited for its GPU after the last of them: a profiler lost what it had recorded.
    KernelsLost(u64),
    /// Kernels last until after later kernels of their stream, which no stream can.
    CoveringKernels,
    /// A GPU did nothing that was recorded before parts of graphs of kernels that had been launched: for how long in all.
    GraphsInPart(Nanos),
    /// Several files use one device at the same time, and do not say their ranks.
    RanksUnnamed,
    /// Ops of length zero.
    ZeroLengths,
}

/// What can be done about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Repairs [`FindingKind::TimeBases`].
    TimeBases,
    /// Repairs [`FindingKind::FarOps`].
    FarOps,
    /// Repairs [`FindingKind::SameDevices`].
    SameDevices,
    /// Repairs [`FindingKind::RepeatedOps`].
    RepeatedOps,
}

impl Repair {
    /// All repairs.
    pub const ALL: [Self; 4] = [Self::TimeBases, Self::FarOps, Self::SameDevices, Self::RepeatedOps];

    /// The word of the repair, which is the word of its finding.
    pub fn word(self) -> &'static str {
        match self {
            Self::TimeBases => "time-bases",
            Self::FarOps => "far-ops",
            Self::SameDevices => "same-devices",
            Self::RepeatedOps => "repeated-ops",
        }
    }

    /// The repair that `word` stands for.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|repair| repair.word() == word)
    }
}

/// The most ops that a finding lists.
pub const MAX_OPS: usize = 100;

impl FindingKind {
    /// The word for this value in every output.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TimeBases(_) => Repair::TimeBases.word(),
            Self::FarOps => Repair::FarOps.word(),
            Self::SameDevices(_) => Repair::SameDevices.word(),
            Self::RepeatedOps => Repair::RepeatedOps.word(),
            Self::ClocksDiffer(..) | Self::RankClocksDiffer(..) => "clocks-differ",
            Self::AcceleratorClock(..) => "accelerator-clock",
            Self::CoarseHostClock(..) => "coarse-host-clock",
            Self::ContradictingTimes(..) => "contradicting-times",
            Self::MissingTask(_) => "missing-task",
            Self::MoreTasksMissing(_) => "more-tasks-missing",
            Self::LostTransfers(_) => "transfers-not-recorded",
            Self::KernelsNotRecorded | Self::NoKernels(_) | Self::KernelsLost(_) => "kernels-not-recorded",
            Self::OneNameOfGpus => "one-name-of-gpus",
            Self::ImpossibleMemory => "impossible-memory",
            Self::Limit(limit) => limit.code(),
            Self::RepeatedStreams => "repeated-streams",
            Self::HostProfile(_) => "host-profile",
            Self::UnjoinedEvents(_) => "host-events-unjoined",
            Self::CoveringKernels => "covering-kernels",
            Self::GraphsInPart(_) => "graphs-in-part",
            Self::RanksUnnamed => "rank-unnamed",
            Self::ZeroLengths => "zero-lengths",
        }
    }

    /// The repair for this finding, if there is one.
    pub fn repair(&self) -> Option<Repair> {
        match self {
            Self::TimeBases(_) => Some(Repair::TimeBases),
            Self::FarOps => Some(Repair::FarOps),
            Self::SameDevices(_) => Some(Repair::SameDevices),
            Self::RepeatedOps => Some(Repair::RepeatedOps),
            Self::ClocksDiffer(..)
            | Self::RankClocksDiffer(..)
            | Self::AcceleratorClock(..)
            | Self::CoarseHostClock(..)
            | Self::ContradictingTimes(..)
            | Self::MissingTask(_)
            | Self::MoreTasksMissing(_)
            | Self::LostTransfers(_)
            | Self::KernelsNotRecorded
            | Self::OneNameOfGpus
            | Self::ImpossibleMemory
            | Self::Limit(_)
            | Self::RepeatedStreams
            | Self::HostProfile(_)
            | Self::UnjoinedEvents(_)
            | Self::NoKernels(_)
            | Self::KernelsLost(_)
            | Self::CoveringKernels
            | Self::GraphsInPart(_)
            | Self::RanksUnnamed
            | Self::ZeroLengths => None,
        }
    }

    /// Whether it is a note, and nothing is wrong.
    pub fn is_note(&self) -> bool {
        matches!(self, Self::RepeatedStreams | Self::HostProfile(_) | Self::RanksUnnamed | Self::ZeroLengths)
    }
}

/// Whether a profiler lost the records of kernels: none is there, though the program waited for them.
pub fn are_kernels_lost(trace: &Trace) -> bool {
    kernels::without_kernels(trace).is_some_and(|own| matches!(own.kind, FindingKind::KernelsLost(_)))
}

/// All findings in `trace`, in time n log n; the most important come first.
pub fn findings(trace: &Trace) -> Vec<Finding> {
    let usual = Usual::of(trace);
    let mut found = Vec::new();
    found.extend(bases::find(trace, &usual));
    found.extend(far::find(trace, &usual));
    found.extend(devices::find(trace));
    found.extend(repeats::find(trace));
    found.extend(missing::find(trace));
    found.extend(gpus::find(trace));
    found.extend(memory::find(trace));
    found.extend(kernels::without_kernels(trace));
    found.extend(kernels::covering(trace));
    found.extend(graphs::in_part(trace));
    found.extend(kernels::unnamed_ranks(trace));
    found.extend(repeated_streams(trace));
    found.extend(host::find(trace));
    found.extend(zero_lengths(trace));
    found
}

/// A finding of `kind` about `ops`.
fn about(trace: &Trace, kind: FindingKind, ops: impl Iterator<Item = OpId>) -> Option<Finding> {
    let mut finding = Finding { kind, count: 0, ops: Vec::new(), devices: Vec::new() };
    for op in ops {
        finding.count += 1;
        if finding.ops.len() < MAX_OPS {
            finding.ops.push(op);
        }
        // Ops are in order of device.
        let device = trace.devices().get(finding.devices.last().copied().unwrap_or(DeviceId::new(0)));
        if finding.devices.is_empty() || !(device.first_op..device.end_op()).contains(&op.get()) {
            finding.devices.push(trace.device_of(op));
        }
    }
    (finding.count > 0).then_some(finding)
}

fn repeated_streams(trace: &Trace) -> Option<Finding> {
    let devices = trace.devices().ids().filter(|&device| trace.devices().repeats_streams(device));
    about(trace, FindingKind::RepeatedStreams, devices.flat_map(|device| trace.ops_of(device)))
}

fn zero_lengths(trace: &Trace) -> Option<Finding> {
    let is_zero = |op: &OpId| trace.ops().start(*op) == trace.ops().end(*op);
    let counted = trace.ops().ids().take(trace.counted_ops());
    about(trace, FindingKind::ZeroLengths, counted.filter(is_zero))
}

#[cfg(test)]
mod tests;
