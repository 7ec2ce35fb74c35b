//! Copies of tensors that waited for kernels of another stream.
//!
//! TensorFlow copies between a GPU and its host on streams of their own, and each copy waits for all that the stream of the kernels was given
//! before it (`gpu_util.cc`, `ThenWaitFor`), also for kernels of other ops. No row of the file says so. It is inferred of a copy that begins
//! right after a kernel of another stream has ended, long after everything that it is known to have needed, if kernels of the GPU ran for half
//! of that time or more. A kernel whose op is not known has no cause that a path could go on with, so no copy is said to have waited for it.

use super::nodes::Nodes;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::kernels::Kernels;
use crate::model::device::DeviceKind;
use crate::model::device_name::{gpu_key, gpu_of};
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// How long after the kernel that it waited for a copy starts, at most; a copy that was ready for no longer than this did not wait.
const STARTS: Nanos = Nanos(15_000);

/// The kernels of each GPU whose streams are devices.
#[derive(Default)]
pub(super) struct BehindKernels {
    /// For each device the place of its GPU, plus one.
    gpu_of: Vec<u32>,
    gpus: Vec<Gpu>,
}

#[derive(Default)]
struct Gpu {
    /// (end, kernel) of those whose op is known, in that order.
    ended: Vec<(Timestamp, OpId)>,
    busy: Busy,
}

impl BehindKernels {
    /// Collects the kernels, in time n log n; without cost where calls say what was launched when, or no stream is a device.
    pub(super) fn found(trace: &Trace, kernels: &Kernels) -> Self {
        let is_stream = |id: &DeviceId| trace.devices().get(*id).kind == DeviceKind::Stream;
        let streams: Vec<DeviceId> = trace.devices().ids().filter(is_stream).collect();
        if !trace.calls().is_empty() || streams.len() < 2 {
            return Self::default();
        }
        let mut found = Self { gpu_of: vec![0; trace.devices().len()], gpus: Vec::new() };
        let mut places: HashMap<String, u32, FixedState> = HashMap::default();
        let mut ran: Vec<Vec<Interval>> = Vec::new();
        for device in streams {
            let key = gpu_key(gpu_of(trace.text(trace.devices().get(device).name)));
            let place = *places.entry(key).or_insert_with(|| {
                found.gpus.push(Gpu::default());
                ran.push(Vec::new());
                found.gpus.len() as u32
            });
            found.gpu_of[device.index()] = place;
            let gpu = (place - 1) as usize;
            for op in trace.ops_of(device).filter(|&op| trace.category(op) == Category::Compute) {
                if kernels.op_of(op).is_some() {
                    found.gpus[gpu].ended.push((trace.ops().end(op), op));
                }
                ran[gpu].push(trace.ops().interval(op));
            }
        }
        for (gpu, mut ran) in found.gpus.iter_mut().zip(ran) {
            order::by_number(&mut gpu.ended, |(end, op)| (end.0, i64::from(op.get())));
            order::by_number(&mut ran, |own| (own.start.0, own.end.0));
            gpu.busy = Busy::of(ran.into_iter());
        }
        found
    }

    /// The kernel of another stream that the copy `op` waited for, if it was ready at `since`.
    pub(super) fn before(&self, trace: &Trace, nodes: &Nodes, op: OpId, since: Timestamp) -> Option<u32> {
        let device = trace.device_of(op);
        let place = self.gpu_of.get(device.index())?.checked_sub(1)?;
        let gpu = &self.gpus[place as usize];
        let waited = Interval::new(since, trace.ops().start(op));
        if trace.category(op) != Category::Copy || waited.length() <= STARTS {
            return None;
        }
        let count = gpu.ended.partition_point(|&(end, _)| end <= waited.end);
        let &(end, kernel) = gpu.ended.get(count.checked_sub(1)?)?;
        let is_right_before = end > since && waited.end - end <= STARTS;
        if !is_right_before || trace.device_of(kernel) == device {
            return None;
        }
        let is_busy = gpu.busy.within(waited).0.saturating_mul(2) >= waited.length().0;
        nodes.of_op(kernel).filter(|_| is_busy)
    }
}
