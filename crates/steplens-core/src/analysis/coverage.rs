//! Coverage: what a device did when, as unions of the intervals of its ops, by category.

use crate::analysis::nesting;
use crate::analysis::split::{Active, Split, first};
use crate::ids::DeviceId;
use crate::units::{Interval, Timestamp};
use crate::{Category, Trace};

/// For each category, the moments covered by at least one op: disjoint, not touching, in order.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    unions: [Vec<Interval>; Category::PARTS],
}

/// Shares of a slice of time, by [`Category::parts`].
pub type Shares = [f32; Category::PARTS];

impl Coverage {
    /// What `device` did. Ranges add nothing, and where ops contain others, each counts when it is the innermost.
    pub fn of_device(trace: &Trace, device: DeviceId) -> Self {
        if trace.devices().get(device).nests {
            let pieces = nesting::pieces(trace, device).into_iter();
            return Self::of(pieces.map(|piece| (trace.category(piece.op), piece.interval)));
        }
        Self::of(trace.ops_of(device).map(|op| (trace.category(op), trace.ops().interval(op))))
    }

    /// What `pieces`, in order of start, cover; ranges cover nothing.
    pub fn of(pieces: impl Iterator<Item = (Category, Interval)>) -> Self {
        let mut coverage = Self::default();
        pieces.for_each(|(category, interval)| {
            if let Some(part) = category.part() {
                push(&mut coverage.unions[part], interval);
            }
        });
        coverage
    }

    /// What any of `parts` did.
    pub fn together<'a>(parts: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let mut coverage = Self::default();
        for category in Category::parts() {
            let mut unions: Vec<Vec<Interval>> =
                parts.clone().map(|part| part.union(category).to_vec()).collect();
            // Two by two, as in merge sort: they are in order already.
            while unions.len() > 1 {
                unions = unions
                    .chunks(2)
                    .map(|pair| merged(&pair[0], pair.get(1).map_or(&[], Vec::as_slice)))
                    .collect();
            }
            coverage.unions[category as usize] = unions.pop().unwrap_or_default();
        }
        coverage
    }

    /// When ops of `category` ran; never for ranges.
    pub fn union(&self, category: Category) -> &[Interval] {
        category.part().map_or(&[], |part| &self.unions[part])
    }

    /// Whether nothing ran at all.
    pub fn is_empty(&self) -> bool {
        self.unions.iter().all(Vec::is_empty)
    }

    /// How `window` divides.
    pub fn split(&self, window: Interval) -> Split {
        let mut split = Split { window: window.length(), ..Split::default() };
        self.sweep(window, |piece, active| split.add(piece.length(), active));
        split
    }

    /// `span` in `bins` equal slices: for each, the share of every part of the split but idle.
    pub fn shares(&self, span: Interval, bins: usize) -> Vec<Shares> {
        let mut shares = vec![Shares::default(); bins];
        let width = span.length().0 as f64 / bins.max(1) as f64;
        if width <= 0.0 {
            return shares;
        }
        self.sweep(span, |piece, active| {
            let Some(category) = first(active) else { return };
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

    /// Calls `visit` for every piece of `window` between two changes, with which categories are active in it.
    pub(super) fn sweep(&self, window: Interval, mut visit: impl FnMut(Interval, Active)) {
        let mut rest = self.unions.each_ref().map(|union| {
            let first = union.partition_point(|interval| interval.end <= window.start);
            &union[first..]
        });
        let mut now = window.start;
        while now < window.end {
            let mut next = window.end;
            let mut active = Active::default();
            for (rest, active) in rest.iter_mut().zip(&mut active) {
                while rest.first().is_some_and(|interval| interval.end <= now) {
                    *rest = &rest[1..];
                }
                if let Some(interval) = rest.first() {
                    *active = interval.start <= now;
                    next = next.min(if *active { interval.end } else { interval.start });
                }
            }
            visit(Interval { start: now, end: next }, active);
            now = next;
        }
    }
}

/// Adds an interval that starts no earlier than the last one; empty ones cover nothing.
fn push(union: &mut Vec<Interval>, interval: Interval) {
    if interval.end <= interval.start {
        return;
    }
    match union.last_mut() {
        Some(last) if interval.start <= last.end => last.end = last.end.max(interval.end),
        _ => union.push(interval),
    }
}

/// The union of two unions.
fn merged(mut a: &[Interval], mut b: &[Interval]) -> Vec<Interval> {
    let mut union = Vec::with_capacity(a.len() + b.len());
    while let (Some(&first_a), Some(&first_b)) = (a.first(), b.first()) {
        if first_a.start <= first_b.start {
            push(&mut union, first_a);
            a = &a[1..];
        } else {
            push(&mut union, first_b);
            b = &b[1..];
        }
    }
    a.iter().chain(b).for_each(|&interval| push(&mut union, interval));
    union
}

/// The summed length of disjoint intervals.
pub fn length(union: &[Interval]) -> i64 {
    union.iter().map(|interval| (interval.end - interval.start).0).sum()
}
