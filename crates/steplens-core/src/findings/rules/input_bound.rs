//! Input-bound: the step waits for the next batch. The saving is that of a step in which input takes no time.
//!
//! XProf calls input below 5 % of a step no bottleneck, up to 20 % moderate, above that high (`op_stats_to_input_pipeline_analysis.cc`);
//! PyTorch's advisor uses 5 %.

use super::super::context::Context;
use super::super::finding::{Facts, Rule, Ruling};
use crate::Category;
use crate::causality::observed::SegmentKind;
use crate::replay::change::Change;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    if !context.has(Category::Input) {
        return Ruling::Nothing;
    }
    let evidence = context.longest_on_path(|kind, _| kind == SegmentKind::Input);
    let facts = Facts {
        name: evidence.first().map(|&op| context.study.title(op).to_owned()).unwrap_or_default(),
        ..Facts::default()
    };
    let change = Change::Category { category: Category::Input, factor: 0.0 };
    let on_path = context.on_path(&[SegmentKind::Input]);
    let most = context.most_without(Some(Category::Input));
    context.judge_change_within(Rule::InputBound, on_path, facts, evidence, change, Some(most))
}
