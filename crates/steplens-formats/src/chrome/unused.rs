//! Counts the GPUs that a document of PyTorch names and its program did not use. With `profile_memory=True` each allocation names its device, whatever
//! activities are recorded: a program that computes on a GPU gets memory of it all the time.

use super::event::{Event, Field};
use super::number::integer;

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

/// What shows of GPUs.
#[derive(Default)]
pub(super) struct Unused {
    /// How much memory of the CPU was got.
    bytes_of_cpu: u64,
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
        self.is_used |= OF_GPU.iter().any(|own| category.starts_with(own));
        if let Some(kind) = integer(event.get(Field::DeviceType)) {
            // PyTorch's number of a CPU.
            self.is_used |= kind != 0;
            let bytes = integer(event.get(Field::Bytes)).and_then(|own| u64::try_from(own).ok());
            self.bytes_of_cpu = self.bytes_of_cpu.saturating_add(bytes.unwrap_or_default());
        }
    }

    /// How many of the `named` GPUs nothing shows to have been used, where memory says so.
    pub(super) fn count(&self, named: u64) -> u64 {
        if self.is_used || self.bytes_of_cpu < LEAST_BYTES { 0 } else { named }
    }
}
