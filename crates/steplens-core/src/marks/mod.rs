//! What to draw of a window at a given width, so that the cost of a frame depends on pixels and not on ops. From the lanes and
//! colours of ops. For the canvas of the page, and for saved pictures.
//!
//! The rules, which the property tests check against a plain renderer:
//!
//! - Time is divided into columns of whole nanoseconds, counted from the trace's origin, so that they stay in place while the
//!   picture moves. A column is one pixel wide; if that gives more marks than were asked for, it is two pixels wide, or three, and
//!   so on.
//! - An op at least as long as a column is a mark of its own, exactly where it is.
//! - The shorter ops of one lane are sampled by area: each column in which any of them starts or runs is one mark, as wide as the
//!   column, and its density is the share of the column that they cover. So any stretch of a lane is as dark as ops fill it, at
//!   every zoom: equal steps look equal, and columns turn into ops without a jump.
//! - Thin lanes of one device are grouped into stacks about as tall as a column is wide. The shorter ops of all lanes of a stack in
//!   one column are one mark, as tall as the stack; but an op that is alone there has a mark in its own lane.
//! - A column has the colour that was busy the longest in it, and counts the ops that start in it.
//!
//! Every op of the window is counted in exactly one mark, and no mark is narrower than a pixel: no op is invisible because it is
//! short.

pub mod counters;
pub mod flags;
mod picture;
mod tree;

use crate::Trace;
use crate::base::ids::{LaneId, OpId};
use crate::base::units::Timestamp;
use crate::search::matches::Matches;
use crate::timeline::colors::Colors;
use crate::timeline::lanes::Lanes;
use std::ops::Range;

/// The shade of a mark of a range that has the colour of no category.
pub const SHADE_OF_RANGES: u8 = 4;

pub use tree::MarkIndex;

/// The narrowest mark with text, in pixels.
const MIN_TEXT_PX: f32 = 28.0;

/// A request for the marks of a picture.
#[derive(Clone, Copy, Debug)]
pub struct MarksQuery<'a> {
    /// The start of the picture.
    pub start: Timestamp,
    /// The end of the picture.
    pub end: Timestamp,
    /// The width of the picture, in pixels.
    pub width_px: f64,
    /// The lanes of its rows, from the top.
    pub lanes: &'a [LaneId],
    /// The distance from the top of each row to the top of the next, in pixels. Rows without a pitch are tall.
    pub pitches: &'a [f32],
    /// The most marks wanted. There may be up to twice as many if ops are longer than a column.
    pub most: usize,
}

/// A picture: rows of marks, each row from left to right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// In order of rows.
    pub marks: Vec<Mark>,
    /// The query's rows that are merged in each stack. The row of stack `i` is the number of the query's rows plus `i`.
    pub stacks: Vec<Range<u32>>,
    /// The width of the columns, in nanoseconds.
    pub column_ns: i64,
}

/// One op, or several neighbours that are too short to be drawn one by one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Index into the query's lanes and, after them, the stacks.
    pub row: u32,
    /// The left edge in pixels from the left edge of the picture; may be outside.
    pub x0: f32,
    /// The right edge, in the same pixels.
    pub x1: f32,
    /// The op, or the longest of the merged ones.
    pub op: OpId,
    /// The number of ops that it stands for; 0 if only the end of an op is in its column.
    pub count: u32,
    /// The colour that was busy the longest; a category, unless colours stand for something else.
    pub color: u8,
    /// For a category: 0 to 7, the same for every op of one type. For other colours 0, or [`SHADE_OF_RANGES`].
    pub shade: u8,
    /// The share of its area that ops fill, 0 to 255.
    pub density: u8,
    /// Whether any of its ops is searched for.
    pub is_match: bool,
    /// Whether any of its ops is highlighted.
    pub is_lit: bool,
}

/// How ops look, in any window.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// The colours with which the index was made.
    pub colors: &'a Colors,
    /// The ops that are searched for.
    pub matches: &'a Matches,
    /// The ops that are highlighted while the others are pale.
    pub lit: &'a Matches,
}

impl Mark {
    /// Whether the mark is wide enough for text.
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
