//! Coverage: what a device did at each time, as unions of the intervals of its ops, by category.

use crate::base::ids::DeviceId;
use crate::base::units::{Interval, Timestamp};
use crate::storage::shared::shared_bytes;
use crate::storage::union::Union;
use crate::timeline::nesting;
use crate::timeline::split::{Active, ActiveTimes, Split};
use crate::timeline::sweep::Sweep;
use crate::{Category, Trace};
use std::sync::{Arc, OnceLock};

/// The union of what never ran, and of ranges, which count for nothing.
static NEVER: Union = Union::EMPTY;

/// For each category the times covered by at least one op: disjoint, not touching, in order.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Shared by all copies.
    parts: Arc<Parts>,
}

#[derive(Debug, Default)]
struct Parts {
    /// Of the categories that ran at all: most of very many devices do one thing.
    unions: Box<[Union]>,
    /// The row of each category in `unions`, plus one; 0 for one that never ran.
    row_of: [u8; Category::PARTS],
    /// The split of the first window that was asked for. This is the whole trace, which rows, step bar and summary all show.
    first_split: OnceLock<(Interval, Split)>,
    /// When communication was exposed; computed together with the split of the whole trace, or on demand. Not set where none ran.
    exposed: OnceLock<Box<Union>>,
}

impl Parts {
    fn union(&self, part: usize) -> &Union {
        match self.row_of[part] {
            0 => &NEVER,
            row => &self.unions[usize::from(row) - 1],
        }
    }
}

/// Shares of a slice of time, by [`Category::parts`].
pub type Shares = [f32; Category::PARTS];

impl Coverage {
    /// When communication was exposed: disjoint, in order.
    pub fn exposed(&self) -> Vec<Interval> {
        let mut exposed = Vec::new();
        if let Some(span) = self.union(Category::Communication).span() {
            self.sweep(span, |piece, active| {
                if active.first() == Some(Category::Communication) {
                    exposed.push(piece);
                }
            });
        }
        exposed
    }

    /// The coverage of `device`. Ranges add nothing. Where ops contain others, the innermost op counts.
    pub fn of_device(trace: &Trace, device: DeviceId) -> Self {
        if trace.devices().get(device).nests {
            let pieces = nesting::pieces(trace, device).into_iter();
            return Self::summed(pieces.map(|piece| (trace.category(piece.op), piece.interval)));
        }
        Self::summed(trace.ops_of(device).map(|op| (trace.category(op), trace.ops().interval(op))))
    }

    /// The coverage of `pieces`, which must be in order of start; ranges add nothing.
    pub fn summed(pieces: impl Iterator<Item = (Category, Interval)>) -> Self {
        let mut unions: [Union; Category::PARTS] = Default::default();
        pieces.for_each(|(category, interval)| {
            if let Some(part) = category.part() {
                unions[part].push(interval);
            }
        });
        unions.iter_mut().for_each(Union::shrink);
        Self::of_unions(unions)
    }

    fn of_unions(unions: [Union; Category::PARTS]) -> Self {
        let mut row_of = [0; Category::PARTS];
        let mut rows = 0;
        for (union, row) in unions.iter().zip(&mut row_of) {
            if !union.is_empty() {
                rows += 1;
                *row = rows;
            }
        }
        let mut ran = Vec::with_capacity(rows.into());
        ran.extend(unions.into_iter().filter(|union| !union.is_empty()));
        Self { parts: Arc::new(Parts { unions: ran.into(), row_of, ..Parts::default() }) }
    }

    /// The coverage of all `parts` taken together.
    pub fn together<'a>(parts: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let mut all = parts.clone();
        if let (Some(only), None) = (all.next(), all.next()) {
            return only.clone();
        }
        let of_category = |category: usize| {
            let own = parts.clone().map(|part| part.parts.union(category));
            let mut unions: Vec<Union> = own.filter(|union| !union.is_empty()).cloned().collect();
            // The unions are merged pair by pair, as in merge sort, because they are sorted already.
            while unions.len() > 1 {
                let mut merged = Vec::with_capacity(unions.len().div_ceil(2));
                let mut rest = unions.into_iter();
                while let Some(first) = rest.next() {
                    merged.push(match rest.next() {
                        Some(second) => first.with(&second),
                        None => first,
                    });
                }
                unions = merged;
            }
            let mut union = unions.pop().unwrap_or_default();
            union.shrink();
            union
        };
        Self::of_unions(std::array::from_fn(of_category))
    }

    /// What ran here, but of communication only what `other` has.
    pub fn with_communication_of(&self, other: &Self) -> Self {
        let communication = Category::Communication.part();
        Self::of_unions(std::array::from_fn(|part| {
            let own = if communication == Some(part) { other } else { self };
            own.parts.union(part).clone()
        }))
    }

    /// When ops of `category` ran; always empty for ranges.
    pub fn union(&self, category: Category) -> &Union {
        category.part().map_or(&NEVER, |part| self.parts.union(part))
    }

    /// Whether nothing ran at all.
    pub fn is_empty(&self) -> bool {
        self.parts.unions.iter().all(Union::is_empty)
    }

    /// How `window` divides.
    pub fn split(&self, window: Interval) -> Split {
        let (known, split) = self.parts.first_split.get_or_init(|| (window, self.first_split(window)));
        if *known == window { *split } else { self.split_of(window, |_| ()) }
    }

    /// Collects the exposed communication in the same pass, if the window contains all ops.
    fn first_split(&self, window: Interval) -> Split {
        let mut exposed = Union::default();
        let split = self.split_of(window, |piece| exposed.push(piece));
        if self.parts.unions.iter().filter_map(Union::span).all(|span| span.clamp_to(window) == span) {
            exposed.shrink();
            if !exposed.is_empty() {
                self.parts.exposed.get_or_init(|| exposed.into());
            }
        }
        split
    }

    /// Calls `exposed` with each piece of exposed communication, in order.
    fn split_of(&self, window: Interval, mut exposed: impl FnMut(Interval)) -> Split {
        let mut times = ActiveTimes::default();
        self.sweep(window, |piece, active| {
            times.add(piece.length(), active);
            if active.first() == Some(Category::Communication) {
                exposed(piece);
            }
        });
        times.split(window.length())
    }

    /// The times when communication was exposed: it ran, and nothing that could hide it.
    pub fn exposed_communication(&self) -> &Union {
        let Some(whole) = self.union(Category::Communication).span() else { return &NEVER };
        self.parts.exposed.get_or_init(|| {
            let mut exposed = Union::default();
            self.split_of(whole, |piece| exposed.push(piece));
            exposed.shrink();
            exposed.into()
        })
    }

    /// Cuts `span` into `bins` equal slices: for each, the share of every part of the split except idle.
    pub fn shares(&self, span: Interval, bins: usize) -> Vec<Shares> {
        let mut shares = vec![Shares::default(); bins];
        let width = span.length().0 as f64 / bins.max(1) as f64;
        if width <= 0.0 {
            return shares;
        }
        self.sweep(span, |piece, active| {
            let Some(category) = active.first() else { return };
            let bin_of = |time: Timestamp| (time - span.start).0 as f64 / width;
            let (start, end) = (bin_of(piece.start), bin_of(piece.end));
            let (first, last) = (start as usize, (end.ceil() as usize).min(bins));
            for (bin, share) in shares.iter_mut().enumerate().take(last).skip(first) {
                let covered = end.min(bin as f64 + 1.0) - start.max(bin as f64);
                share[category as usize] += covered.max(0.0) as f32;
            }
        });
        shares
    }

    /// Calls `visit` for every piece of `window` between two changes, with the categories that are active in it.
    pub(crate) fn sweep(&self, window: Interval, visit: impl FnMut(Interval, Active)) {
        let unions: [&Union; Category::PARTS] = std::array::from_fn(|part| self.parts.union(part));
        Sweep::new(unions, window).run(visit);
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let exposed = self.parts.exposed.get().map(|exposed| &**exposed);
        let boxed = self.parts.unions.iter().chain(exposed);
        shared_bytes::<Parts>() + boxed.map(|union| size_of::<Union>() + union.heap_bytes()).sum::<usize>()
    }

    /// The address of its data, which copies share.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.parts).addr()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_have_equal_shares() {
        const STEPS: i64 = 60;
        const STEP: i64 = 5_649_361;
        let step = |at: i64| {
            let own =
                |from: i64, to: i64| Interval::new(Timestamp(at * STEP + from), Timestamp(at * STEP + to));
            [
                (Category::Compute, own(10_007, 2_000_003)),
                (Category::Communication, own(1_500_000, 4_100_001)),
            ]
        };
        let coverage = Coverage::summed((0..STEPS).flat_map(step));
        let span = Interval::new(Timestamp(0), Timestamp(STEPS * STEP));
        // The number of columns is a multiple of the steps: compare column by column.
        let shares = coverage.shares(span, 20 * STEPS as usize);
        for (place, share) in shares.iter().enumerate() {
            for (own, first) in share.iter().zip(&shares[place % 20]) {
                assert!((own - first).abs() < 1e-4, "column {place}: {own} and {first}");
            }
        }
        // Any other number: each step adds up to the same, with the columns at its edges divided in proportion to time.
        for columns in [77, 1_000, 1_176, 2_399] {
            let shares = coverage.shares(span, columns);
            let width = columns as f64 / STEPS as f64;
            let total: f64 = shares.iter().map(|share| f64::from(share[Category::Compute as usize])).sum();
            let wanted = 1_989_996.0 / STEP as f64 * width;
            assert!((total - wanted * STEPS as f64).abs() < 1e-2, "{columns}: {total}");
            for step in 0..STEPS {
                let (from, to) = (step as f64 * width, (step + 1) as f64 * width);
                let own: f64 = (from as usize..(to.ceil() as usize).min(columns))
                    .map(|at| f64::from(shares[at][Category::Compute as usize]))
                    .sum();
                assert!(
                    (-1e-3..=2.0).contains(&(own - wanted)),
                    "{columns}, step {step}: {own}, not {wanted}"
                );
            }
        }
    }
}
