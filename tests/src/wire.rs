//! The protobuf wire format in a few lines, for looking into files that are whole: independent of the product's reader.

use std::ops::Range;

/// One field of a message: where it starts, and where its value lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's number.
    pub number: u32,
    /// Where its tag starts.
    pub start: usize,
    /// Where its value lies; for text and messages without the length before it.
    pub value: Range<usize>,
}

/// The fields of the message that lies at `range` of `file`, in order.
///
/// # Panics
/// If the message is damaged.
pub fn fields(file: &[u8], range: Range<usize>) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let start = at;
        let tag = varint(file, &mut at);
        let value = match tag & 7 {
            0 => {
                let first = at;
                varint(file, &mut at);
                first..at
            }
            1 => at..at + 8,
            2 => {
                let length = varint(file, &mut at) as usize;
                at..at + length
            }
            5 => at..at + 4,
            other => panic!("wire type {other} at byte {start}"),
        };
        at = value.end;
        fields.push(Field { number: (tag >> 3) as u32, start, value });
    }
    assert_eq!(at, range.end, "a field ends outside its message");
    fields
}

/// The messages at `path` (field numbers from the root down), in the file's order.
pub fn messages(file: &[u8], path: &[u32]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = std::iter::once(0..file.len()).collect();
    for &number in path {
        let inner =
            |range: Range<usize>| fields(file, range).into_iter().filter(move |field| field.number == number);
        found = found.into_iter().flat_map(inner).map(|field| field.value).collect();
    }
    found
}

/// `step_stats.dev_stats.node_stats`: the ops.
pub const OPS: [u32; 3] = [1, 1, 2];

fn varint(file: &[u8], at: &mut usize) -> u64 {
    let mut value = 0;
    for place in 0..10 {
        let byte = file[*at];
        *at += 1;
        value |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return value;
        }
    }
    panic!("a varint without end before byte {at}")
}

/// `value` as a varint.
pub fn put_varint(out: &mut Vec<u8>, value: u64) {
    prost::encoding::encode_varint(value, out);
}

/// A field that holds `value` with its length before it.
pub fn put_bytes(out: &mut Vec<u8>, number: u32, value: &[u8]) {
    prost::encoding::encode_key(number, prost::encoding::WireType::LengthDelimited, out);
    put_varint(out, value.len() as u64);
    out.extend_from_slice(value);
}
