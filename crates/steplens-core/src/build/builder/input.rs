//! Ops that run inside an event that loads input count as input: the copies and stacking of a `DataLoader`, the kernels of an
//! iterator, what a program does while it marks that it loads.
//!
//! Where events of one thread contain one another, an op inside such an event gets another node with the same texts, in the
//! category input, with this reason. So every figure, colour and table shows it as input. Ranges stay ranges, and communication
//! stays communication, because its peers take part in it.

use super::TraceBuilder;
use crate::base::ids::{NodeId, StringId};
use crate::model::category::{Category, is_data_loader, is_input, is_loading};
use crate::model::device::Device;
use crate::model::node::NodeTable;
use crate::storage::strings::StringTable;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use steplens_messages::say;

/// The kind of event that loads input.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Getter {
    Loader,
    Iterator,
    /// An annotation of a program. Calls of a driver within it stay what they are: it may also move the batch to the GPU, and wait for that.
    Marked,
}

/// An event that loads input, in ns from 1970.
#[derive(Clone, Copy)]
struct Getting {
    start: i64,
    end: i64,
    getter: Getter,
}

impl TraceBuilder {
    /// Moves ops inside an event that loads input into that category. `rows` are the rows of the ops of `devices`, in their order.
    pub(super) fn settle_input(&mut self, rows: &[u32], devices: &[Device]) {
        let (nodes, strings) = (&self.nodes, &self.strings);
        if !devices.iter().any(|device| device.nests) {
            return;
        }
        let getters: Vec<Option<Getter>> = nodes.ids().map(|node| getter(nodes, strings, node)).collect();
        if getters.iter().all(Option::is_none) {
            return;
        }
        let mut inside: Vec<(u32, Getter)> = Vec::new();
        for device in devices.iter().filter(|device| device.nests) {
            let rows_of_device =
                rows.get(device.first_op as usize..device.end_op() as usize).unwrap_or_default();
            self.find_inside(rows_of_device, &getters, &mut inside);
        }
        if inside.is_empty() {
            return;
        }
        let words = [say!("why-within-loader"), say!("why-within-iterator"), say!("why-within-loading")];
        let reasons = words.map(|word| self.strings.intern(word.as_bytes()));
        let mut inside_of = vec![None; self.ops.len()];
        inside.into_iter().for_each(|(row, getter)| inside_of[row as usize] = Some(getter));
        let nodes = &mut self.nodes;
        let mut made: HashMap<(NodeId, Getter), NodeId, FixedState> = HashMap::default();
        self.ops.map_nodes(|row, node| match inside_of[row] {
            Some(getter) => *made
                .entry((node, getter))
                .or_insert_with(|| nodes.push_like(node, Category::Input, reasons[getter as usize])),
            None => node,
        });
    }

    /// Adds the ops among `rows` that are inside an event that loads input on their thread and have another category. `rows` are
    /// the ops of one device, by start.
    fn find_inside(&self, rows: &[u32], getters: &[Option<Getter>], inside: &mut Vec<(u32, Getter)>) {
        let ops = &self.ops;
        let start = |row: u32| ops.start.get(row as usize);
        let mut getting: HashMap<u32, Getting, FixedState> = HashMap::default();
        // Events with the same start may contain one another in any order.
        for together in rows.chunk_by(|&a, &b| start(a) == start(b)) {
            for &row in together {
                let Some(getter) = getters[ops.node_of(row as usize) as usize] else { continue };
                let getting_here = Getting { start: start(row), end: self.end_of(row), getter };
                let outer = getting.entry(ops.thread_of(row as usize)).or_insert(getting_here);
                if getting_here.end > outer.end {
                    *outer = getting_here;
                }
            }
            for &row in together {
                let Some(getting_here) = getting.get(&ops.thread_of(row as usize)) else { continue };
                let (start, end) = (start(row), self.end_of(row));
                let is_inside = end <= getting_here.end
                    && (start > getting_here.start || end < getting_here.end)
                    && start < getting_here.end;
                let category = self.nodes.category(NodeId::new(ops.node_of(row as usize)));
                let counts = match getting_here.getter {
                    Getter::Marked => category == Category::Compute,
                    _ => !matches!(category, Category::Input | Category::Range | Category::Communication),
                };
                if is_inside && counts {
                    inside.push((row, getting_here.getter));
                }
            }
        }
    }

    fn end_of(&self, row: u32) -> i64 {
        self.ops.start.get(row as usize).saturating_add(self.ops.length_of(row as usize))
    }
}

/// The kind of input event that ops of `node` are. A user's pattern changes how they count, not what they are.
fn getter(nodes: &NodeTable, strings: &StringTable, node: NodeId) -> Option<Getter> {
    let text = |id: StringId| strings.get(id);
    let (name, op_type) = (text(nodes.name(node)), text(nodes.op_type(node)));
    let gets = match nodes.category(node) {
        Category::Input => true,
        Category::Communication => is_input(name) || is_input(op_type),
        _ => false,
    };
    gets.then(|| match () {
        () if is_data_loader(name) => Getter::Loader,
        () if is_loading(name) && !is_input(name) && !is_input(op_type) => Getter::Marked,
        () => Getter::Iterator,
    })
}
