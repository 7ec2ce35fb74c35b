//! `steplens.ops/1`: every op, written row by row, so that even millions of them need no memory.

use serde::{Serialize, Serializer};
use std::io::{self, Write};
use steplens_core::{OpId, Study};

/// An op.
#[derive(Serialize)]
struct OpRow<'a> {
    /// Its device.
    device: &'a str,
    /// Its lane, from 0 within the device.
    lane: u32,
    /// The name of its node.
    name: &'a str,
    /// The op type.
    op_type: &'a str,
    /// The category: what its time is spent on.
    category: &'static str,
    /// The reason for its category.
    reason: &'a str,
    /// When it started.
    start_ns: i64,
    /// When it ended.
    end_ns: i64,
    /// Its self time: without the ops nested in it.
    self_ns: i64,
    /// When it was scheduled, if that was recorded.
    scheduled_ns: Option<i64>,
    /// When its kernel started.
    op_start_ns: i64,
    /// When its kernel ended.
    op_end_ns: i64,
    /// The bytes that its outputs requested.
    bytes: u64,
    /// The label in the file.
    label: &'a str,
}

/// Writes `{"schema": "steplens.ops/1", "ops": [...]}`, without the records of a host profiler. Lanes are counted from 0 within
/// each device.
pub fn write_json(study: &Study, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &answer(study))?;
    out.write_all(b"\n")
}

/// The object as a value that makes its rows when it is written.
pub fn answer(study: &Study) -> impl Serialize + use<'_> {
    #[derive(Serialize)]
    struct Ops<'a> {
        schema: &'static str,
        ops: Rows<'a>,
    }
    Ops { schema: "steplens.ops/1", ops: Rows(study) }
}

/// Every row.
struct Rows<'a>(&'a Study);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let trace = self.0.trace();
        serializer.collect_seq(trace.ops().ids().take(trace.counted_ops()).map(|op| row(self.0, op)))
    }
}

fn row(study: &Study, op: OpId) -> OpRow<'_> {
    let (trace, node) = (study.trace(), study.trace().ops().node(op));
    let device = trace.device_of(op);
    let first_lane = study.lanes().of_device(device).next().map_or(0, |lane| lane.get());
    let kernel = trace.ops().kernel(op);
    OpRow {
        device: trace.text(trace.devices().get(device).name),
        lane: study.lanes().lane(op).get() - first_lane,
        name: trace.op_name(op),
        op_type: trace.text(trace.nodes().op_type(node)),
        category: trace.category(op).word(),
        reason: trace.text(trace.nodes().reason(node)),
        start_ns: trace.ops().start(op).0,
        end_ns: trace.ops().end(op).0,
        self_ns: study.self_time(op).0,
        scheduled_ns: trace.ops().scheduled(op).map(|time| time.0),
        op_start_ns: kernel.start.0,
        op_end_ns: kernel.end.0,
        bytes: trace.outputs().requested_bytes(op).0,
        label: trace.text(trace.nodes().label(node)),
    }
}
