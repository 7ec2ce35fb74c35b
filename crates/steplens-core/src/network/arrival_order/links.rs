//! The data flow of a step as one graph: what each op waited for, and an order in which each op comes after what it waited for.

use crate::base::ids::OpId;
use crate::makers::Makers;
use crate::study::step_of_op::StepOfOp;
use crate::{Category, Study};

/// A row that was not visited yet.
const UNSEEN: u8 = 0;
const SEEN: u8 = 1;

/// What each op waited for.
pub(super) struct Links<'a> {
    makers: &'a Makers,
    /// All ops, each after its makers and after the op that started before it; except where a damaged file makes them wait for one
    /// another in a circle.
    pub(super) order: Vec<OpId>,
    /// For each op the op of the same device and step that started before it; the op itself if there is none.
    before: Vec<OpId>,
}

impl<'a> Links<'a> {
    /// Links the ops of each step.
    pub(super) fn found(study: &Study, steps: &StepOfOp, makers: &'a Makers) -> Self {
        let trace = study.trace();
        let ops = trace.ops();
        let mut links = Self { makers, before: ops.ids().collect(), order: Vec::new() };
        for device in trace.devices().ids() {
            let mut last: Option<OpId> = None;
            for op in trace.ops_of(device).filter(|&op| does_start(study, op)) {
                // Steps overlap only for a moment: the op before in another step says nothing.
                let is_same_step = |last: &OpId| steps.step(study, *last) == steps.step(study, op);
                if let Some(last) = last.replace(op).filter(is_same_step) {
                    links.before[op.index()] = last;
                }
            }
        }
        links.order = links.in_order(ops.len());
        links
    }

    /// The ops that `op` waited for.
    pub(super) fn makers(&self, op: OpId) -> &[OpId] {
        self.makers.of_op(op)
    }

    /// The ops that used a tensor from another device whose transfer was not recorded.
    pub(super) fn unrecorded(&self) -> &[OpId] {
        self.makers.unrecorded()
    }

    /// The op of the same device and step that started before `op`.
    pub(super) fn before(&self, op: OpId) -> Option<OpId> {
        Some(self.before[op.index()]).filter(|&before| before != op)
    }

    /// Searches depth first, without recursion, so that no file can overflow the stack.
    fn in_order(&self, n_ops: usize) -> Vec<OpId> {
        let mut seen = vec![UNSEEN; n_ops];
        let mut order = Vec::with_capacity(n_ops);
        // An op, and the index of its next maker.
        let mut stack: Vec<(OpId, u32)> = Vec::new();
        for root in (0..n_ops).map(OpId::from_usize) {
            if seen[root.index()] == SEEN {
                continue;
            }
            seen[root.index()] = SEEN;
            stack.push((root, self.makers.range(root).0));
            while let Some((op, next)) = stack.last_mut() {
                let before = self.before[op.index()];
                let needed = if seen[before.index()] == UNSEEN {
                    before
                } else if *next < self.makers.range(*op).1 {
                    *next += 1;
                    self.makers.at(*next - 1)
                } else {
                    order.push(*op);
                    stack.pop();
                    continue;
                };
                if std::mem::replace(&mut seen[needed.index()], SEEN) == UNSEEN {
                    stack.push((needed, self.makers.range(needed).0));
                }
            }
        }
        order
    }
}

/// Whether an executor started `op`: it is not a transfer, nor a part of another op.
fn does_start(study: &Study, op: OpId) -> bool {
    let nodes = study.trace().nodes();
    let node = study.trace().ops().node(op);
    let is_transfer =
        nodes.category(node) == Category::Communication && study.transfers().of_op(op).is_some();
    !is_transfer && !nodes.is_range(node)
}
