//! How long things took that are not in the length of what is shown: the profiler, what ran before the first step.

use super::once::plain_function_of;
use super::{Inputs, Shown, short};
use crate::figures::{count, duration, share};
use steplens_core::causality::began::is_profiler_span;
use steplens_core::findings::framework::starts_until;
use steplens_core::findings::{InSteps, PauseOf, Verdict};
use steplens_core::gpu::accelerators::has_any;
use steplens_core::steps::rule::Steps;
use steplens_core::{Interval, Nanos, OpId, Study, Timestamp};
use steplens_messages::{say, sentences};

/// The steps that a verdict is about, where they are less than what is shown.
pub(super) fn steps_words(study: &Study, shown: Shown, own: InSteps) -> String {
    let (length, whole) = (duration(own.span.length().0), duration(own.whole.0));
    match (own.calls, shown) {
        (Some((call, calls)), _) => {
            let function = plain_function_of(study.trace().op_name(call));
            match calls {
                1 => say!("verdict-call", function, length, whole),
                _ => say!("verdict-calls", count = count(calls), function, length, whole),
            }
        }
        (None, Shown::Steps(steps)) => {
            say!("verdict-until-done-steps", count = count(steps as u64), length, whole)
        }
        (None, Shown::Step | Shown::Recording) => say!("verdict-until-done", length, whole),
    }
}

/// Any call takes some time until its first op.
const LEAST_LEAD: Nanos = Nanos(1_000_000);

/// What is outside of these steps.
pub(super) fn outside_steps(study: &Study, own: InSteps) -> String {
    let time = duration(own.outside().0);
    let what = match own.calls {
        Some(_) => say!("verdict-outside-calls", time),
        None if own.has_accelerators => say!("verdict-after-done", time),
        None => say!("verdict-after-done-host", time),
    };
    // That the first op begins late is said from a fifth of the time on, and from 1 ms on.
    let is_late =
        own.calls.is_some() && own.lead >= LEAST_LEAD && own.lead.0.saturating_mul(5) >= own.span.length().0;
    let lead = is_late.then(|| say!("verdict-call-lead", lead = duration(own.lead.0)));
    let longest = own.longest.map(|op| {
        let (trace, time) = (study.trace(), study.trace().ops().interval(op).length());
        say!("verdict-longest-outside", op = short(trace.op_type(op)), time = duration(time.0))
    });
    sentences(lead.into_iter().chain([what]).chain(longest))
}

/// What Python waits in for a function of TensorFlow 2, the innermost first.
const RUNS_FUNCTION: [&str; 3] = ["KernelAndDeviceFunc::Run", "FunctionRun", "EagerKernelExecute"];

/// What ran in the calls that are steps, where none of its ops was recorded.
pub(super) fn function_unrecorded(judged: &Study, what: &str) -> Option<String> {
    let (trace, ops) = (judged.trace(), judged.trace().ops());
    let ran = RUNS_FUNCTION.iter().find_map(|&name| {
        let own = ops.ids().filter(|&op| trace.op_name(op) == name);
        own.max_by_key(|&op| ops.interval(op).length())
    })?;
    let time = duration(ops.interval(ran).clamp_to(trace.span()).length().0);
    Some(say!("verdict-function-unrecorded", what, call = trace.op_name(ran), time))
}

/// In what the program waits during its longest pause for a function whose GPU was not recorded.
pub(super) fn waits_in_function(study: &Study, own: &Verdict) -> Option<String> {
    let (trace, ops) = (study.trace(), study.trace().ops());
    let pause = own.pauses.iter().filter(|own| own.of == PauseOf::Program && own.count == 1);
    let pause = pause.max_by_key(|own| own.interval.length())?.interval;
    let is_around = |op: &OpId| {
        let within = ops.interval(*op).clamp_to(pause).length();
        within.0.saturating_mul(10) >= pause.length().0.saturating_mul(9)
    };
    let call = RUNS_FUNCTION.iter().copied().find(|&name| {
        let is_it = |op: &OpId| trace.op_name(*op) == name && is_around(op);
        ops.ids().any(|op| is_it(&op))
    })?;
    if pause.length().0.saturating_mul(2) < own.length.0 {
        return None;
    }
    Some(say!("verdict-waits-in-function", call, time = duration(pause.length().0)))
}

/// How long PyTorch's profiler ran; of several the least. `None` where a step is shown.
pub(super) fn profiler_length(study: &Study) -> Option<Nanos> {
    let trace = study.trace();
    let ops = trace.ops();
    if study.view().step.is_some() {
        return None;
    }
    let spans = ops.ids().filter(|&op| is_profiler_span(trace, op));
    spans.map(|op| ops.interval(op).length()).min()
}

/// How long anything ran before the first marked step, where all is shown.
pub(super) fn before_steps(study: &Study) -> Option<Nanos> {
    if study.view().step.is_some() || !study.has_before() {
        return None;
    }
    let steps = Steps::divided(study.trace(), study.view().rule);
    let before = steps.rows().iter().filter(|row| row.is_before && !row.runs_other_graph);
    before.map(|row| row.span.length()).max()
}

/// How much of what is shown is in no step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outside {
    /// All of it: also what ran after the last step, and between two.
    pub(crate) all: Nanos,
    /// What ran before the first marked step.
    pub(crate) before: Nanos,
    /// In how much of all accelerators did not compute; without accelerators all of it.
    pub(crate) not_computing: Nanos,
    /// The same, without what ran before.
    pub(crate) not_computing_after: Nanos,
}

impl Outside {
    pub(super) fn of(study: &Study) -> Self {
        if study.view().step.is_some() {
            return Self::default();
        }
        let whole = study.trace().span();
        let steps = Steps::divided(study.trace(), study.view().rule);
        let rows = steps.rows().iter().filter(|row| !row.is_before);
        let mut spans: Vec<(i64, i64)> =
            rows.map(|row| row.span.clamp_to(whole)).map(|span| (span.start.0, span.end.0)).collect();
        spans.sort_unstable();
        let has_accelerators = has_any(study.trace());
        let mut found = Self::default();
        let mut reached = whole.start.0;
        for (start, end) in spans.into_iter().chain([(whole.end.0, whole.end.0)]) {
            if start > reached {
                let window = Interval::new(Timestamp(reached), Timestamp(start));
                let own = match has_accelerators {
                    true => window.length() - study.step_split(window).compute,
                    false => window.length(),
                };
                found.all += window.length();
                found.not_computing += own;
                match window.start == whole.start && study.has_before() {
                    true => found.before += window.length(),
                    false => found.not_computing_after += own,
                }
            }
            reached = reached.max(end);
        }
        found
    }
}

/// Steps that run, without what ran before the first.
fn marked(study: &Study) -> Vec<(usize, Interval)> {
    let steps = Steps::divided(study.trace(), study.view().rule);
    let rows = steps.rows().iter().enumerate();
    let rows = rows.filter(|(_, row)| row.ops > 0 && !row.is_before && !row.runs_other_graph);
    rows.map(|(place, row)| (place, row.span)).collect()
}

/// How long any step ran, in ns. Files of one step run at the same time.
pub(super) fn within_steps(study: &Study) -> i64 {
    let mut spans: Vec<(i64, i64)> =
        marked(study).into_iter().map(|(_, span)| (span.start.0, span.end.0)).collect();
    spans.sort_unstable();
    let (mut sum, mut reached) = (0_i64, i64::MIN);
    for (start, end) in spans {
        sum = sum.saturating_add(end.saturating_sub(start.max(reached)).max(0));
        reached = reached.max(end);
    }
    sum
}

/// What `--step` calls the first step.
pub(crate) fn first_of_steps(study: &Study) -> String {
    let first = marked(study).into_iter().min_by_key(|&(place, span)| (span.start, place));
    first.map_or(1, |(place, _)| place + 1).to_string()
}

/// The start of programs is said from this part of the time on, as its divisor.
const LEAST_STARTING: i64 = 10;

/// How long a timeline of tensors only broadcasts them, before it reduces the first.
pub(super) fn starting_clause(inputs: &Inputs<'_>) -> Option<String> {
    let trace = inputs.study.trace();
    let time = starts_until(trace)? - trace.span().start;
    let is_much = time.0.saturating_mul(LEAST_STARTING) >= inputs.own.length.0;
    let share = share(time.0, inputs.own.length.0);
    is_much.then(|| say!("verdict-starting", time = duration(time.0), share))
}
