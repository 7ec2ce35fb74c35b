//! `NodeExecStats`: one execution of an op, with its outputs and the reports of its allocators.

use crate::wire::{Damaged, Fields, Message, Value};
use std::ops::Range;
use steplens_core::build::builder::{DeviceSlot, OpRecord, Refused, TraceBuilder};
use steplens_core::model::file_order::Buffer;
use steplens_core::model::op::OpTimes;
use steplens_core::model::output::OutputRecord;
use steplens_proto::fields::{
    allocation_description, allocation_record, allocator_memory_used, dim, node_exec_stats, node_output,
    tensor_description, tensor_shape_proto,
};

/// The result of reading an op.
pub(super) enum Outcome {
    /// It is in the trace; the fields say what was wrong with it.
    Taken {
        negative_length: bool,
        /// The number of damaged outputs and allocator reports, which were left out.
        damaged_parts: u64,
        /// The number of outputs and allocator reports with a negative size, which counts as 0.
        negative_sizes: u64,
    },
    Refused(Refused),
}

/// Buffers that are reused from op to op, so that no op allocates.
#[derive(Default)]
pub(super) struct Scratch {
    dims: Vec<i64>,
    /// The ranges of the allocator reports and outputs in the message of the current op.
    parts: Vec<(NestedMessage, Range<usize>)>,
}

#[derive(Clone, Copy)]
enum NestedMessage {
    Memory,
    Output,
}

/// Times as in the message: always in micros, and since TensorFlow 1.9 also in nanos.
#[derive(Default)]
struct Time {
    micros: i64,
    nanos: i64,
}

impl Time {
    /// The time in nanoseconds; `*_nanos` has priority if it is set. `None` if the micros do not fit.
    fn ns(&self) -> Option<i64> {
        // Compare first, because a checked multiplication uses 128 bits in wasm.
        const FITS: std::ops::RangeInclusive<i64> = i64::MIN / 1_000..=i64::MAX / 1_000;
        if self.nanos != 0 {
            return Some(self.nanos);
        }
        FITS.contains(&self.micros).then(|| self.micros.wrapping_mul(1_000))
    }
}

/// When the executor scheduled an op that started at `start_unix_ns`; `None` if that was not recorded.
///
/// TensorFlow 1.11 to 2.19 store the nanoseconds times 1,000, in 64 bits that overflow (`executor.cc` multiplies a value that is in
/// nanoseconds already). The difference to the start times 1,000, computed in the same 64 bits, gives the exact time.
fn scheduled_unix_ns(scheduled: &Time, start_unix_ns: i64) -> Option<i64> {
    const DAY_NS: i64 = 86_400_000_000_000;
    let recorded = scheduled.ns().filter(|&recorded| recorded != 0)?;
    if recorded.abs_diff(start_unix_ns) <= DAY_NS.unsigned_abs() {
        return Some(recorded);
    }
    let later = recorded.wrapping_sub(start_unix_ns.wrapping_mul(1_000));
    let is_multiplied = later % 1_000 == 0 && later.unsigned_abs() / 1_000 <= DAY_NS.unsigned_abs();
    Some(if is_multiplied { start_unix_ns.saturating_add(later / 1_000) } else { recorded })
}

/// Reads the message and adds the op to `builder`.
pub(super) fn read(
    message: Message<'_>,
    builder: &mut TraceBuilder,
    slot: DeviceSlot,
    scratch: &mut Scratch,
) -> Result<Outcome, Damaged> {
    let (mut name, mut label) = (&[][..], &[][..]);
    let [mut start, mut kernel_start, mut kernel_end, mut length, mut scheduled] =
        [const { Time { micros: 0, nanos: 0 } }; 5];
    let mut thread = 0;
    let Scratch { dims, parts } = scratch;
    parts.clear();
    let message = message.fields();
    let mut fields = message;
    while let Some((field, value)) = fields.next()? {
        match value {
            Value::Varint(value) => match field {
                node_exec_stats::ALL_START_MICROS => start.micros = value as i64,
                node_exec_stats::OP_START_REL_MICROS => kernel_start.micros = value as i64,
                node_exec_stats::OP_END_REL_MICROS => kernel_end.micros = value as i64,
                node_exec_stats::ALL_END_REL_MICROS => length.micros = value as i64,
                node_exec_stats::SCHEDULED_MICROS => scheduled.micros = value as i64,
                node_exec_stats::THREAD_ID => thread = value as u32,
                node_exec_stats::ALL_START_NANOS => start.nanos = value as i64,
                node_exec_stats::OP_START_REL_NANOS => kernel_start.nanos = value as i64,
                node_exec_stats::OP_END_REL_NANOS => kernel_end.nanos = value as i64,
                node_exec_stats::ALL_END_REL_NANOS => length.nanos = value as i64,
                node_exec_stats::SCHEDULED_NANOS => scheduled.nanos = value as i64,
                _ => {}
            },
            Value::Bytes(bytes) => match field {
                node_exec_stats::NODE_NAME => name = bytes,
                node_exec_stats::TIMELINE_LABEL => label = bytes,
                node_exec_stats::MEMORY => parts.push((NestedMessage::Memory, fields.range_of(bytes))),
                node_exec_stats::OUTPUT => parts.push((NestedMessage::Output, fields.range_of(bytes))),
                _ => {}
            },
            Value::Fixed(_) => {}
        }
    }
    let (Some(start_unix_ns), Some(length_ns)) = (start.ns(), length.ns()) else {
        return Ok(Outcome::Refused(Refused::TimeOutOfRange));
    };
    let times = OpTimes {
        start_unix_ns,
        length_ns,
        scheduled_unix_ns: scheduled_unix_ns(&scheduled, start_unix_ns),
        kernel_start_ns: kernel_start.ns().unwrap_or(0),
        kernel_end_ns: kernel_end.ns().unwrap_or(0),
        thread,
    };
    if let Err(refused) = builder.op(slot, &OpRecord { name, label, times }) {
        return Ok(Outcome::Refused(refused));
    }
    // Parts must be added after their op, and the op is known only at the end of its message.
    let (mut damaged_parts, mut negative_sizes) = (0, 0);
    for (part, range) in parts {
        let fields = message.of_range(range);
        let read = match part {
            NestedMessage::Memory => read_memory(fields, builder),
            NestedMessage::Output => read_output(fields, builder, dims),
        };
        match read {
            Ok(is_negative) => negative_sizes += u64::from(is_negative),
            Err(_) => damaged_parts += 1,
        }
    }
    Ok(Outcome::Taken { negative_length: length_ns < 0, damaged_parts, negative_sizes })
}

/// Reads an `AllocatorMemoryUsed`; returns whether a size in it is negative.
fn read_memory(message: Fields<'_>, builder: &mut TraceBuilder) -> Result<bool, Damaged> {
    let mut allocator = &[][..];
    let (mut total, mut peak, mut live, mut in_use) = (0, 0, 0, None);
    let mut fields = message;
    while let Some((field, value)) = fields.next()? {
        match value {
            Value::Varint(value) => match field {
                allocator_memory_used::TOTAL_BYTES => total = value as i64,
                allocator_memory_used::PEAK_BYTES => peak = value as i64,
                allocator_memory_used::LIVE_BYTES => live = value as i64,
                allocator_memory_used::ALLOCATOR_BYTES_IN_USE => in_use = Some(value as i64),
                _ => {}
            },
            Value::Bytes(bytes) if field == allocator_memory_used::ALLOCATOR_NAME => allocator = bytes,
            _ => {}
        }
    }
    builder.allocator_use(allocator, total, peak, live, in_use.filter(|&bytes| bytes > 0));
    let mut fields = message;
    while let Some((field, value)) = fields.next()? {
        if let (allocator_memory_used::ALLOCATION_RECORDS, Value::Bytes(record)) = (field, value) {
            let (mut micros, mut bytes) = (0i64, 0);
            let mut fields = fields.of_value(record);
            while let Some((field, value)) = fields.next()? {
                match (field, value) {
                    (allocation_record::ALLOC_MICROS, Value::Varint(value)) => micros = value as i64,
                    (allocation_record::ALLOC_BYTES, Value::Varint(value)) => bytes = value as i64,
                    _ => {}
                }
            }
            builder.allocation(
                Time { micros, nanos: 0 }.ns().unwrap_or(match micros {
                    ..0 => i64::MIN,
                    _ => i64::MAX,
                }),
                bytes,
            );
        }
    }
    Ok(total.min(peak).min(live) < 0)
}

/// Reads a `NodeOutput`, with its `TensorDescription` and `AllocationDescription`; returns whether a size in it is negative.
fn read_output(
    mut fields: Fields<'_>,
    builder: &mut TraceBuilder,
    dims: &mut Vec<i64>,
) -> Result<bool, Damaged> {
    let mut record = OutputRecord::default();
    let mut buffer = Buffer::default();
    let mut unknown_rank = false;
    dims.clear();
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (node_output::SLOT, Value::Varint(value)) => record.slot = value as i32,
            (node_output::TENSOR_DESCRIPTION, Value::Bytes(tensor)) => {
                let mut fields = fields.of_value(tensor);
                while let Some((field, value)) = fields.next()? {
                    match (field, value) {
                        (tensor_description::DTYPE, Value::Varint(value)) => record.dtype = value as u32,
                        (tensor_description::SHAPE, Value::Bytes(shape)) => {
                            buffer.has_shape = true;
                            unknown_rank = read_shape(fields.of_value(shape), dims)?;
                        }
                        (tensor_description::ALLOCATION_DESCRIPTION, Value::Bytes(allocation)) => {
                            buffer.has_allocation = true;
                            read_allocation(fields.of_value(allocation), &mut record, &mut buffer)?;
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    record.shape = (!unknown_rank).then_some(dims.as_slice());
    builder.output(&record);
    builder.buffer(buffer);
    Ok(record.requested_bytes.min(record.allocated_bytes) < 0)
}

/// Reads an `AllocationDescription`.
fn read_allocation<'a>(
    mut fields: Fields<'a>,
    record: &mut OutputRecord<'a>,
    buffer: &mut Buffer,
) -> Result<(), Damaged> {
    while let Some((field, value)) = fields.next()? {
        match value {
            Value::Varint(value) => match field {
                allocation_description::REQUESTED_BYTES => record.requested_bytes = value as i64,
                allocation_description::ALLOCATED_BYTES => record.allocated_bytes = value as i64,
                allocation_description::ALLOCATION_ID => record.allocation_id = value as i64,
                allocation_description::HAS_SINGLE_REFERENCE => buffer.has_single_reference = value != 0,
                allocation_description::PTR => buffer.ptr = value,
                _ => {}
            },
            Value::Bytes(bytes) if field == allocation_description::ALLOCATOR_NAME => {
                record.allocator = bytes
            }
            _ => {}
        }
    }
    Ok(())
}

/// Reads a `TensorShapeProto`: appends the dimensions to `dims`; returns true if the rank is unknown.
fn read_shape(mut fields: Fields<'_>, dims: &mut Vec<i64>) -> Result<bool, Damaged> {
    let mut unknown_rank = false;
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (tensor_shape_proto::DIM, Value::Bytes(bytes)) => {
                let mut size = 0;
                let mut fields = fields.of_value(bytes);
                while let Some((field, value)) = fields.next()? {
                    if let (dim::SIZE, Value::Varint(value)) = (field, value) {
                        size = value as i64;
                    }
                }
                dims.push(size);
            }
            (tensor_shape_proto::UNKNOWN_RANK, Value::Varint(value)) => unknown_rank = value != 0,
            _ => {}
        }
    }
    Ok(unknown_rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_times_the_scheduling_is_undone() {
        // `fifo_queue_Dequeue` in a step that TensorFlow 2.2.3 recorded.
        let start = 1_795_472_729_892_432_463;
        let recorded = Time { micros: 6_138_554_742_604_343, nanos: 6_138_554_742_604_343_248 };
        assert_eq!(scheduled_unix_ns(&recorded, start), Some(1_795_472_729_892_430_850));
        let of = |nanos| scheduled_unix_ns(&Time { micros: 0, nanos }, start);
        assert_eq!(
            [of(0), of(start - 7), of(1), of(i64::MIN)],
            [None, Some(start - 7), Some(1), Some(i64::MIN)]
        );
    }
}
