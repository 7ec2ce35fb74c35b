//! The largest lives of a window as boxes.

use crate::text;
use serde::Serialize;
use steplens_core::base::order;
use steplens_core::memory::boxes::{self as core_boxes, Piece};
use steplens_core::memory::{Account, alive};
use steplens_core::{Interval, Study};

/// One box, which may have several pieces.
#[derive(Serialize)]
struct MemoryBox {
    life: usize,
    op: u32,
    name: String,
    bytes: u64,
}

/// A piece of a box: its time, and how many bytes are below it.
#[derive(Serialize)]
struct MemoryPiece {
    /// The row of its box.
    of: usize,
    start_ns: i64,
    end_ns: i64,
    above_bytes: u64,
}

#[derive(Serialize)]
struct MemoryBoxes {
    boxes: Vec<MemoryBox>,
    pieces: Vec<MemoryPiece>,
}

/// The `most` largest lives of `account` that are alive within `window`.
pub fn boxes(study: &Study, account: &Account, window: Interval, most: usize) -> String {
    let pieces = core_boxes::boxes(account, window, most);
    let mut lives: Vec<usize> = pieces.iter().map(|piece| piece.life).collect();
    order::by_number(&mut lives, |life| (life as i64, 0));
    lives.dedup();
    let of_life = |&row: &usize| {
        let life = account.lives.get(row);
        let name = alive::title(study.edges(), life.op).to_owned();
        MemoryBox { life: row, op: life.op.get(), name, bytes: life.bytes.0 }
    };
    let piece = |piece: &Piece| MemoryPiece {
        of: lives.binary_search(&piece.life).unwrap_or_default(),
        start_ns: piece.interval.start.0,
        end_ns: piece.interval.end.0,
        above_bytes: piece.above.0,
    };
    text(&MemoryBoxes {
        boxes: lives.iter().map(of_life).collect(),
        pieces: pieces.iter().map(piece).collect(),
    })
}
