//! Copies between host and device that the step waits for. The saving is that of a step in which copies take no time.
//!
//! XProf calls copies of 30 % of the input time a finding (`smart_suggestion/constants.h`).

use super::super::context::Context;
use super::super::finding::{Facts, Needs, Rule, Verdict};
use crate::Category;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::replay::change::Change;

pub(super) fn judge(context: &Context<'_>) -> Verdict {
    if !context.has(Category::Copy) {
        return Verdict::Lacks(Needs::Gpu);
    }
    let trace = context.trace();
    // What `memcpy` and `stream:all` repeat of the numbered streams counts once.
    let devices = || trace.devices().ids().filter(|&device| !trace.devices().repeats_others(device));
    let copies = || {
        devices().flat_map(|device| trace.ops_of(device)).filter(|&op| trace.category(op) == Category::Copy)
    };
    let facts = Facts {
        count: copies().count() as u64,
        time: copies().map(|op| trace.ops().interval(op).length()).fold(Nanos(0), |sum, own| sum + own),
        ..Facts::default()
    };
    let evidence = context.longest_on_path(|kind, _| kind == SegmentKind::Copy);
    let change = Change::Category { category: Category::Copy, factor: 0.0 };
    context.judge_change(Rule::Copies, context.on_path(&[SegmentKind::Copy]), facts, evidence, change)
}
