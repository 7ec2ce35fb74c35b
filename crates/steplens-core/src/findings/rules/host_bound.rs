//! Host-bound: a GPU is idle because its next kernel was not launched yet. The time is measured: it is all of the idle time that the
//! host causes ([`host_idle`](crate::scheduling::host_idle)), of the GPU that waits least, except for loading input and for what only a
//! first step does, which have rules of their own. It is the most that can be saved. Where half of it or more, or of the
//! time between recorded ops where that is most of it, is one pause, that is said: what comes once is no habit of the step. A long pause before the first work, or after the last, and one of the profiler, is
//! left out: the verdict names it.
//!
//! XProf calls a device that is idle for 10 % of a step because of its host a finding (`op_stats_to_input_pipeline_analysis.cc`).

use super::super::context::{Context, by_path, figure};
use super::super::finding::{FactPart, Facts, Rule, Ruling};
use super::super::framework::Framework;
use super::super::host_op::starts_nothing;
use super::super::later::later_within;
use super::super::only_first::FirstStep;
use super::super::pauses::{Pause, PauseOf, is_of_profiler, pauses};
use super::all_copies::exposed;
use super::first_step::{first_step, is_cold};
use super::tracing::recording;
use crate::base::units::{Interval, Nanos};
use crate::causality::observed::SegmentKind;
use crate::gpu::accelerators::accelerators;
use crate::gpu::event_pairs::paced_by_host;
use crate::gpu::kernels::has_kernels;
use crate::gpu::launching::{is_copy_call, launching};
use crate::gpu::overhead::Overhead;
use crate::gpu::unrecorded::is_gpu_unrecorded;
use crate::model::category::starts_program;
use crate::scheduling::host_idle::{HostIdle, HostPart, begins_long};
use crate::scheduling::launched_idle::LaunchedPart;
use crate::storage::busy::Busy;
use crate::{Category, OpId};
use std::collections::BTreeMap;

/// An operator that runs for longer does more than launch kernels. Such a one is named if it is half of the time.
const LEAST_ON_HOST: Nanos = Nanos(1_000_000);
/// Several pauses are named that take this part of what is shown in the mean, as its divisor.
const LEAST_PAUSE: i64 = 50;
/// The most names of Python functions that are said.
const MOST_NAMES: usize = 3;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let Some(own) = context.host() else {
        return of_event_pairs(context).unwrap_or_else(|| of_unrecorded(context));
    };
    let trace = context.trace();
    let mut own_parts = usual_parts(context, own);
    // Next to what only a first step does, the rest is small: it is named as if it were all.
    let left = own_parts.iter().fold(Nanos(0), |sum, &own| sum + own).min(own.host);
    let is_beginning_much = begins_long(own_parts[HostPart::Beginning as usize], left);
    if !is_beginning_much {
        own_parts[HostPart::Between as usize] += own_parts[HostPart::Beginning as usize];
        own_parts[HostPart::Beginning as usize] = Nanos(0);
    }
    let ends = ends(context, own);
    // What another GPU copies meanwhile is another finding.
    let copying = &mut own_parts[HostPart::Copying as usize];
    *copying = Nanos((*copying - copied_elsewhere(context)).0.max(0));
    let left_out = ends
        .iter()
        .fold(Nanos(0), |sum, own| sum + Nanos(own.interval.length().0.saturating_mul(own.count as i64)));
    let between = &mut own_parts[HostPart::Between as usize];
    *between = Nanos((*between - left_out).0.max(0));
    let mut parts: Vec<(FactPart, Nanos)> = HostPart::ALL
        .into_iter()
        .zip(own_parts)
        .filter(|&(part, time)| part != HostPart::Input && time > Nanos(0))
        .map(|(part, time)| (FactPart::Host(part), time))
        .collect();
    parts.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    // The profiler's own events interrupt what runs longest.
    if let Some(largest) = parts.first_mut() {
        largest.1 = Nanos((largest.1 - recording(context, own)).0.max(0));
    }
    parts.retain(|&(_, time)| time > Nanos(0));
    parts.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    let time = parts.iter().fold(Nanos(0), |sum, &(_, time)| sum + time);
    // What only a first step does was taken from the parts, too.
    let first = first_step(context);
    let once = if first.is_capture { &[][..] } else { &first.ops };
    let largest = parts.first().and_then(|&(part, all)| {
        let FactPart::Host(part) = part else { return None };
        let (op, time) = own.most[part as usize].filter(|(op, _)| !once.contains(op))?;
        let alike = once.iter().filter(|&&other| trace.ops().node(other) == trace.ops().node(op));
        let time = alike.fold(time, |left, &other| left - context.study.self_time(other));
        (time > Nanos(0)).then_some((op, time.min(all)))
    });
    let is_left_out = |op: OpId| ends.iter().any(|own| own.op == op);
    // Of the time between ops, where that is the largest part, or of all.
    let mostly_between = parts.first().filter(|own| own.0 == FactPart::Host(HostPart::Between));
    let mostly_between = mostly_between.filter(|_| Framework::of_trace(trace) != Framework::PyTorch);
    let whole = mostly_between.map_or(time, |own| own.1);
    let pause = own
        .pause
        .filter(|&(length, op)| length <= time && length.0.saturating_mul(2) >= whole.0 && !is_left_out(op));
    let several = own.pause.filter(|_| pause.is_none() && ends.is_empty()).and_then(|(longest, op)| {
        let (count, all) = own.pauses;
        let is_much = all <= own_parts[HostPart::Between as usize] && all.0.saturating_mul(2) >= time.0;
        // Many short ones are the habit of a program.
        let are_long =
            all.0.saturating_mul(LEAST_PAUSE) >= trace.span().length().0.saturating_mul(count as i64);
        let is_of_torch = Framework::of_trace(trace) == Framework::PyTorch;
        (count > 1 && is_much && are_long && is_of_torch)
            .then(|| (count, all, longest, trace.op_name(op).to_owned()))
    });
    // What the profiler noted as overhead is not the op's.
    let overhead = Overhead::of(trace);
    let noted = |op: OpId| overhead.within(trace, trace.device_of(op), trace.ops().interval(op));
    let largest = largest.map(|(op, time)| (op, Nanos((time - noted(op)).0.max(0))));
    let single = largest.and_then(|(op, sum)| single(context, op, sum, noted(op)));
    let single = single.filter(|(own, _)| own.0.saturating_mul(5) >= time.0.saturating_mul(2));
    let facts = Facts {
        single,
        pause: pause.map(|(length, op)| (trace.op_name(op).to_owned(), length)),
        later: pause.and_then(|(length, op)| {
            let end = trace.ops().start(op);
            later_within(trace, trace.device_of(op), Interval::new(end - length, end))
        }),
        pauses: several,
        name: largest.map(|(op, _)| trace.op_name(op).to_owned()).unwrap_or_default(),
        other: unit(context, own),
        ranks: judged(context),
        usual: largest.map(|(_, time)| time).unwrap_or_default(),
        since: largest
            .filter(|&(op, _)| computes(context, op))
            .map(|(op, _)| context.study.self_time(op))
            .unwrap_or_default(),
        is_cold: is_cold(context, time),
        time,
        parts,
        names: within(frames(context, &ends), time),
        still: context.still(),
        after_last: after_last(context, own).min(time),
        latency: latency(context, own),
        ..Facts::default()
    };
    let is_between = facts.parts.first().is_some_and(|own| own.0 == FactPart::Host(HostPart::Between));
    // First what the sentence names.
    let is_named = facts.since >= LEAST_ON_HOST && facts.usual.0.saturating_mul(2) >= time.0;
    let calculated = largest.filter(|_| is_named).map(|(op, _)| op);
    let named = pause.map(|(_, op)| op).or(calculated);
    let mut evidence = evidence(context, own, named, is_between);
    evidence.retain(|&op| !is_left_out(op));
    context.measured(Rule::HostBound, time, facts, evidence, None)
}

/// An op is out of the ordinary if it takes this many times the median of the others of its name.
const TIMES_OTHERS: i64 = 20;
/// There are at least this many others.
const LEAST_OTHERS: usize = 3;

/// How long `op` took by itself, of the idle time `sum` of all of its name, if that is many times the median of the others.
fn single(context: &Context<'_>, op: OpId, sum: Nanos, noted: Nanos) -> Option<(Nanos, Nanos)> {
    let (trace, study) = (context.trace(), context.study);
    let own = Nanos((study.self_time(op) - noted).0.max(0)).min(sum);
    let alike = trace.ops_of(trace.device_of(op));
    let alike = alike.filter(|&other| other != op && trace.ops().node(other) == trace.ops().node(op));
    let mut others: Vec<Nanos> = alike.map(|other| study.self_time(other)).collect();
    others.sort_unstable();
    let median = *others.get(others.len().saturating_sub(1) / 2)?;
    let is_long = others.len() >= LEAST_OTHERS && own.0 >= median.0.saturating_mul(TIMES_OTHERS);
    (is_long && !trace.is_call(op)).then_some((own, median))
}

/// Times of the GPU are pairs of events here, and most pairs begin when their operators do.
fn of_event_pairs(context: &Context<'_>) -> Option<Ruling> {
    let (count, lag) = paced_by_host(context.trace())?;
    let facts = Facts { count, of: 2, usual: lag, ..Facts::default() };
    Some(figure(Rule::HostBound, Nanos(0), facts, Vec::new()))
}

/// Fewer launches say nothing of a program that launches again and again.
const LEAST_LAUNCHES: usize = 100;
/// A host waits hardly for its GPU if it does for less than this part of the time, as its divisor.
const MOST_WAITED: i64 = 20;

/// Where kernels are missing: the GPU kept up with its host if calls that wait or copy take hardly any time, though one of them comes after the last
/// launch. Then the time of the host's path is the host's own.
fn of_unrecorded(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    if !is_gpu_unrecorded(trace) || !context.compares {
        return context.lacks_host();
    }
    let ops = trace.ops();
    let calls = |wanted: &'static [Category]| {
        ops.ids().filter(move |&op| trace.is_call(op) && wanted.contains(&trace.category(op)))
    };
    // A call that copies may wait for its copy.
    let copies = |op: OpId| is_copy_call(trace.op_type(op));
    let launches: Vec<OpId> = calls(&[Category::Launch]).filter(|&op| !copies(op)).collect();
    let last = launches.iter().map(|&op| ops.end(op)).max();
    let blocking = || {
        calls(&[Category::Waiting, Category::Launch])
            .filter(move |&op| trace.category(op) == Category::Waiting || copies(op))
    };
    let waits_after = blocking().any(|op| Some(ops.start(op)) >= last);
    let waited = blocking().fold(Nanos(0), |sum, op| sum + ops.interval(op).length());
    let is_little = waited.0.saturating_mul(MOST_WAITED) <= trace.span().length().0;
    if launches.len() < LEAST_LAUNCHES || !waits_after || !is_little {
        return context.lacks_host();
    }
    let kinds = [
        SegmentKind::Compute,
        SegmentKind::Launching,
        SegmentKind::HostBetweenOps,
        SegmentKind::PythonBetweenOps,
    ];
    let time = context.on_path(&kinds);
    if time.0.saturating_mul(2) < trace.span().length().0 {
        return Ruling::Nothing;
    }
    let evidence = context.longest_on_path(|kind, _| kinds.contains(&kind));
    let facts = Facts { count: launches.len() as u64, of: 1, usual: waited, time, ..Facts::default() };
    by_path(Rule::HostBound, time, facts, evidence)
}

/// How long GPUs copied that do nothing else, while no other one worked.
fn copied_elsewhere(context: &Context<'_>) -> Nanos {
    let only_copies = context.hosts().iter().any(|own| !own.works && own.busy > Nanos(0));
    let works = context.hosts().iter().any(|own| own.works);
    if only_copies && works { exposed(context) } else { Nanos(0) }
}

/// The long pauses of the host of `own` that are no part of its loop: work of the GPU comes after them, so that it was idle for its host.
pub(super) fn ends(context: &Context<'_>, own: &HostIdle) -> Vec<Pause> {
    let trace = context.trace();
    if !context.compares {
        return Vec::new();
    }
    let mut found = pauses(context.study);
    let gpus = accelerators(trace);
    let devices = gpus.iter().find(|one| one.devices.contains(&own.device));
    let busy = context.busy(devices.map_or(&[], |one| one.devices.as_slice()), |_| true);
    found.retain(|own| {
        let after = Interval { start: own.interval.end, end: trace.span().end.max(own.interval.end) };
        let was_idle = busy.within(own.interval).0.saturating_mul(10) <= own.interval.length().0;
        own.of != PauseOf::Program && was_idle && busy.within(after) > Nanos(0)
    });
    found
}

/// Whether `op` does its work on the host: nothing that it ran launched anything, and it is none of what only a first step does.
fn computes(context: &Context<'_>, op: OpId) -> bool {
    starts_nothing(context.study, op)
        && !starts_program(context.trace().op_type(op))
        && !first_step(context).ops.contains(&op)
}

/// How long a step goes on after the last work of the accelerator of `own`.
fn after_last(context: &Context<'_>, own: &HostIdle) -> Nanos {
    let trace = context.trace();
    let gpus = accelerators(trace);
    let unit = gpus.iter().find(|one| one.devices.contains(&own.device));
    let work = unit.into_iter().flat_map(|one| one.unrepeated(trace)).flat_map(|device| trace.ops_of(device));
    let last =
        work.filter(|&op| !trace.nodes().is_range(trace.ops().node(op))).map(|op| trace.ops().end(op)).max();
    match last.filter(|_| trace.is_period()) {
        Some(last) => Nanos((trace.span().end - last).0.max(0)),
        None => Nanos(0),
    }
}

/// How long the accelerator of `own` is idle from the return of a call to its kernel, as every launch takes. Only of PyTorch: elsewhere no advice is graphs.
fn latency(context: &Context<'_>, own: &HostIdle) -> Nanos {
    match Framework::of_trace(context.trace()) {
        Framework::PyTorch => own.launched[LaunchedPart::Latency as usize],
        _ => Nanos(0),
    }
}

/// The name of the accelerator, if it is no GPU, or one of several.
fn unit(context: &Context<'_>, own: &HostIdle) -> String {
    let unit = accelerators(context.trace()).into_iter().find(|one| one.devices.contains(&own.device));
    let name = unit.map(|one| one.name.to_owned()).unwrap_or_default();
    let several = context.hosts().iter().filter(|own| own.busy > Nanos(0)).count() > 1;
    let is_only = !several && name.to_ascii_lowercase().contains("gpu");
    if is_only { String::new() } else { name }
}

/// Of how many accelerators this is the one that waits least.
fn judged(context: &Context<'_>) -> u64 {
    let works = context.hosts().iter().any(|own| own.works);
    context.hosts().iter().filter(|own| own.busy > Nanos(0) && own.works == works).count() as u64
}

/// What the host did, in the order of [`HostPart::ALL`], without what only a first step does.
pub(super) fn usual_parts(context: &Context<'_>, own: &HostIdle) -> [Nanos; HostPart::ALL.len()] {
    let trace = context.trace();
    let mut parts = own.parts;
    let first = first_step(context);
    // What is captured is none of these parts.
    if first.is_capture {
        return parts;
    }
    let is_launching = if first.ops.is_empty() { Vec::new() } else { launching(trace) };
    // What a GPU tries is no part of its host's time, but the pauses between are.
    let is_range = |op: OpId| trace.category(op) == Category::Range;
    for &op in first.ops.iter().filter(|&&op| !has_kernels(trace, trace.device_of(op)) && !is_range(op)) {
        let part = HostPart::of(trace, op, is_launching[op.index()]) as usize;
        parts[part] = Nanos((parts[part] - context.study.self_time(op)).0.max(0));
    }
    let mut left = idle_in_trials(context, own, first);
    let mut largest: Vec<usize> = (0..parts.len()).filter(|&part| part != HostPart::Input as usize).collect();
    // A range is no op: the thread was between ops then, as it is between two trials.
    let between = HostPart::Between as usize;
    largest.sort_by_key(|&part| (part != between, std::cmp::Reverse(parts[part])));
    for part in largest {
        let taken = left.min(parts[part]);
        parts[part] = parts[part] - taken;
        left = left - taken;
    }
    parts
}

/// How long the GPU was idle between the kernels of algorithms that a library tried one after the other, during ranges that only a first
/// step has, and before the first call of a function.
fn idle_in_trials(context: &Context<'_>, own: &HostIdle, first: &FirstStep) -> Nanos {
    if first.is_function {
        return first.time;
    }
    let trace = context.trace();
    let gpus = accelerators(trace);
    let gpu = gpus.iter().find(|one| one.devices.contains(&own.device));
    let devices = gpu.map_or(&[][..], |one| one.devices.as_slice());
    let in_a_row = first.trials.iter().filter(|one| devices.contains(&trace.device_of(one.op)));
    let ranges = first.ops.iter().copied().filter(|&op| trace.category(op) == Category::Range);
    let mut windows: Vec<Interval> =
        in_a_row.map(|one| one.window).chain(ranges.map(|op| trace.ops().interval(op))).collect();
    if windows.is_empty() {
        return Nanos(0);
    }
    windows.sort_unstable_by_key(|window| (window.start, window.end));
    let whole = Busy::of(windows.into_iter().map(|window| window.clamp_to(trace.span())));
    let busy = context.busy(devices, |_| true);
    whole.intervals().iter().fold(Nanos(0), |sum, &window| sum + (window.length() - busy.within(window)))
}

/// The first of `frames` that together take no longer than `time`: what Python takes of the path may be next to work of the GPU.
fn within(frames: Vec<(String, Nanos)>, time: Nanos) -> Vec<(String, Nanos)> {
    let mut left = time;
    let fits = |own: &(String, Nanos)| {
        let fits = own.1 <= left;
        left = if fits { left - own.1 } else { left };
        fits
    };
    frames.into_iter().filter(fits).collect()
}

/// The functions of Python in which the step waited longest for its host, where they were recorded, but for these pauses.
fn frames(context: &Context<'_>, left_out: &[Pause]) -> Vec<(String, Nanos)> {
    let trace = context.trace();
    let mut sums: BTreeMap<&str, Nanos> = BTreeMap::new();
    for own in &context.study.causes().observed.segments {
        let is_left_out =
            left_out.iter().any(|pause| own.interval.clamp_to(pause.interval).length() > Nanos(0));
        // The recording itself is a finding of its own.
        let is_own = |frame: &OpId| !is_of_profiler(trace.op_name(*frame));
        if let Some(frame) = own.frame.filter(|_| !is_left_out).filter(is_own) {
            *sums.entry(trace.op_name(frame)).or_default() += own.interval.length();
        }
    }
    let mut rows: Vec<(String, Nanos)> =
        sums.into_iter().map(|(name, time)| (name.to_owned(), time)).collect();
    rows.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    rows.retain(|&(_, time)| time > context.least);
    rows.truncate(MOST_NAMES);
    rows
}

/// What the sentence names, what the host ran longest while the GPU was idle, and what the path waited for longest: that comes before if the host was mostly between ops.
fn evidence(
    context: &Context<'_>,
    own: &HostIdle,
    named: Option<OpId>,
    is_mostly_between: bool,
) -> Vec<OpId> {
    let parts = HostPart::ALL.into_iter().filter(|&part| part != HostPart::Input);
    let mut most: Vec<(OpId, Nanos)> = parts.filter_map(|part| own.most[part as usize]).collect();
    most.sort_by_key(|&(op, time)| (std::cmp::Reverse(time), op));
    let is_between =
        |kind: SegmentKind, _| matches!(kind, SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps);
    let ran = most.into_iter().map(|(op, _)| op);
    let waited = context.longest_on_path(is_between).into_iter();
    let all: Vec<OpId> = match is_mostly_between {
        true => waited.chain(ran).collect(),
        false => ran.chain(waited).collect(),
    };
    let mut found: Vec<OpId> = named.into_iter().collect();
    for op in all {
        if !found.contains(&op) {
            found.push(op);
        }
    }
    found
}
