//! Marks the steps that events name themselves (`args.step`), where nothing else marks steps. Numbers may mean anything:
//! they are those of steps if nearly all ops have one, several ops have the same, and a step begins after the one with the number before it has ended.

use crate::step_marks::Mark as StepMark;
use steplens_core::base::order;
use steplens_core::build::builder::{Mark, TraceBuilder};

/// Ops have a number if this share of them has, in tenths.
const NEARLY_ALL: usize = 9;
/// A step has at least this many ops in the mean: fewer number the ops.
const LEAST_OPS: usize = 4;

/// Where each step begins, if `numbers`, of (row, step), are those of steps.
pub(super) fn marks(mark: Mark, numbers: &[(u32, i64)], builder: &TraceBuilder) -> Vec<StepMark> {
    let counts = |row: &u32| !builder.is_range(*row) && !builder.is_discarded(*row);
    let ops = builder.rows_since(mark).filter(counts).count();
    let mut rows: Vec<(i64, u32)> =
        numbers.iter().filter(|own| counts(&own.0)).map(|&(row, number)| (number, row)).collect();
    if rows.is_empty() || rows.len() * 10 < ops * NEARLY_ALL {
        return Vec::new();
    }
    order::by_number(&mut rows, |(number, row)| (number, i64::from(row)));
    let mut found: Vec<(StepMark, i64)> = Vec::new();
    for &(number, row) in &rows {
        let own = builder.run_of(row).1;
        match found.last_mut().filter(|(last, _)| last.number == number) {
            Some((last, end)) => {
                (last.start_unix_ns, *end) = (last.start_unix_ns.min(own.start), own.end.max(*end));
            }
            None => {
                let mark = StepMark { number, start_unix_ns: own.start, length_ns: 0, device: None };
                found.push((mark, own.end));
            }
        }
    }
    let follows = |pair: &[(StepMark, i64)]| pair[0].1 <= pair[1].0.start_unix_ns;
    let are_steps = found.len() > 1 && rows.len() >= found.len() * LEAST_OPS && found.windows(2).all(follows);
    if are_steps { found.into_iter().map(|(mark, _)| mark).collect() } else { Vec::new() }
}
