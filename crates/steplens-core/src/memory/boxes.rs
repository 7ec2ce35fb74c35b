//! Boxes: the largest lives of a window one by one, stacked in order of time, and the rest as one band.
//!
//! A box is as high as its bytes and as wide as its life. It lies on the boxes that were allocated before it, and moves down when
//! one of these is freed; so one box consists of several rectangles. The lives that are not among the largest are on top, up to the
//! curve.

use crate::base::order;
use crate::base::units::{Bytes, Interval, Timestamp};
use crate::memory::Account;

/// A rectangle of a box: its time, and how many bytes are below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The row in the account's lives.
    pub life: usize,
    /// Within the window.
    pub interval: Interval,
    /// How many bytes are below it.
    pub above: Bytes,
    /// Its height in bytes.
    pub bytes: Bytes,
}

/// The pieces of the `most` largest lives of `account` that are alive within `window`, in order of time and from the bottom.
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
    // (time, true for a start, index among the largest): ends sort first.
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
    // The lives that are alive now, from the bottom: (index among the largest, since when it lies at this height, bytes below it).
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
        let Some(lowest) = stack.iter().position(|lying| lying.0 == place) else { continue };
        let gone = stack.remove(lowest);
        let mut above = gone.2;
        finish(gone, at);
        for lying in &mut stack[lowest..] {
            finish(*lying, at);
            *lying = (lying.0, at, above);
            above = above.saturating_add(largest[lying.0 as usize].0);
        }
    }
    pieces
}
