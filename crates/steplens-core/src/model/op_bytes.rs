//! How many bytes an op is about: what its outputs asked for; of a copy, of setting memory and of the call for them, what was moved or set.
//!
//! Every writer says the size of a copy elsewhere: in the label (TensorFlow's streams, an XSpace, rocprof), as an output (Paddle), or as an argument:
//! `bytes` of CUPTI and of newer ROCm, `size` of older ROCm, `memcpy_details` in TensorFlow's Chrome trace. Where only
//! the call says it, the copy that it launched has its size. A call that gets memory has `bytes`, too.

use crate::base::units::Bytes;
use crate::{Category, OpId, Trace};

/// The bytes of `op`; 0 if nothing says them.
pub fn op_bytes(trace: &Trace, op: OpId) -> Bytes {
    let category = trace.category(op);
    if matches!(category, Category::Copy | Category::Launch)
        && let Some(bytes) = labelled(trace.text(trace.nodes().label(trace.ops().node(op))))
    {
        return Bytes(bytes);
    }
    match trace.outputs().requested_bytes(op) {
        Bytes(0) => {}
        bytes => return bytes,
    }
    match (argued(trace, op), trace.call_of(op)) {
        (Some(bytes), _) => Bytes(bytes),
        (None, Some(call)) if category == Category::Copy => Bytes(of_call(trace, call)),
        _ => Bytes(0),
    }
}

/// The bytes that `call` copies or sets.
fn of_call(trace: &Trace, call: OpId) -> u64 {
    let label = trace.text(trace.nodes().label(trace.ops().node(call)));
    labelled(label).or_else(|| argued(trace, call)).unwrap_or(0)
}

/// The size in the arguments of `op`.
fn argued(trace: &Trace, op: OpId) -> Option<u64> {
    trace.arguments().of(op).find_map(|own| match own.name {
        "bytes" => own.value.count(),
        "memcpy_details" | "memset_details" => labelled(&own.value.shown()),
        // Other things have a size, too, in other units.
        "size" if trace.category(op) == Category::Launch => own.value.count(),
        _ => None,
    })
}

/// The size in the label of a copy. Labels have it as `size:64` (XSpace), `bytes:64` (TensorFlow from 2.1 on),
/// `MEMCPYHtoD 64 bytes (Pageable to Device)` (up to 1.13) or `64 bytes` (1.14 to 2.0).
fn labelled(label: &str) -> Option<u64> {
    let mut before = "";
    for word in label.split([' ', '[', ']']) {
        let number = word.strip_prefix("size:").or_else(|| word.strip_prefix("bytes:"));
        if let Some(size) = number.or((word == "bytes").then_some(before)).and_then(|size| size.parse().ok())
        {
            return Some(size);
        }
        before = word;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::labelled;

    #[test]
    fn every_release_writes_the_size() {
        for label in [
            "MemcpyH2D kind_src:pageable size:64",
            "[size:64 dest:0 async:1] = MemcpyD2H()",
            "x bytes:64 aync to device:1",
            "MEMCPYHtoD 64 bytes (Pageable to Device)",
            "MemcpyHtoD 64 bytes (a:_Send#id=3#)",
            "= MemcpyHtoD() 64 bytes",
        ] {
            assert_eq!(labelled(label), Some(64), "{label}");
        }
        assert_eq!([labelled("bytes"), labelled("a bytes"), labelled("")], [None; 3]);
    }
}
