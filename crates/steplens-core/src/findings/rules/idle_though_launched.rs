//! A GPU that is idle although the call that launched its next kernel had returned, or was not recorded. Its streams wait for each other, for
//! work that was not recorded, a graph of kernels goes from one to the next, or a launch takes its time to reach it. Where it is a tenth of the
//! step, whoever asks why the GPU is idle must not hear of the host alone.
//!
//! What lies between the kernels of a graph, and what every launch takes, fewer and larger kernels would save: at most all of it. Of the rest
//! nothing says what could be saved.
//!
//! HTA calls this time kernel wait and other (`idle_time_breakdown`).

use super::super::before_work::before_work;
use super::super::context::{Context, figure};
use super::super::finding::{FactPart, Facts, Rule, Ruling};
use super::first_step::first_step;
use crate::base::units::Nanos;
use crate::gpu::accelerators::accelerators;
use crate::scheduling::launched_idle::LaunchedPart;
use crate::{Category, OpId};

/// At least this part of the step, as its divisor.
const LEAST: i64 = 10;

/// Whether there is one stream, and no other rank: then no work that was recorded keeps a kernel waiting.
fn is_alone(context: &Context<'_>) -> bool {
    let trace = context.trace();
    let gpus = accelerators(trace);
    let work = gpus.iter().flat_map(|one| one.unrepeated(trace)).flat_map(|device| trace.ops_of(device));
    let is_work = |op: &OpId| !trace.nodes().is_range(trace.ops().node(*op));
    let streams = work.filter(is_work).map(|op| (trace.device_of(op), trace.ops().thread(op)));
    let mut streams = streams.collect::<Vec<_>>();
    streams.sort_unstable();
    streams.dedup();
    streams.len() < 2 && !context.has(Category::Communication)
}

/// Whether `op` is the first work of its accelerator.
fn is_first(context: &Context<'_>, op: OpId) -> bool {
    let trace = context.trace();
    let start = |op: OpId| trace.ops().start(op);
    let is_earlier =
        |other: OpId| !trace.nodes().is_range(trace.ops().node(other)) && start(other) < start(op);
    let gpus = accelerators(trace);
    let own = gpus.iter().find(|one| one.devices.contains(&trace.device_of(op)));
    !own.is_some_and(|one| one.unrepeated(trace).flat_map(|device| trace.ops_of(device)).any(is_earlier))
}

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let Some(own) = context.host() else { return context.lacks_host() };
    // While a graph is captured, nothing is launched that runs.
    let first = first_step(context);
    if first.is_capture && first.time.0.saturating_mul(2) >= context.trace().span().length().0 {
        return Ruling::Nothing;
    }
    let time = own.launched.iter().fold(Nanos(0), |sum, &own| sum + own);
    if time.0.saturating_mul(LEAST) < context.trace().span().length().0 {
        return Ruling::Nothing;
    }
    let all = LaunchedPart::ALL.into_iter().zip(own.launched);
    let mut parts: Vec<(FactPart, Nanos)> = all
        .filter(|&(_, time)| time > Nanos(0))
        .map(|(part, time)| (FactPart::Launched(part), time))
        .collect();
    parts.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    let is_of_kernels =
        |part: FactPart| [LaunchedPart::Graph, LaunchedPart::Latency].map(FactPart::Launched).contains(&part);
    let between = parts.iter().filter(|&&(part, _)| is_of_kernels(part));
    let between = between.fold(Nanos(0), |sum, &(_, time)| sum + time);
    let is_mostly_between = parts.first().is_some_and(|&(part, _)| is_of_kernels(part));
    let before = before_work(context.study).map(|own| own.op);
    let of = match own.after_launched.filter(|_| is_alone(context)) {
        None if before.is_some() && before == own.after_launched => 3,
        None => 0,
        Some(op) if is_first(context, op) => 1,
        // One stream goes on with what was launched before only until its first kernel.
        Some(_) => 2,
    };
    let facts = Facts { time, usual: own.idle, parts, of, ..Facts::default() };
    let evidence = own.after_launched.into_iter().collect();
    match is_mostly_between {
        true => context.measured(Rule::IdleThoughLaunched, between, facts, evidence, None),
        false => figure(Rule::IdleThoughLaunched, Nanos(0), facts, evidence),
    }
}
