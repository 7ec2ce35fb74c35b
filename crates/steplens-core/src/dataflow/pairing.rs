//! Pairing: which run of a node used which run of the node that makes its input.
//!
//! The runs of both nodes are in order. If both ran equally often, the first run used the output of the first run, and so on. If
//! not, the rules of TensorFlow's control flow explain the difference, or the times leave only one candidate, or the pair stays
//! undecided.
//!
//! | node | rule |
//! |---|---|
//! | `Merge` | continues with the input that came: the runs of its inputs, sorted together, are as many as its own |
//! | `Exit` | takes the last output of the `Switch` before it |
//! | after a loop's `Switch` | each run except those whose output went to `Exit` |
//! | also after nodes that the loop's condition needs | one run more than the body: the last run has no user |
//! | `ControlTrigger` | runs once more than the body, and that run has no effect |

use super::DataFlow;
use super::runs::ExecutionDevice;
use crate::Trace;
use crate::base::ids::{DeviceId, GraphNodeId, OpId};
use crate::base::order;
use crate::base::units::Timestamp;
use crate::model::label::{self, InputRef};

/// How many runs are searched for the last one that ended by a certain time. Runs of one node overlap only if they run in parallel,
/// so a few are enough. The bound keeps hostile files from costing n². If it is reached, all runs are candidates.
const MAX_LOOK_BACK: usize = 64;
/// How many inputs of a `Merge` are sorted together. Real `Merge` nodes have two, or one for each branch of a `case`. If there are
/// more, all runs are candidates.
const MAX_MERGED: usize = 64;

/// The run of the maker that a user took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// The index of the run among the runs of the maker. It never decreases from one run of the user to the next.
    pub(crate) run: usize,
    /// The number of candidates: 1 if it is decided; 0 if this user took none, and only a later user will take `run`.
    pub(crate) candidates: u32,
}

/// An op that uses an input, as one of the runs of its node.
#[derive(Clone, Copy)]
pub(crate) struct User<'a> {
    pub(crate) op: OpId,
    pub(crate) place: ExecutionDevice,
    pub(crate) runs: &'a [OpId],
    /// The index of `op` among the runs.
    pub(crate) run: usize,
    /// The node of `op` in the graph, if the graph has it.
    pub(crate) node: Option<GraphNodeId>,
}

impl User<'_> {
    /// Run number `run` of the same node.
    pub(crate) fn at(self, run: usize) -> Self {
        Self { op: self.runs[run], run, ..self }
    }
}

/// Which of `made` runs was used by run `run` of `runs`, from the counts alone. If the counts differ, `last_ended` gives the last
/// run of the maker that had ended before.
pub(crate) fn by_order(run: usize, runs: usize, made: usize, last_ended: impl FnOnce() -> Ended) -> Pair {
    let last = made.saturating_sub(1);
    let shifted = (made + run).saturating_sub(runs).min(last);
    let (low, high) = (run.min(shifted).min(last), run.max(shifted).min(last));
    if low == high {
        return Pair { run: low, candidates: 1 };
    }
    let ended = last_ended();
    let run = ended.run.map_or(low, |run| run.clamp(low, high));
    let high = if ended.is_certain { run } else { high };
    Pair { run, candidates: (high - low) as u32 + 1 }
}

/// The last run that ended by a certain time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    /// The index of the run; `None` if no run had ended.
    pub(crate) run: Option<usize>,
    /// False if it may be an earlier run because [`MAX_LOOK_BACK`] was reached.
    pub(crate) is_certain: bool,
}

impl Ended {
    /// The run at this index, for certain.
    pub(crate) fn certainly(run: Option<usize>) -> Self {
        Self { run, is_certain: true }
    }
}

/// The last of `runs` that ended by `time`.
pub(crate) fn last_ended(trace: &Trace, runs: &[OpId], time: Timestamp) -> Ended {
    let started = runs.partition_point(|&op| trace.ops().start(op) <= time);
    let near = started.saturating_sub(MAX_LOOK_BACK)..started;
    let found = near.clone().rev().find(|&run| trace.ops().end(runs[run]) <= time);
    Ended { run: found.or(near.start.checked_sub(1)), is_certain: found.is_some() || near.start == 0 }
}

impl DataFlow {
    /// Which of `made` the op `user` took as its `input`. `made` are the runs of the node that makes the input, at least one, and
    /// on the device of the user.
    pub(crate) fn pair(&self, trace: &Trace, user: &User<'_>, input: InputRef<'_>, made: &[OpId]) -> Pair {
        let (runs, run, last) = (user.runs.len(), user.run, made.len() - 1);
        let certain = |run| Pair { run, candidates: 1 };
        let ended = || last_ended(trace, made, trace.ops().start(user.op));
        let uses = kind(trace, user.op);
        if uses == ControlFlow::Merge {
            return self.merged(trace, user, made);
        }
        let pair = if last == 0 {
            return certain(0);
        } else if runs == made.len() {
            certain(run)
        } else if uses == ControlFlow::ControlTrigger && runs == made.len() + 1 {
            return Pair { run, candidates: u32::from(run <= last) };
        } else if uses == ControlFlow::Exit && runs < made.len() {
            let ended = if runs == 1 { Ended::certainly(Some(last)) } else { ended() };
            let candidates = if ended.is_certain { 1 } else { made.len() as u32 };
            return Pair { run: ended.run.map_or(run, |ended| ended.clamp(run, last)), candidates };
        } else if runs + 1 == made.len() && self.is_loop(user.place, made.len()) {
            certain(run)
        } else if let Some(run) = self.after_switch(trace, user, input, made) {
            certain(run)
        } else {
            by_order(run, runs, made.len(), ended)
        };
        // A run that started after its user cannot have been used by it, whatever the counts say.
        let is_backwards = trace.ops().start(made[pair.run]) > trace.ops().start(user.op);
        if is_backwards { Pair { candidates: made.len() as u32, ..pair } } else { pair }
    }

    /// A `Merge` runs once for each run of any of its inputs: finds the run in `made` that has the same index among the runs of all
    /// inputs as `user` has among the runs of the `Merge`.
    fn merged(&self, trace: &Trace, user: &User<'_>, made: &[OpId]) -> Pair {
        let mut lists: Vec<&[OpId]> = Vec::new();
        let mut inputs = self.inputs(trace, user.op, user.node);
        for (input, maker) in inputs.by_ref().take(MAX_MERGED) {
            let runs = self.makers(trace, user.place, input, maker);
            if !input.control && !runs.is_empty() && !lists.iter().any(|list| std::ptr::eq(*list, runs)) {
                lists.push(runs);
            }
        }
        let all: usize = lists.iter().map(|list| list.len()).sum();
        let more = inputs.count();
        if all != user.runs.len() || more > 0 {
            let pair = by_order(user.run, user.runs.len(), made.len(), || {
                last_ended(trace, made, trace.ops().start(user.op))
            });
            return Pair { candidates: pair.candidates.max((lists.len() + more) as u32), ..pair };
        }
        // The ops of a device are in order of start.
        let before =
            |op: OpId| lists.iter().map(|list| list.partition_point(|&other| other < op)).sum::<usize>();
        let run = made.partition_point(|&op| before(op) < user.run);
        let Some(&maker) = made.get(run).filter(|&&op| before(op) == user.run) else {
            return Pair { run, candidates: 0 };
        };
        let is_backwards = trace.ops().start(maker) > trace.ops().start(user.op);
        Pair { run, candidates: if is_backwards { all as u32 } else { 1 } }
    }

    /// Whether a loop's condition ran `times` times at `place`.
    fn is_loop(&self, place: ExecutionDevice, times: usize) -> bool {
        let runs = u32::try_from(times).map(|runs| LoopRuns {
            execution: place.execution,
            device: place.device,
            runs,
        });
        runs.is_ok_and(|found| self.loops.binary_search_by_key(&found.key(), LoopRuns::key).is_ok())
    }

    /// Which of `made` the op `user` took, where `made` are the runs of a `Switch` and the other runs went to an `Exit`.
    fn after_switch(
        &self,
        trace: &Trace,
        user: &User<'_>,
        input: InputRef<'_>,
        made: &[OpId],
    ) -> Option<usize> {
        let switch = *made.first()?;
        if kind(trace, switch) != ControlFlow::Switch || input.control {
            return None;
        }
        let name = trace.nodes().name(trace.ops().node(switch));
        let switch = self.graph.node(trace, &self.executions, name, user.place)?;
        let exits = self.runs_of_node(trace, self.graph.exit_of(switch)?, user.place);
        if exits.is_empty() || user.runs.len() + exits.len() != made.len() {
            return None;
        }
        // Exit number i took run `taken(i)`. Of the runs before it, all except i did not go to an Exit.
        let taken = |exit: usize| {
            let last = made.len() - exits.len() + exit;
            let ended = last_ended(trace, made, trace.ops().start(exits[exit]));
            (ended.run.map_or(exit, |run| run.clamp(exit, last)), ended.is_certain)
        };
        let (mut low, mut high) = (0, exits.len());
        while low < high {
            let middle = (low + high) / 2;
            let (run, is_certain) = taken(middle);
            if !is_certain {
                return None;
            }
            if run - middle <= user.run { low = middle + 1 } else { high = middle }
        }
        Some(user.run + low)
    }
}

/// What a node does with the order of its runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ControlFlow {
    Merge,
    Switch,
    Exit,
    ControlTrigger,
    Plain,
}

fn kind(trace: &Trace, op: OpId) -> ControlFlow {
    match trace.text(trace.nodes().op_type(trace.ops().node(op))) {
        "Merge" | "RefMerge" => ControlFlow::Merge,
        "Switch" | "RefSwitch" => ControlFlow::Switch,
        "Exit" | "RefExit" => ControlFlow::Exit,
        "ControlTrigger" => ControlFlow::ControlTrigger,
        _ => ControlFlow::Plain,
    }
}

/// How many times the condition of a loop ran at a place.
#[derive(Clone, Copy)]
pub(super) struct LoopRuns {
    execution: u32,
    device: DeviceId,
    runs: u32,
}

impl LoopRuns {
    fn key(&self) -> (u32, u32, u32) {
        (self.execution, self.device.get(), self.runs)
    }
}

/// How many times each `LoopCond` ran at each place; sorted.
pub(super) fn loops(trace: &Trace, flow: &DataFlow) -> Vec<LoopRuns> {
    let nodes = trace.nodes();
    let is_loop = |node: &crate::NodeId| trace.text(nodes.op_type(*node)) == "LoopCond";
    let mut rows: Vec<u32> =
        nodes.ids().filter(is_loop).filter_map(|node| flow.runs.row(nodes.name(node))).collect();
    order::by_number(&mut rows, |row| (i64::from(row), 0));
    rows.dedup();
    let mut loops = Vec::new();
    for row in rows {
        let mut rest = flow.runs.of_name(row);
        while let Some(&first) = rest.first() {
            let ExecutionDevice { execution, device } = flow.place(trace, first);
            let runs =
                flow.runs.on(trace, &flow.executions, row, ExecutionDevice { execution, device }).len();
            loops.push(LoopRuns { execution, device, runs: runs as u32 });
            rest = &rest[runs.max(1)..];
        }
    }
    let pair = |first: u32, second: u32| i64::from(first) << 32 | i64::from(second);
    order::by_number(&mut loops, |place| (pair(place.execution, place.device.get()), i64::from(place.runs)));
    loops.dedup_by_key(|place| place.key());
    loops.shrink_to_fit();
    loops
}

/// The inputs that the label of `op` names.
pub(super) fn label_inputs(trace: &Trace, op: OpId) -> impl Iterator<Item = InputRef<'_>> {
    label::inputs(trace.text(trace.nodes().label(trace.ops().node(op))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(runs: usize, made: usize, ended: &[usize]) -> Vec<(usize, u32)> {
        let pair = |run| by_order(run, runs, made, || Ended::certainly(ended.get(run).copied()));
        (0..runs).map(pair).map(|pair| (pair.run, pair.candidates)).collect()
    }

    #[test]
    fn runs_pair_in_order() {
        assert_eq!(pairs(3, 3, &[]), [(0, 1), (1, 1), (2, 1)]);
        assert_eq!(pairs(3, 1, &[]), [(0, 1), (0, 1), (0, 1)]);
        // One run of the maker has no user: the last run to end decides, where only one is possible.
        assert_eq!(pairs(2, 3, &[0, 1]), [(0, 1), (1, 1)]);
        assert_eq!(pairs(2, 3, &[1, 2]), [(1, 2), (2, 2)]);
        assert_eq!(pairs(4, 2, &[0, 0, 1, 1]), [(0, 1), (0, 1), (1, 2), (1, 1)]);
        assert_eq!(pairs(1, 3, &[2]), [(2, 3)]);
    }
}
