//! The least correction of clocks that the tensors require.
//!
//! If no tensor is received before it was made, no clock is moved, however much room the bounds leave. Otherwise the offsets have
//! the least absolute sum of all offsets with which
//!
//! - no tensor is received before it was made, and
//! - if one of two tasks is moved, every tensor between them still takes at least the margin from its making to its arrival.
//!
//! The margin is half the least mean of the bounds around any cycle of tasks. So it can always be kept, and a clock that is moved
//! ends not at the edge of what is possible, but a little inside. Tasks that are not joined by tensors, not even over other tasks,
//! are separate problems.
//!
//! If several such offsets exist, those are chosen that move the unnecessary tasks least (a task is unnecessary to move if some of
//! these offsets leave it at 0). Of these, those with the least sum of rank times absolute offset, where the rank of a task is its
//! place among its peers by number of transfers, the first device last. Of these, the largest.
//!
//! Which pairs keep the margin depends on which tasks are moved, but this is only open for bounds between 0 and the margin. Such a
//! bound either has two tasks that stay, or is kept with the margin; in both cases its offsets are in order. With this weaker
//! condition instead, the problem is a linear program ([`flow`](super::flow)), whose solution is nearly always the solution of the
//! whole problem. If it is not, both cases are tried in turn, and what cannot be better than the best solution so far is skipped
//! (branch and bound).

use super::bounds::Bound;
use super::cycles::{Constraint, Mean, least_mean};
use super::flow::{NoOffsets, Weight, least_sum};
use super::work::Work;

/// How many constraints are visited before tasks stay as they are: some tenths of a second, and enough for a thousand tasks.
const MAX_VISITS: u64 = 1 << 27;
/// How many constraints are visited to prove that the best offsets so far are the best of all.
const MAX_VISITS_TO_IMPROVE: u64 = 1 << 24;
/// The weight of each task, and the additional weight of a task that need not be moved. The second decides only between equal sums
/// of the first, and the rank only if that decides nothing.
const WEIGHT: i128 = 1 << 96;
const NEEDLESS: i128 = 1 << 48;

/// The result of the search for the least correction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Search {
    /// It was found.
    #[default]
    Done,
    /// Valid offsets were found, but others may have a smaller sum.
    NotProven,
    /// There are too many tasks and bounds: some clocks that differ stay as recorded.
    GivenUp,
}

impl Search {
    /// The code for this value in every output; `None` if nothing is to be reported.
    pub fn code(self) -> Option<&'static str> {
        match self {
            Self::Done => None,
            Self::NotProven => Some("not-proven-least"),
            Self::GivenUp => Some("too-many-bounds"),
        }
    }
}

/// The offset of every task, and whether this is the least correction. `transfers` has the number of transfers of each task. The
/// bounds must be possible to keep.
pub(super) fn least_correction(bounds: &[Bound], transfers: &[u64]) -> (Vec<i64>, Search) {
    let mut offsets = vec![0; transfers.len()];
    let mut search = Search::Done;
    if bounds.iter().all(|bound| bound.at_most >= 0) {
        return (offsets, search);
    }
    let (mut work, mut work_to_improve) = (Work::bounded(MAX_VISITS), Work::bounded(MAX_VISITS_TO_IMPROVE));
    for (tasks, constraints) in groups(bounds, transfers.len()) {
        if constraints.iter().all(|bound| bound.at_most >= 0) {
            continue;
        }
        let counts: Vec<u64> = tasks.iter().map(|&task| transfers[task]).collect();
        match of_group(&constraints, &counts, &mut work, &mut work_to_improve) {
            Some((own, is_least)) => {
                search = search.max(if is_least { Search::Done } else { Search::NotProven });
                let far = i128::from(i64::MAX);
                for (&task, offset) in tasks.iter().zip(own) {
                    offsets[task] = offset.clamp(-far, far) as i64;
                }
            }
            None => search = Search::GivenUp,
        }
    }
    (offsets, search)
}

/// The groups of tasks that are joined by bounds, directly or over other tasks; each with the bounds between its tasks, which name
/// the tasks by their index in the group.
fn groups(bounds: &[Bound], tasks: usize) -> Vec<(Vec<usize>, Vec<Constraint>)> {
    let mut parent: Vec<usize> = (0..tasks).collect();
    fn root(parent: &mut [usize], mut task: usize) -> usize {
        while parent[task] != task {
            parent[task] = parent[parent[task]];
            task = parent[task];
        }
        task
    }
    for bound in bounds {
        let [from, to] = [bound.from, bound.to].map(|task| root(&mut parent, task as usize));
        parent[from.max(to)] = from.min(to);
    }
    let mut groups: Vec<(Vec<usize>, Vec<Constraint>)> = Vec::new();
    // The root of a group is its first task.
    let mut place: Vec<(usize, usize)> = Vec::with_capacity(tasks);
    for task in 0..tasks {
        let root = root(&mut parent, task);
        let group = match root == task {
            true => {
                groups.push((Vec::new(), Vec::new()));
                groups.len() - 1
            }
            false => place[root].0,
        };
        place.push((group, groups[group].0.len()));
        groups[group].0.push(task);
    }
    for bound in bounds {
        let [(group, from), (_, to)] = [bound.from, bound.to].map(|task| place[task as usize]);
        groups[group].1.push(Constraint { from, to, at_most: i128::from(bound.at_most) });
    }
    groups
}

/// The offsets of one group, and whether they are proven to be the least; `None` if the search takes more than `work`.
fn of_group(
    bounds: &[Constraint],
    transfers: &[u64],
    work: &mut Work,
    work_to_improve: &mut Work,
) -> Option<(Vec<i128>, bool)> {
    let cycle = least_mean(transfers.len(), bounds, work)?;
    let margin = cycle.map_or(0, |Mean { sum, count }| sum.max(0) / (2 * count));
    let problem = Problem { bounds, margin, ranks: ranks(transfers) };
    let (offsets, is_least) = problem.any(work)?;
    Some(if is_least { (offsets, true) } else { problem.improved(offsets, work_to_improve) })
}

/// The rank of each task, from 1, by number of transfers; of equal ones the later task has the lower rank.
fn ranks(transfers: &[u64]) -> Vec<i128> {
    let mut tasks: Vec<u32> = (0..transfers.len() as u32).rev().collect();
    tasks.sort_by(|&a, &b| transfers[a as usize].cmp(&transfers[b as usize]));
    let mut ranks = vec![0; transfers.len()];
    (1..).zip(tasks).for_each(|(rank, task)| ranks[task as usize] = rank);
    ranks
}

/// What is assumed about a bound between 0 and the margin.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// Only that its offsets are in order.
    Open,
    /// One of its tasks is moved, so the margin is kept.
    Moved,
    /// Neither of its tasks is moved.
    Stays,
}

struct Problem<'a> {
    bounds: &'a [Constraint],
    margin: i128,
    ranks: Vec<i128>,
}

impl Problem<'_> {
    fn is_either(&self, bound: &Constraint) -> bool {
        bound.at_most >= 0 && bound.at_most < self.margin
    }

    /// The best offsets under the assumptions in `sides`, one for each bound.
    fn solve(&self, sides: &[Side], work: &mut Work) -> Result<Vec<i128>, NoOffsets> {
        let mut stays = vec![false; self.ranks.len()];
        let mut constraints = Vec::with_capacity(self.bounds.len());
        for (bound, side) in self.bounds.iter().zip(sides) {
            let at_most = match side {
                Side::Stays => {
                    stays[bound.from] = true;
                    stays[bound.to] = true;
                    continue;
                }
                Side::Open if self.is_either(bound) => 0,
                _ => bound.at_most - self.margin,
            };
            constraints.push(Constraint { at_most, ..*bound });
        }
        self.least(&constraints, &stays, work)
    }

    /// The offsets of least absolute sum; of several, those that the module documentation describes.
    fn least(
        &self,
        constraints: &[Constraint],
        stays: &[bool],
        work: &mut Work,
    ) -> Result<Vec<i128>, NoOffsets> {
        let weights = |weight: &dyn Fn(usize) -> i128| -> Vec<Weight> {
            let own = |(task, &stays)| if stays { Weight::Stays } else { Weight::Moves(weight(task)) };
            stays.iter().enumerate().map(own).collect()
        };
        let equal = weights(&|_| 1);
        let largest = least_sum(constraints, &equal, work)?;
        // The smallest offsets are the largest of the mirrored problem.
        let mirror = |bound: &Constraint| Constraint { from: bound.to, to: bound.from, ..*bound };
        let smallest = least_sum(&constraints.iter().map(mirror).collect::<Vec<_>>(), &equal, work)?;
        if largest.iter().zip(&smallest).all(|(largest, smallest)| *largest == -smallest) {
            return Ok(largest);
        }
        let is_needless = |task: usize| largest[task] >= 0 && smallest[task] >= 0;
        let weight = |task: usize| WEIGHT + if is_needless(task) { NEEDLESS } else { 0 } + self.ranks[task];
        least_sum(constraints, &weights(&weight), work)
    }

    /// Bounds with a task that is moved, and without the margin.
    fn broken<'a>(&'a self, offsets: &'a [i128]) -> impl Iterator<Item = usize> + 'a {
        let is_broken = |(_, bound): &(usize, &Constraint)| {
            let (from, to) = (offsets[bound.from], offsets[bound.to]);
            (from != 0 || to != 0) && to - from > bound.at_most - self.margin
        };
        self.bounds.iter().enumerate().filter(is_broken).map(|(row, _)| row)
    }

    /// Valid offsets, and whether they are proven to be the best.
    fn any(&self, work: &mut Work) -> Option<(Vec<i128>, bool)> {
        let mut sides = vec![Side::Open; self.bounds.len()];
        let mut is_first = true;
        loop {
            // Offsets exist with the margin everywhere, so they also exist with less.
            let offsets = self.solve(&sides, work).ok()?;
            let broken: Vec<usize> = self.broken(&offsets).collect();
            if broken.is_empty() {
                return Some((offsets, is_first));
            }
            broken.into_iter().for_each(|row| sides[row] = Side::Moved);
            is_first = false;
        }
    }

    /// The best offsets of all, and whether that is proven.
    fn improved(&self, offsets: Vec<i128>, work: &mut Work) -> (Vec<i128>, bool) {
        let sum = |offsets: &[i128]| -> i128 { offsets.iter().map(|offset| offset.abs()).sum() };
        let mut best = (sum(&offsets), offsets);
        let mut open = vec![vec![Side::Open; self.bounds.len()]];
        while let Some(sides) = open.pop() {
            let offsets = match self.solve(&sides, work) {
                Ok(offsets) => offsets,
                Err(NoOffsets::Contradiction) => continue,
                Err(NoOffsets::TooMuchWork) => return (best.1, false),
            };
            let least = sum(&offsets);
            if least >= best.0 {
                continue;
            }
            let Some(row) = self.broken(&offsets).next() else {
                best = (least, offsets);
                continue;
            };
            for side in [Side::Stays, Side::Moved] {
                let mut sides = sides.clone();
                sides[row] = side;
                open.push(sides);
            }
        }
        (best.1, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(bounds: &[(u32, u32, i64)], transfers: &[u64]) -> Vec<i64> {
        let bound = |&(from, to, at_most): &(u32, u32, i64)| Bound { from, to, at_most, arrows: 1 };
        let (offsets, search) = least_correction(&bounds.iter().map(bound).collect::<Vec<_>>(), transfers);
        assert_eq!(search, Search::Done);
        offsets
    }

    #[test]
    fn without_a_violation_nothing_is_moved() {
        assert_eq!(least(&[(0, 1, 90_000), (1, 0, 0), (1, 2, 3)], &[1; 3]), [0, 0, 0]);
        assert_eq!(least(&[], &[1; 2]), [0, 0]);
    }

    #[test]
    fn the_odd_clock_is_moved_and_keeps_the_margin() {
        // Every tensor takes 4; task 1 is ahead by 100.
        let bounds = [(0, 1, 104), (1, 0, -96), (0, 2, 4), (2, 0, 4)];
        assert_eq!(least(&bounds, &[4, 2, 2]), [0, 98, 0]);
        // Now task 0 is behind by 100, as both other tasks show.
        let bounds = [(0, 1, 104), (1, 0, -96), (0, 2, 104), (2, 0, -96)];
        assert_eq!(least(&bounds, &[4, 2, 2]), [-98, 0, 0]);
    }

    #[test]
    fn the_margin_is_asked_of_moved_tasks_only() {
        // The margin is 3. The bound from 2 to 0 does not keep it, but neither of the two is moved.
        let bounds = [(0, 1, 107), (1, 0, -95), (0, 2, 11), (2, 0, 1)];
        assert_eq!(least(&bounds, &[4, 2, 2]), [0, 98, 0]);
        // If task 0 is moved, the bound keeps it.
        let behind = |task| [(0, task, 107), (task, 0, -95)];
        let bounds = [behind(1), behind(2), behind(3), [(0, 4, 11), (4, 0, 1)]].concat();
        assert_eq!(least(&bounds, &[4, 2, 2, 2, 2]), [-98, 0, 0, 0, -90]);
    }

    #[test]
    fn of_equal_sums_the_task_of_few_transfers_is_moved() {
        assert_eq!(least(&[(0, 1, -5), (1, 0, 9)], &[1, 3]), [6, 0]);
        assert_eq!(least(&[(0, 1, -5), (1, 0, 9)], &[3, 1]), [0, -6]);
        // Of equal tasks the later one is moved.
        assert_eq!(least(&[(0, 1, -5), (1, 0, 9)], &[2, 2]), [0, -6]);
    }

    #[test]
    fn of_equal_sums_no_task_is_moved_that_need_not_be() {
        // The margin is 3. If task 2 moved as well, task 1 could move by 3 less.
        let bounds = [(0, 1, -84), (1, 0, 100), (0, 2, 8), (2, 0, 8), (2, 1, -87), (1, 2, 103)];
        assert_eq!(least(&bounds, &[9, 9, 1]), [0, -90, 0]);
    }

    #[test]
    fn groups_do_not_disturb_each_other() {
        // The margin between tasks 2 and 3 is 1, but there is no reason to move them.
        let bounds = [(0, 1, -90), (1, 0, 98), (2, 3, 0), (3, 2, 4)];
        assert_eq!(least(&bounds, &[1; 4]), [0, -92, 0, 0]);
        // Without a cycle there is no margin.
        assert_eq!(least(&[(0, 1, -90), (3, 2, -7)], &[1; 4]), [0, -90, 0, 7]);
    }

    #[test]
    fn nothing_overflows() {
        let far = i64::MAX;
        assert_eq!(least(&[(0, 1, -far), (1, 0, far)], &[1; 2]), [0, -far]);
        assert_eq!(least(&[(0, 1, -far), (1, 2, -far)], &[1; 3]), [far, 0, -far]);
    }
}
