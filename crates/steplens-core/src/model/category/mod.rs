//! Categories: what an op's time is spent on, and the reason for it.
//!
//! Where a format has a field for it, that field decides: readers hand it over as a [`Hint`]. Names decide only where nothing
//! else does ([`rules`]). `docs/categories.md` says it per format.

mod names;
mod rules;

use crate::StringId;

pub(crate) use names::{carries_collective, is_collective_operator};
pub use names::{is_collective_kernel, is_data_loader, is_driver_call, is_input};
pub(crate) use rules::Why;
pub use rules::{CategoryRules, is_collective};

/// What an op does, coarsely. The order is that of priority when a device does several at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Category {
    /// Work that is nothing of what follows.
    #[default]
    Compute = 0,
    /// Getting the next batch: iterators and data loading.
    Input = 1,
    /// A copy between host and device, or between the devices of one task.
    Copy = 2,
    /// A transfer between tasks, or a collective.
    Communication = 3,
    /// A call into a driver, which makes a device do something.
    Launch = 4,
    /// A call into a driver that gets or gives back memory.
    Allocation = 5,
    /// Waiting for a device, or for peers.
    Waiting = 6,
    /// What contains other events and is no work: annotations, steps, frames of Python. It has no time of its own.
    Range = 7,
}

impl Category {
    /// All of them, by priority.
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
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();
    /// How many of them time divides into: all but ranges.
    pub const PARTS: usize = Self::COUNT - 1;

    /// Those that time divides into, by priority.
    pub fn parts() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator {
        Self::ALL.into_iter().take(Self::PARTS)
    }

    /// Its place among [`parts`](Self::parts); `None` for a range.
    #[inline]
    pub fn part(self) -> Option<usize> {
        (self != Self::Range).then_some(self as usize)
    }

    /// Whether it is that of calls into a driver.
    pub fn is_call(self) -> bool {
        matches!(self, Self::Launch | Self::Allocation | Self::Waiting)
    }

    /// Its word in every output.
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

/// What a field of a format says of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Says {
    /// Nothing: its name decides.
    #[default]
    Nothing,
    /// Its category.
    Is(Category),
    /// That a device ran it: communication if its name is a collective's, else compute.
    Kernel,
    /// That a stream of a GPU ran it: a copy or a collective by its name, else compute.
    Stream,
    /// That it is an instruction of XLA on a device: its name tells copies and collectives from the rest.
    Instruction,
    /// That it is a call into a driver: one that waits or allocates by its name, else a launch.
    Call,
    /// That a framework ran it on a host: its name tells input and collectives from the rest.
    Operator,
    /// That a user's program marked a stretch of time: input if its name is a data loader's, else a range.
    Annotation,
    /// That an accelerator of Meta's (MTIA) carried out a command: its name tells copies and waiting from the rest.
    Command,
    /// That it is an event of a writer that says no more: its name decides, by more rules than those of TensorFlow's ops.
    Event,
}

/// A field and what it says; a row of the hints of a [`NodeTable`](crate::model::node::NodeTable). The default says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hint(pub(crate) u16);

/// What a [`Hint`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FieldHint {
    pub(crate) says: Says,
    /// The field, as users know it: `cat=kernel`, `line "XLA Ops"`.
    pub(crate) field: StringId,
}
