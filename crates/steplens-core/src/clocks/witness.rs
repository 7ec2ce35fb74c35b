//! Offsets that keep nearly all arrows, where broken timestamps make bounds that no offsets keep together.
//!
//! If only few tensors went between two tasks, these do not show which tensor is broken; but the other tasks do. Each task in turn
//! is moved to where the fewest of its arrows are broken, while the others stay, until no task moves. The arrows that are broken
//! then are left out; the others can be kept, because these offsets keep them.

use super::arrows::Arrow;
use super::bounds::{Bound, kept_by_most};
use crate::base::order;
use std::cmp::Reverse;

/// How many times every task is moved. It is seldom needed more than three times.
const MAX_ROUNDS: usize = 8;
/// How many hops from the reference the first offsets reach.
const MAX_HOPS: usize = 64;

/// (task, row of an arrow from or to it).
type Incident = (u32, u32);

/// The offset of each task; 0 for tasks without arrows.
pub(super) fn offsets(arrows: &[Arrow], tasks: usize, reference: usize, bounds: &[Bound]) -> Vec<i64> {
    let mut offsets = first_offsets(tasks, reference, bounds);
    let ends = |(row, arrow): (usize, &Arrow)| [(arrow.source, row as u32), (arrow.destination, row as u32)];
    let mut incident: Vec<Incident> = arrows.iter().enumerate().flat_map(ends).collect();
    order::by_number(&mut incident, |(task, _)| (i64::from(task), 0));
    for _ in 0..MAX_ROUNDS {
        let mut is_moved = false;
        for own in incident.chunk_by(|a, b| a.0 == b.0) {
            let task = own.first().map_or(0, |&(task, _)| task);
            let (mut lowers, mut uppers) = (Vec::new(), Vec::new());
            for arrow in own.iter().map(|&(_, row)| &arrows[row as usize]) {
                match arrow.source == task {
                    true => lowers.push(offsets[arrow.destination as usize].saturating_sub(arrow.slack())),
                    false => uppers.push(offsets[arrow.source as usize].saturating_add(arrow.slack())),
                }
            }
            order::by_number(&mut lowers, |x| (x, 0));
            order::by_number(&mut uppers, |x| (x, 0));
            let (low, high) = kept_by_most(&lowers, &uppers);
            let offset = &mut offsets[task as usize];
            if low.is_some_and(|low| *offset < low) || high.is_some_and(|high| *offset > high) {
                *offset = between(low, high);
                is_moved = true;
            }
        }
        if !is_moved {
            break;
        }
    }
    offsets
}

/// The offsets that pairs of tasks imply, starting from the reference; the pairs with the most tensors come first.
fn first_offsets(tasks: usize, reference: usize, bounds: &[Bound]) -> Vec<i64> {
    let mut by_weight: Vec<&[Bound]> = bounds
        .chunk_by(|a, b| (a.from.min(a.to), a.from.max(a.to)) == (b.from.min(b.to), b.from.max(b.to)))
        .collect();
    by_weight.sort_by_key(|&row| Reverse(weight(row)));
    let mut offsets = vec![0; tasks];
    let mut is_known = vec![false; tasks];
    is_known.iter_mut().skip(reference).take(1).for_each(|own| *own = true);
    for _ in 0..MAX_HOPS {
        let mut is_new = false;
        for own in &by_weight {
            let Some(&Bound { from, to, .. }) = own.first() else { continue };
            let (known, new) = match (is_known[from as usize], is_known[to as usize]) {
                (true, false) => (from, to),
                (false, true) => (to, from),
                _ => continue,
            };
            let high = own.iter().find(|bound| bound.to == new).map(|bound| bound.at_most);
            let low = own.iter().find(|bound| bound.from == new).map(|bound| bound.at_most.saturating_neg());
            offsets[new as usize] = between(low, high).saturating_add(offsets[known as usize]);
            is_known[new as usize] = true;
            is_new = true;
        }
        if !is_new {
            break;
        }
    }
    offsets
}

/// Tensors in both directions count most.
fn weight(own: &[Bound]) -> (usize, u32) {
    (own.len(), own.first().map_or(0, |bound| bound.arrows))
}

fn between(low: Option<i64>, high: Option<i64>) -> i64 {
    match (low, high) {
        (Some(low), Some(high)) => low.saturating_add(high.saturating_sub(low) / 2),
        _ => low.or(high).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounds::bounds;
    use super::*;
    use crate::OpId;
    use crate::base::units::Timestamp;

    #[test]
    fn what_contradicts_the_others_is_broken() {
        let arrow = |source, destination, slack| Arrow {
            source,
            destination,
            op: OpId::from_usize(0),
            made: Timestamp(0),
            sent: Timestamp(slack),
            received: Timestamp(slack),
            of: super::super::arrows::BoundOf::Tensor,
        };
        // Around the circle 0, 1, 2 the times cannot all be right; the single tensor between 2 and 0 is the broken one.
        let arrows = [
            arrow(0, 1, 1),
            arrow(0, 1, 2),
            arrow(1, 0, 1),
            arrow(2, 0, -50),
            arrow(1, 2, 1),
            arrow(1, 2, 2),
            arrow(2, 1, 1),
        ];
        assert_eq!(offsets(&arrows, 3, 0, &bounds(&arrows)), [0, 0, 0]);
    }
}
