//! Segments of the observed path: what each moment was spent on.

use super::edge_kind::EdgeKind;
use crate::base::units::{Interval, Nanos};
use crate::{Category, OpId};

/// What a moment of the path was spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum SegmentKind {
    /// An op ran.
    Compute = 0,
    /// A copy between host and device, or between devices of one task.
    Copy = 1,
    /// A tensor was in transit, or a collective ran.
    Transit = 2,
    /// A tensor was made but not sent yet.
    SenderQueue = 3,
    /// A wait whose length was recorded, but not its reason.
    Producer = 4,
    /// An op was ready, and other ops ran before it on its threads. Only what is said of a single op has this: the path goes to the
    /// op that held the thread.
    Behind = 5,
    /// The time between the decision to run an op and its start: dispatch, launches, return from a call.
    Launching = 6,
    /// A call that gets memory or gives it back.
    Allocating = 7,
    /// Loading of the next batch.
    Input = 8,
    /// The step had started on other tasks, but not yet on the task of this op: that ran nothing, or was not recorded yet.
    Starting = 9,
    /// A thread of a program was between two of its recorded ops, or a thread that feeds a GPU ran no recorded op.
    HostBetweenOps = 10,
    /// The same on a thread that runs Python and feeds a GPU: Python ran, which is not recorded as ops.
    PythonBetweenOps = 11,
    /// Nothing ran, and nothing that was recorded says why.
    Gap = 12,
}

impl SegmentKind {
    /// All kinds.
    pub const ALL: [Self; 13] = [
        Self::Compute,
        Self::Copy,
        Self::Transit,
        Self::SenderQueue,
        Self::Producer,
        Self::Behind,
        Self::Launching,
        Self::Allocating,
        Self::Input,
        Self::Starting,
        Self::HostBetweenOps,
        Self::PythonBetweenOps,
        Self::Gap,
    ];

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Copy => "copy",
            Self::Transit => "transit",
            Self::SenderQueue => "sender-queue",
            Self::Producer => "producer",
            Self::Behind => "behind",
            Self::Launching => "launching",
            Self::Allocating => "allocation",
            Self::Input => "input",
            Self::Starting => "starting",
            Self::HostBetweenOps => "host-between-ops",
            Self::PythonBetweenOps => "python-between-ops",
            Self::Gap => "gap",
        }
    }

    /// The kind of a segment in which an op of `category` runs.
    pub fn of_op(category: Category) -> Self {
        match category {
            Category::Compute | Category::Range => Self::Compute,
            Category::Copy => Self::Copy,
            Category::Communication => Self::Transit,
            Category::Launch => Self::Launching,
            Category::Allocation => Self::Allocating,
            Category::Input => Self::Input,
            Category::Waiting => Self::Producer,
        }
    }
}

/// A segment of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The op that ran, or that had not started yet.
    pub op: OpId,
    /// What the time was spent on.
    pub kind: SegmentKind,
    /// The start and the end.
    pub interval: Interval,
    /// For an op that waited for its thread or link: the op that held it last, and how many ops ended there meanwhile.
    pub behind: Option<(OpId, u32)>,
    /// For a time in which Python ran between two ops: the innermost Python frame, where the stack was recorded.
    pub frame: Option<OpId>,
    /// How the path leads to the op: by which edge from the op before, and whether that edge is inferred. Only the segment in which
    /// an op of the path runs has this.
    pub edge: Option<(EdgeKind, bool)>,
    /// How much earlier the op could have run, if its thread, link or GPU had been free.
    pub earlier: Nanos,
    /// For how much of this time a later op of the path was ready, and waited for its thread, link or GPU.
    pub held: Nanos,
}

impl Segment {
    /// A segment about which nothing else is known.
    pub fn new(op: OpId, kind: SegmentKind, interval: Interval) -> Self {
        Self { op, kind, interval, behind: None, frame: None, edge: None, earlier: Nanos(0), held: Nanos(0) }
    }
}
