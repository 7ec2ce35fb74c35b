//! A first step that was recorded instead of a usual one: it searches for algorithms, loads modules, compiles, starts the driver.
//!
//! What takes that long is one of these: calls that say so by name; calls into a driver that take as long as only first calls do
//! ([`first_calls`](super::first_calls)); in TensorFlow's graphs, ops on a GPU that take at least 10 ms and ten times as long as
//! their kernels, while the median of such ops takes a tenth; convolutions that try algorithms ([`trials`](super::trials)); and captures of graphs
//! ([`captures`](crate::gpu::captures)). Where such calls are found, the first operator of its name that takes ten times the median of the
//! later ones belongs to them, and without them one that takes a hundred times as long. Of calls and ops it is a first step if all of this
//! holds:
//! - GPUs of the process were idle for most of the time of each: a call that waits for a GPU is no first call;
//! - it does not recur ([`recurs`]); a call that is the first to launch its kernel cannot;
//! - of one process, it takes at least a tenth of the step;
//! - where later steps were recorded, the step that it is in is longer than their median by at least half of it;
//! - the step that is shown is the first that was opened.

use super::super::context::Context;
use super::super::finding::{FactPart, Facts, Rule, Ruling};
use super::super::framework::Framework;
use super::super::later::later;
use super::super::only_first::{FirstStep, Once, OnceKind, Shown, Trial, is_most};
use super::beginnings::{beginnings, without_beginnings};
use super::first_batch::first_batch;
use super::first_calls::{FirstCall, first_calls};
use super::first_function::first_function;
use super::first_marks::{compilations, first_marks};
use super::first_operators::first_operators;
use super::given_back::GivenBack;
use super::memory_full;
use super::recurs::recurs;
use super::trials::trials;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::{accelerators, dispatched_to, has_any};
use crate::gpu::captures::windows;
use crate::model::label::op_of_kernel;
use crate::steps::figures::is_usual;
use crate::steps::rule::Steps;
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId, StringId, Trace};
use std::collections::{BTreeMap, BTreeSet};

/// At least this part of the step, as its divisor.
const LEAST: i64 = 10;
/// The verdict says it from this part on, as its divisor.
const LEAST_SAID: i64 = 5;
/// How long the GPU is idle while algorithms are tried is said from this part of the time on, as its divisor.
const LEAST_IDLE_PART: i64 = 4;
/// The GPU is idle for at least this part of each call, in percent.
const LEAST_IDLE_PERCENT: i64 = 75;
/// Of one call that is much longer than all others of its name, less: the GPU may still have work, or wait in a collective.
const LEAST_IDLE_LONE_PERCENT: i64 = 25;
/// An op of a graph takes at least this long,
const LEAST_OP: Nanos = Nanos(10_000_000);
/// and this many times its kernels, and the median of such ops.
const TIMES: i64 = 10;
/// What only a first step does, as parts of op types in lower case.
const ONCE: [&str; 13] = [
    // Of JAX: `PjRtCpuClient::Compile`.
    "client::compile",
    // Horovod's phase in which NCCL begins.
    "init_nccl",
    "cudnnfind",
    "cudnngetconvolution",
    "cumoduleload",
    "hipmoduleload",
    "culibraryload",
    "xlacompile",
    "_xlacompile",
    "xlalocallaunchbase::compile",
    "compileandrun",
    "autotune",
    "cudahostalloc",
];

/// Whether the recording shows a first call alone, which says nothing about later ones: what only a first step does takes at least as long as `others`.
pub(super) fn is_cold(context: &Context<'_>, others: Nanos) -> bool {
    let first = first_step(context);
    !first.ops.is_empty() && !first.is_capture && first.time >= others && context.study.steps() < 2
}

/// What of the step only a first step does, found once.
pub(in super::super) fn first_step<'a>(shown: &'a Shown<'_>) -> &'a FirstStep {
    shown.first.get_or_init(|| found(shown))
}

/// The same, if it has a fifth of what is shown; a graph that is captured also with less: what is launched meanwhile does not run.
pub(in super::super) fn once(shown: &Shown<'_>) -> Option<Once> {
    let (first, whole) = (first_step(shown), shown.trace().span().length());
    let time = first.saving();
    let is_much = time.0.saturating_mul(LEAST_SAID) >= whole.0;
    if first.ops.is_empty() || !first.is_capture && !is_much {
        return None;
    }
    let compiled = compiled_by_torch(shown, first).filter(|&(_, time)| is_most(time, whole));
    let (kind, time) = match first {
        FirstStep { is_capture: true, .. } => (OnceKind::Capture, time),
        FirstStep { pause: Some(_), .. } => (OnceKind::FirstRun, time),
        FirstStep { is_function: true, .. } => (OnceKind::FirstFunction, time),
        _ => compiled.map_or((OnceKind::FirstStep, time), |(_, time)| (OnceKind::Compiling, time)),
    };
    let longest = without_beginnings(shown.trace(), by_time(shown, &first.ops)).first().copied();
    let is_named = |op: &OpId| kind != OnceKind::FirstStep || is_most(alone(shown, *op), time);
    let leads = first.is_capture || is_most(time, whole);
    Some(Once { kind, time, leads, op: longest.filter(is_named) })
}

/// How many of a first step's ops compile for `torch.compile`, and for how long, if that is half of its time.
fn compiled_by_torch(shown: &Shown<'_>, first: &FirstStep) -> Option<(usize, Nanos)> {
    let ops: BTreeSet<OpId> = first.ops.iter().copied().collect();
    let compiling = compilations(shown.trace()).into_iter().filter(|op| ops.contains(op));
    let (count, time) = compiling.fold((0, Nanos(0)), |(count, sum), op| (count + 1, sum + alone(shown, op)));
    (count > 0 && time.0.saturating_mul(2) >= first.time.0).then(|| (count, time.min(first.time)))
}

/// How long `op` takes by itself. A range runs nothing itself: its time is that of what it contains.
fn alone(shown: &Shown<'_>, op: OpId) -> Nanos {
    let trace = shown.trace();
    match trace.category(op) {
        Category::Range => trace.ops().interval(op).clamp_to(trace.span()).length(),
        _ => shown.study.self_time(op),
    }
}

/// `ops`, the longest first.
fn by_time(shown: &Shown<'_>, ops: &[OpId]) -> Vec<OpId> {
    let mut ops = ops.to_vec();
    // An operator contains the call that takes its time.
    let length = |op: OpId| shown.trace().ops().interval(op).length();
    ops.sort_by_key(|&op| (std::cmp::Reverse((alone(shown, op), length(op))), op));
    ops
}

fn found(shown: &Shown<'_>) -> FirstStep {
    if shown.study.view().step.is_some_and(|step| step > 0) {
        return FirstStep::default();
    }
    let trace = shown.trace();
    let idle = Idle::of(shown);
    let mut alike: BTreeMap<(DeviceId, StringId), Vec<OpId>> = BTreeMap::new();
    let mut of_process: BTreeMap<DeviceId, BTreeSet<OpId>> = BTreeMap::new();
    let mut calls = Vec::new();
    let mut lone: Vec<(OpId, Nanos)> = Vec::new();
    for FirstCall { op, loads, longest_other } in first_calls(trace) {
        let device = trace.device_of(op);
        let least = match longest_other {
            Some(_) if loads => LEAST_IDLE_LONE_PERCENT,
            _ => LEAST_IDLE_PERCENT,
        };
        match loads {
            true if idle.is_part_of(device, trace.ops().interval(op), least) => {
                lone.extend(longest_other.map(|other| (op, other)));
                of_process.entry(device).or_default().insert(op);
            }
            true => {}
            false => calls.push(op),
        }
    }
    add_held_copies(trace, &mut of_process);
    calls.extend(long_allocations(shown));
    let mut trials = trials(shown);
    for own in trials.iter().filter(|own| !own.is_short) {
        of_process.entry(own.process).or_default();
    }
    for op in named(shown).into_iter().chain(calls).chain(first_ops(shown)) {
        alike.entry((trace.device_of(op), trace.nodes().op_type(trace.ops().node(op)))).or_default().push(op);
    }
    for ((device, _), ops) in alike.into_iter().filter(|(_, ops)| !recurs(shown, ops)) {
        let ops = ops.into_iter().filter(|&op| idle.is_most_of(device, trace.ops().interval(op)));
        of_process.entry(device).or_default().extend(ops);
    }
    // Where first calls are much of the step, operators that begin a library next to them are no usual ones, either.
    let with_first_calls: BTreeSet<DeviceId> = of_process.keys().copied().collect();
    let operators = first_operators(shown, |device, window| idle.is_most_of(device, window));
    for own in operators.iter().filter(|own| !own.is_lone) {
        let device = trace.device_of(own.op);
        if own.is_sure || with_first_calls.contains(&device) {
            of_process.entry(device).or_default().insert(own.op);
        }
    }
    for own in operators.iter().filter(|own| own.is_lone) {
        if let Some(known) = of_process.get_mut(&trace.device_of(own.op)) {
            known.insert(own.op);
        }
    }
    let (compiling, repeated) = first_marks(shown, |device, window| idle.is_most_of(device, window));
    let mut marks: BTreeSet<OpId> = BTreeSet::new();
    marks.extend(repeated);
    // What a compiler does is long, and comes in many parts of one step: it recurs if several steps have it.
    let is_of_torch = Framework::of_trace(trace) == Framework::PyTorch;
    let compiles_again = recurs(shown, &compiling) && !(is_of_torch && shown.steps.is_one());
    if !compiles_again {
        marks.extend(compiling);
    }
    for &op in &marks {
        of_process.entry(trace.device_of(op)).or_default().insert(op);
    }
    // Next to other first calls, a short search is one, too.
    let searches: BTreeSet<DeviceId> =
        trials.iter().filter(|own| !own.is_short).map(|own| own.process).collect();
    let has_first =
        |&(process, ops): &(&DeviceId, &BTreeSet<OpId>)| !ops.is_empty() || searches.contains(process);
    let is_first: BTreeSet<DeviceId> =
        of_process.iter().filter(has_first).map(|(&process, _)| process).collect();
    trials.retain(|own| !own.is_short || is_first.contains(&own.process));
    // Rows of several tensors repeat one call of Horovod: what runs at the same time counts once.
    let time_of = |process: DeviceId, ops: &BTreeSet<OpId>| {
        let tried = || trials.iter().filter(|own| own.process == process);
        let is_trial: BTreeSet<OpId> = tried().map(|own| own.op).collect();
        let others = || ops.iter().copied().filter(|op| !is_trial.contains(op) && !marks.contains(op));
        let whole = trace.span();
        let union = |mut intervals: Vec<Interval>| {
            intervals.sort_unstable_by_key(|own| (own.start, own.end));
            Busy::of(intervals.into_iter().map(|own| own.clamp_to(whole))).within(whole)
        };
        // What a range contains is of its own kind, too.
        let ranges = ops.iter().filter(|op| marks.contains(op)).map(|&op| trace.ops().interval(op));
        let windows: Vec<Interval> = tried().map(|own| own.window).chain(ranges).collect();
        let needed = tried().fold(Nanos(0), |sum, own| sum + own.needed);
        let all = others().fold(union(windows.clone()), |sum, op| sum + shown.study.self_time(op));
        let both = union(others().map(|op| trace.ops().interval(op)).chain(windows).collect());
        Nanos((all.min(both) - needed).0.max(0))
    };
    let captured = captured(trace);
    let timed = of_process.into_iter().map(|(process, ops)| (time_of(process, &ops), process, ops));
    let most = timed.max_by_key(|&(time, ..)| time);
    let function = first_function(shown, |device, window| idle.is_most_of(device, window));
    let others = most.as_ref().map_or(Nanos(0), |&(time, ..)| time).max(captured.time);
    let is_much = |time: Nanos| time > Nanos(0) && time.0.saturating_mul(LEAST) >= trace.span().length().0;
    if is_much(function.time) && function.time > others && !is_refuted(shown, &function.ops, function.time) {
        return function;
    }
    if is_much(captured.time) {
        let others = most.as_ref().map_or(Nanos(0), |&(time, ..)| time);
        if captured.time >= others {
            return if is_refuted(shown, &captured.ops, captured.time) {
                FirstStep::default()
            } else {
                captured
            };
        }
    }
    let batch = first_batch(shown).into_iter().filter(|&op| {
        let own = trace.ops().interval(op);
        idle.is_most_of(trace.device_of(op), own)
    });
    let Some((mut time, process, mut ops)) = most else { return before_first_run(shown) };
    let own_trials = trials.iter().filter(|own| own.process == process);
    let own_trials: Vec<Trial> = own_trials.cloned().collect();
    ops.extend(own_trials.iter().map(|own| own.op));
    if time > Nanos(0) {
        ops.extend(batch);
        ops.extend(beginnings(trace, |device, window| idle.is_most_of(device, window)));
        time = time_of(process, &ops);
    }
    let trials = own_trials;
    let ops: Vec<OpId> = ops.into_iter().collect();
    if !(is_much(time) || is_most_of_work(shown, time)) || is_refuted(shown, &ops, time) {
        return before_first_run(shown);
    }
    let lone = lone.into_iter().find(|(op, _)| ops.contains(op));
    let busy = lone.map(|(op, _)| idle.busy_within(trace.device_of(op), trace.ops().interval(op)));
    let lone = lone.filter(|_| ops.len() == 1);
    let trials_idle = trials.iter().fold(Nanos(0), |sum, own| {
        let window = own.window.clamp_to(trace.span());
        sum + window.length() - idle.busy_within(process, window)
    });
    let trials_idle = trials_idle.min(time);
    let longer = beside_later(shown, &ops).and_then(|own| own.of_first(time));
    let busy = busy.unwrap_or_default();
    FirstStep { ops, time, trials, trials_idle, busy, lone, longer, ..FirstStep::default() }
}

/// Whether `time` is half of that in which anything was recorded to run, or more: where a program mostly rests, what it does counts. Where
/// accelerators were recorded, they may rest for the host.
fn is_most_of_work(shown: &Shown<'_>, time: Nanos) -> bool {
    let trace = shown.trace();
    let devices: Vec<DeviceId> = trace.devices().ids().collect();
    let worked = || shown.busy(&devices, |_| true).within(trace.span());
    !has_any(trace) && time > Nanos(0) && time.0.saturating_mul(2) >= worked().0
}

/// The pause before the first run of a graph is this many times the usual one before later runs,
const TIMES_PAUSE: i64 = 10;
/// and at least this long.
const LEAST_PAUSE: Nanos = Nanos(10_000_000);
/// How many later runs there are at least.
const LEAST_RUNS: usize = 2;

/// The pause before the first run of a graph, of several that were recorded, if others ran before it: a session prepares the graph then.
fn before_first_run(shown: &Shown<'_>) -> FirstStep {
    let trace = shown.trace();
    let is_of_session = Framework::of_trace(trace) == Framework::Graphs;
    if !is_of_session || shown.study.view().step.is_some() || shown.study.steps() <= LEAST_RUNS {
        return FirstStep::default();
    }
    let steps = Steps::divided(trace, shown.study.view().rule);
    let mut rows: Vec<(Interval, bool)> = steps
        .rows()
        .iter()
        .zip(is_usual(&steps))
        .filter(|(row, _)| row.ops > 0)
        .map(|(row, usual)| (row.span, usual))
        .collect();
    rows.sort_unstable_by_key(|(own, _)| (own.start, own.end));
    let mut until = None;
    let mut pauses: Vec<Interval> = Vec::new();
    for (own, usual) in rows {
        if let Some(until) = until.filter(|_| usual) {
            pauses.push(Interval::new(until, own.start.max(until)));
        }
        until = until.max(Some(own.end));
    }
    // Without other runs, the recording may begin within the pause.
    let has_others = steps.rows().iter().any(|row| row.runs_other_graph);
    let Some((first, later)) = pauses.split_first().filter(|_| has_others) else {
        return FirstStep::default();
    };
    let mut later: Vec<Nanos> = later.iter().map(|own| own.length()).collect();
    later.sort_unstable();
    let Some(&usual) = later.get(later.len().saturating_sub(1) / 2) else { return FirstStep::default() };
    let is_long = first.length() >= LEAST_PAUSE && first.length().0 >= usual.0.saturating_mul(TIMES_PAUSE);
    let next = trace.ops().ids().filter(|&op| trace.ops().start(op) >= first.end);
    match next.min_by_key(|&op| (trace.ops().start(op), op)).filter(|_| is_long) {
        Some(next) => {
            let time = first.length() - usual;
            FirstStep { ops: vec![next], time, pause: Some(usual), ..FirstStep::default() }
        }
        None => FirstStep::default(),
    }
}

/// Whether later steps say that the step with most of `ops` is no first one: it is hardly longer than they are, though they lack these ops.
fn is_refuted(shown: &Shown<'_>, ops: &[OpId], time: Nanos) -> bool {
    beside_later(shown, ops).is_some_and(|own| own.longer.0.saturating_mul(2) < time.0)
}

/// The step with most of some ops.
struct BesideLater {
    step: Interval,
    /// How much longer it is than the median of later ones.
    longer: Nanos,
    /// How many steps come before it, and after it.
    before: usize,
    after: usize,
}

impl BesideLater {
    /// With fewer later steps nobody knows which of them is a usual one.
    const LEAST_AFTER: usize = 2;

    /// The step and how much longer it is, if `time` of what only a first step does is half of that or more: other reasons are rare then.
    fn of_first(self, time: Nanos) -> Option<(Interval, Nanos)> {
        let is_first = self.before == 0 && self.after >= Self::LEAST_AFTER;
        (is_first && time.0.saturating_mul(2) >= self.longer.0).then_some((self.step, self.longer))
    }
}

/// The step with most of the time of `ops`, and how much longer it is than later steps. `None` without later steps.
fn beside_later(shown: &Shown<'_>, ops: &[OpId]) -> Option<BesideLater> {
    let trace = shown.trace();
    if shown.study.view().step.is_some() || shown.study.steps() < 2 {
        return None;
    }
    let steps = Steps::divided(trace, shown.study.view().rule);
    let usual = is_usual(&steps);
    let mut rows: Vec<Interval> =
        steps.rows().iter().zip(usual).filter(|(_, usual)| *usual).map(|(row, _)| row.span).collect();
    rows.sort_unstable_by_key(|own| (own.start, own.end));
    let mut within = vec![Nanos(0); rows.len()];
    for &op in ops {
        let interval = trace.ops().interval(op);
        if let Some(row) = rows.partition_point(|step| step.start <= interval.start).checked_sub(1) {
            within[row] += interval.clamp_to(rows[row]).length();
        }
    }
    // Of several with as much, the first.
    let own = (0..rows.len()).max_by_key(|&row| (within[row], std::cmp::Reverse(row)));
    let own = own.filter(|&row| within[row] > Nanos(0))?;
    let mut later: Vec<Nanos> = rows[own + 1..].iter().map(|step| step.length()).collect();
    later.sort_unstable();
    let &median = later.get(later.len().saturating_sub(1) / 2)?;
    let longer = rows[own].length() - median;
    Some(BesideLater { step: rows[own], longer, before: own, after: later.len() })
}

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let first = first_step(context);
    let FirstStep { ops, time, is_capture, lone, trials, trials_idle, pause, is_function, .. } = first;
    if ops.is_empty() {
        return Ruling::Nothing;
    }
    let trace = context.trace();
    let mut evidence = by_time(context, ops);
    // What lies outside of what is shown has no part in its time.
    evidence.retain(|&op| !is_outside(trace, op));
    evidence = without_beginnings(trace, evidence);
    let longest = trials.iter().max_by_key(|own| (own.window.length(), std::cmp::Reverse(own.op)));
    let tried = trials.iter().fold(Nanos(0), |sum, own| sum + own.window.length() - own.needed);
    // What takes most comes first: one call may take longer than all that is tried.
    let larger = evidence
        .first()
        .copied()
        .filter(|&op| alone(context, op) > tried && trials.iter().all(|own| own.op != op));
    let named = larger.or(longest.map(|own| own.op)).or(evidence.first().copied());
    let names = longest.zip(larger).map(|(own, _)| (title(context, own.op, true).to_owned(), tried));
    let kernel = lone.and_then(|(call, _)| trace.calls().iter().find(|&&(_, own)| own == call));
    // The first op that uses a library also waits for it to start: nothing is tried then.
    let idle = (trials_idle.0.saturating_mul(LEAST_IDLE_PART) >= time.0 && *trials_idle > Nanos(0))
        .then_some((FactPart::Idle, *trials_idle));
    let compiling = compiled_by_torch(context, first);
    let facts = Facts {
        other: kernel.map(|&(kernel, _)| trace.op_name(kernel).to_owned()).unwrap_or_default(),
        since: compiling
            .map(|(_, compiled)| compiled)
            .or(lone.map(|(_, longest)| longest))
            .unwrap_or_default(),
        sized: compiling.map_or(0, |(count, _)| count as u64),
        name: named
            .map(|op| title(context, op, longest.is_some() && larger.is_none()).to_owned())
            .unwrap_or_default(),
        names: names.into_iter().collect(),
        count: evidence.len() as u64,
        usual: evidence.first().map(|&op| alone(context, op)).unwrap_or_default(),
        time: *time,
        of: if compiling.is_some() { 2 } else { u64::from(*is_capture) },
        is_function: *is_function,
        longer: first.longer.map(|(_, longer)| longer),
        later: named.and_then(|op| later(trace, op)),
        ranks: trials.len() as u64,
        parts: idle.into_iter().collect(),
        pause: pause.zip(named).map(|(usual, op)| (context.study.title(op).to_owned(), usual)),
        ..Facts::default()
    };
    context.measured(Rule::FirstStep, first.saving(), facts, evidence, None)
}

fn is_outside(trace: &Trace, op: OpId) -> bool {
    let own = trace.ops().interval(op);
    own.length() > Nanos(0) && own.clamp_to(trace.span()).length() == Nanos(0)
}

/// The name of `op`; of a kernel that tries an algorithm, that of the op that it ran for.
fn title<'a>(shown: &Shown<'a>, op: OpId, tries: bool) -> &'a str {
    let nodes = shown.trace().nodes();
    let label = shown.trace().text(nodes.label(shown.trace().ops().node(op)));
    match op_of_kernel("", label) {
        own if tries && label.contains("@@") && !own.is_empty() => own,
        _ => shown.study.title(op),
    }
}

/// When graphs are captured. Several threads may capture at the same time.
fn captured(trace: &Trace) -> FirstStep {
    let all = windows(trace);
    let busy = Busy::of(all.iter().map(|own| own.interval.clamp_to(trace.span())));
    let time = busy.within(trace.span());
    let ops = all.into_iter().map(|own| own.begin).collect();
    FirstStep { ops, time, is_capture: true, ..FirstStep::default() }
}

/// A call that copies takes this many times as long as its copy, if it waits for something else.
const TIMES_COPY: i64 = 100;

/// Adds the calls of each process that copy, and wait for the driver because another call is its first: they overlap one of those that are there.
fn add_held_copies(trace: &Trace, of_process: &mut BTreeMap<DeviceId, BTreeSet<OpId>>) {
    let ops = trace.ops();
    let mut copied: BTreeMap<OpId, Nanos> = BTreeMap::new();
    for &(copy, call) in trace.calls() {
        if trace.category(copy) == Category::Copy && of_process.contains_key(&trace.device_of(call)) {
            *copied.entry(call).or_default() += ops.interval(copy).length();
        }
    }
    let busy = |first: &BTreeSet<OpId>| {
        let mut intervals: Vec<Interval> = first.iter().map(|&op| ops.interval(op)).collect();
        intervals.sort_unstable_by_key(|own| (own.start, own.end));
        Busy::of(intervals.into_iter())
    };
    let first: BTreeMap<DeviceId, Busy> =
        of_process.iter().map(|(&process, first)| (process, busy(first))).collect();
    for (call, copied) in copied {
        let (process, own) = (trace.device_of(call), ops.interval(call));
        let is_held = own.length() >= LEAST_ALLOCATION
            && own.length().0 >= copied.0.saturating_mul(TIMES_COPY)
            && first.get(&process).is_some_and(|first| first.within(own) > Nanos(0));
        if is_held {
            of_process.entry(process).or_default().insert(call);
        }
    }
}

/// The calls that are named after what only a first step does.
fn named(shown: &Shown<'_>) -> Vec<OpId> {
    let trace = shown.trace();
    let nodes = trace.nodes();
    let is_once: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let op_type = trace.text(nodes.op_type(node)).to_ascii_lowercase();
            !nodes.is_range(node) && ONCE.iter().any(|part| op_type.contains(part))
        })
        .collect();
    let all = trace.ops().ids().take(trace.counted_ops());
    all.filter(|&op| is_once[trace.ops().node(op).index()]).collect()
}

/// The calls that get memory or give it back and take as long as only first ones do.
fn long_allocations(shown: &Shown<'_>) -> impl Iterator<Item = OpId> {
    let trace = shown.trace();
    let is_long = |op: OpId| trace.ops().interval(op).length() >= LEAST_ALLOCATION;
    let is_it = |&op: &OpId| trace.category(op) == Category::Allocation && is_long(op);
    let full: BTreeSet<OpId> = memory_full::calls(trace).into_iter().collect();
    let mut long: Vec<OpId> = trace.ops().ids().filter(is_it).filter(|op| !full.contains(op)).collect();
    if long.iter().any(|&op| trace.op_type(op).contains("Free")) {
        let given_back = GivenBack::of(trace);
        let takes_usual = |op: OpId| trace.ops().interval(op).length() < LEAST_BEGINNING;
        let is_usual = |op: OpId| takes_usual(op) && trace.op_type(op).contains("Free");
        long.retain(|&op| !(is_usual(op) && given_back.has(trace, op)));
    }
    long.into_iter()
}

/// No memory takes longer to give back while the GPU is idle: `cudaFree` begins what a program has not used yet.
const LEAST_BEGINNING: Nanos = Nanos(100_000_000);
/// Shorter calls that get memory, or copy, are usual ones.
const LEAST_ALLOCATION: Nanos = Nanos(1_000_000);

/// The ops that an executor ran on a GPU for much longer than their kernels and than its other ops.
fn first_ops(shown: &Shown<'_>) -> Vec<OpId> {
    let (trace, kernels) = (shown.trace(), shown.study.kernels());
    let dispatched: BTreeSet<DeviceId> =
        dispatched_to(trace, &accelerators(trace)).into_iter().flatten().collect();
    let length = |op: OpId| trace.ops().interval(op).length();
    let ran: Vec<(OpId, Nanos)> = dispatched
        .iter()
        .flat_map(|&device| trace.ops_of(device))
        .map(|op| (op, kernels.of_op(trace, op)))
        .filter(|(_, kernels)| !kernels.is_empty())
        .map(|(op, kernels)| (op, kernels.iter().fold(Nanos(0), |sum, &kernel| sum + length(kernel))))
        .collect();
    let mut lengths: Vec<Nanos> = ran.iter().map(|&(op, _)| length(op)).collect();
    lengths.sort_unstable();
    let Some(&median) = lengths.get(lengths.len().saturating_sub(1) / 2) else { return Vec::new() };
    let is_first = |&(op, kernels): &(OpId, Nanos)| {
        let own = length(op).0;
        length(op) >= LEAST_OP
            && own >= kernels.0.saturating_mul(TIMES)
            // Where a step has few ops, the median is one of the first ops itself.
            && (own >= median.0.saturating_mul(TIMES) || lengths.len() < MOST_FEW)
    };
    ran.into_iter().filter(is_first).map(|(op, _)| op).collect()
}

/// Of fewer ops the median says nothing.
const MOST_FEW: usize = 8;

/// When the GPUs of each process were idle.
struct Idle {
    /// When each GPU worked.
    busy: Vec<Busy>,
    /// For each process the rows of the GPUs that its calls launched something on.
    of_process: BTreeMap<DeviceId, BTreeSet<usize>>,
    all: BTreeSet<usize>,
}

impl Idle {
    fn of(shown: &Shown<'_>) -> Self {
        let trace = shown.trace();
        let mut row_of = vec![None; trace.devices().len()];
        let found = accelerators(trace);
        let busy = found.iter().map(|one| shown.busy(&one.devices, |_| true)).collect();
        for (row, unit) in found.iter().enumerate() {
            unit.devices.iter().for_each(|device| row_of[device.index()] = Some(row));
        }
        let mut of_process: BTreeMap<DeviceId, BTreeSet<usize>> = BTreeMap::new();
        for &(kernel, call) in trace.calls() {
            let row = row_of[trace.device_of(kernel).index()];
            of_process.entry(trace.device_of(call)).or_default().extend(row);
        }
        Self { busy, of_process, all: (0..found.len()).collect() }
    }

    /// Whether the GPUs of `process` were idle for most of `window`.
    fn is_most_of(&self, process: DeviceId, window: Interval) -> bool {
        self.is_part_of(process, window, LEAST_IDLE_PERCENT)
    }

    /// Whether they were idle for this part of it.
    fn is_part_of(&self, process: DeviceId, window: Interval, percent: i64) -> bool {
        let idle = i128::from((window.length() - self.busy_within(process, window)).0);
        idle * 100 >= i128::from(window.length().0) * i128::from(percent)
    }

    /// How long the GPU of `process` that worked most did so within `window`.
    fn busy_within(&self, process: DeviceId, window: Interval) -> Nanos {
        let own = self.of_process.get(&process).unwrap_or(&self.all);
        let busy = own.iter().filter_map(|&row| self.busy.get(row));
        busy.map(|busy| busy.within(window)).max().unwrap_or_default()
    }
}
