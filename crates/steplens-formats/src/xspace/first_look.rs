//! A first look at all rows, before any becomes an op: which lines are work, which host events are ops, and which events launched
//! kernels.

use super::describe::is_op;
use super::lines::{LineKind, is_device, work_of};
use super::rows::Rows;
use super::shapes::OfShapes;
use super::tables::{Line, Plane, Tables};
use crate::op_type::starts_xla_program;
use crate::step_marks::Steps;
use std::cell::Cell;
use steplens_core::base::order;

/// What the first look found.
pub(super) struct FirstLook {
    pub(super) launches: Launches,
    /// By line.
    pub(super) is_work: Vec<bool>,
    /// Whether the file has any op. Then other host events are around ops.
    pub(super) has_ops: bool,
    /// Whether calls of a driver are on the lines of what gives programs of XLA to an accelerator (ROCm's are on lines of their own).
    pub(super) has_calls: bool,
    /// Whether anything ran before the first step, and whether any of it was an op.
    is_before: [bool; 2],
}

impl FirstLook {
    /// Looks at `rows`. `profile_start` is the start of the profile in ns from 1970.
    pub(super) fn at(rows: &Rows, tables: &Tables, profile_start: i64, steps: &Steps) -> Self {
        let mut own = Self {
            launches: Launches::default(),
            is_work: vec![true; tables.lines.len()],
            has_ops: false,
            has_calls: false,
            is_before: [false; 2],
        };
        // Of all rows together: a field would be written to memory for each row.
        let (mut launches, mut has_ops) = (Vec::new(), false);
        let (mut op_shapes, mut starting_shapes) = (OfShapes::new(), OfShapes::new());
        let mut left = rows.starting_at(0);
        for (number, plane) in (0..).zip(&tables.planes) {
            own.mark_work(plane, tables);
            let is_device = is_device(tables.texts.get(plane.name));
            let mut is_op = |shape| {
                is_device || op_shapes.get(plane.dictionary.number, shape, || is_op(tables, plane, shape))
            };
            let mut starts = |shape| {
                let starts = || {
                    tables.event_names(plane, shape).is_some_and(|own| starts_xla_program(own.0.as_bytes()))
                };
                starting_shapes.get(plane.dictionary.number, shape, starts)
            };
            for index in plane.lines.clone() {
                let Some(line) = tables.lines.get(index) else { continue };
                let is_work = own.is_work.get(index) == Some(&true);
                let (mut calls, mut starting) = (false, false);
                let mut first_ps = [i64::MAX; 2];
                for row in left.by_ref().take(line.rows) {
                    let is_op = is_work && is_op(row.shape);
                    has_ops |= is_op;
                    first_ps[0] = first_ps[0].min(row.offset_ps);
                    if is_op {
                        first_ps[1] = first_ps[1].min(row.offset_ps);
                    }
                    starting |= !is_device && !starting && starts(row.shape);
                    if row.correlation != 0 && !is_device {
                        calls = true;
                        let start = start_of(line, profile_start, row.offset_ps);
                        launches.extend(start.map(|start| (row.correlation, start)));
                    }
                }
                own.has_calls |= calls && starting;
                if is_work {
                    let first = first_ps
                        .map(|ps| if ps < i64::MAX { start_of(line, profile_start, ps) } else { None });
                    own.compare_with_steps(number, first, steps);
                }
            }
        }
        order::by_number(&mut launches, |(correlation, start)| (i64::from(correlation), start));
        (own.launches.all, own.has_ops) = (launches, has_ops);
        own
    }

    /// Finds which lines of a plane are work.
    fn mark_work(&mut self, plane: &Plane, tables: &Tables) {
        let lines = tables.lines.get(plane.lines.clone()).unwrap_or_default();
        let kind = |line: &Line| LineKind::of(tables.texts.get(line.name));
        let work = work_of(lines.iter().map(kind));
        let is_device = is_device(tables.texts.get(plane.name));
        for (line, is_work) in lines.iter().zip(&mut self.is_work[plane.lines.clone()]) {
            *is_work = !is_device || work(kind(line));
        }
    }

    /// Takes note of whether a line of plane `number`, with these `first` starts, runs before the first step.
    fn compare_with_steps(&mut self, number: u32, first: [Option<i64>; 2], steps: &Steps) {
        for (is_before, first) in self.is_before.iter_mut().zip(first) {
            *is_before |= first.is_some_and(|at| steps.on_device_at(number, at).or(steps.at(at)).is_none());
        }
    }

    /// Whether anything that counts ran before the first step: ops, if there are any.
    pub(super) fn is_before_steps(&self) -> bool {
        self.is_before[usize::from(self.has_ops)]
    }
}

/// The launches of kernels: (correlation, start), in order.
#[derive(Default)]
pub(super) struct Launches {
    all: Vec<(u32, i64)>,
    /// The place before the launch that was looked up last.
    near: Cell<usize>,
}

impl Launches {
    /// How far from the last launch the next one is searched first: kernels run in nearly the same order in which they were
    /// launched.
    const NEAR: usize = 64;

    pub(super) fn of(&self, correlation: u32) -> Option<i64> {
        if correlation == 0 {
            return None;
        }
        let is_before = |&(other, _): &(u32, i64)| other < correlation;
        let near = self.near.get();
        let place = match self.all.get(near..near + Self::NEAR) {
            Some(few @ [first, .., last]) if is_before(first) && !is_before(last) => {
                near + few.partition_point(is_before)
            }
            _ => self.all.partition_point(is_before),
        };
        self.near.set(place.saturating_sub(1));
        self.all.get(place).filter(|&&(other, _)| other == correlation).map(|&(_, start)| start)
    }
}

/// When an event of `line` starts, in ns from 1970. Lines count from the start of the profile, or from 1970 directly.
pub(super) fn start_of(line: &Line, profile_start: i64, offset_ps: i64) -> Option<i64> {
    let base = if line.timestamp_ns < profile_start { profile_start } else { 0 };
    base.checked_add(line.timestamp_ns)?.checked_add(offset_ps.div_euclid(1_000))
}
