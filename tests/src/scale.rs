//! Large files: a recorded step repeated at shifted times, with the partition graphs once.
//!
//! What comes out is one valid RunMetadata, because protobuf messages merge when they are concatenated. Only one step
//! is in memory, so that files of any size can be made.

use crate::proto::StepStats;
use crate::wire;
use prost::Message;
use std::io::{self, Write};

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// How many bytes.
    pub bytes: u64,
    /// How many ops.
    pub ops: u64,
}

/// Between two steps, in microseconds.
const PAUSE_US: i64 = 100;

/// How far a step is shifted from the one before, in microseconds: its span and a pause.
pub fn period_us(step: &StepStats) -> i64 {
    let ops = || step.dev_stats.iter().flat_map(|device| &device.node_stats);
    let first = ops().map(|op| op.all_start_micros).min().unwrap_or(0);
    let last = ops().map(|op| op.all_start_micros + op.all_end_rel_micros).max().unwrap_or(0);
    last - first + PAUSE_US
}

/// Writes the step of `source` `times` times.
///
/// # Panics
/// If `source` is damaged.
pub fn scale(source: &[u8], times: u32, out: &mut impl Write) -> io::Result<Scaled> {
    let mut step = StepStats::default();
    let mut scaled = Scaled { bytes: 0, ops: 0 };
    for field in wire::fields(source, 0..source.len()) {
        if field.number == 1 {
            step.merge(&source[field.value])
                .map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))?;
        } else {
            // Graphs are copied as they are, with whatever our schemas leave out.
            out.write_all(&source[field.start..field.value.end])?;
            scaled.bytes += (field.value.end - field.start) as u64;
        }
    }
    let period = period_us(&step);
    let ops: usize = step.dev_stats.iter().map(|device| device.node_stats.len()).sum();
    let mut message = Vec::new();
    for _ in 0..times {
        message.clear();
        wire::put_bytes(&mut message, 1, &step.encode_to_vec());
        out.write_all(&message)?;
        scaled.bytes += message.len() as u64;
        scaled.ops += ops as u64;
        shift(&mut step, period);
    }
    Ok(scaled)
}

/// Times that were not recorded stay so. Allocation records keep theirs, as the generator of the samples has it.
fn shift(step: &mut StepStats, us: i64) {
    for op in step.dev_stats.iter_mut().flat_map(|device| &mut device.node_stats) {
        op.all_start_micros += us;
        for (time, distance) in [
            (&mut op.all_start_nanos, us * 1_000),
            (&mut op.scheduled_micros, us),
            (&mut op.scheduled_nanos, us * 1_000),
        ] {
            if *time != 0 {
                *time += distance;
            }
        }
    }
}
