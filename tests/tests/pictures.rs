//! What is drawn of random traces, windows and rows, against a plain renderer: no op is missing, and no colour is wrong by
//! more than the rule in `steplens_core::marks` allows.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;
use std::ops::Range;
use steplens_core::marks::{Look, Mark, Marks, MarksQuery};
use steplens_core::questions::coloring;
use steplens_core::search::matches::Matches;
use steplens_core::search::pattern::Pattern;
use steplens_core::timeline::colors::{COLORS, ColorBy};
use steplens_core::{LaneId, OpId, Study, Timestamp};
use steplens_tests::cases::cases;
use steplens_tests::writer::{PS, Scenario, WORKER, op};

/// Stacks and columns may be this many pixels apart from being square.
const MAX_STACK_PX: f64 = 16.0;
const LABELS: [&str; 4] = ["a = Mul(b, c)", "b = Add(a, ^c)", "c = _Send(a)", "d = MEMCPYDtoH(b:1)"];

/// Label, start and length of an op.
type Row = (&'static str, i64, i64);

/// Ops of two devices, and what is asked of them.
#[derive(Clone, Debug)]
struct Asked {
    devices: [Vec<Row>; 2],
    start: i64,
    length: i64,
    width_px: f64,
    /// From each lane to the next: of a half, and of the rest.
    pitches: [f32; 2],
    /// Which lanes are left out, by what remains of dividing their number.
    left_out: u32,
    most: usize,
    search: &'static str,
    by: ColorBy,
}

fn asked() -> impl Strategy<Value = Asked> {
    let length = prop_oneof![1 => Just(0_i64), 6 => 1_i64..12, 1 => 12_i64..300];
    let rows = |most| vec((select(&LABELS[..]), 0_i64..900, length.clone()), 1..most);
    let pitch = || select(&[0.25_f32, 1.0, 2.0, 3.5, 18.0][..]);
    (
        (rows(160), rows(12)),
        (-50_i64..950, 1_i64..1_000),
        prop_oneof![Just(1.0), 1.0..80.0, 80.0..2_000.0],
        (pitch(), pitch()),
        2_u32..9,
        prop_oneof![Just(1_000), 1_usize..60],
        (select(&["", "Mul"][..]), select(&[ColorBy::Category, ColorBy::OpType, ColorBy::Duration][..])),
    )
        .prop_map(
            |((ps, worker), (start, length), width_px, (one, other), left_out, most, (search, by))| Asked {
                devices: [ps, worker],
                start,
                length,
                width_px,
                pitches: [one, other],
                left_out,
                most,
                search,
                by,
            },
        )
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn pictures_are_what_the_rule_says(asked in asked()) {
        let ops = |rows: &[Row]| rows.iter().map(|&(label, start, length)| op(label, start, length)).collect::<Vec<_>>();
        let [ps, worker] = asked.devices.each_ref();
        let mut study = Scenario::new().device(PS, ops(ps)).device(WORKER, ops(worker)).study();
        let colors = coloring::colors(&study, asked.by);
        study.color(colors);
        let lanes: Vec<LaneId> =
            (0..study.lanes().len()).map(LaneId::from_usize).filter(|lane| !lane.get().is_multiple_of(asked.left_out)).collect();
        let pitches: Vec<f32> = (0..lanes.len()).map(|row| asked.pitches[usize::from(2 * row >= lanes.len())]).collect();
        let matches = Matches::of(study.trace(), study.lanes(), &Pattern::new(asked.search, false).expect("a plain text"));
        let (matches, lit) = (matches.expect("a plain text"), Matches::of_ops(study.trace(), study.lanes(), |op| op.get() % 3 == 1));
        let query = MarksQuery {
            start: Timestamp(asked.start),
            end: Timestamp(asked.start + asked.length),
            width_px: asked.width_px,
            lanes: &lanes,
            pitches: &pitches,
            most: asked.most,
        };
        let picture = study.marks().marks(study.trace(), study.lanes(), Look { colors: study.colors(), matches: &matches, lit: &lit }, &query);
        let plain = Plain { study: &study, query: &query, picture: &picture };
        plain.check_columns()?;
        plain.check_stacks()?;
        plain.check_marks(&asked)?;
        plain.check_pixels()?;
    }
}

/// The rule, done slowly.
struct Plain<'a> {
    study: &'a Study,
    query: &'a MarksQuery<'a>,
    picture: &'a Marks,
}

impl Plain<'_> {
    fn x(&self, time: i64) -> f64 {
        (time - self.query.start.0) as f64 * self.px_per_ns()
    }

    fn px_per_ns(&self) -> f64 {
        self.query.width_px / (self.query.end - self.query.start).0 as f64
    }

    fn span(&self, op: OpId) -> (i64, i64) {
        let interval = self.study.trace().ops().interval(op);
        (interval.start.0, interval.end.0)
    }

    fn column(&self, op: OpId) -> Option<i64> {
        let (start, end) = self.span(op);
        (end - start < self.picture.column_ns).then(|| start.div_euclid(self.picture.column_ns))
    }

    /// The ops of a row that the window meets.
    fn shown(&self, row: usize) -> Vec<OpId> {
        let all = self.study.lanes().ops(self.query.lanes[row]).iter().copied();
        all.filter(|&op| self.span(op).1 >= self.query.start.0 && self.span(op).0 < self.query.end.0)
            .collect()
    }

    fn stack_of(&self, row: usize) -> Option<usize> {
        self.picture.stacks.iter().position(|rows| rows.contains(&(row as u32)))
    }

    /// Nothing is merged over more than a pixel without need, and no more is drawn than was asked for.
    fn check_columns(&self) -> Result<(), TestCaseError> {
        let pixel_ns = (1.0 / self.px_per_ns()).round().max(1.0) as i64;
        let ops: usize = (0..self.query.lanes.len()).map(|row| self.shown(row).len()).sum();
        prop_assert!(self.picture.column_ns >= pixel_ns);
        prop_assert!(ops > self.query.most || self.picture.column_ns == pixel_ns);
        let widest = self.picture.column_ns as f64 >= (100.0 / self.px_per_ns()).floor();
        prop_assert!(widest || self.picture.marks.len() <= 2 * self.query.most);
        Ok(())
    }

    /// Stacks are thin neighbours of one device, and no taller than a column is wide.
    fn check_stacks(&self) -> Result<(), TestCaseError> {
        let column_px = self.picture.column_ns as f64 * self.px_per_ns();
        let mut end = 0;
        for rows in &self.picture.stacks {
            prop_assert!(rows.start >= end && rows.len() >= 2);
            end = rows.end;
            let Range { start, end } = rows.start as usize..rows.end as usize;
            let device =
                |row: usize| self.study.trace().device_of(self.study.lanes().ops(self.query.lanes[row])[0]);
            let lane = |row: usize| self.query.lanes[row].get();
            let pitch = |row: usize| self.query.pitches[row];
            prop_assert!(
                (start + 1..end).all(|row| lane(row) == lane(row - 1) + 1 && device(row) == device(start))
            );
            prop_assert!((start..end - 1).all(|row| pitch(row) == pitch(start)));
            let height = f64::from(pitch(start)) * rows.len() as f64;
            prop_assert!(
                height <= column_px.min(MAX_STACK_PX) + 1e-6,
                "{} px in columns of {}",
                height,
                column_px
            );
        }
        Ok(())
    }

    /// The marks are those of the definition: the long ops, and the short ones by column of a lane or a stack.
    fn check_marks(&self, asked: &Asked) -> Result<(), TestCaseError> {
        let n_rows = self.query.lanes.len();
        // By row and, for merged ones, column; else the op.
        let mut wanted: BTreeMap<(usize, i64, i64), Vec<OpId>> = BTreeMap::new();
        let mut cells: BTreeMap<(usize, i64), Vec<(usize, OpId)>> = BTreeMap::new();
        let column_ns = self.picture.column_ns;
        for row in 0..n_rows {
            for op in self.shown(row) {
                // A short op may end in the column after the one it starts in, which is then seen, too.
                let beyond = |column: i64| self.span(op).1 > (column + 1) * column_ns;
                match (self.column(op), self.stack_of(row)) {
                    (Some(column), Some(stack)) => {
                        cells.entry((n_rows + stack, column)).or_default().push((row, op));
                        if beyond(column) {
                            cells.entry((n_rows + stack, column + 1)).or_default();
                        }
                    }
                    (Some(column), None) => {
                        wanted.entry((row, column * column_ns, -1)).or_default().push(op);
                        if beyond(column) {
                            wanted.entry((row, (column + 1) * column_ns, -1)).or_default();
                        }
                    }
                    (None, _) => {
                        wanted.entry((row, self.span(op).0, i64::from(op.get()))).or_default().push(op)
                    }
                }
            }
        }
        for ((row, column), own) in cells {
            let start = column * column_ns;
            let all = self.short_ops(row, start);
            match own[..] {
                // What is alone in its column can be seen where it is.
                [(lane, op)] if all.iter().all(|&other| other == op) => {
                    wanted.insert((lane, start, -1), vec![op])
                }
                _ => wanted.insert((row, start, -1), own.into_iter().map(|(_, op)| op).collect()),
            };
        }
        let mut marks: Vec<&Mark> = self.picture.marks.iter().collect();
        prop_assert!(marks.is_sorted_by(|a, b| (a.row, a.x0) <= (b.row, b.x0)), "marks lie in order");
        prop_assert_eq!(marks.len(), wanted.len());
        // In order of rows and starts, columns before ops that start with them.
        for (mark, ((row, start, op), ops)) in marks.drain(..).zip(&wanted) {
            prop_assert_eq!(mark.row as usize, *row);
            self.check_mark(mark, (*start, *op < 0), ops, asked)?;
        }
        Ok(())
    }

    /// The short ops of a row or a stack that cover any of the column that begins at `start`.
    fn short_ops(&self, row: usize, start: i64) -> Vec<OpId> {
        let rows = match row.checked_sub(self.query.lanes.len()) {
            Some(stack) => {
                let rows = &self.picture.stacks[stack];
                rows.start as usize..rows.end as usize
            }
            None => row..row + 1,
        };
        let short = rows.flat_map(|row| self.shown(row)).filter(|&op| self.column(op).is_some());
        short.filter(|&op| self.inside(op, start) > 0).collect()
    }

    /// How much of an op lies in the column that begins at `start`.
    fn inside(&self, op: OpId, start: i64) -> i64 {
        let (from, to) = self.span(op);
        (to.min(start + self.picture.column_ns) - from.max(start)).max(0)
    }

    /// `place` is where its op or its column starts, and whether it is a column.
    fn check_mark(
        &self,
        mark: &Mark,
        (start, is_column): (i64, bool),
        ops: &[OpId],
        asked: &Asked,
    ) -> Result<(), TestCaseError> {
        let length = |op: OpId| self.span(op).1 - self.span(op).0;
        let color = |op: OpId| self.study.colors().of(self.study.trace(), op);
        let near =
            |a: f32, b: f64| (f64::from(a) - b).abs() <= f64::max(1e-3, b.abs() * f64::from(f32::EPSILON));
        let own_lanes = match (mark.row as usize).checked_sub(self.query.lanes.len()) {
            Some(stack) => self.picture.stacks[stack].len(),
            None => 1,
        };
        let (x0, x1) = match is_column {
            true => (self.x(start), self.x(start + self.picture.column_ns)),
            false => (self.x(start), self.x(self.span(ops[0]).1).max(self.x(start) + 1.0)),
        };
        prop_assert!(near(mark.x0, x0) && near(mark.x1, x1), "{:?} is not at {}..{}", mark, x0, x1);
        prop_assert_eq!(mark.count as usize, ops.len());
        let seen = if is_column { self.short_ops(mark.row as usize, start) } else { ops.to_vec() };
        if ops.is_empty() {
            prop_assert!(seen.contains(&mark.op));
        } else {
            prop_assert!(ops.contains(&mark.op) && ops.iter().all(|&op| length(op) <= length(mark.op)));
        }
        let is_match = |op: OpId| {
            !asked.search.is_empty()
                && self
                    .study
                    .trace()
                    .text(self.study.trace().nodes().op_type(self.study.trace().ops().node(op)))
                    == asked.search
        };
        prop_assert_eq!(mark.is_match, ops.iter().any(|&op| is_match(op)));
        prop_assert_eq!(mark.is_lit, ops.iter().any(|&op| op.get() % 3 == 1));
        if !is_column {
            prop_assert_eq!((mark.color, mark.density), (color(ops[0]), 255));
            return Ok(());
        }
        let busy: [i64; COLORS] = std::array::from_fn(|wanted| {
            seen.iter()
                .filter(|&&op| usize::from(color(op)) == wanted)
                .map(|&op| self.inside(op, start))
                .sum()
        });
        let total: i64 = busy.iter().sum();
        let most = busy.iter().position(|time| Some(time) == busy.iter().max()).unwrap_or(0) as u8;
        prop_assert_eq!(mark.color, if total == 0 { color(ops[0]) } else { most });
        let filled = total as f64 / self.picture.column_ns as f64 / own_lanes as f64;
        prop_assert!((f64::from(mark.density) - filled.min(1.0) * 255.0).abs() <= 1.0);
        Ok(())
    }

    /// Every pixel where an op starts or lies is painted in its lane or its stack, and what is painted has an op near by.
    fn check_pixels(&self) -> Result<(), TestCaseError> {
        let slack = self.picture.column_ns as f64 * self.px_per_ns() + 1.5;
        for row in 0..self.query.lanes.len() {
            let rows = [Some(row), self.stack_of(row).map(|stack| self.query.lanes.len() + stack)];
            let own: Vec<&Mark> =
                self.picture.marks.iter().filter(|mark| rows.contains(&Some(mark.row as usize))).collect();
            let shown = self.shown(row);
            for &op in &shown {
                let middle = self.x(self.span(op).0).midpoint(self.x(self.span(op).1));
                for x in [self.x(self.span(op).0), middle] {
                    prop_assert!(
                        own.iter()
                            .any(|mark| f64::from(mark.x0) <= x + 1e-2 && x <= f64::from(mark.x1) + 1e-2
                                || self.reaches(mark, x))
                    );
                }
            }
            for mark in own.iter().filter(|mark| mark.row as usize == row) {
                let (x0, x1) = (f64::from(mark.x0), f64::from(mark.x1));
                let is_near = |&op: &OpId| {
                    self.x(self.span(op).0) <= x1 + slack && self.x(self.span(op).1) >= x0 - slack
                };
                prop_assert!(shown.iter().any(is_near));
            }
        }
        Ok(())
    }

    /// The short ops of a stack may end in the column after the one they start in.
    fn reaches(&self, mark: &Mark, x: f64) -> bool {
        let column_px = self.picture.column_ns as f64 * self.px_per_ns();
        mark.row as usize >= self.query.lanes.len()
            && f64::from(mark.x0) <= x
            && x <= f64::from(mark.x1) + column_px
    }
}
