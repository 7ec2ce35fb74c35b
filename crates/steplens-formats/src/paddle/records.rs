//! Bytes to records: the fields of a `Profile`, one after the other, and where to continue after damage.
//!
//! No end is known around a record, so after damage every following byte is tried as the start of one. Bytes count as a record only
//! if all of it is valid.

use super::event;
use crate::wire::{Tag, Wire, varint};
use steplens_proto::paddle::{Event, MemEvent};

/// The longest record. Names are at worst C++ signatures, and details a few lines.
const MAX_RECORD_BYTES: usize = 256 << 10;
/// The highest field that may be from a later Paddle. Its schema has not changed for years, and a higher one is damage.
const MAX_FIELD: u32 = 15;
/// The tags of events and of memory events.
const TAGS: [u8; 2] = [0x0a, 0x22];

/// What was found.
pub(super) enum Record {
    Event(Event),
    Memory(MemEvent),
    /// A field that is not in the schema.
    Unknown(u32),
    /// Invalid bytes, up to the next record.
    Damage,
    /// The file ends inside of this record.
    Cut,
}

/// Receives records with the offset of their start.
pub(super) trait Sink {
    fn take(&mut self, record: Record, at: u64);
}

/// What is at the front of some bytes.
enum Front {
    /// A complete record of this many bytes.
    Whole(usize),
    /// This many bytes are needed to read the head of a record.
    Needs(usize),
    Damaged,
}

/// The bytes that are not part of a record yet.
#[derive(Default)]
pub(super) struct Records {
    held: Vec<u8>,
    /// How many of them are finished.
    done: usize,
    /// How many of the others are needed to continue.
    needed: usize,
    /// The offset of the first byte that is not finished.
    at: u64,
    is_lost: bool,
}

impl Records {
    /// Takes the next slice of the file.
    pub(super) fn push(&mut self, mut bytes: &[u8], sink: &mut impl Sink) {
        while self.held.len() > self.done {
            let missing = (self.done + self.needed).saturating_sub(self.held.len());
            let (more, rest) = bytes.split_at(missing.min(bytes.len()));
            self.held.extend_from_slice(more);
            bytes = rest;
            if more.len() < missing {
                return;
            }
            let held = std::mem::take(&mut self.held);
            self.done += self.run(held.get(self.done..).unwrap_or_default(), false, sink);
            self.held = held;
            // Finished bytes are removed once they are more than the remaining ones, so that every byte is moved at most once.
            if self.done > self.held.len() / 2 {
                self.held.drain(..self.done);
                self.done = 0;
            }
        }
        self.held.clear();
        self.done = 0;
        let done = self.run(bytes, false, sink);
        self.held.extend_from_slice(bytes.get(done..).unwrap_or_default());
    }

    /// Ends the file; returns its number of bytes.
    pub(super) fn finish(&mut self, sink: &mut impl Sink) -> u64 {
        let held = std::mem::take(&mut self.held);
        self.run(held.get(self.done..).unwrap_or_default(), true, sink);
        self.at
    }

    /// Makes records of `bytes`; returns the number of bytes that are finished.
    fn run(&mut self, bytes: &[u8], is_end: bool, sink: &mut impl Sink) -> usize {
        let (start, mut rest) = (self.at, bytes);
        while !rest.is_empty() {
            if self.is_lost {
                let skipped = rest.iter().position(|byte| TAGS.contains(byte)).unwrap_or(rest.len());
                rest = rest.get(skipped..).unwrap_or_default();
                self.at += skipped as u64;
            }
            let length = match self.front(rest, sink) {
                _ if rest.is_empty() => break,
                Front::Whole(length) => {
                    self.is_lost = false;
                    length
                }
                Front::Needs(needed) if !is_end => {
                    self.needed = needed;
                    break;
                }
                front => {
                    if !std::mem::replace(&mut self.is_lost, true) {
                        let is_cut = matches!(front, Front::Needs(_));
                        sink.take(if is_cut { Record::Cut } else { Record::Damage }, self.at);
                    }
                    1
                }
            };
            rest = rest.get(length..).unwrap_or_default();
            self.at += length as u64;
        }
        (self.at - start) as usize
    }

    fn front(&self, bytes: &[u8], sink: &mut impl Sink) -> Front {
        let incomplete = |rest: &[u8]| match rest.len() {
            ..10 => Front::Needs(bytes.len() + 1),
            _ => Front::Damaged,
        };
        let Some((raw, tag_length)) = varint(bytes) else { return incomplete(bytes) };
        let Some(tag) = Tag::from_varint(raw) else { return Front::Damaged };
        if self.is_lost && !(matches!(tag.field, 1 | 4) && tag.wire == Wire::Length) {
            return Front::Damaged;
        }
        let rest = bytes.get(tag_length..).unwrap_or_default();
        let (head, length) = match tag.wire {
            Wire::Fixed64 => (tag_length, 8),
            Wire::Fixed32 => (tag_length, 4),
            Wire::Varint | Wire::Length => {
                let Some((value, length)) = varint(rest) else { return incomplete(rest) };
                (tag_length + length, if tag.wire == Wire::Length { value } else { 0 })
            }
        };
        let Some(length) = usize::try_from(length).ok().filter(|&length| length <= MAX_RECORD_BYTES) else {
            return Front::Damaged;
        };
        let Some(message) = bytes.get(head..head + length) else { return Front::Needs(head + length) };
        let record = match (tag.field, tag.wire) {
            (1, Wire::Length) => {
                event::event(message).filter(|own| !self.is_lost || event::is_sure(own)).map(Record::Event)
            }
            (4, Wire::Length) => event::memory(message)
                .filter(|own| !self.is_lost || event::is_sure_memory(own))
                .map(Record::Memory),
            (2 | 3, Wire::Varint) => return Front::Whole(head + length),
            (1..=4, _) => None,
            (field @ 5..=MAX_FIELD, _) => Some(Record::Unknown(field)),
            _ => None,
        };
        let Some(record) = record else { return Front::Damaged };
        sink.take(record, self.at);
        Front::Whole(head + length)
    }
}
