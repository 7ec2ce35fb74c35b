//! A session while it comes: it is kept whole, because it is read column by column.

use super::{Damage, salvage};
use crate::error::ReadErrorKind;
use crate::reader::{Found, Reader, Room};
use steplens_core::TraceBuilder;
use steplens_messages::say;

pub(super) struct SessionFile {
    memory_bytes: usize,
    /// All of it so far; at most one byte more than the allowed memory.
    held: Vec<u8>,
}

impl SessionFile {
    pub(super) fn new(room: Room) -> Self {
        let mut held = Vec::new();
        // If there is no room for all of it, there may still be room for the part that comes.
        _ = held.try_reserve_exact(usize::try_from(room.expected).unwrap_or(0).min(room.memory_bytes));
        Self { memory_bytes: room.memory_bytes, held }
    }
}

impl Reader for SessionFile {
    fn push(&mut self, bytes: &[u8], _builder: &mut TraceBuilder) {
        // One byte more than is allowed shows that the session is too large.
        let room = (self.memory_bytes + 1).saturating_sub(self.held.len());
        self.held.extend_from_slice(&bytes[..room.min(bytes.len())]);
    }

    fn finish(self: Box<Self>, builder: &mut TraceBuilder) -> Found {
        let damaged = |offset, got| Found::Nothing(ReadErrorKind::SessionDamaged { offset, got });
        if self.held.len() > self.memory_bytes {
            return damaged(self.held.len() as u64, say!("got-more-than-memory"));
        }
        match salvage::read(&self.held.into(), self.memory_bytes, builder) {
            Ok(found) => Found::Session(found),
            Err(Damage { at, got, .. }) => damaged(at, got),
        }
    }

    fn room(&mut self, length: usize) -> Option<&mut [u8]> {
        let start = self.held.len();
        let end = start.checked_add(length).filter(|&end| end <= self.memory_bytes)?;
        self.held.resize(end, 0);
        self.held.get_mut(start..)
    }
}
