//! The doctor: what is wrong with a trace that reads well, and what can be done about it.
//!
//! A [`Finding`] says what was found, on which devices, with which ops. Some can be repaired: [`repaired`] makes the trace
//! that would be there without them. Nothing is repaired that the user did not ask for.
//!
//! | finding | repair |
//! |---|---|
//! | [`TimeBases`](FindingKind::TimeBases) | devices whose clock counts from elsewhere are moved to where the others start |
//! | [`FarOps`](FindingKind::FarOps) | ops whose times cannot be are left out |
//! | [`SameDevices`](FindingKind::SameDevices) | two names of one device become one |
//! | [`RepeatedOps`](FindingKind::RepeatedOps) | what was recorded, or opened, twice is counted once |
//! | [`ClocksDiffer`](FindingKind::ClocksDiffer) | clocks can be set: a choice of the view ([`crate::clocks`]) |
//! | [`ContradictingTimes`](FindingKind::ContradictingTimes) | none: no clocks explain them; they say nothing of the clocks |
//! | [`MissingTask`](FindingKind::MissingTask) | none: what was not recorded is not there |
//! | [`MoreTasksMissing`](FindingKind::MoreTasksMissing) | the same, for those beyond the first |
//! | [`ImpossibleMemory`](FindingKind::ImpossibleMemory) | none: the figures are shown as they were reported |
//! | [`Limit`](FindingKind::Limit) | none: an analysis left something out, because there is too much of it |
//! | [`RepeatedStreams`](FindingKind::RepeatedStreams) | none is needed: they are shown, and counted once |
//! | [`HostProfile`](FindingKind::HostProfile) | none is needed: it is shown, and counts nowhere |
//! | [`UnjoinedEvents`](FindingKind::UnjoinedEvents) | none: of these ops the thread is not known |
//! | [`ZeroLengths`](FindingKind::ZeroLengths) | none: they are shown where they started |

mod bases;
mod devices;
mod far;
mod host;
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

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Of which kind.
    pub kind: FindingKind,
    /// How many ops are concerned.
    pub count: u64,
    /// Some of them, the first, at most [`MAX_OPS`]; ids of the trace that was analysed.
    pub ops: Vec<OpId>,
    /// The devices concerned.
    pub devices: Vec<DeviceId>,
}

/// What a finding is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// Groups of devices run at times that are far apart, as if their clocks counted from different moments. For each
    /// group how much later it is to be, in ns, to start with the reference; that one, the first, stays.
    TimeBases(Vec<(Vec<DeviceId>, i64)>),
    /// Single ops start or end far from all others.
    FarOps,
    /// Devices with different names that are one: for each that is to go, the one that it is.
    SameDevices(Vec<(DeviceId, DeviceId)>),
    /// Nearly all ops of a part are in another part, too.
    RepeatedOps,
    /// Of so many tensors between tasks, some are received before they were made: by this much at most.
    ClocksDiffer(u64, Nanos),
    /// Of so many tensors between tasks, some have times that no clocks explain; one is received by this much before it was made.
    ContradictingTimes(u64, Nanos),
    /// Transfers, graphs or the numbering name a task that has no op.
    MissingTask(String),
    /// The same of more tasks, of so many.
    MoreTasksMissing(u64),
    /// Allocators report of ops what cannot be.
    ImpossibleMemory,
    /// An analysis left something out.
    Limit(Limit),
    /// `stream:all` and `memcpy` hold what the numbered streams hold.
    RepeatedStreams,
    /// TensorFlow's host profiler recorded ops of the executor once more.
    HostProfile(Counts),
    /// Of so many events of the host profiler that are named like ops of the step, some are none of the executor's.
    UnjoinedEvents(u64),
    /// Ops of length zero.
    ZeroLengths,
}

/// What can be done about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Of [`FindingKind::TimeBases`].
    TimeBases,
    /// Of [`FindingKind::FarOps`].
    FarOps,
    /// Of [`FindingKind::SameDevices`].
    SameDevices,
    /// Of [`FindingKind::RepeatedOps`].
    RepeatedOps,
}

impl Repair {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::TimeBases, Self::FarOps, Self::SameDevices, Self::RepeatedOps];

    /// Its word, that of the finding.
    pub fn word(self) -> &'static str {
        match self {
            Self::TimeBases => "time-bases",
            Self::FarOps => "far-ops",
            Self::SameDevices => "same-devices",
            Self::RepeatedOps => "repeated-ops",
        }
    }

    /// The repair that `word` names.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|repair| repair.word() == word)
    }
}

/// How many of its ops a finding names.
pub const MAX_OPS: usize = 100;

impl FindingKind {
    /// Its word in every output.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TimeBases(_) => Repair::TimeBases.word(),
            Self::FarOps => Repair::FarOps.word(),
            Self::SameDevices(_) => Repair::SameDevices.word(),
            Self::RepeatedOps => Repair::RepeatedOps.word(),
            Self::ClocksDiffer(..) => "clocks-differ",
            Self::ContradictingTimes(..) => "contradicting-times",
            Self::MissingTask(_) => "missing-task",
            Self::MoreTasksMissing(_) => "more-tasks-missing",
            Self::ImpossibleMemory => "impossible-memory",
            Self::Limit(limit) => limit.code(),
            Self::RepeatedStreams => "repeated-streams",
            Self::HostProfile(_) => "host-profile",
            Self::UnjoinedEvents(_) => "host-events-unjoined",
            Self::ZeroLengths => "zero-lengths",
        }
    }

    /// What [`repaired`] does about it.
    pub fn repair(&self) -> Option<Repair> {
        match self {
            Self::TimeBases(_) => Some(Repair::TimeBases),
            Self::FarOps => Some(Repair::FarOps),
            Self::SameDevices(_) => Some(Repair::SameDevices),
            Self::RepeatedOps => Some(Repair::RepeatedOps),
            Self::ClocksDiffer(..)
            | Self::ContradictingTimes(..)
            | Self::MissingTask(_)
            | Self::MoreTasksMissing(_)
            | Self::ImpossibleMemory
            | Self::Limit(_)
            | Self::RepeatedStreams
            | Self::HostProfile(_)
            | Self::UnjoinedEvents(_)
            | Self::ZeroLengths => None,
        }
    }

    /// Whether it is only to be known, and nothing is wrong.
    pub fn is_note(&self) -> bool {
        matches!(self, Self::RepeatedStreams | Self::HostProfile(_) | Self::ZeroLengths)
    }
}

/// Everything that is found in `trace`, in time n log n; what matters most comes first.
pub fn findings(trace: &Trace) -> Vec<Finding> {
    let usual = Usual::of(trace);
    let mut found = Vec::new();
    found.extend(bases::find(trace, &usual));
    found.extend(far::find(trace, &usual));
    found.extend(devices::find(trace));
    found.extend(repeats::find(trace));
    found.extend(missing::find(trace));
    found.extend(memory::find(trace));
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
        // Ops come by device.
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
