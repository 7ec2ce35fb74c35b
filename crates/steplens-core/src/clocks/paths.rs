//! Bounds of differences, summed along the shortest paths over all tasks.

use super::bounds::Bound;

/// How many bounds are visited in all: some tens of milliseconds. After that, the shortest paths known so far are used.
const MAX_VISITS: usize = 1 << 23;
/// Paths of this many hops are followed, however many tasks there are: every task of a cluster is a few hops from the others.
const MIN_HOPS: usize = 64;

/// Distances by row of the task; `None` without a path.
pub(super) type Distances = Vec<Option<i64>>;

/// For each task the least upper bounds of `o[task] - o[reference]`, and of `o[reference] - o[task]`.
pub(super) struct Around {
    pub(super) from: Distances,
    pub(super) towards: Distances,
    /// Whether there may be shorter paths.
    pub(super) is_given_up: bool,
}

/// The result of following bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Followed {
    /// All paths are known.
    ToTheEnd,
    /// A circle gets shorter without end: no offsets keep its bounds.
    RoundACircle,
    /// Not known, because there are too many bounds and too long paths.
    GivenUp,
}

/// Whether any offsets keep all `bounds`.
pub(super) fn can_be_kept(tasks: usize, bounds: &[Bound]) -> Followed {
    shorten(&mut vec![Some(0); tasks], bounds, |bound| bound.at_most, Way::Forwards)
}

/// The tasks that are joined to `reference` by bounds in any direction; and whether there may be more.
pub(super) fn connected(tasks: usize, reference: usize, bounds: &[Bound]) -> (Vec<bool>, bool) {
    let back = |bound: &Bound| Bound { from: bound.to, to: bound.from, ..*bound };
    let both_ways: Vec<Bound> = bounds.iter().flat_map(|bound| [*bound, back(bound)]).collect();
    let around = around(tasks, reference, &both_ways, |_| 0);
    (around.from.iter().map(Option::is_some).collect(), around.is_given_up)
}

/// The distances from `reference` to every task and back.
pub(super) fn around(tasks: usize, reference: usize, bounds: &[Bound], length: fn(&Bound) -> i64) -> Around {
    let paths = |way| {
        let mut reached = vec![None; tasks];
        reached.iter_mut().skip(reference).take(1).for_each(|own| *own = Some(0));
        let followed = shorten(&mut reached, bounds, length, way);
        (reached, followed == Followed::GivenUp)
    };
    let (from, is_cut) = paths(Way::Forwards);
    let (towards, is_cut_too) = paths(Way::Backwards);
    Around { from, towards, is_given_up: is_cut || is_cut_too }
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Forwards,
    Backwards,
}

/// Shortens the distances in `reached` along `bounds` (Bellman and Ford, forward and back in turn as Yen proposed).
fn shorten(reached: &mut [Option<i64>], bounds: &[Bound], length: fn(&Bound) -> i64, way: Way) -> Followed {
    // A path without repeated tasks has at most as many hops as there are tasks.
    let enough = reached.len() + 1;
    let rounds = (MAX_VISITS / bounds.len().max(1)).max(MIN_HOPS).min(enough);
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
            return Followed::ToTheEnd;
        }
    }
    if rounds == enough { Followed::RoundACircle } else { Followed::GivenUp }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(from: u32, to: u32, at_most: i64) -> Bound {
        Bound { from, to, at_most, arrows: 1 }
    }

    #[test]
    fn bounds_add_up_along_paths() {
        // Task 1 is 10 ahead of task 0, and task 2 is 5 behind task 1; every tensor takes 1 or 2.
        let bounds = [bound(0, 1, 11), bound(1, 0, -8), bound(1, 2, -4), bound(2, 1, 7)];
        let around = around(4, 0, &bounds, |bound| bound.at_most);
        assert_eq!(around.from, [Some(0), Some(11), Some(7), None]);
        assert_eq!(around.towards, [Some(0), Some(-8), Some(-1), None]);
        assert_eq!(can_be_kept(4, &bounds), Followed::ToTheEnd);
        let circle = [bound(0, 1, 1), bound(1, 2, 1), bound(2, 0, -3)];
        assert_eq!(can_be_kept(4, &circle), Followed::RoundACircle);
    }

    /// A chain of tasks whose bounds are in the worst order, and repeated until there is no time to follow them.
    #[test]
    fn what_takes_too_long_is_given_up() {
        let tasks = 20_000_u32;
        let hop = |at: u32| (at * 7_919) % (tasks - 1);
        let bounds: Vec<Bound> = (0..160_000).map(hop).map(|at| bound(at, at + 1, -1)).collect();
        assert!(MAX_VISITS / bounds.len() < MIN_HOPS);
        let around = around(tasks as usize, 0, &bounds, |bound| bound.at_most);
        assert!(around.is_given_up);
        assert!(around.from[1] == Some(-1) && around.from.iter().any(Option::is_none));
        assert_eq!(can_be_kept(tasks as usize, &bounds), Followed::GivenUp);
    }
}
