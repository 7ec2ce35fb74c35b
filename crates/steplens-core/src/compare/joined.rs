//! The strings of two traces under one numbering, so that names are compared as numbers.

use crate::storage::strings::StringTable;
use crate::{StringId, Trace};
use std::sync::Arc;

/// The strings of A keep their numbers; those that only B has follow.
pub struct Joined<'a> {
    of_b: Vec<u32>,
    a: &'a StringTable,
    b: &'a StringTable,
}

impl<'a> Joined<'a> {
    /// Joins the strings of two traces, in time linear in those of B.
    pub(super) fn of(a: &'a Trace, b: &'a Trace) -> Self {
        let (strings_a, strings_b) = (&a.strings, &b.strings);
        let count = strings_a.len() as u32;
        let same = Arc::ptr_eq(strings_a, strings_b);
        let joined = |row: u32| {
            let id = StringId::new(row);
            let found = if same { Some(id) } else { strings_a.find(strings_b.get(id)) };
            found.map_or(count.saturating_add(row), StringId::get)
        };
        Self { of_b: (0..strings_b.len() as u32).map(joined).collect(), a: strings_a, b: strings_b }
    }

    /// The number of a string of A, or of B.
    pub(super) fn number(&self, side: Which, id: StringId) -> u32 {
        match side {
            Which::A => id.get(),
            Which::B => self.of_b.get(id.index()).copied().unwrap_or(u32::MAX),
        }
    }

    /// All numbers are below this.
    pub(super) fn end(&self) -> u32 {
        (self.a.len() as u32).saturating_add(self.b.len() as u32)
    }

    /// The text with this number; empty for a number that no string has.
    pub fn text(&self, number: u32) -> &'a str {
        match number.checked_sub(self.a.len() as u32) {
            None => self.a.get(StringId::new(number)),
            Some(row) => self.b.get(StringId::new(row)),
        }
    }
}

/// One of the two traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Which {
    /// The first trace: before the change.
    A,
    /// The second one: after it.
    B,
}

impl Which {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}
