//! Writes the data of all ops, one column at a time, so that only one of them is in memory.

use super::codec::{Encoding, Writing};
use super::ops::{HAS_KERNEL, IS_QUEUED};
use super::writer::{Writer, columns, rest};
use super::{VERSION_OF_BLOCKS, blocks};
use steplens_core::base::pace::Pace;
use steplens_core::base::units::MAX_UNIX_NS;
use steplens_core::{OpId, Timestamp, Trace};
use steplens_proto::sessions::{Calls, InUse, Marks, Ops, Outputs, Records, Replaced, Reports};

/// Writes the ops and their data. `kinds` are the rows of the outputs' values, `used` those of the reports'.
pub(super) async fn write(writer: &mut Writer<'_>, unit_ns: i64, kinds: &[u32], used: &[u32], pace: &Pace) {
    let trace = writer.trace;
    writer.out.ops = blocks::split(ops(trace, pace).await);
    if writer.out.ops.len() > 1 {
        writer.out.version = u32::from(VERSION_OF_BLOCKS);
    }
    let [mut kernels, mut calls] = columns();
    for &(kernel, call) in trace.calls() {
        kernels.delta(i64::from(kernel.get()));
        calls.number(u64::from(call.get()));
    }
    if !trace.calls().is_empty() {
        let rows = trace.calls().len() as u64;
        writer.out.calls = Some(Calls { rows, kernel: kernels.message(), call: calls.message() });
    }
    let [mut parts, mut marks] = columns();
    for &(part, op) in trace.marks() {
        parts.number(u64::from(part.get()));
        marks.number(u64::from(op.get()));
    }
    if !trace.marks().is_empty() {
        let rows = trace.marks().len() as u64;
        writer.out.marks = Some(Marks { rows, part: parts.message(), op: marks.message() });
    }
    let [mut rows, mut ids, mut replaced] =
        [Writing::default(), Writing::sparse(Encoding::Zigzag), Writing::default()];
    let mut replaced_count = 0;
    let all = trace.ops().ids().flat_map(|op| trace.outputs().of(op).map(move |output| (op, output)));
    for ((op, output), (place, &kind)) in all.zip(kinds.iter().enumerate()) {
        rest(op, pace).await;
        rows.number(u64::from(kind));
        ids.signed(output.allocation_id);
        if output.is_replaced {
            replaced.delta(place as i64);
            replaced_count += 1;
        }
    }
    let count = kinds.len() as u64;
    writer.out.outputs = Some(Outputs { rows: count, kind: rows.message(), allocation_id: ids.message() });
    if replaced_count > 0 {
        writer.out.replaced = Some(Replaced { rows: replaced_count, output: replaced.message() });
    }
    memory(writer, unit_ns, used, pace).await;
}

/// The table of the ops, one column after another.
async fn ops(trace: &Trace, pace: &Pace) -> Ops {
    let ops = trace.ops();
    let flags_of = |op: OpId| {
        let (start, kernel) = (ops.start(op), ops.kernel(op));
        let has_kernel = (kernel.start, kernel.end) != (start, start);
        let flag = |is_set, flag| if is_set { flag } else { 0 };
        flag(ops.queued(op).is_some(), IS_QUEUED) | flag(has_kernel, HAS_KERNEL)
    };
    let mut node = Writing::default();
    let mut starts = Writing::sparse(Encoding::Plain);
    let first = first_start(trace);
    for device in trace.devices().ids() {
        let mut before = first;
        for op in trace.ops_of(device) {
            node.delta(i64::from(ops.node(op).get()));
            starts.number((ops.start(op) - before).0 as u64);
            before = ops.start(op);
            rest(op, pace).await;
        }
    }
    let kernel = |op: OpId| Some(ops.kernel(op)).filter(|_| flags_of(op) & HAS_KERNEL != 0);
    let kernel_start = |op| kernel(op).map_or(0, |kernel| (kernel.start - ops.start(op)).0);
    let after_kernel = |op| kernel(op).map_or(0, |kernel| (ops.end(op) - kernel.end).0);
    Ops {
        rows: ops.len() as u64,
        node: node.message(),
        start: starts.message(),
        length: plain(trace, pace, &|op| (ops.end(op) - ops.start(op)).0 as u64).await.message(),
        flags: plain(trace, pace, &flags_of).await.message(),
        queued: signed(trace, pace, &|op| ops.queued(op).map_or(0, |queued| queued.0)).await.message(),
        kernel_start: signed(trace, pace, &kernel_start).await.message(),
        after_kernel: signed(trace, pace, &after_kernel).await.message(),
        thread: signed(trace, pace, &|op| i64::from(ops.thread(op) as i32)).await.message(),
        output_count: plain(trace, pace, &|op| trace.outputs().of(op).count() as u64).await.message(),
        report_count: plain(trace, pace, &|op| trace.memory().reports_of(op).count() as u64).await.message(),
    }
}

/// A column with a number for each op.
async fn plain(trace: &Trace, pace: &Pace, value: &dyn Fn(OpId) -> u64) -> Writing {
    let mut column = Writing::sparse(Encoding::Plain);
    for op in trace.ops().ids() {
        column.number(value(op));
        rest(op, pace).await;
    }
    column
}

/// A column with a number, which may be negative, for each op.
async fn signed(trace: &Trace, pace: &Pace, value: &dyn Fn(OpId) -> i64) -> Writing {
    let mut column = Writing::sparse(Encoding::Zigzag);
    for op in trace.ops().ids() {
        column.signed(value(op));
        rest(op, pace).await;
    }
    column
}

async fn memory(writer: &mut Writer<'_>, unit_ns: i64, used: &[u32], pace: &Pace) {
    let trace = writer.trace;
    let [mut rows, mut counts] = [Writing::default(), Writing::sparse(Encoding::Plain)];
    let [mut times, mut held_after] = [Writing::default(), Writing::sparse(Encoding::Zigzag)];
    let [mut reports, mut in_use] = columns();
    let (mut record_count, mut in_use_count, mut report) = (0, 0, 0);
    used.iter().for_each(|&row| rows.number(u64::from(row)));
    for op in trace.ops().ids() {
        rest(op, pace).await;
        for ((_, records), (_, bytes)) in trace.memory().of(op).zip(trace.memory().reports_of(op)) {
            if let Some(bytes) = bytes {
                reports.delta(report);
                in_use.number(bytes.0);
                in_use_count += 1;
            }
            report += 1;
            let (mut before, mut held, mut own) = (start_in_units(trace, op, unit_ns), 0i64, 0);
            for record in records {
                let at = start_unix(trace, op).wrapping_add(record.after_start.0);
                times.signed(at.wrapping_sub(before) / unit_ns);
                held = held.wrapping_add(record.bytes);
                held_after.signed(held);
                before = at;
                own += 1;
            }
            counts.number(own);
            record_count += own;
        }
    }
    let count = used.len() as u64;
    writer.out.reports = Some(Reports { rows: count, kind: rows.message(), record_count: counts.message() });
    if in_use_count > 0 {
        let (report, bytes) = (reports.message(), in_use.message());
        writer.out.in_use = Some(InUse { rows: in_use_count, report, bytes });
    }
    let (time, held) = (times.message(), held_after.message());
    writer.out.records = Some(Records { rows: record_count, time, held });
}

/// The start of the first op, which is before the origin if that op is a range.
pub(super) fn first_start(trace: &Trace) -> Timestamp {
    let first = |device| trace.ops_of(device).next().map(|op| trace.ops().start(op));
    trace.devices().ids().filter_map(first).min().unwrap_or(Timestamp(0))
}

fn start_unix(trace: &Trace, op: OpId) -> i64 {
    trace.origin_unix_ns().wrapping_add(trace.ops().start(op).0)
}

/// The last whole unit before an op's start.
fn start_in_units(trace: &Trace, op: OpId, unit_ns: i64) -> i64 {
    let start = start_unix(trace, op);
    start - start.rem_euclid(unit_ns)
}

/// The unit of allocation times: microseconds if all of them are whole microseconds, as TensorFlow records them.
pub(super) fn record_unit(trace: &Trace) -> i64 {
    let is_whole = |op: OpId| {
        trace.memory().of(op).all(|(_, mut records)| {
            records.all(|record| {
                let at = start_unix(trace, op).checked_add(record.after_start.0);
                at.is_some_and(|at| at % 1_000 == 0 && (-MAX_UNIX_NS..MAX_UNIX_NS).contains(&at))
            })
        })
    };
    if trace.ops().ids().all(is_whole) { 1_000 } else { 1 }
}
