//! What ran on a GPU while the observed path is in an op of an executor. Such an op may last until its kernels have run: a convolution that tries
//! algorithms waits for each. While kernels of that very op run, the time of the path is the GPU's. An op that copies waits for its turn on the GPU,
//! too: it is copying while something is copied, and the GPU's while a kernel runs. So is an op that reads a result back, until it has it: whatever
//! kernels run, it waits for them.

use super::observed::{Segment, SegmentKind};
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::{accelerators, dispatched_to};
use crate::gpu::kernels::{Kernels, has_kernels};
use crate::gpu::reads_back::{ReadBack, read_back};
use crate::storage::busy::Busy;
use crate::{Category, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The kernels that ran during the very ops that an executor started them by.
pub(crate) struct OwnKernels<'a> {
    trace: &'a Trace,
    kernels: &'a Kernels,
    /// For each device whether an executor starts ops of a recorded GPU there.
    is_dispatched: Vec<bool>,
    of_op: HashMap<OpId, Busy, FixedState>,
    read_back: ReadBack,
    /// When anything was copied, and when a kernel ran or anything was copied.
    of_gpus: Option<[Busy; 2]>,
}

impl<'a> OwnKernels<'a> {
    pub(crate) fn of(trace: &'a Trace, kernels: &'a Kernels) -> Self {
        let mut is_dispatched = vec![false; trace.devices().len()];
        let devices = dispatched_to(trace, &accelerators(trace)).into_iter().flatten();
        devices.for_each(|device| is_dispatched[device.index()] = true);
        let (of_op, read_back) = (HashMap::default(), read_back(trace, kernels));
        Self { trace, kernels, is_dispatched, of_op, read_back, of_gpus: None }
    }

    /// Whether an executor started `op` to run on a recorded GPU.
    pub(crate) fn is_dispatched(&self, op: OpId) -> bool {
        self.is_dispatched[self.trace.device_of(op).index()]
    }

    /// How long GPUs copied within `interval`, and how long they only computed.
    pub(crate) fn copies_and_kernels_within(&mut self, interval: Interval) -> [Nanos; 2] {
        let trace = self.trace;
        let [copies, both] = self.of_gpus.get_or_insert_with(|| {
            let busy = |is_it: &dyn Fn(Category) -> bool| {
                let kernels = trace.devices().ids().filter(|&device| has_kernels(trace, device));
                let ops = kernels.flat_map(|device| trace.ops_of(device));
                let mut intervals: Vec<Interval> =
                    ops.filter(|&op| is_it(trace.category(op))).map(|op| trace.ops().interval(op)).collect();
                order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
                Busy::of(intervals.into_iter())
            };
            let is_copy = |category: Category| category == Category::Copy;
            [busy(&is_copy), busy(&|category| is_copy(category) || category == Category::Compute)]
        });
        let copied = copies.within(interval);
        [copied, both.within(interval) - copied]
    }

    /// How long kernels of the op of `own` ran during it.
    pub(crate) fn kernels_within(&mut self, own: &Segment) -> Nanos {
        let trace = self.trace;
        if own.kind != SegmentKind::Compute || !self.is_dispatched(own.op) {
            return Nanos(0);
        }
        if let Some(&copied) = self.read_back.get(&own.op) {
            let waited = Interval::new(own.interval.start, own.interval.end.min(copied));
            return self.copies_and_kernels_within(waited)[1];
        }
        let busy = self.of_op.entry(own.op).or_insert_with(|| {
            // In order of start; copies have a part of their own.
            let kernels = self.kernels.of_op(trace, own.op).into_iter();
            let kernels = kernels.filter(|&kernel| trace.category(kernel) == Category::Compute);
            Busy::of(kernels.map(|kernel| trace.ops().interval(kernel)))
        });
        busy.within(own.interval)
    }
}
