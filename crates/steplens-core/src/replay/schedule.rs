//! What a simulation gives: when each node started and ended, what it waited for last, and the critical path that follows.

use super::model::Model;
use super::timing::{NONE, Place};
use crate::base::units::Nanos;
use crate::causality::edge_kind::EdgeKind;
use crate::causality::observed::{MAX_LAUNCH, SegmentKind};
use crate::causality::pools::MAX_DISPATCH;
use crate::gpu::kernels::has_kernels;
use crate::{Category, OpId, Study};

/// A replayed step. Times are nanoseconds from the start of the recorded step.
pub struct Schedule {
    start: Vec<i64>,
    end: Vec<i64>,
    /// When what each node waited for last was done.
    since: Vec<i64>,
    /// From when each node ran, for nodes that wait after they started: participants of a collective, and transfers that were sent
    /// before they got their line.
    runs_from: Vec<(u32, i64)>,
    /// The node that each node waited for last.
    by: Vec<u32>,
    /// The number of participants and transfers that did not arrive while others waited for them: collectives, and transfers that
    /// go as one, that waited for one another.
    pub stuck: u64,
    /// The step cannot be shorter: a stream, a thread of a program or the threads of a pool are busy for so long.
    floor: i64,
    /// The step is not longer: no op is slower than in a step of that length.
    ceiling: i64,
}

/// A piece of the critical path of a replayed step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayedSegment {
    /// The op that ran, or that had not started yet.
    pub op: OpId,
    /// What the time was spent on.
    pub kind: SegmentKind,
    /// When it begins, from the start of the step.
    pub start: Nanos,
    /// When it ends.
    pub end: Nanos,
}

impl Schedule {
    pub(super) fn new(count: usize) -> Self {
        Self {
            start: vec![0; count],
            end: vec![0; count],
            since: vec![0; count],
            runs_from: Vec::new(),
            by: vec![NONE; count],
            stuck: 0,
            floor: 0,
            ceiling: i64::MAX,
        }
    }

    pub(super) fn set(&mut self, node: usize, start: i64, end: i64) {
        (self.start[node], self.end[node]) = (start, end);
    }

    pub(super) fn ends(&mut self, node: usize, end: i64) {
        self.end[node] = end;
    }

    /// Until `at` the node waited for `by`.
    pub(super) fn waited(&mut self, node: usize, by: u32, at: i64) {
        if self.by[node] == NONE || at > self.since[node] {
            (self.by[node], self.since[node]) = (by, at);
        }
    }

    /// The node waits for nothing, and was there at `at`.
    pub(super) fn released(&mut self, node: usize, at: i64) {
        self.since[node] = at;
    }

    /// The node waited for the thread or line that `before` had until `at`.
    pub(super) fn blame(&mut self, node: usize, before: u32, at: i64) {
        (self.by[node], self.since[node]) = (before, at);
    }

    /// The node had started, and waited for `before` until `at`.
    pub(super) fn waited_after_start(&mut self, node: usize, before: u32, at: i64, runs_from: i64) {
        self.runs_from.push((node as u32, runs_from));
        self.blame(node, before, at);
    }

    pub(super) fn ready(&self, node: usize) -> i64 {
        self.since[node]
    }

    pub(super) fn by(&self, node: usize) -> u32 {
        self.by[node]
    }

    /// When `node` started.
    pub fn start(&self, node: usize) -> i64 {
        self.start[node]
    }

    /// When `node` ended.
    pub fn end(&self, node: usize) -> i64 {
        self.end[node]
    }

    /// Ends what threads that only ask a driver do when the program ends, as much later as it was recorded to be: a timer wakes them, until they
    /// see what they ask for.
    pub(super) fn end_watching(&mut self, model: &Model) {
        let mut watching = model.watching.iter().copied().peekable();
        let ends = self.end.iter().zip(0..).filter(|&(_, node)| watching.next_if_eq(&node).is_none());
        let end = ends.map(|(&end, _)| end).max().unwrap_or(0);
        for node in model.watching.iter().map(|&node| node as usize) {
            // What ended within the program ends before it.
            let later = (model.recorded_end(node) - model.program_end).max(-1);
            let shift = (self.end[node] - (end + later)).max(0);
            self.start[node] -= shift;
            self.end[node] -= shift;
        }
    }

    /// The step is not shorter than `floor`.
    pub(super) fn at_least(&mut self, floor: i64) {
        self.floor = floor;
    }

    /// The step is not longer than `ceiling`.
    pub(super) fn at_most(&mut self, ceiling: i64) {
        self.ceiling = ceiling;
    }

    pub(super) fn floor(&self) -> i64 {
        self.floor
    }

    /// The length of the step.
    pub fn length(&self) -> Nanos {
        Nanos(self.end.iter().copied().max().unwrap_or(0).max(self.floor).min(self.ceiling))
    }

    /// The critical path: from the last end backwards, what each moment was spent on. The segments tile the replayed step.
    pub fn path(&self, study: &Study, replay: &super::Replay) -> Vec<ReplayedSegment> {
        let model = &replay.model;
        let mut walk = Walk { study, model, schedule: self, segments: Vec::new(), now: self.length().0 };
        walk.back();
        walk.segments.reverse();
        walk.segments
    }

    /// The time of each kind along the critical path, in the order of [`SegmentKind::ALL`].
    pub fn by_kind(segments: &[ReplayedSegment]) -> [Nanos; SegmentKind::ALL.len()] {
        let mut sums = [Nanos(0); SegmentKind::ALL.len()];
        segments.iter().for_each(|segment| sums[segment.kind as usize] += segment.end - segment.start);
        sums
    }

    pub(super) fn heap_bytes(&self) -> usize {
        (self.start.capacity() + self.end.capacity() + self.since.capacity()) * size_of::<i64>()
            + self.by.capacity() * size_of::<u32>()
            + self.runs_from.capacity() * size_of::<(u32, i64)>()
    }
}

struct Walk<'a> {
    study: &'a Study,
    model: &'a Model,
    schedule: &'a Schedule,
    segments: Vec<ReplayedSegment>,
    /// The path is known from here on.
    now: i64,
}

impl Walk<'_> {
    fn back(&mut self) {
        let ends = self.schedule.end.iter().zip(0_u32..);
        let Some((_, last)) = ends.max_by_key(|&(&end, node)| (end, self.schedule.start[node as usize]))
        else {
            return;
        };
        let mut waits_since: std::collections::HashMap<u32, i64> =
            self.schedule.runs_from.iter().copied().collect();
        let mut node = last;
        // What the busiest stream or pool still has to do when everything else has ended.
        self.put(node, self.schedule.end[node as usize], SegmentKind::Gap);
        // A node is on the path once; the bound keeps a fault in the schedule from looping.
        for _ in 0..=self.schedule.end.len() {
            let row = node as usize;
            let run = waits_since.remove(&node).unwrap_or(self.schedule.start[row]);
            self.put(node, run, self.kind(row));
            let (by, since) = (self.schedule.by[row], self.schedule.since[row]);
            if by == NONE {
                break;
            }
            self.put(node, since, self.kind_of_delay(row, by));
            node = by;
        }
        self.put(node, 0, SegmentKind::Starting);
    }

    fn put(&mut self, node: u32, from: i64, kind: SegmentKind) {
        let from = from.clamp(0, self.now);
        if from < self.now {
            let op = self.model.op(node as usize);
            self.segments.push(ReplayedSegment { op, kind, start: Nanos(from), end: Nanos(self.now) });
            self.now = from;
        }
    }

    fn kind(&self, node: usize) -> SegmentKind {
        let category = self.study.trace().category(self.model.op(node));
        let graph = &self.study.causes().graph;
        if category == Category::Waiting && graph.causes(node as u32).any(|(_, kind)| kind == EdgeKind::Sync)
        {
            return SegmentKind::Launching;
        }
        SegmentKind::of_op(category)
    }

    /// What the time between the end of `by`, which `node` waited for last, and its start is.
    fn kind_of_delay(&self, node: usize, by: u32) -> SegmentKind {
        let trace = self.study.trace();
        let op = self.model.op(node);
        let device = trace.device_of(op);
        let delay = Nanos(self.schedule.start[node] - self.schedule.since[node]);
        let nests = trace.devices().get(device).nests;
        match self.model.place[node] {
            Place::Line(_) => SegmentKind::SenderQueue,
            Place::Pool(_) if delay <= MAX_DISPATCH => SegmentKind::Launching,
            Place::Own | Place::Collective(_) if has_kernels(trace, device) && delay <= MAX_LAUNCH => {
                SegmentKind::Launching
            }
            Place::Own | Place::Collective(_) if nests => {
                let before = Some(self.model.op(by as usize));
                self.study.causes().graph.kind_between(trace, op, before)
            }
            _ => SegmentKind::Gap,
        }
    }
}
