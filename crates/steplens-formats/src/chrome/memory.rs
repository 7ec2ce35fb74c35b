//! PyTorch's `[memory]` events, which `profile_memory=True` records.

use super::event::{Event, Field};
use super::number::integer;
use crate::memory_events::{MemoryEvent, MemoryEvents};

/// PyTorch's names of device types, as it writes them before an index, by number: `c10/core/DeviceType.h`.
const DEVICE_TYPES: [(i64, &str); 9] = [
    (0, "cpu"),
    (1, "cuda"),
    (6, "hip"),
    (9, "xla"),
    (12, "xpu"),
    (13, "mps"),
    (15, "hpu"),
    (19, "mtia"),
    (20, "privateuseone"),
];

/// The allocation or free in `event`, on a thread of a process; `None` if it has neither a size nor the bytes in use.
pub(super) fn memory_event(
    event: &Event,
    (line, thread): (u32, u32),
    at_unix_ns: i64,
    known: &mut MemoryEvents,
) -> Option<MemoryEvent> {
    let number = |field| integer(event.get(field));
    let kind = number(Field::DeviceType)?;
    let name = DEVICE_TYPES.iter().find(|&&(own, _)| own == kind);
    let name = name.map_or_else(|| format!("device{kind}"), |&(_, name)| name.to_owned());
    // A CPU has the index -1.
    let index = number(Field::DeviceId).filter(|&index| index >= 0 && kind != 0);
    let name = index.map_or(name.clone(), |index| format!("{name}:{index}"));
    let in_use = number(Field::TotalAllocated);
    let bytes = number(Field::Bytes).filter(|&bytes| bytes != 0);
    let address = number(Field::Address).filter(|_| bytes.is_some());
    let bytes = bytes.or(in_use.map(|_| 0))?;
    let allocator = known.allocator(&name, address.is_some());
    known.reserve(number(Field::TotalReserved));
    Some(MemoryEvent { line, thread, at_unix_ns, bytes, is_free: bytes < 0, address, allocator, in_use })
}
