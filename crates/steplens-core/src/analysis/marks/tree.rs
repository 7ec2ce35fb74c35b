//! Sums over consecutive ops of a lane: a tree without pointers, [`FANOUT`] children a node, about three bytes an op.

use crate::analysis::lanes::Lanes;
use crate::{Category, Trace};
use std::ops::Range;

/// Children of a node of the tree.
const FANOUT: usize = 16;

/// A sum over consecutive ops of one lane.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum {
    /// Nanoseconds by category.
    pub(super) busy: [u64; Category::COUNT],
    /// The longest op: its length and its place in the list of lanes.
    pub(super) longest: (u64, u32),
}

impl Sum {
    pub(super) fn with(mut self, other: Self) -> Self {
        self.busy.iter_mut().zip(other.busy).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        if other.longest.0 > self.longest.0 {
            self.longest = other.longest;
        }
        self
    }
}

/// The tree of sums over all lanes, level by level; level 0 sums [`FANOUT`] ops.
#[derive(Default)]
pub struct MarkIndex {
    levels: Vec<Vec<Sum>>,
}

impl MarkIndex {
    /// Builds the tree in one pass.
    pub fn of(trace: &Trace, lanes: &Lanes) -> Self {
        let places = trace.ops().len();
        let mut index = Self::default();
        let blocks = (0..places).step_by(FANOUT);
        index
            .levels
            .push(blocks.map(|first| sum_ops(trace, lanes, first..(first + FANOUT).min(places))).collect());
        while index.levels.last().is_some_and(|level| level.len() > FANOUT) {
            let below = index.levels.last().map_or(&[][..], Vec::as_slice);
            let level =
                below.chunks(FANOUT).map(|sums| sums.iter().fold(Sum::default(), |all, &one| all.with(one)));
            let level = level.collect();
            index.levels.push(level);
        }
        index
    }

    /// The sum over `places` of the list of lanes.
    pub(super) fn sum(&self, trace: &Trace, lanes: &Lanes, places: Range<usize>) -> Sum {
        let Range { mut start, mut end } = places;
        // The longest starts as the first op: ops of length 0 have one, too.
        let mut sum = Sum { longest: (0, start as u32), ..Sum::default() };
        if end - start < 2 * FANOUT {
            return sum.with(sum_ops(trace, lanes, start..end));
        }
        let inner = (start.div_ceil(FANOUT), end / FANOUT);
        sum = sum.with(sum_ops(trace, lanes, start..inner.0 * FANOUT));
        sum = sum.with(sum_ops(trace, lanes, inner.1 * FANOUT..end));
        (start, end) = inner;
        for level in &self.levels {
            let (up_start, up_end) = (start.div_ceil(FANOUT), end / FANOUT);
            if up_start >= up_end || std::ptr::eq(level, &self.levels[self.levels.len() - 1]) {
                return level[start..end].iter().fold(sum, |all, &one| all.with(one));
            }
            sum = level[start..up_start * FANOUT].iter().fold(sum, |all, &one| all.with(one));
            sum = level[up_end * FANOUT..end].iter().fold(sum, |all, &one| all.with(one));
            (start, end) = (up_start, up_end);
        }
        sum
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.levels.iter().map(|level| level.capacity() * size_of::<Sum>()).sum()
    }
}

fn sum_ops(trace: &Trace, lanes: &Lanes, places: Range<usize>) -> Sum {
    places.fold(Sum::default(), |mut sum, place| {
        let op = lanes.all_ops()[place];
        let length = trace.ops().interval(op).length().0.max(0) as u64;
        // Blocks reach over the ends of lanes: only there a sum can exceed the time there is.
        let busy = &mut sum.busy[trace.category(op) as usize];
        *busy = busy.saturating_add(length);
        if length > sum.longest.0 {
            sum.longest = (length, place as u32);
        }
        sum
    })
}
