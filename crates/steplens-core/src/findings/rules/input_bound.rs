//! Input-bound: the step waits for its next batch. The saving is that of a step in which input takes no time; where accelerators were
//! recorded, no more than the busiest of them is idle, or loads input itself.
//!
//! A replay keeps what it does not know, so it may save less than was measured: how long the GPU was idle while its host loaded input,
//! or, where the calls of its kernels are not known, how long the path was in loading. Where it saves less than half of that, the finding
//! rests on the measured time, as the most that can be saved.
//!
//! Where the calls of its kernels are known, and no GPU is idle for its next batch for as long as a finding needs, it is none.
//!
//! A name is said if what it names has at least half of the time of loading.
//!
//! XProf calls input below 5 % of a step no bottleneck, up to 20 % moderate, above that high (`op_stats_to_input_pipeline_analysis.cc`);
//! PyTorch's advisor uses 5 %.

use super::super::batches::takes_batch;
use super::super::context::Context;
use super::super::finding::{Facts, Rule, Ruling};
use super::super::framework::{Framework, has_only_input};
use super::first_step::first_step;
use crate::base::order;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::gpu::accelerators::accelerators;
use crate::model::category::{is_data_loader, is_loading};
use crate::replay::change::Change;
use crate::scheduling::host_idle::HostPart;
use crate::timeline::nesting;
use crate::{Category, DeviceId, OpId, StringId, Trace};
use std::collections::BTreeMap;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    if !context.has(Category::Input) {
        return Ruling::Nothing;
    }
    let trace = context.trace();
    // Nothing shows that anything waits for what such a file loads.
    if is_all_input(context) || has_only_input(trace) {
        return Ruling::Nothing;
    }
    if is_only_first(context) {
        return Ruling::Nothing;
    }
    let (waits, longest) = waits(trace);
    if waits > 0 && longest < LEAST_WAIT {
        return Ruling::Nothing;
    }
    let mut evidence =
        context.longest_on_path(|kind, op| kind == SegmentKind::Input && !hands_over(trace, op));
    let on_path = context.on_path(&[SegmentKind::Input]);
    let most = context.most_without(Some(Category::Input));
    let host = context.host();
    // Loading that no GPU waits for runs ahead, whatever a replay makes of the threads.
    if host.is_some_and(|own| own.part(HostPart::Input) <= context.least) {
        return Ruling::Nothing;
    }
    let measured = host.map_or(on_path, |own| own.part(HostPart::Input)).min(most);
    let mut name = longest_name(context);
    if evidence.is_empty() {
        let loaded =
            host.and_then(|own| Some((own.most[HostPart::Input as usize]?, own.part(HostPart::Input))));
        let loaded = loaded.filter(|&((op, _), _)| !hands_over(trace, op));
        evidence = loaded.map(|((op, _), _)| op).into_iter().collect();
        let named = loaded.filter(|((_, time), all)| time.0.saturating_mul(2) >= all.0);
        name = named.map(|((op, _), _)| Outer::default().name_of(context, op));
    }
    let first = first_load(context);
    let facts = Facts {
        usual: first,
        name: name.unwrap_or_default().to_owned(),
        time: measured,
        count: loads(trace).len() as u64,
        of: u64::from(is_first_batch(context)),
        ranks: waits,
        ..Facts::default()
    };
    let change = Change::Category { category: Category::Input, factor: 0.0 };
    let judged = |facts: Facts, evidence: Vec<OpId>| {
        context.judge_change_within(Rule::InputBound, on_path, facts, evidence, change.clone(), Some(most))
    };
    let ruling = judged(facts.clone(), evidence.clone());
    let saving = match &ruling {
        Ruling::Found(own) => own.saving.unwrap_or(own.on_path),
        Ruling::Nothing | Ruling::Lacks(_) => Nanos(0),
    };
    match saving.0.saturating_mul(2) < measured.0 {
        true => context.measured(Rule::InputBound, measured, facts, evidence, Some(change)),
        false => ruling,
    }
}

/// Whether nearly all that the step waits for is the first batch of an iterator that it made itself: a part of a first step.
fn is_only_first(context: &Context<'_>) -> bool {
    let trace = context.trace();
    let first = &first_step(context).ops;
    if !first.iter().any(|&op| trace.category(op) == Category::Input) {
        return false;
    }
    let segments = context.study.causes().observed.segments.iter();
    let later = segments.filter(|own| own.kind == SegmentKind::Input && !first.contains(&own.op));
    later.fold(Nanos(0), |sum, own| sum + own.interval.length()) <= context.least
}

/// What only reads and parses items begins with one of these.
const PREPARES: [&str; 5] = ["ParseExample", "ParseSingle", "ParseSequence", "Decode", "ReadFile"];
/// Nothing is there that could run while batches are prepared below this part of the path, as its divisor.
const LEAST_OTHER: i64 = 10;

/// Whether a step of a graph only loads batches: nothing is there that could run meanwhile.
pub(super) fn is_all_input(context: &Context<'_>) -> bool {
    let trace = context.trace();
    if Framework::of_trace(trace) != Framework::Graphs || !accelerators(trace).is_empty() || !context.compares
    {
        return false;
    }
    let prepares = |op: OpId| PREPARES.iter().any(|own| trace.op_type(op).starts_with(own));
    let segments = &context.study.causes().observed.segments;
    let of = |is_it: &dyn Fn(OpId) -> bool| {
        let own = segments.iter().filter(|own| own.kind == SegmentKind::Compute && is_it(own.op));
        own.fold(Nanos(0), |sum, own| sum + own.interval.length())
    };
    let others = of(&|op| !prepares(op));
    let fills = || {
        trace.nodes().ids().any(|node| trace.text(trace.nodes().op_type(node)).starts_with("QueueEnqueue"))
    };
    (of(&prepares) > Nanos(0) || fills()) && others.0.saturating_mul(LEAST_OTHER) < trace.span().length().0
}

/// One load has this share of the path's time in loading, in percent, if it is the first batch that the step waits for,
const FIRST_PERCENT: i128 = 90;

/// Whether the step waits for its first batch: one load, before all others, has nine tenths of the path's time in loading, and later ones were
/// recorded, or much else that only a first step does.
fn is_first_batch(context: &Context<'_>) -> bool {
    let trace = context.trace();
    let segments =
        || context.study.causes().observed.segments.iter().filter(|own| own.kind == SegmentKind::Input);
    let all = segments().fold(0, |sum, own| sum + i128::from(own.interval.length().0));
    let Some(longest) = segments().max_by_key(|own| own.interval.length()) else { return false };
    let is_most = i128::from(longest.interval.length().0) * 100 >= all * FIRST_PERCENT;
    let is_like = |op: OpId| {
        trace.category(op) == Category::Input && trace.ops().node(op) == trace.ops().node(longest.op)
    };
    let mut alike = trace.ops().ids().filter(|&op| is_like(op) && op != longest.op).peekable();
    let has_others = alike.peek().is_some();
    let is_first = alike.all(|op| trace.ops().start(op) >= trace.ops().start(longest.op));
    is_most && is_first && (has_others || !first_step(context).ops.is_empty())
}

/// Taking a batch that is there takes less.
const LEAST_WAIT: Nanos = Nanos(100_000);

/// How many times one op waited for a batch, at least a tenth as long as the longest time, and how long that was. Of one time nobody knows whether
/// what loads is too slow, or only begins.
fn waits(trace: &Trace) -> (u64, Nanos) {
    let nodes = trace.nodes();
    let mut of_name: BTreeMap<StringId, Vec<i64>> = BTreeMap::new();
    for op in trace.ops().ids().take(trace.counted_ops()).filter(|&op| takes_batch(trace, op)) {
        let length = trace.ops().interval(op).length().0;
        of_name.entry(nodes.name(trace.ops().node(op))).or_default().push(length);
    }
    let long = |own: &Vec<i64>| {
        let longest = own.iter().copied().max().unwrap_or_default();
        own.iter().filter(|length| length.saturating_mul(10) >= longest).count() as u64
    };
    let longest = of_name.values().flatten().copied().max().unwrap_or_default();
    (of_name.values().map(long).max().unwrap_or_default(), Nanos(longest))
}

/// What has at least half of the path's time in loading; `None` if nothing has.
fn longest_name<'a>(context: &Context<'a>) -> Option<&'a str> {
    let trace = context.trace();
    let mut of_op: BTreeMap<OpId, Nanos> = BTreeMap::new();
    for own in context.study.causes().observed.segments.iter().filter(|own| own.kind == SegmentKind::Input) {
        *of_op.entry(own.op).or_default() += own.interval.length();
    }
    let all = of_op.values().fold(Nanos(0), |sum, &own| sum + own);
    let mut outer = Outer::default();
    let mut of_name: BTreeMap<&str, Nanos> = BTreeMap::new();
    for (op, time) in of_op.into_iter().filter(|&(op, _)| !hands_over(trace, op)) {
        *of_name.entry(outer.name_of(context, op)).or_default() += time;
    }
    let most = of_name.into_iter().max_by_key(|&(name, time)| (time, std::cmp::Reverse(name)));
    most.filter(|&(_, time)| time.0.saturating_mul(2) >= all.0).map(|(name, _)| name)
}

/// Whether `op` only hands a batch to another device: `_Send`, `_Recv`.
fn hands_over(trace: &Trace, op: OpId) -> bool {
    ["_Send", "_Recv", "_Host"].iter().any(|start| trace.op_type(op).starts_with(start))
}

/// Which loading each op is a part of.
#[derive(Default)]
struct Outer {
    /// For each device that was asked for, the operator around each of its ops.
    within: BTreeMap<DeviceId, Vec<Option<OpId>>>,
    /// The outermost loading around each op that was asked for: each op is climbed from once.
    outermost: BTreeMap<OpId, OpId>,
}

impl Outer {
    /// What a program calls the loading that `op` is a part of; else the name of `op`.
    fn name_of<'a>(&mut self, context: &Context<'a>, op: OpId) -> &'a str {
        let trace = context.trace();
        let name = trace.op_name(self.around(trace, op));
        if is_loading(name) || is_data_loader(name) { name } else { context.study.title(op) }
    }

    fn around(&mut self, trace: &Trace, op: OpId) -> OpId {
        let device = trace.device_of(op);
        let row = trace.devices().get(device);
        let within = self.within.entry(device).or_insert_with(|| nesting::operators(trace, device));
        let outer = |op: OpId| within.get((op.get() - row.first_op) as usize).copied().flatten();
        let (mut found, mut climbed) = (op, vec![op]);
        while let Some(next) = outer(found).filter(|&next| trace.category(next) == Category::Input) {
            if let Some(&known) = self.outermost.get(&next) {
                found = known;
                break;
            }
            found = next;
            climbed.push(next);
        }
        climbed.into_iter().for_each(|op| _ = self.outermost.insert(op, found));
        found
    }
}

/// The first of several batches takes this many times as long as the usual one after it, if the workers start before it.
const STARTS: i64 = 10;

/// When each batch was asked for that workers load, and how long that took, in order.
fn loads(trace: &Trace) -> Vec<(i64, i64)> {
    let ops = trace.ops();
    let is_load = |&op: &OpId| trace.op_name(op).contains("MultiProcessingDataLoader");
    let mut loads: Vec<(i64, i64)> =
        ops.ids().filter(is_load).map(|op| (ops.start(op).0, ops.interval(op).length().0)).collect();
    order::by_number(&mut loads, |own| own);
    loads
}

/// How long the first batch took, if the workers of a `DataLoader` start before it: later ones take much less, or the function of Python that makes
/// the workers was recorded. Otherwise 0: of one batch alone nobody knows.
fn first_load(context: &Context<'_>) -> Nanos {
    let trace = context.trace();
    let loads = loads(trace);
    let Some((&(_, first), later)) = loads.split_first() else { return Nanos(0) };
    let mut later: Vec<i64> = later.iter().map(|&(_, length)| length).collect();
    later.sort_unstable();
    let is_made = |name: &str| name.contains("dataloader.py") && name.ends_with("__init__");
    let nodes = trace.nodes();
    let starts = match later.get(later.len() / 2) {
        Some(&usual) => first / usual.max(1) >= STARTS,
        None => nodes.ids().any(|node| is_made(trace.text(nodes.name(node)))),
    };
    Nanos(if starts { first } else { 0 })
}
