//! The same trace with a user's patterns for communication: some nodes are in another category, and everything else is shared.
//!
//! Ranges stay ranges, so no time, no order of ops and no step changes: the result is the trace that a reader makes with these
//! patterns.

use crate::model::category::CategoryRules;
use crate::{OpId, Trace};
use std::sync::Arc;

impl Trace {
    /// This trace with the patterns of `rules`. It must have been read without patterns. Returns the same trace if they change
    /// nothing.
    pub fn with_patterns(self: &Arc<Self>, rules: &CategoryRules) -> Arc<Self> {
        if rules.has_no_patterns() {
            return Arc::clone(self);
        }
        let Some(nodes) = self.nodes.with_patterns(&self.strings, rules) else { return Arc::clone(self) };
        Arc::new(Trace { nodes: Arc::new(nodes), ..Trace::clone(self) })
    }

    /// This trace with the patterns of `rules`, if it is not shared yet.
    pub(crate) fn with_rules(self, rules: &CategoryRules) -> Self {
        let own = Arc::new(self);
        let patterned = own.with_patterns(rules);
        drop(own);
        Arc::try_unwrap(patterned).unwrap_or_default()
    }

    /// How many ops the patterns of `rules` match; ranges are never matched.
    pub fn matched_by(&self, rules: &CategoryRules) -> usize {
        let nodes = &self.nodes;
        let matches = |id| {
            !nodes.is_range(id) && rules.communicates(self.text(nodes.name(id)), self.text(nodes.op_type(id)))
        };
        let of_node: Vec<bool> = nodes.ids().map(matches).collect();
        let is_matched = |op: &OpId| of_node[self.ops.node(*op).index()];
        self.ops.ids().filter(is_matched).count()
    }
}
