//! A log of what `torch.compile` did, and nothing else (`chromium_events.json` of tlparse; `torch/_dynamo/utils.py`, `ChromiumEventLogger`): all of it is
//! work of the host that happens once for each graph.

use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::storage::busy::Busy;
use crate::{OpId, StringId, Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Why the ops of such a log have their category.
const REASON: &str = "cat=dynamo_timed";
/// Which compilation of which frame an event is of: `5/3`, with autograd’s `!0/5/3`, and of an attempt that began again `5/3_1`.
const ID: &str = "compile_id";
/// A part is said from this share on, as its divisor.
const LEAST_PART: i64 = 10;

/// What such a log has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiling {
    /// How long anything compiled.
    pub time: Nanos,
    /// How many graphs: compilations of frames.
    pub graphs: u64,
    /// The op type that takes most by itself, by its longest op, and how long, if it has a tenth.
    pub largest: Option<(OpId, Nanos)>,
    /// The number of the frame that was compiled most often, and how often, if more than once.
    pub again: Option<(u64, u64)>,
}

/// Whether nothing but compiling was recorded.
pub(super) fn only_compiles(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    !nodes.is_empty() && nodes.ids().all(|node| trace.text(nodes.reason(node)) == REASON)
}

/// What was compiled, where nothing else was recorded.
pub fn compiling(study: &Study) -> Option<Compiling> {
    let (trace, ops, nodes) = (study.trace(), study.trace().ops(), study.trace().nodes());
    if !only_compiles(trace) {
        return None;
    }
    let mut intervals: Vec<Interval> = ops.ids().map(|op| ops.interval(op)).collect();
    order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
    let time = Busy::of(intervals.into_iter()).within(trace.span());
    let mut sums: HashMap<StringId, (Nanos, Nanos, OpId), FixedState> = HashMap::default();
    let mut frames: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for op in ops.ids() {
        let own = study.self_time(op);
        let row = sums.entry(nodes.op_type(ops.node(op))).or_insert((Nanos(0), Nanos(-1), op));
        row.0 += own;
        if own > row.1 {
            (row.1, row.2) = (own, op);
        }
        let id = trace.arguments().of(op).find(|own| own.name == ID);
        if let Some((frame, compilation)) = id.and_then(|own| compilation(&own.value.shown())) {
            frames.entry(frame).or_default().insert(compilation);
        }
    }
    let largest = sums.into_values().map(|(sum, _, op)| (op, sum));
    let largest = largest.max_by_key(|&(op, sum)| (sum, std::cmp::Reverse(op)));
    let graphs = frames.values().map(|own| own.len() as u64).sum();
    let again = frames.iter().map(|(&frame, own)| (frame, own.len() as u64));
    let again = again.max_by_key(|&(frame, count)| (count, std::cmp::Reverse(frame)));
    Some(Compiling {
        time,
        graphs,
        largest: largest.filter(|(_, sum)| sum.0.saturating_mul(LEAST_PART) >= time.0),
        again: again.filter(|&(_, count)| count > 1),
    })
}

/// The frame and its compilation that `id` says.
fn compilation(id: &str) -> Option<(u64, u64)> {
    // What was compiled for autograd has its own number in front.
    let id = id.trim_matches('"');
    let id = id.strip_prefix('!').map_or(Some(id), |rest| rest.split_once('/').map(|(_, rest)| rest))?;
    let (frame, rest) = id.split_once('/')?;
    let compilation = rest.split('_').next()?;
    Some((frame.parse().ok()?, compilation.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::compilation;

    #[test]
    fn ids_of_compilations() {
        assert_eq!(compilation("5/3"), Some((5, 3)));
        assert_eq!(compilation("5/3_1"), Some((5, 3)));
        assert_eq!(compilation("!0/5/3"), Some((5, 3)));
        for none in ["", "5", "!0", "a/b", "-1/2"] {
            assert_eq!(compilation(none), None, "{none}");
        }
    }
}
