//! Sums over both paths, and what binds the step.

use super::Causes;
use super::observed::{Segment, SegmentKind};
use super::spent::is_wait;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::{OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;

/// What the time of the observed path is bound by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Ops that need each other's results: compute and copies on the path.
    Dependencies,
    /// Ops that kept later ones of the path, which were ready, waiting for a thread.
    Threads,
    /// Tensors: queued at the sender, in transit, or waited for.
    Network,
    /// Calls that wait for what was not recorded.
    Waiting,
    /// Starting ops: dispatch, launches, memory for them, and the start of the step on a task.
    Dispatch,
    /// Loading of the next batch.
    Input,
    /// The host: a thread of a program ran no recorded op.
    Host,
    /// Not explained by anything that was recorded.
    Unexplained,
}

impl Bound {
    /// All bounds.
    pub const ALL: [Self; 8] = [
        Self::Dependencies,
        Self::Threads,
        Self::Network,
        Self::Waiting,
        Self::Dispatch,
        Self::Input,
        Self::Host,
        Self::Unexplained,
    ];

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Dependencies => "dependencies",
            Self::Threads => "threads",
            Self::Network => "network",
            Self::Waiting => "waiting",
            Self::Dispatch => "dispatch",
            Self::Input => "input",
            Self::Host => "host",
            Self::Unexplained => "unexplained",
        }
    }

    /// What a segment counts for: while a later op of the path waited for its thread, for threads.
    pub fn parts(trace: &Trace, segment: &Segment) -> [(Self, Nanos); 2] {
        let own = match Self::of(segment.kind) {
            Self::Network if segment.kind == SegmentKind::Producer && is_wait(trace, segment.op) => {
                Self::Waiting
            }
            own => own,
        };
        // A link that others wait for is the network, however that is put.
        let held = if own == Self::Network { Nanos(0) } else { segment.held };
        [(own, segment.interval.length() - held), (Self::Threads, held)]
    }

    /// The bound that a segment of this kind counts for.
    pub fn of(kind: SegmentKind) -> Self {
        match kind {
            SegmentKind::Compute | SegmentKind::Copy => Self::Dependencies,
            SegmentKind::Behind => Self::Threads,
            SegmentKind::Transit | SegmentKind::SenderQueue | SegmentKind::Producer => Self::Network,
            SegmentKind::Launching | SegmentKind::Allocating | SegmentKind::Starting => Self::Dispatch,
            SegmentKind::Input => Self::Input,
            SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps => Self::Host,
            SegmentKind::Gap => Self::Unexplained,
        }
    }
}

/// The time of the observed path that each bound has, the largest first. The times add up to the length of the path. What dependencies alone
/// need, no thread saves: threads have no more than the rest.
pub fn bounds(trace: &Trace, causes: &Causes) -> Vec<(Bound, Nanos)> {
    let mut sums: Vec<(Bound, Nanos)> = Bound::ALL.iter().map(|&bound| (bound, Nanos(0))).collect();
    for own in &causes.observed.segments {
        for (bound, length) in Bound::parts(trace, own) {
            sums[bound as usize].1 += length;
        }
    }
    let saved = (causes.observed.length() - causes.floor.length).max(Nanos(0));
    let (dependencies, threads) = (Bound::Dependencies as usize, Bound::Threads as usize);
    let over = (sums[threads].1 - saved).max(Nanos(0));
    sums[threads].1 = sums[threads].1 - over;
    sums[dependencies].1 += over;
    order::by_number(&mut sums, |(_, sum)| (sum.0.wrapping_neg(), 0));
    sums
}

/// The segments of the observed path that have one key in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum<K> {
    /// The common key.
    pub key: K,
    /// The length of all these segments together.
    pub length: Nanos,
    /// The number of segments.
    pub segments: u32,
    /// The longest segment.
    pub longest: Segment,
}

/// The segments of the observed path grouped by `key`, the longest sum first.
pub fn by_key<K: Copy + Eq + std::hash::Hash>(
    segments: &[Segment],
    key: impl Fn(&Segment) -> K,
) -> Vec<Sum<K>> {
    by_given_key(segments.iter().map(|&segment| (key(&segment), segment)))
}

/// The segments grouped by the key that each stands with, the longest sum first.
pub fn by_given_key<K: Copy + Eq + std::hash::Hash>(
    segments: impl Iterator<Item = (K, Segment)>,
) -> Vec<Sum<K>> {
    let mut rows: HashMap<K, u32, FixedState> = HashMap::default();
    let mut sums: Vec<Sum<K>> = Vec::new();
    for (key, segment) in segments {
        let row = *rows.entry(key).or_insert(sums.len() as u32);
        match sums.get_mut(row as usize) {
            Some(sum) => {
                sum.length += segment.interval.length();
                sum.segments += 1;
                if segment.interval.length() > sum.longest.interval.length() {
                    sum.longest = segment;
                }
            }
            None => sums.push(Sum { key, length: segment.interval.length(), segments: 1, longest: segment }),
        }
    }
    sums.sort_by_key(|sum| Reverse(sum.length));
    sums
}

/// The part of a name before the first `/`; empty for a name without `/`.
pub fn scope_of(name: &str) -> &str {
    name.split_once('/').map_or("", |(scope, _)| scope)
}

/// The static path: each op with the time when it ran, without waiting.
pub fn static_path<'a>(causes: &'a Causes) -> impl ExactSizeIterator<Item = (OpId, Interval)> + 'a {
    let nodes = &causes.graph.nodes;
    causes.floor.path.iter().map(|&node| (nodes.op(node), nodes.interval(node)))
}
