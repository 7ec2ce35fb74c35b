//! A sweep over the unions of a device: every piece of a window between two changes, in one pass.

use crate::Category;
use crate::base::units::{Interval, Timestamp};
use crate::storage::union::{Intervals, Union};
use crate::timeline::split::Active;

/// The position in the union of one category: its next start or end.
struct Cursor<'a> {
    part: usize,
    next: Timestamp,
    /// The end of the current interval, if there is one.
    end: Option<Timestamp>,
    rest: Intervals<'a>,
}

impl<'a> Cursor<'a> {
    /// The position at `now`; `None` if the category has no time after that.
    fn at(now: Timestamp, part: usize, union: &'a Union) -> Option<Self> {
        let mut rest = union.after(now);
        let Interval { start, end } = rest.next()?;
        let runs = start <= now;
        Some(Self { part, next: if runs { end } else { start }, end: (!runs).then_some(end), rest })
    }

    /// Goes to the next change; returns false if there is none.
    #[inline]
    fn advance(&mut self) -> bool {
        match self.end.take() {
            Some(end) => self.next = end,
            None => match self.rest.next() {
                Some(Interval { start, end }) => (self.next, self.end) = (start, Some(end)),
                None => return false,
            },
        }
        true
    }
}

/// The categories that are not over yet, and which of them are active.
pub(super) struct Sweep<'a> {
    window: Interval,
    cursors: Vec<Cursor<'a>>,
    active: Active,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(unions: [&'a Union; Category::PARTS], window: Interval) -> Self {
        let cursors = unions.into_iter().enumerate();
        let cursors: Vec<_> =
            cursors.filter_map(|(part, union)| Cursor::at(window.start, part, union)).collect();
        let mut active = Active::default();
        cursors.iter().filter(|cursor| cursor.end.is_none()).for_each(|cursor| active.toggle(cursor.part));
        Self { window, cursors, active }
    }

    /// Calls `visit` for every piece of the window, with the categories that are active in it. Takes one step per change.
    pub(super) fn run(mut self, mut visit: impl FnMut(Interval, Active)) {
        let mut now = self.window.start;
        while now < self.window.end {
            let next = self.cursors.iter().fold(self.window.end, |next, cursor| next.min(cursor.next));
            visit(Interval { start: now, end: next }, self.active);
            self.pass(next);
            now = next;
        }
    }

    /// Applies the changes at `now`.
    #[inline]
    fn pass(&mut self, now: Timestamp) {
        let mut place = 0;
        while let Some(cursor) = self.cursors.get_mut(place) {
            if cursor.next == now {
                self.active.toggle(cursor.part);
                if !cursor.advance() {
                    self.cursors.swap_remove(place);
                    continue;
                }
            }
            place += 1;
        }
    }
}
