//! Copies: what went between a GPU and its host, and within GPUs, as their streams recorded it.
//!
//! Such copies are no transfers: they name no tensor and no device at the other end. What is recorded is the direction, in the
//! op type (`MEMCPYHtoD`) or where the label begins (`MemcpyH2D kind_src:pageable size:64`), the time, and with newer
//! profilers the size. Where no size was recorded, the bytes of a link are 0.

use crate::Trace;
use crate::analysis::kernels::gpu_of;
use crate::analysis::links::{Matrix, Moved, matrix};
use crate::device::DeviceKind;
use crate::ids::{DeviceId, OpId};
use crate::units::Bytes;
use crate::{Category, natural, order};

/// The memory of the machine that a GPU is in.
pub const HOST: &str = "host";
/// Another GPU; which one is not recorded.
pub const PEER: &str = "another GPU";

/// The copies whose direction is known, as links between GPUs and their host; each copy once.
pub fn copies(trace: &Trace) -> Matrix<'_> {
    let of_kind = |kind| {
        let is_kind = move |id: &DeviceId| trace.devices().get(*id).kind == kind;
        trace.devices().ids().filter(is_kind).collect::<Vec<_>>()
    };
    // `memcpy` repeats what the streams hold, and is all there is where they were not recorded.
    let mut devices = of_kind(DeviceKind::Stream);
    if devices.is_empty() {
        devices = of_kind(DeviceKind::Memcpy);
    }
    let gpu = |device: DeviceId| gpu_of(trace.text(trace.devices().get(device).name));
    let mut places: Vec<&str> = devices.iter().map(|&device| gpu(device)).chain([HOST, PEER]).collect();
    order::by(&mut places, natural::compare);
    places.dedup();
    let place = |name: &str| places.partition_point(|other| natural::compare(other, name).is_lt()) as u32;
    let (host, peer) = (place(HOST), place(PEER));
    let (mut pairs, mut moved) = (Vec::new(), Vec::new());
    for device in devices {
        let own = place(gpu(device));
        for op in trace.ops_of(device).filter(|&op| trace.category(op) == Category::Copy) {
            let Some(direction) = direction(trace, op) else { continue };
            pairs.push(match direction {
                Direction::In => (host, own),
                Direction::Out => (own, host),
                Direction::Within => (own, own),
                Direction::Across => (own, peer),
            });
            let wire = trace.ops().interval(op);
            moved.push(Moved { bytes: Bytes(size(trace, op)), wire: Some(wire), received: Some(wire.end) });
        }
    }
    matrix(places, &pairs, &moved)
}

/// Which way a copy goes, as seen from the GPU whose stream ran it.
#[derive(Clone, Copy)]
enum Direction {
    In,
    Out,
    Within,
    Across,
}

/// How op types and labels call the directions.
const WORDS: [(&str, Direction); 8] = [
    ("htod", Direction::In),
    ("h2d", Direction::In),
    ("dtoh", Direction::Out),
    ("d2h", Direction::Out),
    ("dtod", Direction::Within),
    ("d2d", Direction::Within),
    ("ptop", Direction::Across),
    ("p2p", Direction::Across),
];

fn direction(trace: &Trace, op: OpId) -> Option<Direction> {
    let nodes = trace.nodes();
    let node = trace.ops().node(op);
    let label = trace.text(nodes.label(node));
    [trace.text(nodes.op_type(node)), label.split(' ').next().unwrap_or_default()].iter().find_map(|text| {
        let text = text.to_ascii_lowercase();
        let (_, copy) = text.split_once("memcpy")?;
        WORDS.iter().find(|(word, _)| copy.contains(word)).map(|&(_, direction)| direction)
    })
}

/// The size that the label tells, else the one of the output, else 0.
fn size(trace: &Trace, op: OpId) -> u64 {
    let label = trace.text(trace.nodes().label(trace.ops().node(op)));
    let told =
        label.split(' ').find_map(|word| word.strip_prefix("size:")).and_then(|size| size.parse().ok());
    told.unwrap_or(trace.outputs().requested_bytes(op).0)
}
