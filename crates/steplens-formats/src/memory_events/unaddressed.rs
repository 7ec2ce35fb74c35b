//! Allocations and frees without addresses: the bytes in use are known at any moment, but not which tensor they belong to.
//!
//! A free is taken to free what was allocated last; what exceeds all allocations was allocated before: as little as the events
//! allow. Which allocation it really was changes no sum.

use super::{MemoryEvent, Pair};
use steplens_core::base::order;

/// Sets the bytes of events that only have the bytes in use after them, to the change since the event before. The change at the
/// first event of an allocator is not known.
pub(super) fn take_changes(events: &mut Vec<MemoryEvent>) {
    let is_sum = |event: &MemoryEvent| event.address.is_none() && event.bytes == 0;
    if !events.iter().any(is_sum) {
        return;
    }
    let turns = in_turn(events);
    for pair in turns.windows(2) {
        let (before, own) = (events[pair[0]], events[pair[1]]);
        let change = match (before.in_use, own.in_use) {
            (Some(then), Some(now)) if before.allocator == own.allocator => now.saturating_sub(then),
            _ => 0,
        };
        if is_sum(&own) {
            let own = &mut events[pair[1]];
            (own.bytes, own.is_free) = (change, change < 0);
        }
    }
    events.retain(|event| !is_sum(event));
}

/// Allocations and frees. An allocation is split if a free has another size.
pub(super) fn pairs(events: &[MemoryEvent]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let turns = in_turn(events);
    for same in turns.chunk_by(|&a, &b| events[a].allocator == events[b].allocator) {
        // The allocations that are not freed yet: (event, bytes left).
        let mut open: Vec<(usize, i64)> = Vec::new();
        for &own in same {
            let mut bytes = events[own].bytes;
            if bytes >= 0 {
                open.push((own, bytes));
                continue;
            }
            while let Some((first, left)) = open.last_mut().filter(|_| bytes < 0) {
                let part = (*left).min(bytes.saturating_neg());
                pairs.push(Pair { first: *first, free: Some(own), bytes: part });
                bytes += part;
                *left -= part;
                if *left == 0 {
                    open.pop();
                }
            }
            if bytes < 0 {
                pairs.push(Pair { first: own, free: None, bytes });
            }
        }
        pairs.extend(open.into_iter().map(|(first, bytes)| Pair { first, free: None, bytes }));
    }
    pairs
}

/// The indexes of events without an address, by allocator and time; at the same time in the order of the file.
fn in_turn(events: &[MemoryEvent]) -> Vec<usize> {
    let mut turns: Vec<usize> = (0..events.len()).filter(|&own| events[own].address.is_none()).collect();
    order::by_number(&mut turns, |own| (i64::from(events[own].allocator.get()), events[own].at_unix_ns));
    turns
}
