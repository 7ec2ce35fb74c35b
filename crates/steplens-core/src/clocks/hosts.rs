//! The clock of each device: that of its task; for the stream of a GPU, whose name has no task, that of the host of this GPU.

use crate::Trace;
use crate::base::ids::StringId;
use crate::model::device::Device;

/// The task of every device; `None` where several tasks, or no task, may be its host.
pub(super) fn hosts(trace: &Trace) -> Vec<Option<StringId>> {
    let devices = || trace.devices().ids().map(|id| trace.devices().get(id));
    let name = |device: &Device| trace.text(device.name);
    // (GPU, task)
    let mut gpus: Vec<(&str, StringId)> =
        devices().filter_map(|device| Some((last_part(name(device)), device.task?))).collect();
    gpus.sort_by(|&(gpu, task), &(other_gpu, other_task)| {
        folded(gpu).cmp(folded(other_gpu)).then(task.cmp(&other_task))
    });
    let tasks = || gpus.iter().map(|&(_, task)| task);
    let only_task = tasks().next().filter(|first| tasks().all(|task| task == *first));
    let host = |device: &Device| {
        let (gpu, _) = name(device).rsplit_once('/')?;
        let gpu = last_part(gpu);
        let first = gpus.partition_point(|(other, _)| folded(other).lt(folded(gpu)));
        let own = &gpus[first..];
        let own = &own[..own.partition_point(|(other, _)| folded(other).eq(folded(gpu)))];
        // The matches are in order of task.
        match (own.first(), own.last()) {
            (Some((_, first)), Some((_, last))) => (first == last).then_some(*first),
            _ => only_task,
        }
    };
    devices().map(|device| device.task.or_else(|| host(device))).collect()
}

/// The last part of a name: `GPU:0` for `/job:a/replica:0/task:0/device:GPU:0` and for `/gpu:0`.
fn last_part(name: &str) -> &str {
    let part = name.rsplit('/').next().unwrap_or(name);
    part.strip_prefix("device:").unwrap_or(part)
}

/// `text` in small letters, because older TensorFlow writes `gpu`.
fn folded(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes().map(|byte| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::builder::{OpRecord, TraceBuilder};
    use crate::model::op::OpTimes;

    #[test]
    fn streams_have_the_clock_of_their_host() {
        let hosts_of = |names: &[&str]| -> Vec<Option<String>> {
            let mut builder = TraceBuilder::default();
            for name in names {
                let slot = builder.begin_device();
                builder.name_device(slot, name.as_bytes());
                let times = OpTimes { start_unix_ns: 1, length_ns: 1, ..OpTimes::default() };
                builder.op(slot, &OpRecord { name: b"a", label: b"", times }).unwrap();
            }
            let trace = builder.finish(&Default::default());
            let hosts = hosts(&trace);
            names
                .iter()
                .map(|name| {
                    let is_it = |id: &crate::DeviceId| trace.text(trace.devices().get(*id).name) == *name;
                    let device = trace.devices().ids().find(is_it).unwrap();
                    hosts[device.index()].map(|task| trace.text(task).to_owned())
                })
                .collect()
        };
        let [a, b] = ["/job:w/replica:0/task:0", "/job:w/replica:0/task:1"].map(|task| Some(task.to_owned()));
        let (a_0, a_1) = ("/job:w/replica:0/task:0/device:GPU:0", "/job:w/replica:0/task:0/gpu:1");
        let b_0 = "/job:w/replica:0/task:1/device:GPU:0";
        assert_eq!(
            hosts_of(&[
                a_0,
                a_1,
                b_0,
                "/device:GPU:0/stream:1",
                "/device:GPU:1/stream:all",
                "/gpu:7/stream:5"
            ]),
            [a.clone(), a.clone(), b, None, a.clone(), None]
        );
        assert_eq!(hosts_of(&[a_0, "/gpu:7/stream:5", "x"]), [a.clone(), a, None]);
    }
}
