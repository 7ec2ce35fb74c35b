//! The layout of the message: the parts in order, with their blocks of ops and their graphs.

use std::borrow::Cow;
use std::ops::Range;
use steplens_core::base::ids::GraphNodeId;
use steplens_core::base::order;
use steplens_core::{DeviceId, OpId, PartId, StringId, Trace};

/// A `dev_stats`: consecutive ops of one part and one device.
pub(super) struct Block {
    part: PartId,
    pub(super) device: StringId,
    /// Places in the plan's `ops`.
    pub(super) ops: Range<u32>,
    /// Rows of the trace's thread names that belong to this device. Only the first block of a device in each part has them.
    pub(super) threads: Range<usize>,
    /// The length without the head.
    pub(super) bytes: u64,
}

/// A partition graph: consecutive nodes of one device.
pub(super) struct Graph {
    pub(super) nodes: Range<u32>,
    /// The length without the head.
    pub(super) bytes: u64,
}

/// A part: its `step_stats`, if it has blocks, and then its graphs.
pub(super) struct Section {
    pub(super) part: PartId,
    pub(super) blocks: Range<usize>,
    pub(super) graphs: Range<usize>,
}

/// The layout of the whole message.
pub(super) struct Plan<'a> {
    pub(super) ops: Cow<'a, [OpId]>,
    pub(super) blocks: Vec<Block>,
    pub(super) graphs: Vec<Graph>,
    /// The sections, in order of part.
    pub(super) sections: Vec<Section>,
}

impl<'a> Plan<'a> {
    pub(super) fn of(trace: &'a Trace) -> Self {
        let (ops, mut blocks) = match trace.file_order() {
            Some(order) => (Cow::Borrowed(order.ops()), blocks_of_file(trace)),
            None => {
                let ops = by_part(trace);
                let mut blocks = Vec::new();
                split(trace, &ops, 0, &mut blocks);
                (Cow::Owned(ops), blocks)
            }
        };
        add_idle_devices(trace, &mut blocks);
        let mut rows: Vec<usize> = (0..blocks.len()).collect();
        order::by_number(&mut rows, |row| (blocks[row].part.get().into(), 0));
        let mut unsorted: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
        let mut blocks: Vec<Block> = rows.into_iter().filter_map(|row| unsorted[row].take()).collect();
        name_threads(trace, &mut blocks);
        let (graphs, sections) = sections(trace, &blocks);
        Self { ops, blocks, graphs, sections }
    }
}

/// The blocks of the file. One of them may be split between several devices, by a view or by the user. Blocks without ops (a view
/// leaves those of other steps) are left out, except the first block of each device that has no ops at all.
fn blocks_of_file(trace: &Trace) -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut place, mut part) = (0, PartId::new(0));
    let mut is_named = vec![false; trace.devices().len()];
    for (name, ops) in trace.file_order().into_iter().flat_map(|order| order.blocks()) {
        split(trace, ops, place, &mut blocks);
        place += ops.len() as u32;
        part = blocks.last().map_or(part, |block: &Block| block.part);
        let idle = trace.devices().by_name(name).filter(|&id| trace.devices().get(id).op_count == 0);
        if ops.is_empty()
            && let Some(id) = idle
            && !std::mem::replace(&mut is_named[id.index()], true)
        {
            blocks.push(Block::empty(part, name, place));
        }
    }
    blocks
}

/// All ops, sorted by part; within a part by device and time.
fn by_part(trace: &Trace) -> Vec<OpId> {
    let mut ops: Vec<OpId> = trace.ops().ids().collect();
    if trace.parts().len() > 1 {
        order::by_number(&mut ops, |op| (i64::from(trace.ops().part(op).get()), i64::from(op.get())));
    }
    ops
}

/// Adds the blocks of `ops`, which begin at `place`.
fn split(trace: &Trace, ops: &[OpId], place: u32, blocks: &mut Vec<Block>) {
    let mut at: Option<(PartId, DeviceId)> = None;
    let mut device = DeviceId::new(0);
    for (op, row) in ops.iter().zip(place..) {
        let own = trace.devices().get(device);
        if !(own.first_op..own.end_op()).contains(&op.get()) {
            device = trace.device_of(*op);
        }
        let of = (trace.ops().part(*op), device);
        if at.replace(of) != Some(of) {
            blocks.push(Block::empty(of.0, trace.devices().get(device).name, row));
        }
        if let Some(block) = blocks.last_mut() {
            block.ops.end = row + 1;
        }
    }
}

impl Block {
    fn empty(part: PartId, device: StringId, place: u32) -> Self {
        Self { part, device, ops: place..place, threads: 0..0, bytes: 0 }
    }
}

/// Adds a block for each device that has no op and no block yet.
fn add_idle_devices(trace: &Trace, blocks: &mut Vec<Block>) {
    let (part, place) = blocks.last().map_or((PartId::new(0), 0), |block| (block.part, block.ops.end));
    for id in trace.devices().ids() {
        let device = trace.devices().get(id);
        if device.op_count == 0 && !blocks.iter().any(|block| block.device == device.name) {
            blocks.push(Block::empty(part, device.name, place));
        }
    }
}

/// Gives the thread names of each device to its first block in each part.
fn name_threads(trace: &Trace, blocks: &mut [Block]) {
    if trace.threads().is_empty() {
        return;
    }
    let mut named: Vec<Option<PartId>> = vec![None; trace.devices().len()];
    for block in blocks {
        let Some(device) = trace.devices().by_name(block.device) else { continue };
        if named[device.index()].replace(block.part) != Some(block.part) {
            let start = trace.threads().partition_point(|own| own.0 < device);
            let count = trace.threads()[start..].partition_point(|own| own.0 == device);
            block.threads = start..start + count;
        }
    }
}

/// The sections, with the graphs of each. A part can have graphs but no blocks: the first step recorded the graphs for all steps.
/// Such graphs go to the next part that has blocks, or to the last one.
fn sections(trace: &Trace, blocks: &[Block]) -> (Vec<Graph>, Vec<Section>) {
    let mut sections: Vec<Section> = Vec::new();
    for (row, block) in blocks.iter().enumerate() {
        match sections.last_mut() {
            Some(section) if section.part == block.part => section.blocks.end = row + 1,
            _ => sections.push(Section { part: block.part, blocks: row..row + 1, graphs: 0..0 }),
        }
    }
    if sections.is_empty() {
        sections.push(Section { part: PartId::new(0), blocks: 0..0, graphs: 0..0 });
    }
    let mut graphs: Vec<Graph> = Vec::new();
    let mut part = 0;
    let last = sections.len() - 1;
    for (row, section) in sections.iter_mut().enumerate() {
        let first = graphs.len();
        let end = if row == last { trace.parts().len().max(1) } else { section.part.index() + 1 };
        for id in (part..end).map(PartId::from_usize) {
            let nodes = trace.graph().of_part(id);
            add_graphs(trace, nodes.start as u32..nodes.end as u32, &mut graphs);
        }
        part = end;
        section.graphs = first..graphs.len();
    }
    (graphs, sections)
}

/// Adds the graphs of a part: one for each run of consecutive nodes of a device.
fn add_graphs(trace: &Trace, nodes: Range<u32>, graphs: &mut Vec<Graph>) {
    let mut of = None;
    for node in nodes {
        let device = trace.graph().device(GraphNodeId::new(node));
        if of.replace(device) != Some(device) {
            graphs.push(Graph { nodes: node..node, bytes: 0 });
        }
        if let Some(graph) = graphs.last_mut() {
            graph.nodes.end = node + 1;
        }
    }
}
