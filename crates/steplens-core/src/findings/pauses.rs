//! Long pauses between ops: one that comes once is no habit of a program. Where functions of Python were recorded, the innermost that lasts as
//! long says what ran.
//!
//! What lies before the first work, or after the last, is no part of a loop: the workers of a `DataLoader` start before its first batch, and stop
//! after the last; a program goes on after its last kernel. A pause in a function of PyTorch's profiler is the profiler's.

use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::causality::host::frames_of;
use crate::causality::observed::{Segment, SegmentKind};
use crate::gpu::accelerators::accelerators;
use crate::storage::busy::Busy;
use crate::{Category, OpId, Study, Trace};

/// A pause is long from this part of what is shown on, as its divisor.
const LEAST: i64 = 10;
/// Pauses that come again and again are found from this part on, each, as its divisor.
const LEAST_OF_SEVERAL: i64 = 50;
/// Pauses are of one length if they are at least this part of the longest of them, in percent.
const ONE_LENGTH_PERCENT: i128 = 90;
/// The most pauses that are found.
const MOST: usize = 2;
/// A frame lasts as long as a pause if it covers this part of it, in percent.
const COVERS_PERCENT: i128 = 90;
/// A pause lies before the loop, or after it, if less than this part of all work ran there, as its divisor.
const LEAST_WORK: i64 = 50;

/// In the names of functions that belong to PyTorch's profiler, whoever calls them.
const OF_PROFILER: [&str; 4] =
    ["torch/profiler/", "torch/autograd/profiler", "_record_function_enter", "_record_function_exit"];

/// Whether a function of Python called `name` is the profiler's.
pub(super) fn is_of_profiler(name: &str) -> bool {
    OF_PROFILER.iter().any(|own| name.contains(own))
}

/// What a pause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseOf {
    /// The program did what was not recorded as ops.
    Program,
    /// A function of the profiler ran.
    Profiler,
    /// The workers of a `DataLoader` start.
    WorkersStart,
    /// The workers of a `DataLoader` stop.
    WorkersStop,
    /// Hardly any work comes after it.
    End,
}

/// A time in which the path was between two ops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// From when to when; of several the longest.
    pub interval: Interval,
    /// How many there are of this length before what runs next.
    pub count: u64,
    /// Whether each step that is shown has one of them.
    pub is_in_each_step: bool,
    /// The innermost annotation of the program around it.
    pub within: Option<OpId>,
    /// What ran next; what ran before it, if nothing did in the step.
    pub op: OpId,
    /// Whether that ran before it.
    pub is_after: bool,
    /// The Python function that ran meanwhile: the innermost that covers the pause, or the profiler’s.
    pub frame: Option<OpId>,
    /// What it is.
    pub of: PauseOf,
    /// How much of it a function was traced or a program compiled.
    pub compiling: Nanos,
}

/// Marks in whose time a function of Python becomes a graph, or a program of XLA is compiled.
const COMPILING: [&str; 4] =
    ["tf.function-graph_building", "Client::Compile", "backend_compile", "XlaCompile"];

/// Whether a mark called `name` says that a function is traced, or a program compiled.
pub(super) fn is_compiling(name: &str) -> bool {
    COMPILING.iter().any(|own| name.contains(own))
}

/// How long the marks of `trace` within `pause` say that something is traced or compiled.
fn compiling(trace: &Trace, pause: Interval) -> Nanos {
    let (nodes, ops) = (trace.nodes(), trace.ops());
    let is_named: Vec<bool> = nodes.ids().map(|node| is_compiling(trace.text(nodes.name(node)))).collect();
    let marks = ops.ids().filter(|&op| is_named[ops.node(op).index()]);
    let mut intervals: Vec<Interval> = marks.map(|op| ops.interval(op)).collect();
    order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
    Busy::of(intervals.into_iter()).within(pause)
}

/// Whether nothing ran on the thread of `own`.
pub(super) fn is_between(own: &Segment) -> bool {
    matches!(own.kind, SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps)
}

/// The times between two ops on a path, each once, though frames of Python cut it.
pub(super) fn gaps(segments: &[Segment]) -> Vec<(Interval, OpId)> {
    let mut found: Vec<(Interval, OpId)> = Vec::new();
    for own in segments.iter().filter(|own| is_between(own)) {
        match found.last_mut() {
            Some((last, op)) if *op == own.op && last.end == own.interval.start => {
                last.end = own.interval.end
            }
            _ => found.push((own.interval, own.op)),
        }
    }
    found
}

/// The longest pauses of the path of `study`, the longest first.
pub(super) fn pauses(study: &Study) -> Vec<Pause> {
    pauses_of(study, &study.causes().observed.segments, study.trace().span().length())
}

/// Finds the longest pauses of some of its segments, which are `span` long.
pub(super) fn pauses_of(study: &Study, segments: &[Segment], span: Nanos) -> Vec<Pause> {
    let trace = study.trace();
    let mut all = gaps(segments);
    // Where the segments end before the next op, a pause comes after the one before.
    if let Some((last, next)) = all.last_mut().filter(|(last, next)| trace.ops().start(*next) > last.end) {
        let before = segments.iter().rev().find(|own| !is_between(own) && own.interval.end <= last.start);
        *next = before.map_or(*next, |own| own.op);
    }
    all.retain(|(own, _)| {
        own.length().0.saturating_mul(LEAST_OF_SEVERAL) >= span.0 && own.length() > Nanos(0)
    });
    order::by_number(&mut all, |(own, _)| (own.length().0.wrapping_neg(), own.start.0));
    let mut long: Vec<(OpId, Vec<Interval>)> = Vec::new();
    for (own, next) in all {
        match long.iter_mut().find(|(first, like)| is_one_of(trace, (like[0], *first), (own, next))) {
            Some((_, like)) => like.push(own),
            None => long.push((next, vec![own])),
        }
    }
    // Of a length that says something alone, or half of what is shown together. The longest comes first.
    long.retain(|(_, like)| {
        let one = like[0].length().0;
        one.saturating_mul(LEAST) >= span.0 || one.saturating_mul(2 * like.len() as i64) >= span.0
    });
    if long.is_empty() {
        return Vec::new();
    }
    let work = Work::of(study);
    // While accelerators work, the program may well rest; only what a frame names is said then.
    let busy = Busy::of(work.intervals.iter().copied());
    let is_at_work =
        |own: Interval| work.is_of_accelerators && busy.within(own).0.saturating_mul(2) >= own.length().0;
    let is_named =
        |own: Interval, next: OpId| by_frames(trace, own, next).is_some_and(|(_, of)| of != PauseOf::Program);
    long.retain(|(next, like)| !is_at_work(like[0]) || is_named(like[0], *next));
    long.truncate(MOST);
    let first_load = first_load(trace);
    long.into_iter()
        .map(|(next, like)| {
            let (interval, count) = (like[0], like.len() as u64);
            let (frame, of) = by_frames(trace, interval, next).unwrap_or((None, PauseOf::Program));
            let [before, after] = work.before_and_after(interval);
            let is_little = |part: Nanos| part.0.saturating_mul(LEAST_WORK) < work.all.0;
            let loads_first = first_load.is_some_and(|start| interval.end.0 <= start);
            let of = match of {
                PauseOf::Program if frame.is_none() && loads_first && is_little(before) => {
                    PauseOf::WorkersStart
                }
                PauseOf::Program if work.is_of_accelerators && is_little(after) => PauseOf::End,
                of => of,
            };
            let comes_once = matches!(of, PauseOf::WorkersStart | PauseOf::End);
            let of = if count > 1 && comes_once { PauseOf::Program } else { of };
            let is_after = trace.ops().end(next) <= interval.start;
            let (within, compiling) = (annotation(trace, interval, next), compiling(trace, interval));
            let is_in_each_step = count > 1 && is_in_each_step(study, &like);
            Pause { interval, count, is_in_each_step, within, op: next, is_after, frame, of, compiling }
        })
        .collect()
}

/// Whether one of `pauses` begins in each step that is shown, and no more.
fn is_in_each_step(study: &Study, pauses: &[Interval]) -> bool {
    let (_, steps) = study.view().steps(study.trace());
    let begin_in =
        |span: Interval| pauses.iter().filter(|own| span.start <= own.start && own.start < span.end).count();
    steps.rows().len() == pauses.len() && steps.rows().iter().all(|step| begin_in(step.span) == 1)
}

/// Whether a pause before an op is like another one, which is no shorter: of one length, before ops of one name on one thread.
fn is_one_of(trace: &Trace, (most, first): (Interval, OpId), (own, next): (Interval, OpId)) -> bool {
    let place = |op: OpId| (trace.ops().node(op), trace.device_of(op), trace.ops().thread(op));
    place(first) == place(next)
        && i128::from(own.length().0) * 100 >= i128::from(most.length().0) * ONE_LENGTH_PERCENT
}

/// The innermost annotation on the thread of `op` that contains `time`, but for the marks of steps.
pub(super) fn annotation(trace: &Trace, time: Interval, op: OpId) -> Option<OpId> {
    let (ops, thread) = (trace.ops(), trace.ops().thread(op));
    let contains = |&own: &OpId| {
        trace.category(own) == Category::Range
            && ops.thread(own) == thread
            && ops.start(own) <= time.start
            && time.end <= ops.end(own)
    };
    let is_mark = |own: OpId| trace.marks().iter().any(|&(_, mark)| mark == own);
    let around = trace.ops_of(trace.device_of(op)).filter(contains).filter(|&own| !is_mark(own));
    around.min_by_key(|&own| (ops.interval(own).length(), std::cmp::Reverse(own)))
}

/// When the first batch is asked for, if the workers of a `DataLoader` load it.
fn first_load(trace: &Trace) -> Option<i64> {
    let is_load = |&op: &OpId| trace.op_name(op).contains("MultiProcessingDataLoaderIter");
    trace.ops().ids().filter(is_load).map(|op| trace.ops().start(op).0).min()
}

/// The frame that names the pause before `next`, and the kind of the pause; `None` if no frame of its thread covers it.
fn by_frames(trace: &Trace, pause: Interval, next: OpId) -> Option<(Option<OpId>, PauseOf)> {
    let frames = frames_of(trace, trace.device_of(next))?;
    let ops = trace.ops();
    let covers = |&frame: &OpId| {
        let within = ops.interval(frame).clamp_to(pause).length();
        ops.thread(frame) == ops.thread(next)
            && i128::from(within.0) * 100 >= i128::from(pause.length().0) * COVERS_PERCENT
    };
    // The outermost first.
    let mut around: Vec<OpId> = trace.ops_of(frames).filter(covers).collect();
    order::by_number(&mut around, |frame| {
        (ops.interval(frame).length().0.wrapping_neg(), i64::from(frame.get()))
    });
    let innermost = *around.last()?;
    let named =
        |is_it: &dyn Fn(&str) -> bool| around.iter().copied().find(|&frame| is_it(trace.op_name(frame)));
    let found = named(&is_of_profiler).map(|frame| (frame, PauseOf::Profiler));
    let found = found.or_else(|| {
        let stops = |name: &str| name.ends_with("_shutdown_workers");
        named(&stops).map(|frame| (frame, PauseOf::WorkersStop))
    });
    let found = found.or_else(|| {
        let starts = |name: &str| name.contains("dataloader.py") && name.ends_with("__init__");
        named(&starts).map(|frame| (frame, PauseOf::WorkersStart))
    });
    let (frame, of) = found.unwrap_or((innermost, PauseOf::Program));
    Some((Some(frame), of))
}

/// When work was done: by accelerators, or without them on the path.
struct Work {
    intervals: Vec<Interval>,
    all: Nanos,
    is_of_accelerators: bool,
}

impl Work {
    fn of(study: &Study) -> Self {
        let trace = study.trace();
        let devices = accelerators(trace).into_iter().flat_map(|one| one.devices);
        let ops = devices.flat_map(|device| trace.ops_of(device));
        let ops = ops.filter(|&op| !trace.nodes().is_range(trace.ops().node(op)));
        let mut intervals: Vec<Interval> = ops.map(|op| trace.ops().interval(op)).collect();
        let is_of_accelerators = !intervals.is_empty();
        if !is_of_accelerators {
            let ran = study.causes().observed.segments.iter().filter(|own| own.kind == SegmentKind::Compute);
            intervals.extend(ran.map(|own| own.interval));
        }
        order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
        let all = intervals.iter().fold(Nanos(0), |sum, own| sum + own.length());
        Self { intervals, all, is_of_accelerators }
    }

    /// How long work took that began before `pause`, and after it.
    fn before_and_after(&self, pause: Interval) -> [Nanos; 2] {
        let mut found = [Nanos(0); 2];
        for own in &self.intervals {
            found[usize::from(own.start >= pause.end)] += own.length();
        }
        found
    }
}
