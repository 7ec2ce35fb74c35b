//! The kind of an event: from its category if its writer has one, from the name of its thread on a device, otherwise from its name.
//!
//! PyTorch's categories are those of Kineto's `ActivityType.cpp`, including old names; the names of threads on devices are those of
//! TensorFlow's and JAX's profiler.

use super::event::{Event, Field};
use crate::lines::LineKind;
use steplens_core::build::builder::TraceBuilder;
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

/// The meaning of an event's field.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventKind {
    pub(super) hint: Hint,
    pub(super) home: Home,
    /// Whether it is a call into a driver, whose correlation kernels have.
    pub(super) is_call: bool,
}

/// Categories of PyTorch's profiler: their meaning, where they are shown, whether they are calls.
const CATEGORIES: [(&str, Says, Home, bool); 30] = {
    use Home::{Accelerator, Frames, Host, Process};
    const RANGE: Says = Says::Is(Category::Range);
    const COPY: Says = Says::Is(Category::Copy);
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
        ("cuda_sync", Says::Is(Category::Waiting), Process, false),
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
    ]
};

/// The hints of a document's events, created when they are first needed.
#[derive(Default)]
pub(super) struct Kinds {
    of_category: [Option<Hint>; CATEGORIES.len()],
    /// The row of the last category.
    last: usize,
    of_line: Vec<(&'static str, bool, Hint)>,
    /// For events without a field that says anything.
    event: Option<Hint>,
    step: Option<Hint>,
    call: Option<Hint>,
    operator: Option<Hint>,
    frame: Option<Hint>,
    /// For functions of a host, in a document of TensorFlow's or JAX's profiler. They are around ops, if the document has any.
    pub(super) function: Option<Hint>,
}

impl Kinds {
    /// The kind of `event` by its category, if that is one of PyTorch's.
    pub(super) fn of_category(&mut self, event: &Event, builder: &mut TraceBuilder) -> Option<EventKind> {
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
        let hint = *self.of_category[row]
            .get_or_insert_with(|| builder.hint(says, ["cat=", name].concat().as_bytes()));
        Some(EventKind { hint, home, is_call })
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
        let (hint, home) = if name.starts_with(b"$") {
            let range = Says::Is(Category::Range);
            (
                *self.frame.get_or_insert_with(|| builder.hint(range, say!("hint-frame").as_bytes())),
                Home::Frames,
            )
        } else if event.has(Field::Correlation) {
            let call = Says::Call;
            let hint =
                *self.call.get_or_insert_with(|| builder.hint(call, say!("hint-correlation").as_bytes()));
            return EventKind { hint, home: Home::Host, is_call: true };
        } else if event.has(Field::HloOp) || crate::op_type::split_tf_op(event.get(Field::LongName)).is_some()
        {
            let says = Says::Operator;
            (*self.operator.get_or_insert_with(|| builder.hint(says, b"args.long_name")), Home::Host)
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
        self.operator.is_some()
    }

    /// The kind of an event of which only the name is known.
    pub(super) fn of_name(&mut self, builder: &mut TraceBuilder) -> EventKind {
        let hint = *self.event.get_or_insert_with(|| builder.hint(Says::Event, b""));
        EventKind { hint, home: Home::Host, is_call: false }
    }
}
