//! Marks: what to draw of a window at a given width, so that the cost of a frame depends on pixels and not on ops.
//!
//! An op at least one pixel wide is a mark of its own. Shorter neighbours within one pixel of one lane are merged: the
//! mark has the category that was busiest in it, tells how many ops it stands for and how much of its width they
//! filled, so that nothing is invisible because it is short. Summaries over ranges of a lane come from a tree of
//! [`FANOUT`] children a node, without pointers, that costs about two bytes an op.

use crate::Trace;
use crate::analysis::lanes::Lanes;
use crate::analysis::search::Matches;
use crate::ids::{LaneId, OpId};
use crate::units::Timestamp;
use std::ops::Range;

/// Children of a node of the tree.
const FANOUT: usize = 16;
/// How many marks a picture may have before ops are merged over wider columns of pixels: what a canvas draws in 4 ms.
const MAX_MARKS: usize = 10_000;
/// The widest column that ops are merged over, in pixels.
const MAX_COLUMN_PX: f64 = 8.0;
/// The narrowest mark with text, in pixels.
const MIN_TEXT_PX: f32 = 28.0;

/// Which marks are wanted.
#[derive(Clone, Copy, Debug)]
pub struct MarksQuery<'a> {
    /// Where the picture starts.
    pub start: Timestamp,
    /// Where it ends.
    pub end: Timestamp,
    /// How wide it is, in pixels.
    pub width_px: f64,
    /// Its rows, from the top.
    pub lanes: &'a [LaneId],
}

/// One op, or several neighbours in one lane that are too short to be told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Index into the query's lanes.
    pub row: u32,
    /// Its left edge in pixels from the picture's; may lie outside.
    pub x0: f32,
    /// Its right edge.
    pub x1: f32,
    /// The op, or the longest of the merged ones.
    pub op: OpId,
    /// How many ops it stands for.
    pub count: u32,
    /// The category that was busy the longest.
    pub category: u8,
    /// 0 to 7, the same for every op of one type.
    pub shade: u8,
    /// The share of its width that ops fill, 0 to 255.
    pub density: u8,
    /// Whether any of its ops is searched for.
    pub is_match: bool,
}

impl Mark {
    /// Whether it is wide enough for text.
    pub fn has_text(&self) -> bool {
        self.count == 1 && self.x1 - self.x0 >= MIN_TEXT_PX
    }
}

/// A sum over consecutive ops of one lane.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// Nanoseconds by category.
    busy: [u64; 3],
    /// The longest op: its length and its place in the list of lanes.
    longest: (u64, u32),
}

impl Sum {
    fn with(mut self, other: Self) -> Self {
        self.busy.iter_mut().zip(other.busy).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        if other.longest.0 > self.longest.0 {
            self.longest = other.longest;
        }
        self
    }
}

/// The tree of sums over all lanes, level by level; level 0 sums [`FANOUT`] ops.
#[derive(Default)]
pub struct MarkIndex {
    levels: Vec<Vec<Sum>>,
}

impl MarkIndex {
    /// Builds the tree in one pass.
    pub fn of(trace: &Trace, lanes: &Lanes) -> Self {
        let places = trace.ops().len();
        let mut index = Self::default();
        let blocks = (0..places).step_by(FANOUT);
        index
            .levels
            .push(blocks.map(|first| sum_ops(trace, lanes, first..(first + FANOUT).min(places))).collect());
        while index.levels.last().is_some_and(|level| level.len() > FANOUT) {
            let below = index.levels.last().map_or(&[][..], Vec::as_slice);
            let level =
                below.chunks(FANOUT).map(|sums| sums.iter().fold(Sum::default(), |all, &one| all.with(one)));
            let level = level.collect();
            index.levels.push(level);
        }
        index
    }

    /// The sum over `places` of the list of lanes.
    fn sum(&self, trace: &Trace, lanes: &Lanes, places: Range<usize>) -> Sum {
        let Range { mut start, mut end } = places;
        // The longest starts as the first op: ops of length 0 have one, too.
        let mut sum = Sum { longest: (0, start as u32), ..Sum::default() };
        if end - start < 2 * FANOUT {
            return sum.with(sum_ops(trace, lanes, start..end));
        }
        let inner = (start.div_ceil(FANOUT), end / FANOUT);
        sum = sum.with(sum_ops(trace, lanes, start..inner.0 * FANOUT));
        sum = sum.with(sum_ops(trace, lanes, inner.1 * FANOUT..end));
        (start, end) = inner;
        for level in &self.levels {
            let (up_start, up_end) = (start.div_ceil(FANOUT), end / FANOUT);
            if up_start >= up_end || std::ptr::eq(level, &self.levels[self.levels.len() - 1]) {
                return level[start..end].iter().fold(sum, |all, &one| all.with(one));
            }
            sum = level[start..up_start * FANOUT].iter().fold(sum, |all, &one| all.with(one));
            sum = level[up_end * FANOUT..end].iter().fold(sum, |all, &one| all.with(one));
            (start, end) = (up_start, up_end);
        }
        sum
    }

    /// The marks of a picture, row by row, each row from left to right.
    pub fn marks(
        &self,
        trace: &Trace,
        lanes: &Lanes,
        matches: &Matches,
        query: &MarksQuery<'_>,
    ) -> Vec<Mark> {
        let span = (query.end.0 as f64 - query.start.0 as f64).max(1.0);
        let picture =
            Picture { trace, lanes, matches, index: self, query, px_per_ns: query.width_px.max(1.0) / span };
        let mut column_px = 1.0;
        let mut marks = picture.marks(column_px);
        while marks.len() > MAX_MARKS && column_px < MAX_COLUMN_PX {
            column_px *= 2.0;
            marks = picture.marks(column_px);
        }
        marks
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.levels.iter().map(|level| level.capacity() * size_of::<Sum>()).sum()
    }
}

fn sum_ops(trace: &Trace, lanes: &Lanes, places: Range<usize>) -> Sum {
    places.fold(Sum::default(), |mut sum, place| {
        let op = lanes.all_ops()[place];
        let length = trace.ops().interval(op).length().0.max(0) as u64;
        // Blocks reach over the ends of lanes: only there a sum can exceed the time there is.
        let busy = &mut sum.busy[trace.category(op) as usize];
        *busy = busy.saturating_add(length);
        if length > sum.longest.0 {
            sum.longest = (length, place as u32);
        }
        sum
    })
}

struct Picture<'a> {
    trace: &'a Trace,
    lanes: &'a Lanes,
    matches: &'a Matches,
    index: &'a MarkIndex,
    query: &'a MarksQuery<'a>,
    px_per_ns: f64,
}

impl Picture<'_> {
    fn marks(&self, column_px: f64) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (row, &lane) in self.query.lanes.iter().enumerate() {
            self.row(row as u32, lane, column_px, &mut marks);
        }
        marks
    }

    fn x(&self, time: Timestamp) -> f64 {
        (time.0 as f64 - self.query.start.0 as f64) * self.px_per_ns
    }

    fn row(&self, row: u32, lane: LaneId, column_px: f64, marks: &mut Vec<Mark>) {
        let (places, ops) = (self.lanes.places(lane), self.trace.ops());
        let op_at = |place: usize| self.lanes.all_ops()[place];
        // Ends never decrease within a lane, because its ops do not overlap.
        let mut place = search(places.clone(), |place| ops.end(op_at(place)) < self.query.start);
        while place < places.end && ops.start(op_at(place)) < self.query.end {
            let op = op_at(place);
            let (x0, x1) = (self.x(ops.start(op)), self.x(ops.end(op)));
            if x1 - x0 >= column_px {
                marks.push(self.single(row, op, x0, x1));
                place += 1;
                continue;
            }
            let column_end = ((x0 / column_px).floor() + 1.0) * column_px;
            let mut next =
                gallop(place + 1, places.end, |place| self.x(ops.start(op_at(place))) < column_end);
            // Only the last op that starts in a column can reach far beyond it.
            let last = op_at(next - 1);
            if next - 1 > place && self.x(ops.end(last)) - self.x(ops.start(last)) >= column_px {
                next -= 1;
            }
            if next - place == 1 {
                // One short op: as wide as it is, but never less than a pixel, so that it shows.
                marks.push(self.single(row, op, x0, x1.max(x0 + 1.0)));
            } else {
                marks.push(self.merged(row, place..next, x0, column_end));
            }
            place = next;
        }
    }

    fn single(&self, row: u32, op: OpId, x0: f64, x1: f64) -> Mark {
        Mark {
            row,
            x0: x0 as f32,
            x1: x1 as f32,
            op,
            count: 1,
            category: self.trace.category(op) as u8,
            shade: self.shade(op),
            density: 255,
            is_match: self.matches.contains(op),
        }
    }

    /// The FNV-1a hash of the op type, folded to three bits: stable from trace to trace.
    fn shade(&self, op: OpId) -> u8 {
        let op_type = self.trace.text(self.trace.nodes().op_type(self.trace.ops().node(op)));
        let hash = op_type
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        ((hash >> 16) ^ hash) as u8 & 7
    }

    fn merged(&self, row: u32, places: Range<usize>, x0: f64, column_end: f64) -> Mark {
        let ops = self.lanes.all_ops();
        let sum = self.index.sum(self.trace, self.lanes, places.clone());
        let longest = ops[sum.longest.1 as usize];
        let total = sum.busy.into_iter().fold(0, u64::saturating_add);
        // Ties go to the category that comes first; nothing but empty ops has that of the first of them.
        let category = if total == 0 {
            self.trace.category(longest) as u8
        } else {
            (0..3).rev().max_by_key(|&category| sum.busy[category]).unwrap_or(0) as u8
        };
        let filled = total as f64 * self.px_per_ns / (column_end - x0).max(f64::MIN_POSITIVE);
        Mark {
            row,
            x0: x0 as f32,
            x1: column_end as f32,
            op: longest,
            count: places.len() as u32,
            category,
            shade: self.shade(longest),
            density: (filled.min(1.0) * 255.0) as u8,
            is_match: self.matches.count(places) > 0,
        }
    }
}

/// The first place where `before` does not hold.
fn search(places: Range<usize>, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (places.start, places.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// The first place from `from` where `before` does not hold; quick when it is near.
fn gallop(from: usize, end: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut step) = (from, 1);
    while low + step < end && before(low + step) {
        low += step;
        step *= 2;
    }
    search(low..(low + step).min(end), before)
}
