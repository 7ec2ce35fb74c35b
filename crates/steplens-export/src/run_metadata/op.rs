//! `NodeExecStats`: one execution of an op.

use super::bytes;
use steplens_core::model::file_order::Buffer;
use steplens_core::model::memory::AllocatorUse;
use steplens_core::model::output::Output;
use steplens_core::{OpId, Timestamp, Trace};
use steplens_proto::tensorflow::tensor_shape_proto::Dim;
use steplens_proto::tensorflow::{
    AllocationDescription, AllocationRecord, AllocatorMemoryUsed, NodeExecStats, NodeOutput,
    TensorDescription, TensorShapeProto,
};

/// An op, with the buffers of its outputs if they are known; and how many times of its allocations were not whole microseconds.
///
/// Times stand in microseconds and in nanoseconds, as TensorFlow writes them since 1.9. A duration in microseconds is the
/// difference of the two cut times.
pub(super) fn message(trace: &Trace, op: OpId, buffers: Option<&[Buffer]>) -> (NodeExecStats, u64) {
    let (ops, node) = (trace.ops(), trace.ops().node(op));
    let (own, kernel) = (ops.interval(op), ops.kernel(op));
    let [start, end, kernel_start, kernel_end] =
        [own.start, own.end, kernel.start, kernel.end].map(|at| trace.unix_ns(at));
    let scheduled = ops.scheduled(op).map(|at| trace.unix_ns(at));
    let in_micros = |at| micros(at) - micros(start);
    let in_nanos = |at: i64| at.saturating_sub(start);
    let mut cut = 0;
    let reports = trace.memory().of(op).zip(trace.memory().reports_of(op));
    let memory = reports.map(|((report, records), (_, in_use))| AllocatorMemoryUsed {
        allocation_records: records
            .map(|record| {
                let at = trace.unix_ns(Timestamp(ops.start(op).0.saturating_add(record.after_start.0)));
                cut += u64::from(at.rem_euclid(1_000) != 0);
                AllocationRecord { alloc_micros: micros(at), alloc_bytes: record.bytes }
            })
            .collect(),
        allocator_bytes_in_use: in_use.map_or(0, |bytes| bytes.0.cast_signed()),
        ..memory_used(trace, report)
    });
    let memory = memory.collect();
    let outputs = trace.outputs().of(op).enumerate().map(|(place, output)| {
        let buffer = buffers.and_then(|buffers| buffers.get(place)).copied();
        output_message(trace, &output, buffer.unwrap_or_else(|| likely(trace, &output)))
    });
    let message = NodeExecStats {
        node_name: bytes(trace.text(trace.nodes().name(node))),
        all_start_micros: micros(start),
        op_start_rel_micros: in_micros(kernel_start),
        op_end_rel_micros: in_micros(kernel_end),
        all_end_rel_micros: in_micros(end),
        memory,
        output: outputs.collect(),
        timeline_label: bytes(trace.text(trace.nodes().label(node))),
        scheduled_micros: scheduled.map_or(0, micros),
        thread_id: ops.thread(op),
        all_start_nanos: start,
        op_start_rel_nanos: in_nanos(kernel_start),
        op_end_rel_nanos: in_nanos(kernel_end),
        all_end_rel_nanos: in_nanos(end),
        scheduled_nanos: scheduled.unwrap_or(0),
        ..NodeExecStats::default()
    };
    (message, cut)
}

fn micros(ns: i64) -> i64 {
    ns.div_euclid(1_000)
}

fn memory_used(trace: &Trace, report: AllocatorUse) -> AllocatorMemoryUsed {
    AllocatorMemoryUsed {
        allocator_name: bytes(trace.text(report.allocator)),
        total_bytes: report.total.0.cast_signed(),
        peak_bytes: report.peak.0.cast_signed(),
        live_bytes: report.live.0.cast_signed(),
        ..AllocatorMemoryUsed::default()
    }
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

fn output_message(trace: &Trace, output: &Output<'_>, buffer: Buffer) -> NodeOutput {
    let has_shape = buffer.has_shape || output.shape.is_none_or(|dims| !dims.is_empty());
    let is_described = output.dtype != 0 || has_shape || buffer.has_allocation;
    let description = || TensorDescription {
        dtype: output.dtype.cast_signed(),
        shape: has_shape.then(|| shape(output.shape)),
        allocation_description: buffer.has_allocation.then(|| allocation(trace, output, buffer)),
    };
    NodeOutput { slot: output.slot, tensor_description: is_described.then(description) }
}

fn shape(sizes: Option<&[i64]>) -> TensorShapeProto {
    let dim = |&size| Dim { size, ..Dim::default() };
    TensorShapeProto {
        dim: sizes.unwrap_or_default().iter().map(dim).collect(),
        unknown_rank: sizes.is_none(),
    }
}

fn allocation(trace: &Trace, output: &Output<'_>, buffer: Buffer) -> AllocationDescription {
    AllocationDescription {
        requested_bytes: output.requested.0.cast_signed(),
        allocated_bytes: output.allocated.0.cast_signed(),
        allocator_name: bytes(trace.text(output.allocator)),
        allocation_id: output.allocation_id,
        has_single_reference: buffer.has_single_reference,
        ptr: buffer.ptr,
    }
}
