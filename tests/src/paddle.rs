//! Small Paddle profiles, written by hand.

use crate::wire::{put_bytes, put_varint};

/// An `Event`.
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "the fields are those of Paddle's profiler.proto")]
pub struct Event<'a> {
    pub kind: u64,
    pub name: &'a str,
    pub detail: &'a str,
    pub start_ns: u64,
    pub end_ns: u64,
    pub device: i64,
    pub sub_device: i64,
    pub copied: Option<u64>,
}

/// A `MemEvent`.
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "the fields are those of Paddle's profiler.proto")]
pub struct Memory<'a> {
    pub start_ns: u64,
    pub end_ns: u64,
    pub bytes: u64,
    pub place: u64,
    pub device: u64,
    pub made_in: &'a str,
}

/// A `Profile` as Paddle writes it.
pub fn profile(events: &[Event<'_>], memory: &[Memory<'_>]) -> Vec<u8> {
    let mut file = Vec::new();
    for event in events {
        let mut message = Vec::new();
        put_bytes(&mut message, 1, event.name.as_bytes());
        put_number(&mut message, 2, event.start_ns);
        put_number(&mut message, 3, event.end_ns);
        put_number(&mut message, 5, event.device as u64);
        put_number(&mut message, 6, event.sub_device as u64);
        if let Some(bytes) = event.copied {
            let mut copy = Vec::new();
            put_number(&mut copy, 1, bytes);
            put_bytes(&mut message, 7, &copy);
        }
        put_number(&mut message, 8, event.kind);
        if !event.detail.is_empty() {
            put_bytes(&mut message, 9, event.detail.as_bytes());
        }
        put_bytes(&mut file, 1, &message);
    }
    put_number(&mut file, 2, 481);
    put_number(&mut file, 3, 94_666_288_917_680);
    for memory in memory {
        let mut message = Vec::new();
        let numbers = [memory.start_ns, memory.end_ns, memory.bytes, memory.place, 1, memory.device];
        (1..).zip(numbers).for_each(|(field, value)| put_number(&mut message, field, value));
        put_bytes(&mut message, 7, memory.made_in.as_bytes());
        put_bytes(&mut message, 8, memory.made_in.as_bytes());
        put_bytes(&mut file, 4, &message);
    }
    file
}

fn put_number(out: &mut Vec<u8>, field: u64, value: u64) {
    put_varint(out, field << 3);
    put_varint(out, value);
}
