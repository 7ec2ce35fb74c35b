//! What contains other events on the row of a GPU that PyTorch's first profiler wrote: it has the operators there for as long as the GPU worked for
//! them, each within the one that called it. The innermost says what the GPU did; what those within an operator do not cover is its own. Names
//! without a namespace that contain others are labels of the program, and ranges, where operators have namespaces.

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
/// What names of operators have between their namespace and their own name.
pub(super) const NAMESPACE: &str = "::";

impl TraceBuilder {
    /// Makes ranges of labels that contain others, and lets the events of such rows nest. `rows` are the rows of the ops of `devices`, in their
    /// order.
    pub(super) fn settle_outer(&mut self, rows: &[u32], devices: &mut [Device]) {
        let Some(reason) = self.strings.find(LEGACY) else { return };
        let node = |row: u32| NodeId::new(self.ops.node_of(row as usize));
        let is_it = |row: u32| self.nodes.reason(node(row)) == reason;
        let has_namespace = |row: u32| self.strings.get(self.nodes.name(node(row))).contains(NAMESPACE);
        let end = |row: u32| {
            self.ops.start.get(row as usize).saturating_add(self.ops.length_of(row as usize).max(0))
        };
        let mut outer: HashSet<u32, FixedState> = HashSet::default();
        for device in devices.iter_mut().filter(|device| device.is_accelerator) {
            let all = rows.get(device.first_op as usize..device.end_op() as usize).unwrap_or_default();
            if !all.iter().any(|&row| is_it(row)) {
                continue;
            }
            let are_named = all.iter().any(|&row| has_namespace(row));
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
                    device.nests = true;
                    if are_named && !has_namespace(around) {
                        outer.insert(around);
                    }
                }
            }
        }
        self.make_ranges(&outer);
    }

    /// Makes ranges of the ops of these rows.
    pub(super) fn make_ranges(&mut self, outer: &HashSet<u32, FixedState>) {
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
