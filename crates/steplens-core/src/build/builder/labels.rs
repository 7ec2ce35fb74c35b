//! Labels of a program among the operators of PyTorch's older profilers: `record_function("model_inference")` has the field of operators there, or
//! none. Operators have namespaces (`aten::`, `autograd::`), but for the nodes of a backward pass. A name without one that contains operators is a
//! label: between these its thread runs what was not recorded. Later versions have a field for labels.

use super::TraceBuilder;
use super::outer::NAMESPACE;
use crate::base::ids::NodeId;
use crate::base::order;
use crate::model::category::Category;
use crate::model::device::Device;
use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// The namespace of most of PyTorch's operators.
const TORCH: &str = "aten::";
/// The field of labels.
const LABELS: &str = "cat=user_annotation";
/// In the names of nodes of a backward pass.
const BACKWARD: &str = "Backward";

impl TraceBuilder {
    /// Makes ranges of such labels. `rows` are the rows of the ops of `devices`, in their order.
    pub(super) fn settle_labels(&mut self, rows: &[u32], devices: &[Device]) {
        let name = |node: NodeId| self.strings.get(self.nodes.name(node));
        let reason = |node: NodeId| self.strings.get(self.nodes.reason(node));
        if !self.nodes.ids().any(|node| name(node).starts_with(TORCH))
            || self.nodes.ids().any(|node| reason(node).starts_with(LABELS))
        {
            return;
        }
        let may_be: Vec<bool> = self
            .nodes
            .ids()
            .map(|node| {
                let name = name(node);
                let is_plain = !name.contains(NAMESPACE) && !name.contains(BACKWARD);
                is_plain && self.nodes.category(node) == Category::Compute
            })
            .collect();
        if !may_be.contains(&true) {
            return;
        }
        let is_operator: Vec<bool> = self.nodes.ids().map(|node| name(node).contains(NAMESPACE)).collect();
        let of = |all: &[bool], row: u32| all[self.ops.node_of(row as usize) as usize];
        let end = |row: u32| {
            self.ops.start.get(row as usize).saturating_add(self.ops.length_of(row as usize).max(0))
        };
        let thread = |row: u32| self.ops.thread_of(row as usize);
        let mut found: HashSet<u32, FixedState> = HashSet::default();
        for device in devices.iter().filter(|device| device.nests && !device.is_accelerator) {
            let all = rows.get(device.first_op as usize..device.end_op() as usize).unwrap_or_default();
            let is_either = |&row: &u32| of(&may_be, row) || of(&is_operator, row);
            let mut own: Vec<u32> = all.iter().copied().filter(is_either).collect();
            order::by_number(&mut own, |row| (self.ops.start.get(row as usize), end(row).wrapping_neg()));
            order::by_number(&mut own, |row| (i64::from(thread(row)), 0));
            for on_thread in own.chunk_by(|&a, &b| thread(a) == thread(b)) {
                let mut open: Vec<u32> = Vec::new();
                for &row in on_thread {
                    while open.last().is_some_and(|&outer| end(outer) <= self.ops.start.get(row as usize)) {
                        open.pop();
                    }
                    if of(&is_operator, row) {
                        found.extend(open.drain(..));
                    } else {
                        open.push(row);
                    }
                }
            }
        }
        self.make_ranges(&found);
    }
}
