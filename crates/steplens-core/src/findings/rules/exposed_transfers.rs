//! Transfers, and collectives of hosts, that the step waits for: what it would save if the network took no time. Collectives of GPUs
//! have a rule of their own.
//!
//! A bound, not a promise: no network is that fast. XProf calls communication of 3 % moderate, of 15 % high
//! (`op_stats_to_input_pipeline_analysis.cc`); RATELProf asks that at least half of a transfer is hidden.

use super::super::context::Context;
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::base::units::Bytes;
use crate::causality::observed::SegmentKind;
use crate::replay::change::Change;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let study = context.study;
    if context.replay.transfers() == 0 && (context.replay.collectives() == 0 || has_gpus(context)) {
        return Ruling::Lacks(Needs::Transfers);
    }
    let evidence = context.longest_on_path(|kind, _| kind == SegmentKind::Transit);
    let sent = study.transfers().rows().iter().map(|transfer| transfer.bytes).sum::<Bytes>();
    let given = given(context).sum::<Option<Bytes>>().unwrap_or_default();
    let bytes = Bytes(sent.0.saturating_add(given.0));
    let count = context.replay.transfers() + context.replay.collectives();
    let facts = Facts { count, bytes, ..Facts::default() };
    let on_path = context.on_path(&[SegmentKind::Transit, SegmentKind::SenderQueue]);
    let change = Change::Network { task: None, factor: 0.0 };
    context.judge_change(Rule::ExposedTransfers, on_path, facts, evidence, change)
}

/// What the collectives that are replayed move: what one participant gives to each. `None` where the file does not say it.
fn given<'a>(context: &'a Context<'_>) -> impl Iterator<Item = Option<Bytes>> + 'a {
    let known = context.collectives().rows.iter().filter(|own| own.last.is_some());
    known.map(|own| own.bytes)
}

fn has_gpus(context: &Context<'_>) -> bool {
    crate::gpu::accelerators::has_any(context.trace())
}
