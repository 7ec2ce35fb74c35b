//! What a part of a path was spent on, as people say it. The kind of a segment says *compute* of all that is nothing else: also of operators on the
//! host of a GPU, and of calls of its driver. It says that a producer is waited for where a call waits for what was not recorded.

use super::observed::{Segment, SegmentKind};
use super::own_kernels::OwnKernels;
use super::ranges_alone::are_ranges_alone;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::{accelerators, begins_executor};
use crate::gpu::kernels::Kernels;
use crate::gpu::unrecorded::is_gpu_unrecorded;
use crate::model::category::{is_driver_call, is_for_files};
use crate::model::device::is_of_tensors;
use crate::{Category, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// What time was spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spent {
    /// What the kind says.
    Kind(SegmentKind),
    /// An op on the host of an accelerator: it computes there, or only starts what an accelerator computes.
    HostOperator,
    /// A call of a GPU's driver that neither launches, copies, waits nor gets memory.
    DriverCall,
    /// A call that waits for a GPU, while nothing that was recorded ran on it.
    Gpu,
    /// Another call that waits.
    Unrecorded,
    /// The beginning of an executor on the host of an accelerator.
    Beginning,
    /// A tensor of a timeline whose rows are tensors waited: for other ranks, for other tensors, or for its turn.
    Tensor,
    /// A call that reads or writes a file, or asks for one.
    Files,
    /// A range, where nothing but ranges was recorded.
    Range,
}

impl Spent {
    /// The kind of these segments.
    pub fn kind(self) -> SegmentKind {
        match self {
            Self::Kind(kind) => kind,
            Self::HostOperator | Self::DriverCall | Self::Beginning | Self::Range => SegmentKind::Compute,
            Self::Gpu | Self::Unrecorded | Self::Tensor | Self::Files => SegmentKind::Producer,
        }
    }
}

/// Whether `op` is a call that neither launches, copies, waits nor gets memory.
pub fn asks_driver(trace: &Trace, op: OpId) -> bool {
    trace.category(op) == Category::Compute && trace.is_call(op)
}

/// Whether `op` is a call on a thread of a program that waits.
pub fn is_wait(trace: &Trace, op: OpId) -> bool {
    let device = trace.devices().get(trace.device_of(op));
    trace.category(op) == Category::Waiting && device.nests && !is_of_tensors(trace.text(device.name))
}

/// Whether `op` is a call for a file.
fn is_of_files(trace: &Trace, op: OpId) -> bool {
    is_for_files(trace.text(trace.nodes().reason(trace.ops().node(op))))
}

/// Whether all that waits are calls for files, and there is one.
pub fn waits_for_files_alone(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    let mut waits = nodes.ids().filter(|&node| nodes.category(node) == Category::Waiting).peekable();
    waits.peek().is_some() && waits.all(|node| is_for_files(trace.text(nodes.reason(node))))
}

/// Whether the row of `op` is a tensor.
fn of_tensors(trace: &Trace, op: OpId) -> bool {
    is_of_tensors(trace.text(trace.devices().get(trace.device_of(op)).name))
}

/// Whether `op` is a call of a driver that waits.
pub fn waits_for_gpu(trace: &Trace, op: OpId) -> bool {
    is_wait(trace, op) && is_driver_call(trace.op_type(op))
}

/// Tells what time was spent on.
pub struct Spending {
    /// For each device whether it is of the host of an accelerator.
    feeds: Vec<bool>,
    ranges_alone: bool,
}

impl Spending {
    /// That of `trace`. `is_unrecorded` says that the ops of a GPU are missing, if something else than the trace knows.
    pub fn of(trace: &Trace, is_unrecorded: bool) -> Self {
        let found = accelerators(trace);
        let has_any = !found.is_empty() || is_unrecorded || is_gpu_unrecorded(trace);
        let mut feeds = vec![has_any; trace.devices().len()];
        found.iter().flat_map(|one| &one.devices).for_each(|device| feeds[device.index()] = false);
        Self { feeds, ranges_alone: !has_any && are_ranges_alone(trace) }
    }

    /// What a segment of `kind`, in which `op` runs or has not started, was spent on.
    pub fn what(&self, trace: &Trace, kind: SegmentKind, op: OpId) -> Spent {
        match kind {
            SegmentKind::Compute if asks_driver(trace, op) => Spent::DriverCall,
            SegmentKind::Compute if self.feeds[trace.device_of(op).index()] && begins_executor(trace, op) => {
                Spent::Beginning
            }
            SegmentKind::Compute if self.feeds[trace.device_of(op).index()] => Spent::HostOperator,
            SegmentKind::Compute if self.ranges_alone => Spent::Range,
            SegmentKind::Producer if is_of_files(trace, op) => Spent::Files,
            SegmentKind::Producer if waits_for_gpu(trace, op) => Spent::Gpu,
            SegmentKind::Producer if is_wait(trace, op) => Spent::Unrecorded,
            SegmentKind::Producer if of_tensors(trace, op) => Spent::Tensor,
            kind => Spent::Kind(kind),
        }
    }

    /// What each segment of the observed path was spent on, as the verdict sums it: while kernels of an op that an executor started run, the time is the
    /// GPU's. The pieces of a segment are in no order in time.
    pub fn on_path(&self, trace: &Trace, kernels: &Kernels, segments: &[Segment]) -> Vec<(Spent, Segment)> {
        let mut of_gpus = OwnKernels::of(trace, kernels);
        let (compute, copy) = (Spent::Kind(SegmentKind::Compute), Spent::Kind(SegmentKind::Copy));
        let mut pieces = Vec::with_capacity(segments.len());
        for own in segments {
            let what = self.what(trace, own.kind, own.op);
            let is_of_host = matches!(what, Spent::HostOperator | Spent::Beginning | Spent::DriverCall);
            let mut rest = own.interval;
            let mut take = |what: Spent, length: Nanos| {
                let length = length.min(rest.length());
                if length > Nanos(0) {
                    let until = rest.start + length;
                    pieces.push((what, Segment { interval: Interval::new(rest.start, until), ..*own }));
                    rest.start = until;
                }
            };
            let what = if own.kind == SegmentKind::Copy && of_gpus.is_dispatched(own.op) {
                let [copied, computed] = of_gpus.copies_and_kernels_within(own.interval);
                take(copy, copied);
                take(compute, computed);
                Spent::HostOperator
            } else {
                if is_of_host {
                    take(compute, of_gpus.kernels_within(own));
                }
                what
            };
            take(what, own.interval.length());
        }
        pieces
    }

    /// The sums of `segments`, each a kind, an op and a length: the largest first.
    pub fn sums(
        &self,
        trace: &Trace,
        segments: impl Iterator<Item = (SegmentKind, OpId, Nanos)>,
    ) -> Vec<(Spent, Nanos)> {
        let mut rows: HashMap<Spent, usize, FixedState> = HashMap::default();
        let mut sums: Vec<(Spent, Nanos)> = Vec::new();
        for (kind, op, length) in segments {
            let what = self.what(trace, kind, op);
            let row = *rows.entry(what).or_insert_with(|| {
                sums.push((what, Nanos(0)));
                sums.len() - 1
            });
            sums[row].1 += length;
        }
        sums.retain(|&(_, length)| length > Nanos(0));
        order::by_number(&mut sums, |own| (own.1.0.wrapping_neg(), own.0.kind() as i64));
        sums
    }
}
