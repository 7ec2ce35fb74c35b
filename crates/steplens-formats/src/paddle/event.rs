//! One event, or one use of memory: its fields.

use crate::wire::{Fields, Value};

/// The most fields of a record. Paddle's have nine; the bound limits the cost of data that is no record.
const MAX_FIELDS: usize = 32;

/// `Event`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Event<'a> {
    pub(super) name: &'a [u8],
    pub(super) detail: &'a [u8],
    pub(super) start_ns: u64,
    pub(super) end_ns: u64,
    /// Whether it is a kernel or a copy on a GPU; otherwise it ran on a CPU.
    pub(super) is_gpu: bool,
    /// The number of the GPU; for a CPU the block, or -1 for calls of CUDA's API.
    pub(super) device: i64,
    /// The number of the stream; for a CPU the thread.
    pub(super) sub_device: i64,
    /// The bytes of a copy.
    pub(super) copied_bytes: Option<u64>,
}

/// `MemEvent`: an allocation and its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MemoryEvent<'a> {
    pub(super) start_ns: u64,
    pub(super) end_ns: u64,
    pub(super) bytes: u64,
    pub(super) place: u64,
    pub(super) device: u64,
    /// The event in which it was allocated.
    pub(super) made_in: &'a [u8],
}

/// Which fields a record had: each is written once.
#[derive(Default)]
struct Seen(u32);

impl Seen {
    /// Whether this is the first occurrence of `field`. Fields that are not in the schema may repeat.
    fn is_first(&mut self, field: u32) -> bool {
        let bit = if field < 16 { 1 << field } else { 0 };
        let is_first = self.0 & bit == 0;
        self.0 |= bit;
        is_first
    }

    fn has(&self, fields: &[u32]) -> bool {
        fields.iter().all(|field| self.0 & 1 << field != 0)
    }
}

impl<'a> Event<'a> {
    /// The event in `message`; `None` if it is not valid. A field that occurs twice is damage: a length that includes the next
    /// event.
    pub(super) fn read(message: &'a [u8]) -> Option<Self> {
        let mut event = Self::default();
        let seen = read(message, |field, value| {
            match (field, value) {
                (1, Value::Bytes(bytes)) => event.name = bytes,
                (2, Value::Varint(value)) => event.start_ns = value,
                (3, Value::Varint(value)) => event.end_ns = value,
                (5, Value::Varint(value)) => event.device = value as i64,
                (6, Value::Varint(value)) => event.sub_device = value as i64,
                (7, Value::Bytes(copy)) => event.copied_bytes = Some(copied_bytes(copy)?),
                (8, Value::Varint(value)) => event.is_gpu = value == 1,
                (9, Value::Bytes(bytes)) => event.detail = bytes,
                (1..=9, _) => return None,
                _ => {}
            }
            Some(())
        })?;
        seen.has(&[2, 3]).then_some(event)
    }

    /// Whether this is certainly an event, when bytes are searched for one.
    pub(super) fn is_sure(&self) -> bool {
        is_text(self.name) && self.start_ns <= self.end_ns
    }
}

impl<'a> MemoryEvent<'a> {
    /// The memory event in `message`; `None` if it is not valid.
    pub(super) fn read(message: &'a [u8]) -> Option<Self> {
        let mut event = Self::default();
        let seen = read(message, |field, value| {
            match (field, value) {
                (1, Value::Varint(value)) => event.start_ns = value,
                (2, Value::Varint(value)) => event.end_ns = value,
                (3, Value::Varint(value)) => event.bytes = value,
                (4, Value::Varint(value)) => event.place = value,
                (6, Value::Varint(value)) => event.device = value,
                (7, Value::Bytes(bytes)) => event.made_in = bytes,
                (5, Value::Varint(_)) | (8, Value::Bytes(_)) | (9.., _) => {}
                _ => return None,
            }
            Some(())
        })?;
        seen.has(&[1, 3]).then_some(event)
    }

    /// Whether this is certainly a memory event, when bytes are searched for one.
    pub(super) fn is_sure(&self) -> bool {
        self.start_ns <= self.end_ns && self.place <= 2
    }
}

/// Passes every field of `message` to `take`; `None` if the message is cut, repeats a field, or `take` refuses one.
fn read<'a>(message: &'a [u8], mut take: impl FnMut(u32, Value<'a>) -> Option<()>) -> Option<Seen> {
    let (mut fields, mut seen) = (Fields::of(message), Seen::default());
    for _ in 0..=MAX_FIELDS {
        let Some((field, value)) = fields.next().ok()? else { return Some(seen) };
        if !seen.is_first(field) {
            return None;
        }
        take(field, value)?;
    }
    None
}

/// `MemCopy`.
fn copied_bytes(message: &[u8]) -> Option<u64> {
    let mut bytes = 0;
    read(message, |field, value| {
        match (field, value) {
            (1, Value::Varint(value)) => bytes = value,
            (1, _) => return None,
            _ => {}
        }
        Some(())
    })?;
    Some(bytes)
}

fn is_text(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(u8::is_ascii_control)
}
