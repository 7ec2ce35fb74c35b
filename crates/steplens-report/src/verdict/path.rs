//! What the step waited for, one after the other, as clauses: the parts of the observed path, and those of the host.

use super::split::Computing;
use super::units::units;
use super::waits::{is_for_earlier, is_for_gpu, is_negotiation};
use super::{Inputs, executor, is_horovod, says_beginning, short, with_name};
use crate::figures::{count, share};
use crate::names::place_label;
use steplens_core::findings::{DecidedBy, OnHost, PathPart, SplitPart, Verdict, WaitsFor};
use steplens_core::gpu::unrecorded::is_gpu_unrecorded;
use steplens_core::{Nanos, OpId};
use steplens_messages::{clauses, say, sentences};

/// What the path does not name: for what the GPU is idle.
pub(super) fn waits_clause(inputs: &Inputs<'_>, what: WaitsFor, time: Nanos) -> String {
    let share = share(time.0, inputs.own.length.0);
    let units = match inputs.own.accelerators {
        1 => units(inputs),
        several => say!("verdict-least-waiting", count = count(several as u64)),
    };
    match what {
        WaitsFor::Input => say!("verdict-waits-input", share, units),
        WaitsFor::Host => say!("verdict-waits-host", share, units),
    }
}

pub(super) fn is_between(own: &Verdict) -> bool {
    let is_between = |part: PathPart| matches!(part, PathPart::Between | PathPart::Unknown);
    own.split.0 == SplitPart::Idle && own.path.is_some_and(|(part, _)| is_between(part))
}

pub(super) fn clause_of_path(inputs: &Inputs<'_>, part: PathPart, time: Nanos) -> String {
    let &Inputs { study, own, .. } = inputs;
    let without_source = |part: PathPart, time: Nanos| match part {
        PathPart::Compute if says_beginning(own) => time - own.no_compute.of_path.0,
        _ => time,
    };
    let what = words_of_path(inputs, part, time);
    let time = without_source(part, time);
    let clause = say!("verdict-path", share = share(time.0, own.length.0), what);
    let mostly = own.mostly.filter(|_| {
        own.by == DecidedBy::Path && !matches!(part, PathPart::Host | PathPart::Between | PathPart::Starting)
    });
    let clause = with_name(study, clause, mostly.map(|(op, _)| op));
    // What the clause of the split says next to it is not said twice.
    let is_said = |second: PathPart| match own.split.0 {
        SplitPart::Idle => second == PathPart::Compute,
        split => second.agrees(split),
    };
    match own.second.filter(|&(second, _)| own.by == DecidedBy::Path && (own.agrees || !is_said(second))) {
        Some((second, time)) => {
            let what = words_of_path(inputs, second, time);
            let time = without_source(second, time);
            say!("verdict-path-second", clause, what, share = share(time.0, own.length.0))
        }
        None => clause,
    }
}

/// The parts of the host's time, in words, and how long they are; `time` is all of it.
fn host_parts(inputs: &Inputs<'_>, time: Nanos) -> Vec<(&'static str, Nanos)> {
    let trace = inputs.study.trace();
    // Nothing but an executor's two stamps says how long it took to start an op.
    let has_calls = trace.ops().ids().any(|op| trace.is_call(op));
    let words = |place: usize| match (place, has_calls) {
        (0, _) => say!("verdict-host-operators"),
        (1, true) => say!("verdict-host-calls"),
        (1, false) => say!("verdict-host-starting"),
        (3, _) => say!("verdict-host-beginning"),
        (4, _) => say!("verdict-host-waits"),
        (5, _) => say!("verdict-host-overhead"),
        (6, _) => say!("verdict-host-allocation"),
        _ => say!("verdict-host-between"),
    };
    // One thousandth of the host says nothing.
    let parts = inputs.own.host.iter().enumerate().filter(|(_, part)| part.0 > time.0 / 1_000);
    parts.map(|(place, &part)| (words(place), part)).collect()
}

/// The op on a CPU that is more than half of the host's time.
fn largest_on_host(own: &Verdict) -> Option<OpId> {
    let whole = own.path.map_or(Nanos(0), |(_, time)| time);
    own.on_host.as_ref().filter(|own| is_most(own.time, whole)).map(OnHost::op)
}

fn is_most(time: Nanos, whole: Nanos) -> bool {
    time.0.saturating_mul(2) > whole.0
}

/// What the host did, where the path is mostly the host's.
pub(super) fn on_host(inputs: &Inputs<'_>) -> Option<String> {
    let &Inputs { study, own, .. } = inputs;
    let (_, time) = own.path.filter(|&(part, _)| part == PathPart::Host)?;
    if own.by != DecidedBy::Path || own.waits.is_some() {
        return None;
    }
    let share = |part: Nanos| share(part.0, own.length.0);
    let parts = host_parts(inputs, time);
    let named = parts.iter().map(|&(part, time)| say!("verdict-host-part", part, share = share(time)));
    let parts = (parts.len() > 1).then(|| say!("verdict-host-parts", parts = clauses(named)));
    let op = own.on_host.as_ref().map(|on_host| {
        let (name, kind) = (short(study.title(on_host.op())), short(study.trace().op_type(on_host.op())));
        let op = if name == kind { name } else { say!("verdict-on-host-op", name, kind) };
        match on_host.calls.len() as u64 {
            1 => say!("verdict-on-host", op, share = share(on_host.time)),
            calls => say!("verdict-on-host-calls", count = count(calls), op, share = share(on_host.time)),
        }
    });
    Some(sentences(parts.into_iter().chain(op))).filter(|text| !text.is_empty())
}

/// The words for a part of the path, which takes `time`.
fn words_of_path(inputs: &Inputs<'_>, part: PathPart, time: Nanos) -> String {
    let &Inputs { study, own, is_unrecorded, .. } = inputs;
    let computing = || Computing::of(own.no_compute.of_path.1, time);
    match part {
        PathPart::Compute if let Computing::Calls = computing() => say!("verdict-path-calls").to_owned(),
        PathPart::Compute if is_unrecorded => match is_gpu_unrecorded(study.trace()) {
            true => say!("verdict-path-ops").to_owned(),
            false => say!("verdict-path-ops-running").to_owned(),
        },
        PathPart::Compute if inputs.ranges_alone => say!("path-part-ranges").to_owned(),
        PathPart::Compute if own.accelerators.max(own.devices) > 1 => match own.computes_on {
            Some(device) => {
                let name = study.trace().text(study.trace().devices().get(device).name);
                say!("verdict-path-compute", units = place_label(name))
            }
            None => say!("verdict-path-compute-of-several").to_owned(),
        },
        PathPart::Compute => match computing() {
            Computing::Both => say!("verdict-path-compute-and-calls", units = units(inputs)),
            _ => say!("verdict-path-compute", units = units(inputs)),
        },
        PathPart::Copy => say!("verdict-path-copy").to_owned(),
        PathPart::Network => say!("verdict-path-network").to_owned(),
        PathPart::Waiting if inputs.files_alone => say!("path-part-files").to_owned(),
        PathPart::Waiting if is_negotiation(study, own) => say!("verdict-path-negotiation").to_owned(),
        PathPart::Waiting if is_for_gpu(study, own) && is_for_earlier(study, own) => {
            say!("verdict-path-waiting-earlier").to_owned()
        }
        PathPart::Waiting if is_for_gpu(study, own) => say!("verdict-path-waiting-gpu").to_owned(),
        PathPart::Waiting if is_horovod(study) => say!("verdict-path-waiting-horovod").to_owned(),
        PathPart::Waiting if let Some(sender) = own.sender => executor::waiting_for(inputs, sender),
        PathPart::Waiting if let Some(op) = own.waits_in => {
            say!("verdict-path-waiting-call", call = short(study.trace().op_type(op)))
        }
        PathPart::Waiting => say!("verdict-path-waiting").to_owned(),
        PathPart::Behind => say!("verdict-path-behind").to_owned(),
        PathPart::Launching => say!("verdict-path-launching").to_owned(),
        PathPart::Allocating => say!("verdict-path-allocation").to_owned(),
        PathPart::Input => say!("verdict-path-input").to_owned(),
        PathPart::Starting => say!("verdict-path-starting").to_owned(),
        PathPart::Host if own.by == DecidedBy::Split => say!("verdict-path-host-short").to_owned(),
        PathPart::Host => {
            let parts = host_parts(inputs, time);
            let largest = parts.iter().max_by_key(|part| part.1);
            let what = match (largest_on_host(own), largest) {
                (Some(op), _) => say!("verdict-host-mostly", part = short(study.title(op))),
                (None, Some(&(part, most))) if parts.len() > 1 && is_most(most, time) => {
                    say!("verdict-host-mostly", part)
                }
                (None, Some((part, _))) if parts.len() == 1 => (*part).to_owned(),
                _ => return say!("verdict-path-host-short").to_owned(),
            };
            say!("verdict-path-host", what)
        }
        PathPart::Between => say!("verdict-path-between").to_owned(),
        PathPart::Unknown => say!("verdict-path-unknown").to_owned(),
    }
}

/// `clause` of the split, with the next batch if that is much of the path of a program on a CPU.
pub(super) fn with_input(inputs: &Inputs<'_>, clause: String) -> String {
    let own = inputs.own;
    let input = own.second.filter(|&(part, _)| part == PathPart::Input && own.accelerators == 0);
    match input {
        Some((part, time)) => {
            let what = words_of_path(inputs, part, time);
            say!("verdict-path-second", clause, what, share = share(time.0, own.length.0))
        }
        None => clause,
    }
}
