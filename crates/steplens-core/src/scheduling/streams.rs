//! Streams of GPUs: how long kernels waited in them, and what a stream waited for while it was empty.
//!
//! A gap lies between the end of all earlier kernels of a stream and the start of the next one. [`Idle`] divides it. A kernel of
//! another stream of the same GPU that ended shortly before is taken as what the next kernel waited for.

use super::RunBy;
use super::idle::{Hosts, Idle, OtherEnd, STARTING};
use super::moments::launched;
use super::sums::percentile;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::accelerators::{Accelerator, accelerators};
use crate::makers::Edges;
use crate::transfers::Transfers;
use crate::{Category, DeviceId, OpId, Trace};

/// What a stream waited for in its gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// The number of gaps.
    pub count: u64,
    /// The length of all gaps together.
    pub length: Nanos,
    /// The number of kernels that started on an empty stream less than [`STARTING`] after their launch: they waited for the host
    /// alone.
    pub waited_for_host: u64,
    /// What the gaps were spent on.
    pub idle: Idle,
    /// The longest gap, and the kernel after it.
    pub longest: Option<(OpId, Interval)>,
}

/// One stream of a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Its device.
    pub device: DeviceId,
    /// Its thread, where one device has all streams of the GPU.
    pub thread: u32,
    /// How many kernels and copies it ran.
    pub kernels: u64,
    /// For how long any of them ran in the step.
    pub busy: Nanos,
    /// How many of them have a recorded launch.
    pub launched: u64,
    /// The times from launch to start, summed.
    pub queue: Nanos,
    /// The median of these times.
    pub queue_p50: Nanos,
    /// The time that 99 of 100 kernels do not exceed.
    pub queue_p99: Nanos,
    /// The most kernels that were launched and had not started at the same moment.
    pub most_queued: u32,
    /// The gaps between its first and last kernel, in the step.
    pub gaps: Gaps,
}

/// The streams of every GPU, in the order of their devices and threads. Devices that repeat the ops of others are left out.
pub(super) fn streams(edges: Edges<'_>, hosts: &Hosts) -> Vec<Stream> {
    let trace = edges.trace;
    let mut found = Vec::new();
    for gpu in accelerators(trace) {
        let kernels = work_of(trace, edges.transfers, &gpu);
        let mut ended: Vec<(Timestamp, u32, bool)> = Vec::with_capacity(kernels.len());
        let same = |a: &(DeviceId, u32, OpId), b: &(DeviceId, u32, OpId)| (a.0, a.1) == (b.0, b.1);
        for (kernels_here, number) in kernels.chunk_by(same).zip(0_u32..) {
            let is_collective = |op: OpId| trace.category(op) == Category::Communication;
            let row = |op: OpId| (trace.ops().end(op), number, is_collective(op));
            ended.extend(kernels_here.iter().map(|&(_, _, op)| row(op)));
        }
        order::by_number(&mut ended, |(end, number, _)| (end.0, i64::from(number)));
        let ended = OtherEnds::of(&ended);
        for (kernels_here, number) in kernels.chunk_by(same).zip(0_u32..) {
            found.extend(stream(edges, hosts, kernels_here, number, &ended));
        }
    }
    found
}

/// What ran on the streams of `gpu`: stream by stream, in order of start.
pub(super) fn work_of(
    trace: &Trace,
    transfers: &Transfers,
    gpu: &Accelerator<'_>,
) -> Vec<(DeviceId, u32, OpId)> {
    let mut work: Vec<(DeviceId, u32, OpId)> = Vec::new();
    for device in gpu.unrepeated(trace) {
        let on_stream = trace.ops_of(device);
        let on_stream = on_stream.filter(|&op| RunBy::of(trace, transfers, op) == RunBy::Stream);
        work.extend(on_stream.map(|op| (device, trace.ops().thread(op), op)));
    }
    // The sort is stable: the work of one stream stays in order of start.
    order::by_number(&mut work, |(device, thread, _)| (i64::from(device.get()), i64::from(thread)));
    work
}

fn stream(
    edges: Edges<'_>,
    hosts: &Hosts,
    kernels: &[(DeviceId, u32, OpId)],
    number: u32,
    ended: &OtherEnds<'_>,
) -> Option<Stream> {
    let (ops, window) = (edges.trace.ops(), edges.trace.span());
    let &(device, thread, first) = kernels.first()?;
    let (mut queues, mut waiting) = (Vec::new(), Vec::new());
    let mut gaps = Gaps::default();
    let mut busy = Nanos(0);
    let mut now = ops.start(first);
    for &(_, _, op) in kernels {
        let interval = ops.interval(op);
        let launch = launched(edges.trace, op);
        if let Some(launch) = launch {
            queues.push((interval.start - launch).0);
            waiting.extend([(launch, 1_i64), (interval.start, -1)]);
        }
        // Outside the period of a step only its own kernels are there: what else its streams ran is not.
        let gap = Interval::new(now, interval.start).clamp_to(window);
        if gap.length() > Nanos(0) {
            gaps.add(edges.trace, hosts, op, gap, ended.last_within(number, gap));
        }
        busy += Interval::new(interval.start.max(now), interval.end).clamp_to(window).length();
        now = now.max(interval.end);
    }
    // At the same moment, kernels that start are removed before launched ones are added.
    order::by_number(&mut waiting, |(at, change)| (at.0, change));
    let (mut queued, mut most_queued) = (0_i64, 0_i64);
    for (_, change) in waiting {
        queued += change;
        most_queued = most_queued.max(queued);
    }
    Some(Stream {
        device,
        thread,
        kernels: kernels.len() as u64,
        busy,
        launched: queues.len() as u64,
        queue: queues.iter().fold(Nanos(0), |sum, &queue| sum + Nanos(queue)),
        queue_p50: percentile(&mut queues, 50),
        queue_p99: percentile(&mut queues, 99),
        most_queued: most_queued as u32,
        gaps,
    })
}

impl Gaps {
    /// Adds a gap before `op`. `other` is the kernel of another stream that ended last within the
    /// gap.
    fn add(&mut self, trace: &Trace, hosts: &Hosts, op: OpId, gap: Interval, other: Option<OtherEnd>) {
        self.count += 1;
        self.length += gap.length();
        if self.longest.is_none_or(|(_, longest)| gap.length() > longest.length()) {
            self.longest = Some((op, gap));
        }
        let is_alone = |launch: Timestamp| launch > gap.start && gap.end - launch <= STARTING;
        self.waited_for_host += u64::from(launched(trace, op).is_some_and(is_alone));
        self.idle.add(trace, hosts, op, gap, other);
    }
}

/// The ends of a GPU's kernels; finds the last end on another stream in constant time.
struct OtherEnds<'a> {
    /// The time and the stream of each end, and whether it is that of a collective, in order.
    ended: &'a [(Timestamp, u32, bool)],
    /// For each place the last earlier place whose stream differs, plus one.
    before: Vec<u32>,
}

impl<'a> OtherEnds<'a> {
    fn of(ended: &'a [(Timestamp, u32, bool)]) -> Self {
        let mut before = Vec::with_capacity(ended.len());
        for place in 0..ended.len() {
            let last = place.checked_sub(1);
            before.push(match last {
                None => 0,
                Some(last) if ended[last].1 == ended[place].1 => before[last],
                Some(last) => last as u32 + 1,
            });
        }
        Self { ended, before }
    }

    /// The last end within `gap` on a stream other than `number`.
    fn last_within(&self, number: u32, gap: Interval) -> Option<OtherEnd> {
        let last = self.ended.partition_point(|&(end, ..)| end <= gap.end).checked_sub(1)?;
        let place = match self.ended[last].1 == number {
            true => self.before[last].checked_sub(1)? as usize,
            false => last,
        };
        let (end, _, is_collective) = self.ended[place];
        (end > gap.start).then_some(OtherEnd { end, is_collective })
    }
}
