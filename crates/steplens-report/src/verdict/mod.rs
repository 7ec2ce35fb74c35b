//! The verdict as a sentence, and the figures that it is made of.

mod compiling;
mod executor;
mod holes;
mod once;
mod path;
mod pauses;
mod silent_gpu;
mod spans;
mod split;
mod units;
mod unlike_names;
mod waits;

use crate::doctor;
use crate::figures::{count, duration, share};
use crate::names::{cut_to, kernel_label};
use crate::recording::is_recording;
pub(crate) use once::function_of;
use once::once_clause;
use path::{clause_of_path, is_between, on_host, waits_clause, with_input};
use pauses::pause_sentence;
use serde::Serialize;
pub(crate) use spans::{Outside, first_of_steps};
use spans::{
    before_steps, function_unrecorded, outside_steps, profiler_length, starting_clause, steps_words,
    waits_in_function, within_steps,
};
use split::{
    clause_of_split, compute_clause, exposed_clause, exposed_copies, files_clause, kinds_computed,
    largest_types, only_loads,
};
use steplens_core::causality::ranges_alone::are_ranges_alone;
use steplens_core::causality::spent::waits_for_files_alone;
use steplens_core::findings::framework::{Framework, only_broadcasts};
use steplens_core::findings::{DecidedBy, InSteps, LongestStep, PathPart, SplitPart, Subject, Verdict};
use steplens_core::gpu::overhead::counted_ranges;
use steplens_core::gpu::unrecorded::{is_gpu_unrecorded, is_tpu_unrecorded};
use steplens_core::model::file::FileReport;
use steplens_core::steps::rule::Apart;
use steplens_core::{Nanos, OpId, Study};
use steplens_messages::{asides, say, sentences};
use units::late_start;
pub(crate) use units::stood_still;
pub(crate) use unlike_names::cut_unlike;

/// The figures of the verdict, which stand in the split and the path, too.
#[derive(Clone, Debug, Serialize)]
pub struct VerdictFigures {
    /// What decides: `split`, where at least half of the time is one part of it that is not idle, or `path`.
    pub decided_by: &'static str,
    /// The length of what is shown; where the clock of an accelerator is not that of its host, from the accelerator’s first work to its last.
    pub length_ns: i64,
    /// The largest part of the split: a category, or `idle`; where the split decides, the largest that is not idle.
    pub split_part: &'static str,
    /// How long it is.
    pub split_ns: i64,
    /// The largest part of the observed path: `compute`, `copy`, `network`, `waiting`, `behind`, `launching`, `allocation`, `input`,
    /// `starting`, `host`, `between` or `unknown`. Null where times of tasks cannot be compared.
    pub path_part: Option<&'static str>,
    /// How long it is.
    pub path_ns: Option<i64>,
    /// What the GPU that waits least for its host is mostly idle for, `input` or `host`, where the path names the other one of the two; else
    /// null.
    pub waits_for: Option<&'static str>,
    /// How long it is idle for that.
    pub waits_ns: Option<i64>,
    /// Whether the two say the same.
    pub agrees: bool,
    /// Where the part of the recording begins that the verdict is about; null if it is about all of it.
    pub from_ns: Option<i64>,
    /// Where it ends.
    pub to_ns: Option<i64>,
}

/// What a step mostly is.
#[derive(Clone, Debug)]
pub struct Said {
    /// In one sentence, and sentences about it: what the host did, pauses, the longest step.
    pub sentence: String,
    /// The first of them, which says what it mostly is.
    pub main: String,
    /// As figures; `None` if nothing took any time.
    pub figures: Option<VerdictFigures>,
    /// Whether the ops of a GPU are missing.
    pub is_unrecorded: bool,
    /// Whether they are, and nothing else in the file says what the time went to; or all of it is a log of compiling.
    pub(crate) is_silent: bool,
    /// What it is about.
    pub shown: Shown,
    /// The steps, where the verdict is about less than what is shown.
    pub(crate) in_steps: Option<InSteps>,
    /// How much of the time is in no step.
    pub(crate) outside: Outside,
}

impl Said {
    /// What it is about, in words.
    pub(crate) fn subject_words(&self) -> &'static str {
        let is_one = |own: InSteps| match own.calls {
            Some((_, calls)) => calls == 1,
            None => self.shown == Shown::Step,
        };
        match (self.in_steps.map(is_one), self.shown) {
            (Some(true), _) | (None, Shown::Step) => say!("shown-step"),
            (Some(false), _) => say!("shown-only-steps"),
            (None, Shown::Recording | Shown::Steps(_)) => say!("shown-recording"),
        }
    }
}

/// What a verdict and its findings are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// One step.
    Step,
    /// A recording of which nothing says how many steps it is, or that is more than its only step.
    Recording,
    /// A recording of several steps.
    Steps(usize),
}

impl Shown {
    fn of(study: &Study, is_recording: bool) -> Self {
        let is_whole = study.view().step.is_none();
        match study.steps() {
            _ if is_recording => Self::Recording,
            // What ran before the only step that was marked is no part of it.
            1 if is_whole && study.has_several() => Self::Recording,
            steps if is_whole && steps > 1 => Self::Steps(steps),
            _ => Self::Step,
        }
    }
}

/// The verdict on what `study` shows of `files`.
pub fn of_files(study: &Study, files: &[FileReport]) -> Said {
    of_subject(&Subject::of(study), files)
}

/// That nothing shows that a GPU was used.
pub(crate) const GPU_UNUSED: &str = "gpu-unused";

/// That nothing of a GPU was recorded.
pub(crate) const SILENT_GPU: &str = "gpu-without-events";

/// Whether one of `files` has this problem.
pub(crate) fn has_problem(files: &[FileReport], code: &str) -> bool {
    files.iter().flat_map(|file| &file.problems).any(|own| own.code == code)
}

/// The verdict on `subject`, of `files`.
pub(crate) fn of_subject(subject: &Subject<'_>, files: &[FileReport]) -> Said {
    let has = |code: &str| has_problem(files, code);
    let said = OfFiles {
        names_silent_gpu: has(SILENT_GPU),
        names_unused_gpu: has(GPU_UNUSED),
        is_cut: has("truncated"),
        why_silent: silent_gpu::reason(files),
    };
    of_named(subject, is_recording(subject.shown(), files), said)
}

/// What only the problems of the files say.
#[derive(Default)]
struct OfFiles {
    /// Whether a file names a GPU and has no event of it.
    names_silent_gpu: bool,
    /// Whether nothing shows that such a GPU was used.
    names_unused_gpu: bool,
    /// Whether the end of a file is missing.
    is_cut: bool,
    /// Why a profiler recorded nothing of a GPU.
    why_silent: Option<String>,
}

/// The verdict on what `study` shows. `is_recording` says that nothing tells how many steps it is.
pub fn of(study: &Study, is_recording: bool) -> Said {
    of_named(&Subject::of(study), is_recording, OfFiles::default())
}

/// What every clause of the verdict reads.
struct Inputs<'a> {
    study: &'a Study,
    own: &'a Verdict,
    /// Whether the ops of a GPU are missing: what the host ran, may only have started what a GPU did.
    is_unrecorded: bool,
    /// Whether nothing but ranges was recorded.
    ranges_alone: bool,
    /// Whether all that waits are calls for files.
    files_alone: bool,
}

fn of_named(subject: &Subject<'_>, is_recording: bool, of_files: OfFiles) -> Said {
    let (study, judged) = (subject.shown(), subject.study());
    let OfFiles { names_silent_gpu, names_unused_gpu, is_cut, why_silent } = of_files;
    let shown = Shown::of(study, is_recording);
    let before = before_steps(study);
    let Some(own) = Verdict::of(subject) else {
        let (main, outside) = (say!("verdict-nothing").to_owned(), Outside::default());
        return Said {
            sentence: main.clone(),
            main,
            figures: None,
            is_unrecorded: false,
            is_silent: false,
            shown,
            in_steps: None,
            outside,
        };
    };
    let outside = Outside::of(judged);
    let is_tpu = is_tpu_unrecorded(study.trace());
    let is_unrecorded =
        own.accelerators == 0 && (names_silent_gpu || is_tpu || is_gpu_unrecorded(study.trace()));
    let shown = if own.held_by_marks.is_some() { Shown::Recording } else { shown };
    let inputs = &Inputs {
        study: judged,
        own: &own,
        is_unrecorded,
        ranges_alone: !is_unrecorded && are_ranges_alone(judged.trace()),
        files_alone: waits_for_files_alone(judged.trace()),
    };
    let figures = VerdictFigures {
        decided_by: own.by.word(),
        length_ns: own.length.0,
        split_part: own.split.0.word(),
        split_ns: own.split.1.0,
        path_part: own.path.map(|(part, _)| part.word()),
        path_ns: own.path.map(|(_, time)| time.0),
        waits_for: own.waits.map(|(what, _)| what.word()),
        waits_ns: own.waits.map(|(_, time)| time.0),
        agrees: own.agrees,
        from_ns: own.in_steps.map(|steps| steps.span.start.0),
        to_ns: own.in_steps.map(|steps| steps.span.end.0),
    };
    if own.accelerators == 0 && own.devices == 0 {
        let ran =
            own.in_steps.and_then(|steps| function_unrecorded(judged, &steps_words(study, shown, steps)));
        let (main, advice) = match ran {
            Some(main) => (main, say!("verdict-function-unrecorded-advice")),
            None => {
                let what = say!("verdict-recording", length = duration(own.length.0));
                (say!("verdict-no-ops", what), say!("verdict-no-ops-advice"))
            }
        };
        let sentence = sentences([main.as_str(), advice]);
        return Said {
            sentence,
            main,
            figures: Some(figures),
            is_unrecorded,
            is_silent: false,
            shown,
            in_steps: own.in_steps,
            outside,
        };
    }
    let length = duration(own.length.0);
    let is_far = study.view().step.is_none() && study.apart() == Some(Apart::Far);
    let far = is_far.then(|| {
        let (count, within) = (count(study.steps() as u64), duration(within_steps(study)));
        say!("verdict-steps-far", count, within, length = length.clone(), step = first_of_steps(study))
    });
    let what = match shown {
        _ if own.is_own_clock => say!("verdict-own-clock", length),
        _ if let Some(steps) = own.in_steps => steps_words(study, shown, steps),
        Shown::Step if is_cut => say!("verdict-step-cut", length),
        Shown::Recording if is_cut => say!("verdict-recording-cut", length),
        Shown::Steps(steps) if is_cut => say!("verdict-steps-cut", count = count(steps as u64), length),
        Shown::Recording => say!("verdict-recording", length),
        Shown::Steps(steps) => say!("verdict-steps", count = count(steps as u64), length),
        Shown::Step => say!("verdict-step", length),
    };
    if let Some((main, more)) = compiling::log_of(judged, &what) {
        let sentence = sentences([main.clone()].into_iter().chain(more));
        let (figures, in_steps) = (Some(figures), own.in_steps);
        return Said { sentence, main, figures, is_unrecorded, is_silent: true, shown, in_steps, outside };
    }
    let split = clause_of_split(inputs);
    let path = own.path.map(|(part, time)| match own.waits {
        Some((what, time)) => waits_clause(inputs, what, time),
        None => clause_of_path(inputs, part, time),
    });
    let is_of_host = own.path.is_some_and(|(part, _)| part == PathPart::Host);
    let both = match (own.by, path, own.agrees) {
        (DecidedBy::Split, Some(_), true) => with_input(inputs, split),
        (DecidedBy::Split, None, _) => split,
        // What is left of the time is too little for the host to matter.
        (DecidedBy::Split, ..)
            if is_of_host
                && own.waits.is_none()
                && own.busy.0.saturating_mul(4) >= own.length.0.saturating_mul(3) =>
        {
            split
        }
        // More than all of the time: the path runs along the host also while accelerators are busy.
        (DecidedBy::Split, Some(path), false)
            if own.path.is_some_and(|(part, time)| {
                part == PathPart::Host && own.waits.is_none() && own.split.1 + time > own.length
            }) =>
        {
            asides([split, say!("verdict-path-meanwhile", clause = path)])
        }
        (DecidedBy::Split, Some(path), false) => asides([split, path]),
        // Between phases of tensors Horovod knows nothing.
        (DecidedBy::Path, Some(_), false) if is_between(&own) && is_horovod(study) => split,
        // Idle time is what the path explains: how much the devices worked says more.
        (DecidedBy::Path, Some(path), false) if own.split.0 == SplitPart::Idle && own.compute > Nanos(0) => {
            asides([path, compute_clause(inputs)])
        }
        // That nothing ran meanwhile is said by the path.
        (DecidedBy::Path, Some(path), false)
            if own.split.0 == SplitPart::Idle
                && let Some(files) = files_clause(inputs) =>
        {
            asides([path, files])
        }
        (DecidedBy::Path, Some(path), false) => asides([path, split]),
        (DecidedBy::Path, Some(path), true) => path,
        (DecidedBy::Path, None, _) => split,
    };
    let both = match only_broadcasts(study.trace()) {
        Some(tensors) => asides([say!("verdict-only-broadcasts", count = tensors), both]),
        None => both,
    };
    let both = match only_loads(inputs) {
        Some(share) => say!("verdict-only-input", share),
        None => both,
    };
    let both = match says_beginning(&own) {
        true => {
            let share = share(own.no_compute.beginning.0, own.length.0);
            asides([both, say!("verdict-beginning", share)])
        }
        false => both,
    };
    let both = match own.waited.0.saturating_mul(2) >= own.length.0 && own.waited > Nanos(0) {
        true => asides([both, say!("verdict-waits-unrecorded", share = share(own.waited.0, own.length.0))]),
        false => both,
    };
    let wrong = doctor::of_figures(study).into_iter().find(|own| WRONG_TIMES.contains(&own.code));
    let is_of_path = wrong.is_none() && far.is_none();
    let once = once_clause(inputs).filter(|_| is_of_path);
    let leads = own.once.is_some_and(|own| own.leads);
    let of_once = once.as_ref().map(|once| match leads {
        true => say!("verdict-once-whole", said = both.clone()),
        false => say!("verdict-once-with", said = once.clone()),
    });
    // The split says it already.
    let of_once = of_once.filter(|_| leads || !own.only_first);
    let once = once.filter(|_| leads);
    let is_silent = names_silent_gpu && is_of_path && once.is_none() && silent_gpu::says_nothing(&own);
    let main = match wrong {
        Some(wrong) => say!("verdict-wrong-times", what, title = wrong.title),
        None if is_silent => say!("verdict-gpu-silent", what),
        None => far.unwrap_or_else(|| say!("verdict-sentence", what, said = once.unwrap_or(both))),
    };
    let host = on_host(inputs).filter(|_| is_of_path);
    let marks = own.held_by_marks.map(|held| {
        say!("verdict-empty-marks", count = count(study.steps() as u64), held = duration(held.0))
    });
    let small =
        own.small_ops.filter(|_| own.by == DecidedBy::Path || own.accelerators == 0).map(|(number, mean)| {
            let ops = say!("verdict-small-ops", count = count(number), mean = duration(mean.0));
            let advice = match Framework::of_trace(study.trace()) {
                Framework::Jax => Some(say!("advice-launch-bound-jax").to_owned()),
                _ => None,
            };
            sentences([Some(ops), advice].into_iter().flatten())
        });
    let pool = own.pool.map(|(threads, mean)| {
        say!("verdict-pool", mean = format!("{:.1}", mean as f64 / 1_000.0), threads = count(threads))
    });
    let pauses = own.pauses.iter().map(|pause| pause_sentence(judged, &own, pause));
    let pauses = sentences(pauses);
    let pauses = Some(pauses).filter(|own| !own.is_empty());
    let longest = own.longest.and_then(|LongestStep { row, length, next }| {
        let (share, next) = (share(length.0, own.length.0), duration(next.0));
        Some(say!("verdict-longest-step", step = study.step_called(row)?.to_string(), share, next))
    });
    let profiler =
        profiler_length(study).filter(|profiler| own.length.0.saturating_mul(LEAST_LONGER) <= profiler.0);
    let profiler = profiler.map(|profiler| {
        say!("verdict-profiler-longer", profiler = duration(profiler.0), length = duration(own.length.0))
    });
    let counted = match counted_ranges(study.trace()).len() {
        0 => None,
        ranges => Some(say!("verdict-counters", count = count(ranges as u64))),
    };
    let unrecorded = match is_unrecorded {
        true => {
            let missing =
                if is_tpu { say!("verdict-tpu-unrecorded") } else { say!("verdict-gpu-unrecorded") };
            let missing = (!is_silent).then(|| missing.to_owned());
            let dispatched = silent_gpu::dispatched(inputs).filter(|_| is_silent);
            let said = [missing, why_silent, dispatched, waits_in_function(judged, &own)];
            Some(sentences(said.into_iter().flatten()))
        }
        false => names_unused_gpu.then(|| match Framework::of_trace(study.trace()) {
            Framework::PyTorch => say!("verdict-gpu-unused-pytorch").to_owned(),
            _ => say!("verdict-gpu-unused").to_owned(),
        }),
    };
    let done = own.in_steps.map(|steps| outside_steps(study, steps));
    // Steps of Keras begin with their call.
    let before =
        before.filter(|time| own.in_steps.is_none() && time.0.saturating_mul(LEAST_BEFORE) >= own.length.0);
    let before = before.map(|time| match own.accelerators == 0 && !is_unrecorded {
        true => say!("verdict-before-steps-host", time = duration(time.0)),
        false => say!("verdict-before-steps", time = duration(time.0)),
    });
    let starting = starting_clause(inputs).filter(|_| is_of_path);
    let cut = own.before_work.map(|own| match own.is_hidden {
        false => say!("verdict-before-work", time = duration(own.time.0)),
        true => say!("verdict-before-work-hidden", time = duration(own.time.0)),
    });
    let (exposed, largest) = (exposed_clause(inputs).filter(|_| is_of_path), largest_types(inputs));
    let kinds = kinds_computed(inputs).filter(|_| is_of_path && !leads);
    let late = late_start(inputs).filter(|_| is_of_path);
    let executors = executor::in_executors(inputs).filter(|_| is_of_path && host.is_some());
    let copies = exposed_copies(inputs).filter(|_| is_of_path);
    let still = own.still.map(stood_still);
    let holes = holes::holes(inputs).filter(|_| is_of_path);
    let range = own.range.map(|(op, time)| {
        say!("verdict-range", share = share(time.0, own.length.0), name = short(study.title(op)))
    });
    let recording =
        own.recording.filter(|cost| cost.time().0.saturating_mul(LEAST_RECORDING) >= own.length.0);
    let recording = recording.map(|cost| {
        let time = cost.time().min(own.length);
        say!("verdict-recording-cost", time = duration(time.0), share = share(time.0, own.length.0))
    });
    let largest = largest.filter(|_| recording.is_none());
    let kernel_input = own.kernel_input.filter(|_| is_of_path && !leads).map(|time| {
        say!("verdict-kernel-input", time = duration(time.0), share = share(time.0, own.length.0))
    });
    let multiprocessors =
        own.multiprocessors.map(|all| say!("verdict-multiprocessors", count = count(all as u64)));
    let about = [
        of_once,
        multiprocessors,
        kinds,
        kernel_input,
        starting,
        holes,
        range,
        recording,
        done,
        counted,
        late,
        host,
        still,
        executors,
        exposed,
        copies,
        largest,
        cut,
        before,
    ];
    let (begins, ends) = if names_silent_gpu { (unrecorded, None) } else { (None, unrecorded) };
    let rest = about.into_iter().chain([marks, small, pool, pauses, longest, profiler, ends]);
    let more = [begins].into_iter().chain(rest);
    let sentence = sentences([main.clone()].into_iter().chain(more.flatten()));
    let (figures, in_steps) = (Some(figures), own.in_steps);
    Said { sentence, main, figures, is_unrecorded, is_silent, shown, in_steps, outside }
}

/// That a profiler ran longer than what it recorded is said from this many times on.
const LEAST_LONGER: i64 = 4;

/// The cost of the recording is said from this part of the time on, as its divisor.
const LEAST_RECORDING: i64 = 4;

/// That work was launched before the recording is said from this part of it on, as its divisor.
const LEAST_BEFORE: i64 = 10;

/// The beginning of an executor is said from this part of the time on, as its divisor.
const LEAST_BEGINNING: i64 = 10;

/// Whether so much of the time is the beginning of an executor that it is said, and no compute.
fn says_beginning(own: &Verdict) -> bool {
    own.no_compute.beginning.0.saturating_mul(LEAST_BEGINNING) >= own.length.0
}

fn is_horovod(study: &Study) -> bool {
    Framework::of_trace(study.trace()) == Framework::Horovod
}

fn with_name(study: &Study, clause: String, op: Option<OpId>) -> String {
    let trace = study.trace();
    let name = op.map(|op| {
        let op_type = trace.op_type(op);
        let name = trace.op_name(op);
        // A type ends where a bracket begins: `enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__`.
        let is_cut = name.strip_prefix(op_type).is_some_and(|rest| rest.starts_with("(DataLoader"));
        if is_cut { name.split('#').next().unwrap_or_default() } else { op_type }
    });
    match name.filter(|name| !name.is_empty()) {
        Some(name) => say!("verdict-mostly", clause, name = short(name)),
        None => clause,
    }
}

/// What the doctor finds where times are so wrong that nothing can be said of the step.
const WRONG_TIMES: [&str; 2] = ["far-ops", "time-bases"];

/// Names of kernels may be hundreds of letters long.
const LONGEST_NAME: usize = 48;

fn short(name: &str) -> String {
    cut(&kernel_label(name))
}

fn cut(name: &str) -> String {
    cut_to(name, LONGEST_NAME)
}
