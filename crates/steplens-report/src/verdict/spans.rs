//! How long things took that are not in the length of what is shown: events outside of it, the profiler, what ran before the first step.

use steplens_core::causality::began::is_profiler_span;
use steplens_core::gpu::accelerators::has_any;
use steplens_core::steps::rule::Steps;
use steplens_core::{Interval, Nanos, OpId, Study, Timestamp};

/// How long it is from the first event to the last, also of ranges and marks, which are no part of the length; of one process. How long PyTorch's
/// profiler ran is no event of the program.
pub(super) fn events_span(study: &Study) -> Option<Nanos> {
    let trace = study.trace();
    if study.view().step.is_some() || trace.is_period() || study.apart().is_some() {
        return None;
    }
    let of_program = |op: &OpId| !is_profiler_span(trace, *op);
    let interval = |op: OpId| (trace.ops().start(op), trace.ops().end(op));
    let ops = || trace.ops().ids().filter(of_program).map(interval);
    let all = || ops().chain(trace.instants().all().iter().map(|own| (own.at, own.at)));
    Some(all().map(|own| own.1).max()? - all().map(|own| own.0).min()?)
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

/// How long any step ran, in ns. Files of one step run at the same time.
pub(super) fn within_steps(study: &Study) -> i64 {
    let parts = study.trace().parts().iter().filter(|part| part.ops > 0);
    let mut spans: Vec<(i64, i64)> = parts.map(|part| (part.span.start.0, part.span.end.0)).collect();
    spans.sort_unstable();
    let (mut sum, mut reached) = (0_i64, i64::MIN);
    for (start, end) in spans {
        sum = sum.saturating_add(end.saturating_sub(start.max(reached)).max(0));
        reached = reached.max(end);
    }
    sum
}
