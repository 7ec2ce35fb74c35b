//! Chrome trace JSON exactly as TensorFlow's `timeline.py` writes it: its processes, lanes, arrows, tensors and counters.
//!
//! The events have the order of the file, so the trace must be opened with `Opener::keep_file_order`. Without it, and from formats
//! that have no such order, each device is one block in order of time; lanes may then differ.
//!
//! `docs/export.md` says what `timeline.py` does and why. Some of its rules surprise:
//!
//! - A process is written for each block of the file. If a device has several blocks, all its ops are in the last of its processes,
//!   although each block has separate lanes. So ops may overlap.
//! - An output replaces an earlier output with the same name, from any op. Arrows start at the last one, even if it was made after
//!   its reader ran.

mod lanes;
mod tensor_text;
mod tensors;

use crate::json::Json;
use lanes::Lanes;
use std::io::{self, Write};
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::base::progress::Progress;
use steplens_core::memory::timeline_py::call;
use steplens_core::{OpId, Trace};
use tensors::{Flow, Tensors};

/// The options of `generate_chrome_trace_format`, except `op_time`, which is a view of the trace.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether to draw arrows from the op that made a tensor to the ops that read it.
    pub show_dataflow: bool,
    /// Whether to show tensors, and counters of their allocators.
    pub show_memory: bool,
}

/// The process that holds the counters.
const ALLOCATORS: i64 = 0;

/// A block of the file, and its processes in the output of `timeline.py`.
struct Block {
    /// The process numbers for the ops and the tensors of its device.
    compute: i64,
    tensors: i64,
    is_stream: bool,
    ops: Vec<OpId>,
}

/// An op at the place where `timeline.py` draws it.
#[derive(Clone, Copy)]
struct Shown {
    op: OpId,
    /// Its place among all ops of the file.
    place: usize,
    lane: u32,
    start_us: i64,
    end_us: i64,
}

/// Writes `trace` as `timeline.py` would.
pub fn write(trace: &Trace, options: Options, out: &mut dyn Write) -> io::Result<()> {
    at_once(async |pace: &Pace| paced(trace, options, out, pace).await)
}

/// Like [`write`], but in pieces, so that the caller can do other work in between.
pub async fn paced(trace: &Trace, options: Options, out: &mut dyn Write, pace: &Pace) -> io::Result<()> {
    let mut progress = Progress::new(pace, 0, 2 * trace.ops().len());
    let mut json = Json::new(out);
    json.open(b'{');
    json.key("traceEvents");
    json.open(b'[');
    let blocks = blocks(trace, &mut json)?;
    let lanes = lanes(trace, &blocks);
    let mut tensors = Tensors::default();
    for (block, shown) in all(trace, &blocks, &lanes) {
        tensors.make(trace, block, shown, options.show_memory.then_some(&mut json));
        json.hand_over()?;
        progress.row().await;
    }
    let (mut flows, mut inputs) = (0, Vec::new());
    for (block, shown) in all(trace, &blocks, &lanes) {
        write_op(trace, block, shown, &mut inputs, &mut json);
        for input in inputs.drain(..) {
            let Some(flow) = tensors.read(input, block, shown) else { continue };
            if options.show_dataflow && !flow.is_within(block.compute, shown.lane) {
                write_flow(flow, block, shown, flows, &mut json);
                flows += 1;
            }
        }
        json.hand_over()?;
        progress.row().await;
    }
    if options.show_memory {
        tensors.write_ends_and_counters(trace, &mut json)?;
    }
    json.close(b']');
    json.close(b'}');
    json.finish()
}

/// The ops of all blocks, in the order of the file.
fn all<'b>(
    trace: &'b Trace,
    blocks: &'b [Block],
    lanes: &'b [u32],
) -> impl Iterator<Item = (&'b Block, Shown)> {
    let ops = blocks.iter().flat_map(|block| block.ops.iter().map(move |&op| (block, op)));
    ops.zip(lanes).enumerate().map(|(place, ((block, op), &lane))| {
        let (start_us, end_us) = times_us(trace, op);
        (block, Shown { op, place, lane, start_us, end_us })
    })
}

/// The blocks of the file, or one block for each device. Also writes the names of their processes.
fn blocks(trace: &Trace, json: &mut Json<'_>) -> io::Result<Vec<Block>> {
    let named: Vec<(String, Vec<OpId>)> = match trace.file_order() {
        // The name of a device can differ from the file: it contains the process that the user named.
        Some(order) => order
            .blocks()
            .map(|(name, ops)| {
                let own = ops.first().map(|&op| trace.devices().get(trace.device_of(op)).name);
                (trace.text(own.unwrap_or(name)).to_owned(), ops.to_vec())
            })
            .collect(),
        None => {
            let device =
                |id| (trace.text(trace.devices().get(id).name).to_owned(), trace.ops_of(id).collect());
            trace.devices().ids().map(device).collect()
        }
    };
    write_process("Allocators", ALLOCATORS, json);
    let mut last = hashbrown::HashMap::<_, _, foldhash::fast::FixedState>::default();
    for (row, (name, _)) in (0..).zip(&named) {
        write_process(&format!("{name} Compute"), 2 * row + 1, json);
        write_process(&format!("{name} Tensors"), 2 * row + 2, json);
        last.insert(name.clone(), row);
        json.hand_over()?;
    }
    let block = |(name, ops): (String, Vec<OpId>)| {
        let row: i64 = last.get(&name).copied().unwrap_or(0);
        let is_stream = name.contains("/stream:") || name.contains("/memcpy");
        Block { compute: 2 * row + 1, tensors: 2 * row + 2, is_stream, ops }
    };
    Ok(named.into_iter().map(block).collect())
}

/// The lane of each op, by the op's place among all ops of the file.
fn lanes(trace: &Trace, blocks: &[Block]) -> Vec<u32> {
    let mut found = Vec::with_capacity(trace.ops().len());
    for block in blocks {
        let mut lanes = Lanes::new();
        found.extend(block.ops.iter().map(|&op| {
            let (start, end) = times_us(trace, op);
            lanes.take(start, end)
        }));
    }
    found
}

/// Start and end in whole microseconds, rounded down as in TensorFlow.
fn times_us(trace: &Trace, op: OpId) -> (i64, i64) {
    let own = trace.ops().interval(op);
    (trace.unix_ns(own.start).div_euclid(1_000), trace.unix_ns(own.end).div_euclid(1_000))
}

/// Writes an op and fills `inputs` with the names of its inputs.
fn write_op<'a>(
    trace: &'a Trace,
    block: &Block,
    shown: Shown,
    inputs: &mut Vec<&'a str>,
    json: &mut Json<'_>,
) {
    let node = trace.ops().node(shown.op);
    let (name, label) = (trace.text(trace.nodes().name(node)), trace.text(trace.nodes().label(node)));
    let (name, op) = match block.is_stream {
        true => kernel(name, label),
        false if name == "RecvTensor" => (name, name),
        false => {
            let (op, list) = call(label).unwrap_or(("unknown", ""));
            inputs.extend(list.split(", ").filter(|_| !list.is_empty()));
            (name, op)
        }
    };
    begin(json, "X", "Op", op, block.compute, shown.lane, shown.start_us);
    json.integer_of("dur", shown.end_us - shown.start_us);
    json.object_of("args");
    json.text_of("name", name);
    json.text_of("op", op);
    for (place, input) in inputs.iter().enumerate() {
        json.text_of(&format!("input{place}"), input);
    }
    json.close(b'}');
    json.close(b'}');
}

/// Name and op type of a GPU activity: NAME and OP from a label `...@@NAME:OP#...`, otherwise from the name.
fn kernel<'a>(name: &'a str, label: &'a str) -> (&'a str, &'a str) {
    let annotated = match (label.find("@@"), label.find('#')) {
        (Some(start), Some(end)) if start + 2 < end => label.get(start + 2..end),
        _ => None,
    };
    let mut fields = annotated.unwrap_or(name).split(':');
    (fields.next().unwrap_or_default(), fields.next().unwrap_or("unknown"))
}

fn write_flow(flow: Flow<'_>, block: &Block, shown: Shown, id: i64, json: &mut Json<'_>) {
    let ends =
        [("s", flow.end_us, flow.compute, flow.lane), ("t", shown.start_us, block.compute, shown.lane)];
    for (phase, at, process, lane) in ends {
        begin(json, phase, "DataFlow", flow.name, process, lane, at);
        json.integer_of("id", id);
        json.close(b'}');
    }
}

fn write_process(name: &str, process: i64, json: &mut Json<'_>) {
    json.next_line();
    json.open(b'{');
    json.text_of("name", "process_name");
    json.text_of("ph", "M");
    json.integer_of("pid", process);
    json.object_of("args");
    json.text_of("name", name);
    json.close(b'}');
    json.close(b'}');
}

/// Writes the fields that every event has, except those that name processes.
fn begin(json: &mut Json<'_>, phase: &str, category: &str, name: &str, process: i64, lane: u32, us: i64) {
    json.next_line();
    json.open(b'{');
    json.text_of("ph", phase);
    json.text_of("cat", category);
    json.text_of("name", name);
    json.integer_of("pid", process);
    json.integer_of("tid", lane.into());
    json.integer_of("ts", us);
}
