//! Which bytes were alive when, and why, by three readings that are never mixed. From the records of allocators, or from
//! outputs and the ops that read them. For the tab Memory, `steplens memory`, and the table of allocations.
//!
//! | reading | what it is based on |
//! |---|---|
//! | [`records`] | the allocations and frees that allocators recorded |
//! | [`tensors`] | outputs of ops, from the start of the op that made them to the end of the last op that read them |
//! | [`timeline_py`] | the rules of TensorFlow's `timeline.py` with `show_memory`, and what these rules lose |
//!
//! Each gives [`Lives`], divided into accounts: an allocator of a device, or of all devices. A [`Curve`] is the sum of the lives of
//! an account.

pub mod alive;
pub mod boxes;
pub mod curve;
pub mod lives;
pub mod reads;
pub mod records;
pub mod tensors;
pub mod timeline_py;
pub mod why;

pub use alive::{Alive, AliveRows, By};
pub use curve::Curve;
pub use lives::{Life, Lives};

use crate::base::ids::{DeviceId, StringId};
use crate::base::units::{Bytes, Timestamp};

/// One of the three readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reading {
    /// Allocations and frees as allocators recorded them.
    Records,
    /// Lifetimes through the data flow.
    Tensors,
    /// As `timeline.py` counts.
    TimelinePy,
}

impl Reading {
    /// All of them, the best first.
    pub const ALL: [Self; 3] = [Self::Records, Self::Tensors, Self::TimelinePy];

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Tensors => "tensors",
            Self::TimelinePy => "timeline.py",
        }
    }

    /// The reading that `word` stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }
}

/// What is known of an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// The time at which each allocation was freed.
    #[default]
    Lives,
    /// Only the sums of what was allocated and freed: how long each tensor lives, and who holds the peak, is not known.
    Sums,
}

impl Basis {
    /// All values.
    pub const ALL: [Self; 2] = [Self::Lives, Self::Sums];

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Lives => "lives",
            Self::Sums => "sums",
        }
    }
}

/// The memory that one allocator held, of one device or of all.
#[derive(Debug)]
pub struct Account {
    /// The device that has the memory; `None` where a reading does not keep devices apart.
    pub device: Option<DeviceId>,
    /// The allocator.
    pub allocator: StringId,
    /// What is known of it.
    pub basis: Basis,
    /// The lives of the account; empty where they are not known.
    pub lives: Lives,
    /// The sum of the lives over time.
    pub curve: Curve,
    /// The bytes of the lives that had started before the first op began.
    pub before: Bytes,
    /// What the allocator had in use at its peak in addition to the lives, if that was recorded.
    pub beyond: Option<Bytes>,
}

impl Account {
    /// The most bytes alive at once, and since when.
    pub fn peak(&self) -> (Bytes, Timestamp) {
        self.curve.peak()
    }
}

/// What a reading could not count as it is in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Frees without an earlier allocation in the same report: the memory counts as allocated before the recording.
    pub frees_alone: u64,
    /// Sizes and sums that are too large to store: the curve stops at the largest number.
    pub too_large: u64,
}

/// All accounts of one reading.
#[derive(Debug, Default)]
pub struct Memory {
    /// In order of device and allocator.
    pub accounts: Vec<Account>,
    /// What could not be counted as it is in the file.
    pub faults: Faults,
    /// Outputs that the rules of the reading do not count, and their bytes. For `timeline.py` these are outputs whose name a later
    /// output has, too.
    pub lost: (u64, Bytes),
}

impl Memory {
    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let bytes_of = |account: &Account| account.lives.heap_bytes() + account.curve.heap_bytes();
        self.accounts.capacity() * size_of::<Account>() + self.accounts.iter().map(bytes_of).sum::<usize>()
    }
}
