//! Marks: what to draw of a window at a given width, so that the cost of a frame depends on pixels and not on ops.
//!
//! The rule, which the property tests check against a plain renderer:
//!
//! - Time is divided into columns of whole nanoseconds, counted from the trace's origin so that they stay where they are
//!   while the picture moves. A column is one pixel wide; where more marks would come out than were asked for, it
//!   is two pixels wide, or three, and so on.
//! - An op at least as long as a column is a mark of its own, exactly where it is.
//! - The shorter ops of one lane are sampled by area: each column in which any of them starts or lies is one mark, as wide
//!   as the column, and its density is the share of the column that they cover. So any stretch of a lane is as dark as
//!   ops fill it, at every zoom: equal steps look equal, and columns turn into ops without a jump.
//! - Thin lanes of one device lie in stacks about as tall as a column is wide. There, the shorter ops of all lanes of
//!   the stack in one column are one mark, as tall as the stack; one op that is alone there has a mark in its own lane.
//! - A column has the colour that was busy the longest in it, and counts the ops that start in it. Every op of the window is
//!   counted in exactly one mark, and no mark is narrower than a pixel: nothing is invisible because it is short.

mod picture;
mod tree;

use crate::Trace;
use crate::base::ids::{LaneId, OpId};
use crate::base::units::Timestamp;
use crate::search::matches::Matches;
use crate::timeline::colors::Colors;
use crate::timeline::lanes::Lanes;
use std::ops::Range;

pub use tree::MarkIndex;

/// The narrowest mark with text, in pixels.
const MIN_TEXT_PX: f32 = 28.0;

/// Which marks are wanted.
#[derive(Clone, Copy, Debug)]
pub struct MarksQuery<'a> {
    /// Where the picture starts.
    pub start: Timestamp,
    /// Where it ends.
    pub end: Timestamp,
    /// How wide it is, in pixels.
    pub width_px: f64,
    /// Its rows, from the top.
    pub lanes: &'a [LaneId],
    /// From the top of each row to that of the next, in pixels. Rows without are tall.
    pub pitches: &'a [f32],
    /// How many marks are wanted at most. It may become twice as many where ops are longer than a column.
    pub most: usize,
}

/// A picture: rows of marks, each row from left to right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// In order of rows.
    pub marks: Vec<Mark>,
    /// The query's rows that are merged in each stack. The row of stack `i` is the number of the query's rows plus `i`.
    pub stacks: Vec<Range<u32>>,
    /// How wide its columns are, in nanoseconds.
    pub column_ns: i64,
}

/// One op, or several neighbours that are too short to be drawn one by one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Index into the query's lanes and, after them, the stacks.
    pub row: u32,
    /// Its left edge in pixels from the picture's; may lie outside.
    pub x0: f32,
    /// Its right edge.
    pub x1: f32,
    /// The op, or the longest of the merged ones.
    pub op: OpId,
    /// How many ops it stands for; 0 where only the end of one lies in its column.
    pub count: u32,
    /// The colour that was busy the longest; a category, unless colours stand for something else.
    pub color: u8,
    /// Of a category: 0 to 7, the same for every op of one type. Of other colours 0.
    pub shade: u8,
    /// The share of its area that ops fill, 0 to 255.
    pub density: u8,
    /// Whether any of its ops is searched for.
    pub is_match: bool,
    /// Whether any of its ops is lit.
    pub is_lit: bool,
}

/// What ops look like, whatever the window.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// Their colours: those that the index was made with.
    pub colors: &'a Colors,
    /// Those that are searched for.
    pub matches: &'a Matches,
    /// Those that are lit while the others stand back.
    pub lit: &'a Matches,
}

impl Mark {
    /// Whether it is wide enough for text.
    pub fn has_text(&self) -> bool {
        self.count == 1 && self.density == u8::MAX && self.x1 - self.x0 >= MIN_TEXT_PX
    }
}

impl MarkIndex {
    /// The marks of a picture.
    pub fn marks(&self, trace: &Trace, lanes: &Lanes, look: Look<'_>, query: &MarksQuery<'_>) -> Marks {
        picture::marks(self, trace, lanes, look, query)
    }
}
