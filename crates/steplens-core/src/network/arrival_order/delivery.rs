//! When parameters would arrive over the same network in the better order.
//!
//! At every recorded arrival, at most as many bytes have arrived as in the recording. They are given to the parameters that could
//! have arrived by then, in the order of need. A parameter of unknown size counts as one byte. All arrivals are by one clock, so
//! the result depends on no other clock.

use super::Parameter;
use crate::base::order;
use crate::base::units::Timestamp;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Sets `better` of `tensors`, which must be in the order in which they should arrive; in time n log n.
pub(super) fn deliver(tensors: &mut [Parameter]) {
    let bytes = |parameter: &Parameter| u128::from(parameter.bytes.0.max(1));
    let mut receipts: Vec<(Timestamp, u32)> =
        tensors.iter().map(|parameter| parameter.received).zip(0..).collect();
    order::by_number(&mut receipts, |(received, _)| (received.0, 0));
    let mut released: Vec<(Timestamp, u32)> =
        tensors.iter().map(|parameter| parameter.released).zip(0..).collect();
    order::by_number(&mut released, |(released, _)| (released.0, 0));
    let mut released = released.into_iter().peekable();
    // The parameters that could have arrived by now but have not.
    let mut waiting: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
    let mut came = 0_u128;
    for (now, slot) in receipts {
        came += bytes(&tensors[slot as usize]);
        while let Some((_, row)) = released.next_if(|&(released, _)| released <= now) {
            waiting.push(Reverse(row));
        }
        // No parameter arrives before it is released, so all have arrived by the last arrival.
        while let Some(&Reverse(row)) = waiting.peek() {
            let parameter = &mut tensors[row as usize];
            let Some(rest) = came.checked_sub(bytes(parameter)) else { break };
            (came, parameter.better) = (rest, now);
            waiting.pop();
        }
    }
}
