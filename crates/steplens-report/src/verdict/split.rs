//! What the time of the devices divides into, as clauses.

use super::units::units;
use super::unlike_names::cut_unlike;
use super::{Inputs, cut, is_horovod, says_beginning, with_name};
use crate::figures::{count, share};
use crate::names::{kernel_labels, place_label};
use steplens_core::findings::framework::{Framework, has_only_input};
use steplens_core::findings::{DecidedBy, KernelKind, PathPart, SplitPart};
use steplens_core::gpu::event_pairs::paced_by_host;
use steplens_core::{Category, Nanos};
use steplens_messages::{listed, say};

/// What compute is without an accelerator.
pub(super) enum Computing {
    Ops,
    Calls,
    Both,
}

impl Computing {
    /// Of the time `all`, `calls` is that of calls of a driver.
    pub(super) fn of(calls: Nanos, all: Nanos) -> Self {
        let tenths = |count: i64| calls.0.saturating_mul(10) >= all.0.saturating_mul(count);
        match () {
            () if calls > Nanos(0) && tenths(9) => Self::Calls,
            () if calls > Nanos(0) && tenths(1) => Self::Both,
            () => Self::Ops,
        }
    }
}

pub(super) fn clause_of_split(inputs: &Inputs<'_>) -> String {
    let &Inputs { study, own, is_unrecorded, .. } = inputs;
    let (part, time) = own.split;
    let share = share(time.0, own.length.0);
    let mostly = own.mostly.filter(|_| own.by == DecidedBy::Split);
    let clause = match part {
        SplitPart::Of(Category::Compute) => compute_clause(inputs),
        // What is computed meanwhile is not in such a timeline.
        SplitPart::Of(Category::Communication) if is_horovod(study) => {
            say!("verdict-split-communication-horovod", share)
        }
        SplitPart::Of(Category::Communication) => say!("verdict-split-communication", share),
        SplitPart::Of(Category::Input) => say!("verdict-split-input", share),
        SplitPart::Of(Category::Copy) => say!("verdict-split-copy", share),
        SplitPart::Of(Category::Launch) => say!("verdict-split-launch", share),
        SplitPart::Of(Category::Allocation) => say!("verdict-split-allocation", share),
        // A library that begins does not wait itself.
        SplitPart::Of(Category::Waiting) if let Some(name) = begins(inputs) => {
            return say!("verdict-split-beginning", share, name = cut(name));
        }
        SplitPart::Of(Category::Waiting) if inputs.files_alone => say!("verdict-split-files", share),
        SplitPart::Of(Category::Waiting | Category::Range) => say!("verdict-split-waiting", share),
        SplitPart::Idle if is_horovod(study) => say!("verdict-split-idle-horovod", share),
        SplitPart::Idle if own.accelerators == 0 && own.devices == 1 => {
            say!("verdict-split-idle-host", share)
        }
        // What the GPU did then is not known.
        SplitPart::Idle if is_unrecorded => say!("verdict-split-idle-host", share),
        SplitPart::Idle => say!("verdict-split-idle", share, units = units(inputs)),
    };
    with_name(study, clause, mostly.map(|(op, _)| op))
}

/// The phase in which Horovod began a library, where that is what the waiting mostly is.
fn begins<'a>(inputs: &Inputs<'a>) -> Option<&'a str> {
    let &Inputs { study, own, .. } = inputs;
    let (op, _) = own.mostly.filter(|_| own.by == DecidedBy::Split)?;
    Some(study.trace().op_type(op)).filter(|name| name.starts_with("INIT_"))
}

/// For how much of the time batches are loaded, where nothing else was recorded that could wait for them.
pub(super) fn only_loads(inputs: &Inputs<'_>) -> Option<String> {
    let &Inputs { study, own, is_unrecorded, .. } = inputs;
    let loads = own.split.0 == SplitPart::Of(Category::Input) && !is_unrecorded;
    (loads && has_only_input(study.trace())).then(|| share(own.split.1.0, own.length.0))
}

/// Communication, or copies, that nothing hides is said from this part of the time on, as its divisor.
const LEAST_EXPOSED: i64 = 5;

/// How much of the time no compute of PyTorch's GPUs hides communication, where the path decides and does not say it.
pub(super) fn exposed_clause(inputs: &Inputs<'_>) -> Option<String> {
    let &Inputs { study, own, .. } = inputs;
    let is_said = |part: PathPart| part == PathPart::Network;
    let names_it = own.path.is_none_or(|(part, _)| is_said(part))
        || own.second.is_some_and(|(part, _)| is_said(part))
        || own.split.0 == SplitPart::Of(Category::Communication);
    if names_it || own.accelerators == 0 || Framework::of_trace(study.trace()) != Framework::PyTorch {
        return None;
    }
    let exposed = study.step_split(study.trace().span()).exposed_communication;
    let is_much = exposed.0.saturating_mul(LEAST_EXPOSED) >= own.length.0;
    is_much.then(|| say!("verdict-exposed", share = share(exposed.0, own.length.0)))
}

/// How much of the time no compute of accelerators hides copies, where nothing else says it.
pub(super) fn exposed_copies(inputs: &Inputs<'_>) -> Option<String> {
    let &Inputs { study, own, .. } = inputs;
    let is_said = |part: PathPart| part == PathPart::Copy;
    let names_it = own.path.is_none_or(|(part, _)| is_said(part))
        || own.second.is_some_and(|(part, _)| is_said(part))
        || own.split.0 == SplitPart::Of(Category::Copy);
    let exposed = study.step_split(study.trace().span()).exposed_copy;
    let is_much = own.accelerators > 0 && exposed.0.saturating_mul(LEAST_EXPOSED) >= own.length.0;
    (is_much && !names_it).then(|| say!("verdict-exposed-copies", share = share(exposed.0, own.length.0)))
}

/// How much of the time the program reads and writes files, where it waits for nothing else.
pub(super) fn files_clause(inputs: &Inputs<'_>) -> Option<String> {
    let &Inputs { study, own, files_alone, .. } = inputs;
    let time = study.step_split(study.trace().span()).exposed_waiting;
    files_alone.then(|| say!("verdict-split-files", share = share(time.0, own.length.0)))
}

/// The largest op types of the compute that decides, where none has half of it.
pub(super) fn largest_types(inputs: &Inputs<'_>) -> Option<String> {
    let &Inputs { study, own, .. } = inputs;
    let names: Vec<&str> = own.largest.iter().map(|&(op, _)| study.trace().op_type(op)).collect();
    let labels = kernel_labels(&names);
    let names = (0..).zip(&own.largest).map(|(place, &(_, time))| {
        let name = cut_unlike(&labels, place);
        say!("verdict-largest-part", name, share = share(time.0, own.length.0))
    });
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| say!("verdict-largest", names = listed(names)))
}

/// A kind of kernel is said from this part of the time on, as its divisor, and no more than this number of them.
const LEAST_KIND: i64 = 10;
const MOST_KINDS: usize = 3;

/// What the kernels calculate, where they take nearly all of the time, unless the name of one op type says it.
pub(super) fn kinds_computed(inputs: &Inputs<'_>) -> Option<String> {
    let own = inputs.own;
    let &(_, most) = own.kernels.first()?;
    let is_said = own.mostly.is_some_and(|(_, time)| time.0.saturating_mul(10) >= most.0.saturating_mul(9));
    let kinds = own.kernels.iter().filter(|kind| kind.1.0.saturating_mul(LEAST_KIND) >= own.length.0);
    let kinds = kinds.take(MOST_KINDS).map(|&(kind, time)| {
        let name = match kind {
            KernelKind::Convolutions => say!("verdict-kernels-convolutions"),
            KernelKind::Products => say!("verdict-kernels-products"),
            KernelKind::Attention => say!("verdict-kernels-attention"),
            KernelKind::Norms => say!("verdict-kernels-norms"),
            KernelKind::Elementwise => say!("verdict-kernels-elementwise"),
        };
        say!("verdict-largest-part", name, share = share(time.0, own.length.0))
    });
    let kinds: Vec<String> = kinds.collect();
    (!kinds.is_empty() && !is_said).then(|| say!("verdict-kernels", kinds = listed(kinds)))
}

pub(super) fn compute_clause(inputs: &Inputs<'_>) -> String {
    let own = inputs.own;
    let (source, calls) = own.no_compute.of_split;
    let time = if says_beginning(own) { own.compute - source } else { own.compute };
    // What an operator does in a call that launches or copies is its time, too.
    let time = own.no_compute.operators.filter(|_| inputs.is_unrecorded).unwrap_or(time);
    let part = share(time.0, own.length.0);
    let clause = match (Computing::of(calls, own.compute), inputs.is_unrecorded) {
        (Computing::Calls, _) => say!("verdict-split-calls", share = part),
        _ if own.only_first => say!("verdict-split-first", share = part),
        _ if inputs.ranges_alone && own.devices > 1 => {
            let count = count(own.devices as u64);
            say!("verdict-split-ranges-of-several", count, share = part)
        }
        _ if inputs.ranges_alone => say!("verdict-split-ranges", share = part),
        (_, true) => say!("verdict-split-ops", share = part, units = units(inputs)),
        (Computing::Both, false) => {
            say!("verdict-split-compute-and-calls", share = part, units = units(inputs))
        }
        (Computing::Ops, false) if paced_by_host(inputs.study.trace()).is_some() => {
            say!("verdict-split-compute-at-most", share = part, units = units(inputs))
        }
        (Computing::Ops, false) => say!("verdict-split-compute", share = part, units = units(inputs)),
    };
    match own.busiest.filter(|_| !says_beginning(own)) {
        Some((device, time)) => {
            let trace = inputs.study.trace();
            let device = place_label(trace.text(trace.devices().get(device).name));
            say!("verdict-busiest", clause, device, share = share(time.0, own.length.0))
        }
        None => clause,
    }
}
