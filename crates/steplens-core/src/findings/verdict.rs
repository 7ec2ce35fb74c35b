//! The verdict: what a step mostly is, in figures of the split and of the observed path, which stand under it.
//!
//! The split decides where half of the window or more is one part of it that is not idle: devices that are mostly busy, or that mostly
//! wait for one kind of thing, say what the step is. Otherwise the path decides, because idle time has its reason elsewhere. What the
//! other one of the two says stands next to it where it differs.
//!
//! The path through a host that feeds a GPU runs along the host also where the GPU is busy meanwhile. Where the path names the host or its
//! input, and the GPU's idle time is mostly for the other of the two, the idle time says what the GPU waits for.
//!
//! An op of TensorFlow's executor may last until its kernels have run: a convolution that tries algorithms waits for each. While kernels of
//! that very op run, the time of the path is the GPU's. An op that copies waits for its turn on the GPU, too: it is copying while something is
//! copied, and the GPU's while a kernel runs.
//!
//! Names say what was done: none is said of an op that only contains others, nor of those with which an executor begins and ends.

use super::batches::split_of;
use super::before_work::{BeforeWork, before_work};
use super::executor::{InExecutors, Sender, in_executors, sender};
use super::finding::KernelKind;
use super::host_op;
use super::host_places::{ALLOCATING, BEGINNING, BETWEEN, CALLS, OPERATORS, OVERHEAD, PLACES, place_of_host};
use super::kernel_input::kernel_input;
use super::largest::{largest_of, most_of};
use super::late_start::{LateStart, late_start};
use super::mostly::mostly;
use super::no_compute::NoCompute;
use super::only_first::{Once, Shown};
use super::own_range::own_range;
use super::pauses::{Pause, PauseOf, pauses_of};
use super::recording_cost::{RecordingCost, recording_cost};
use super::rules::{first_step, once, waited};
use super::spans::{InSteps, work_of_accelerators};
use super::stood_still::StoodStill;
use super::subject::Subject;
use super::time_by_kind::by_kind;
use super::unlike::{LongestStep, busiest, busy_threads, held_by_marks, longest_step, small_ops};
use super::verdict_parts::{Hosts, PathPart, SplitPart};
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::causality::observed::Segment;
use crate::causality::own_kernels::OwnKernels;
use crate::causality::spent::is_wait;
use crate::clocks::Why;
use crate::gpu::multiprocessors::multiprocessors;
use crate::gpu::overhead::Overhead;
use crate::model::device::is_of_tensors;
use crate::scheduling::host_idle::{HostPart, begins_long, host_idle, least_waiting};
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId, Study, Trace};

/// A part of the split decides from this share of the window on, in percent.
const DECIDES_PERCENT: i128 = 50;
/// The second part of the path is said from this part of the window on, as its divisor.
const LEAST_SECOND: i64 = 4;
/// What a GPU waits for is said, in place of what the path names, from this part of the window on, as its divisor.
const LEAST_WAITED: i64 = 20;

/// Which of the two decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// The split.
    Split,
    /// The observed path.
    Path,
}

impl DecidedBy {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Split => "split",
            Self::Path => "path",
        }
    }
}

/// What a GPU waits for while it is idle because of its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    /// The next batch, which its host loads.
    Input,
    /// Anything else that its host does.
    Host,
}

impl WaitsFor {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Host => "host",
        }
    }
}

/// What a step mostly is.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The length of what is shown.
    pub length: Nanos,
    /// The steps, where they are less than what is shown.
    pub in_steps: Option<InSteps>,
    /// Whether that is from the first work of accelerators to the last, because their clock is not that of their host.
    pub is_own_clock: bool,
    /// The number of accelerators.
    pub accelerators: usize,
    /// How many devices the split averages. Accelerators that only copy do not count if another one computes or communicates.
    pub devices: usize,
    /// The largest part of the split.
    pub split: (SplitPart, Nanos),
    /// How much of the split is compute.
    pub compute: Nanos,
    /// How much of it is anything but idle.
    pub busy: Nanos,
    /// The largest part of the observed path; `None` where times of tasks cannot be compared, and where nothing took time.
    pub path: Option<(PathPart, Nanos)>,
    /// The next part of it whose reason is known, if it has at least a quarter of the time.
    pub second: Option<(PathPart, Nanos)>,
    /// The device that nine tenths of the compute on the path are on.
    pub computes_on: Option<DeviceId>,
    /// Of the time of the host on the path: its operators, its calls of a driver, the time between these, the beginning of an executor, calls
    /// that wait and return when the GPU is done, what the profiler noted as overhead, and calls for memory where these are half of it.
    pub host: [Nanos; PLACES],
    /// For what the GPU that waits least for its host is mostly idle, and how long, where the path names the other one of the host and its
    /// input.
    pub waits: Option<(WaitsFor, Nanos)>,
    /// Which of the two decides.
    pub by: DecidedBy,
    /// Whether the two say the same.
    pub agrees: bool,
    /// The device that computes most, and for how long, where the mean of several is far from it.
    pub busiest: Option<(DeviceId, Nanos)>,
    /// How long anything ran within the marks of steps, where they hold nearly none of it.
    pub held_by_marks: Option<Nanos>,
    /// How many ops run on a path that is mostly time between ops, and how long they take in the mean, where they are many and small.
    pub small_ops: Option<(u64, Nanos)>,
    /// The long pauses between ops, the longest first: those that are no habit of a program, and, of a path that is mostly time between ops of
    /// which not all are small, the longest.
    pub pauses: Vec<Pause>,
    /// What counts as compute and is none, where no accelerator was recorded.
    pub no_compute: NoCompute,
    /// How long the host most likely waited for a GPU that was not recorded.
    pub waited: Nanos,
    /// Whether what counts as compute is what only a first call does, where no accelerator was recorded.
    pub only_first: bool,
    /// The longest of several steps that are shown, if it has at least half of what is shown.
    pub longest: Option<LongestStep>,
    /// An op of the op type that has more than half of what decides, and how much.
    pub mostly: Option<(OpId, Nanos)>,
    /// What the kernels calculate that take nearly all of the time, by kind, the longest first.
    pub kernels: Vec<(KernelKind, Nanos)>,
    /// Where none has half of the compute that decides: an op of each op type that has much of it, and how much, the largest first.
    pub largest: Vec<(OpId, Nanos)>,
    /// The call of the host that has half of the waiting on the path for what was not recorded, or more, where accelerators were recorded.
    pub waits_in: Option<OpId>,
    /// Who sends the tensors that half of the waiting on the path is for, where nothing else was recorded of it.
    pub sender: Option<Sender>,
    /// What of the host’s time between ops its executors were at work.
    pub in_executors: Option<InExecutors>,
    /// One op of a host of an accelerator that computes there, and has a large part of the path.
    pub on_host: Option<host_op::OnHost>,
    /// A rank that begins after others, where the path waits for it.
    pub late_start: Option<LateStart>,
    /// How long a GPU did nothing before its first work, where it worked for nearly all of the time from then on.
    pub before_work: Option<BeforeWork>,
    /// What happens once and has much of what is shown.
    pub once: Option<Once>,
    /// The part of the program with most of the time, where it marks its parts, and no accelerator was recorded.
    pub range: Option<(OpId, Nanos)>,
    /// What it costs to record each operator.
    pub recording: Option<RecordingCost>,
    /// How long threads of programs stood still.
    pub still: Option<StoodStill>,
    /// How many multiprocessors of a GPU there are, where nothing else was recorded.
    pub multiprocessors: Option<usize>,
    /// How long kernels wait for their input, where they say it and it is much.
    pub kernel_input: Option<Nanos>,
    /// Of the threads of a pool how many ran anything, and how many of them in the mean, in thousandths.
    pub pool: Option<(u64, u64)>,
}

impl Verdict {
    /// The verdict on `subject`; `None` if nothing took any time. Its ops are those of [`Subject::study`].
    pub fn of(subject: &Subject<'_>) -> Option<Self> {
        let (study, in_steps) = (subject.study(), subject.in_steps());
        let trace = study.trace();
        let doubt = study.clock_doubt().map(|doubt| doubt.why);
        let own_clock =
            doubt.is_some_and(Why::is_of_accelerator).then(|| work_of_accelerators(trace)).flatten();
        // By the clock of an accelerator nothing that its host does has a place.
        let shown = Shown::of(study);
        let once = once(&shown).filter(|_| own_clock.is_none());
        let span = own_clock.unwrap_or(trace.span());
        let (split, length) = match in_steps {
            Some(own) => (split_of(subject.shown(), own.span), own.span.length()),
            None => (split_of(study, span), span.length()),
        };
        let parts = || SplitPart::all().map(|part| (part, part.of(&split)));
        let largest = first_largest(parts())?;
        if length <= Nanos(0) {
            return None;
        }
        let compares = doubt.is_none();
        let hosts = Hosts::of(trace);
        let segments = if compares { study.causes().observed.segments.as_slice() } else { &[] };
        let mut sums = [Nanos(0); PathPart::ALL.len()];
        let mut host = [Nanos(0); PLACES];
        let overhead = Overhead::of(trace);
        let mut blocking = OwnKernels::of(trace, study.kernels());
        let mut computed = vec![Nanos(0); trace.devices().len()];
        for own in segments {
            let part = hosts.part(trace, own);
            if part == PathPart::Copy && blocking.is_dispatched(own.op) {
                let [copied, computed] = blocking.copies_and_kernels_within(own.interval);
                let rest = own.interval.length() - copied - computed;
                sums[PathPart::Copy as usize] += copied;
                sums[PathPart::Compute as usize] += computed;
                sums[PathPart::Host as usize] += rest;
                host[OPERATORS] += rest;
                continue;
            }
            let ran = if part == PathPart::Host { blocking.kernels_within(own) } else { Nanos(0) };
            let length = own.interval.length() - ran;
            sums[PathPart::Compute as usize] += ran;
            sums[part as usize] += length;
            if part == PathPart::Compute {
                computed[trace.device_of(own.op).index()] += length;
            }
            if part == PathPart::Host {
                let noted = overhead.within(trace, trace.device_of(own.op), own.interval).min(length);
                host[OVERHEAD] += noted;
                host[place_of_host(trace, own)] += length - noted;
            }
        }
        // A call begins before its first op, and ends after its last one.
        let around = length - span.length();
        if around > Nanos(0) && compares {
            sums[if hosts.accelerators > 0 { PathPart::Host } else { PathPart::Between } as usize] += around;
            host[BETWEEN] += around;
        }
        // What a first step asks of the driver begins it.
        if once.is_some() || host[ALLOCATING].0.saturating_mul(2) < sums[PathPart::Host as usize].0 {
            host[CALLS] += host[ALLOCATING];
            host[ALLOCATING] = Nanos(0);
        }
        // A first step that leads has a sentence of its own: its time is not the host's here.
        let led = once.filter(|own| own.leads).map_or(Nanos(0), |own| own.time);
        if !begins_long(host[BEGINNING], sums[PathPart::Host as usize] - led) {
            host[BETWEEN] += host[BEGINNING];
            host[BEGINNING] = Nanos(0);
        }
        // A reason that is not known for longer than the devices are idle says nothing of them: they work meanwhile.
        // So does what was launched before the recording.
        let before_work = before_work(study);
        let is_told = |&(part, time): &(PathPart, Nanos)| {
            part != PathPart::Unknown || time <= split.idle && before_work.is_none()
        };
        let path = first_largest(PathPart::ALL.into_iter().zip(sums)).filter(is_told);
        // Another part that is as much as a quarter of the time is no detail.
        let second = path.and_then(|(first, _)| {
            let others = PathPart::ALL.into_iter().zip(sums).filter(|&(part, _)| part != first);
            let much = first_largest(others.filter(|&(part, _)| part != PathPart::Unknown));
            much.filter(|(_, time)| time.0.saturating_mul(LEAST_SECOND) >= length.0)
        });
        let computed = trace.devices().ids().zip(computed).max_by_key(|&(_, time)| time);
        let is_nearly =
            |time: Nanos, all: Nanos| i128::from(time.0) * 10 >= i128::from(all.0) * 9 && time > Nanos(0);
        let is_nearly_all = |time: Nanos| is_nearly(time, sums[PathPart::Compute as usize]);
        let is_most = |time: Nanos| i128::from(time.0) * 100 >= i128::from(length.0) * DECIDES_PERCENT;
        let working = first_largest(parts().filter(|&(part, _)| part != SplitPart::Idle));
        let (by, split_part) = match working {
            Some(working) if is_most(working.1) => (DecidedBy::Split, working),
            Some(working) if path.is_none() && before_work.is_some() => (DecidedBy::Split, working),
            _ if path.is_none() => (DecidedBy::Split, largest),
            _ => (DecidedBy::Path, largest),
        };
        let agrees = path.is_some_and(|(part, _)| part.agrees(split_part.0));
        let decided = match (by, path) {
            (DecidedBy::Path, Some((part, _))) => Some(part),
            (DecidedBy::Split, Some((part, _))) if agrees => Some(part),
            _ => None,
        };
        let mostly = decided.and_then(|decided| {
            let own = segments.iter().filter(|own| hosts.part(trace, own) == decided);
            let on_path = most_of(trace, own, sums[decided as usize]);
            match (by, split_part) {
                (DecidedBy::Path, _) => on_path,
                (DecidedBy::Split, (SplitPart::Of(part), time)) => {
                    mostly(study, span, part, time, on_path.map(|own| own.0))
                }
                (DecidedBy::Split, (SplitPart::Idle, _)) => None,
            }
        });
        // All wait for what only the coordinator does.
        let is_waiting = match by {
            DecidedBy::Split => split_part.0 == SplitPart::Of(Category::Waiting),
            DecidedBy::Path => decided == Some(PathPart::Waiting),
        };
        let decided_time = match by {
            DecidedBy::Split => split_part.1,
            DecidedBy::Path => decided.map_or(Nanos(0), |part| sums[part as usize]),
        };
        let sender = sender(study, segments, sums[PathPart::Waiting as usize]);
        let mostly = mostly.filter(|_| !is_waiting || sender.is_none());
        let mostly = if is_waiting { beginning_of(study, decided_time).or(mostly) } else { mostly };
        let largest = match (mostly, decided) {
            (None, Some(part @ PathPart::Compute)) => {
                let own = segments.iter().filter(|own| hosts.part(trace, own) == part);
                largest_of(trace, own, sums[part as usize])
            }
            _ => Vec::new(),
        };
        let waits = path.and_then(|(part, _)| waits_for(study, part));
        let is_between = path.is_some_and(|(part, _)| part == PathPart::Between);
        let small_ops = if is_between { small_ops(segments) } else { None };
        let mut pauses = if compares { pauses_of(study, segments, length) } else { Vec::new() };
        let names_longest = is_between && small_ops.is_none();
        let longest = pauses.first().copied().filter(|_| names_longest);
        // What comes again and again, and has half of the time, is what the step is.
        let is_much = |own: &Pause| {
            let time = i128::from(own.interval.length().0) * i128::from(own.count);
            own.count > 1 && is_most(Nanos(time as i64))
        };
        pauses.retain(|own| own.of != PauseOf::Program || longest == Some(*own) || is_much(own));
        // Of a function and of a graph's first run it is pauses.
        let first = first_step(&shown);
        let is_work = !first.is_function && !first.is_capture && first.pause.is_none();
        let first_work = if is_work { first.time } else { Nanos(0) };
        Some(Self {
            length,
            in_steps,
            is_own_clock: own_clock.is_some(),
            accelerators: hosts.accelerators,
            devices: study.counted().count(),
            split: split_part,
            compute: split.compute,
            busy: length - split.idle,
            path,
            second,
            computes_on: computed.filter(|&(_, time)| is_nearly_all(time)).map(|(device, _)| device),
            host,
            waits,
            busiest: busiest(study, span, split.compute),
            held_by_marks: held_by_marks(study),
            small_ops,
            pauses,
            no_compute: NoCompute::of(study, segments, hosts.accelerators > 0),
            waited: if in_steps.is_none() { waited(&shown, None) } else { Nanos(0) },
            only_first: hosts.accelerators == 0
                && !once.is_some_and(|own| own.leads)
                && is_nearly(first_work, split.compute),
            longest: longest_step(study).filter(|_| in_steps.is_none()),
            by,
            agrees,
            mostly,
            kernels: match split_part {
                (SplitPart::Of(Category::Compute), time)
                    if hosts.accelerators > 0 && are_kernels(time, length - split.idle, length) =>
                {
                    by_kind(study, span)
                }
                _ => Vec::new(),
            },
            largest,
            sender,
            in_executors: in_executors(trace, segments, host[BETWEEN], length),
            waits_in: waits_in(&hosts, trace, segments, sums[PathPart::Waiting as usize]),
            on_host: host_op::longest(study, segments),
            late_start: late_start(study, segments),
            before_work,
            once,
            range: own_range(trace, span).filter(|_| hosts.accelerators == 0),
            recording: recording_cost(trace),
            still: shown.still(),
            multiprocessors: multiprocessors(trace),
            kernel_input: kernel_input(trace, span, study.counted().count()),
            pool: busy_threads(study, hosts.accelerators > 0),
        })
    }
}

/// Whether kernels are nearly all that accelerators do. Next to them a TPU copies, and communicates with others, all the time.
fn are_kernels(computes: Nanos, works: Nanos, length: Nanos) -> bool {
    let has = |time: Nanos, tenths: i128| i128::from(time.0) * 10 >= i128::from(length.0) * tenths;
    has(works, 9) && has(computes, 8)
}

/// The call that has half of the waiting on the path, `all`, for what was not recorded.
fn waits_in(hosts: &Hosts, trace: &Trace, segments: &[Segment], all: Nanos) -> Option<OpId> {
    let is_it = |own: &&Segment| hosts.part(trace, own) == PathPart::Waiting && is_wait(trace, own.op);
    let (op, _) = most_of(trace, segments.iter().filter(is_it), all).filter(|_| hosts.accelerators > 0)?;
    Some(op)
}

/// For what a GPU is idle, and how long, if that is not what `part` of the path names.
fn waits_for(study: &Study, part: PathPart) -> Option<(WaitsFor, Nanos)> {
    let named = match part {
        PathPart::Host => WaitsFor::Host,
        PathPart::Input => WaitsFor::Input,
        _ => return None,
    };
    let trace = study.trace();
    // Without any, both readings name the host.
    if trace.nodes().ids().all(|node| trace.nodes().category(node) != Category::Input) {
        return None;
    }
    let hosts = host_idle(study.edges(), study.kernels());
    let own = least_waiting(&hosts)?;
    let (input, other) = (own.part(HostPart::Input), own.without_input());
    let most = if input > other { (WaitsFor::Input, input) } else { (WaitsFor::Host, other) };
    let is_much = |time: Nanos| time.0.saturating_mul(LEAST_WAITED) >= trace.span().length().0.max(1);
    Some(most).filter(|&(found, time)| found != named && is_much(time))
}

/// The one with the most time, of equal ones the first; `None` if none has any.
fn first_largest<T: Copy>(all: impl Iterator<Item = (T, Nanos)>) -> Option<(T, Nanos)> {
    let mut found: Option<(T, Nanos)> = None;
    for own in all {
        if own.1 > found.map_or(Nanos(0), |(_, most)| most) {
            found = Some(own);
        }
    }
    found
}

/// What the coordinator of Horovod does alone: its beginning.
const BEGINS: &str = "INIT_";

/// The longest phase in which Horovod began NCCL or another library, and how long that took, if it is half of `all` or more: its one thread
/// negotiates nothing meanwhile, so that the tensors that wait then wait for it.
fn beginning_of(study: &Study, all: Nanos) -> Option<(OpId, Nanos)> {
    let trace = study.trace();
    let is_row = |op: &OpId| is_of_tensors(trace.text(trace.devices().get(trace.device_of(*op)).name));
    let begins = |op: &OpId| trace.op_type(*op).starts_with(BEGINS) && is_row(op);
    let ops: Vec<OpId> = trace.ops().ids().filter(begins).collect();
    let mut intervals: Vec<Interval> = ops.iter().map(|&op| trace.ops().interval(op)).collect();
    order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
    let time = Busy::of(intervals.into_iter()).within(trace.span());
    let longest =
        ops.into_iter().max_by_key(|&op| (trace.ops().interval(op).length(), std::cmp::Reverse(op)));
    longest.map(|op| (op, time)).filter(|_| time.0.saturating_mul(2) >= all.0)
}
