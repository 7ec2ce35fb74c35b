//! Names: hostile text made visible, and short forms of TensorFlow's long names of tasks and devices, and of kernels.

mod kernel;

pub use kernel::{kernel_label, kernel_labels, kernel_labels_json};

use std::borrow::Cow;
use std::fmt::Write;
use steplens_core::model::device::task_of;
use steplens_messages::say;

/// `name` in at most `longest` letters. Of scopes (`tower_0/decoder/MatMul`) the end says most, of other names the beginning.
pub(crate) fn cut_to(name: &str, longest: usize) -> String {
    if name.chars().count() <= longest {
        return name.to_owned();
    }
    let is_scope = !name.contains(['<', '(', ' ']);
    let ends = name.match_indices('/').map(|(place, _)| &name[place..]).filter(|_| is_scope);
    match ends.filter(|end| end.len() > 1).find(|end| end.chars().count() < longest) {
        Some(end) => format!("…{end}"),
        None => name.chars().take(longest.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// `text` with escapes for everything that could control a terminal, or hide or reverse other text: `\x1b`, `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
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

/// Whether `char` is a control character, or a format character of Unicode: direction, joiners, separators, tags.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(u32::from(char), 0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f)
        || matches!(u32::from(char), 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe007f)
}

/// `/job:worker/replica:0/task:1` as `worker 1`, and a job as `worker`; the replica is included only if it is not 0.
pub fn task_label(task: &str) -> String {
    let part = |key: &str| {
        let (_, rest) = task.split_once(key)?;
        rest.split('/').next().filter(|part| !part.is_empty())
    };
    let is_job = task.starts_with("/job:") && task.split('/').skip(2).all(|own| own.starts_with("replica:"));
    let (name, number) = match (part("/job:"), part("/task:")) {
        (Some(job), Some(number)) => (visible(job), number),
        (Some(job), None) if is_job && part("/replica:").is_none_or(|own| own == "0") => {
            return visible(job).into_owned();
        }
        _ => return visible(task).into_owned(),
    };
    match part("/replica:") {
        None | Some("0") => format!("{name} {number}"),
        Some(replica) => say!("task-with-replica", name, number, replica = visible(replica)),
    }
}

/// The part of a name after the task: `CPU:0`, `GPU:0 stream:all`.
pub fn device_label(device: &str) -> String {
    let rest = task_of(device).map_or(device, |task| &device[task.len()..]);
    let rest = rest.strip_prefix("/device:").or_else(|| rest.strip_prefix('/')).unwrap_or(rest);
    let label = visible(if rest.is_empty() { device } else { rest }).replace('/', " ");
    match label.split_once(':') {
        Some((kind @ ("cpu" | "gpu" | "tpu"), rest)) => format!("{}:{rest}", kind.to_ascii_uppercase()),
        _ => label,
    }
}

/// The label of an accelerator: `GPU 0`, which differs from `GPU:0`, the ops that TensorFlow's executor dispatched to it.
pub fn accelerator_label(name: &str) -> String {
    let label = device_label(name);
    match label.split_once(':') {
        Some((kind @ ("GPU" | "TPU"), number)) => format!("{kind} {number}"),
        _ => label,
    }
}

/// Task and device in a few words: `worker 1 CPU:0`.
pub fn place_label(device: &str) -> String {
    match task_of(device) {
        Some(task) if task.len() < device.len() => format!("{} {}", task_label(task), device_label(device)),
        Some(task) => task_label(task),
        None => device_label(device),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(visible("net/w:1 é 中"), "net/w:1 é 中");
        assert_eq!(visible("a\x1b[31mb\nc\u{9b}d\u{202e}e\x7f"), "a\\x1b[31mb\\nc\\u{9b}d\\u{202e}e\\x7f");
    }

    #[test]
    fn names_keep_what_tells() {
        let jobs = [
            "/job:worker",
            "/job:worker/replica:0",
            "/job:worker/device:CPU:0",
            "/job:a/replica:1",
            "worker",
        ];
        let labels = ["worker", "worker", "/job:worker/device:CPU:0", "/job:a/replica:1", "worker"];
        assert_eq!(jobs.map(task_label), labels);
        let worker = "/job:worker/replica:0/task:1/device:CPU:0";
        assert_eq!([place_label(worker), device_label(worker)], ["worker 1 CPU:0", "CPU:0"]);
        assert_eq!(task_label("/job:ps/replica:2/task:0"), "ps 0, replica 2");
        assert_eq!(device_label("/gpu:0/stream:56"), "GPU:0 stream:56");
        assert_eq!(device_label("/device:GPU:0/stream:all"), "GPU:0 stream:all");
        assert_eq!(place_label("odd"), "odd");
    }
}
