//! The observed path of the longer step (*own*), stretch by stretch, with the length that each stretch has in the *other* step.
//!
//! A stretch ends where an op with a partner leaves the path; in the other step it ends where the partner leaves. Both sequences of
//! ends begin at the start of a step and are followed by its end, so the lengths of stretches add up to the step, whatever was
//! matched. A length in the other step is negative where the partners ended in another order.

use super::{Cause, Context};
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::causality::observed::{Observed, Segment, SegmentKind};
use crate::compare::joined::Which;
use crate::{OpId, Study};

/// A part of a stretch.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// What it is counted for.
    pub(super) cause: Cause,
    /// Its length in the longer step, and in the other one.
    pub(super) own: Nanos,
    pub(super) other: Nanos,
    /// Its op in the longer step, and in the other one.
    pub(super) own_op: Option<OpId>,
    pub(super) other_op: Option<OpId>,
}

/// Both steps, compared.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) pieces: Vec<Piece>,
    /// The time of the other step in which it waited for ops that the longer step has, too, but does not wait for.
    pub(super) hidden: Nanos,
    /// The time of the other step that was not followed back, because the bound was reached.
    pub(super) not_followed: Nanos,
}

/// How many ops may be followed where the paths part, for each segment of both paths.
const STEPS_PER_SEGMENT: usize = 8;

pub(super) fn compared(context: &Context<'_>, longer: Which) -> Compared {
    let (own, other) = (context.study(longer), context.study(longer.other()));
    let segments = &own.causes().observed.segments;
    let count = segments.len() + other.causes().observed.segments.len();
    let mut work = Chain {
        context,
        longer,
        own,
        other,
        at: other.causes().observed.segments.first().map_or(Timestamp(0), |first| first.interval.start),
        steps_left: count.saturating_mul(STEPS_PER_SEGMENT),
        is_on_path: [on_path(own), on_path(other)],
        found: Compared::default(),
    };
    let mut first = 0;
    for (at, end) in in_order(&work.ends(segments)) {
        work.stretch(&segments[first..=at], Some(end));
        first = at + 1;
    }
    work.stretch(&segments[first..], None);
    work.found
}

/// Of all ends the most that come in the same order in both steps: where ops ran in another order, only some of them can divide it.
fn in_order(ends: &[(usize, End)]) -> Vec<(usize, End)> {
    // Of all rows in order that are so long, the last one of those that end first; and for each the one before it.
    let mut last: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; ends.len()];
    for (row, (_, end)) in ends.iter().enumerate() {
        let place = last.partition_point(|&other| ends[other].1.until <= end.until);
        before[row] = place.checked_sub(1).map(|place| last[place]);
        match last.get_mut(place) {
            Some(own) => *own = row,
            None => last.push(row),
        }
    }
    let mut next = last.last().copied();
    let mut found = Vec::with_capacity(last.len());
    while let Some(row) = next {
        found.push(ends[row]);
        next = before[row];
    }
    found.reverse();
    found
}

/// For each op whether it runs on the observed path.
fn on_path(study: &Study) -> Vec<bool> {
    let mut is_on = vec![false; study.trace().ops().len()];
    for segment in study.causes().observed.segments.iter().filter(|own| runs(study, own)) {
        is_on[segment.op.index()] = true;
    }
    is_on
}

/// The end of a stretch: an op with a partner.
#[derive(Clone, Copy)]
struct End {
    op: OpId,
    partner: OpId,
    /// The node of the partner, and until when it is on the path that corresponds.
    node: u32,
    until: Timestamp,
}

struct Chain<'a> {
    context: &'a Context<'a>,
    longer: Which,
    own: &'a Study,
    other: &'a Study,
    /// Until here the other step is divided.
    at: Timestamp,
    steps_left: usize,
    /// For each op of the longer step, and of the other one, whether it runs on the observed path.
    is_on_path: [Vec<bool>; 2],
    found: Compared,
}

impl Chain<'_> {
    /// Every place in the path at which a stretch may end.
    fn ends(&self, segments: &[Segment]) -> Vec<(usize, End)> {
        (0..segments.len()).filter_map(|at| Some((at, self.end_of(segments, at)?))).collect()
    }

    /// The end of a stretch, if the segment at `at` is one.
    fn end_of(&self, segments: &[Segment], at: usize) -> Option<End> {
        let segment = &segments[at];
        if !runs(self.own, segment) {
            return None;
        }
        let op = segment.op;
        let partner = self.context.matching.partner(self.longer, op)?;
        let (nodes, others) = (&self.own.causes().graph.nodes, &self.other.causes().graph.nodes);
        // Of an op with nested ops only the last piece: the others have no certain partner.
        let own = nodes.interval(nodes.of_op(op)?);
        if segment.interval.end <= own.start {
            return None;
        }
        let node = others.of_op(partner)?;
        let interval = others.interval(node);
        // The next op may not have waited for the end of this one, as a kernel does not wait for the end of its launch.
        let early = own.end - segment.interval.end;
        let mut until = interval.end - early;
        if early > Nanos(0) {
            let next = segments.get(at + 1)?;
            if next.op == op {
                return None;
            }
            let starts = |op: OpId| {
                let partner = others.of_op(self.context.matching.partner(self.longer, op)?)?;
                Some((nodes.interval(nodes.of_op(op)?).start, others.interval(partner).start))
            };
            if let Some((own, other)) = starts(next.op) {
                until = other - (own - segment.interval.end);
            }
            until = until.clamp(interval.start, interval.end);
        }
        Some(End { op, partner, node, until })
    }

    fn put(&mut self, cause: Cause, lengths: [Nanos; 2], own_op: Option<OpId>, other_op: Option<OpId>) {
        let [own, other] = lengths;
        if own != Nanos(0) || other != Nanos(0) {
            self.found.pieces.push(Piece { cause, own, other, own_op, other_op });
        }
    }

    /// Compares a stretch of the longer step; without an end it is the rest.
    fn stretch(&mut self, segments: &[Segment], end: Option<End>) {
        for segment in segments {
            let is_end = end.as_ref().is_some_and(|end| end.op == segment.op) && runs(self.own, segment);
            let cause = self.context.cause(self.longer, segment.op, segment.kind, runs(self.own, segment));
            let partner = end.as_ref().map(|end| end.partner).filter(|_| is_end);
            self.put(cause, [segment.interval.length(), Nanos(0)], Some(segment.op), partner);
        }
        let Some(end) = end else {
            let last = self.other.causes().observed.segments.last().map(|last| last.interval.end);
            let rest = Interval { start: self.at, end: last.unwrap_or(self.at) };
            return if rest.end >= rest.start {
                self.along_path(rest, None);
                self.at = rest.end;
            } else {
                // A partner may end after the path, as a call that nothing waits for does.
                let cause = Cause::Wait { kind: SegmentKind::Gap, device: self.device_of_rest(segments) };
                self.put(cause, [Nanos(0), signed(rest.start, rest.end)], None, None);
                self.at = rest.end;
            };
        };
        let start = self.other.causes().graph.nodes.interval(end.node).start;
        let (run, begin) = (signed(start, end.until), start);
        let cause = {
            let segment = segments.last();
            let kind = segment.map_or(SegmentKind::Compute, |own| own.kind);
            self.context.cause(self.longer, end.op, kind, true)
        };
        self.put(cause, [Nanos(0), run], Some(end.op), Some(end.partner));
        if begin < self.at {
            // In the other step it began before the op that it followed here had ended.
            let device = self.context.device(self.longer, end.op);
            let waits = segments.iter().filter(|own| own.op == end.op && !runs(self.own, own));
            let kind =
                waits.max_by_key(|own| own.interval.length()).map_or(SegmentKind::Behind, |own| own.kind);
            let overlap = signed(self.at, begin);
            self.put(Cause::Wait { kind, device }, [Nanos(0), overlap], Some(end.op), Some(end.partner));
        } else if self.at < begin {
            self.back_from(end.node, Interval { start: self.at, end: begin });
        }
        self.at = end.until;
    }

    fn device_of_rest(&self, segments: &[Segment]) -> u32 {
        let last = segments.last().map(|own| (self.longer, own.op));
        let other = || Some((self.longer.other(), self.other.causes().observed.segments.last()?.op));
        last.or_else(other).map_or(0, |(side, op)| self.context.device(side, op))
    }

    /// Divides `window` of the other step, which ends where `node` begins, by what `node` waited for.
    fn back_from(&mut self, node: u32, window: Interval) {
        let (edges, graph) = (self.other.edges(), &self.other.causes().graph);
        let first = graph.nodes.op(node);
        let (mut node, mut now) = (node, window.end);
        while now > window.start {
            let op = graph.nodes.op(node);
            if self.is_on_path[1][op.index()] && self.path_reaches(op, now) {
                return self.along_path(Interval { start: window.start, end: now }, Some(first));
            }
            if self.steps_left == 0 {
                self.found.not_followed += signed(window.start, now);
                break;
            }
            self.steps_left -= 1;
            let (cause, waits) = Observed::wait_of(edges, graph, node);
            for wait in waits.iter().rev() {
                let part = wait.interval.clamp_to(Interval { start: window.start, end: now });
                self.others(wait, part.length(), false, first);
                now = now.min(part.start);
            }
            let Some((from, _)) = cause.filter(|_| now > window.start) else { break };
            let from_op = graph.nodes.op(from);
            let ran = graph.nodes.interval(from).clamp_to(Interval { start: window.start, end: now });
            let kind = SegmentKind::of_op(self.other.trace().category(from_op));
            let segment = Segment::new(from_op, kind, ran);
            self.others(&segment, ran.length(), true, first);
            if ran.start == now && ran.length() == Nanos(0) && graph.nodes.length(from) > Nanos(0) {
                // It ended later than it was waited for.
                break;
            }
            now = now.min(ran.start);
            node = from;
        }
        if now > window.start {
            let cause = Cause::Wait {
                kind: SegmentKind::Gap,
                device: self.context.device(self.longer.other(), first),
            };
            self.put(cause, [Nanos(0), signed(window.start, now)], None, Some(first));
        }
    }

    /// Whether the observed path of the other step leads to the start of `op` at `now`.
    fn path_reaches(&self, op: OpId, now: Timestamp) -> bool {
        let path = &self.other.causes().observed.segments;
        let after = path.partition_point(|own| own.interval.start < now);
        path.get(after).is_some_and(|own| own.op == op && own.interval.start == now)
    }

    /// Divides `window` of the other step by its observed path.
    fn along_path(&mut self, window: Interval, first: Option<OpId>) {
        let other = self.other;
        let path = &other.causes().observed.segments;
        let from = path.partition_point(|own| own.interval.end <= window.start);
        let mut now = window.start;
        for segment in path[from..].iter().take_while(|own| own.interval.start < window.end) {
            let part = segment.interval.clamp_to(window);
            self.others(segment, part.length(), runs(other, segment), first.unwrap_or(segment.op));
            now = part.end;
        }
        if now < window.end {
            let device = self.context.device(self.longer.other(), first.unwrap_or(OpId::new(0)));
            let cause = Cause::Wait { kind: SegmentKind::Gap, device };
            self.put(cause, [Nanos(0), signed(now, window.end)], None, first);
        }
    }

    /// Counts a part of the other step. `first` is the op at whose start it is looked back.
    fn others(&mut self, segment: &Segment, length: Nanos, runs: bool, first: OpId) {
        let side = self.longer.other();
        let partner = self.context.matching.partner(side, segment.op);
        let is_met = |op: OpId| self.is_on_path[0][op.index()];
        let is_own = segment.op == first && !runs;
        match partner {
            Some(op) if !is_own && !is_met(op) => self.found.hidden += length,
            _ => {
                let cause = self.context.cause(side, segment.op, segment.kind, runs);
                self.put(cause, [Nanos(0), length], partner, Some(segment.op));
            }
        }
    }
}

/// From `start` to `end`; negative if the end is before.
fn signed(start: Timestamp, end: Timestamp) -> Nanos {
    end - start
}

/// Whether the op of a segment of the path ran in it, rather than waited.
pub(super) fn runs(study: &Study, segment: &Segment) -> bool {
    let waits = matches!(
        segment.kind,
        SegmentKind::SenderQueue
            | SegmentKind::Behind
            | SegmentKind::Starting
            | SegmentKind::HostBetweenOps
            | SegmentKind::PythonBetweenOps
            | SegmentKind::Gap
    );
    if waits {
        return false;
    }
    let trace = study.trace();
    let nodes = &study.causes().graph.nodes;
    let start = match trace.devices().get(trace.device_of(segment.op)).nests {
        true => trace.ops().start(segment.op),
        false => {
            nodes.of_op(segment.op).map_or(trace.ops().start(segment.op), |node| nodes.interval(node).start)
        }
    };
    segment.interval.start >= start
}
