//! Tensors that are received before they were made: the clocks of their tasks differ, or their times are wrong.

use crate::clocks::{Ahead, Search, Why};
use crate::doctor::{Finding, FindingKind, Limit, MAX_OPS};
use crate::{OpId, Study};

/// The findings about the clocks of what `study` shows. For aligned clocks, only findings that aligning does not solve. The ops are
/// ids of the opened trace.
pub fn clocks(study: &Study) -> Vec<Finding> {
    let doubt = study.clock_doubt();
    if let Some(own) = doubt.filter(|own| own.why.is_of_accelerator()) {
        let kind = match own.why {
            Why::CoarseHost => FindingKind::CoarseHostClock(own.of, own.by),
            _ => FindingKind::AcceleratorClock(own.of, own.by),
        };
        return vec![Finding { kind, count: own.tensors, ops: Vec::new(), devices: Vec::new() }];
    }
    let Some(clocks) = study.clocks() else { return Vec::new() };
    let setting = study.view().clocks.as_ref();
    let named = |ops: &mut dyn Iterator<Item = OpId>| -> Vec<OpId> {
        // With aligned clocks, the clocks were computed from another trace: the one with all steps.
        if setting.is_some() {
            return Vec::new();
        }
        let old = |op: OpId| study.old_op().map_or(op, |old_op| old_op[op.index()]);
        ops.take(MAX_OPS).map(old).collect()
    };
    let ahead = |row| setting.map_or(Ahead::default(), |setting| setting.ahead(study.trace(), row));
    let most = clocks.violations(&ahead).iter().map(|pair| pair.most).max().unwrap_or_default();
    let doubt = doubt.filter(|doubt| doubt.why != Why::Contradict);
    let differ = doubt.map(|doubt| Finding {
        kind: match doubt.is_by_collectives {
            true => FindingKind::RankClocksDiffer(clocks.transfers(), most),
            false => FindingKind::ClocksDiffer(clocks.transfers(), most),
        },
        count: doubt.tensors,
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
