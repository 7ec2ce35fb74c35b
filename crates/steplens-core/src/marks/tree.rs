//! Sums over consecutive ops of a lane: a tree without pointers, with [`FANOUT`] children per node. It takes two bytes per op if
//! there are two colours.

use crate::Trace;
use crate::timeline::colors::{COLORS, Colors};
use crate::timeline::lanes::Lanes;
use std::ops::Range;

/// Children of a node of the tree.
const FANOUT: usize = 16;

/// A sum over consecutive ops of one lane.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum {
    /// Nanoseconds by colour.
    pub(super) busy: [u64; COLORS],
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
    /// The colours that occur.
    colors: Vec<u8>,
    levels: Vec<Level>,
}

/// The sums of one level.
#[derive(Default)]
struct Level {
    /// For each sum how long each of these colours was busy.
    busy: Vec<u64>,
    longest: Vec<(u64, u32)>,
}

impl Level {
    fn of(colors: &[u8], sums: impl ExactSizeIterator<Item = Sum>) -> Self {
        let mut level = Self {
            busy: Vec::with_capacity(sums.len() * colors.len()),
            longest: Vec::with_capacity(sums.len()),
        };
        for sum in sums {
            level.busy.extend(colors.iter().map(|&color| sum.busy[usize::from(color)]));
            level.longest.push(sum.longest);
        }
        level
    }

    fn len(&self) -> usize {
        self.longest.len()
    }

    /// Adds all of `places` to `sum`.
    fn add(&self, colors: &[u8], mut sum: Sum, places: Range<usize>) -> Sum {
        for place in places {
            let own = &self.busy[place * colors.len()..(place + 1) * colors.len()];
            for (&color, &busy) in colors.iter().zip(own) {
                let all = &mut sum.busy[usize::from(color)];
                *all = all.saturating_add(busy);
            }
            if self.longest[place].0 > sum.longest.0 {
                sum.longest = self.longest[place];
            }
        }
        sum
    }
}

impl MarkIndex {
    /// Builds the tree in one pass.
    pub fn built(trace: &Trace, lanes: &Lanes, colors: &Colors) -> Self {
        let places = trace.ops().len();
        let known: Vec<u8> = (0_u8..)
            .zip(colors.known(trace))
            .filter(|&(_, is_there)| is_there)
            .map(|(color, _)| color)
            .collect();
        let blocks = (0..places.div_ceil(FANOUT)).map(|block| block * FANOUT);
        let sums = blocks.map(|first| sum_ops(trace, lanes, colors, first..(first + FANOUT).min(places)));
        let mut index = Self { levels: vec![Level::of(&known, sums)], colors: known };
        while let Some(below) = index.levels.last().filter(|level| level.len() > FANOUT) {
            let sums = (0..below.len().div_ceil(FANOUT)).map(|block| {
                let places = block * FANOUT..((block + 1) * FANOUT).min(below.len());
                below.add(&index.colors, Sum::default(), places)
            });
            let level = Level::of(&index.colors, sums);
            index.levels.push(level);
        }
        index.levels.shrink_to_fit();
        index
    }

    /// The sum over `places`, which are places in the list of lanes.
    pub(super) fn sum(&self, trace: &Trace, lanes: &Lanes, colors: &Colors, places: Range<usize>) -> Sum {
        let Range { mut start, mut end } = places;
        // Start with the first op as the longest, because all ops may have length 0.
        let mut sum = Sum { longest: (0, start as u32), ..Sum::default() };
        if end - start < 2 * FANOUT {
            return sum.with(sum_ops(trace, lanes, colors, start..end));
        }
        let inner = (start.div_ceil(FANOUT), end / FANOUT);
        sum = sum.with(sum_ops(trace, lanes, colors, start..inner.0 * FANOUT));
        sum = sum.with(sum_ops(trace, lanes, colors, inner.1 * FANOUT..end));
        (start, end) = inner;
        for level in &self.levels {
            let (up_start, up_end) = (start.div_ceil(FANOUT), end / FANOUT);
            if up_start >= up_end || std::ptr::eq(level, &self.levels[self.levels.len() - 1]) {
                return level.add(&self.colors, sum, start..end);
            }
            sum = level.add(&self.colors, sum, start..up_start * FANOUT);
            sum = level.add(&self.colors, sum, up_end * FANOUT..end);
            (start, end) = (up_start, up_end);
        }
        sum
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let sums = self.levels.iter().map(|level| {
            level.busy.capacity() * size_of::<u64>() + level.longest.capacity() * size_of::<(u64, u32)>()
        });
        self.colors.capacity() + self.levels.capacity() * size_of::<Level>() + sums.sum::<usize>()
    }
}

fn sum_ops(trace: &Trace, lanes: &Lanes, colors: &Colors, places: Range<usize>) -> Sum {
    places.fold(Sum::default(), |mut sum, place| {
        let op = lanes.all_ops()[place];
        let length = trace.ops().interval(op).length().0.max(0) as u64;
        // Blocks cross the ends of lanes: only there a sum can be more than the time that passed.
        let busy = &mut sum.busy[usize::from(colors.of(trace, op))];
        *busy = busy.saturating_add(length);
        if length > sum.longest.0 {
            sum.longest = (length, place as u32);
        }
        sum
    })
}
