//! Recognises formats by their first bytes, never by the file's name.

mod other;
mod pickle;

use crate::session::MAGIC;
use crate::wire::varint;

/// The number of first bytes that are enough to recognise a format.
pub const ENOUGH: usize = 256;

/// A file of at least this many white-space bytes is no protobuf. A single line feed may be a protobuf that was cut.
const BLANK: usize = 16;

/// A byte order mark and `<`: pages shared by version 0.1.0 are UTF-16.
const WIDE_MARKUP: &[u8] = b"\xff\xfe<\0";

/// The format that the first bytes show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Packed with gzip.
    Gzip,
    /// Packed with zstd.
    Zstd,
    /// A protobuf that may be a RunMetadata.
    RunMetadata,
    /// A protobuf that is a StepStats, without the RunMetadata around it.
    StepStats,
    /// An XSpace, of the profilers of TF2 and JAX.
    XSpace,
    /// A profile of Paddle.
    Paddle,
    /// RunMetadata or StepStats in protobuf's text format.
    Text,
    /// A pickle of Python.
    Pickle,
    /// A TensorBoard event file.
    EventFile,
    /// JSON: a Chrome trace, or something else.
    Json,
    /// A Steplens session.
    Session,
    /// HTML or XML: a shared page, or something else.
    Markup,
    /// A known format that is not supported: its name, and what the user can do.
    Other(&'static str, &'static str),
}

/// Finds the format of a file from its first [`ENOUGH`] bytes, or from all bytes of a shorter file.
pub fn sniff(head: &[u8]) -> FileKind {
    // A line feed is also the tag of a RunMetadata's first field, and `{`, `[` and `<` may be the lengths of short ones.
    let text = if is_nested(head) {
        head
    } else {
        head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start()
    };
    let words = |prefix: &[u8]| text.starts_with(prefix);
    if head.starts_with(&[0x1f, 0x8b]) {
        FileKind::Gzip
    } else if head.starts_with(MAGIC) {
        FileKind::Session
    } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        FileKind::Zstd
    } else if is_tf_record(head) {
        FileKind::EventFile
    } else if pickle::is_pickle(head) {
        FileKind::Pickle
    } else if is_text(text) {
        FileKind::Text
    } else if words(b"{") || words(b"[") || (text.is_empty() && head.len() >= BLANK) {
        FileKind::Json
    } else if words(b"<") || head.starts_with(WIDE_MARKUP) {
        FileKind::Markup
    } else if let Some((what, advice)) = other::named(head) {
        FileKind::Other(what, advice)
    } else {
        protobuf(head)
    }
}

/// Distinguishes protobufs by the first field of the message in their first field:
///
/// | | field 1 | its first field | and the next |
/// |---|---|---|---|
/// | RunMetadata | `step_stats` | `dev_stats`, a message | |
/// | StepStats | `dev_stats` | `device`, a text | `node_stats`, a message |
/// | Paddle's Profile | `events` | `name`, a text | `start_ns`, a number |
/// | XSpace | `planes` | `id`, a number, or `name` in field 2 | |
fn protobuf(head: &[u8]) -> FileKind {
    // A Profile without events starts with its own `start_ns`.
    if head.starts_with(&[0x10]) {
        return FileKind::Paddle;
    }
    let (Some(plane), first) = (field_1(head), field_1(head).and_then(field_1)) else {
        return FileKind::RunMetadata;
    };
    let has_name = plane.first() == Some(&0x12) && after_varint(&plane[1..]).is_some_and(starts_graphic);
    match (plane.first(), first) {
        (Some(0x08), _) => FileKind::XSpace,
        _ if has_name => FileKind::XSpace,
        (_, Some(text)) if starts_graphic(text) => {
            let length = plane.get(1..).and_then(varint).map_or(0, |(length, _)| length);
            match usize::try_from(length).ok().and_then(|length| text.get(length)) {
                Some(0x10) => FileKind::Paddle,
                _ => FileKind::StepStats,
            }
        }
        _ => FileKind::RunMetadata,
    }
}

/// The bytes after the tag and the length of field 1.
fn field_1(message: &[u8]) -> Option<&[u8]> {
    after_varint(message.strip_prefix(&[0x0a])?)
}

fn after_varint(bytes: &[u8]) -> Option<&[u8]> {
    let (_, length) = varint(bytes)?;
    bytes.get(length..)
}

fn starts_graphic(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_graphic)
}

/// Whether `text` starts with the name of a field of RunMetadata or StepStats, or with a comment, which text formats allow before
/// it.
fn is_text(text: &[u8]) -> bool {
    let fields: [&[u8]; 5] =
        [b"step_stats", b"dev_stats", b"partition_graph", b"function_graphs", b"cost_graph"];
    text.starts_with(b"# ") || fields.iter().any(|field| text.starts_with(field))
}

/// Whether `head` starts with a `step_stats` that contains a `dev_stats`, each of less than 128 bytes, and a field of the latter.
fn is_nested(head: &[u8]) -> bool {
    matches!(head, &[0x0a, outer @ ..0x80, 0x0a, inner, 0x0a | 0x12 | 0x1a, ..] if inner.saturating_add(2) <= outer)
}

/// TFRecord framing: a u64 length, then the masked CRC-32C of these eight bytes.
fn is_tf_record(head: &[u8]) -> bool {
    let (Some(length), Some(crc)) = (head.first_chunk::<8>(), head.get(8..12)) else {
        return false;
    };
    // In case the length is damaged: the first event has its version after its time, in `file_version`.
    if head.get(21..).is_some_and(|event| event.starts_with(b"\x1a\x0dbrain.Event:")) {
        return true;
    }
    let crc32c = !length.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg()))
    });
    crc == crc32c.rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_content() {
        assert_eq!(sniff(&[0x1f, 0x8b, 8]), FileKind::Gzip);
        assert_eq!(sniff(b"STEPLENS\x01"), FileKind::Session);
        assert_eq!(sniff(b"\x0a\xc4\x82\x01\x0a\x20"), FileKind::RunMetadata);
        assert_eq!(sniff(b""), FileKind::RunMetadata);
        assert_eq!(sniff(b"\x0a\xc4\x82\x01\x0a\x2a/job:w/re"), FileKind::StepStats);
        assert_eq!((sniff(b"step_stats {"), sniff(b"\n# a note\ndev")), (FileKind::Text, FileKind::Text));
        assert_eq!(sniff(b"\x0a\x3c\x0a\x3a\x0a\x29/job"), FileKind::RunMetadata);
        assert!(matches!(sniff(b"PK\x03\x04"), FileKind::Other(..)));
        assert_eq!([sniff(b"<!doctype"), sniff(b"\xff\xfe<\0!\0")], [FileKind::Markup; 2]);
        assert_eq!([sniff(b"\x80\x02cfoo"), sniff(b"ctensorflow.core")], [FileKind::Pickle; 2]);
        assert_eq!(sniff(b"\x28\xb5\x2f\xfd"), FileKind::Zstd);
        assert_eq!(sniff(b"\x0a\x91\x02\x12\x09/host:CPU\x1a"), FileKind::XSpace);
        assert_eq!(sniff(b"\x0a\x20\x0a\x06matmul\x10\x05\x18\x06"), FileKind::Paddle);
        for json in
            [&b"  {\"traceEvents\""[..], b"\n{\n\"traceEvents\"", b"[{", b"\xef\xbb\xbf{\"a", &[b' '; ENOUGH]]
        {
            assert_eq!(sniff(json), FileKind::Json, "{json:?}");
        }
        // The first 12 bytes of an event file by TensorFlow: a record of 24 bytes.
        assert_eq!(sniff(b"\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22\x09\0\0\0"), FileKind::EventFile);
    }
}
