//! Processes: the task for a user's name of a file, and the devices that belong to it.

use crate::model::device::task_of;
use std::borrow::Cow;

/// The job in TensorFlow's names for a process that belongs to no cluster.
const LOCAL: &str = "/job:localhost/";

/// The task of a process that a user calls `name`: `trainer0` is `/job:trainer/replica:0/task:0`, `gpu-node` is
/// `/job:gpu-node/replica:0/task:0`. A name that is a task already stays.
pub(crate) fn task_of_process(name: &str) -> String {
    if let Some(task) = task_of(name).filter(|task| task.len() == name.len()) {
        return task.to_owned();
    }
    // Slashes separate the parts of a device's name.
    let name = name.replace('/', "-");
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &name[stem.len()..];
    let job = stem.trim_end_matches(['-', '_', ':']);
    // In `v1.5` and `2024` the digits are not the number of a task.
    match job.ends_with(char::is_alphabetic) && !number.is_empty() {
        true => format!("/job:{job}/replica:0/task:{number}"),
        false => format!("/job:{name}/replica:0/task:0"),
    }
}

/// The name of `device` in the process whose task is `task`: a device without a task gets this one, and so does a device of
/// TensorFlow's local process. Devices of a cluster keep their names.
pub(crate) fn device_of_process<'a>(task: &str, device: &'a [u8]) -> Cow<'a, [u8]> {
    if device.is_empty() {
        return Cow::Borrowed(device);
    }
    let text = String::from_utf8_lossy(device);
    let rest = match task_of(&text) {
        None => text.as_ref(),
        Some(own) if own.starts_with(LOCAL) => &text[own.len()..],
        Some(_) => return Cow::Borrowed(device),
    };
    let slash = if rest.is_empty() || rest.starts_with('/') { "" } else { "/" };
    Cow::Owned([task, slash, rest].concat().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_tasks() {
        for (name, task) in [
            ("trainer0", "/job:trainer/replica:0/task:0"),
            ("pserver12", "/job:pserver/replica:0/task:12"),
            ("worker-3", "/job:worker/replica:0/task:3"),
            ("gpu-node", "/job:gpu-node/replica:0/task:0"),
            ("v1.5", "/job:v1.5/replica:0/task:0"),
            ("2024", "/job:2024/replica:0/task:0"),
            ("a/b", "/job:a-b/replica:0/task:0"),
            ("/job:w/replica:1/task:2", "/job:w/replica:1/task:2"),
            ("", "/job:/replica:0/task:0"),
        ] {
            assert_eq!(task_of_process(name), task);
        }
    }

    #[test]
    fn devices_of_no_cluster_belong_to_their_process() {
        let of = |device: &str| {
            String::from_utf8(device_of_process("/job:t/replica:0/task:1", device.as_bytes()).into_owned())
                .unwrap()
        };
        assert_eq!(of("/device:GPU:0/stream:all"), "/job:t/replica:0/task:1/device:GPU:0/stream:all");
        assert_eq!(of("python GPU 0"), "/job:t/replica:0/task:1/python GPU 0");
        assert_eq!(
            of("/job:localhost/replica:0/task:0/device:CPU:0"),
            "/job:t/replica:0/task:1/device:CPU:0"
        );
        assert_eq!(of(""), "");
        let worker = "/job:worker/replica:0/task:3/device:CPU:0";
        assert_eq!(of(worker), worker);
    }
}
