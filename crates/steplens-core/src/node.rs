//! Nodes: what an op is, apart from when it ran. A loop or a second step runs the same node again.

use crate::category::{Category, CategoryRules};
use crate::strings::{StringTable, equal};
use crate::{NodeId, StringId, label};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};

/// Every distinct (name, label), once.
#[derive(Default)]
pub struct NodeTable {
    names: Vec<StringId>,
    labels: Vec<StringId>,
    op_types: Vec<StringId>,
    categories: Vec<Category>,
    are_inner: Vec<bool>,
    ids: HashTable<NodeId>,
    hasher: FixedState,
}

impl NodeTable {
    /// The node of `name` and `label`, both as they stand in the file.
    ///
    /// One look-up per op: this is where a reader spends its time.
    pub fn intern(&mut self, strings: &mut StringTable, name: &[u8], label: &[u8]) -> NodeId {
        let hash = self.hash(name, label);
        let same = |&id: &NodeId| {
            equal(strings.get(self.names[id.index()]).as_bytes(), name)
                && equal(strings.get(self.labels[id.index()]).as_bytes(), label)
        };
        if let Some(id) = self.ids.find(hash, same) {
            return *id;
        }
        let (name, label) = (strings.intern(name), strings.intern(label));
        let (name_text, label_text) = (strings.get(name), strings.get(label));
        // The strings may differ from the bytes where those were not UTF-8: look again, or every such op is a new node.
        let hash = self.hash(name_text.as_bytes(), label_text.as_bytes());
        if let Some(id) =
            self.ids.find(hash, |&id| self.names[id.index()] == name && self.labels[id.index()] == label)
        {
            return *id;
        }
        let op_type = label::op_type(name_text, label_text).to_owned();
        let is_inner = label::is_inner(label_text);
        let transfer = label::transfer(label_text).map(|transfer| {
            [
                transfer.tensor,
                transfer.source,
                transfer.destination,
                label::producer_of_edge(transfer.tensor).name,
            ]
            .map(str::to_owned)
        });
        // Their parts get ids of their own, by which transfers are found again.
        transfer.iter().flatten().for_each(|part| _ = strings.intern(part.as_bytes()));
        let id = NodeId::from_usize(self.names.len());
        self.names.push(name);
        self.labels.push(label);
        self.op_types.push(strings.intern(op_type.as_bytes()));
        self.categories.push(Category::Compute);
        self.are_inner.push(is_inner);
        let (names, labels, hasher) = (&self.names, &self.labels, &self.hasher);
        let strings = &*strings;
        self.ids.insert_unique(hash, id, |&other| {
            let text = |ids: &[StringId]| strings.get(ids[other.index()]).as_bytes();
            hash_pair(hasher, text(names), text(labels))
        });
        id
    }

    /// Puts every node into its category.
    pub(crate) fn categorize(&mut self, strings: &StringTable, rules: &CategoryRules) {
        for (row, category) in self.categories.iter_mut().enumerate() {
            let text = |ids: &[StringId]| strings.get(ids[row]);
            *category = rules.category(text(&self.names), text(&self.op_types), text(&self.labels));
        }
    }

    /// All ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.names.len()).map(NodeId::from_usize)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The node's name.
    #[inline]
    pub fn name(&self, id: NodeId) -> StringId {
        self.names[id.index()]
    }

    /// Its `timeline_label`; the empty string if there was none.
    #[inline]
    pub fn label(&self, id: NodeId) -> StringId {
        self.labels[id.index()]
    }

    /// Its op type, read from the label.
    #[inline]
    pub fn op_type(&self, id: NodeId) -> StringId {
        self.op_types[id.index()]
    }

    /// Its category.
    #[inline]
    pub fn category(&self, id: NodeId) -> Category {
        self.categories[id.index()]
    }

    /// Whether its ops only tell more about time that others account for; see [`label::is_inner`].
    #[inline]
    pub fn is_inner(&self, id: NodeId) -> bool {
        self.are_inner[id.index()]
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.names.capacity() * 14 + self.ids.capacity() * 5
    }

    fn hash(&self, name: &[u8], label: &[u8]) -> u64 {
        hash_pair(&self.hasher, name, label)
    }
}

fn hash_pair(hasher: &FixedState, name: &[u8], label: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(name);
    state.write(label);
    state.write_u32(name.len() as u32);
    state.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_a_name_and_a_label() {
        let mut strings = StringTable::default();
        let mut nodes = NodeTable::default();
        let a = nodes.intern(&mut strings, b"a", b"a = Mul(b)");
        assert_eq!(nodes.intern(&mut strings, b"a", b"a = Mul(b)"), a);
        assert_ne!(nodes.intern(&mut strings, b"a", b"a = Mul(c)"), a);
        let broken = nodes.intern(&mut strings, b"\xff", b"");
        assert_eq!(nodes.intern(&mut strings, b"\xff", b""), broken);
        for i in 0..500 {
            nodes.intern(&mut strings, format!("{i}").as_bytes(), b"x");
        }
        assert_eq!(nodes.len(), 503);
        assert_eq!(strings.get(nodes.op_type(a)), "Mul");
    }
}
