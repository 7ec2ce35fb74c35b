//! Names and kinds of fields in JSON, as the text format has them.

/// The kind of a value in JSON that is a text in both: a number of 64 bits and the name of a value are texts in JSON only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text.
    Text,
    /// Bytes, as base64.
    Bytes,
    /// A number, or the name of a value of an enumeration.
    Word,
}

/// Fields that are texts.
const TEXTS: [&[u8]; 9] = [
    b"device",
    b"node_name",
    b"timeline_label",
    b"allocator_name",
    b"name",
    b"op",
    b"input",
    b"key",
    b"value",
];

/// The kind of the field called `name`.
pub(super) fn kind(name: &[u8]) -> Kind {
    match name {
        b"s" => Kind::Bytes,
        _ if TEXTS.contains(&name) => Kind::Text,
        _ => Kind::Word,
    }
}

/// Whether the field is a map, which is an object in JSON.
pub(super) fn is_map(name: &[u8]) -> bool {
    matches!(name, b"attr" | b"thread_names")
}

/// `allStartMicros` as `all_start_micros`. Names that are written as they are called stay.
pub(super) fn push_name(key: &[u8], out: &mut Vec<u8>) {
    for &byte in key {
        if byte.is_ascii_uppercase() {
            out.push(b'_');
        }
        out.push(byte.to_ascii_lowercase());
    }
}
