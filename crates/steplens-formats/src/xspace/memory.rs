//! `MemoryAllocation` and `MemoryDeallocation`: allocations and frees as instants on the threads of a host.

use super::shapes::StatValue;
use super::tables::{Plane, Tables};
use crate::memory_events::{MemoryEvent, MemoryEvents};
use steplens_core::StringId;

/// The stat that every such event has.
pub(super) const ADDRESS: &str = "addr";
/// The size: the only information if there is no address.
pub(super) const BYTES: &str = "allocation_bytes";

/// Where a shape of such events has its figures, among all numbers of its events.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryNumbers {
    is_free: bool,
    address: Option<u32>,
    /// `allocation_bytes`: the requested bytes, rounded up. TPUs do not write it for a free.
    bytes: Option<u32>,
    /// `bytes_allocated`: the bytes that the allocator has in use afterwards.
    in_use: Option<u32>,
    /// `index_on_host`: the TPU, if there is no allocator.
    device: Option<u32>,
    /// The allocator, if it has a name.
    allocator: Option<StringId>,
}

impl MemoryNumbers {
    /// The places for `shape`; `None` if its events are neither allocations nor frees.
    pub(super) fn of(tables: &Tables, plane: &Plane, shape: u32, events: &mut MemoryEvents) -> Option<Self> {
        let is_free = match tables.event_names(plane, shape)?.0 {
            "MemoryAllocation" => false,
            "MemoryDeallocation" => true,
            _ => return None,
        };
        let numbers = || {
            (0..)
                .zip(tables.shapes.stats(shape).filter(|stat| matches!(stat.value, StatValue::Number { .. })))
        };
        let place = |name: &str| {
            numbers().find(|(_, stat)| tables.stat_name(plane, stat.id) == Some(name)).map(|(place, _)| place)
        };
        let named = tables.texts_of(plane, shape).find(|(name, _)| *name == "allocator_name");
        Some(Self {
            is_free,
            address: place(ADDRESS),
            bytes: place(BYTES),
            in_use: place("bytes_allocated"),
            device: place("index_on_host"),
            allocator: named
                .map(|(_, name)| events.allocator(&String::from_utf8_lossy(&name), place(ADDRESS).is_some())),
        })
    }

    /// Adds the event with these numbers, `offset_ps` after the start of its line, unless it has no size and is no free.
    pub(super) fn add(&self, line: usize, offset_ps: i64, values: &[u64], events: &mut MemoryEvents) {
        let value = |place: Option<u32>| values.get(place? as usize).map(|&value| value as i64);
        let bytes = value(self.bytes).unwrap_or(0).max(0);
        let address = value(self.address);
        // A free without a size can only be joined by its address.
        if bytes == 0 && !(self.is_free && address.is_some()) {
            return;
        }
        let has_address = self.address.is_some();
        let allocator = self.allocator.unwrap_or_else(|| match value(self.device) {
            Some(device) => events.allocator(&format!("device:{device}"), has_address),
            None => events.allocator("allocator", has_address),
        });
        events.push(MemoryEvent {
            line: line as u32,
            thread: 0,
            at_unix_ns: offset_ps.div_euclid(1_000),
            bytes: if self.is_free { -bytes } else { bytes },
            is_free: self.is_free,
            address,
            allocator,
            in_use: value(self.in_use),
        });
    }
}
