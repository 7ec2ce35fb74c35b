//! Memory: which bytes were alive when, by three readings that are never mixed.
//!
//! | reading | what it rests on |
//! |---|---|
//! | [`records`] | the allocations and frees that allocators recorded |
//! | [`tensors`] | outputs of ops, from the start of who made them to the end of the last who read them |
//! | [`timeline_py`] | the rules of TensorFlow's `timeline.py` with `show_memory`, and what they lose |
//!
//! Each gives [`Lives`], divided into accounts: an allocator of a device, or of all devices. A [`Curve`] is the sum of the lives of an account.

pub mod alive;
pub mod boxes;
pub mod curve;
pub mod lives;
pub mod reads;
pub mod records;
pub mod tensors;
pub mod timeline_py;
pub mod why;

pub use alive::{Alive, By};
pub use curve::Curve;
pub use lives::{Life, Lives};

use crate::base::ids::{DeviceId, StringId};
use crate::base::units::{Bytes, Timestamp};

/// Which of the three readings.
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

    /// Its word in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Tensors => "tensors",
            Self::TimelinePy => "timeline.py",
        }
    }

    /// The reading of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }
}

/// What is known of an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// When each allocation was freed.
    #[default]
    Lives,
    /// Only what was allocated and freed in all: which tensor lives how long, and who holds the peak, is not.
    Sums,
}

impl Basis {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Lives, Self::Sums];

    /// Its word in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Lives => "lives",
            Self::Sums => "sums",
        }
    }
}

/// What one allocator held of one device, or of all.
#[derive(Debug)]
pub struct Account {
    /// Whose memory it is; `None` where a reading does not keep devices apart.
    pub device: Option<DeviceId>,
    /// The allocator.
    pub allocator: StringId,
    /// What is known of it.
    pub basis: Basis,
    /// The lives of the account; none where these are not known.
    pub lives: Lives,
    /// Their sum over time.
    pub curve: Curve,
    /// What was there already when the first op began, of that which lives tell.
    pub before: Bytes,
    /// What the allocator had in use at its peak beyond what lives tell, if that was recorded.
    pub beyond: Option<Bytes>,
}

impl Account {
    /// The most that was alive at once, and since when.
    pub fn peak(&self) -> (Bytes, Timestamp) {
        self.curve.peak()
    }
}

/// What a reading could not count as it stands in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Frees of what was not allocated before in the same report: it counts as there from before.
    pub frees_alone: u64,
    /// Sizes and sums that were too large for what is kept: the curve stops at the largest number.
    pub too_large: u64,
}

/// All accounts of one reading.
#[derive(Debug, Default)]
pub struct Memory {
    /// In order of device and allocator.
    pub accounts: Vec<Account>,
    /// What could not be counted as it stands.
    pub faults: Faults,
    /// Outputs that the rules of the reading do not count, and their bytes: those whose name a later one has, for `timeline.py`.
    pub lost: (u64, Bytes),
}

impl Memory {
    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let own = |account: &Account| account.lives.heap_bytes() + account.curve.heap_bytes();
        self.accounts.capacity() * size_of::<Account>() + self.accounts.iter().map(own).sum::<usize>()
    }
}
