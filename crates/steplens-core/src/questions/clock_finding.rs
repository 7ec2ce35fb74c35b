//! Tensors that are received before they were made: the clocks of their tasks differ, or their own times are wrong.

use crate::clocks::{self, Clocks, Search};
use crate::doctor::{Finding, FindingKind, Limit, MAX_OPS};
use crate::{DeviceId, Nanos, OpId, Study};
use std::sync::Arc;

/// A receipt may be recorded in whole microseconds: a tensor that is early by less is not counted.
const ROUNDING: Nanos = Nanos(1_000);

/// What is found of the clocks in what `study` shows, in time linear in transfers where no tensor is early; where its clocks are
/// set, what was found before. The ops are those of the opened trace.
pub fn clocks(study: &Study) -> Vec<Finding> {
    let setting = study.view().clocks.as_ref();
    let clocks = match setting {
        Some(setting) => Arc::clone(&setting.clocks),
        None if is_any_early(study) => Arc::new(Clocks::of(study.trace(), study.transfers())),
        None => return Vec::new(),
    };
    let named = |ops: &mut dyn Iterator<Item = OpId>| -> Vec<OpId> {
        // The clocks were those of another trace then: of all steps.
        if setting.is_some() {
            return Vec::new();
        }
        let old = |op: OpId| study.old_op().map_or(op, |old_op| old_op[op.index()]);
        ops.take(MAX_OPS).map(old).collect()
    };
    let pairs = clocks.violations(&|_| Default::default());
    let most = pairs.iter().map(|pair| pair.most).max().unwrap_or_default();
    let differ = (most > ROUNDING).then(|| Finding {
        kind: FindingKind::ClocksDiffer(clocks.transfers(), most),
        count: clocks::count(&pairs),
        ops: named(&mut clocks.early()),
        devices: Vec::new(),
    });
    let contradicting = (clocks.contradicting().len() > 0).then(|| Finding {
        kind: FindingKind::ContradictingTimes(clocks.transfers(), clocks.most_contradicting()),
        count: clocks.contradicting().len() as u64,
        ops: named(&mut clocks.contradicting()),
        devices: Vec::new(),
    });
    let given_up = (clocks.search == Search::GivenUp).then(|| Finding {
        kind: FindingKind::Limit(Limit::Clocks),
        count: clocks.tasks.len() as u64,
        ops: Vec::new(),
        devices: Vec::new(),
    });
    differ.into_iter().chain(contradicting).chain(given_up).collect()
}

/// Whether a tensor from one task to another is received before it was made.
fn is_any_early(study: &Study) -> bool {
    let trace = study.trace();
    let task = |device: DeviceId| trace.devices().get(device).task;
    study.transfers().rows().iter().filter_map(|transfer| clocks::ends(&transfer)).any(|(producer, op)| {
        let [from, to] = [producer, op].map(|op| task(trace.device_of(op)));
        from != to
            && from.is_some()
            && to.is_some()
            && trace.ops().end(producer) - trace.ops().end(op) > ROUNDING
    })
}
