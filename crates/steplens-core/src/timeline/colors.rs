//! Colours: which of a few each op has, by what the user wants to see.
//!
//! The eight largest have hues that colour-blind readers can distinguish, too. All others share the ninth colour, grey.

use crate::base::ids::OpId;
use crate::base::units::Nanos;
use crate::{Category, Trace};

/// How many colours differ from each other and from the rest.
pub const HUES: usize = 8;
/// How many colours there are.
pub const COLORS: usize = HUES + 1;
/// In how many parts ops in flight are counted: those that work by colour, and then those that communicate.
pub const FLIGHT_PARTS: usize = 2 * COLORS;
/// That of what has none of its own.
pub const REST: u8 = HUES as u8;

/// What colours stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorBy {
    /// What time is spent on. Shades tell op types apart.
    #[default]
    Category,
    /// The op types with most time.
    OpType,
    /// The name scopes with most time.
    Scope,
    /// How long ops are, in powers of ten.
    Duration,
    /// Steps, in turn.
    Step,
    /// The devices with most time.
    Device,
    /// How much later ops could end without making the step longer, in powers of ten.
    Slack,
}

impl ColorBy {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Category, Self::OpType, Self::Scope, Self::Duration, Self::Step, Self::Device, Self::Slack];

    /// Its word in the page's contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::OpType => "op_type",
            Self::Scope => "scope",
            Self::Duration => "duration",
            Self::Step => "step",
            Self::Device => "device",
            Self::Slack => "slack",
        }
    }

    /// By its word.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }

    /// Where each colour but the first begins, of those that stand for lengths of time.
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
/// The first colour is that of ops on a longest path: they have none.
const SLACKS: [Nanos; HUES - 1] = {
    let mut bounds = DURATIONS;
    bounds[0] = Nanos(1);
    bounds
};

/// The colour of every op.
#[derive(Clone, Debug, Default)]
pub struct Colors {
    by: ColorBy,
    /// By op; empty where colours are those of categories.
    of_op: Vec<u8>,
    /// By colour, what it stands for; empty for a colour that nothing has.
    names: Vec<String>,
    /// How many names have the colour of the rest.
    others: usize,
}

impl Colors {
    /// One colour for each op. `names` are what they stand for, and `others` how many more names there are.
    pub fn new(by: ColorBy, of_op: Vec<u8>, names: Vec<String>, others: usize) -> Self {
        Self { by, of_op, names, others }
    }

    /// What they stand for.
    pub fn by(&self) -> ColorBy {
        self.by
    }

    /// What each colour stands for.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many names have the colour of the rest.
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

    /// What `op` is a part of where ops in flight are counted: its colour or, if it communicates, [`COLORS`] more; none for a range.
    #[inline]
    pub(crate) fn part(&self, trace: &Trace, op: OpId) -> Option<usize> {
        match trace.category(op) {
            Category::Range => None,
            Category::Communication => Some(COLORS + usize::from(self.of(trace, op))),
            _ => Some(usize::from(self.of(trace, op))),
        }
    }

    /// Which colours ops of `trace` have.
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

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let names = self.names.iter().map(String::capacity).sum::<usize>();
        self.of_op.capacity() + self.names.capacity() * size_of::<String>() + names
    }
}

// Categories are colours, too.
const _: () = assert!(Category::COUNT <= COLORS);
