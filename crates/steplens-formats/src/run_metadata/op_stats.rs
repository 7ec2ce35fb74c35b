//! `NodeExecStats`: one execution of an op, with its outputs and what its allocators did.

use crate::wire::{Damaged, Fields, Value};
use std::ops::Range;
use steplens_core::builder::{DeviceSlot, OpRecord, OpTimes, Refused, TraceBuilder};
use steplens_core::output::OutputRecord;

/// What became of an op.
pub(super) enum Outcome {
    /// It is in the trace; the flags tell what was odd about it.
    Taken {
        negative_length: bool,
        /// How many outputs or allocator reports were damaged and left out.
        damaged_parts: u64,
    },
    Refused(Refused),
}

/// Buffers that live from op to op, so that no op allocates.
#[derive(Default)]
pub(super) struct Scratch {
    dims: Vec<i64>,
    /// Where the allocator reports and outputs of the op in progress lie in its message.
    parts: Vec<(Part, Range<usize>)>,
}

#[derive(Clone, Copy)]
enum Part {
    Memory,
    Output,
}

/// Times as the wire has them: micros always, nanos since TensorFlow 1.9.
#[derive(Default)]
struct Time {
    micros: i64,
    nanos: i64,
}

impl Time {
    /// Nanoseconds; `*_nanos` wins where it is set. `None` when the micros do not fit.
    fn ns(&self) -> Option<i64> {
        if self.nanos != 0 { Some(self.nanos) } else { self.micros.checked_mul(1_000) }
    }
}

/// Reads the message and adds the op to `builder`.
pub(super) fn read(
    message: &[u8],
    builder: &mut TraceBuilder,
    slot: DeviceSlot,
    scratch: &mut Scratch,
) -> Result<Outcome, Damaged> {
    let (mut name, mut label) = (&[][..], &[][..]);
    let [mut start, mut kernel_start, mut kernel_end, mut length, mut scheduled] =
        [const { Time { micros: 0, nanos: 0 } }; 5];
    let mut thread = 0;
    scratch.parts.clear();
    let mut fields = Fields::of(message);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (1, Value::Bytes(bytes)) => name = bytes,
            (2, Value::Varint(value)) => start.micros = value as i64,
            (3, Value::Varint(value)) => kernel_start.micros = value as i64,
            (4, Value::Varint(value)) => kernel_end.micros = value as i64,
            (5, Value::Varint(value)) => length.micros = value as i64,
            (6, Value::Bytes(bytes)) => scratch.parts.push((Part::Memory, fields.range_of(bytes))),
            (7, Value::Bytes(bytes)) => scratch.parts.push((Part::Output, fields.range_of(bytes))),
            (8, Value::Bytes(bytes)) => label = bytes,
            (9, Value::Varint(value)) => scheduled.micros = value as i64,
            (10, Value::Varint(value)) => thread = value as u32,
            (13, Value::Varint(value)) => start.nanos = value as i64,
            (14, Value::Varint(value)) => kernel_start.nanos = value as i64,
            (15, Value::Varint(value)) => kernel_end.nanos = value as i64,
            (16, Value::Varint(value)) => length.nanos = value as i64,
            (17, Value::Varint(value)) => scheduled.nanos = value as i64,
            _ => {}
        }
    }
    let (Some(start_unix_ns), Some(length_ns)) = (start.ns(), length.ns()) else {
        return Ok(Outcome::Refused(Refused::TimeOutOfRange));
    };
    let times = OpTimes {
        start_unix_ns,
        length_ns,
        scheduled_unix_ns: scheduled.ns().filter(|&scheduled| scheduled != 0),
        kernel_start_ns: kernel_start.ns().unwrap_or(0),
        kernel_end_ns: kernel_end.ns().unwrap_or(0),
        thread,
    };
    if let Err(refused) = builder.op(slot, &OpRecord { name, label, times }) {
        return Ok(Outcome::Refused(refused));
    }
    // Parts are added after their op, and the op is known only at the end of its message.
    let Scratch { dims, parts } = scratch;
    let mut damaged_parts = 0;
    for (part, range) in parts {
        let bytes = &message[range.clone()];
        let read = match part {
            Part::Memory => read_memory(bytes, builder),
            Part::Output => read_output(bytes, builder, dims),
        };
        damaged_parts += u64::from(read.is_err());
    }
    Ok(Outcome::Taken { negative_length: length_ns < 0, damaged_parts })
}

/// `AllocatorMemoryUsed`.
fn read_memory(message: &[u8], builder: &mut TraceBuilder) -> Result<(), Damaged> {
    let mut allocator = &[][..];
    let (mut total, mut peak, mut live) = (0, 0, 0);
    let mut fields = Fields::of(message);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (1, Value::Bytes(bytes)) => allocator = bytes,
            (2, Value::Varint(value)) => total = value as i64,
            (3, Value::Varint(value)) => peak = value as i64,
            (4, Value::Varint(value)) => live = value as i64,
            _ => {}
        }
    }
    builder.allocator_use(allocator, total, peak, live);
    let mut fields = Fields::of(message);
    while let Some((field, value)) = fields.next()? {
        if let (6, Value::Bytes(record)) = (field, value) {
            let (mut micros, mut bytes) = (0i64, 0);
            let mut fields = Fields::of(record);
            while let Some((field, value)) = fields.next()? {
                match (field, value) {
                    (1, Value::Varint(value)) => micros = value as i64,
                    (2, Value::Varint(value)) => bytes = value as i64,
                    _ => {}
                }
            }
            builder.allocation(micros.saturating_mul(1_000), bytes);
        }
    }
    Ok(())
}

/// `NodeOutput`, with the `TensorDescription` and `AllocationDescription` inside.
fn read_output(message: &[u8], builder: &mut TraceBuilder, dims: &mut Vec<i64>) -> Result<(), Damaged> {
    let mut record = OutputRecord::default();
    let mut unknown_rank = false;
    dims.clear();
    let mut fields = Fields::of(message);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (1, Value::Varint(value)) => record.slot = value as i32,
            (3, Value::Bytes(tensor)) => {
                let mut fields = Fields::of(tensor);
                while let Some((field, value)) = fields.next()? {
                    match (field, value) {
                        (1, Value::Varint(value)) => record.dtype = value as u32,
                        (2, Value::Bytes(shape)) => unknown_rank = read_shape(shape, dims)?,
                        (4, Value::Bytes(allocation)) => read_allocation(allocation, &mut record)?,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    record.shape = (!unknown_rank).then_some(dims.as_slice());
    builder.output(&record);
    Ok(())
}

/// `AllocationDescription`.
fn read_allocation<'a>(message: &'a [u8], record: &mut OutputRecord<'a>) -> Result<(), Damaged> {
    let mut fields = Fields::of(message);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (1, Value::Varint(value)) => record.requested_bytes = value as i64,
            (2, Value::Varint(value)) => record.allocated_bytes = value as i64,
            (3, Value::Bytes(bytes)) => record.allocator = bytes,
            (4, Value::Varint(value)) => record.allocation_id = value as i64,
            _ => {}
        }
    }
    Ok(())
}

/// `TensorShapeProto`: appends the dimensions to `dims`; true if the rank is unknown.
fn read_shape(message: &[u8], dims: &mut Vec<i64>) -> Result<bool, Damaged> {
    let mut unknown_rank = false;
    let mut fields = Fields::of(message);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (2, Value::Bytes(dim)) => {
                let mut size = 0;
                let mut fields = Fields::of(dim);
                while let Some((field, value)) = fields.next()? {
                    if let (1, Value::Varint(value)) = (field, value) {
                        size = value as i64;
                    }
                }
                dims.push(size);
            }
            (3, Value::Varint(value)) => unknown_rank = value != 0,
            _ => {}
        }
    }
    Ok(unknown_rank)
}
