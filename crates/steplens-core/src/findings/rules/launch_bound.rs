//! Launch-bound: the step waits for calls that launch kernels. The saving is that of a step in which they take no time, as with CUDA
//! graphs or with larger kernels.
//!
//! XProf calls launching of 3 % of a step moderate, of 15 % high (`op_stats_to_input_pipeline_analysis.cc`).

use super::super::context::Context;
use super::super::finding::{Facts, Needs, Rule, Verdict};
use crate::Category;
use crate::causality::observed::SegmentKind;
use crate::replay::change::Change;

pub(super) fn judge(context: &Context<'_>) -> Verdict {
    if !context.has(Category::Launch) {
        return Verdict::Lacks(Needs::Gpu);
    }
    let trace = context.trace();
    let count = trace.ops().ids().filter(|&op| trace.category(op) == Category::Launch).count();
    let evidence = context.longest_on_path(|kind, _| kind == SegmentKind::Launching);
    let facts = Facts { count: count as u64, ..Facts::default() };
    let change = Change::Category { category: Category::Launch, factor: 0.0 };
    context.judge_change(
        Rule::LaunchBound,
        context.on_path(&[SegmentKind::Launching]),
        facts,
        evidence,
        change,
    )
}
