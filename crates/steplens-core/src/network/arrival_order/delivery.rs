//! When parameters would come in another order from the same network.
//!
//! By every recorded receipt at most as many bytes have come as had come then, in the order of need among what could have come by
//! then; sizes that are not known count as one byte. Receipts are on one clock, so that this rests on no other.

use super::Parameter;
use crate::base::order;
use crate::base::units::Timestamp;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Sets `better` of `tensors`, which are in the order in which they should come; in time n log n.
pub(super) fn deliver(tensors: &mut [Parameter]) {
    let bytes = |own: &Parameter| u128::from(own.bytes.0.max(1));
    let mut receipts: Vec<(Timestamp, u32)> = tensors.iter().map(|own| own.received).zip(0..).collect();
    order::by_number(&mut receipts, |(received, _)| (received.0, 0));
    let mut released: Vec<(Timestamp, u32)> = tensors.iter().map(|own| own.released).zip(0..).collect();
    order::by_number(&mut released, |(released, _)| (released.0, 0));
    let mut released = released.into_iter().peekable();
    // What could have come and has not.
    let mut waiting: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
    let mut came = 0_u128;
    for (now, slot) in receipts {
        came += bytes(&tensors[slot as usize]);
        while let Some((_, row)) = released.next_if(|&(released, _)| released <= now) {
            waiting.push(Reverse(row));
        }
        // None is received before it is released, so that all have come with the last receipt.
        while let Some(&Reverse(row)) = waiting.peek() {
            let own = &mut tensors[row as usize];
            let Some(rest) = came.checked_sub(bytes(own)) else { break };
            (came, own.better) = (rest, now);
            waiting.pop();
        }
    }
}
