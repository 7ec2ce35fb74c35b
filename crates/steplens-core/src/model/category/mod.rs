//! Categories: what an op's time is spent on, and why it counts as that.
//!
//! If a format has a field for it, the field decides: readers pass it as a [`Hint`]. Names decide only if nothing else does
//! ([`rules`]). `docs/categories.md` has the rules for each format.

mod cann;
mod kernels;
mod loading;
mod names;
mod rules;

use crate::StringId;

pub(crate) use cann::is_call as is_call_of_cann;
pub use kernels::is_collective_kernel;
pub(crate) use kernels::{TRAINING_NORM, is_training_norm, words};
pub use loading::is_loading;
pub(crate) use names::{GPU_PROGRAM, JAX_CALL, SINK, SOURCE, carries_collective, is_collective_operator};
pub use names::{is_data_loader, is_driver_call, is_input, only_wraps, runs_python, starts_program};
pub(crate) use rules::Why;
pub use rules::{CategoryRules, is_collective};

/// What an op does, roughly. If a device does several things at once, the first category has priority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Category {
    /// Work that is in none of the other categories.
    #[default]
    Compute = 0,
    /// Loading of the next batch: iterators and data loading.
    Input = 1,
    /// A copy between host and device, or between the devices of one task.
    Copy = 2,
    /// A transfer between tasks, or a collective.
    Communication = 3,
    /// A call into a driver, which makes a device do something.
    Launch = 4,
    /// A call into a driver that gets memory or gives it back.
    Allocation = 5,
    /// Waiting for a device, or for peers.
    Waiting = 6,
    /// An event that contains others and is no work: an annotation, a step, a Python frame. It has no self time.
    Range = 7,
}

impl Category {
    /// All categories, by priority.
    pub const ALL: [Self; 8] = [
        Self::Compute,
        Self::Input,
        Self::Copy,
        Self::Communication,
        Self::Launch,
        Self::Allocation,
        Self::Waiting,
        Self::Range,
    ];
    /// The number of categories.
    pub const COUNT: usize = Self::ALL.len();
    /// The number of categories into which time divides: all except ranges.
    pub const PARTS: usize = Self::COUNT - 1;

    /// The categories into which time divides, by priority.
    pub fn parts() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator {
        Self::ALL.into_iter().take(Self::PARTS)
    }

    /// Its place among [`parts`](Self::parts); `None` for a range.
    #[inline]
    pub fn part(self) -> Option<usize> {
        (self != Self::Range).then_some(self as usize)
    }

    /// Whether it is a category of calls into a driver.
    pub fn is_call(self) -> bool {
        matches!(self, Self::Launch | Self::Allocation | Self::Waiting)
    }

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Input => "input",
            Self::Copy => "copy",
            Self::Communication => "communication",
            Self::Launch => "launch",
            Self::Allocation => "allocation",
            Self::Waiting => "waiting",
            Self::Range => "range",
        }
    }

    /// The category of row `row` of [`ALL`](Self::ALL).
    pub fn of_row(row: usize) -> Option<Self> {
        Self::ALL.get(row).copied()
    }
}

/// What a field of a format says about an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Says {
    /// Nothing: the name decides.
    #[default]
    Nothing,
    /// It is in this category.
    Is(Category),
    /// A device ran it: communication if its name is a collective's, otherwise compute.
    Kernel,
    /// A device ran it as a part of a collective: a field of the framework says so.
    Collective,
    /// A stream of a GPU ran it: a copy or a collective by its name, otherwise compute.
    Stream,
    /// It is an instruction of XLA on a device: its name identifies copies and collectives.
    Instruction,
    /// It is a call into a driver: its name identifies calls that wait or allocate; others are launches.
    Call,
    /// A framework ran it on a host: its name identifies input and collectives.
    Operator,
    /// A user's program marked a stretch of time: input if its name is a data loader's, otherwise a range.
    Annotation,
    /// An accelerator of Meta (MTIA) carried out a command: its name identifies copies and waiting.
    Command,
    /// It is an event of a writer that gives no details: its name decides, by more rules than those for TensorFlow's ops.
    Event,
}

/// The reason of ranges that repeat the ops of a stream, in an export of MindSpore.
pub const REPEATED_ROW: &[u8] = b"thread stream_N_parallel";

/// The categories of calls for files (`dftracer`, `src/dftracer/brahma/posix.h`, `stdio.h`).
pub const FILES: [&str; 2] = ["POSIX", "STDIO"];

/// Whether the field that gave a category says that it is a call for files.
pub(crate) fn is_for_files(reason: &str) -> bool {
    reason.strip_prefix("cat=").is_some_and(|category| FILES.contains(&category))
}

/// Whether `reason`, that of a category, is that nothing says otherwise.
pub(crate) fn counts_by_default(reason: &str) -> bool {
    reason == Why::Nothing.word()
}

/// A field and what it says, as a row of the hints of a [`NodeTable`](crate::model::node::NodeTable). The default says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hint(pub(crate) u16);

/// The meaning of a [`Hint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FieldHint {
    pub(crate) says: Says,
    /// The field in words that users know: `cat=kernel`, `line "XLA Ops"`.
    pub(crate) field: StringId,
}
