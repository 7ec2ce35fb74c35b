//! Copies between host and device that the step waits for. The saving is that of a step in which copies take no time; where GPUs were
//! recorded, no more than the time of the busiest in which it does nothing but copy, or nothing at all. Each copy counts once, however
//! many devices record it. Where copies from or to memory that is not pinned are half of that time or more, `pageable-copies` says it.
//!
//! XProf calls copies of 30 % of the input time a finding (`smart_suggestion/constants.h`).

use super::super::context::Context;
use super::super::finding::{Facts, Needs, Rule, Ruling};
use super::pageable_copies::is_mostly_pageable;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::replay::change::Change;
use crate::{Category, OpId, Trace};

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    if !context.has(Category::Copy) {
        return Ruling::Lacks(Needs::Gpu);
    }
    if is_mostly_pageable(context) {
        return Ruling::Nothing;
    }
    let trace = context.trace();
    let facts = Facts {
        count: copies(trace).count() as u64,
        time: copies(trace).map(|op| trace.ops().interval(op).length()).fold(Nanos(0), |sum, own| sum + own),
        ..Facts::default()
    };
    let evidence = context.longest_on_path(|kind, _| kind == SegmentKind::Copy);
    let change = Change::Category { category: Category::Copy, factor: 0.0 };
    let on_path = context.on_path(&[SegmentKind::Copy]);
    let most = context.most_without(Some(Category::Copy));
    context.judge_change_within(Rule::Copies, on_path, facts, evidence, change, Some(most))
}

/// All copies, without those that devices repeat of others.
pub(super) fn copies(trace: &Trace) -> impl Iterator<Item = OpId> + '_ {
    let devices = trace.devices().ids().filter(|&device| !trace.devices().repeats_others(device));
    devices.flat_map(|device| trace.ops_of(device)).filter(|&op| trace.category(op) == Category::Copy)
}
