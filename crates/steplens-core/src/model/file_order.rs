//! The order of a file. A trace does not keep it, because no analysis needs it, but it is needed to write the file's ops as another
//! program would. Kept only if that was requested before reading.

use crate::OpId;
use crate::base::ids::StringId;

/// The buffer of an output: what its [`Output`](crate::model::output::Output) does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// The address.
    pub ptr: u64,
    /// Whether it had only one reference.
    pub has_single_reference: bool,
    /// Whether the file has a shape for it. A scalar also has one: an empty one.
    pub has_shape: bool,
    /// Whether the file describes an allocation.
    pub has_allocation: bool,
}

/// A block of ops, as the file groups them (`dev_stats`). A device may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The device's name as it is in the file.
    pub device: StringId,
    /// The place of its first op among all ops of the file.
    first: u32,
}

/// The ops of a trace in the order of their files, in the same blocks.
#[derive(Clone, Debug, Default)]
pub struct FileOrder {
    blocks: Vec<Block>,
    ops: Vec<OpId>,
    /// For each op in `ops` the start of its buffers.
    first_buffer: Vec<u32>,
    buffers: Vec<Buffer>,
}

impl FileOrder {
    /// All blocks, including those without ops, each with its ops in the order of the file.
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

    /// The buffers of the outputs of the op at `place`, counted over all blocks. Empty if any buffer is missing.
    pub fn buffers(&self, place: usize) -> &[Buffer] {
        let first = self.first_buffer.get(place).map_or(self.buffers.len(), |&first| first as usize);
        self.buffers.get(first..).unwrap_or_default()
    }

    /// The order of the ops that were taken into another trace. `old_op` has their old ids.
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

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
            + (self.ops.capacity() + self.first_buffer.capacity()) * 4
            + self.buffers.capacity() * size_of::<Buffer>()
    }
}

/// The order of a file while a reader adds to it.
#[derive(Debug, Default)]
pub(crate) struct FileOrderBuilder {
    /// (device, first row of the file).
    blocks: Vec<Block>,
    /// By row of the file.
    first_buffer: Vec<u32>,
    buffers: Vec<Buffer>,
    is_in_block: bool,
    /// Whether some ops are of a format without blocks.
    is_incomplete: bool,
}

impl FileOrderBuilder {
    /// Begins a block. `device` is its name, as far as it is known.
    pub(crate) fn begin_block(&mut self, device: StringId) {
        self.blocks.push(Block { device, first: self.first_buffer.len() as u32 });
        self.is_in_block = true;
    }

    /// Names the newest block.
    pub(crate) fn name_block(&mut self, device: StringId) {
        self.blocks.last_mut().into_iter().for_each(|block| block.device = device);
    }

    /// Ends the block.
    pub(crate) fn end_block(&mut self) {
        self.is_in_block = false;
    }

    /// Adds the next row of the file.
    pub(crate) fn next_op(&mut self) {
        self.is_incomplete |= !self.is_in_block;
        self.first_buffer.push(self.buffers.len() as u32);
    }

    /// Adds the next buffer of the newest op.
    pub(crate) fn push_buffer(&mut self, buffer: Buffer) {
        self.buffers.push(buffer);
    }

    /// The finished order. `ids` has the op of each row of the file. `None` if the order does not have all ops.
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

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
            + self.first_buffer.capacity() * 4
            + self.buffers.capacity() * size_of::<Buffer>()
    }
}
