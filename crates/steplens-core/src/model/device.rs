//! Devices: what runs ops, and what their names say.

use crate::{DeviceId, StringId};
use hashbrown::HashMap;

/// What readers put after the name of a process for the device that holds its frames of Python, whose threads are the process's.
pub const FRAMES: &str = " (Python frames)";

/// What kind of thing a device is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceKind {
    /// `/device:CPU:0`, `/cpu:0` of older TensorFlow, and `/host:CPU` of its profiler.
    Cpu,
    /// A GPU's ops as the executor saw them.
    Gpu,
    /// A TPU.
    Tpu,
    /// What one GPU stream did: `/device:GPU:0/stream:13`.
    Stream,
    /// Repeats what the numbered streams of its GPU hold.
    StreamAll,
    /// The copies of a GPU: `/device:GPU:0/memcpy`. Repeats copies that the numbered streams hold too.
    Memcpy,
    /// Anything else.
    Other,
}

impl DeviceKind {
    /// The kind that `name` says.
    pub fn of(name: &str) -> Self {
        let lower = name.to_ascii_lowercase();
        let last = lower.rsplit('/').next().unwrap_or_default();
        match last.split(':').next().unwrap_or_default() {
            "stream" if last == "stream:all" => Self::StreamAll,
            "stream" => Self::Stream,
            "memcpy" => Self::Memcpy,
            "host" => Self::Cpu,
            _ if lower.contains("gpu:") => Self::Gpu,
            _ if lower.contains("tpu:") => Self::Tpu,
            _ if lower.contains("cpu:") => Self::Cpu,
            _ => Self::Other,
        }
    }

    /// Its word in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Tpu => "tpu",
            Self::Stream => "stream",
            Self::StreamAll => "stream-all",
            Self::Memcpy => "memcpy",
            Self::Other => "other",
        }
    }
}

/// The task part of a device name, `/job:J/replica:R/task:T`, if it has one.
pub fn task_of(name: &str) -> Option<&str> {
    if !name.starts_with("/job:") {
        return None;
    }
    let task = name.find("/task:")?;
    let rest = &name[task + "/task:".len()..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| &name[..task + "/task:".len() + digits])
}

/// One device.
#[derive(Clone, Debug)]
pub struct Device {
    /// Its full name.
    pub name: StringId,
    /// The task it belongs to, if its name has one.
    pub task: Option<StringId>,
    /// What it is.
    pub kind: DeviceKind,
    /// Its ops: rows `first_op .. first_op + op_count` of the op table.
    pub first_op: u32,
    /// How many ops it ran.
    pub op_count: u32,
    /// Whether ops of one of its threads contain one another, because its format records nesting.
    pub nests: bool,
    /// Whether its format says that it is a GPU, a TPU or the like, and what it did.
    pub is_accelerator: bool,
}

impl Device {
    /// The row after its last op.
    pub fn end_op(&self) -> u32 {
        self.first_op + self.op_count
    }
}

/// The devices in natural order of task and name.
#[derive(Clone, Default)]
pub struct DeviceTable {
    rows: Vec<Device>,
    ids: HashMap<StringId, DeviceId, foldhash::fast::FixedState>,
    has_streams: bool,
}

impl DeviceTable {
    /// A table of `rows`, which are sorted and whose ops are contiguous in that order.
    pub fn new(rows: Vec<Device>) -> Self {
        Self {
            ids: rows
                .iter()
                .enumerate()
                .map(|(row, device)| (device.name, DeviceId::from_usize(row)))
                .collect(),
            has_streams: rows.iter().any(|device| device.kind == DeviceKind::Stream),
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

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The device called `name`.
    pub fn by_name(&self, name: StringId) -> Option<DeviceId> {
        self.ids.get(&name).copied()
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Device>() + self.ids.allocation_size()
    }

    /// Whether what `id` holds stands on the numbered streams of the trace, too.
    pub fn repeats_streams(&self, id: DeviceId) -> bool {
        self.has_streams && matches!(self.get(id).kind, DeviceKind::StreamAll | DeviceKind::Memcpy)
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
    }
}
