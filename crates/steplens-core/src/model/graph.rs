//! Partition graphs: the graphs that ran, one per device, after placement and optimisation.

use crate::base::ids::GraphNodeId;
use crate::storage::ranges::range;
use crate::storage::strings::StringTable;
use crate::{PartId, StringId};
use std::ops::Range;

/// A node of a graph as a reader found it.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphNodeRecord<'a> {
    /// The node's name.
    pub name: &'a [u8],
    /// Its op type.
    pub op: &'a [u8],
    /// The device where it was placed.
    pub device: &'a [u8],
    /// Its inputs, as `name`, `name:1` or `^name`.
    pub inputs: &'a [&'a [u8]],
    /// For a sending or receiving node: (`tensor_name`, `send_device`, `recv_device`).
    pub rendezvous: Option<(&'a [u8], &'a [u8], &'a [u8])>,
    /// For a sending or receiving node the `DataType` of its tensor (`tensor_type`, `T`); 0 if it is not given.
    pub dtype: u32,
    /// The keys by which the participants of a collective belong together.
    pub collective: Option<CollectiveRecord<'a>>,
}

/// A node whose texts are all in the trace's table of strings.
#[derive(Clone, Copy, Debug)]
pub struct GraphNodeTexts<'a> {
    /// The node's name.
    pub name: StringId,
    /// Its op type.
    pub op: StringId,
    /// The device where it was placed.
    pub device: StringId,
    /// Its inputs, as `name`, `name:1` or `^name`.
    pub inputs: &'a [StringId],
    /// For a sending or receiving node: `tensor_name`, `send_device`, `recv_device`.
    pub rendezvous: Option<[StringId; 3]>,
    /// For a sending or receiving node the `DataType` of its tensor; 0 if it is not given.
    pub dtype: u32,
    /// The keys by which the participants of a collective belong together.
    pub collective: Option<CollectiveRecord<'a>>,
}

/// The keys in the node of a collective; see [`Collective`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollectiveRecord<'a> {
    /// `group_key`.
    pub group: i64,
    /// `instance_key`.
    pub instance: i64,
    /// `shared_name`.
    pub name: &'a [u8],
}

/// The keys of a collective: nodes with equal keys are participants of one collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// `group_key` of `Collective*` nodes: which devices take part; 0 if it is not given.
    pub group: i64,
    /// `instance_key` of `Collective*` nodes: which of the group's collectives it is.
    pub instance: i64,
    /// `shared_name` of `Nccl*` nodes; empty for others.
    pub name: StringId,
}

/// The end of a rendezvous that a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// `_Send`, `_HostSend`.
    Send,
    /// `_Recv`, `_HostRecv`.
    Recv,
}

/// A sending or receiving node and the key by which the two ends meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rendezvous {
    /// The node.
    pub node: GraphNodeId,
    /// The end that the node is.
    pub end: End,
    /// The tensor part of the key.
    pub tensor: StringId,
    /// The device that sends.
    pub source: StringId,
    /// The device that receives.
    pub destination: StringId,
    /// The `DataType` of the tensor; 0 if it is not known.
    pub dtype: u32,
}

/// The kind of a text in a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextOf {
    /// The name of a node, an input, a tensor, or a collective.
    Name,
    /// The op type of a node.
    OpType,
    /// A device.
    Device,
}

/// All nodes of all partition graphs, in the file's order.
#[derive(Default)]
pub struct Graph {
    name: Vec<StringId>,
    op: Vec<StringId>,
    device: Vec<StringId>,
    /// The inputs of node `i` are `inputs[first_input[i] .. first_input[i + 1]]`; the last range is open.
    first_input: Vec<u32>,
    inputs: Vec<StringId>,
    rendezvous: Vec<Rendezvous>,
    collectives: Vec<(GraphNodeId, Collective)>,
    /// (part, its first node), in order; parts without nodes may be missing.
    parts: Vec<(PartId, u32)>,
}

impl Graph {
    /// The following nodes belong to `part`.
    pub(crate) fn begin_part(&mut self, part: PartId) {
        if !self.newest_part_has_nodes() {
            self.parts.pop();
        }
        self.parts.push((part, self.name.len() as u32));
    }

    /// The following nodes belong to `part`, which must be the current part or a later one.
    pub(crate) fn continue_part(&mut self, part: PartId) {
        if self.parts.last().is_none_or(|&(newest, _)| newest < part) {
            self.begin_part(part);
        }
    }

    /// Whether any node was added to the newest part.
    pub(crate) fn newest_part_has_nodes(&self) -> bool {
        self.parts.last().is_none_or(|&(_, first)| (first as usize) < self.name.len())
    }

    /// Removes the nodes of part `first` and all later parts.
    pub(crate) fn discard_parts(&mut self, first: PartId) {
        let place = self.parts.partition_point(|&(part, _)| part < first);
        let Some(nodes) = self.parts.get(place).map(|&(_, node)| node as usize) else { return };
        self.parts.truncate(place);
        self.inputs.truncate(self.first_input.get(nodes).map_or(self.inputs.len(), |&input| input as usize));
        self.rendezvous.truncate(self.rendezvous.partition_point(|end| end.node.index() < nodes));
        self.collectives.truncate(self.collectives.partition_point(|(node, _)| node.index() < nodes));
        for column in [&mut self.name, &mut self.op, &mut self.device] {
            column.truncate(nodes);
        }
        self.first_input.truncate(nodes);
    }

    /// The nodes of the graphs of `part`; empty if it has no graph.
    pub fn of_part(&self, part: PartId) -> Range<usize> {
        let Ok(place) = self.parts.binary_search_by_key(&part, |&(part, _)| part) else { return 0..0 };
        let end = self.parts.get(place + 1).map_or(self.name.len(), |&(_, first)| first as usize);
        self.parts[place].1 as usize..end
    }

    /// Adds a node.
    pub(crate) fn push(&mut self, strings: &mut StringTable, record: &GraphNodeRecord<'_>) {
        let GraphNodeRecord { dtype, collective, .. } = *record;
        let [name, op, device] = [record.name, record.op, record.device].map(|text| strings.intern(text));
        let first_input = self.inputs.len();
        self.inputs.extend(record.inputs.iter().map(|input| strings.intern(input)));
        let ends = record.rendezvous.map(|(tensor, source, destination)| [tensor, source, destination]);
        let rendezvous = ends.map(|texts| texts.map(|text| strings.intern(text)));
        let texts = GraphNodeTexts { name, op, device, inputs: &[], rendezvous, dtype, collective };
        self.push_with_inputs(strings, &texts, first_input);
    }

    pub(crate) fn push_texts(&mut self, strings: &mut StringTable, record: &GraphNodeTexts<'_>) {
        let first_input = self.inputs.len();
        self.inputs.extend_from_slice(record.inputs);
        self.push_with_inputs(strings, record, first_input);
    }

    /// Adds `record`. Its inputs must be added already, from `first_input` on.
    fn push_with_inputs(
        &mut self,
        strings: &mut StringTable,
        record: &GraphNodeTexts<'_>,
        first_input: usize,
    ) {
        let node = GraphNodeId::from_usize(self.name.len());
        self.name.push(record.name);
        self.op.push(record.op);
        self.device.push(record.device);
        self.first_input.push(first_input as u32);
        let end = match strings.get(record.op) {
            "_Send" | "_HostSend" => Some(End::Send),
            "_Recv" | "_HostRecv" => Some(End::Recv),
            _ => None,
        };
        if let (Some(end), Some([tensor, source, destination])) = (end, record.rendezvous) {
            let dtype = record.dtype;
            self.rendezvous.push(Rendezvous { node, end, tensor, source, destination, dtype });
        }
        if let Some(CollectiveRecord { group, instance, name }) = record.collective {
            self.collectives.push((node, Collective { group, instance, name: strings.intern(name) }));
        }
    }

    /// Appends the graphs of `other`, before [`finish`](Self::finish) of either. `texts` gives the new id of each string of `other`, and
    /// `first_part` the new id of its first part.
    pub(crate) fn append(&mut self, other: &Self, texts: &[StringId], first_part: PartId) {
        let text = |old: StringId| texts[old.index()];
        let (nodes, inputs) = (self.name.len(), self.inputs.len() as u32);
        let node = |old: GraphNodeId| GraphNodeId::from_usize(nodes + old.index());
        if !other.parts.is_empty() && !self.newest_part_has_nodes() {
            self.parts.pop();
        }
        let parts = other.parts.iter();
        self.parts.extend(parts.map(|&(part, first)| (part.after(first_part), nodes as u32 + first)));
        self.name.extend(other.name.iter().map(|&own| text(own)));
        self.op.extend(other.op.iter().map(|&own| text(own)));
        self.device.extend(other.device.iter().map(|&own| text(own)));
        self.first_input.extend(other.first_input.iter().map(|first| inputs + first));
        self.inputs.extend(other.inputs.iter().map(|&own| text(own)));
        self.rendezvous.extend(other.rendezvous.iter().map(|own| Rendezvous {
            node: node(own.node),
            tensor: text(own.tensor),
            source: text(own.source),
            destination: text(own.destination),
            ..*own
        }));
        let collectives = other.collectives.iter();
        self.collectives
            .extend(collectives.map(|&(own, key)| (node(own), Collective { name: text(key.name), ..key })));
    }

    pub(crate) fn finish(&mut self) {
        self.first_input.push(self.inputs.len() as u32);
    }

    /// The graphs of `parts`, which must be in order.
    pub(crate) fn picked(&self, parts: &[PartId]) -> Self {
        let mut picked = Self::default();
        for &part in parts {
            picked.begin_part(part);
            let nodes = self.of_part(part);
            let before = picked.name.len();
            for old in nodes.clone() {
                picked.name.push(self.name[old]);
                picked.op.push(self.op[old]);
                picked.device.push(self.device[old]);
                picked.first_input.push(picked.inputs.len() as u32);
                picked.inputs.extend_from_slice(&self.inputs[range(&self.first_input, old)]);
            }
            let first = self.rendezvous.partition_point(|end| end.node.index() < nodes.start);
            let of_nodes = self.rendezvous[first..].iter().take_while(|end| end.node.index() < nodes.end);
            picked.rendezvous.extend(of_nodes.map(|end| Rendezvous {
                node: GraphNodeId::from_usize(end.node.index() - nodes.start + before),
                ..*end
            }));
            let first = self.collectives.partition_point(|(node, _)| node.index() < nodes.start);
            let of_nodes = self.collectives[first..].iter().take_while(|(node, _)| node.index() < nodes.end);
            picked.collectives.extend(of_nodes.map(|&(node, collective)| {
                (GraphNodeId::from_usize(node.index() - nodes.start + before), collective)
            }));
        }
        picked.finish();
        picked
    }

    /// The same graphs with their texts replaced by `text`.
    pub(crate) fn with_texts(&self, text: &mut dyn FnMut(TextOf, StringId) -> StringId) -> Self {
        let mut all = |of: TextOf, ids: &[StringId]| ids.iter().map(|&id| text(of, id)).collect();
        let name = all(TextOf::Name, &self.name);
        let op = all(TextOf::OpType, &self.op);
        let device = all(TextOf::Device, &self.device);
        let inputs = all(TextOf::Name, &self.inputs);
        let end = |end: &Rendezvous| Rendezvous {
            tensor: text(TextOf::Name, end.tensor),
            source: text(TextOf::Device, end.source),
            destination: text(TextOf::Device, end.destination),
            ..*end
        };
        let rendezvous = self.rendezvous.iter().map(end).collect();
        let collective = |&(node, as_read): &(GraphNodeId, Collective)| {
            (node, Collective { name: text(TextOf::Name, as_read.name), ..as_read })
        };
        let collectives = self.collectives.iter().map(collective).collect();
        let (first_input, parts) = (self.first_input.clone(), self.parts.clone());
        Self { name, op, device, first_input, inputs, rendezvous, collectives, parts }
    }

    /// The part whose graphs have `node`.
    pub fn part_of(&self, node: GraphNodeId) -> PartId {
        let place = self.parts.partition_point(|&(_, first)| first as usize <= node.index());
        self.parts.get(place.wrapping_sub(1)).map_or(PartId::new(0), |&(part, _)| part)
    }

    /// All ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = GraphNodeId> + use<> {
        (0..self.name.len()).map(GraphNodeId::from_usize)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.name.len()
    }

    /// Whether no graph was recorded.
    pub fn is_empty(&self) -> bool {
        self.name.is_empty()
    }

    /// The node's name.
    pub fn name(&self, node: GraphNodeId) -> StringId {
        self.name[node.index()]
    }

    /// Its op type.
    pub fn op(&self, node: GraphNodeId) -> StringId {
        self.op[node.index()]
    }

    /// The device where it ran.
    pub fn device(&self, node: GraphNodeId) -> StringId {
        self.device[node.index()]
    }

    /// Its inputs, as `name`, `name:1` or `^name`.
    pub fn inputs(&self, node: GraphNodeId) -> &[StringId] {
        &self.inputs[self.input_range(node)]
    }

    /// The range of the inputs of `node` among the inputs of all nodes.
    pub fn input_range(&self, node: GraphNodeId) -> Range<usize> {
        range(&self.first_input, node.index())
    }

    /// The number of inputs of all nodes.
    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// All sending and receiving nodes.
    pub fn rendezvous(&self) -> &[Rendezvous] {
        &self.rendezvous
    }

    /// The rendezvous of which `node` is an end.
    pub fn meeting(&self, node: GraphNodeId) -> Option<&Rendezvous> {
        let place = self.rendezvous.partition_point(|end| end.node < node);
        self.rendezvous.get(place).filter(|end| end.node == node)
    }

    /// The keys of the collective that `node` belongs to.
    pub fn collective(&self, node: GraphNodeId) -> Option<Collective> {
        let place = self.collectives.binary_search_by_key(&node, |&(node, _)| node).ok()?;
        Some(self.collectives[place].1)
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let strings = [&self.name, &self.op, &self.device, &self.inputs].map(Vec::capacity);
        strings.iter().sum::<usize>() * size_of::<StringId>()
            + self.first_input.capacity() * size_of::<u32>()
            + self.parts.capacity() * size_of::<(PartId, u32)>()
            + self.rendezvous.capacity() * size_of::<Rendezvous>()
            + self.collectives.capacity() * size_of::<(GraphNodeId, Collective)>()
    }
}
