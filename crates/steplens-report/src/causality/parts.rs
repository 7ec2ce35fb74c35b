//! Parts of the observed path with a common key.

use serde::Serialize;
use steplens_core::Study;
use steplens_core::causality::sums::Sum;

/// A part of the observed path.
#[derive(Serialize)]
pub struct PathPart<'a> {
    /// The common key of the segments.
    pub key: &'a str,
    /// The time of these segments together.
    pub length_ns: i64,
    /// The number of these segments.
    pub segments: u32,
    /// The op of its longest segment.
    pub longest: Option<&'a str>,
    /// The time of its longest segment.
    pub longest_ns: i64,
}

pub(super) fn part_of<'a, K>(study: &'a Study, key: &'a str, sum: &Sum<K>) -> PathPart<'a> {
    PathPart {
        key,
        length_ns: sum.length.0,
        segments: sum.segments,
        longest: Some(study.title(sum.longest.op)),
        longest_ns: sum.longest.interval.length().0,
    }
}
