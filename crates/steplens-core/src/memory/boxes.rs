//! Boxes: the largest lives of a window one by one, stacked as they came, and the rest as one band.
//!
//! A box is as high as its bytes and as wide as its life. It lies on those that were allocated before it, and comes down when one of these
//! is freed; so a box is some rectangles. What is not among the largest lies on top, up to the curve.

use crate::base::order;
use crate::base::units::{Bytes, Interval, Timestamp};
use crate::memory::Account;

/// A part of a box: from when until when, and on how many bytes it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The row of the lives of the account.
    pub life: usize,
    /// Within the window.
    pub interval: Interval,
    /// On top of so many bytes.
    pub above: Bytes,
    /// How many bytes high.
    pub bytes: Bytes,
}

/// The pieces of the `most` largest lives of `account` that `window` meets, in order of time and from the bottom.
pub fn boxes(account: &Account, window: Interval, most: usize) -> Vec<Piece> {
    let lives = &account.lives;
    let last = Timestamp(window.end.0.saturating_sub(1));
    let meets = |row: &usize| lives.get(*row).freed.is_none_or(|end| end > window.start);
    let mut largest: Vec<(u64, u32)> =
        (0..lives.begun_by(last)).filter(meets).map(|row| (lives.get(row).bytes.0, row as u32)).collect();
    if largest.len() > most {
        largest.select_nth_unstable_by(most, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        largest.truncate(most);
    }
    order::by_number(&mut largest, |(_, row)| (i64::from(row), 0));
    // (time, whether it begins, place among the largest): ends first.
    let mut events: Vec<(i64, bool, u32)> = Vec::new();
    for (place, &(_, row)) in (0..).zip(&largest) {
        let life = lives.get(row as usize);
        let start = life.allocated.unwrap_or(window.start).max(window.start);
        let end = life.freed.unwrap_or(window.end).min(window.end);
        if start < end {
            events.push((start.0, true, place));
            events.push((end.0, false, place));
        }
    }
    order::by_number(&mut events, |(at, begins, _)| (at, i64::from(begins)));
    let mut pieces = Vec::new();
    // Those that are there, from the bottom: (place, since when it lies where it does, on what).
    let mut stack: Vec<(u32, Timestamp, u64)> = Vec::new();
    let mut finish = |(place, since, above): (u32, Timestamp, u64), until: Timestamp| {
        let (bytes, row) = largest[place as usize];
        if since < until {
            let interval = Interval { start: since, end: until };
            pieces.push(Piece { life: row as usize, interval, above: Bytes(above), bytes: Bytes(bytes) });
        }
    };
    for (at, begins, place) in events {
        let at = Timestamp(at);
        if begins {
            let top = stack.last().map_or(0, |top| top.2.saturating_add(largest[top.0 as usize].0));
            stack.push((place, at, top));
            continue;
        }
        let Some(lowest) = stack.iter().position(|own| own.0 == place) else { continue };
        let gone = stack.remove(lowest);
        let mut above = gone.2;
        finish(gone, at);
        for own in &mut stack[lowest..] {
            finish(*own, at);
            *own = (own.0, at, above);
            above = above.saturating_add(largest[own.0 as usize].0);
        }
    }
    pieces
}
