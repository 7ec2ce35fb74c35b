//! The order of a file: what a trace does not keep, because no analysis needs it, and what writing the file's ops as another program would
//! does need. Kept only where it was asked for before reading.

use crate::OpId;
use crate::base::ids::StringId;

/// What an output's buffer was, beyond its [`Output`](crate::model::output::Output).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// Where it lay.
    pub ptr: u64,
    /// Whether nobody else held it.
    pub has_single_reference: bool,
    /// Whether the file has a shape for it. A scalar has one, too: an empty one.
    pub has_shape: bool,
    /// Whether the file describes an allocation.
    pub has_allocation: bool,
}

/// A block of ops, as the file groups them (`dev_stats`). One device may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The device's name as it stands in the file.
    pub device: StringId,
    /// The place of its first op among those of the file.
    first: u32,
}

/// The ops of a trace in the order of their files, in the blocks that these had.
#[derive(Clone, Debug, Default)]
pub struct FileOrder {
    blocks: Vec<Block>,
    ops: Vec<OpId>,
    /// By place in `ops`: where its buffers begin.
    first_buffer: Vec<u32>,
    buffers: Vec<Buffer>,
}

impl FileOrder {
    /// The blocks, those without ops among them, each with its ops in the order of the file.
    pub fn blocks(&self) -> impl Iterator<Item = (StringId, &[OpId])> {
        let end = |row: usize| self.blocks.get(row + 1).map_or(self.ops.len(), |next| next.first as usize);
        self.blocks.iter().enumerate().map(move |(row, block)| {
            (block.device, self.ops.get(block.first as usize..end(row)).unwrap_or_default())
        })
    }

    /// The ops of all blocks, in the order of the file.
    pub fn ops(&self) -> &[OpId] {
        &self.ops
    }

    /// The buffers of the outputs of the op at `place`, counted over all blocks. None may be missing.
    pub fn buffers(&self, place: usize) -> &[Buffer] {
        let first = self.first_buffer.get(place).map_or(self.buffers.len(), |&first| first as usize);
        self.buffers.get(first..).unwrap_or_default()
    }

    /// The order of those ops that another trace took: `old_op` by its own ids.
    pub(crate) fn of_taken(&self, old_op: &[OpId], old_ops: usize) -> Self {
        let mut new_op = vec![None; old_ops];
        for (new, old) in old_op.iter().enumerate() {
            new_op[old.index()] = Some(OpId::from_usize(new));
        }
        let mut order = Self { buffers: self.buffers.clone(), ..Self::default() };
        let mut place = 0;
        for (device, ops) in self.blocks() {
            order.blocks.push(Block { device, first: order.ops.len() as u32 });
            for op in ops {
                if let Some(new) = new_op.get(op.index()).copied().flatten() {
                    order.ops.push(new);
                    order.first_buffer.push(self.first_buffer[place]);
                }
                place += 1;
            }
        }
        order
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
            + (self.ops.capacity() + self.first_buffer.capacity()) * 4
            + self.buffers.capacity() * size_of::<Buffer>()
    }
}

/// The order as a reader meets it.
#[derive(Debug, Default)]
pub(crate) struct FileOrderBuilder {
    /// (device, first row of the file).
    blocks: Vec<Block>,
    /// By row of the file.
    first_buffer: Vec<u32>,
    buffers: Vec<Buffer>,
    is_in_block: bool,
    /// Some ops are of a format without blocks.
    is_incomplete: bool,
}

impl FileOrderBuilder {
    /// A block begins; `device` is its name, as far as it is known.
    pub(crate) fn begin_block(&mut self, device: StringId) {
        self.blocks.push(Block { device, first: self.first_buffer.len() as u32 });
        self.is_in_block = true;
    }

    /// Names the newest block.
    pub(crate) fn name_block(&mut self, device: StringId) {
        self.blocks.last_mut().into_iter().for_each(|block| block.device = device);
    }

    /// The block is over.
    pub(crate) fn end_block(&mut self) {
        self.is_in_block = false;
    }

    /// The next row of the file.
    pub(crate) fn next_op(&mut self) {
        self.is_incomplete |= !self.is_in_block;
        self.first_buffer.push(self.buffers.len() as u32);
    }

    /// The next buffer of the newest op.
    pub(crate) fn push_buffer(&mut self, buffer: Buffer) {
        self.buffers.push(buffer);
    }

    /// The order, where `ids` are the ops by row of the file; `None` if it is not that of all ops.
    pub(crate) fn finish(self, ids: &[Option<OpId>]) -> Option<FileOrder> {
        if self.is_incomplete {
            return None;
        }
        let mut order = FileOrder { buffers: self.buffers, ..FileOrder::default() };
        let mut blocks = self.blocks.into_iter().peekable();
        for (row, &first_buffer) in self.first_buffer.iter().enumerate() {
            while let Some(block) = blocks.next_if(|block| block.first as usize <= row) {
                order.blocks.push(Block { first: order.ops.len() as u32, ..block });
            }
            if let Some(op) = ids.get(row).copied().flatten() {
                order.ops.push(op);
                order.first_buffer.push(first_buffer);
            }
        }
        let end = order.ops.len() as u32;
        order.blocks.extend(blocks.map(|block| Block { first: end, ..block }));
        Some(order)
    }

    /// Memory it holds, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
            + self.first_buffer.capacity() * 4
            + self.buffers.capacity() * size_of::<Buffer>()
    }
}
