//! Copies: data that moved between a GPU and its host, or within GPUs, as their streams recorded it.
//!
//! Such copies are not transfers: they name no tensor and no device at the other end. Recorded are the direction, in the op type
//! (`MEMCPYHtoD`), at the start of the label (`MemcpyH2D kind_src:pageable size:64`) or in the name of the stream, the time, and with newer
//! profilers the [size](crate::model::op_bytes). If no size was recorded, the bytes of a link are 0.

use crate::base::ids::OpId;
use crate::gpu::accelerators::accelerators;
use crate::model::op_bytes::op_bytes;
use crate::transfers::links::{Matrix, Moved, matrix};
use crate::{Category, Trace};
use steplens_messages::say;

/// The memory of the machine that has the GPU.
pub const HOST: &str = "host";

/// From where to where a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// From the host to the GPU.
    ToDevice,
    /// From the GPU to the host.
    FromDevice,
    /// Within the GPU.
    Within,
    /// To or from another GPU.
    ToPeer,
}

impl Way {
    /// Every way.
    pub const ALL: [Self; 4] = [Self::ToDevice, Self::FromDevice, Self::Within, Self::ToPeer];

    /// The way of the copy `op`, if it was recorded. What only sets memory has none.
    pub fn of(trace: &Trace, op: OpId) -> Option<Self> {
        match direction(trace, op) {
            [b'h', b'd'] => Some(Self::ToDevice),
            [b'd', b'h'] => Some(Self::FromDevice),
            [b'd', b'd'] => Some(Self::Within),
            [b'p', b'p'] => Some(Self::ToPeer),
            _ => None,
        }
    }

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::ToDevice => "host-to-device",
            Self::FromDevice => "device-to-host",
            Self::Within => "within-device",
            Self::ToPeer => "other-device",
        }
    }
}

/// The copies with a known direction, as links between GPUs and their host. Each copy counts once.
pub fn copies(trace: &Trace) -> Matrix<'_> {
    let (host, peer) = (0, 1);
    // Which other GPU it was is not recorded.
    let mut places = vec![HOST, say!("another-gpu")];
    let (mut pairs, mut moved) = (Vec::new(), Vec::new());
    for gpu in accelerators(trace) {
        places.push(gpu.name);
        let this = places.len() as u32 - 1;
        // `memcpy` repeats the copies of the streams; it is used only where the streams were not recorded.
        let counted = gpu.unrepeated(trace).flat_map(|device| trace.ops_of(device));
        for op in counted.filter(|&op| trace.category(op) == Category::Copy) {
            pairs.push(match Way::of(trace, op) {
                Some(Way::ToDevice) => (host, this),
                Some(Way::FromDevice) => (this, host),
                Some(Way::Within) => (this, this),
                Some(Way::ToPeer) => (this, peer),
                None => continue,
            });
            let wire = trace.ops().interval(op);
            moved.push(Moved { bytes: op_bytes(trace, op), wire: Some(wire), received: Some(wire.end) });
        }
    }
    matrix(places, &pairs, &moved)
}

/// The source and destination of a copy, as the first letters of host, device and peer: the letters at the ends of `HtoD` and
/// `D2H`.
fn direction(trace: &Trace, op: OpId) -> [u8; 2] {
    let nodes = trace.nodes();
    let node = trace.ops().node(op);
    let device = trace.text(trace.devices().get(trace.device_of(op)).name);
    // From 2.1 on the stream has it: `stream:14<MemcpyH2D>`.
    let on_stream = device.rsplit_once('<').map_or("", |(_, what)| what);
    for text in [trace.text(nodes.op_type(node)), trace.text(nodes.label(node)), on_stream] {
        let is_copy = text.as_bytes().get(..6).is_some_and(|head| head.eq_ignore_ascii_case(b"memcpy"));
        let mut word = text.bytes().skip(6).skip_while(|byte| !byte.is_ascii_alphanumeric());
        if let (true, Some(from)) = (is_copy, word.next()) {
            let to = word.take_while(u8::is_ascii_alphanumeric).last().unwrap_or_default();
            return [from, to].map(|byte| byte.to_ascii_lowercase());
        }
    }
    [0; 2]
}
