//! `NodeExecStats`: one execution of an op.

use steplens_core::model::file_order::Buffer;
use steplens_core::model::output::Output;
use steplens_core::{OpId, Timestamp, Trace};
use steplens_wire::Message;
use steplens_wire::tensorflow::{
    allocation_description, allocation_record, allocator_memory_used, dim, node_exec_stats as field,
    node_output, tensor_description, tensor_shape_proto,
};

/// Writes an op, with the buffers of its outputs if they are known. Returns how many times of allocations were not whole
/// microseconds.
///
/// Times stand in microseconds and in nanoseconds, as TensorFlow writes them since 1.9. A duration in microseconds is the
/// difference of the two cut times.
pub(super) fn write(trace: &Trace, op: OpId, buffers: Option<&[Buffer]>, out: &mut Message) -> u64 {
    let (ops, node) = (trace.ops(), trace.ops().node(op));
    let (own, kernel) = (ops.interval(op), ops.kernel(op));
    let start = trace.unix_ns(own.start);
    out.some_text(field::NODE_NAME, trace.text(trace.nodes().name(node)));
    out.some_signed(field::ALL_START_MICROS, micros(start));
    let relative = [
        (field::OP_START_REL_MICROS, field::OP_START_REL_NANOS, kernel.start),
        (field::OP_END_REL_MICROS, field::OP_END_REL_NANOS, kernel.end),
        (field::ALL_END_REL_MICROS, field::ALL_END_REL_NANOS, own.end),
    ]
    .map(|(in_micros, in_nanos, at)| (in_micros, in_nanos, trace.unix_ns(at)));
    for (in_micros, _, at) in relative {
        out.some_signed(in_micros, micros(at) - micros(start));
    }
    let cut = write_memory(trace, op, out);
    for (place, output) in trace.outputs().of(op).enumerate() {
        let buffer = buffers.and_then(|buffers| buffers.get(place)).copied();
        write_output(trace, &output, buffer.unwrap_or_else(|| likely(trace, &output)), out);
    }
    out.some_text(field::TIMELINE_LABEL, trace.text(trace.nodes().label(node)));
    let scheduled = ops.scheduled(op).map(|at| trace.unix_ns(at));
    out.some_signed(field::SCHEDULED_MICROS, scheduled.map_or(0, micros));
    out.some_number(field::THREAD_ID, ops.thread(op).into());
    out.some_signed(field::ALL_START_NANOS, start);
    for (_, in_nanos, at) in relative {
        out.some_signed(in_nanos, at.saturating_sub(start));
    }
    out.some_signed(field::SCHEDULED_NANOS, scheduled.unwrap_or(0));
    cut
}

fn micros(ns: i64) -> i64 {
    ns.div_euclid(1_000)
}

fn write_memory(trace: &Trace, op: OpId, out: &mut Message) -> u64 {
    let start = trace.ops().start(op);
    let mut cut = 0;
    for ((own, records), (_, in_use)) in trace.memory().of(op).zip(trace.memory().reports_of(op)) {
        out.message(field::MEMORY, |out| {
            out.some_text(allocator_memory_used::ALLOCATOR_NAME, trace.text(own.allocator));
            out.some_number(allocator_memory_used::TOTAL_BYTES, own.total.0);
            out.some_number(allocator_memory_used::PEAK_BYTES, own.peak.0);
            out.some_number(allocator_memory_used::LIVE_BYTES, own.live.0);
            out.some_number(allocator_memory_used::ALLOCATOR_BYTES_IN_USE, in_use.map_or(0, |bytes| bytes.0));
            for record in records {
                let at = trace.unix_ns(Timestamp(start.0.saturating_add(record.after_start.0)));
                cut += u64::from(at.rem_euclid(1_000) != 0);
                out.message(allocator_memory_used::ALLOCATION_RECORDS, |out| {
                    out.some_signed(allocation_record::ALLOC_MICROS, micros(at));
                    out.some_signed(allocation_record::ALLOC_BYTES, record.bytes);
                });
            }
        });
    }
    cut
}

/// The buffer to assume when the file order was not kept: it has the fields that would say something.
fn likely(trace: &Trace, output: &Output<'_>) -> Buffer {
    Buffer {
        has_shape: output.dtype != 0,
        has_allocation: !trace.text(output.allocator).is_empty()
            || output.requested.0 | output.allocated.0 | output.allocation_id as u64 != 0,
        ..Buffer::default()
    }
}

fn write_output(trace: &Trace, output: &Output<'_>, buffer: Buffer, out: &mut Message) {
    let has_shape = buffer.has_shape || output.shape.is_none_or(|dims| !dims.is_empty());
    out.message(field::OUTPUT, |out| {
        out.some_signed(node_output::SLOT, output.slot.into());
        if output.dtype == 0 && !has_shape && !buffer.has_allocation {
            return;
        }
        out.message(node_output::TENSOR_DESCRIPTION, |out| {
            out.some_number(tensor_description::DTYPE, output.dtype.into());
            if has_shape {
                out.message(tensor_description::SHAPE, |out| write_shape(output.shape, out));
            }
            if buffer.has_allocation {
                out.message(tensor_description::ALLOCATION_DESCRIPTION, |out| {
                    write_allocation(trace, output, buffer, out);
                });
            }
        });
    });
}

fn write_shape(shape: Option<&[i64]>, out: &mut Message) {
    let Some(dims) = shape else { return out.number(tensor_shape_proto::UNKNOWN_RANK, 1) };
    for &size in dims {
        out.message(tensor_shape_proto::DIM, |out| out.some_signed(dim::SIZE, size));
    }
}

fn write_allocation(trace: &Trace, output: &Output<'_>, buffer: Buffer, out: &mut Message) {
    out.some_number(allocation_description::REQUESTED_BYTES, output.requested.0);
    out.some_number(allocation_description::ALLOCATED_BYTES, output.allocated.0);
    out.some_text(allocation_description::ALLOCATOR_NAME, trace.text(output.allocator));
    out.some_signed(allocation_description::ALLOCATION_ID, output.allocation_id);
    out.some_number(allocation_description::HAS_SINGLE_REFERENCE, buffer.has_single_reference.into());
    out.some_number(allocation_description::PTR, buffer.ptr);
}
