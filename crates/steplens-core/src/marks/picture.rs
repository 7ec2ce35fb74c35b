//! One picture: which columns fit, and the marks that follow from them.

use super::tree::{MarkIndex, Sum};
use super::{Look, Mark, Marks, MarksQuery, SHADE_OF_RANGES};
use crate::base::ids::{DeviceId, LaneId, OpId};
use crate::base::units::Timestamp;
use crate::timeline::colors::{COLORS, ColorBy};
use crate::timeline::lanes::Lanes;
use crate::{Category, Trace};
use std::ops::Range;

/// Widths of columns that are tried, in whole pixels, so that the same share of a column looks equally dark everywhere.
const WIDTHS_PX: [f64; 14] = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0];
/// The tallest stack, in pixels: rows that are far apart are not merged.
const MAX_STACK_PX: f64 = 16.0;
/// Pitches count as equal if they differ by less than this, because they are f32.
const PITCH_TOLERANCE_PX: f64 = 0.01;

pub(super) fn marks(
    index: &MarkIndex,
    trace: &Trace,
    lanes: &Lanes,
    look: Look<'_>,
    query: &MarksQuery<'_>,
) -> Marks {
    let span = (query.end.0 as f64 - query.start.0 as f64).max(1.0);
    let mut painter = Painter {
        index,
        trace,
        lanes,
        look,
        query,
        px_per_ns: query.width_px.max(1.0) / span,
        rows: Vec::new(),
        devices: Vec::new(),
        column_ns: 1,
    };
    painter.rows = query.lanes.iter().map(|&lane| painter.places(lane)).collect();
    let first_op = |&lane: &LaneId| lanes.ops(lane).first().copied();
    painter.devices = query.lanes.iter().map(|lane| first_op(lane).map(|op| trace.device_of(op))).collect();
    let widest = WIDTHS_PX.len() - 1;
    let mut width = (0..widest).find(|&width| painter.at(width).estimate() <= query.most).unwrap_or(widest);
    let mut marks = loop {
        let limit = if width < widest { 2 * query.most } else { usize::MAX };
        match painter.at(width).paint(limit) {
            Some(marks) => break marks,
            None => width += 1,
        }
    };
    // The estimate does not know the gaps between ops; with many gaps, finer columns fit as well.
    let spare = (query.most as f64 / marks.marks.len().max(1) as f64).log2() as usize;
    if width > 0 && spare > 0 {
        marks = painter.at(width.saturating_sub(spare)).paint(query.most).unwrap_or(marks);
    }
    marks
}

struct Painter<'a> {
    index: &'a MarkIndex,
    trace: &'a Trace,
    lanes: &'a Lanes,
    look: Look<'a>,
    query: &'a MarksQuery<'a>,
    px_per_ns: f64,
    /// For each row the range of its ops that are within the window.
    rows: Vec<Range<usize>>,
    /// For each row its device.
    devices: Vec<Option<DeviceId>>,
    column_ns: i64,
}

/// A piece of a lane: one op with its own mark, or the ops that start in one column.
struct Piece {
    row: usize,
    /// Empty if only the end of an op is in the column.
    places: Range<usize>,
    /// Counted from the column before the picture's first one; `None` for an op at least as long as a column.
    column: Option<usize>,
    /// The op that reaches into the column from the one before.
    carried: Carried,
    /// How far the last op reaches into the next column, in nanoseconds. No other op can reach there.
    beyond: u64,
}

/// The end of an op that started in an earlier column.
#[derive(Clone, Copy, Default)]
struct Carried {
    place: usize,
    ns: u64,
}

/// The ops that start in one column of a stack.
#[derive(Clone, Default)]
struct Cell {
    count: usize,
    sum: Sum,
    found: Found,
    /// How much of the sum is of ops that started in an earlier column.
    carried_ns: u64,
}

/// Whether any of some ops is searched for, and whether any is highlighted.
#[derive(Clone, Copy, Default)]
struct Found {
    is_match: bool,
    is_lit: bool,
}

impl Painter<'_> {
    /// The same picture, in columns of the width at index `width`.
    fn at(&mut self, width: usize) -> &Self {
        self.column_ns = ((WIDTHS_PX[width] / self.px_per_ns).round() as i64).max(1);
        self
    }

    /// The ops of `lane` within the window. Ends never decrease within a lane, because its ops do not overlap.
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

    /// The number of columns of the picture, and one on each side for ops that reach in.
    fn columns(&self) -> usize {
        (self.query.width_px.max(1.0) / self.column_px()) as usize + 3
    }

    /// The number of marks if ops were spread evenly between the first and the last of each row.
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

    /// Goes through the rows in order: single rows, and stacks of several.
    fn groups(&self, mut each: impl FnMut(Range<usize>)) {
        let mut row = 0;
        while row < self.rows.len() {
            let end = self.stack_end(row);
            each(row..end);
            row = end;
        }
    }

    /// Where the stack that begins with `row` ends. Stacks stay in place however far the picture is scrolled.
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
        let counted = |column: i64| Some((column - before).max(0) as usize);
        // The op that reaches into a column from an earlier one, until that column is drawn.
        let mut waiting: Option<(i64, Carried)> = None;
        let end_of = |(column, carried): (i64, Carried)| {
            let places = carried.place..carried.place;
            Piece { row, places, column: counted(column), carried, beyond: 0 }
        };
        while place < end {
            let first = self.op(place);
            let column = ops.start(first).0.div_euclid(self.column_ns);
            if self.length(first) >= self.column_ns {
                pieces.extend(waiting.take().map(end_of));
                pieces.push(Piece {
                    row,
                    places: place..place + 1,
                    column: None,
                    carried: Carried::default(),
                    beyond: 0,
                });
                place += 1;
                continue;
            }
            let carried = match waiting.take() {
                Some((into, carried)) if into == column => carried,
                other => {
                    pieces.extend(other.map(end_of));
                    Carried::default()
                }
            };
            let column_end = column.saturating_add(1).saturating_mul(self.column_ns);
            let mut next = gallop(place + 1, end, |place| ops.start(self.op(place)).0 < column_end);
            // Only the last op that starts in a column can reach far beyond it.
            if next - 1 > place && self.length(self.op(next - 1)) >= self.column_ns {
                next -= 1;
            }
            let beyond = ops.end(self.op(next - 1)).0.saturating_sub(column_end).max(0) as u64;
            pieces.push(Piece { row, places: place..next, column: counted(column), carried, beyond });
            if beyond > 0 {
                waiting = Some((column + 1, Carried { place: next - 1, ns: beyond }));
            }
            place = next;
        }
        pieces.extend(waiting.map(end_of));
    }

    /// The sum over the column of `piece`: without the part of its last op that is beyond, and with the op that reaches in.
    fn sum(&self, piece: &Piece) -> Sum {
        let Piece { places, carried, beyond, .. } = piece;
        let color = |place: usize| usize::from(self.look.colors.of(self.trace, self.op(place)));
        let mut sum = if places.is_empty() {
            Sum { longest: (0, carried.place as u32), ..Sum::default() }
        } else {
            self.index.sum(self.trace, self.lanes, self.look.colors, places.clone())
        };
        if *beyond > 0 {
            let busy = &mut sum.busy[color(places.end - 1)];
            *busy = busy.saturating_sub(*beyond);
        }
        if carried.ns > 0 {
            let busy = &mut sum.busy[color(carried.place)];
            *busy = busy.saturating_add(carried.ns);
        }
        sum
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
            let sum = self.sum(piece);
            let is_first = cell.count == 0 && cell.carried_ns == 0;
            // An op that only ends here is the longest if no op starts here.
            let with = if cell.count == 0 && !places.is_empty() {
                Sum { longest: sum.longest, ..cell.sum.with(sum) }
            } else if cell.count > 0 && places.is_empty() {
                Sum { longest: cell.sum.longest, ..cell.sum.with(sum) }
            } else {
                cell.sum.with(sum)
            };
            cell.sum = if is_first { sum } else { with };
            cell.count += places.len();
            cell.carried_ns = cell.carried_ns.saturating_add(piece.carried.ns);
            let found = self.found(places);
            cell.found.is_match |= found.is_match;
            cell.found.is_lit |= found.is_lit;
        }
        // An op that is alone in its column is drawn in its own lane.
        let is_alone = |cell: &Cell| cell.count == 1 && cell.carried_ns == 0;
        let alone = |piece: &&Piece| column_of(piece).is_none_or(|column| is_alone(&cells[column]));
        all.marks.extend(pieces.iter().filter(alone).map(|piece| self.mark(piece)));
        let row = (self.rows.len() + all.stacks.len()) as u32;
        let before = self.query.start.0.div_euclid(self.column_ns).saturating_sub(1);
        let area = self.column_ns as f64 * rows.len() as f64;
        let is_seen = |cell: &Cell| cell.count + usize::from(cell.carried_ns > 0) > 0 && !is_alone(cell);
        for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| is_seen(cell)) {
            let start = before.saturating_add(column as i64).saturating_mul(self.column_ns);
            let x0 = self.x(Timestamp(start));
            stacked.push(self.merged(
                row,
                cell.count,
                &cell.sum,
                cell.found,
                x0..x0 + self.column_px(),
                area,
            ));
        }
        all.stacks.push(rows.start as u32..rows.end as u32);
    }

    /// The mark of a piece in its own lane: a column or a single op.
    fn mark(&self, piece: &Piece) -> Mark {
        let Piece { row, places, column, .. } = piece;
        if let Some(column) = column {
            let before = self.query.start.0.div_euclid(self.column_ns).saturating_sub(1);
            let start = before.saturating_add(*column as i64).saturating_mul(self.column_ns);
            let x0 = self.x(Timestamp(start));
            let x = x0..x0 + self.column_px();
            let found = self.found(places.clone());
            let area = self.column_ns as f64;
            return self.merged(*row as u32, places.len(), &self.sum(piece), found, x, area);
        }
        let first = self.op(places.start);
        let x0 = self.x(self.trace.ops().start(first));
        let x1 = self.x(self.trace.ops().end(first)).max(x0 + 1.0);
        Mark {
            row: *row as u32,
            x0: x0 as f32,
            x1: x1 as f32,
            op: first,
            count: 1,
            color: self.look.colors.of(self.trace, first),
            shade: self.shade(first),
            density: 255,
            is_match: self.look.matches.contains(first),
            is_lit: self.look.lit.contains(first),
        }
    }

    fn found(&self, places: Range<usize>) -> Found {
        let Look { matches, lit, .. } = self.look;
        Found { is_match: matches.count(places.clone()) > 0, is_lit: lit.count(places) > 0 }
    }

    /// Makes one mark of several ops. `area_ns` is the time that ops could fill in it.
    fn merged(&self, row: u32, count: usize, sum: &Sum, found: Found, x: Range<f64>, area_ns: f64) -> Mark {
        let longest = self.op(sum.longest.1 as usize);
        let total = sum.busy.into_iter().fold(0, u64::saturating_add);
        // Of equal colours the first is taken. If all ops are empty, the mark has the colour of the first op.
        let color = if total == 0 {
            self.look.colors.of(self.trace, longest)
        } else {
            (0..COLORS).rev().max_by_key(|&color| sum.busy[color]).unwrap_or(0) as u8
        };
        Mark {
            row,
            x0: x.start as f32,
            x1: x.end as f32,
            op: longest,
            count: count as u32,
            color,
            shade: self.shade(longest),
            density: ((total as f64 / area_ns.max(f64::MIN_POSITIVE)).min(1.0) * 255.0) as u8,
            is_match: found.is_match,
            is_lit: found.is_lit,
        }
    }

    /// Of categories a shade from the FNV-1a hash of the op type, folded to three bits: the same in every trace. Of other colours whether it is of a
    /// range.
    fn shade(&self, op: OpId) -> u8 {
        if self.look.colors.by() != ColorBy::Category {
            return if self.trace.category(op) == Category::Range { SHADE_OF_RANGES } else { 0 };
        }
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

/// The first place from `from` on where `before` does not hold; quick if it is near.
fn gallop(from: usize, end: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut step) = (from, 1);
    while low + step < end && before(low + step) {
        low += step;
        step *= 2;
    }
    search(low..(low + step).min(end), before)
}
