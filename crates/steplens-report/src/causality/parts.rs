//! Parts of the observed path that have something in common.

use serde::Serialize;
use steplens_core::Study;
use steplens_core::causality::sums::Sum;

/// A part of the observed path.
#[derive(Serialize)]
pub struct PartRow<'a> {
    /// What they have in common.
    pub key: &'a str,
    /// How long they are together.
    pub length_ns: i64,
    /// How many there are.
    pub segments: u32,
    /// The op of its longest segment.
    pub longest: Option<&'a str>,
    /// How long that is.
    pub longest_ns: i64,
}

pub(super) fn part_of<'a, K>(study: &'a Study, key: &'a str, sum: &Sum<K>) -> PartRow<'a> {
    PartRow {
        key,
        length_ns: sum.length.0,
        segments: sum.segments,
        longest: Some(study.title(sum.longest.op)),
        longest_ns: sum.longest.interval.length().0,
    }
}
