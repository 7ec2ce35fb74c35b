//! How much of the time of a document lies in asynchronous events (`b` to `e`), which are not shown: they have no thread.
//!
//! Events of one category and id belong together, and may be nested: what counts is from the first `b` to the last `e`.

use super::event::{Event, Field};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::hash::BuildHasher;
use std::ops::Range;
use steplens_core::base::order;

/// Of more intervals, or open ids, nothing is said.
const MOST: usize = 1 << 20;

/// The asynchronous events of a document.
#[derive(Default)]
pub(super) struct Asynchronous {
    /// For each category and id that has begun how often, and when it began first.
    open: HashMap<u64, (u32, i64), FixedState>,
    intervals: Vec<(i64, i64)>,
    hasher: FixedState,
    is_full: bool,
}

impl Asynchronous {
    /// Takes an event that begins or ends `at`.
    pub(super) fn take(&mut self, event: &Event, at: i64) {
        let key = self.hasher.hash_one((event.get(Field::Category), event.get(Field::Id)));
        match event.get(Field::Phase) {
            b"b" if self.open.len() < MOST || self.open.contains_key(&key) => {
                let own = self.open.entry(key).or_insert((0, at));
                own.0 = own.0.saturating_add(1);
            }
            b"b" => self.is_full = true,
            b"e" => {
                let Some(own) = self.open.get_mut(&key) else { return };
                own.0 -= 1;
                if own.0 > 0 {
                    return;
                }
                let start = own.1;
                self.open.remove(&key);
                if self.intervals.len() < MOST {
                    self.intervals.push((start, at.max(start)));
                } else {
                    self.is_full = true;
                }
            }
            _ => {}
        }
    }

    /// In ns: the time in which at least one of them runs, and the time from the first to the last of them and of `runs`, the events that are shown.
    /// `None` if there is none, or there are too many.
    pub(super) fn lasts(mut self, runs: impl Iterator<Item = Range<i64>>) -> Option<(i64, i64)> {
        if self.is_full || self.intervals.is_empty() {
            return None;
        }
        order::by_number(&mut self.intervals, |own| own);
        let first = self.intervals.first()?.0;
        let (mut lasts, mut end) = (0_i64, first);
        for &(from, to) in &self.intervals {
            lasts = lasts.saturating_add(to.saturating_sub(from.max(end)).max(0));
            end = end.max(to);
        }
        let hull = runs.fold((first, end), |all, own| (all.0.min(own.start), all.1.max(own.end)));
        Some((lasts, hull.1.saturating_sub(hull.0)))
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.open.capacity() * (size_of::<(u64, (u32, i64))>() + 1)
            + self.intervals.capacity() * size_of::<(i64, i64)>()
    }
}
