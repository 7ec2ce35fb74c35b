//! Streams of GPUs: how long kernels stood in them, and what a stream waited for while it was empty.
//!
//! A gap lies between the end of all kernels so far of a stream and the start of the next. Until that kernel was launched the stream waited for the
//! host. What remains is the start of the kernel, unless it is longer than starting takes: then a kernel of another stream of that GPU
//! that ended shortly before is taken to be what it waited for, and otherwise nothing that was recorded is.

use super::RunBy;
use super::moments::launched;
use super::sums::percentile;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::edges::Edges;
use crate::gpu::accelerators::accelerators;
use crate::{DeviceId, OpId};

/// How long a kernel may take to start once nothing stands before it. Longer than that has another cause.
pub const STARTING: Nanos = Nanos(10_000);

/// What a stream waited for in its gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// How many there are.
    pub count: u64,
    /// How long they are together.
    pub length: Nanos,
    /// How much of that the next kernel was not launched yet: the stream waited for the host.
    pub host: Nanos,
    /// How many kernels began less than [`STARTING`] after their launch, on an empty stream: these waited for the host alone.
    pub waited_for_host: u64,
    /// How much of the gaps a kernel of another stream ran, at whose end the next one began: inferred.
    pub other_stream: Nanos,
    /// How much starting took.
    pub starting: Nanos,
    /// How much nothing that was recorded explains; where launches were not recorded, all of it.
    pub unexplained: Nanos,
    /// The longest, and the kernel after it.
    pub longest: Option<(OpId, Interval)>,
}

/// One stream of a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Its device.
    pub device: DeviceId,
    /// Its thread, where all streams of the GPU are one device.
    pub thread: u32,
    /// How many kernels and copies it ran.
    pub kernels: u64,
    /// For how long any of them ran.
    pub busy: Nanos,
    /// How many of them say when they were launched.
    pub launched: u64,
    /// From launch to start, summed.
    pub queue: Nanos,
    /// What half of them do not exceed.
    pub queue_p50: Nanos,
    /// What 99 of 100 do not exceed.
    pub queue_p99: Nanos,
    /// The most kernels that were launched and had not started.
    pub most_queued: u32,
    /// Its gaps, from its first kernel to its last.
    pub gaps: Gaps,
}

/// The streams of every GPU, in the order of their devices and threads; what other devices repeat is left out.
pub fn streams(edges: Edges<'_>) -> Vec<Stream> {
    let trace = edges.trace;
    let mut found = Vec::new();
    for gpu in accelerators(trace) {
        let mut kernels: Vec<(DeviceId, u32, OpId)> = Vec::new();
        for device in gpu.unrepeated(trace) {
            let own = trace.ops_of(device);
            let own = own.filter(|&op| RunBy::of(trace, edges.transfers, op) == RunBy::Stream);
            kernels.extend(own.map(|op| (device, trace.ops().thread(op), op)));
        }
        // Stable: those of one stream stay in order of start.
        order::by_number(&mut kernels, |(device, thread, _)| (i64::from(device.get()), i64::from(thread)));
        let mut ended: Vec<(Timestamp, u32)> = Vec::with_capacity(kernels.len());
        let same = |a: &(DeviceId, u32, OpId), b: &(DeviceId, u32, OpId)| (a.0, a.1) == (b.0, b.1);
        for (own, number) in kernels.chunk_by(same).zip(0_u32..) {
            ended.extend(own.iter().map(|&(_, _, op)| (trace.ops().end(op), number)));
        }
        order::by_number(&mut ended, |(end, number)| (end.0, i64::from(number)));
        let ended = OtherEnds::of(&ended);
        for (own, number) in kernels.chunk_by(same).zip(0_u32..) {
            found.extend(stream(edges, own, number, &ended));
        }
    }
    found
}

fn stream(
    edges: Edges<'_>,
    kernels: &[(DeviceId, u32, OpId)],
    number: u32,
    ended: &OtherEnds<'_>,
) -> Option<Stream> {
    let ops = edges.trace.ops();
    let &(device, thread, first) = kernels.first()?;
    let (mut queues, mut waiting) = (Vec::new(), Vec::new());
    let mut gaps = Gaps::default();
    let mut busy = Nanos(0);
    let mut now = ops.start(first);
    for &(_, _, op) in kernels {
        let own = ops.interval(op);
        let launch = launched(edges.trace, op);
        if let Some(launch) = launch {
            queues.push((own.start - launch).0);
            waiting.extend([(launch, 1_i64), (own.start, -1)]);
        }
        if own.start > now {
            let gap = Interval { start: now, end: own.start };
            gaps.add(op, gap, launch, ended.last_within(number, gap));
        }
        busy += Interval::new(own.start.max(now), own.end).length();
        now = now.max(own.end);
    }
    // What starts leaves before what is launched at that moment comes.
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
    /// A gap before `op`, which was launched then; `other` is when a kernel of another stream ended last in it.
    fn add(&mut self, op: OpId, gap: Interval, launch: Option<Timestamp>, other: Option<Timestamp>) {
        self.count += 1;
        self.length += gap.length();
        if self.longest.is_none_or(|(_, longest)| gap.length() > longest.length()) {
            self.longest = Some((op, gap));
        }
        let Some(launch) = launch else {
            self.unexplained += gap.length();
            return;
        };
        let launch = launch.clamp(gap.start, gap.end);
        self.host += launch - gap.start;
        let rest = gap.end - launch;
        if rest <= STARTING {
            self.starting += rest;
            self.waited_for_host += u64::from(launch > gap.start);
            return;
        }
        match other.filter(|&other| other > launch && gap.end - other <= STARTING) {
            Some(other) => {
                self.other_stream += other - launch;
                self.starting += gap.end - other;
            }
            None => self.unexplained += rest,
        }
    }
}

/// When kernels of a GPU ended, to find the last end of another stream in constant time.
struct OtherEnds<'a> {
    /// By end: when, and which stream.
    ended: &'a [(Timestamp, u32)],
    /// By place: the last place before it of another stream than the one at it, plus one.
    before: Vec<u32>,
}

impl<'a> OtherEnds<'a> {
    fn of(ended: &'a [(Timestamp, u32)]) -> Self {
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

    /// The last end within `gap` of a stream other than `number`.
    fn last_within(&self, number: u32, gap: Interval) -> Option<Timestamp> {
        let last = self.ended.partition_point(|&(end, _)| end <= gap.end).checked_sub(1)?;
        let place = match self.ended[last].1 == number {
            true => self.before[last].checked_sub(1)? as usize,
            false => last,
        };
        let end = self.ended[place].0;
        (end > gap.start).then_some(end)
    }
}
