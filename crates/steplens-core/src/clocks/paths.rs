//! Bounds of differences, added up along the shortest paths over all tasks.

use super::bounds::Bound;

/// How many bounds are visited in all: some tens of milliseconds. After these, the shortest paths known by then are used.
const MAX_VISITS: usize = 1 << 23;
/// Every task of a cluster is a few hops from the others; so many are followed, however many tasks there are.
const MIN_HOPS: usize = 64;

/// Distances by row of the task; `None` where no path leads.
pub(super) type Distances = Vec<Option<i64>>;

/// The least upper bounds of `o[task] - o[reference]`, and of `o[reference] - o[task]`, by task.
pub(super) struct Around {
    pub(super) from: Distances,
    pub(super) towards: Distances,
}

/// Whether any offsets keep all `bounds`.
pub(super) fn can_be_kept(tasks: usize, bounds: &[Bound]) -> bool {
    shorten(&mut vec![Some(0); tasks], bounds, |bound| bound.at_most, Way::Forwards)
}

/// Which tasks bounds lead to from `reference`, whichever way these go.
pub(super) fn connected(tasks: usize, reference: usize, bounds: &[Bound]) -> Vec<bool> {
    let back = |bound: &Bound| Bound { from: bound.to, to: bound.from, ..*bound };
    let both_ways: Vec<Bound> = bounds.iter().flat_map(|bound| [*bound, back(bound)]).collect();
    around(tasks, reference, &both_ways, |_| 0).from.iter().map(Option::is_some).collect()
}

/// From `reference` to every task and back.
pub(super) fn around(tasks: usize, reference: usize, bounds: &[Bound], length: fn(&Bound) -> i64) -> Around {
    let paths = |way| {
        let mut reached = vec![None; tasks];
        reached.iter_mut().skip(reference).take(1).for_each(|own| *own = Some(0));
        shorten(&mut reached, bounds, length, way);
        reached
    };
    Around { from: paths(Way::Forwards), towards: paths(Way::Backwards) }
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Forwards,
    Backwards,
}

/// Shortens what is reached along `bounds` (Bellman and Ford, there and back in turn as Yen has it). Whether that came to an
/// end, which it never does around a circle that no offsets keep.
fn shorten(reached: &mut [Option<i64>], bounds: &[Bound], length: fn(&Bound) -> i64, way: Way) -> bool {
    let rounds = (MAX_VISITS / bounds.len().max(1)).max(MIN_HOPS).min(reached.len() + 1);
    for round in 0..rounds {
        let mut is_shorter = false;
        for at in 0..bounds.len() {
            let bound = &bounds[if round % 2 == 0 { at } else { bounds.len() - 1 - at }];
            let (from, to) =
                if way == Way::Forwards { (bound.from, bound.to) } else { (bound.to, bound.from) };
            let Some(path) = reached[from as usize] else { continue };
            let path = path.saturating_add(length(bound));
            if reached[to as usize].is_none_or(|known| path < known) {
                reached[to as usize] = Some(path);
                is_shorter = true;
            }
        }
        if !is_shorter {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(from: u32, to: u32, at_most: i64) -> Bound {
        Bound { from, to, at_most, arrows: 1 }
    }

    #[test]
    fn bounds_add_up_along_paths() {
        // 1 is 10 ahead of 0, and 2 is 5 behind 1; every tensor takes 1 or 2.
        let bounds = [bound(0, 1, 11), bound(1, 0, -8), bound(1, 2, -4), bound(2, 1, 7)];
        let around = around(4, 0, &bounds, |bound| bound.at_most);
        assert_eq!(around.from, [Some(0), Some(11), Some(7), None]);
        assert_eq!(around.towards, [Some(0), Some(-8), Some(-1), None]);
        assert!(can_be_kept(4, &bounds));
        assert!(!can_be_kept(4, &[bound(0, 1, 1), bound(1, 2, 1), bound(2, 0, -3)]));
    }
}
