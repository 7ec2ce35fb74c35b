//! Counts the GPUs that a document of PyTorch names and its program did not use. With `profile_memory=True` each allocation names its device, whatever
//! activities are recorded: a program that computes on a GPU gets memory of it all the time. So do operators that exist for CPUs alone
//! (`native_functions.yaml`: oneDNN's, and PyTorch's own convolutions), if they have most of the time.

use super::event::{Event, Field};
use super::number::integer;
use steplens_core::gpu::unrecorded::is_of_gpu;

/// A program that gets less memory in a recording may have got that of its GPU before.
const LEAST_BYTES: u64 = 1 << 20;
/// What categories of events begin with that a GPU, or its driver, ran.
const OF_GPU: [&[u8]; 12] = [
    b"kernel",
    b"gpu_",
    b"cuda_",
    b"hip",
    b"xpu_",
    b"mtia_",
    b"privateuse1_",
    b"concurrent_kernel",
    b"Kernel",
    b"Memcpy",
    b"Memset",
    b"Runtime",
];

/// What categories of calls of a driver begin with, and names of those that only ask, or wait for whatever there is: PyTorch and its profiler call them wherever a
/// GPU is.
const OF_CALLS: [&[u8]; 3] = [b"cuda_", b"hip", b"Runtime"];
const ASKING: [&[u8]; 9] = [
    b"GetDevice",
    b"DeviceGet",
    b"DeviceSynchronize",
    b"DriverGetVersion",
    b"RuntimeGetVersion",
    b"GetLastError",
    b"PeekAtLastError",
    b"StreamIsCapturing",
    b"ThreadExchangeStreamCaptureMode",
];

/// What the names of operators begin with that only a CPU runs.
const OF_CPUS: [&[u8]; 6] = [
    b"aten::mkldnn_",
    b"mkldnn::",
    b"aten::_slow_conv2d_forward",
    b"aten::_slow_conv2d_backward",
    b"aten::slow_conv3d_forward",
    b"aten::_nnpack_spatial_convolution",
];

/// What shows of GPUs.
#[derive(Default)]
pub(super) struct Unused {
    /// How much memory of the CPU was got.
    bytes_of_cpu: u64,
    /// How long operators ran that only a CPU runs, and when the first operator of all began, and the last one ended.
    of_cpu_ns: i64,
    ran: Option<(i64, i64)>,
    is_used: bool,
}

impl Unused {
    /// Notes an event.
    #[inline]
    pub(super) fn saw(&mut self, event: &Event) {
        if self.is_used {
            return;
        }
        let category = event.get(Field::Category);
        self.is_used |= OF_GPU.iter().any(|own| category.starts_with(own)) && !only_asks(event);
        if let Some(kind) = integer(event.get(Field::DeviceType)) {
            // PyTorch's number of a CPU.
            self.is_used |= kind != 0;
            let bytes = integer(event.get(Field::Bytes)).and_then(|own| u64::try_from(own).ok());
            self.bytes_of_cpu = self.bytes_of_cpu.saturating_add(bytes.unwrap_or_default());
        }
        if matches!(category, b"cpu_op" | b"Operator") {
            self.operator(event);
        }
    }

    /// Notes an operator.
    fn operator(&mut self, event: &Event) {
        let name = event.get(Field::Name);
        self.is_used |= std::str::from_utf8(name).is_ok_and(is_of_gpu);
        let (Some(Ok(start)), Some(Ok(length))) = (event.time, event.length) else { return };
        let end = start.saturating_add(length.max(0));
        self.ran = Some(self.ran.map_or((start, end), |(first, last)| (first.min(start), last.max(end))));
        if OF_CPUS.iter().any(|own| name.starts_with(own)) {
            self.of_cpu_ns = self.of_cpu_ns.saturating_add(length.max(0));
        }
    }

    /// How many of the `named` GPUs nothing shows to have been used, where memory or operators say so.
    pub(super) fn count(&self, named: u64) -> u64 {
        let whole = self.ran.map_or(0, |(first, last)| last.saturating_sub(first));
        let computes = self.of_cpu_ns > 0 && self.of_cpu_ns.saturating_mul(2) > whole;
        if self.is_used || !computes && self.bytes_of_cpu < LEAST_BYTES { 0 } else { named }
    }
}

/// Whether an event is a call of a driver that has a GPU do nothing.
fn only_asks(event: &Event) -> bool {
    let (category, name) = (event.get(Field::Category), event.get(Field::Name));
    let call = name.strip_prefix(b"cuda").or_else(|| name.strip_prefix(b"hip")).unwrap_or(name);
    OF_CALLS.iter().any(|own| category.starts_with(own)) && ASKING.iter().any(|own| call.starts_with(own))
}
