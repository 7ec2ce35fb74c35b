//! Places, threads and streams to devices, with names like those of TensorFlow.

use super::event::is_gpu;
use steplens_core::build::builder::{DeviceSlot, TraceBuilder};
use steplens_core::storage::strings::StringTable;
use steplens_proto::paddle::Event;

/// The devices of one file.
#[derive(Default)]
pub(super) struct Devices {
    /// Identifies each device that an event names; the id of a key is the row in `slots`.
    keys: StringTable,
    slots: Vec<DeviceSlot>,
    /// The device of the last event, because events come in long sequences of one device.
    last: Option<([u8; 17], DeviceSlot)>,
    /// Numbers of threads that are too large, each after its block, as texts.
    threads: StringTable,
}

impl Devices {
    /// The block of ops for the device of `event`; `None` if no more devices are counted.
    ///
    /// | event | device |
    /// |---|---|
    /// | CPU, block 0 | `/device:CPU:0` |
    /// | CPU, another block | `/device:CPU:0/block:1` |
    /// | CPU, device -1 | `/device:CPU:0/cuda_api` |
    /// | GPU | `/device:GPU:0/stream:7` |
    pub(super) fn slot(&mut self, event: &Event, builder: &mut TraceBuilder) -> Option<DeviceSlot> {
        let mut key = [0; 17];
        key[0] = u8::from(is_gpu(event));
        key[1..9].copy_from_slice(&event.device_id().to_le_bytes());
        if is_gpu(event) {
            key[9..].copy_from_slice(&event.sub_device_id().to_le_bytes());
        }
        if let Some((_, slot)) = self.last.filter(|(last, _)| *last == key) {
            return Some(slot);
        }
        // Keys are bytes, but a table of strings needs text.
        let text = key.map(|byte| [b'a' + (byte >> 4), b'a' + (byte & 15)]);
        let row = self.keys.intern(text.as_flattened()).index();
        if row == self.slots.len() {
            if !builder.has_room_for_device() {
                return None;
            }
            let slot = builder.begin_device();
            builder.name_device(slot, name(event).as_bytes());
            self.slots.push(slot);
        }
        let slot = *self.slots.get(row)?;
        self.last = Some((key, slot));
        Some(slot)
    }

    /// The thread of a CPU's event: its number if that fits, otherwise one from the highest numbers down. Streams are devices.
    pub(super) fn thread(&mut self, event: &Event, slot: DeviceSlot, builder: &mut TraceBuilder) -> u32 {
        if is_gpu(event) {
            return 0;
        }
        u32::try_from(event.sub_device_id()).unwrap_or_else(|_| {
            let known = self.threads.len();
            let name = (event.sub_device_id() as u64).to_string();
            let id = self.threads.intern(format!("{} {name}", event.device_id()).as_bytes());
            let thread = u32::MAX - id.get();
            if id.index() == known {
                builder.name_thread(slot, thread, name.as_bytes());
            }
            thread
        })
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.keys.heap_bytes() + self.threads.heap_bytes() + self.slots.capacity() * size_of::<DeviceSlot>()
    }
}

fn name(event: &Event) -> String {
    let (device, sub_device) = (event.device_id(), event.sub_device_id());
    match (is_gpu(event), device) {
        (true, _) => format!("/device:GPU:{device}/stream:{sub_device}"),
        (false, 0) => "/device:CPU:0".to_owned(),
        (false, -1) => "/device:CPU:0/cuda_api".to_owned(),
        (false, block) => format!("/device:CPU:0/block:{block}"),
    }
}
