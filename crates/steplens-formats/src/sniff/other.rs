//! Files that people open by mistake, recognised by their first bytes: their format, and what to open instead.

use crate::wire::varint;
use steplens_messages::say;

/// A shorter text may be the start of another format.
const LEAST_TEXT: usize = 16;
/// The start of a SavedModel: its version, 1, and its graphs.
const SAVED_MODEL: &[u8] = &[0x08, 0x01, 0x12];

/// The format of a file and what the user can do; `None` for files that may be a trace.
pub(super) fn named(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let starts = |magic: &[u8]| head.starts_with(magic);
    let what = if starts(b"\x89PNG\r\n\x1a\n") {
        say!("other-png")
    } else if starts(&[0xff, 0xd8, 0xff]) {
        say!("other-jpeg")
    } else if starts(b"GIF8") {
        say!("other-gif")
    } else if starts(b"%PDF-") {
        say!("other-pdf")
    } else if starts(b"\x89HDF\r\n\x1a\n") {
        say!("other-hdf5")
    } else if starts(b"\x93NUMPY") {
        say!("other-numpy")
    } else if starts(b"SQLite format 3\0") {
        say!("other-sqlite")
    } else if starts(b"PAR1") {
        say!("other-parquet")
    } else if starts(b"\x7fELF") || starts(b"MZ\x90\0") {
        say!("other-program")
    } else if starts(b"PK\x03\x04") {
        return Some((say!("other-zip"), say!("advice-unzip")));
    } else if starts(b"\xfd7zXZ\0") {
        return Some((say!("other-xz"), say!("advice-unpack-once")));
    } else if starts(b"BZh") {
        return Some((say!("other-bzip2"), say!("advice-unpack-once")));
    } else if starts(b"7z\xbc\xaf\x27\x1c") {
        return Some((say!("other-7z"), say!("advice-unzip")));
    } else if starts(SAVED_MODEL) {
        return Some((say!("other-saved-model"), say!("advice-graph")));
    } else if is_tf_profile(head) {
        return Some((say!("other-tf-profile"), say!("advice-tf-profile")));
    } else if is_graph(head) {
        return Some((say!("other-graph"), say!("advice-graph")));
    } else if is_paddle_text(head) {
        return Some((say!("other-paddle-text"), say!("advice-paddle-text")));
    } else if is_number(head) {
        say!("other-number")
    } else if head.trim_ascii_start().starts_with(b"\"") && is_printed(head) {
        say!("other-json-text")
    } else if is_text(head) {
        say!("other-text")
    } else {
        return None;
    };
    Some((what, say!("advice-run-metadata")))
}

/// Whether the file was written by `tf.profiler` or `tf.contrib.tfprof` (`tfprof_log.proto`, `tfprof_output.proto`). It is a
/// ProfileProto, whose first field maps ids to nodes, each with its name first (where the plane of an XSpace has the name
/// directly, and the devices of a trace begin with `/`); or the tree of nodes of a view.
fn is_tf_profile(head: &[u8]) -> bool {
    let is_view = head.starts_with(b"\x0a\x0b_TFProfRoot");
    let node = || {
        let entry = head.strip_prefix(&[0x0a])?;
        let entry = entry.get(varint(entry)?.1..)?.strip_prefix(&[0x08])?;
        let node = entry.get(varint(entry)?.1..)?.strip_prefix(&[0x12])?;
        let name = node.get(varint(node)?.1..)?.strip_prefix(&[0x0a])?;
        name.get(varint(name)?.1)
    };
    is_view || node().is_some_and(|first| first.is_ascii_graphic() && *first != b'/')
}

/// Whether the file is a timeline of tfprof's scope or code view: a tree of names, level by level (`Scope:0`, `Scope:1`), whose times are laid end to
/// end, each parent as long as all that it contains (`EmitTreeNode` in `tfprof_timeline.cc`). Nothing in it says when anything ran.
pub(super) fn is_tf_profile_tree(head: &[u8]) -> bool {
    let has = |part: &[u8]| head.windows(part.len()).any(|window| window == part);
    head.trim_ascii_start().starts_with(b"{") && has(b"\"Scope:0\"") && has(b"\"_TFProfRoot\"")
}

/// Whether the file is what `rocprofv3 --output-format json` writes: one object with the records of each process in a list of this name, and no events.
pub(super) fn is_rocprofv3(head: &[u8]) -> bool {
    let inside = head.trim_ascii_start().strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    inside.is_some_and(|inside| inside.starts_with(b"\"rocprofiler-sdk-tool\""))
}

/// Whether the file is a GraphDef: nodes in field 1, each with a name in field 1 and an op type of letters and digits in field 2,
/// where a StepStats has a message.
fn is_graph(head: &[u8]) -> bool {
    let text = |bytes: &[u8], tag: u8| -> Option<(usize, usize)> {
        let (length, digits) = varint(bytes.strip_prefix(&[tag])?)?;
        Some((1 + digits, usize::try_from(length).ok()?))
    };
    let op_type = || {
        let (at, _) = text(head, 0x0a)?;
        let node = head.get(at..)?;
        let (at, length) = text(node, 0x0a)?;
        let rest = node.get(at.checked_add(length)?..)?;
        let (at, length) = text(rest, 0x12)?;
        rest.get(at..at.checked_add(length)?)
    };
    op_type().is_some_and(|name| name.len() > 1 && name.iter().all(u8::is_ascii_alphanumeric))
}

/// Whether the file is text from the first byte on. Protobufs of traces begin with the tag of a field below 8.
fn is_text(head: &[u8]) -> bool {
    head.len() >= LEAST_TEXT
        && head
            .first()
            .is_some_and(|first| first.is_ascii_alphabetic() || matches!(first, b'#' | b'/' | b'-'))
        && is_printed(head)
}

fn is_printed(head: &[u8]) -> bool {
    head.iter().all(|&byte| byte >= b' ' && byte != 0x7f || byte.is_ascii_whitespace())
}

/// Whether the file is a single number, such as a measured time. No protobuf of a trace begins with a digit or a sign.
fn is_number(head: &[u8]) -> bool {
    let text = head.trim_ascii();
    let is_digit = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    text.len() < head.len().max(64)
        && text.iter().all(is_digit)
        && std::str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok())
}

/// Whether the file is a Profile of Paddle as `text_format` writes it.
fn is_paddle_text(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let has = |word: &[u8]| head.windows(word.len()).any(|window| window == word);
    text.starts_with(b"start_ns:") || (text.starts_with(b"events {") && has(b"start_ns:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_drop_by_mistake_is_named() {
        let what = |head: &[u8]| named(head).map(|(what, _)| what);
        assert_eq!(what(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), Some("a PNG image"));
        assert_eq!(what(b"\x89HDF\r\n\x1a\n\0"), Some("an HDF5 file"));
        assert_eq!(what(b"import tensorflow as tf\n"), Some("a text file"));
        assert_eq!(what(b"\x08\x01\x12\xfa\x02\x0a"), Some("a SavedModel of TensorFlow"));
        let profile = b"\x0a\x20\x08\x87\x02\x12\x18\x0a\x10fc_w/Adam/Assign";
        assert_eq!(what(profile), Some("a profile of tf.profiler (tfprof)"));
        assert_eq!(what(b"\x0a\x0b_TFProfRoot0\xdb\x3a"), Some("a profile of tf.profiler (tfprof)"));
        assert_eq!(what(b"\x0a\x11\x0a\x01a\x12\x0cPlaceholder1"), Some("a GraphDef of TensorFlow"));
    }

    #[test]
    fn a_tree_of_tfprof_is_no_timeline() {
        let tree = br#"{"traceEvents":[{"args":{"name":"Scope:0"},"name":"process_name","ph":"M","pid":0},{"args":{"name":"_TFProfRoot"},"dur":3}"#;
        assert!(is_tf_profile_tree(tree));
        // Any program may have a process of this name.
        assert!(!is_tf_profile_tree(br#"{"traceEvents":[{"args":{"name":"Scope:0"},"name":"process_name"}"#));
    }

    #[test]
    fn the_json_of_rocprofv3_is_no_chrome_trace() {
        assert!(is_rocprofv3(br#"{"rocprofiler-sdk-tool":[{"metadata":{"node":{"id":0"#));
        assert!(is_rocprofv3(b" {\n  \"rocprofiler-sdk-tool\": ["));
        assert!(!is_rocprofv3(br#"{"traceEvents":[{"name":"rocprofiler-sdk-tool"}]}"#));
    }

    #[test]
    fn what_may_be_a_trace_is_not_named() {
        // A RunMetadata; a StepStats whose first node has no name, but a label.
        for head in
            [&b"\x0a\xc4\x82\x01\x0a\x20"[..], b"\x0a\x0c\x0a\x04/cpu\x12\x04B\x02ab", b"ctensorflow", b""]
        {
            assert_eq!(named(head), None, "{head:?}");
        }
    }
}
