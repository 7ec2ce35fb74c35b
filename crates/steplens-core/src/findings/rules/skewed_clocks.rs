//! Clocks that differ: times of different tasks cannot be compared until they are aligned.

use super::super::context::{Context, figure};
use super::super::finding::{Facts, Rule, Ruling};
use crate::base::units::Nanos;
use crate::clocks::Why;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let Some(doubt) = context.study.clock_doubt() else { return Ruling::Nothing };
    let is_accelerator = doubt.why == Why::Accelerator;
    let is_coarse = doubt.why == Why::CoarseHost;
    let facts = Facts {
        count: doubt.tensors,
        of: doubt.of,
        time: doubt.by,
        is_accelerator,
        is_coarse,
        ..Facts::default()
    };
    figure(Rule::SkewedClocks, Nanos(0), facts, Vec::new())
}
