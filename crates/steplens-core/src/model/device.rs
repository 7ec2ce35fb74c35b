//! Devices: what runs ops, and what their names mean.

use super::capability::Capability;
use crate::{DeviceId, OpId, StringId};
use hashbrown::HashMap;

pub use super::device_name::{DeviceKind, task_of};

/// The suffix that readers add to the name of a process for the device with its Python frames, whose threads are those of the
/// process.
pub const FRAMES: &str = " (Python frames)";

/// What readers call the device of a timeline whose rows are tensors: Horovod's, Bluefog's and BytePS's.
pub(crate) const OF_TENSORS: [&str; 3] = ["Horovod", "Bluefog", "BytePS"];

/// Whether the rows of the device called `name` are tensors, and no threads: nothing waits on such a row between its ops. Of several
/// files, each with such a device, something follows the name.
pub fn is_of_tensors(name: &str) -> bool {
    OF_TENSORS
        .iter()
        .any(|own| name.strip_prefix(own).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
}

/// What the tasks of a job do, by the last word of the job's name: `ps`, `train_ps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobRole {
    /// They hold variables.
    Server,
    /// They compute.
    Worker,
    /// It computes, and does what only one task must do.
    Chief,
}

impl JobRole {
    /// The words at the end of a job's name, each with its role.
    pub(crate) const WORDS: [(&'static str, Self); 6] = [
        ("ps", Self::Server),
        ("parameter_server", Self::Server),
        ("pserver", Self::Server),
        ("worker", Self::Worker),
        ("chief", Self::Chief),
        ("master", Self::Chief),
    ];

    /// The word at the end of `job` that says its role: the whole name, or what stands behind an underscore.
    pub(crate) fn word_of(job: &str) -> Option<&'static str> {
        let is_at_end =
            |word: &str| job.strip_suffix(word).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'));
        Self::WORDS.into_iter().map(|(word, _)| word).find(|word| is_at_end(word))
    }

    /// The role of `task`, as in `/job:ps/replica:0/task:1`.
    pub fn of_task(task: &str) -> Option<Self> {
        let job = task.strip_prefix("/job:")?.split('/').next()?;
        let word = Self::word_of(job)?;
        Self::WORDS.into_iter().find(|(own, _)| *own == word).map(|(_, role)| role)
    }
}

/// Whether `name` is the host device of TensorFlow's profiler: `/host:CPU`.
pub fn is_host(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|last| last.eq_ignore_ascii_case("host:CPU"))
}

/// Whether `word`, of the name of a thread, is one of TensorFlow's pools: the executor's `tf_Compute` and `tf_numa_N_Compute`, those of
/// `tf.data`, such as `tf_data_iterator_get_next`, and those of XLA on a CPU, `tf_XLAEigen` and `tf_XLAPjRtCpuClient` (`ThreadPool` in
/// `platform/threadpool.cc` puts `tf_` before the name of each).
pub(crate) fn is_pool(word: &str) -> bool {
    let of_executor = || word.starts_with("tf_numa_") && word.ends_with("_Compute");
    let of_xla = || word == "tf_XLAEigen" || word.starts_with("tf_XLA") && word.ends_with("CpuClient");
    word == "tf_Compute" || word.starts_with("tf_data_") || of_executor() || of_xla()
}

/// Whether `name` is a device on which TensorFlow's executor runs ops: `/job:J/replica:R/task:T/device:CPU:0`.
pub fn is_of_executor(name: &str) -> bool {
    use DeviceKind::{Cpu, Gpu, Tpu};
    task_of(name).is_some() && !is_host(name) && matches!(DeviceKind::of(name), Cpu | Gpu | Tpu)
}

/// Sets the kind of those `devices` that are TensorFlow's host profiler: devices called `/host:CPU`, without nesting, next to
/// devices of an executor. Without an executor, or with nesting as in an XSpace, `/host:CPU` is all that there is of the host.
pub(crate) fn mark_host_profilers<'a>(devices: &mut [Device], name: impl Fn(StringId) -> &'a str) {
    if !devices.iter().any(|device| is_of_executor(name(device.name))) {
        return;
    }
    let is_profiler = |device: &&mut Device| !device.nests && is_host(name(device.name));
    devices.iter_mut().filter(is_profiler).for_each(|device| device.kind = DeviceKind::HostProfiler);
}

/// One device.
#[derive(Clone, Debug)]
pub struct Device {
    /// Its full name.
    pub name: StringId,
    /// The task it belongs to, if its name has one.
    pub task: Option<StringId>,
    /// The kind of the device.
    pub kind: DeviceKind,
    /// Its ops: rows `first_op .. first_op + op_count` of the op table.
    pub first_op: u32,
    /// The number of its ops.
    pub op_count: u32,
    /// Whether ops of one of its threads contain one another, because the format records nesting.
    pub nests: bool,
    /// Whether the format says that it is a GPU, a TPU or the like, with its kernels and copies.
    pub is_accelerator: bool,
    /// Its compute capability, if it is a GPU of NVIDIA and the format says it.
    pub capability: Option<Capability>,
}

impl Device {
    /// The row after its last op.
    pub fn end_op(&self) -> u32 {
        self.first_op + self.op_count
    }

    /// Whether it ran `op`.
    pub fn has_op(&self, op: OpId) -> bool {
        (self.first_op..self.end_op()).contains(&op.get())
    }
}

/// The devices in natural order of task and name.
#[derive(Clone, Default)]
pub struct DeviceTable {
    rows: Vec<Device>,
    ids: HashMap<StringId, DeviceId, foldhash::fast::FixedState>,
    has_streams: bool,
    has_host_profiler: bool,
}

impl DeviceTable {
    /// A table of `rows`, which must be sorted, with contiguous ops in that order.
    pub fn new(rows: Vec<Device>) -> Self {
        Self {
            ids: rows
                .iter()
                .enumerate()
                .map(|(row, device)| (device.name, DeviceId::from_usize(row)))
                .collect(),
            has_streams: rows.iter().any(|device| device.kind == DeviceKind::Stream),
            has_host_profiler: rows.iter().any(|device| device.kind == DeviceKind::HostProfiler),
            rows,
        }
    }

    /// All ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = DeviceId> + DoubleEndedIterator + use<> {
        (0..self.rows.len()).map(DeviceId::from_usize)
    }

    /// All devices.
    pub(crate) fn rows(&self) -> &[Device] {
        &self.rows
    }

    /// The device of `id`.
    pub fn get(&self, id: DeviceId) -> &Device {
        &self.rows[id.index()]
    }

    /// The number of devices.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no devices.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The device called `name`.
    pub fn by_name(&self, name: StringId) -> Option<DeviceId> {
        self.ids.get(&name).copied()
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Device>() + self.ids.allocation_size()
    }

    /// Whether `id` repeats ops of the numbered streams of the trace.
    pub fn repeats_streams(&self, id: DeviceId) -> bool {
        self.has_streams && matches!(self.get(id).kind, DeviceKind::StreamAll | DeviceKind::Memcpy)
    }

    /// Whether `id` has the records of TensorFlow's host profiler, next to an executor.
    pub fn is_host_profiler(&self, id: DeviceId) -> bool {
        self.has_host_profiler && self.get(id).kind == DeviceKind::HostProfiler
    }

    /// Whether `id` repeats ops of other devices: it is shown, but not counted.
    pub fn repeats_others(&self, id: DeviceId) -> bool {
        self.repeats_streams(id) || self.is_host_profiler(id)
    }

    /// The devices with the records of TensorFlow's host profiler.
    pub fn host_profilers(&self) -> impl Iterator<Item = DeviceId> + '_ {
        self.ids().filter(|_| self.has_host_profiler).filter(|&id| self.is_host_profiler(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_kind_and_task() {
        let worker = "/job:worker/replica:0/task:12/device:CPU:0";
        assert_eq!(task_of(worker), Some("/job:worker/replica:0/task:12"));
        assert_eq!(task_of("/device:GPU:0/stream:all"), None);
        assert_eq!(task_of("/job:a/task:"), None);
        let kinds = [
            worker,
            "/gpu:0/stream:56",
            "/device:GPU:0/stream:all",
            "/device:GPU:0/memcpy",
            "/job:a/device:GPU:1",
            "/host:CPU",
            "x",
        ]
        .map(DeviceKind::of);
        use DeviceKind::{Cpu, Gpu, Memcpy, Other, Stream, StreamAll};
        assert_eq!(kinds, [Cpu, Stream, StreamAll, Memcpy, Gpu, Cpu, Other]);
        assert!(is_host("/host:CPU") && is_host("/job:w/replica:0/task:1/host:CPU") && !is_host(worker));
        assert!(is_of_executor(worker) && is_of_executor("/job:a/replica:0/task:0/cpu:0"));
        assert!(!is_of_executor("/device:GPU:0/stream:1") && !is_of_executor("/job:a/task:0/host:CPU"));
    }
}
