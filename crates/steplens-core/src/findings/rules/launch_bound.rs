//! Launch-bound: the step waits for calls that launch kernels. The saving is that of a step in which they take no time, as with CUDA
//! graphs or with larger kernels. What only a first call does is not launching (see `first_calls`), nor is a call that launches
//! nothing.
//!
//! XProf calls launching of 3 % of a step moderate, of 15 % high (`op_stats_to_input_pipeline_analysis.cc`).

use super::super::context::{Context, With};
use super::super::finding::{Facts, Needs, Rule, Verdict};
use super::first_calls::first_calls;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::gpu::launching::launching;
use crate::replay::change::Change;
use crate::{Category, OpId};

pub(super) fn judge(context: &Context<'_>) -> Verdict {
    if !context.has(Category::Launch) {
        return Verdict::Lacks(Needs::Gpu);
    }
    let trace = context.trace();
    let first = first_calls(trace);
    let is_launching = launching(trace);
    let is_usual = |op: OpId| is_launching[op.index()] && first.binary_search(&op).is_err();
    let count = trace.ops().ids().filter(|&op| is_usual(op)).count();
    let evidence = context
        .longest_on_path(|kind, op| kind == SegmentKind::Launching && first.binary_search(&op).is_err());
    let facts = Facts { count: count as u64, ..Facts::default() };
    if !first.is_empty() {
        let scenario = || context.replay.without(is_usual);
        // How much of the observed path is usual launching is not known.
        let on_path = Nanos(0);
        return context.judge(
            Rule::LaunchBound,
            on_path,
            With { facts, evidence, change: None, scenario: &scenario },
        );
    }
    let change = Change::Category { category: Category::Launch, factor: 0.0 };
    context.judge_change(
        Rule::LaunchBound,
        context.on_path(&[SegmentKind::Launching]),
        facts,
        evidence,
        change,
    )
}
