//! Transfers, and collectives of hosts, that the step waits for: what it would save if the network took no time. Collectives of GPUs
//! have a rule of their own.
//!
//! A bound, not a promise: no network is that fast. XProf calls communication of 3 % moderate, of 15 % high
//! (`op_stats_to_input_pipeline_analysis.cc`); RATELProf asks that at least half of a transfer is hidden.

use super::super::context::{Context, by_path};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::OpId;
use crate::base::units::{Bytes, Nanos};
use crate::causality::observed::SegmentKind;
use crate::replay::change::Change;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let study = context.study;
    if context.replay.transfers() == 0 && (context.replay.collectives() == 0 || has_gpus(context)) {
        return unnamed(context);
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

/// Receives whose sender the file does not name: `timeline.py` writes `RecvTensor` without its label. Nobody knows how much sooner these tensors
/// could come, so the finding says their time on the path.
fn unnamed(context: &Context<'_>) -> Ruling {
    let (study, trace) = (context.study, context.trace());
    let graph = &study.causes().graph;
    let is_it = |op: OpId| graph.is_unnamed(op);
    let waits = [SegmentKind::Transit, SegmentKind::SenderQueue, SegmentKind::Producer];
    let segments = || {
        let all = study.causes().observed.segments.iter();
        all.filter(|own| is_it(own.op) && waits.contains(&own.kind))
    };
    let sum = |kinds: &[SegmentKind]| {
        let own = segments().filter(|own| kinds.contains(&own.kind));
        own.fold(Nanos(0), |sum, own| sum + own.interval.length())
    };
    let time = sum(&waits);
    if time <= context.least || !context.compares {
        return Ruling::Lacks(Needs::Transfers);
    }
    let facts = Facts {
        count: trace.ops().ids().filter(|&op| is_it(op)).count() as u64,
        of: 1,
        time: sum(&[SegmentKind::Transit]),
        usual: time - sum(&[SegmentKind::Transit]),
        ..Facts::default()
    };
    let evidence = context.longest_on_path(|kind, op| waits.contains(&kind) && is_it(op));
    by_path(Rule::ExposedTransfers, time, facts, evidence)
}

/// What the collectives that are replayed move: what one participant gives to each. `None` where the file does not say it.
fn given<'a>(context: &'a Context<'_>) -> impl Iterator<Item = Option<Bytes>> + 'a {
    let known = context.collectives().rows.iter().filter(|own| own.last.is_some());
    known.map(|own| own.bytes)
}

fn has_gpus(context: &Context<'_>) -> bool {
    crate::gpu::accelerators::has_any(context.trace())
}
