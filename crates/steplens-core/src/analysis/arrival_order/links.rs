//! The data flow of a step as one graph: what each op waited for, and an order in which each comes after what it waited for.

use crate::Study;
use crate::analysis::edges::Source;
use crate::analysis::steps::Steps;
use crate::ids::OpId;
use crate::label;
use crate::output::range;

/// How many links there are at most, for every op and beside that: real ops have three inputs, and a few have thousands.
const MAX_LINKS_PER_OP: usize = 16;
const MAX_LINKS_MORE: usize = 1 << 20;

/// A row that was not looked at yet.
const UNSEEN: u8 = 0;
const SEEN: u8 = 1;

/// Who made what each op used: ops, and the transfers that brought tensors; and of a transfer its producer.
#[derive(Default)]
pub(super) struct Links {
    first: Vec<u32>,
    makers: Vec<OpId>,
    /// All ops, each after its makers and the one that started before it, unless a file says that they wait for one another in a circle.
    pub(super) order: Vec<OpId>,
    /// The op of the same device and step that started before each; itself where there is none.
    before: Vec<OpId>,
    /// Ops that used a tensor from elsewhere whose transfer was not recorded.
    pub(super) unrecorded: Vec<OpId>,
}

impl Links {
    /// Links the ops of each step.
    pub(super) fn of(study: &Study, steps: &Steps) -> Self {
        let trace = &*study.trace;
        let ops = trace.ops();
        let mut links = Self { first: vec![0], before: ops.ids().collect(), ..Self::default() };
        let most = ops.len() * MAX_LINKS_PER_OP + MAX_LINKS_MORE;
        let is_one_step = steps.rows().len() < 2;
        for op in ops.ids() {
            let before = links.makers.len();
            if makers(study, op, most - before, &mut links.makers) {
                links.unrecorded.push(op);
            }
            if !is_one_step {
                let step = |op| steps.of_part(ops.part(op));
                let mut kept = before;
                for at in before..links.makers.len() {
                    if step(links.makers[at]) == step(op) {
                        links.makers[kept] = links.makers[at];
                        kept += 1;
                    }
                }
                links.makers.truncate(kept);
            }
            links.first.push(links.makers.len() as u32);
        }
        for device in trace.devices().ids() {
            let mut last: Option<OpId> = None;
            for op in trace.ops_of(device).filter(|&op| does_start(study, op)) {
                // Steps that overlap do so for a moment: what started before in another step tells nothing.
                let is_same_step =
                    |last: &OpId| steps.of_part(ops.part(*last)) == steps.of_part(ops.part(op));
                if let Some(last) = last.replace(op).filter(is_same_step) {
                    links.before[op.index()] = last;
                }
            }
        }
        links.order = links.in_order(ops.len());
        links
    }

    /// What `op` waited for.
    pub(super) fn makers(&self, op: OpId) -> &[OpId] {
        &self.makers[range(&self.first, op.index())]
    }

    /// The op of the same device and step that started before `op`.
    pub(super) fn before(&self, op: OpId) -> Option<OpId> {
        Some(self.before[op.index()]).filter(|&before| before != op)
    }

    /// Depth first, without recursion, so that no file can make it deep.
    fn in_order(&self, n_ops: usize) -> Vec<OpId> {
        let mut seen = vec![UNSEEN; n_ops];
        let mut order = Vec::with_capacity(n_ops);
        // An op, and which of its makers comes next.
        let mut stack: Vec<(OpId, u32)> = Vec::new();
        for root in (0..n_ops).map(OpId::from_usize) {
            if seen[root.index()] == SEEN {
                continue;
            }
            seen[root.index()] = SEEN;
            stack.push((root, self.first[root.index()]));
            while let Some((op, next)) = stack.last_mut() {
                let before = self.before[op.index()];
                let needed = if seen[before.index()] == UNSEEN {
                    before
                } else if *next < self.first[op.index() + 1] {
                    *next += 1;
                    self.makers[*next as usize - 1]
                } else {
                    order.push(*op);
                    stack.pop();
                    continue;
                };
                if std::mem::replace(&mut seen[needed.index()], SEEN) == UNSEEN {
                    stack.push((needed, self.first[needed.index()]));
                }
            }
        }
        order
    }
}

/// Whether an executor started `op`: not a transfer, nor a part of another op.
fn does_start(study: &Study, op: OpId) -> bool {
    study.transfers.of_op(op).is_none() && !study.trace.nodes().is_inner(study.trace.ops().node(op))
}

/// Adds what `op` waited for, `most` at most. Tells whether the transfer of an input was not recorded.
fn makers(study: &Study, op: OpId, most: usize, found: &mut Vec<OpId>) -> bool {
    if let Some(transfer) = study.transfers.of_op(op) {
        found.extend(transfer.producer.ok());
        return false;
    }
    let mut is_unrecorded = false;
    for edge in study.edges().inputs(op, most) {
        let maker = study.edges().maker(edge.source);
        let is_here = edge.source == Source::NotTaken || maker.is_some();
        is_unrecorded |= !is_here && label::without_partition_suffix(edge.input.name).is_some();
        found.extend(maker);
    }
    is_unrecorded
}
