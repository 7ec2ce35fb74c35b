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

    /// Everything as it was recorded.
    pub(crate) fn as_recorded(&self) -> Scenario {
        Scenario::unchanged(&self.model)
    }
}
