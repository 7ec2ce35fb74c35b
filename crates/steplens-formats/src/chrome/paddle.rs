//! Timelines of Paddle: what its `tools/timeline.py` makes of profiles.
//!
//! A process is a place of a process of the job: `trainer0:cpu:block:0`, `trainer0:gpu:0`, `trainer0:cuda_api`. Its events are those
//! of the profile, so they become the same ops on the same devices ([`crate::paddle`]). The script writes nanoseconds where
//! microseconds belong ("we keep the ns here"), counted from the start of the machine. So times of more than a quarter of an hour in
//! nanoseconds, 12 days in microseconds, are nanoseconds; only what somebody divided is less.

use super::event::{Event, Field};
use super::number::integer;
use crate::paddle::assemble::{Event as Kept, EventSource, assemble};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use steplens_core::build::builder::{DeviceSlot, Refused, TraceBuilder};
use steplens_core::model::op::OpTimes;
use steplens_core::storage::strings::StringTable;

/// A place of Paddle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The name of the process in the job: `trainer0`.
    process: String,
    source: EventSource,
    /// The number of the GPU, or of the block of a CPU.
    number: i64,
}

impl Place {
    /// The place that the name of a process says.
    pub(super) fn of(name: &str) -> Option<Self> {
        let (rest, source, number) = match name.strip_suffix(":cuda_api") {
            Some(process) => (process, EventSource::Api, "0"),
            None => {
                let (rest, number) = name.rsplit_once(':')?;
                match rest.strip_suffix(":cpu:block") {
                    Some(process) => (process, EventSource::Cpu, number),
                    None => (rest.strip_suffix(":gpu")?, EventSource::Gpu, number),
                }
            }
        };
        // Counters of memory have such names, too.
        let is_process = !rest.is_empty() && !rest.contains([' ', ':', '/']);
        is_process.then_some(Self { process: rest.to_owned(), source, number: number.parse().ok()? })
    }

    /// The device of an event there, as the reader of profiles names it.
    fn device(&self, stream: u32) -> String {
        match (self.source, self.number) {
            (EventSource::Gpu, number) => format!("/device:GPU:{number}/stream:{stream}"),
            (EventSource::Api, _) => "/device:CPU:0/cuda_api".to_owned(),
            (EventSource::Cpu, 0) => "/device:CPU:0".to_owned(),
            (EventSource::Cpu, block) => format!("/device:CPU:0/block:{block}"),
        }
    }
}

/// The least time of nanoseconds, in the nanoseconds that it gives as microseconds.
const LEAST_OF_NANOSECONDS: i64 = 1_000_000_000_000_000;

/// The times of an event, if they are nanoseconds; `None` if they are microseconds.
pub(super) fn in_nanoseconds(event: &Event) -> Option<OpTimes> {
    // Both were read as microseconds.
    let start_unix_ns = match (event.time_in_ns, event.time) {
        (Some(ns), _) => ns,
        (None, Some(Ok(read))) if read >= LEAST_OF_NANOSECONDS => read / 1_000,
        _ => return None,
    };
    let length_ns = event.length.unwrap_or(Ok(0)).ok()? / 1_000;
    Some(OpTimes { start_unix_ns, length_ns, kernel_end_ns: length_ns.max(0), ..OpTimes::default() })
}

/// The events of a document of Paddle, until it ends.
#[derive(Default)]
pub(super) struct Paddle {
    names: StringTable,
    events: Vec<Kept>,
    /// The block of each process and stream.
    slots: HashMap<(usize, u32), DeviceSlot, FixedState>,
}

impl Paddle {
    /// Takes an event on the thread or stream `thread` of the process in `row`, which is `place`; `None` if no more devices are
    /// counted.
    pub(super) fn take(
        &mut self,
        (place, row, thread): (&Place, usize, u32),
        event: &Event,
        times: &OpTimes,
        builder: &mut TraceBuilder,
    ) -> Option<Result<(), Refused>> {
        let is_gpu = place.source == EventSource::Gpu;
        let key = (row, if is_gpu { thread } else { 0 });
        let slot = match self.slots.get(&key) {
            Some(&slot) => slot,
            None => {
                if !builder.has_room_for_device() {
                    return None;
                }
                let slot = builder.begin_device();
                builder.name_device_of(slot, &place.process, place.device(thread).as_bytes());
                *self.slots.entry(key).or_insert(slot)
            }
        };
        if let Err(refused) = builder.check(times) {
            return Some(Err(refused));
        }
        if builder.is_full() || !builder.is_selected(slot) {
            builder.pass_by(slot);
            return Some(Err(Refused::LeftOut));
        }
        self.events.push(Kept {
            start_ns: times.start_unix_ns,
            length_ns: times.length_ns,
            copied_bytes: integer(event.get(Field::CopiedBytes)).filter(|&bytes| bytes > 0),
            name: self.names.intern(event.get(Field::Name)),
            detail: None,
            slot,
            thread: if is_gpu { 0 } else { thread },
            kind: place.source,
        });
        Some(Ok(()))
    }

    /// Makes the ops.
    pub(super) fn end(self, builder: &mut TraceBuilder) {
        assemble(&self.events, Vec::new(), (&self.names, &StringTable::default()), builder);
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.names.heap_bytes() + self.events.capacity() * size_of::<Kept>() + self.slots.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_places() {
        let of = |name: &str| Place::of(name).map(|place| (place.process.clone(), place.device(7)));
        let place = |process: &str, device: &str| Some((process.to_owned(), device.to_owned()));
        assert_eq!(of("trainer0:cpu:block:0"), place("trainer0", "/device:CPU:0"));
        assert_eq!(of("trainer0:cpu:block:2"), place("trainer0", "/device:CPU:0/block:2"));
        assert_eq!(of("pserver1:gpu:3"), place("pserver1", "/device:GPU:3/stream:7"));
        assert_eq!(of("trainer:cuda_api"), place("trainer", "/device:CPU:0/cuda_api"));
        for name in ["memory usage on trainer0:gpu:0", ":gpu:0", "/device:GPU:0", "a:gpu:x", "python"] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
