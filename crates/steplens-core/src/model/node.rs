//! Nodes: the properties of ops that do not depend on time. A loop or a second step runs the same node again.

use crate::model::category::{self, Category, CategoryRules, FieldHint, Hint, Says, Why};
use crate::model::label;
use crate::storage::strings::{StringTable, equal};
use crate::{NodeId, StringId};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};
use std::hash::{BuildHasher, Hasher};

/// Every distinct (name, label, hint) once.
#[derive(Default)]
pub struct NodeTable {
    names: Vec<StringId>,
    labels: Vec<StringId>,
    op_types: Vec<StringId>,
    hints: Vec<Hint>,
    categories: Vec<Category>,
    reasons: Vec<StringId>,
    has_ranges: bool,
    /// For each hint its meaning. The first one says nothing.
    field_hints: Vec<FieldHint>,
    hint_of: HashMap<FieldHint, Hint, FixedState>,
    ids: HashTable<NodeId>,
    hasher: FixedState,
    /// For each node the one that was looked up after it the last time: steps run the same nodes in nearly the same order.
    next: Vec<NodeId>,
    /// The row of the node that was looked up last.
    newest: usize,
}

impl NodeTable {
    /// A hint that `field` (`cat=kernel`) has the meaning `says`. Formats have few fields: after 65,535 hints, the empty hint is
    /// returned.
    pub(crate) fn hint(&mut self, strings: &mut StringTable, says: Says, field: &[u8]) -> Hint {
        if self.field_hints.is_empty() {
            self.field_hints.push(FieldHint { says: Says::Nothing, field: strings.intern(b"") });
        }
        let field_hint = FieldHint { says, field: strings.intern(field) };
        *self.hint_of.entry(field_hint).or_insert_with(|| match u16::try_from(self.field_hints.len()) {
            Ok(row) => {
                self.field_hints.push(field_hint);
                Hint(row)
            }
            Err(_) => Hint::default(),
        })
    }

    /// A new hint whose meaning [`settle`](Self::settle) sets later; until then it says nothing.
    pub(crate) fn open_hint(&mut self, strings: &mut StringTable, field: &[u8]) -> Hint {
        self.hint(strings, Says::Nothing, b"");
        let field_hint = FieldHint { says: Says::Nothing, field: strings.intern(field) };
        let Ok(row) = u16::try_from(self.field_hints.len()) else { return Hint::default() };
        self.field_hints.push(field_hint);
        Hint(row)
    }

    /// Sets the meaning of an open hint.
    pub(crate) fn settle(&mut self, hint: Hint, says: Says) {
        if let Some(field_hint) =
            self.field_hints.get_mut(usize::from(hint.0)).filter(|_| hint != Hint::default())
        {
            field_hint.says = says;
        }
    }

    /// Whether no field of the format says anything of `id`.
    pub(crate) fn has_no_hint(&self, id: NodeId) -> bool {
        self.hints[id.index()] == Hint::default()
    }

    /// Whether a field of the format makes `id` a range.
    pub(crate) fn is_range_by_field(&self, id: NodeId) -> bool {
        let field_hint = self.field_hints.get(usize::from(self.hints[id.index()].0));
        field_hint.is_some_and(|field_hint| field_hint.says == Says::Is(Category::Range))
    }

    /// The node with `name` and `label`, both as they are in the file.
    ///
    /// This is one look-up per op, where a reader spends most of its time. So the node that came next the last time is compared
    /// first, which needs no hash.
    #[inline]
    pub fn intern(&mut self, strings: &mut StringTable, name: &[u8], label: &[u8], hint: Hint) -> NodeId {
        let guess = self.next.get(self.newest).copied();
        let id = match guess.filter(|&id| self.is(id, strings, name, label, hint)) {
            Some(id) => id,
            None => {
                let id = self.find_or_insert(strings, name, label, hint);
                self.next.get_mut(self.newest).into_iter().for_each(|next| *next = id);
                id
            }
        };
        self.newest = id.index();
        id
    }

    /// The node with the name and label of `id`, and with `hint`.
    pub(crate) fn hinted(&mut self, strings: &mut StringTable, id: NodeId, hint: Hint) -> NodeId {
        let text = |text: StringId| strings.get(text).to_owned();
        let (name, label) = (text(self.names[id.index()]), text(self.labels[id.index()]));
        self.find_or_insert(strings, name.as_bytes(), label.as_bytes(), hint)
    }

    /// Whether `id` is the node with this name, label and hint.
    #[inline]
    fn is(&self, id: NodeId, strings: &StringTable, name: &[u8], label: &[u8], hint: Hint) -> bool {
        let row = id.index();
        self.hints[row] == hint
            && equal(strings.bytes(self.names[row]), name)
            && equal(strings.bytes(self.labels[row]), label)
    }

    #[inline(never)]
    pub(crate) fn find_or_insert(
        &mut self,
        strings: &mut StringTable,
        name: &[u8],
        label: &[u8],
        hint: Hint,
    ) -> NodeId {
        let hash = hash_of(&self.hasher, name, label, hint);
        if let Some(id) = self.ids.find(hash, |&id| self.is(id, strings, name, label, hint)) {
            return *id;
        }
        let (name, label) = (strings.intern(name), strings.intern(label));
        let (name_text, label_text) = (strings.get(name), strings.get(label));
        // The strings differ from the bytes if these were not UTF-8: search again, otherwise every such op would be a new node.
        let hash = hash_of(&self.hasher, name_text.as_bytes(), label_text.as_bytes(), hint);
        let known = |id: &NodeId| (self.names[id.index()], self.labels[id.index()], self.hints[id.index()]);
        if let Some(id) = self.ids.find(hash, |id| known(id) == (name, label, hint)) {
            return *id;
        }
        let op_type = label::op_type(name_text, label_text).to_owned();
        let transfer = label::transfer(label_text).map(|transfer| {
            [
                transfer.tensor,
                transfer.source,
                transfer.destination,
                label::producer_of_edge(transfer.tensor).name,
            ]
            .map(str::to_owned)
        });
        // The parts of the label get ids, by which transfers are found later.
        transfer.iter().flatten().for_each(|part| _ = strings.intern(part.as_bytes()));
        let id = NodeId::from_usize(self.names.len());
        self.names.push(name);
        self.labels.push(label);
        self.op_types.push(strings.intern(op_type.as_bytes()));
        self.hints.push(hint);
        self.next.push(NodeId::new(0));
        let (names, labels, hints, hasher) = (&self.names, &self.labels, &self.hints, &self.hasher);
        let strings = &*strings;
        self.ids.insert_unique(hash, id, |&other| {
            let text = |ids: &[StringId]| strings.get(ids[other.index()]).as_bytes();
            hash_of(hasher, text(names), text(labels), hints[other.index()])
        });
        id
    }

    /// Adds the nodes of `other`, whose strings are `texts`, in their order; for each of them its id here.
    pub(crate) fn append(
        &mut self,
        strings: &mut StringTable,
        other: &Self,
        texts: &StringTable,
    ) -> Vec<NodeId> {
        let hints = self.append_hints(strings, other, texts);
        let nodes = other.ids().map(|node| {
            let row = node.index();
            let [name, label] = [other.names[row], other.labels[row]].map(|text| texts.bytes(text));
            let hint = hints.get(usize::from(other.hints[row].0)).copied().unwrap_or_default();
            self.find_or_insert(strings, name, label, hint)
        });
        nodes.collect()
    }

    /// Adds the hints of `other`. One that is found by its meaning is there once; one that was open belongs to its file.
    fn append_hints(&mut self, strings: &mut StringTable, other: &Self, texts: &StringTable) -> Vec<Hint> {
        let mut was_open = vec![true; other.field_hints.len()];
        for hint in other.hint_of.values() {
            was_open[usize::from(hint.0)] = false;
        }
        let mut hints = Vec::with_capacity(was_open.len());
        for (row, (own, was_open)) in other.field_hints.iter().zip(was_open).enumerate() {
            let field = texts.bytes(own.field);
            hints.push(match row {
                0 => Hint::default(),
                _ if was_open => {
                    let hint = self.open_hint(strings, field);
                    self.settle(hint, own.says);
                    hint
                }
                _ => self.hint(strings, own.says, field),
            });
        }
        hints
    }

    /// Adds a node whose category is known, without searching for an equal one. Only for a table that is filled in no other way.
    pub(crate) fn push_decided(
        &mut self,
        strings: &mut StringTable,
        name: StringId,
        label: StringId,
        category: Category,
        reason: StringId,
    ) {
        let (name_text, label_text) = (strings.get(name), strings.get(label));
        let op_type = label::op_type(name_text, label_text).to_owned();
        if let Some(transfer) = label::transfer(label_text) {
            let producer = label::producer_of_edge(transfer.tensor).name;
            let parts = [transfer.tensor, transfer.source, transfer.destination, producer].map(str::to_owned);
            parts.iter().for_each(|part| _ = strings.intern(part.as_bytes()));
        }
        self.op_types.push(strings.intern(op_type.as_bytes()));
        self.names.push(name);
        self.labels.push(label);
        self.categories.push(category);
        self.reasons.push(reason);
        self.has_ranges |= category == Category::Range;
    }

    /// Sets the category of every node, and its reason.
    pub(crate) fn categorize(&mut self, strings: &mut StringTable, rules: &CategoryRules) {
        // For each hint and kind of reason the text of the reason.
        let mut known = vec![[None; Why::COUNT]; self.field_hints.len().max(1)];
        self.categories.reserve_exact(self.names.len());
        self.reasons.reserve_exact(self.names.len());
        let mut is_recorded = None;
        for (row, &hint) in self.hints.iter().enumerate() {
            let text = |ids: &[StringId]| strings.get(ids[row]);
            let field_hint = self.field_hints.get(usize::from(hint.0));
            let says = field_hint.map_or(Says::Nothing, |field_hint| field_hint.says);
            let (mut category, why) =
                rules.decide(says, text(&self.names), text(&self.op_types), text(&self.labels));
            // A collective counts once: if the kernel that carries it out is recorded, the operator only launches it.
            if says == Says::Operator
                && why == Why::FieldAndName
                && category::is_collective_operator(text(&self.names))
                && *is_recorded.get_or_insert_with(|| self.has_collectives(strings))
            {
                category = Category::Launch;
            }
            let reason = *known[usize::from(hint.0)][why as usize].get_or_insert_with(|| {
                let field = match why {
                    Why::Field | Why::FieldAndName => {
                        field_hint.map_or("", |field_hint| strings.get(field_hint.field))
                    }
                    _ => "",
                };
                strings.intern([field, why.word()].concat().as_bytes())
            });
            self.has_ranges |= category == Category::Range;
            self.categories.push(category);
            self.reasons.push(reason);
        }
        self.keep_pattern_word(strings);
        (self.hints, self.field_hints, self.hint_of, self.next) = Default::default();
    }

    /// Adds a copy of the node `like` with another category. Must be called after the categories are decided.
    pub(crate) fn push_like(&mut self, like: NodeId, category: Category, reason: StringId) -> NodeId {
        let (id, row) = (NodeId::from_usize(self.names.len()), like.index());
        for texts in [&mut self.names, &mut self.labels, &mut self.op_types] {
            let text = texts[row];
            texts.push(text);
        }
        self.has_ranges |= category == Category::Range;
        self.categories.push(category);
        self.reasons.push(reason);
        id
    }

    /// Adds the reason for patterns to the strings, because patterns may be set later.
    pub(crate) fn keep_pattern_word(&self, strings: &mut StringTable) {
        strings.intern(Why::Pattern.word().as_bytes());
    }

    /// The same nodes with the categories that a user's patterns in `rules` add; `None` if none changes.
    pub(crate) fn with_patterns(&self, strings: &StringTable, rules: &CategoryRules) -> Option<Self> {
        let reason = strings.find(Why::Pattern.word())?;
        let (mut categories, mut reasons) = (self.categories.clone(), self.reasons.clone());
        for (row, category) in categories.iter_mut().enumerate() {
            let text = |ids: &[StringId]| strings.get(ids[row]);
            if *category != Category::Range && rules.communicates(text(&self.names), text(&self.op_types)) {
                (*category, reasons[row]) = (Category::Communication, reason);
            }
        }
        (categories != self.categories || reasons != self.reasons).then(|| Self {
            names: self.names.clone(),
            labels: self.labels.clone(),
            op_types: self.op_types.clone(),
            categories,
            reasons,
            has_ranges: self.has_ranges,
            ..Self::default()
        })
    }

    /// The same nodes with their texts (name, label, op type and reason) replaced by `texts`.
    pub(crate) fn with_texts(&self, mut texts: impl FnMut(NodeId) -> [StringId; 4]) -> Self {
        let mut nodes =
            Self { categories: self.categories.clone(), has_ranges: self.has_ranges, ..Self::default() };
        for node in self.ids() {
            let [name, label, op_type, reason] = texts(node);
            nodes.names.push(name);
            nodes.labels.push(label);
            nodes.op_types.push(op_type);
            nodes.reasons.push(reason);
        }
        nodes
    }

    /// Whether anything was recorded that carries out a collective: a kernel, or the work of a library on the host.
    fn has_collectives(&self, strings: &StringTable) -> bool {
        self.hints.iter().zip(&self.names).any(|(hint, &name)| {
            let says =
                self.field_hints.get(usize::from(hint.0)).map_or(Says::Nothing, |field_hint| field_hint.says);
            category::carries_collective(says, strings.get(name))
        })
    }

    /// All ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.names.len()).map(NodeId::from_usize)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The node's name.
    #[inline]
    pub fn name(&self, id: NodeId) -> StringId {
        self.names[id.index()]
    }

    /// Its `timeline_label`; empty if there was none.
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

    /// Whether any node is a range.
    #[inline]
    pub fn has_ranges(&self) -> bool {
        self.has_ranges
    }

    /// The reason for its category, in words that users know: `cat=kernel`, `op type`.
    #[inline]
    pub fn reason(&self, id: NodeId) -> StringId {
        self.reasons[id.index()]
    }

    /// Whether it is a range: its ops are shown, but add no time.
    #[inline]
    pub fn is_range(&self, id: NodeId) -> bool {
        self.category(id) == Category::Range
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let strings = [&self.names, &self.labels, &self.op_types, &self.reasons].map(Vec::capacity);
        strings.iter().sum::<usize>() * size_of::<StringId>()
            + self.hints.capacity() * size_of::<Hint>()
            + self.categories.capacity() * size_of::<Category>()
            + self.field_hints.capacity() * size_of::<FieldHint>()
            + self.hint_of.allocation_size()
            + self.next.capacity() * size_of::<NodeId>()
            + self.ids.allocation_size()
    }

    /// Frees unused capacity, because nothing will be added.
    pub(crate) fn shrink(&mut self) {
        for strings in [&mut self.names, &mut self.labels, &mut self.op_types, &mut self.reasons] {
            strings.shrink_to_fit();
        }
        self.hints.shrink_to_fit();
        self.categories.shrink_to_fit();
    }
}

fn hash_of(hasher: &FixedState, name: &[u8], label: &[u8], hint: Hint) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(name);
    state.write(label);
    state.write_u64(u64::from(hint.0) << 32 | name.len() as u64 & 0xffff_ffff);
    state.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_a_name_and_a_label() {
        let mut strings = StringTable::default();
        let mut nodes = NodeTable::default();
        let none = Hint::default();
        let a = nodes.intern(&mut strings, b"a", b"a = Mul(b)", none);
        assert_eq!(nodes.intern(&mut strings, b"a", b"a = Mul(b)", none), a);
        assert_ne!(nodes.intern(&mut strings, b"a", b"a = Mul(c)", none), a);
        let broken = nodes.intern(&mut strings, b"\xff", b"", none);
        assert_eq!(nodes.intern(&mut strings, b"\xff", b"", none), broken);
        for i in 0..500 {
            nodes.intern(&mut strings, format!("{i}").as_bytes(), b"x", none);
        }
        assert_eq!(nodes.len(), 503);
        assert_eq!(strings.get(nodes.op_type(a)), "Mul");
    }

    #[test]
    fn an_operator_launches_a_collective_that_is_recorded_itself() {
        let of = |others: &[(Says, &[u8])]| {
            let (mut strings, mut nodes) = (StringTable::default(), NodeTable::default());
            let operator = nodes.hint(&mut strings, Says::Operator, b"cat=cpu_op");
            let id = nodes.intern(&mut strings, b"c10d::allreduce_", b"= c10d::allreduce_()", operator);
            for (says, name) in others {
                let hint = nodes.hint(&mut strings, *says, b"another");
                nodes.intern(&mut strings, name, &[b"= ", *name, b"()"].concat(), hint);
            }
            nodes.categorize(&mut strings, &CategoryRules::default());
            assert_eq!(strings.get(nodes.reason(id)), "cat=cpu_op, name");
            nodes.category(id)
        };
        let kernel: &[u8] = b"ncclDevKernel_AllReduce_Sum_f32_RING_LL";
        assert_eq!(of(&[]), Category::Communication);
        assert_eq!(of(&[(Says::Kernel, b"gemm")]), Category::Communication);
        assert_eq!(of(&[(Says::Is(Category::Range), kernel)]), Category::Communication);
        assert_eq!(of(&[(Says::Kernel, kernel)]), Category::Launch);
        assert_eq!(of(&[(Says::Operator, b"gloo:all_reduce")]), Category::Launch);
    }

    #[test]
    fn one_name_in_two_fields_is_two_nodes() {
        let mut strings = StringTable::default();
        let mut nodes = NodeTable::default();
        let kernel = nodes.hint(&mut strings, Says::Kernel, b"cat=kernel");
        let range = nodes.hint(&mut strings, Says::Is(Category::Range), b"cat=gpu_user_annotation");
        assert_eq!(nodes.hint(&mut strings, Says::Kernel, b"cat=kernel"), kernel);
        let ids = [kernel, range, Hint::default()]
            .map(|hint| nodes.intern(&mut strings, b"ncclDevKernel_AllReduce", b"", hint));
        assert_eq!(nodes.intern(&mut strings, b"ncclDevKernel_AllReduce", b"", range), ids[1]);
        nodes.categorize(&mut strings, &CategoryRules::default());
        let categories = ids.map(|id| (nodes.category(id), strings.get(nodes.reason(id)).to_owned()));
        let expected = [
            (Category::Communication, "cat=kernel, name"),
            (Category::Range, "cat=gpu_user_annotation"),
            (Category::Compute, "by default"),
        ];
        assert_eq!(categories, expected.map(|(category, reason)| (category, reason.to_owned())));
    }
}
