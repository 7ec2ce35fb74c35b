//! The verdict: what a step mostly is, in figures of the split and of the observed path, which stand under it.
//!
//! The split decides where half of the window or more is one part of it that is not idle: devices that are mostly busy, or that mostly
//! wait for one kind of thing, say what the step is. Otherwise the path decides, because idle time has its reason elsewhere. What the
//! other one of the two says stands next to it where it differs.
//!
//! The path through a host that feeds a GPU runs along the host also where the GPU is busy meanwhile. Where the path names the host or its
//! input, and the GPU's idle time is mostly for the other of the two, the idle time says what the GPU waits for.

use crate::base::units::Nanos;
use crate::causality::observed::{Segment, SegmentKind};
use crate::gpu::accelerators::accelerators;
use crate::scheduling::host_idle::{HostPart, host_idle, least_waiting};
use crate::timeline::split::Split;
use crate::{Category, OpId, StringId, Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// A part of the split decides from this share of the window on, in percent.
const DECIDES_PERCENT: i128 = 50;
/// A name is said if it has at least this share of what decides, in percent.
const NAMED_PERCENT: i128 = 50;

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
    fn agrees(self, part: SplitPart) -> bool {
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

/// Which of the two decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// The split.
    Split,
    /// The observed path.
    Path,
}

impl DecidedBy {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Split => "split",
            Self::Path => "path",
        }
    }
}

/// What a GPU waits for while it is idle because of its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    /// The next batch, which its host loads.
    Input,
    /// Anything else that its host does.
    Host,
}

impl WaitsFor {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Host => "host",
        }
    }
}

/// What a step mostly is.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The length of what is shown.
    pub length: Nanos,
    /// The number of accelerators.
    pub accelerators: usize,
    /// The number of devices of which the split is the mean: accelerators that only copy are left out where another one does more.
    pub devices: usize,
    /// The largest part of the split.
    pub split: (SplitPart, Nanos),
    /// How much of the split is compute.
    pub compute: Nanos,
    /// How much of it is anything but idle.
    pub busy: Nanos,
    /// The largest part of the observed path; `None` where times of tasks cannot be compared, and where nothing took time.
    pub path: Option<(PathPart, Nanos)>,
    /// Of the time of the host on the path: its operators, its calls of a driver, and the time between these.
    pub host: [Nanos; 3],
    /// For what the GPU that waits least for its host is mostly idle, and how long, where the path names the other one of the host and its
    /// input.
    pub waits: Option<(WaitsFor, Nanos)>,
    /// Which of the two decides.
    pub by: DecidedBy,
    /// Whether the two say the same.
    pub agrees: bool,
    /// An op of the op type that has most of what decides, and how much, if it has at least half.
    pub mostly: Option<(OpId, Nanos)>,
}

impl Verdict {
    /// The verdict on what `study` shows; `None` if nothing took any time.
    pub fn of(study: &Study) -> Option<Self> {
        let trace = study.trace();
        let span = trace.span();
        let split = study.step_split(span);
        let parts = || SplitPart::all().map(|part| (part, part.of(&split)));
        let largest = first_largest(parts())?;
        if span.length() <= Nanos(0) {
            return None;
        }
        let compares = study.clock_doubt().is_none();
        let hosts = Hosts::of(trace);
        let segments = match compares {
            true => study.causes().observed.segments.as_slice(),
            false => &[],
        };
        let mut sums = [Nanos(0); PathPart::ALL.len()];
        let mut host = [Nanos(0); 3];
        for own in segments {
            let part = hosts.part(trace, own);
            sums[part as usize] += own.interval.length();
            if part == PathPart::Host {
                host[place_of_host(trace, own)] += own.interval.length();
            }
        }
        // A reason that is not known for longer than the devices are idle says nothing of them: they work meanwhile.
        let is_told = |&(part, time): &(PathPart, Nanos)| part != PathPart::Unknown || time <= split.idle;
        let path = first_largest(PathPart::ALL.into_iter().zip(sums)).filter(is_told);
        let is_most = |time: Nanos| i128::from(time.0) * 100 >= i128::from(span.length().0) * DECIDES_PERCENT;
        let working = first_largest(parts().filter(|&(part, _)| part != SplitPart::Idle));
        let (by, split_part) = match working {
            Some(working) if is_most(working.1) => (DecidedBy::Split, working),
            _ if path.is_none() => (DecidedBy::Split, largest),
            _ => (DecidedBy::Path, largest),
        };
        let agrees = path.is_some_and(|(part, _)| part.agrees(split_part.0));
        let decided = match (by, path) {
            (DecidedBy::Path, Some((part, _))) => Some(part),
            (DecidedBy::Split, Some((part, _))) if agrees => Some(part),
            _ => None,
        };
        let mostly = decided.and_then(|decided| {
            let own = segments.iter().filter(|own| hosts.part(trace, own) == decided);
            most_of(trace, own)
        });
        let waits = path.and_then(|(part, _)| waits_for(study, part));
        Some(Self {
            length: span.length(),
            accelerators: hosts.accelerators,
            devices: study.counted().count(),
            split: split_part,
            compute: split.compute,
            busy: span.length() - split.idle,
            path,
            host,
            waits,
            by,
            agrees,
            mostly,
        })
    }
}

/// For what a GPU is idle, and how long, if that is not what `part` of the path names.
fn waits_for(study: &Study, part: PathPart) -> Option<(WaitsFor, Nanos)> {
    let named = match part {
        PathPart::Host => WaitsFor::Host,
        PathPart::Input => WaitsFor::Input,
        _ => return None,
    };
    let trace = study.trace();
    // Without any, both readings name the host.
    if trace.nodes().ids().all(|node| trace.nodes().category(node) != Category::Input) {
        return None;
    }
    let hosts = host_idle(study.edges(), study.kernels());
    let own = least_waiting(&hosts)?;
    let (input, other) = (own.part(HostPart::Input), own.without_input());
    let most = if input > other { (WaitsFor::Input, input) } else { (WaitsFor::Host, other) };
    Some(most).filter(|&(found, time)| found != named && time > Nanos(0))
}

/// The one with the most time, of equal ones the first; `None` if none has any.
fn first_largest<T: Copy>(all: impl Iterator<Item = (T, Nanos)>) -> Option<(T, Nanos)> {
    let mut found: Option<(T, Nanos)> = None;
    for own in all {
        if own.1 > found.map_or(Nanos(0), |(_, most)| most) {
            found = Some(own);
        }
    }
    found
}

fn place_of_host(trace: &Trace, own: &Segment) -> usize {
    match own.kind {
        SegmentKind::Compute if trace.is_call(own.op) => 1,
        SegmentKind::Compute => 0,
        SegmentKind::Launching | SegmentKind::Allocating => 1,
        _ => 2,
    }
}

/// The op type that has most of `segments` in which something ran: its longest op, and how much it has; `None` below half.
fn most_of<'a>(trace: &Trace, segments: impl Iterator<Item = &'a Segment>) -> Option<(OpId, Nanos)> {
    let mut rows: HashMap<StringId, (Nanos, Nanos, OpId), FixedState> = HashMap::default();
    let mut all = Nanos(0);
    for own in segments {
        let length = own.interval.length();
        all += length;
        // Between two ops nothing of the second one ran.
        if !matches!(own.kind, SegmentKind::Gap | SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps)
        {
            let op_type = trace.nodes().op_type(trace.ops().node(own.op));
            let row = rows.entry(op_type).or_insert((Nanos(0), Nanos(0), own.op));
            row.0 += length;
            if length > row.1 {
                (row.1, row.2) = (length, own.op);
            }
        }
    }
    let most = rows.into_values().max_by_key(|&(sum, _, op)| (sum, std::cmp::Reverse(op)));
    let most = most.filter(|(sum, ..)| i128::from(sum.0) * 100 >= i128::from(all.0) * NAMED_PERCENT);
    most.map(|(sum, _, op)| (op, sum))
}

/// Which devices are those of a host that feeds an accelerator.
struct Hosts {
    accelerators: usize,
    is_accelerator: Vec<bool>,
}

impl Hosts {
    fn of(trace: &Trace) -> Self {
        let found = accelerators(trace);
        let mut is_accelerator = vec![false; trace.devices().len()];
        found.iter().flat_map(|one| &one.devices).for_each(|device| is_accelerator[device.index()] = true);
        Self { accelerators: found.len(), is_accelerator }
    }

    fn part(&self, trace: &Trace, own: &Segment) -> PathPart {
        let is_on_host = self.accelerators > 0 && !self.is_accelerator[trace.device_of(own.op).index()];
        // A kernel that was launched waits for nothing but its launch.
        let is_launched = self.accelerators > 0 && own.kind == SegmentKind::Launching;
        PathPart::of(own.kind, is_on_host || is_launched, self.accelerators > 0)
    }
}
