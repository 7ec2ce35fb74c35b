//! The least correction of clocks, by trying everything: an independent reading of what `docs/figures.md` says, for few tasks.
//!
//! Offsets of least absolute sum under bounds on differences lie at a corner: each task either stays, or is as far from
//! another task as a bound between the two allows. All such choices are tried.

use std::collections::BTreeMap;

/// For sender and receiver the least time from a making to its receipt, in ns.
pub type Slacks = BTreeMap<(usize, usize), i64>;

/// The mean of the tightest cycle, as its sum and its length.
pub fn tightest_cycle(tasks: usize, slacks: &Slacks) -> Option<(i64, i64)> {
    fn walk(path: &mut Vec<usize>, sum: i64, slacks: &Slacks, tasks: usize, best: &mut Option<(i64, i64)>) {
        let (first, last) = (path[0], path[path.len() - 1]);
        for to in first..tasks {
            let Some(slack) = slacks.get(&(last, to)) else { continue };
            if to == first {
                let own = (sum + slack, path.len() as i64);
                if best.is_none_or(|best| own.0 * best.1 < best.0 * own.1) {
                    *best = Some(own);
                }
            } else if !path.contains(&to) {
                path.push(to);
                walk(path, sum + slack, slacks, tasks, best);
                path.pop();
            }
        }
    }
    let mut best = None;
    (0..tasks).for_each(|first| walk(&mut vec![first], 0, slacks, tasks, &mut best));
    best
}

/// Half the mean of the tightest cycle; 0 where there is none.
pub fn margin(tasks: usize, slacks: &Slacks) -> i64 {
    tightest_cycle(tasks, slacks).map_or(0, |(sum, count)| sum / (2 * count))
}

/// Whether no tensor is early by `offsets`, and those to and from tasks that are moved keep the margin.
pub fn is_kept(offsets: &[i64], slacks: &Slacks, margin: i64) -> bool {
    slacks.iter().all(|(&(from, to), slack)| {
        let is_moved = offsets[from] != 0 || offsets[to] != 0;
        offsets[to] - offsets[from] <= slack - if is_moved { margin } else { 0 }
    })
}

/// What the absolute offsets add up to at least.
pub fn least_sum(tasks: usize, slacks: &Slacks) -> i64 {
    let margin = margin(tasks, slacks);
    // What ties a task: to which other one, and how far ahead of that it is.
    let ties: Vec<Vec<Option<(usize, i64)>>> = (0..tasks)
        .map(|task| {
            let of = |(&(from, to), slack): (&(usize, usize), &i64)| {
                if to == task {
                    Some(Some((from, slack - margin)))
                } else if from == task {
                    Some(Some((to, margin - slack)))
                } else {
                    None
                }
            };
            std::iter::once(None).chain(slacks.iter().filter_map(of)).collect()
        })
        .collect();
    let mut choice = vec![0; tasks];
    let mut best = i64::MAX;
    loop {
        if let Some(offsets) = offsets_of(&choice, &ties) {
            let sum = offsets.iter().map(|offset| offset.abs()).sum();
            if sum < best && is_kept(&offsets, slacks, margin) {
                best = sum;
            }
        }
        // The next choice.
        let Some(task) = (0..tasks).find(|&task| choice[task] + 1 < ties[task].len()) else { return best };
        choice[task] += 1;
        choice[..task].fill(0);
    }
}

/// The offsets that follow from a choice; `None` where tasks are tied to each other in a circle.
fn offsets_of(choice: &[usize], ties: &[Vec<Option<(usize, i64)>>]) -> Option<Vec<i64>> {
    let offset = |mut task: usize| {
        let mut sum = 0;
        for _ in 0..=choice.len() {
            let Some((to, ahead)) = ties[task][choice[task]] else { return Some(sum) };
            sum += ahead;
            task = to;
        }
        None
    };
    (0..choice.len()).map(offset).collect()
}
