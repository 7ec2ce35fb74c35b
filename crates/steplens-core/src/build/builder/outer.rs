//! What contains other events on the row of a GPU that PyTorch's first profiler wrote: it has the operators there for as long as the GPU worked for
//! them, each within the one that called it. Only the innermost says what the GPU did; what contains others is a range.

use super::TraceBuilder;
use crate::base::ids::NodeId;
use crate::base::order;
use crate::model::category::Category;
use crate::model::device::Device;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use steplens_messages::say;

/// What the reader notes as the field that says where these events ran.
const LEGACY: &str = "pid CUDA functions";

impl TraceBuilder {
    /// Makes ranges of what contains others. `rows` are the rows of the ops of `devices`, in their order.
    pub(super) fn settle_outer(&mut self, rows: &[u32], devices: &[Device]) {
        let Some(reason) = self.strings.find(LEGACY) else { return };
        let is_it = |row: u32| self.nodes.reason(NodeId::new(self.ops.node_of(row as usize))) == reason;
        let end = |row: u32| {
            self.ops.start.get(row as usize).saturating_add(self.ops.length_of(row as usize).max(0))
        };
        let mut outer: HashSet<u32, FixedState> = HashSet::default();
        for device in devices.iter().filter(|device| device.is_accelerator) {
            let all = rows.get(device.first_op as usize..device.end_op() as usize).unwrap_or_default();
            if !all.iter().any(|&row| is_it(row)) {
                continue;
            }
            let mut own: Vec<u32> = all.to_vec();
            order::by_number(&mut own, |row| (self.ops.start.get(row as usize), end(row).wrapping_neg()));
            order::by_number(&mut own, |row| (i64::from(self.ops.thread_of(row as usize)), 0));
            let thread = |row: u32| self.ops.thread_of(row as usize);
            for pair in own.windows(2) {
                let (around, next) = (pair[0], pair[1]);
                // The first that starts within it.
                let is_within = thread(around) == thread(next)
                    && self.ops.start.get(next as usize) < end(around)
                    && end(next) <= end(around);
                if is_within && is_it(around) && self.ops.length_of(next as usize) > 0 {
                    outer.insert(around);
                }
            }
        }
        if outer.is_empty() {
            return;
        }
        let why = self.strings.intern(say!("why-contains-others").as_bytes());
        let nodes = &mut self.nodes;
        let mut like: HashMap<NodeId, NodeId, FixedState> = HashMap::default();
        self.ops.map_nodes(|row, node| match outer.contains(&(row as u32)) {
            true => *like.entry(node).or_insert_with(|| nodes.push_like(node, Category::Range, why)),
            false => node,
        });
    }
}
