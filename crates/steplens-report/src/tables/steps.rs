//! Every step that has ops.

use super::{Give, columns};
use std::io;
use steplens_core::Study;
use steplens_core::study::step_of_op::StepOfOp;

columns! { StepRow {
    /// Its place, from 1.
    step: count => |row| (row.step + 1).into();
    /// When its first op started.
    start_ns: moment => |row| row.steps.span(row.step).start.into();
    /// When its last op ended.
    end_ns: moment => |row| row.steps.span(row.step).end.into();
    /// How long it lasted.
    duration_ns: length => |row| row.steps.span(row.step).length().into();
    /// How many ops it has.
    ops: count => |row| row.ops.into();
} }

struct StepRow<'s> {
    steps: &'s StepOfOp,
    step: usize,
    ops: usize,
}

pub(super) fn rows(study: &Study, give: &mut Give<'_>) -> io::Result<()> {
    let steps = StepOfOp::indexed(study);
    let mut counts = vec![0_usize; steps.end()];
    for op in study.trace().ops().ids() {
        counts.get_mut(steps.step(study, op)).into_iter().for_each(|count| *count += 1);
    }
    for (step, ops) in counts.into_iter().enumerate().filter(|&(_, ops)| ops > 0) {
        let row = StepRow { steps: &steps, step, ops };
        give.row(&VALUES, &row)?;
    }
    Ok(())
}
