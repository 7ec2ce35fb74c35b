//! Recognises formats by their first bytes, never by the file's name: the list of all formats.

mod other;

use crate::first_bytes::{self, FirstBytes};
use crate::reader::Format;
use crate::{chrome, events, paddle, pbjson, pbtxt, pickle, run_metadata, session, trace_events, xspace};
use steplens_messages::say;

/// The number of first bytes that are enough to recognise a format.
pub const ENOUGH: usize = first_bytes::ENOUGH;

/// A byte order mark and `<`: HTML or XML in UTF-16.
const WIDE_MARKUP: &[u8] = b"\xff\xfe<\0";

/// Formats that begin with a mark or a text of their own. The first one that recognises a file reads it: the length of an event
/// file's first record may look like text.
const MARKED: [&Format; 6] =
    [&session::FORMAT, &events::FORMAT, &pickle::FORMAT, &pbtxt::FORMAT, &pbjson::FORMAT, &chrome::FORMAT];

/// Protobufs, which differ in the first field of the message in their first field. A RunMetadata is what is none of the others.
///
/// | | field 1 | its first field | and the next |
/// |---|---|---|---|
/// | RunMetadata | `step_stats` | `dev_stats`, a message | |
/// | StepStats | `dev_stats` | `device`, a text | `node_stats`, a message |
/// | Paddle's Profile | `events` | `name`, a text | `start_ns`, a number |
/// | XSpace | `planes` | `id`, a number, or `name` in field 2 | |
/// | Trace of TensorFlow 2.0 | `devices` | the key, a number | a device, whose name begins with `/` |
const PROTOBUFS: [&Format; 4] =
    [&paddle::FORMAT, &trace_events::FORMAT, &xspace::FORMAT, &run_metadata::STEP_STATS];

/// The format that the first bytes show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FileKind {
    /// Packed with gzip.
    Gzip,
    /// Packed with zstd.
    Zstd,
    /// HTML or XML: a shared page, or something else.
    Markup,
    /// A format that can be read.
    Trace(&'static Format),
    /// A known format that is not supported: its name, and what the user can do.
    Other(&'static str, &'static str),
}

/// Finds the format of a file from its first [`ENOUGH`] bytes, or from all bytes of a shorter file.
pub fn sniff(head: &[u8]) -> FileKind {
    let first = FirstBytes::of(head);
    let recognised =
        |formats: &[&'static Format]| formats.iter().copied().find(|own| (own.recognises)(&first));
    if head.starts_with(&[0x1f, 0x8b]) {
        FileKind::Gzip
    } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        FileKind::Zstd
    } else if other::is_tf_profile_tree(head) {
        FileKind::Other(say!("other-tf-profile"), say!("advice-tf-profile"))
    } else if other::is_rocprofv3(head) {
        FileKind::Other(say!("other-rocprofv3"), say!("advice-rocprofv3"))
    } else if let Some(format) = recognised(&MARKED) {
        FileKind::Trace(format)
    } else if first.text.starts_with(b"<") || head.starts_with(WIDE_MARKUP) {
        FileKind::Markup
    } else if let Some((what, advice)) = other::named(head) {
        FileKind::Other(what, advice)
    } else {
        FileKind::Trace(recognised(&PROTOBUFS).unwrap_or(&run_metadata::FORMAT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name of the format that is recognised.
    fn name(head: &[u8]) -> &'static str {
        match sniff(head) {
            FileKind::Trace(format) => format.name(),
            _ => "none",
        }
    }

    #[test]
    fn formats_by_content() {
        assert_eq!(sniff(&[0x1f, 0x8b, 8]), FileKind::Gzip);
        assert_eq!(sniff(b"\x28\xb5\x2f\xfd"), FileKind::Zstd);
        assert_eq!([sniff(b"<!doctype"), sniff(b"\xff\xfe<\0!\0")], [FileKind::Markup; 2]);
        assert!(matches!(sniff(b"PK\x03\x04"), FileKind::Other(..)));
        assert_eq!(name(b"STEPLENS\x01"), "session");
        assert_eq!(name(b"\x0a\xc4\x82\x01\x0a\x20"), "run-metadata");
        assert_eq!(name(b""), "run-metadata");
        assert_eq!(name(b"\x0a\xc4\x82\x01\x0a\x2a/job:w/re"), "step-stats");
        assert_eq!([name(b"step_stats {"), name(b"\n# a note\ndev")], ["run-metadata-text"; 2]);
        assert_eq!(name(b"\x0a\x3c\x0a\x3a\x0a\x29/job"), "run-metadata");
        assert_eq!([name(b"\x80\x02cfoo"), name(b"ctensorflow.core")], ["pickle"; 2]);
        assert_eq!(name(b"\x0a\x91\x02\x12\x09/host:CPU\x1a"), "xspace");
        assert_eq!(name(b"\x0a\x2d\x08\x00\x12\x29\x0a\x09/host:CPU\x1a\x13"), "trace-events");
        assert_eq!(name(b"\x0a\x20\x0a\x06matmul\x10\x05\x18\x06"), "paddle-profile");
        for json in
            [&b"  {\"traceEvents\""[..], b"\n{\n\"traceEvents\"", b"[{", b"\xef\xbb\xbf{\"a", &[b' '; ENOUGH]]
        {
            assert_eq!(name(json), "chrome-trace", "{json:?}");
        }
        // The first 12 bytes of an event file by TensorFlow: a record of 24 bytes.
        assert_eq!(name(b"\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22\x09\0\0\0"), "event-file");
    }
}
