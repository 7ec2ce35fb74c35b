//! The tensors that `timeline.py` tracks: for each name of an output, the one that was made last.

use super::tensor_text::describe;
use super::{ALLOCATORS, Block, Shown, begin};
use crate::json::Json;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::fmt::Write;
use std::io;
use steplens_core::model::file_order::Buffer;
use steplens_core::{StringId, Trace};

#[derive(Clone, Copy)]
struct Tensor {
    object: i64,
    start_us: i64,
    end_us: i64,
    compute: i64,
    tensors: i64,
    lane: u32,
    /// The latest end of any op that holds the tensor.
    freed_us: i64,
    allocator: StringId,
    bytes: i64,
}

/// All tensors, by name.
#[derive(Default)]
pub(super) struct Tensors {
    row_of: HashMap<Box<str>, u32, FixedState>,
    rows: Vec<Tensor>,
    /// Buffers for names and descriptions, reused for every tensor.
    name: String,
    text: String,
}

/// Where an input was made.
pub(super) struct Flow<'a> {
    pub(super) name: &'a str,
    pub(super) end_us: i64,
    pub(super) compute: i64,
    pub(super) lane: u32,
}

impl Flow<'_> {
    /// Whether the tensor stays in one lane. Then no arrow is drawn.
    pub(super) fn is_within(&self, compute: i64, lane: u32) -> bool {
        (self.compute, self.lane) == (compute, lane)
    }
}

impl Tensors {
    /// Notes the outputs of an op, and writes them if they should be shown.
    pub(super) fn make(
        &mut self,
        trace: &Trace,
        block: &Block,
        shown: Shown,
        mut json: Option<&mut Json<'_>>,
    ) {
        let buffers = trace.file_order().map_or(&[][..], |order| order.buffers(shown.place));
        for (place, output) in trace.outputs().of(shown.op).enumerate() {
            self.name.clear();
            self.name.push_str(trace.op_name(shown.op));
            if place > 0 {
                // Writing to a string cannot fail.
                let _ = write!(self.name, ":{place}");
            }
            let tensor = Tensor {
                object: self.rows.len() as i64,
                start_us: shown.start_us,
                end_us: shown.end_us,
                compute: block.compute,
                tensors: block.tensors,
                lane: shown.lane,
                freed_us: shown.end_us,
                allocator: output.allocator,
                bytes: i64::try_from(output.requested.0).unwrap_or(i64::MAX),
            };
            match self.row_of.get(self.name.as_str()) {
                Some(&row) => self.rows[row as usize] = tensor,
                None => {
                    self.row_of.insert(self.name.as_str().into(), self.rows.len() as u32);
                    self.rows.push(tensor);
                }
            }
            let Some(json) = &mut json else { continue };
            // If no file order was kept, assume the fields that every output has when it was made.
            let like = Buffer { has_shape: output.dtype != 0, has_allocation: true, ..Buffer::default() };
            describe(trace, &output, buffers.get(place).copied().unwrap_or(like), &mut self.text);
            begin(json, "N", "Tensor", &self.name, block.tensors, shown.lane, shown.start_us);
            json.integer_of("id", tensor.object);
            json.close(b'}');
            begin(json, "O", "Tensor", &self.name, block.tensors, shown.lane, shown.end_us - 1);
            json.integer_of("id", tensor.object);
            json.object_of("args");
            json.object_of("snapshot");
            json.text_of("tensor_description", &self.text);
            json.close(b'}');
            json.close(b'}');
            json.close(b'}');
        }
    }

    /// Notes that an op reads `input`. Returns where it was made, if an op made it.
    pub(super) fn read<'a>(&mut self, input: &'a str, block: &Block, shown: Shown) -> Option<Flow<'a>> {
        debug_assert!(!block.is_stream);
        let find = |name: &str| self.row_of.get(name).map(|&row| row as usize);
        // The partitioner may have added a suffix.
        let cut = || input.rfind("/_").filter(|&at| at > 0).map(|at| &input[..at]);
        let (name, row) = match find(input) {
            Some(row) => (input, row),
            None => cut().and_then(|name| Some((name, find(name)?)))?,
        };
        let tensor = &mut self.rows[row];
        tensor.freed_us = tensor.freed_us.max(shown.end_us - 1);
        Some(Flow { name, end_us: tensor.end_us, compute: tensor.compute, lane: tensor.lane })
    }

    /// Writes when each tensor was needed for the last time, and the bytes of each allocator over time.
    pub(super) fn write_ends_and_counters(self, trace: &Trace, json: &mut Json<'_>) -> io::Result<()> {
        let mut names = vec![""; self.rows.len()];
        // Events come in the order of the rows, not in the order of the hash table.
        for (name, &row) in &self.row_of {
            names[row as usize] = name;
        }
        for (name, tensor) in names.iter().zip(&self.rows) {
            begin(json, "D", "Tensor", name, tensor.tensors, 0, tensor.freed_us);
            json.integer_of("id", tensor.object);
            json.close(b'}');
            json.hand_over()?;
        }
        let mut changes: Vec<(StringId, i64, i64)> = Vec::with_capacity(2 * self.rows.len());
        for tensor in &self.rows {
            changes.push((tensor.allocator, tensor.start_us, tensor.bytes));
            changes.push((tensor.allocator, tensor.freed_us, -tensor.bytes));
        }
        changes.sort();
        let mut of = None;
        let mut total = 0_i64;
        for (allocator, at, bytes) in changes {
            if of.replace(allocator) != Some(allocator) {
                total = 0;
            }
            total = total.saturating_add(bytes);
            let name = trace.text(allocator);
            begin(json, "C", "Memory", name, ALLOCATORS, 0, at);
            json.object_of("args");
            json.integer_of(name, total);
            json.close(b'}');
            json.close(b'}');
            json.hand_over()?;
        }
        Ok(())
    }
}
