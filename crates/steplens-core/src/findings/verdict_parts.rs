//! The parts of the split and of the observed path that a verdict names.

use crate::base::units::Nanos;
use crate::causality::observed::{Segment, SegmentKind};
use crate::gpu::accelerators::accelerators;
use crate::gpu::unrecorded::is_gpu_unrecorded;
use crate::scheduling::launched_idle::MOST_LATENCY;
use crate::timeline::split::Split;
use crate::{Category, Trace};

/// A part of the split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitPart {
    /// Time of a category.
    Of(Category),
    /// Time in which nothing ran.
    Idle,
}

impl SplitPart {
    /// All parts, in the order of the split.
    pub fn all() -> impl Iterator<Item = Self> {
        Category::parts().map(Self::Of).chain([Self::Idle])
    }

    /// The time of this part.
    pub fn of(self, split: &Split) -> Nanos {
        match self {
            Self::Of(category) => split.part(category),
            Self::Idle => split.idle,
        }
    }

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Of(category) => category.word(),
            Self::Idle => "idle",
        }
    }
}

/// What the time of the observed path is summed by. Where accelerators were recorded, ops of the host, its calls, and the time between
/// them are one: nothing else ran while the path was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum PathPart {
    /// Ops of an accelerator, or of any device where no accelerator was recorded.
    Compute,
    /// Copies.
    Copy,
    /// Tensors and collectives on their way, or not sent yet.
    Network,
    /// Waits whose reason was not recorded.
    Waiting,
    /// Ops that were ready and queued behind others.
    Behind,
    /// Getting ops to run, where no accelerator was recorded.
    Launching,
    /// Calls that get memory or give it back.
    Allocating,
    /// Loading of the next batch.
    Input,
    /// Before the first op of a task.
    Starting,
    /// The host: its ops, its calls of a driver, and the time between these.
    Host,
    /// A thread of a program was between its ops, where no accelerator was recorded.
    Between,
    /// Nothing recorded says why.
    Unknown,
}

impl PathPart {
    /// All parts.
    pub const ALL: [Self; 12] = [
        Self::Compute,
        Self::Copy,
        Self::Network,
        Self::Waiting,
        Self::Behind,
        Self::Launching,
        Self::Allocating,
        Self::Input,
        Self::Starting,
        Self::Host,
        Self::Between,
        Self::Unknown,
    ];

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Copy => "copy",
            Self::Network => "network",
            Self::Waiting => "waiting",
            Self::Behind => "behind",
            Self::Launching => "launching",
            Self::Allocating => "allocation",
            Self::Input => "input",
            Self::Starting => "starting",
            Self::Host => "host",
            Self::Between => "between",
            Self::Unknown => "unknown",
        }
    }

    fn of(kind: SegmentKind, is_on_host: bool, has_accelerators: bool) -> Self {
        match kind {
            SegmentKind::Compute
            | SegmentKind::Launching
            | SegmentKind::Allocating
            | SegmentKind::HostBetweenOps
                if is_on_host =>
            {
                Self::Host
            }
            SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps if !has_accelerators => Self::Between,
            SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps => Self::Host,
            SegmentKind::Compute => Self::Compute,
            SegmentKind::Copy => Self::Copy,
            SegmentKind::Transit | SegmentKind::SenderQueue => Self::Network,
            SegmentKind::Producer => Self::Waiting,
            SegmentKind::Behind => Self::Behind,
            SegmentKind::Launching => Self::Launching,
            SegmentKind::Allocating => Self::Allocating,
            SegmentKind::Input => Self::Input,
            SegmentKind::Starting => Self::Starting,
            SegmentKind::Gap => Self::Unknown,
        }
    }

    /// Whether the two say the same.
    pub fn agrees(self, part: SplitPart) -> bool {
        matches!(
            (self, part),
            (Self::Compute, SplitPart::Of(Category::Compute))
                | (Self::Copy, SplitPart::Of(Category::Copy))
                | (Self::Network, SplitPart::Of(Category::Communication))
                | (Self::Waiting, SplitPart::Of(Category::Waiting))
                | (Self::Launching, SplitPart::Of(Category::Launch))
                | (Self::Allocating, SplitPart::Of(Category::Allocation))
                | (Self::Input, SplitPart::Of(Category::Input))
        )
    }
}

/// Which devices are those of a host that feeds an accelerator.
pub(super) struct Hosts {
    /// The number of accelerators.
    pub(super) accelerators: usize,
    is_accelerator: Vec<bool>,
    /// Whether the host only started what a GPU did that was not recorded: then starting an op and running it are one.
    is_unrecorded: bool,
}

impl Hosts {
    pub(super) fn of(trace: &Trace) -> Self {
        let found = accelerators(trace);
        let mut is_accelerator = vec![false; trace.devices().len()];
        found.iter().flat_map(|one| &one.devices).for_each(|device| is_accelerator[device.index()] = true);
        let is_unrecorded = found.is_empty() && is_gpu_unrecorded(trace);
        Self { accelerators: found.len(), is_accelerator, is_unrecorded }
    }

    /// The part of the path that `own` belongs to.
    pub(super) fn part(&self, trace: &Trace, own: &Segment) -> PathPart {
        let is_on_host = self.accelerators > 0 && !self.is_accelerator[trace.device_of(own.op).index()];
        // A kernel that was launched waits for nothing but its launch; for longer than that takes, nothing says why.
        let is_launched = self.accelerators > 0 && own.kind == SegmentKind::Launching;
        if is_launched && trace.call_of(own.op).is_some() && own.interval.length() > MOST_LATENCY {
            return PathPart::Unknown;
        }
        match PathPart::of(own.kind, is_on_host || is_launched, self.accelerators > 0) {
            PathPart::Launching if self.is_unrecorded => PathPart::Compute,
            part => part,
        }
    }
}
