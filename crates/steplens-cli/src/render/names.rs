//! Names: hostile text made visible, and TensorFlow's long names in short forms that keep the end, where they differ.

use std::borrow::Cow;
use std::fmt::Write;
use steplens_core::model::device::task_of;
use steplens_messages::say;
use unicode_width::UnicodeWidthStr;

/// `text` with everything that could steer a terminal, or hide or turn other text, written out: `\x1b`, `\u{202e}`.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        // Writing to a string cannot fail.
        let _ = match char {
            _ if !is_hidden(char) => shown.write_char(char),
            '\n' => shown.write_str("\\n"),
            '\r' => shown.write_str("\\r"),
            '\t' => shown.write_str("\\t"),
            ..='\x7f' => write!(shown, "\\x{:02x}", u32::from(char)),
            _ => write!(shown, "\\u{{{:x}}}", u32::from(char)),
        };
    }
    Cow::Owned(shown)
}

/// Control characters, and the format characters of Unicode: direction, joiners, separators, tags.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(u32::from(char), 0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f)
        || matches!(u32::from(char), 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe007f)
}

/// `/job:worker/replica:0/task:1` as `worker 1`; the replica is named only where it is not 0.
pub(crate) fn task_label(task: &str) -> String {
    let part = |key: &str| {
        let (_, rest) = task.split_once(key)?;
        rest.split('/').next().filter(|part| !part.is_empty())
    };
    let (Some(job), Some(number)) = (part("/job:"), part("/task:")) else {
        return visible(task).into_owned();
    };
    let name = visible(job);
    match part("/replica:") {
        None | Some("0") => format!("{name} {number}"),
        Some(replica) => say!("task-with-replica", name, number, replica = visible(replica)),
    }
}

/// What follows the task: `CPU:0`, `GPU:0 stream:all`.
pub(crate) fn device_label(device: &str) -> String {
    let rest = task_of(device).map_or(device, |task| &device[task.len()..]);
    let rest = rest.strip_prefix("/device:").or_else(|| rest.strip_prefix('/')).unwrap_or(rest);
    let label = visible(if rest.is_empty() { device } else { rest }).replace('/', " ");
    match label.split_once(':') {
        Some((kind @ ("cpu" | "gpu" | "tpu"), rest)) => format!("{}:{rest}", kind.to_ascii_uppercase()),
        _ => label,
    }
}

/// The same of an accelerator: `GPU 0`, to distinguish it from `GPU:0`, what TensorFlow's executor dispatched to it.
pub(crate) fn accelerator_label(name: &str) -> String {
    let label = device_label(name);
    match label.split_once(':') {
        Some((kind @ ("GPU" | "TPU"), number)) => format!("{kind} {number}"),
        _ => label,
    }
}

/// Task and device in few words: `worker 1 CPU:0`.
pub(crate) fn place_label(device: &str) -> String {
    match task_of(device) {
        Some(task) if task.len() < device.len() => format!("{} {}", task_label(task), device_label(device)),
        Some(task) => task_label(task),
        None => device_label(device),
    }
}

/// At most `width` columns of `text`, keeping its end: `…/b2a/Conv2D`. Scopes go first, then the beginning.
pub(crate) fn shortened(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let tail = tail(text, width.saturating_sub(1));
    // A scope boundary is a nicer place to cut, unless much would be lost for it.
    let scope = tail.find('/').filter(|&at| at * 2 < tail.len()).unwrap_or(0);
    Cow::Owned(format!("…{}", &tail[scope..]))
}

/// At most `width` columns of the name of a device or task, which differs at both of its ends: `/job:worker…/task:0`.
pub(crate) fn shortened_within(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    // The end has the number, and one more column where they cannot have as many.
    let kept = width.saturating_sub(1);
    Cow::Owned(format!("{}…{}", head(text, kept / 2), tail(text, kept - kept / 2)))
}

/// The longest beginning of `text` that takes at most `width` columns.
fn head(text: &str, width: usize) -> &str {
    let ends = text.char_indices().map(|(at, char)| at + char.len_utf8());
    let fitting = ends.take_while(|&end| text[..end].width() <= width);
    &text[..fitting.last().unwrap_or(0)]
}

/// The longest end of `text` that takes at most `width` columns.
fn tail(text: &str, width: usize) -> &str {
    let starts = text.char_indices().rev().map(|(at, _)| at);
    let fitting = starts.take_while(|&start| text[start..].width() <= width);
    &text[fitting.last().unwrap_or(text.len())..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        assert_eq!(visible("net/w:1 é 中"), "net/w:1 é 中");
        assert_eq!(visible("a\x1b[31mb\nc\u{9b}d\u{202e}e\x7f"), "a\\x1b[31mb\\nc\\u{9b}d\\u{202e}e\\x7f");
    }

    #[test]
    fn names_keep_what_tells() {
        let worker = "/job:worker/replica:0/task:1/device:CPU:0";
        assert_eq!([place_label(worker), device_label(worker)], ["worker 1 CPU:0", "CPU:0"]);
        assert_eq!(task_label("/job:ps/replica:2/task:0"), "ps 0, replica 2");
        assert_eq!(device_label("/gpu:0/stream:56"), "GPU:0 stream:56");
        assert_eq!(device_label("/device:GPU:0/stream:all"), "GPU:0 stream:all");
        assert_eq!(place_label("odd"), "odd");
    }

    #[test]
    fn short_names_keep_their_end() {
        assert_eq!(shortened("inception/b2a/Conv2D", 20), "inception/b2a/Conv2D");
        assert_eq!(shortened("inception/b2a/Conv2D", 14), "…/b2a/Conv2D");
        assert_eq!(shortened("gradients", 5), "…ents");
        assert_eq!(shortened("é/中/x", 3), "…/x");
        assert_eq!(shortened("abc", 0), "…");
        // Two columns a letter, and none for an accent.
        assert_eq!([shortened("中中中中", 5), shortened("中中中中", 4)], ["…中中", "…中"]);
        assert_eq!(shortened("e\u{301}e\u{301}", 2), "e\u{301}e\u{301}");
    }

    #[test]
    fn places_keep_both_ends() {
        assert_eq!(shortened_within("worker 0", 8), "worker 0");
        assert_eq!(shortened_within("/job:ps/replica:0/task:0", 16), "/job:ps…0/task:0");
        assert_eq!(shortened_within("/job:worker/replica:0/task:0", 16), "/job:wo…0/task:0");
        assert_eq!(shortened_within("é中x", 2), "…x");
        assert_eq!([shortened_within("abc", 1), shortened_within("abc", 0)], ["…", "…"]);
    }
}
