//! What the names of devices mean: every way in which a release of TensorFlow names a device, in one table.
//!
//! `docs/formats.md` has the same table in words. The sources are files of TensorFlow: `device_tracer.cc` (later
//! `device_tracer_cuda.cc`) writes what GPUs record, `device_name_utils.cc` the devices of an executor.

use std::borrow::Cow;

/// The kind of a device, from its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceKind {
    /// `/device:CPU:0`, `/cpu:0` of older TensorFlow, and `/host:CPU` of its profiler.
    Cpu,
    /// The ops of a GPU as the executor recorded them.
    Gpu,
    /// A TPU.
    Tpu,
    /// The kernels and copies of one GPU stream: `/device:GPU:0/stream:13`.
    Stream,
    /// All kernels of a GPU: repeats its numbered streams.
    StreamAll,
    /// The copies of a GPU: `/device:GPU:0/memcpy`. Repeats copies of the numbered streams.
    Memcpy,
    /// `/host:CPU` next to the devices of an executor: the records of TensorFlow's host profiler, which repeat the executor's ops.
    HostProfiler,
    /// Anything else.
    Other,
}

impl DeviceKind {
    /// The kind by `name`. A name alone is never [`HostProfiler`](Self::HostProfiler): a trace sets that kind.
    pub fn of(name: &str) -> Self {
        read(name).0
    }

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Tpu => "tpu",
            Self::Stream => "stream",
            Self::StreamAll => "stream-all",
            Self::Memcpy => "memcpy",
            Self::HostProfiler => "host-profiler",
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

/// What the ops of a device are, as far as its name says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Ops of any kind: the name of each op says its kind.
    Any,
    /// Copies and memsets of a GPU, whatever the names of the ops.
    Copies,
    /// Calls of the host that wait for a GPU.
    Waits,
    /// What a GPU's driver did, such as compiling: neither kernels nor copies.
    Overhead,
}

/// One way to name a device.
struct Form {
    /// The end of the name, in lower case: `#` is a number, `*` any text without a slash.
    end: &'static str,
    kind: DeviceKind,
    holds: Holds,
}

const fn form(end: &'static str, kind: DeviceKind, holds: Holds) -> Form {
    Form { end, kind, holds }
}

/// Every way, those of GPUs first. The first that fits counts.
const FORMS: [Form; 21] = {
    use DeviceKind::{Cpu, Gpu, Memcpy, Other, Stream, StreamAll, Tpu};
    use Holds::{Any, Copies, Overhead, Waits};
    [
        // All releases. In 1.14 to 2.0 it has copies, too, otherwise only kernels.
        form("/stream:all", StreamAll, Any),
        // 0.8 to 1.13, and from 2.1 on.
        form("/memcpy", Memcpy, Copies),
        // 2.1 to 2.3: `cuStreamSynchronize`.
        form("/sync", Other, Waits),
        // From 2.1 on: copies of a stream; `stream:14<MemcpyH2D>`.
        form("/stream:#<memcpy*>", Stream, Copies),
        form("/stream:#<memset*>", Stream, Copies),
        // From 2.1 on: what is neither a kernel nor a copy, of all streams.
        form("/stream:", Stream, Overhead),
        // Kernels and copies of a stream up to 1.13, kernels from 2.1 on.
        form("/stream:#", Stream, Any),
        form("/stream:*", Stream, Any),
        // 1.14 to 2.0: `/gpu:0 (MODEL)/context#0/stream#1:Kernel`, without `:Kernel` if the stream ran kernels and copies.
        form("/context##/stream##:memcpy*", Stream, Copies),
        form("/context##/stream##:*", Stream, Any),
        form("/context##/stream##", Stream, Any),
        form("/context##/null stream:memcpy*", Stream, Copies),
        form("/context##/null stream:*", Stream, Any),
        form("/context##/null stream", Stream, Any),
        // The host's profiler, 1.14 to 2.3, and hosts of XSpaces.
        form("/host:*", Cpu, Any),
        // Devices of an executor: `/device:GPU:0` from 1.4 on, `/gpu:0` before; `/device:XLA_GPU:0` from 1.5 to 2.3.
        form("/device:xla_gpu:#", Gpu, Any),
        form("/device:xla_cpu:#", Cpu, Any),
        form("/device:gpu:#", Gpu, Any),
        form("/device:tpu:#", Tpu, Any),
        form("/device:cpu:#", Cpu, Any),
        form("/gpu:#", Gpu, Any),
    ]
};

/// Words that say what a device is, where no form fits: `/cpu:0` of TensorFlow up to 1.3, and names of other writers.
const WORDS: [(&str, DeviceKind); 3] =
    [("gpu:", DeviceKind::Gpu), ("tpu:", DeviceKind::Tpu), ("cpu:", DeviceKind::Cpu)];

/// The kind of the device called `name`, and what its ops are.
pub(crate) fn read(name: &str) -> (DeviceKind, Holds) {
    let lower = name.to_ascii_lowercase();
    let known = FORMS.iter().find(|form| ends_like(&lower, form.end) && is_of_gpu(&lower, form));
    if let Some(form) = known {
        return (form.kind, form.holds);
    }
    let last = lower.rsplit('/').next().unwrap_or_default();
    let kind = match last.split(':').next().unwrap_or_default() {
        "stream" => DeviceKind::Stream,
        "memcpy" => DeviceKind::Memcpy,
        "host" => DeviceKind::Cpu,
        _ => WORDS.iter().find(|(word, _)| lower.contains(word)).map_or(DeviceKind::Other, |(_, kind)| *kind),
    };
    (kind, Holds::Any)
}

/// Whether what a form says is about a GPU, where it could be about anything: `/sync` and `/memcpy` are only of a GPU what they are.
fn is_of_gpu(lower: &str, form: &Form) -> bool {
    form.holds == Holds::Any || lower.contains("gpu:")
}

/// Whether `name` ends as `end` says, from a slash on.
fn ends_like(name: &str, end: &str) -> bool {
    let slashes = end.matches('/').count();
    let start = name.rmatch_indices('/').nth(slashes.saturating_sub(1));
    start.is_some_and(|(at, _)| is_like(&name[at..], end))
}

/// Whether `text` is as `form` says: `##` is `#` and a number, `#` a number, `*` the rest up to what follows it.
fn is_like(text: &str, form: &str) -> bool {
    let Some(at) = form.find(['#', '*']) else { return text == form };
    let (before, after) = (&form[..at], &form[at + 1..]);
    let Some(rest) = text.strip_prefix(before) else { return false };
    if form[at..].starts_with("##") {
        return rest.strip_prefix('#').is_some_and(|rest| is_like(rest, &form[at + 1..]));
    }
    if form[at..].starts_with('#') {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        return digits > 0 && is_like(&rest[digits..], after);
    }
    // A model of a GPU may have a slash in its name, but what follows `*` has none.
    !rest.contains('/') && rest.ends_with(after)
}

/// The GPU whose stream or copies `device` has, as the name says it: `/device:GPU:0` of `/device:GPU:0/stream:13`, `/gpu:0` of
/// `/gpu:0 (MODEL)/context#0/stream#1:Kernel`.
pub(crate) fn gpu_of(device: &str) -> &str {
    let is_number = |byte: &u8| byte.is_ascii_digit();
    if let Some((gpu, _)) = device.rsplit_once("/context#")
        && let Some(at) = gpu.find("/gpu:")
    {
        let digits = gpu.bytes().skip(at + "/gpu:".len()).take_while(is_number).count();
        return &gpu[..at + "/gpu:".len() + digits];
    }
    device.rsplit_once('/').map_or(device, |(gpu, _)| gpu)
}

/// The stream of `device`, whatever of it that device has: `/device:GPU:0/stream:14` of `/device:GPU:0/stream:14<MemcpyH2D>`,
/// `…/stream#2` of `…/stream#2:MemcpyDtoH`. `None` if it has no work of a stream.
pub(crate) fn stream_of(device: &str) -> Option<&str> {
    let (kind, holds) = read(device);
    if kind != DeviceKind::Stream || holds == Holds::Overhead {
        return None;
    }
    let last = device.rfind('/').map_or(0, |at| at + 1);
    let kind_after = if device[last..].starts_with("stream:") { '<' } else { ':' };
    Some(device[last..].find(kind_after).map_or(device, |end| &device[..last + end]))
}

/// One text for all names of a GPU: `/gpu:0`, `/device:GPU:0` and `/device:XLA_GPU:0` are the same one.
pub(crate) fn gpu_key(gpu: &str) -> String {
    let lower = gpu.to_ascii_lowercase().replace("/device:xla_gpu:", "/device:gpu:");
    match lower.rfind("/gpu:") {
        Some(at) => [&lower[..at], "/device:gpu:", &lower[at + "/gpu:".len()..]].concat(),
        None => lower,
    }
}

/// Whether two names of GPUs are of one: [`gpu_key`] of both is the same.
pub(crate) fn is_one_gpu(a: &str, b: &str) -> bool {
    // What follows the last colon stays as it is in the key: most pairs differ there.
    let number = |name: &str| name.rfind(':').map_or(0, |colon| colon + 1);
    let (of_a, of_b) = (&a[number(a)..], &b[number(b)..]);
    a == b || (of_a.eq_ignore_ascii_case(of_b) && gpu_key(a) == gpu_key(b))
}

/// The name by which devices are sorted: those of one GPU follow one another, though 1.14 to 2.0 call it by two names.
pub(crate) fn sort_name(name: &str) -> Cow<'_, str> {
    let rest = task_of(name).map_or(name, |task| &name[task.len()..]);
    match rest.starts_with("/gpu:") && rest.contains("/context#") {
        true => {
            let gpu = gpu_of(name);
            let start = name.len() - rest.len();
            Cow::Owned(
                [&name[..start], "/device:GPU:", &gpu[start + "/gpu:".len()..], &name[gpu.len()..]].concat(),
            )
        }
        false => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_and_kernels_of_a_stream_are_one_stream() {
        let of = |name| stream_of(name).map(|stream| stream.rsplit('/').next().unwrap_or_default());
        assert_eq!(of("/device:GPU:0/stream:14<MemcpyH2D>"), Some("stream:14"));
        assert_eq!(of("/device:GPU:0/stream:14"), Some("stream:14"));
        assert_eq!(of("/gpu:0 (A)/context#0/stream#2:MemcpyDtoH"), Some("stream#2"));
        assert_eq!(of("/gpu:0 (A)/context#0/null stream"), Some("null stream"));
        for name in
            ["/device:GPU:0/stream:all", "/device:GPU:0/stream:", "/device:GPU:0", "/device:GPU:0/memcpy"]
        {
            assert_eq!(of(name), None, "{name}");
        }
    }

    /// Each name as a release writes it, with what it is.
    #[test]
    fn every_release_is_known() {
        use DeviceKind::{Cpu, Gpu, Memcpy, Other, Stream, StreamAll, Tpu};
        use Holds::{Any, Copies, Overhead, Waits};
        for (name, kind, holds) in [
            ("/gpu:0/stream:56", Stream, Any),
            ("/device:GPU:0/stream:13", Stream, Any),
            ("/device:GPU:11/stream:all", StreamAll, Any),
            ("/device:GPU:0/memcpy", Memcpy, Copies),
            ("/gpu:0 (GeForce GTX 1080 Ti)/context#0/stream#1:Kernel", Stream, Any),
            ("/gpu:0 (Quadro P5000)/context#0/stream#2:MemcpyDtoH", Stream, Copies),
            ("/gpu:1 (Quadro RTX 6000/8000)/context#2/stream#13", Stream, Any),
            ("/gpu:0 (Tesla V100-SXM2-16GB)/context#0/null stream:Kernel", Stream, Any),
            ("/gpu:0 (Tesla V100-SXM2-16GB)/context#0/null stream:MemcpyHtoD", Stream, Copies),
            ("/gpu:0 (Tesla K80)/context#0/null stream", Stream, Any),
            ("/device:GPU:0/stream:14<MemcpyH2D>", Stream, Copies),
            ("/device:GPU:0/stream:", Stream, Overhead),
            ("/device:GPU:0/sync", Other, Waits),
            ("/job:w/replica:0/task:0/device:GPU:1", Gpu, Any),
            ("/job:w/replica:0/task:0/gpu:1", Gpu, Any),
            ("/job:w/replica:0/task:0/device:XLA_GPU:0", Gpu, Any),
            ("/job:w/replica:0/task:0/device:XLA_CPU:0", Cpu, Any),
            ("/job:w/replica:0/task:0/cpu:0", Cpu, Any),
            ("/job:w/replica:0/task:0/device:CPU:0", Cpu, Any),
            ("/device:TPU:3", Tpu, Any),
            ("/host:CPU", Cpu, Any),
            ("a/memcpy", Memcpy, Any),
            ("a/sync", Other, Any),
            ("stream:3", Stream, Any),
            ("x", Other, Any),
        ] {
            assert_eq!(read(name), (kind, holds), "{name}");
        }
    }

    #[test]
    fn names_of_one_gpu_are_one() {
        let of = |name| gpu_key(gpu_of(name));
        for name in [
            "/gpu:1/stream:56",
            "/device:GPU:1/stream:all",
            "/gpu:1 (Quadro RTX 6000/8000)/context#2/stream#13:Kernel",
            "/gpu:1 (A)/context#0/null stream",
        ] {
            assert_eq!(of(name), "/device:gpu:1", "{name}");
        }
        assert_eq!(
            gpu_key("/job:w/replica:0/task:0/device:XLA_GPU:1"),
            "/job:w/replica:0/task:0/device:gpu:1"
        );
        assert_eq!(
            of("/job:p/replica:0/task:0/gpu:2 (B)/context#0/stream#1"),
            "/job:p/replica:0/task:0/device:gpu:2"
        );
        let names =
            ["/gpu:1", "/device:GPU:1", "/device:XLA_GPU:1", "/gpu:11", "/job:w/task:1/gpu:1", "1", "", ":1"];
        for (a, b) in names.into_iter().flat_map(|a| names.map(|b| (a, b))) {
            assert_eq!(is_one_gpu(a, b), gpu_key(a) == gpu_key(b), "{a}, {b}");
        }
        assert_eq!(sort_name("/gpu:1 (A)/context#0/stream#1"), "/device:GPU:1 (A)/context#0/stream#1");
        assert_eq!(
            sort_name("/job:p/replica:0/task:0/gpu:12 (B)/context#0/stream#1"),
            "/job:p/replica:0/task:0/device:GPU:12 (B)/context#0/stream#1"
        );
        assert_eq!(sort_name("/gpu:0/stream:1"), "/gpu:0/stream:1");
    }
}
