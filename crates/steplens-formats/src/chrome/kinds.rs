//! The kind of an event: from its category if its writer has one, from the name of its thread on a device, otherwise from its name.
//!
//! PyTorch's categories are those of Kineto's `ActivityType.cpp`, including old names; the names of threads on devices are those of
//! TensorFlow's and JAX's profiler.

use super::event::{Event, Field};
use crate::lines::LineKind;
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::category::FILES;
use steplens_core::{Category, Hint, Says};
use steplens_messages::say;

/// Where an event is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// On a thread of its process, where events contain one another.
    Host,
    /// On the device of its process, a GPU or the like.
    Accelerator,
    /// In its process, whatever that is.
    Process,
    /// Next to its process, with the other Python frames.
    Frames,
}

/// The rows of a process of Ascend's profiler (`trace_view.json` of `torch_npu`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NpuRows {
    /// What streams of the NPU ran.
    Hardware,
    /// The tasks of collectives: on the NPU, too.
    Communication,
    /// The same, where collectives have rows of their own: parts of these.
    Plane,
    /// What was computed from the others: when the NPU was free.
    Derived,
    /// The calls of CANN that a program made.
    Calls,
    /// When steps, and parts of them, began and ended on the NPU.
    Steps,
}

impl NpuRows {
    /// The rows of the process that its profiler calls `name`.
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "Ascend Hardware" => Self::Hardware,
            "HCCL" | "Communication" => Self::Communication,
            "Overlap Analysis" => Self::Derived,
            _ => return None,
        })
    }

    fn word(self) -> &'static str {
        match self {
            Self::Hardware => "Ascend Hardware",
            Self::Communication => "HCCL",
            Self::Plane => "HCCL/Plane",
            Self::Derived => "Overlap Analysis",
            Self::Calls => "CANN",
            Self::Steps => "Ascend Hardware/Step Trace",
        }
    }
}

/// Whether `name` has this word, in any case, between underscores or other characters that are no letters.
fn has_word(name: &[u8], word: &str) -> bool {
    let mut words = name.split(|byte| !byte.is_ascii_alphabetic());
    words.any(|own| own.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether the label of an event of TensorFlow 2.0 is that of an op of an executor: `id=5,device=/job:localhost/replica:0/task:0/device:CPU:0,async=false`.
fn is_of_executor(label: &[u8]) -> bool {
    label.starts_with(b"id=") && label.windows(9).any(|own| own == b",device=/")
}

/// The meaning of an event's field.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventKind {
    pub(super) hint: Hint,
    pub(super) home: Home,
    /// Whether it is a call into a driver, whose correlation kernels have.
    pub(super) is_call: bool,
}

/// Categories of PyTorch's profiler, of Ray's and of DFTracer: their meaning, where they are shown, whether they are calls.
const CATEGORIES: [(&str, Says, Home, bool); 43] = {
    use Home::{Accelerator, Frames, Host, Process};
    const RANGE: Says = Says::Is(Category::Range);
    const COPY: Says = Says::Is(Category::Copy);
    const WAITING: Says = Says::Is(Category::Waiting);
    [
        ("cpu_op", Says::Operator, Host, false),
        ("Operator", Says::Operator, Host, false),
        ("kernel", Says::Kernel, Accelerator, false),
        ("Kernel", Says::Kernel, Accelerator, false),
        ("gpu_memcpy", COPY, Accelerator, false),
        ("Memcpy", COPY, Accelerator, false),
        ("gpu_memset", COPY, Accelerator, false),
        ("Memset", COPY, Accelerator, false),
        ("mtia_ccp_events", Says::Command, Accelerator, false),
        ("cuda_runtime", Says::Call, Host, true),
        ("cuda_driver", Says::Call, Host, true),
        ("Runtime", Says::Call, Host, true),
        ("mtia_runtime", Says::Call, Process, true),
        ("xpu_runtime", Says::Call, Host, true),
        ("xpu_driver", Says::Call, Host, true),
        ("glow_runtime", Says::Call, Host, true),
        ("hpu_op", Says::Kernel, Accelerator, false),
        ("privateuse1_runtime", Says::Call, Host, true),
        ("privateuse1_driver", Says::Call, Host, true),
        // Rows of a GPU that say that the host waits for it, or when it came to a mark: no work.
        ("cuda_sync", RANGE, Accelerator, false),
        ("xpu_sync", RANGE, Process, false),
        ("synchronization", RANGE, Process, false),
        ("cuda_event", RANGE, Accelerator, false),
        ("xpu_scope_profiler", RANGE, Process, false),
        ("hardware_counters", RANGE, Process, false),
        ("mtia_counters", RANGE, Process, false),
        ("collective_comm", Says::Is(Category::Communication), Accelerator, false),
        ("user_annotation", Says::Annotation, Host, false),
        ("gpu_user_annotation", RANGE, Accelerator, false),
        ("python_function", RANGE, Frames, false),
        ("Trace", RANGE, Process, false),
        ("overhead", RANGE, Process, false),
        ("Overhead", RANGE, Process, false),
        ("cuda_profiler_range", RANGE, Accelerator, false),
        ("mtia_workloadd", RANGE, Process, false),
        ("mtia_insight", RANGE, Process, false),
        // Of the log of `torch.compile`: it compiles, on the host.
        ("dynamo_timed", Says::Is(Category::Compute), Host, false),
        // Of Ray's timeline: a worker has nothing to do, or waits for others.
        ("worker_idle", WAITING, Host, false),
        ("wait_for_function", WAITING, Host, false),
        ("ray.get", WAITING, Host, false),
        ("ray.wait", WAITING, Host, false),
        // Of DFTracer: calls for files, in which a thread computes nothing.
        (FILES[0], WAITING, Host, false),
        (FILES[1], WAITING, Host, false),
    ]
};

/// The hints of a document's events, created when they are first needed.
#[derive(Default)]
pub(super) struct Kinds {
    /// For each category; empty before the first.
    of_category: Vec<Option<Hint>>,
    /// The row of the last category.
    last: usize,
    of_line: Vec<(&'static str, bool, Hint)>,
    /// For events without a field that says anything.
    event: Option<Hint>,
    step: Option<Hint>,
    call: Option<Hint>,
    operator: Option<Hint>,
    /// For functions of a host that run a program of XLA.
    program: Option<Hint>,
    frame: Option<Hint>,
    /// For what TensorFlow 2 puts around ops.
    around: Option<Hint>,
    /// For functions of a host that give a program of XLA to an accelerator: work of the host where calls of the driver are recorded, too.
    pub(super) starting: Option<Hint>,
    /// The threads of these, and whether any of them calls a driver (ROCm's calls are on threads of their own).
    starting_on: HashSet<Vec<u8>, FixedState>,
    pub(super) calls_within: bool,
    /// For functions of JAX that wait for arrays.
    wait: Option<Hint>,
    /// For kernels of which the framework says that they are of a collective.
    said_collective: Option<Hint>,
    /// For Intel's rows that repeat a kernel with its metrics.
    metrics: Option<Hint>,
    /// For events on a GPU whose category is not known: they are no work, if any other category is on a GPU.
    pub(super) unknown: Option<Hint>,
    /// Whether any category says of an event that a device worked on it.
    pub(super) has_work: bool,
    /// Whether the category of the newest event says that it is no work: then no call launched it, whatever its correlation.
    pub(super) is_no_work: bool,
    legacy: Option<Hint>,
    megascale: Option<Hint>,
    /// For the rows of Ascend's profiler.
    of_npu: [Option<Hint>; 10],
    /// For functions of a host, in a document of TensorFlow's or JAX's profiler. They are around ops, if the document has any.
    pub(super) function: Option<Hint>,
    /// For events of TensorFlow 2.0 whose label is that of an op of an executor: they are around what GPUs do, if the document has any.
    pub(super) labelled: Option<Hint>,
    /// For events with a number of a step, which contain what the step ran.
    numbered: Option<Hint>,
}

impl Kinds {
    /// The kind of `event` by its category, if that is one of PyTorch's.
    pub(super) fn of_category(&mut self, event: &Event, builder: &mut TraceBuilder) -> Option<EventKind> {
        self.is_no_work = false;
        let category = event.get(Field::Category);
        if category.is_empty() {
            return None;
        }
        // Events of one category come in sequences.
        let row = match CATEGORIES[self.last].0.as_bytes() == category {
            true => self.last,
            false => CATEGORIES.iter().position(|(known, ..)| known.as_bytes() == category)?,
        };
        self.last = row;
        let (name, says, home, is_call) = CATEGORIES[row];
        if event.get(Field::Name).starts_with(b"ProfilerStep#") {
            let range = Says::Is(Category::Range);
            let hint = *self.step.get_or_insert_with(|| builder.hint(range, b"name ProfilerStep#"));
            return Some(EventKind { hint, home, is_call: false });
        }
        self.is_no_work = says == Says::Is(Category::Range);
        self.has_work |= home == Home::Accelerator && !self.is_no_work;
        if says == Says::Kernel && event.has(Field::Collective) {
            let new = || builder.hint(Says::Collective, b"args.Collective name");
            let hint = *self.said_collective.get_or_insert_with(new);
            return Some(EventKind { hint, home, is_call });
        }
        if says == Says::Kernel && event.get(Field::Name).starts_with(b"metrics: ") {
            let new = || builder.hint(Says::Is(Category::Range), b"name metrics:");
            self.is_no_work = true;
            let hint = *self.metrics.get_or_insert_with(new);
            return Some(EventKind { hint, home, is_call });
        }
        self.of_category.resize(CATEGORIES.len(), None);
        let hint = *self.of_category[row]
            .get_or_insert_with(|| builder.hint(says, ["cat=", name].concat().as_bytes()));
        Some(EventKind { hint, home, is_call })
    }

    /// The kind of an event on a GPU that has a category which is not known.
    pub(super) fn of_unknown(&mut self, builder: &mut TraceBuilder) -> EventKind {
        self.is_no_work = true;
        let hint =
            *self.unknown.get_or_insert_with(|| builder.open_hint(say!("hint-unknown-category").as_bytes()));
        EventKind { hint, home: Home::Accelerator, is_call: false }
    }

    /// The kind of an event of Megascale: a transfer between slices of TPUs.
    pub(super) fn of_megascale(&mut self, builder: &mut TraceBuilder) -> EventKind {
        let says = Says::Is(Category::Communication);
        let hint = *self.megascale.get_or_insert_with(|| builder.hint(says, b"Megascale"));
        EventKind { hint, home: Home::Process, is_call: false }
    }

    /// The kind of an event in the process that PyTorch's first profiler calls `CUDA functions`.
    pub(super) fn of_legacy_gpu(&mut self, builder: &mut TraceBuilder) -> EventKind {
        let hint = *self.legacy.get_or_insert_with(|| builder.hint(Says::Stream, b"pid CUDA functions"));
        EventKind { hint, home: Home::Accelerator, is_call: false }
    }

    /// The kind of an event in a process of Ascend's profiler. `has_groups` says that collectives have rows of their own, `exchanges` that its
    /// stream runs their tasks.
    pub(super) fn of_npu(
        &mut self,
        rows: NpuRows,
        name: &[u8],
        has_groups: bool,
        exchanges: bool,
        builder: &mut TraceBuilder,
    ) -> EventKind {
        let is_part = || {
            // As MindSpore's exports call them; a copy of any other stream is one between host and NPU.
            name == b"SDMA"
                || name.starts_with(b"REDUCE_ASYNC")
                || exchanges && name.starts_with(b"MEMCPY_ASYNC")
        };
        let is = |word: &str| has_word(name, word);
        let (place, says) = match rows {
            NpuRows::Derived => (0, Says::Is(Category::Range)),
            NpuRows::Communication => (1, Says::Is(Category::Communication)),
            // Marks of the profiler itself, of some ns, that lie far from all work.
            NpuRows::Hardware if name.starts_with(b"PROFILING_") => (4, Says::Is(Category::Range)),
            // The copies and sums of a collective, as streams of the NPU run them.
            NpuRows::Hardware if is_part() && has_groups => (8, Says::Is(Category::Range)),
            NpuRows::Hardware if is_part() => (5, Says::Is(Category::Communication)),
            NpuRows::Hardware if is("wait") || is("record") => (2, Says::Is(Category::Waiting)),
            NpuRows::Hardware => (3, Says::Stream),
            NpuRows::Calls => (6, Says::Call),
            NpuRows::Plane => (7, Says::Is(Category::Range)),
            NpuRows::Steps => (9, Says::Is(Category::Range)),
        };
        let field = ["process ", rows.word()].concat();
        let hint = *self.of_npu[place].get_or_insert_with(|| builder.hint(says, field.as_bytes()));
        let home = match rows {
            NpuRows::Derived => Home::Process,
            NpuRows::Calls => Home::Host,
            NpuRows::Hardware | NpuRows::Communication | NpuRows::Plane | NpuRows::Steps => Home::Accelerator,
        };
        EventKind { hint, home, is_call: false }
    }

    /// The kind of events on a device line of this kind: work if `is_work`, otherwise repetitions of other lines.
    pub(super) fn of_line(&mut self, kind: LineKind, is_work: bool, builder: &mut TraceBuilder) -> EventKind {
        let (name, says) = kind.says(is_work);
        let known = self.of_line.iter().find(|(known, work, _)| (*known, *work) == (name, is_work));
        let hint = known.map(|&(.., hint)| hint).unwrap_or_else(|| {
            let hint = builder.hint(says, ["thread ", name].concat().as_bytes());
            self.of_line.push((name, is_work, hint));
            hint
        });
        EventKind { hint, home: Home::Accelerator, is_call: false }
    }

    /// The kind of an event on a host of TensorFlow's or JAX's profiler.
    pub(super) fn of_host(&mut self, event: &Event, builder: &mut TraceBuilder) -> EventKind {
        let name = event.get(Field::Name);
        let (hint, home) = if crate::op_type::waits_for_arrays(name) {
            let waiting = Says::Is(Category::Waiting);
            (*self.wait.get_or_insert_with(|| builder.hint(waiting, b"name block_until_ready")), Home::Host)
        } else if name.starts_with(b"$") {
            let range = Says::Is(Category::Range);
            (
                *self.frame.get_or_insert_with(|| builder.hint(range, say!("hint-frame").as_bytes())),
                Home::Frames,
            )
        } else if crate::op_type::wraps_ops(name) {
            let range = Says::Is(Category::Range);
            (
                *self.around.get_or_insert_with(|| builder.hint(range, say!("hint-around").as_bytes())),
                Home::Host,
            )
        } else if event.has(Field::Correlation) {
            self.calls_within |= self.starting_on.contains(event.get(Field::Thread));
            let call = Says::Call;
            let hint =
                *self.call.get_or_insert_with(|| builder.hint(call, say!("hint-correlation").as_bytes()));
            return EventKind { hint, home: Home::Host, is_call: true };
        } else if event.has(Field::HloOp)
            || [event.get(Field::LongName), name].iter().any(|own| crate::op_type::split_tf_op(own).is_some())
        {
            let says = Says::Operator;
            (*self.operator.get_or_insert_with(|| builder.hint(says, b"args.long_name")), Home::Host)
        } else if crate::op_type::runs_xla_program(name) {
            let hint = say!("hint-xla-program").as_bytes();
            (*self.program.get_or_insert_with(|| builder.hint(Says::Operator, hint)), Home::Host)
        } else if crate::op_type::starts_xla_program(name) {
            if !self.starting_on.contains(event.get(Field::Thread)) {
                self.starting_on.insert(event.get(Field::Thread).to_vec());
            }
            let new = || builder.open_hint(say!("hint-xla-program").as_bytes());
            (*self.starting.get_or_insert_with(new), Home::Host)
        } else if event.has(Field::StepNumber) {
            let range = Says::Is(Category::Range);
            (*self.numbered.get_or_insert_with(|| builder.hint(range, b"args.step_num")), Home::Host)
        } else if is_of_executor(event.get(Field::Label)) {
            let new = || builder.open_hint(b"args.label");
            (*self.labelled.get_or_insert_with(new), Home::Host)
        } else if crate::op_type::is_told_by_name(name) {
            (*self.event.get_or_insert_with(|| builder.hint(Says::Event, b"")), Home::Host)
        } else {
            (
                *self.function.get_or_insert_with(|| builder.open_hint(say!("hint-no-op").as_bytes())),
                Home::Host,
            )
        };
        EventKind { hint, home, is_call: false }
    }

    /// Whether any event on a host was an op.
    pub(super) fn has_operators(&self) -> bool {
        self.operator.or(self.program).or(self.labelled).is_some()
    }

    /// The kind of an event of which only the name is known.
    pub(super) fn of_name(&mut self, builder: &mut TraceBuilder) -> EventKind {
        let hint = *self.event.get_or_insert_with(|| builder.hint(Says::Event, b""));
        EventKind { hint, home: Home::Host, is_call: false }
    }
}
