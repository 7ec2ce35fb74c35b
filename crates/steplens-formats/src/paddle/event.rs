//! One event, or one use of memory: whether bytes are one.

use crate::wire::Fields;
use prost::Message;
use steplens_proto::paddle::{Event, MemEvent};

/// The most fields of a record. Paddle's have nine; the bound limits the cost of data that is no record.
const MAX_FIELDS: usize = 32;
/// `Event.type` of a kernel or a copy on a GPU.
const GPU: i32 = 1;

/// The event in `message`; `None` if it is not valid.
pub(super) fn event(message: &[u8]) -> Option<Event> {
    decode(message).filter(|event: &Event| event.start_ns.is_some() && event.end_ns.is_some())
}

/// The use of memory in `message`; `None` if it is not valid.
pub(super) fn memory(message: &[u8]) -> Option<MemEvent> {
    decode(message).filter(|event: &MemEvent| event.start_ns.is_some() && event.bytes.is_some())
}

/// Whether it is a kernel or a copy on a GPU; otherwise it ran on a CPU.
pub(super) fn is_gpu(event: &Event) -> bool {
    event.r#type() == GPU
}

/// Whether this is certainly an event, when bytes are searched for one.
pub(super) fn is_sure(event: &Event) -> bool {
    let name = event.name();
    !name.is_empty() && !name.iter().any(u8::is_ascii_control) && event.start_ns <= event.end_ns
}

/// Whether this is certainly a use of memory, when bytes are searched for one.
pub(super) fn is_sure_memory(event: &MemEvent) -> bool {
    event.start_ns() <= event.end_ns() && (0..=2).contains(&event.place())
}

/// The record in `message`. Each field of the schema is written once: one that occurs twice is damage, a length that includes the
/// next record.
fn decode<M: Message + Default>(message: &[u8]) -> Option<M> {
    let (mut fields, mut seen) = (Fields::of(message), 0_u32);
    for _ in 0..=MAX_FIELDS {
        let Some((field, _)) = fields.next().ok()? else { return M::decode(message).ok() };
        let bit = if field < 16 { 1 << field } else { 0 };
        if seen & bit != 0 {
            return None;
        }
        seen |= bit;
    }
    None
}
