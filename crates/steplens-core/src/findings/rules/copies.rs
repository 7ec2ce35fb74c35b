//! Copies between host and device that the step waits for. Where accelerators were recorded, the time is measured: how long they do
//! nothing but copy, by the split; elsewhere the saving is that of a replay in which copies take no time. Each copy counts once,
//! however many devices record it. Where copies from or to memory that is not pinned are half of that time or more, `pageable-copies` says it.
//!
//! XProf calls copies of 30 % of the input time a finding (`smart_suggestion/constants.h`).

use super::super::context::Context;
use super::super::finding::{Facts, Needs, Rule, Ruling};
use super::all_copies::copies;
use super::pageable_copies::is_mostly_pageable;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::gpu::accelerators::accelerators;
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
        time: sum(trace, |_| true),
        is_on_device: sum(trace, |op| is_on_device(trace, op)).0.saturating_mul(2) >= sum(trace, |_| true).0,
        ..Facts::default()
    };
    let evidence = context.longest_on_path(|kind, _| kind == SegmentKind::Copy);
    let change = Change::Category { category: Category::Copy, factor: 0.0 };
    if !accelerators(trace).is_empty() {
        let exposed = context.study.step_split(trace.span()).exposed_copy;
        let evidence = if evidence.is_empty() { longest(trace) } else { evidence };
        return context.measured(Rule::Copies, exposed, facts, evidence, Some(change));
    }
    let on_path = context.on_path(&[SegmentKind::Copy]);
    context.judge_change(Rule::Copies, on_path, facts, evidence, change)
}

fn sum(trace: &Trace, is_it: impl Fn(OpId) -> bool) -> Nanos {
    let lengths = copies(trace).filter(|&op| is_it(op)).map(|op| trace.ops().interval(op).length());
    lengths.fold(Nanos(0), |sum, own| sum + own)
}

/// Whether `op` copies from one place of a device to another: as CUPTI and ROCm call it, and XLA on a TPU.
fn is_on_device(trace: &Trace, op: OpId) -> bool {
    let node = trace.ops().node(op);
    [trace.nodes().name(node), trace.nodes().label(node)].into_iter().any(|text| {
        let text = trace.text(text).to_ascii_lowercase();
        ["dtod", "d2d", "devicetodevice", "copy-done", "copy-start"].iter().any(|part| text.contains(part))
    })
}

fn longest(trace: &Trace) -> Vec<OpId> {
    let mut found: Vec<OpId> = copies(trace).collect();
    found.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    found
}
