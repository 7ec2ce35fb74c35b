//! Whether ops come again and again in what was recorded: in more than one of several steps, or, where steps are not known, in at least
//! three tenths of the recording. What only a first step does, does not.

use super::super::context::Context;
use crate::OpId;

/// What only begins comes in one tenth of a recording, or in two where it lies across the limit between them.
const LEAST_TENTHS: u32 = 3;

pub(super) fn recurs(context: &Context<'_>, ops: &[OpId]) -> bool {
    let trace = context.trace();
    if !context.steps.is_one() {
        let mut steps = ops.iter().map(|&op| context.steps.step(context.study, op));
        let first = steps.next();
        return steps.any(|step| Some(step) != first);
    }
    let span = trace.span();
    let tenth = |op: OpId| {
        let at = i128::from((trace.ops().start(op) - span.start).0) * 10 / i128::from(span.length().0.max(1));
        at.clamp(0, 9) as u32
    };
    let tenths = ops.iter().fold(0_u32, |seen, &op| seen | 1 << tenth(op));
    tenths.count_ones() >= LEAST_TENTHS
}
