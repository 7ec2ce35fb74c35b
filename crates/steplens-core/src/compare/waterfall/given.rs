//! Replays of the longer step in which groups have the lengths of the other step.

use super::entries::{Entry, Steps};
use super::groups::Group;
use crate::base::pace::Pace;
use crate::base::units::Nanos;
use crate::replay::Scenario;
use std::cmp::Reverse;

/// The most nodes that are replayed in all, but for [`LEAST_RUNS`]: of small steps many groups are tried, of large ones few.
const MOST_NODES: usize = 2_000_000;
const LEAST_RUNS: usize = 5;
const MOST_RUNS: usize = 64;
/// From this number of replays on, groups are tried one by one before they are put in order.
const RUNS_TO_RANK: usize = 40;
/// The most groups that become bars because the step gains most by them.
const MOST_GAINING: usize = 8;
/// The most groups that become bars because they changed most, though the step gains little or nothing by them.
const MOST_CHANGED: usize = 6;
/// The most bars.
pub const MOST_BARS: usize = MOST_GAINING + MOST_CHANGED;
/// A group that changed by at least this part of the longer step is a bar even if the step gains nothing by it; in percent.
const LARGE_PERCENT: i128 = 1;

/// What the groups change.
pub(super) struct Explained {
    /// Those that were replayed, in the order in which they were given the lengths of the other step; each with what the longer step
    /// gained by it. Those without a gain changed by a large part of it.
    pub(super) groups: Vec<(Group, Nanos)>,
    /// How many ops of executors ran at once in the longer step and in the other one, and what the longer step gains by as many threads.
    pub(super) threads: Option<([u32; 2], Nanos)>,
    /// All other groups, and what they add together.
    pub(super) others: usize,
    pub(super) of_others: Nanos,
}

struct Given<'a> {
    steps: &'a Steps<'a>,
    scenarios: [Scenario; 2],
    lengths: [i64; 2],
    runs_left: usize,
}

impl Given<'_> {
    /// What a replay of each changed scenario takes.
    fn lengths(&mut self, scenarios: &[Scenario; 2], changed: [bool; 2]) -> [i64; 2] {
        let mut lengths = self.lengths;
        for (side, step) in [&self.steps.own, &self.steps.other].into_iter().enumerate() {
            if changed[side] {
                lengths[side] = step.replay.run(&scenarios[side]).length().0;
                self.runs_left = self.runs_left.saturating_sub(1);
            }
        }
        lengths
    }

    /// How much longer the longer step is, next to the other one, for what `entries` spend in it.
    fn gained(&self, lengths: [i64; 2]) -> i64 {
        let [own, other] = [0, 1].map(|side: usize| self.lengths[side].saturating_sub(lengths[side]));
        own.saturating_sub(other)
    }

    /// Gives the longer step as many threads as the other one has, if that changes a large part of it. Returns what the step gains by it.
    fn threads(&mut self, [own, other]: [u32; 2]) -> Option<Nanos> {
        let scenario = self.steps.own.replay.with_threads(other).filter(|_| own != other)?;
        let length = self.steps.own.replay.run(&scenario).length().0;
        self.runs_left = self.runs_left.saturating_sub(1);
        let gained = self.lengths[0].saturating_sub(length);
        if !is_large(gained.unsigned_abs(), self.lengths[0]) {
            return None;
        }
        (self.scenarios[0], self.lengths[0]) = (scenario, length);
        Some(Nanos(gained))
    }

    fn alone(&mut self, group: &Group) -> i64 {
        let mut scenarios = self.scenarios.clone();
        let changed = self.steps.give(&group.entries, &mut scenarios);
        let lengths = self.lengths(&scenarios, changed);
        self.gained(lengths)
    }

    fn next<'g>(&mut self, groups: impl Iterator<Item = &'g [Entry]>) -> Nanos {
        let mut scenarios = self.scenarios.clone();
        let mut changed = [false; 2];
        for entries in groups {
            let own = self.steps.give(entries, &mut scenarios);
            changed = [changed[0] | own[0], changed[1] | own[1]];
        }
        let lengths = self.lengths(&scenarios, changed);
        let gained = self.gained(lengths);
        (self.scenarios, self.lengths) = (scenarios, lengths);
        Nanos(gained)
    }
}

/// Whether a step of this length has a bar for a change of `change`.
fn is_large(change: u64, length: i64) -> bool {
    i128::from(change) * 100 >= i128::from(length) * LARGE_PERCENT
}

/// How many replays are made of steps with this number of nodes.
fn runs(nodes: usize) -> usize {
    (MOST_NODES / nodes.max(1)).clamp(LEAST_RUNS, MOST_RUNS)
}

/// Gives the groups, likely ones first, the lengths of the other step, after its threads. `at_once` is how many ops of executors ran at once in
/// the longer step, and in the other one.
pub(super) async fn explained(
    steps: &Steps<'_>,
    mut groups: Vec<Group>,
    at_once: Option<[u32; 2]>,
    pace: &Pace,
) -> Explained {
    let nodes = steps.own.replay.nodes().max(steps.other.replay.nodes());
    let replays = [steps.own.replay, steps.other.replay];
    let mut given = Given {
        steps,
        scenarios: replays.map(|replay| replay.as_recorded()),
        lengths: replays.map(|replay| replay.unchanged().length().0),
        runs_left: runs(nodes),
    };
    let longest = given.lengths[0];
    let threads = at_once.and_then(|both| Some((both, given.threads(both)?)));
    pace.worked(nodes).await;
    if given.runs_left >= RUNS_TO_RANK {
        // A bar may take a replay of each step, and so may the rest.
        let least = 2 * (MOST_BARS + 1);
        let mut alone = Vec::new();
        for group in &groups {
            if given.runs_left < least + 2 {
                break;
            }
            alone.push(given.alone(group).unsigned_abs());
            pace.worked(nodes).await;
        }
        let mut left = groups.split_off(alone.len());
        let mut tried: Vec<(u64, Group)> = alone.into_iter().zip(groups).collect();
        tried.sort_by_key(|(gained, _)| Reverse(*gained));
        groups = tried.into_iter().map(|(_, group)| group).collect();
        groups.append(&mut left);
        let mut others = groups.split_off(groups.len().min(MOST_GAINING));
        others.sort_by_key(|group| Reverse(group.change()));
        groups.append(&mut others);
    }
    let is_large = |group: &Group| is_large(group.change(), longest);
    let mut found = Explained { groups: Vec::new(), threads, others: 0, of_others: Nanos(0) };
    let mut left = groups.into_iter();
    let mut others: Vec<Group> = Vec::new();
    // The last replay of each step is that of all others.
    let most = MOST_BARS - usize::from(threads.is_some());
    while found.groups.len() < most && given.runs_left > 2 {
        let Some(group) = left.next() else { break };
        if found.groups.len() >= MOST_GAINING && !is_large(&group) {
            others.push(group);
            break;
        }
        let gained = given.next(std::iter::once(group.entries.as_slice()));
        let gained = Nanos(by_its_own_change(gained.0, group.grew, group.shrank));
        pace.worked(nodes).await;
        if gained != Nanos(0) || is_large(&group) {
            found.groups.push((group, gained));
        } else {
            found.others += 1;
        }
    }
    others.extend(left);
    if !others.is_empty() {
        found.of_others = given.next(others.iter().map(|group| group.entries.as_slice()));
        found.others += others.len();
        pace.worked(nodes).await;
    }
    found
}

/// What of the `gained` time the ops of a group explain that `grew` and `shrank` by so much. A step can change by more than its ops do: where
/// more ops are ready than threads are free, a small change gives all of them another order. That is no effect of these ops' time.
fn by_its_own_change(gained: i64, grew: i64, shrank: i64) -> i64 {
    let growth = grew.saturating_sub(shrank);
    match (shrank.saturating_neg()..=grew).contains(&gained) {
        true => gained,
        false if gained.signum() == growth.signum() => growth,
        false => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_explain_no_more_than_their_own_change() {
        assert_eq!(by_its_own_change(7, 23, 3), 7);
        assert_eq!(by_its_own_change(-3, 23, 3), -3);
        assert_eq!(by_its_own_change(25, 23, 3), 20);
        assert_eq!(by_its_own_change(-25, 12, 14), -2);
        assert_eq!(by_its_own_change(-25, 14, 12), 0);
    }

    #[test]
    fn large_steps_are_replayed_less_often() {
        assert_eq!([0, 1_000, 100_000, 250_500, 5_000_000].map(runs), [64, 64, 20, 7, 5]);
    }
}
