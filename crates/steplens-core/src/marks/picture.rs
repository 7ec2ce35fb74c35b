//! One picture: which columns fit, and the marks that come of them.

use super::tree::{MarkIndex, Sum};
use super::{Mark, Marks, MarksQuery};
use crate::base::ids::{DeviceId, LaneId, OpId};
use crate::base::units::Timestamp;
use crate::search::matches::Matches;
use crate::timeline::lanes::Lanes;
use crate::{Category, Trace};
use std::ops::Range;

/// Widths of columns that are tried, each wider than the one before by the square root of two: up to 128 pixels.
const WIDTHS: i32 = 15;
/// Stacks are no taller than this, in pixels: what is far apart is not merged.
const MAX_STACK_PX: f64 = 16.0;
/// Lanes are as far from each other as others are if it is less than this that they differ by: pitches are f32.
const PITCH_TOLERANCE_PX: f64 = 0.01;

pub(super) fn marks(
    index: &MarkIndex,
    trace: &Trace,
    lanes: &Lanes,
    matches: &Matches,
    query: &MarksQuery<'_>,
) -> Marks {
    let span = (query.end.0 as f64 - query.start.0 as f64).max(1.0);
    let mut painter = Painter {
        index,
        trace,
        lanes,
        matches,
        query,
        px_per_ns: query.width_px.max(1.0) / span,
        rows: Vec::new(),
        devices: Vec::new(),
        column_ns: 1,
    };
    painter.rows = query.lanes.iter().map(|&lane| painter.places(lane)).collect();
    let first_op = |&lane: &LaneId| lanes.ops(lane).first().copied();
    painter.devices = query.lanes.iter().map(|lane| first_op(lane).map(|op| trace.device_of(op))).collect();
    let widest = WIDTHS - 1;
    let mut width = (0..widest).find(|&width| painter.at(width).estimate() <= query.most).unwrap_or(widest);
    let mut marks = loop {
        let limit = if width < widest { 2 * query.most } else { usize::MAX };
        match painter.at(width).paint(limit) {
            Some(marks) => break marks,
            None => width += 1,
        }
    };
    // The estimate does not know of gaps; where there are many, finer columns fit as well.
    let spare = (query.most as f64 / marks.marks.len().max(1) as f64).log2() as i32;
    if width > 0 && spare > 0 {
        marks = painter.at((width - spare).max(0)).paint(query.most).unwrap_or(marks);
    }
    marks
}

struct Painter<'a> {
    index: &'a MarkIndex,
    trace: &'a Trace,
    lanes: &'a Lanes,
    matches: &'a Matches,
    query: &'a MarksQuery<'a>,
    px_per_ns: f64,
    /// Where the ops of each row stand that the window meets.
    rows: Vec<Range<usize>>,
    /// By row.
    devices: Vec<Option<DeviceId>>,
    column_ns: i64,
}

/// Neighbours of one lane: one op that is a mark of its own, or those that start in one column.
struct Piece {
    row: usize,
    places: Range<usize>,
    /// Counted from the column before the picture's first one; none for an op as long as a column.
    column: Option<usize>,
}

/// What starts in one column of a stack.
#[derive(Clone, Default)]
struct Cell {
    count: usize,
    sum: Sum,
    is_match: bool,
}

impl Painter<'_> {
    /// The same picture in columns of the `width`th width.
    fn at(&mut self, width: i32) -> &Self {
        let px = 2_f64.powi(width / 2) * if width % 2 == 1 { std::f64::consts::SQRT_2 } else { 1.0 };
        self.column_ns = ((px / self.px_per_ns).round() as i64).max(1);
        self
    }

    /// Ends never decrease within a lane, because its ops do not overlap.
    fn places(&self, lane: LaneId) -> Range<usize> {
        let (places, ops) = (self.lanes.places(lane), self.trace.ops());
        let first = search(places.clone(), |place| ops.end(self.op(place)) < self.query.start);
        first..search(first..places.end, |place| ops.start(self.op(place)) < self.query.end)
    }

    #[inline]
    fn op(&self, place: usize) -> OpId {
        self.lanes.all_ops()[place]
    }

    #[inline]
    fn length(&self, op: OpId) -> i64 {
        self.trace.ops().interval(op).length().0
    }

    fn x(&self, time: Timestamp) -> f64 {
        (time.0 as f64 - self.query.start.0 as f64) * self.px_per_ns
    }

    fn column_px(&self) -> f64 {
        self.column_ns as f64 * self.px_per_ns
    }

    /// Of the picture, and one on each side for what reaches into it.
    fn columns(&self) -> usize {
        (self.query.width_px.max(1.0) / self.column_px()) as usize + 3
    }

    /// How many marks there would be if ops lay evenly between the first and the last of each row.
    fn estimate(&self) -> usize {
        let mut count = 0;
        self.groups(|rows| {
            let ops: usize = self.rows[rows.clone()].iter().map(Range::len).sum();
            let filled = self.rows[rows].iter().map(|places| self.columns_between(places)).max();
            count += ops.min(filled.unwrap_or(0));
        });
        count
    }

    fn columns_between(&self, places: &Range<usize>) -> usize {
        let ops = self.trace.ops();
        let start =
            |place: usize| ops.start(self.op(place)).max(self.query.start).0.div_euclid(self.column_ns);
        if places.is_empty() { 0 } else { (start(places.end - 1) - start(places.start)) as usize + 1 }
    }

    /// Goes through the rows in order: single ones, and stacks of several.
    fn groups(&self, mut each: impl FnMut(Range<usize>)) {
        let mut row = 0;
        while row < self.rows.len() {
            let end = self.stack_end(row);
            each(row..end);
            row = end;
        }
    }

    /// Where the stack ends that begins with `row`. Stacks lie where they are however far the picture is scrolled.
    fn stack_end(&self, row: usize) -> usize {
        let MarksQuery { lanes, pitches, .. } = *self.query;
        let pitch = pitches.get(row).map_or(f64::INFINITY, |&pitch| f64::from(pitch));
        let tall = (self.column_px().min(MAX_STACK_PX) / pitch.max(0.01)) as u32;
        let next_to = |row: usize| (f64::from(pitches[row]) - pitch).abs() < PITCH_TOLERANCE_PX;
        let mut end = row + 1;
        while tall >= 2
            && end < pitches.len().min(lanes.len())
            && next_to(end - 1)
            && lanes[end].get() == lanes[end - 1].get().wrapping_add(1)
            && !lanes[end].get().is_multiple_of(tall)
            && self.devices[end] == self.devices[row]
        {
            end += 1;
        }
        end
    }

    /// The picture, unless it has more than `limit` marks.
    fn paint(&self, limit: usize) -> Option<Marks> {
        let mut all = Marks { column_ns: self.column_ns, ..Marks::default() };
        let mut cells = Vec::new();
        let mut pieces = Vec::new();
        let mut stacked = Vec::new();
        self.groups(|rows| {
            if all.marks.len() + stacked.len() > limit {
                return;
            }
            pieces.clear();
            rows.clone().for_each(|row| self.pieces(row, &mut pieces));
            if rows.len() == 1 {
                all.marks.extend(pieces.iter().map(|piece| self.mark(piece)));
            } else {
                self.paint_stack(rows, &pieces, &mut cells, &mut all, &mut stacked);
            }
        });
        (all.marks.len() + stacked.len() <= limit).then(|| {
            all.marks.append(&mut stacked);
            all
        })
    }

    fn pieces(&self, row: usize, pieces: &mut Vec<Piece>) {
        let ops = self.trace.ops();
        let before = self.query.start.0.div_euclid(self.column_ns).saturating_sub(1);
        let Range { start: mut place, end } = self.rows[row].clone();
        while place < end {
            let first = self.op(place);
            if self.length(first) >= self.column_ns {
                pieces.push(Piece { row, places: place..place + 1, column: None });
                place += 1;
                continue;
            }
            let column = ops.start(first).0.div_euclid(self.column_ns);
            let column_end = column.saturating_add(1).saturating_mul(self.column_ns);
            let mut next = gallop(place + 1, end, |place| ops.start(self.op(place)).0 < column_end);
            // Only the last op that starts in a column can reach far beyond it.
            if next - 1 > place && self.length(self.op(next - 1)) >= self.column_ns {
                next -= 1;
            }
            pieces.push(Piece { row, places: place..next, column: Some((column - before).max(0) as usize) });
            place = next;
        }
    }

    fn paint_stack(
        &self,
        rows: Range<usize>,
        pieces: &[Piece],
        cells: &mut Vec<Cell>,
        all: &mut Marks,
        stacked: &mut Vec<Mark>,
    ) {
        cells.clear();
        cells.resize(self.columns() + 1, Cell::default());
        let column_of = |piece: &Piece| piece.column.map(|column| column.min(self.columns()));
        for piece in pieces {
            let Some(column) = column_of(piece) else { continue };
            let (cell, places) = (&mut cells[column], piece.places.clone());
            let sum = self.index.sum(self.trace, self.lanes, places.clone());
            cell.sum = if cell.count == 0 { sum } else { cell.sum.with(sum) };
            cell.count += places.len();
            cell.is_match |= self.matches.count(places) > 0;
        }
        // What is alone in its column can be seen where it is.
        let alone = |piece: &&Piece| column_of(piece).is_none_or(|column| cells[column].count == 1);
        all.marks.extend(pieces.iter().filter(alone).map(|piece| self.mark(piece)));
        let row = (self.rows.len() + all.stacks.len()) as u32;
        let before = self.query.start.0.div_euclid(self.column_ns).saturating_sub(1);
        let area = self.column_ns as f64 * rows.len() as f64;
        for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.count > 1) {
            let start = before.saturating_add(column as i64).saturating_mul(self.column_ns);
            let x0 = self.x(Timestamp(start));
            stacked.push(self.merged(
                row,
                cell.count,
                &cell.sum,
                cell.is_match,
                x0..x0 + self.column_px(),
                area,
            ));
        }
        all.stacks.push(rows.start as u32..rows.end as u32);
    }

    /// The mark of a piece in its own lane: no narrower than a pixel, so that it shows.
    fn mark(&self, piece: &Piece) -> Mark {
        let Piece { row, places, .. } = piece;
        let (first, last) = (self.op(places.start), self.op(places.end - 1));
        let x0 = self.x(self.trace.ops().start(first));
        let x1 = self.x(self.trace.ops().end(last)).max(x0 + 1.0);
        if places.len() > 1 {
            let sum = self.index.sum(self.trace, self.lanes, places.clone());
            let is_match = self.matches.count(places.clone()) > 0;
            return self.merged(
                *row as u32,
                places.len(),
                &sum,
                is_match,
                x0..x1,
                (x1 - x0) / self.px_per_ns,
            );
        }
        Mark {
            row: *row as u32,
            x0: x0 as f32,
            x1: x1 as f32,
            op: first,
            count: 1,
            category: self.trace.category(first) as u8,
            shade: self.shade(first),
            density: 255,
            is_match: self.matches.contains(first),
        }
    }

    /// `area_ns` is the time that ops could fill there.
    fn merged(&self, row: u32, count: usize, sum: &Sum, is_match: bool, x: Range<f64>, area_ns: f64) -> Mark {
        let longest = self.op(sum.longest.1 as usize);
        let total = sum.busy.into_iter().fold(0, u64::saturating_add);
        // Ties go to the category that comes first; nothing but empty ops has that of the first of them.
        let category = if total == 0 {
            self.trace.category(longest) as u8
        } else {
            (0..Category::COUNT).rev().max_by_key(|&category| sum.busy[category]).unwrap_or(0) as u8
        };
        Mark {
            row,
            x0: x.start as f32,
            x1: x.end as f32,
            op: longest,
            count: count as u32,
            category,
            shade: self.shade(longest),
            density: ((total as f64 / area_ns.max(f64::MIN_POSITIVE)).min(1.0) * 255.0) as u8,
            is_match,
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
