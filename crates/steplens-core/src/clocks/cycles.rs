//! The least mean over all cycles of bounds: how much room the tightest round trip leaves for each of its tensors.
//!
//! Dinkelbach's method: subtract `m` from every bound. A cycle whose mean is less than `m` then has a negative sum, which Bellman
//! and Ford find. Its mean is the next `m`, until there is no such cycle. Fractions are compared exactly.

use super::work::Work;

/// `o[to] - o[from] <= at_most`, wide enough for sums over any path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constraint {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) at_most: i128,
}

/// A sum over a cycle, and the number of bounds in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mean {
    pub(super) sum: i128,
    pub(super) count: i128,
}

/// The least mean over the cycles of `constraints`; `Some(None)` without a cycle; `None` if the search takes more than `work`.
pub(super) fn least_mean(tasks: usize, constraints: &[Constraint], work: &mut Work) -> Option<Option<Mean>> {
    // Larger than any mean.
    let most = constraints.iter().map(|bound| bound.at_most).max().unwrap_or(0);
    let mut mean = Mean { sum: most + 1, count: 1 };
    let mut found = None;
    loop {
        match cycle_below(tasks, constraints, mean, work)? {
            Some(lower) => {
                mean = lower;
                found = Some(lower);
            }
            None => return Some(found),
        }
    }
}

/// A cycle whose mean is less than `mean`.
fn cycle_below(
    tasks: usize,
    constraints: &[Constraint],
    mean: Mean,
    work: &mut Work,
) -> Option<Option<Mean>> {
    let length = |row: usize| constraints[row].at_most * mean.count - mean.sum;
    let mut reached = vec![0_i128; tasks];
    // For each task the last constraint that shortened the way to it.
    let mut by: Vec<Option<usize>> = vec![None; tasks];
    loop {
        work.spend(constraints.len() + tasks)?;
        let mut is_shorter = false;
        for (row, bound) in constraints.iter().enumerate() {
            let path = reached[bound.from] + length(row);
            if path < reached[bound.to] {
                reached[bound.to] = path;
                by[bound.to] = Some(row);
                is_shorter = true;
            }
        }
        if !is_shorter {
            return Some(None);
        }
        if let Some(cycle) = cycle_of(constraints, &by) {
            return Some(Some(cycle));
        }
    }
}

/// A cycle among the constraints in `by`. The sum of such a cycle is always negative.
fn cycle_of(constraints: &[Constraint], by: &[Option<usize>]) -> Option<Mean> {
    // For each task the walk that visited it first.
    let mut walk_of = vec![usize::MAX; by.len()];
    for start in 0..by.len() {
        let mut task = start;
        while walk_of[task] == usize::MAX {
            walk_of[task] = start;
            let Some(row) = by[task] else { break };
            task = constraints[row].from;
        }
        if walk_of[task] != start || by[task].is_none() {
            continue;
        }
        let mut mean = Mean { sum: 0, count: 0 };
        let first = task;
        while let Some(row) = by[task] {
            mean = Mean { sum: mean.sum + constraints[row].at_most, count: mean.count + 1 };
            task = constraints[row].from;
            if task == first {
                return Some(mean);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(bounds: &[(usize, usize, i128)]) -> Option<Mean> {
        let bounds: Vec<Constraint> =
            bounds.iter().map(|&(from, to, at_most)| Constraint { from, to, at_most }).collect();
        least_mean(4, &bounds, &mut Work::bounded(1 << 20)).unwrap()
    }

    #[test]
    fn the_tightest_round_trip() {
        assert_eq!(mean(&[(0, 1, 3), (1, 2, -9)]), None);
        assert_eq!(mean(&[(0, 1, 11), (1, 0, -8)]), Some(Mean { sum: 3, count: 2 }));
        // The mean is 4 / 3 around three tasks, and 3 / 2 between two.
        let circles = [(0, 1, 11), (1, 0, -8), (1, 2, -5), (2, 0, -2), (3, 2, 0), (2, 3, 90)];
        assert_eq!(mean(&circles), Some(Mean { sum: 4, count: 3 }));
        assert_eq!(mean(&[(0, 1, 0), (1, 0, 0)]), Some(Mean { sum: 0, count: 2 }));
    }

    #[test]
    fn it_gives_up_at_its_bound() {
        let bounds = [Constraint { from: 0, to: 1, at_most: 1 }, Constraint { from: 1, to: 0, at_most: 1 }];
        assert_eq!(least_mean(2, &bounds, &mut Work::bounded(3)), None);
    }
}
