//! Which step is shown first: a usual one among those that repeat.
//!
//! Steps that repeat run about the same number of ops. So steps are grouped by their number of ops; the largest group is the usual
//! one, and its first step that takes about as long as the median is shown. A step that is nearly empty is never chosen. A step
//! that is idle for nearly all of its length spans a gap in the recording; it is chosen only if there is no other.

use super::figures::StepFigures;
use super::rule::Steps;
use crate::base::order;

/// Within a group, no step has more than this many quarters of the ops of another. A usual length is within the same factor of the
/// median.
const QUARTERS: i128 = 5;
/// A step is nearly empty if it has fewer ops than the largest step's ops divided by this.
const LEAST_OPS: u64 = 10;
/// A step is idle if its busy time is less than its length divided by this.
const LEAST_BUSY: i64 = 10;

/// The row of the step to show first; `None` if there is none. `is_usual` says which steps count.
pub fn first_shown(steps: &Steps, figures: &[StepFigures], is_usual: &[bool]) -> Option<usize> {
    let ops = |row: usize| steps.rows()[row].ops;
    let length = |row: usize| figures[row].split.window.0;
    let counted = || (0..steps.rows().len()).filter(|&row| is_usual.get(row) == Some(&true));
    let most = counted().map(ops).max()?;
    let is_full = |&row: &usize| ops(row).saturating_mul(LEAST_OPS) >= most;
    let is_busy = |&row: &usize| {
        let busy = length(row) - figures[row].split.idle.0;
        busy.saturating_mul(LEAST_BUSY) >= length(row)
    };
    let mut rows: Vec<usize> = counted().filter(is_full).filter(is_busy).collect();
    if rows.is_empty() {
        rows = counted().filter(is_full).collect();
    }
    order::by_number(&mut rows, |row| (ops(row) as i64, row as i64));
    let is_about = |more: i64, less: i64| i128::from(more) * 4 <= i128::from(less) * QUARTERS;
    let mut group = 0..0;
    let mut end = 0;
    for start in 0..rows.len() {
        while rows.get(end).is_some_and(|&row| is_about(ops(row) as i64, ops(rows[start]) as i64)) {
            end += 1;
        }
        // Of groups of equal size, the one with more ops.
        if end - start >= group.len() {
            group = start..end;
        }
    }
    let mut group = rows[group].to_vec();
    order::by_number(&mut group, |row| (length(row), row as i64));
    let median = length(*group.get(group.len().checked_sub(1)? / 2)?);
    let is_median = |&row: &usize| is_about(length(row), median) && is_about(median, length(row));
    group.into_iter().filter(is_median).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::units::{Interval, Nanos, Timestamp};
    use crate::steps::rule::Step;
    use crate::timeline::split::Split;

    /// (ops, length, busy time) of each step.
    fn first(rows: &[(u64, i64, i64)]) -> Option<usize> {
        let of = |&(ops, length, busy): &(u64, i64, i64)| {
            let span = Interval { start: Timestamp(0), end: Timestamp(length) };
            let split = Split { window: Nanos(length), idle: Nanos(length - busy), ..Split::default() };
            let step = Step {
                parts: Vec::new(),
                span,
                ops,
                is_period: false,
                pause_before: Nanos(0),
                is_before: false,
                runs_other_graph: false,
                called: None,
            };
            (step, StepFigures { split, ..StepFigures::default() })
        };
        let (steps, figures): (Vec<_>, Vec<_>) = rows.iter().map(of).unzip();
        let is_usual: Vec<bool> = rows.iter().map(|row| row.0 > 0).collect();
        first_shown(&Steps::with_rows(steps), &figures, &is_usual)
    }

    #[test]
    fn the_usual_step_is_of_the_largest_group_and_of_usual_length() {
        assert_eq!(first(&[(100, 50, 40), (100, 50, 40), (100, 50, 40)]), Some(0));
        // The first step takes three times as long.
        assert_eq!(first(&[(100, 150, 140), (100, 50, 40), (104, 52, 40), (100, 48, 40)]), Some(1));
        // Includes a step that initialises and one that evaluates.
        assert_eq!(first(&[(900, 90, 80), (100, 50, 40), (95, 20, 19), (101, 51, 40)]), Some(1));
        // Of groups of equal size, the one with more ops.
        assert_eq!(first(&[(20, 50, 40), (100, 50, 40), (20, 50, 40), (101, 50, 40)]), Some(1));
    }

    #[test]
    fn a_nearly_empty_step_is_not_first() {
        // Most steps span a gap.
        assert_eq!(first(&[(100, 5_000, 60), (100, 5_000, 60), (100, 50, 40)]), Some(2));
        assert_eq!(first(&[(3, 50, 40), (3, 50, 40), (3, 50, 40), (1_000, 50, 40)]), Some(3));
        // There is no other step.
        assert_eq!(first(&[(0, 0, 0), (100, 5_000, 60), (100, 5_000, 60)]), Some(1));
        assert_eq!(first(&[(111, 9_100, 150), (2, 100, 99)]), Some(0));
        assert_eq!(first(&[(0, 0, 0)]), None);
        assert_eq!(first(&[]), None);
    }
}
