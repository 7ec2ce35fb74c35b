//! How many bytes an op is about: what its outputs asked for; of a copy, of setting memory and of the call for them, what was moved or set.
//!
//! Every writer says the size of a copy elsewhere: in the label (TensorFlow's streams, an XSpace), as an output (Paddle), or as an argument:
//! `bytes` of CUPTI and of newer ROCm, `size` of older ROCm, `memcpy_details` in TensorFlow's Chrome trace, `sizeBytes(64)` among what rocprof
//! says of a call. Where only the call says it, the copy that it launched has its size. A call that gets memory has `bytes`, too.

use crate::base::units::Bytes;
use crate::{Category, OpId, Trace};

/// The bytes of `op`; 0 if nothing says them.
pub fn op_bytes(trace: &Trace, op: OpId) -> Bytes {
    let in_label = || labelled(trace.text(trace.nodes().label(trace.ops().node(op))));
    if trace.category(op) == Category::Copy
        && let Some(bytes) = in_label()
    {
        return Bytes(bytes);
    }
    let in_call = || trace.call_of(op).filter(|_| trace.category(op) == Category::Copy);
    match trace.outputs().requested_bytes(op) {
        Bytes(0) => {
            let said = argued(trace, op).or_else(|| in_call().and_then(|call| argued(trace, call)));
            Bytes(said.unwrap_or(0))
        }
        bytes => bytes,
    }
}

/// The size in the arguments of `op`.
fn argued(trace: &Trace, op: OpId) -> Option<u64> {
    trace.arguments().of(op).find_map(|own| match own.name {
        "bytes" => own.value.count(),
        "memcpy_details" | "memset_details" => labelled(&own.value.shown()),
        "args" => between(&own.value.shown(), "sizeBytes(", ')'),
        // Other things have a size, too, in other units.
        "size" if is_copy(trace.op_name(op)) => own.value.count(),
        _ => None,
    })
}

/// The number in `text` after `before`, up to `end`.
fn between(text: &str, before: &str, end: char) -> Option<u64> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(end)?.0.parse().ok()
}

/// Whether an op or a call with this name copies or sets memory.
fn is_copy(name: &str) -> bool {
    ["Memcpy", "Memset"].iter().any(|word| name.contains(word))
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
    use super::{between, labelled};

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
        let call = "( dst(0x7f13d6a00200) src(0x7de1980) sizeBytes(24) kind(1) stream(1))";
        assert_eq!(between(call, "sizeBytes(", ')'), Some(24));
        assert_eq!([labelled("bytes"), labelled("a bytes"), labelled("")], [None; 3]);
    }
}
