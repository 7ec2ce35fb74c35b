//! Colours: each op has one of a few, by what the user wants to see.
//!
//! The eight largest groups have hues that colour-blind readers can distinguish, too. All others share the ninth colour, grey.

use crate::base::ids::OpId;
use crate::base::units::Nanos;
use crate::{Category, Trace};

/// The number of colours that differ from each other and from grey.
pub const HUES: usize = 8;
/// The number of colours.
pub const COLORS: usize = HUES + 1;
/// The number of parts in which ops in flight are counted: working ops by colour, then communicating ops by colour.
pub const FLIGHT_PARTS: usize = 2 * COLORS;
/// The colour of ops without a colour of their own.
pub const REST: u8 = HUES as u8;

/// What colours stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorBy {
    /// The category. Shades distinguish op types.
    #[default]
    Category,
    /// The op types with the most time.
    OpType,
    /// The name scopes with the most time.
    Scope,
    /// The durations of ops, in powers of ten.
    Duration,
    /// Steps, with alternating colours.
    Step,
    /// The devices with the most time.
    Device,
    /// The phases of a training step.
    Phase,
    /// The slack of ops, in powers of ten: how much later they could end without making the step longer.
    Slack,
}

impl ColorBy {
    /// All values.
    pub const ALL: [Self; 8] = [
        Self::Category,
        Self::Phase,
        Self::OpType,
        Self::Scope,
        Self::Duration,
        Self::Step,
        Self::Device,
        Self::Slack,
    ];

    /// Its word in the page's contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::Phase => "phase",
            Self::OpType => "op_type",
            Self::Scope => "scope",
            Self::Duration => "duration",
            Self::Step => "step",
            Self::Device => "device",
            Self::Slack => "slack",
        }
    }

    /// The value that `word` stands for.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }

    /// The lower bound of each colour except the first, if the colours stand for lengths of time.
    pub fn bounds(self) -> Option<[Nanos; HUES - 1]> {
        match self {
            Self::Duration => Some(DURATIONS),
            Self::Slack => Some(SLACKS),
            _ => None,
        }
    }
}

/// From 1 µs to 1 s.
const DURATIONS: [Nanos; HUES - 1] = [
    Nanos(1_000),
    Nanos(10_000),
    Nanos(100_000),
    Nanos(1_000_000),
    Nanos(10_000_000),
    Nanos(100_000_000),
    Nanos(1_000_000_000),
];
/// The first colour is for ops on a longest path, which have no slack.
const SLACKS: [Nanos; HUES - 1] = {
    let mut bounds = DURATIONS;
    bounds[0] = Nanos(1);
    bounds
};

/// The colour of every op.
#[derive(Clone, Debug, Default)]
pub struct Colors {
    by: ColorBy,
    /// For each op its colour; empty if colours are those of categories.
    of_op: Vec<u8>,
    /// For each colour what it stands for; empty for a colour that no op has.
    names: Vec<String>,
    /// The number of names with the grey colour.
    others: usize,
}

impl Colors {
    /// One colour for each op. `names` are what the colours stand for, and `others` is the number of names with the grey colour.
    pub fn new(by: ColorBy, of_op: Vec<u8>, names: Vec<String>, others: usize) -> Self {
        Self { by, of_op, names, others }
    }

    /// What the colours stand for.
    pub fn by(&self) -> ColorBy {
        self.by
    }

    /// The name of each colour.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of names with the grey colour.
    pub fn others(&self) -> usize {
        self.others
    }

    /// The colour of `op`.
    #[inline]
    pub fn of(&self, trace: &Trace, op: OpId) -> u8 {
        self.of_op.get(op.index()).copied().unwrap_or_else(|| match self.by {
            ColorBy::Category => trace.category(op) as u8,
            _ => REST,
        })
    }

    /// The part in which `op` is counted among ops in flight: its colour, plus [`COLORS`] if it communicates; `None` for a range.
    #[inline]
    pub(crate) fn part(&self, trace: &Trace, op: OpId) -> Option<usize> {
        match trace.category(op) {
            Category::Range => None,
            Category::Communication => Some(COLORS + usize::from(self.of(trace, op))),
            _ => Some(usize::from(self.of(trace, op))),
        }
    }

    /// The colours that occur in `trace`.
    pub(crate) fn known(&self, trace: &Trace) -> [bool; COLORS] {
        let mut known = [false; COLORS];
        match self.by {
            ColorBy::Category => {
                trace.nodes().ids().for_each(|node| known[trace.nodes().category(node) as usize] = true);
            }
            _ => self.of_op.iter().for_each(|&color| known[usize::from(color)] = true),
        }
        known
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let names = self.names.iter().map(String::capacity).sum::<usize>();
        self.of_op.capacity() + self.names.capacity() * size_of::<String>() + names
    }
}

// Each category is a colour, too.
const _: () = assert!(Category::COUNT <= COLORS);
