//! The least correction under bounds that are all convex: offsets of least weighted absolute sum with `o[to] - o[from] <= at_most`.
//!
//! The dual of this linear program is a circulation of least cost. Each constraint is an arc with unlimited room, and its bound is
//! the cost. Each task and the true time (the node `origin`) are joined in both directions by arcs of cost 0, whose room is the
//! weight of the task. The offsets are potentials with which no arc with room has a negative cost. Any offsets that keep the bounds
//! are a start: arcs of negative cost are filled, and the excess at some nodes goes by shortest paths to nodes with a deficit
//! (Edmonds and Karp, Tomizawa). All numbers are integers.

use super::cycles::Constraint;
use super::work::Work;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Unlimited room: the weights of all tasks together are far less.
const ANY: i128 = 1 << 124;

/// The cost of moving a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Moves(i128),
    /// The task stays at 0.
    Stays,
}

/// Why there are no offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoOffsets {
    /// No offsets keep the bounds.
    Contradiction,
    TooMuchWork,
}

/// The offsets of least sum of weight times absolute value; of several the largest, task by task.
pub(super) fn least_sum(
    constraints: &[Constraint],
    weights: &[Weight],
    work: &mut Work,
) -> Result<Vec<i128>, NoOffsets> {
    let start = any_offsets(constraints, weights, work)?;
    let mut network = Network::of(constraints, weights, start);
    network.fill_gainful();
    while network.move_excess(work).ok_or(NoOffsets::TooMuchWork)? {}
    network.largest(work).ok_or(NoOffsets::TooMuchWork)
}

/// Offsets that keep the bounds, with 0 for the origin, which comes after the tasks.
fn any_offsets(
    constraints: &[Constraint],
    weights: &[Weight],
    work: &mut Work,
) -> Result<Vec<i128>, NoOffsets> {
    let origin = weights.len();
    let mut offsets = vec![0_i128; origin + 1];
    for _ in 0..=origin + 1 {
        work.spend(constraints.len() + origin).ok_or(NoOffsets::TooMuchWork)?;
        let mut is_lower = false;
        let mut keep = |from: usize, to: usize, at_most: i128| {
            if offsets[from] + at_most < offsets[to] {
                offsets[to] = offsets[from] + at_most;
                is_lower = true;
            }
        };
        constraints.iter().for_each(|bound| keep(bound.from, bound.to, bound.at_most));
        for task in (0..origin).filter(|&task| weights[task] == Weight::Stays) {
            keep(task, origin, 0);
            keep(origin, task, 0);
        }
        if !is_lower {
            let zero = offsets[origin];
            return Ok(offsets.into_iter().map(|offset| offset - zero).collect());
        }
    }
    Err(NoOffsets::Contradiction)
}

/// An arc, and how much more it can carry. The reverse arc is its neighbour, `row ^ 1`.
struct Arc {
    to: usize,
    cost: i128,
    room: i128,
}

struct Network {
    arcs: Vec<Arc>,
    /// The arcs from node `i` are `from[first[i]..first[i + 1]]`.
    from: Vec<usize>,
    first: Vec<usize>,
    offsets: Vec<i128>,
    /// For each node how much more flows in than out.
    excess: Vec<i128>,
}

impl Network {
    fn of(constraints: &[Constraint], weights: &[Weight], offsets: Vec<i128>) -> Self {
        let origin = weights.len();
        let mut arcs: Vec<Arc> = Vec::new();
        let mut add = |from: usize, to: usize, cost: i128, room: i128| {
            arcs.extend([Arc { to, cost, room }, Arc { to: from, cost: -cost, room: 0 }]);
        };
        constraints.iter().for_each(|bound| add(bound.from, bound.to, bound.at_most, ANY));
        for (task, weight) in weights.iter().enumerate() {
            let room = match *weight {
                Weight::Moves(weight) => weight,
                Weight::Stays => ANY,
            };
            add(task, origin, 0, room);
            add(origin, task, 0, room);
        }
        let mut first = vec![0_usize; origin + 2];
        let start = |row: usize| arcs[row ^ 1].to;
        (0..arcs.len()).for_each(|row| first[start(row) + 1] += 1);
        (1..first.len()).for_each(|node| first[node] += first[node - 1]);
        let mut next = first.clone();
        let mut from = vec![0; arcs.len()];
        for row in 0..arcs.len() {
            let place = &mut next[start(row)];
            from[*place] = row;
            *place += 1;
        }
        Self { arcs, from, first, offsets, excess: vec![0; origin + 1] }
    }

    /// The cost of an arc minus the difference of the offsets at its ends.
    fn reduced(&self, row: usize) -> i128 {
        let Arc { to, cost, .. } = self.arcs[row];
        cost + self.offsets[self.arcs[row ^ 1].to] - self.offsets[to]
    }

    fn carry(&mut self, row: usize, amount: i128) {
        self.arcs[row].room -= amount;
        self.arcs[row ^ 1].room += amount;
    }

    /// Fills every arc of negative cost.
    fn fill_gainful(&mut self) {
        for row in 0..self.arcs.len() {
            let room = self.arcs[row].room;
            if room > 0 && self.reduced(row) < 0 {
                let (from, to) = (self.arcs[row ^ 1].to, self.arcs[row].to);
                self.carry(row, room);
                self.excess[from] -= room;
                self.excess[to] += room;
            }
        }
    }

    /// Moves some excess to the nearest node with a deficit; returns false if there is no excess.
    fn move_excess(&mut self, work: &mut Work) -> Option<bool> {
        let starts = (0..self.excess.len()).filter(|&node| self.excess[node] > 0).collect();
        let paths = self.paths(starts, |network, node| network.excess[node] < 0, work)?;
        let Some(end) = paths.end else { return Some(false) };
        let farthest = paths.distance[end].unwrap_or(0);
        for (offset, distance) in self.offsets.iter_mut().zip(&paths.distance) {
            *offset += distance.map_or(farthest, |distance| distance.min(farthest));
        }
        let mut amount = -self.excess[end];
        let mut node = end;
        while let Some(row) = paths.by[node] {
            amount = amount.min(self.arcs[row].room);
            node = self.arcs[row ^ 1].to;
        }
        amount = amount.min(self.excess[node]);
        self.excess[node] -= amount;
        self.excess[end] += amount;
        node = end;
        while let Some(row) = paths.by[node] {
            self.carry(row, amount);
            node = self.arcs[row ^ 1].to;
        }
        Some(true)
    }

    /// The largest of the best offsets: the shortest paths from the origin.
    fn largest(&self, work: &mut Work) -> Option<Vec<i128>> {
        let origin = self.offsets.len() - 1;
        let paths = self.paths(vec![origin], |_, _| false, work)?;
        let offset =
            |task: usize| self.offsets[task] - self.offsets[origin] + paths.distance[task].unwrap_or(0);
        Some((0..origin).map(offset).collect())
    }

    /// Dijkstra's shortest paths over the arcs with room, until a node with `is_end`. Nodes beyond the end have no distance.
    fn paths(&self, starts: Vec<usize>, is_end: fn(&Self, usize) -> bool, work: &mut Work) -> Option<Paths> {
        let nodes = self.offsets.len();
        let mut distance: Vec<Option<i128>> = vec![None; nodes];
        let mut by = vec![None; nodes];
        let mut is_done = vec![false; nodes];
        let mut queue = BinaryHeap::new();
        work.spend(nodes)?;
        for start in starts {
            distance[start] = Some(0);
            queue.push(Reverse((0_i128, start)));
        }
        while let Some(Reverse((length, node))) = queue.pop() {
            if is_done[node] {
                continue;
            }
            is_done[node] = true;
            if is_end(self, node) {
                return Some(Paths { distance, by, end: Some(node) });
            }
            let own = &self.from[self.first[node]..self.first[node + 1]];
            work.spend(own.len())?;
            for &row in own.iter().filter(|&&row| self.arcs[row].room > 0) {
                let (to, length) = (self.arcs[row].to, length + self.reduced(row));
                if distance[to].is_none_or(|known| length < known) {
                    distance[to] = Some(length);
                    by[to] = Some(row);
                    queue.push(Reverse((length, to)));
                }
            }
        }
        Some(Paths { distance, by, end: None })
    }
}

struct Paths {
    /// Upper bounds: a node that was not reached yet may be nearer, but not nearer than the end.
    distance: Vec<Option<i128>>,
    /// The arc by which each node was reached.
    by: Vec<Option<usize>>,
    end: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(bounds: &[(usize, usize, i128)], weights: &[i128]) -> Result<Vec<i128>, NoOffsets> {
        let bounds: Vec<Constraint> =
            bounds.iter().map(|&(from, to, at_most)| Constraint { from, to, at_most }).collect();
        let weights: Vec<Weight> = weights
            .iter()
            .map(|&weight| if weight == 0 { Weight::Stays } else { Weight::Moves(weight) })
            .collect();
        least_sum(&bounds, &weights, &mut Work::bounded(1 << 20))
    }

    #[test]
    fn the_odd_one_is_moved() {
        // Tasks 1 to 3 are at least 9 behind task 0, so task 0 is moved.
        let bounds = [(0, 1, -9), (0, 2, -9), (0, 3, -9), (1, 0, 10), (2, 0, 10)];
        assert_eq!(offsets(&bounds, &[1; 4]), Ok(vec![9, 0, 0, 0]));
        // Unless task 0 must not be moved, or weighs more than the others.
        assert_eq!(offsets(&bounds, &[0, 1, 1, 1]), Ok(vec![0, -9, -9, -9]));
        assert_eq!(offsets(&bounds, &[4, 1, 1, 1]), Ok(vec![0, -9, -9, -9]));
    }

    #[test]
    fn what_holds_already_is_left_alone() {
        assert_eq!(offsets(&[(0, 1, 0), (1, 0, 7), (2, 0, 3)], &[1; 3]), Ok(vec![0, 0, 0]));
        assert_eq!(offsets(&[], &[1; 2]), Ok(vec![0, 0]));
    }

    #[test]
    fn of_equal_sums_the_largest_offsets() {
        assert_eq!(offsets(&[(0, 1, -5)], &[1; 2]), Ok(vec![5, 0]));
        assert_eq!(offsets(&[(0, 1, -5)], &[2, 1]), Ok(vec![0, -5]));
    }

    #[test]
    fn there_may_be_none() {
        assert_eq!(offsets(&[(0, 1, -5), (1, 0, 4)], &[1; 2]), Err(NoOffsets::Contradiction));
        assert_eq!(offsets(&[(0, 1, -5)], &[0; 2]), Err(NoOffsets::Contradiction));
        let bounds = [Constraint { from: 0, to: 1, at_most: -1 }];
        assert_eq!(
            least_sum(&bounds, &[Weight::Moves(1); 2], &mut Work::bounded(2)),
            Err(NoOffsets::TooMuchWork)
        );
    }
}
