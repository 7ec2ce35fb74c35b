//! A replay node by node: what a comparison takes from the replay of one step, and gives to that of another.

use super::Replay;
use super::scenario::Scenario;
use crate::OpId;

impl Replay {
    /// The number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.model.len()
    }

    /// The op of a node. An op that contains others has several.
    pub(crate) fn op_of(&self, node: u32) -> OpId {
        self.model.op(node as usize)
    }

    /// How long a node runs when nothing makes it wait, and how long after everything that it waits for it starts, in nanoseconds.
    pub(crate) fn spent(&self, node: u32) -> (i64, i64) {
        (self.model.length[node as usize], self.model.delay[node as usize])
    }

    /// How many ops of executors ran at once; `None` if they ran in several pools, or in none.
    pub(crate) fn at_once(&self) -> Option<u32> {
        Some(&self.model.threads).filter(|pools| pools.len() == 1).map(|pools| pools[0])
    }

    /// As recorded, but with this number of threads; `None` if the replay without changes is too far off then.
    pub(crate) fn with_threads(&self, threads: u32) -> Option<Scenario> {
        let mut scenario = self.as_recorded();
        scenario.give_threads(&self.model, threads);
        self.error_with(&scenario).may_predict().then_some(scenario)
    }

    /// Everything as it was recorded.
    pub(crate) fn as_recorded(&self) -> Scenario {
        Scenario::unchanged(&self.model)
    }
}
