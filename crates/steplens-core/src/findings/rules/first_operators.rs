//! Operators of a program in which a library begins: cuDNN in the first convolution, cuBLAS in the first matrix product. It takes time in the
//! operator itself, before anything is launched; calls within the operator count by themselves.

use super::super::only_first::Shown;
use crate::base::units::{Interval, Nanos};
use crate::model::category::only_wraps;
use crate::{Category, DeviceId, OpId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// The first operator takes at least this long by itself,
const LEAST_OP: Nanos = Nanos(10_000_000);
/// this many times the median of the later ones of its name,
const TIMES_LATER: i64 = 10;
/// and this many times where nothing else says that something began.
const TIMES_LATER_ALONE: i64 = 100;
/// How many later ones there are at least.
const LEAST_LATER: usize = 2;

/// The first operator of its name, which took much longer than the later ones.
pub(super) struct FirstOperator {
    pub(super) op: OpId,
    /// Whether that says by itself that something began.
    pub(super) is_sure: bool,
}

/// These operators, of all programs. `is_idle` says whether the GPUs of a process were idle for most of a time.
pub(super) fn first_operators(
    shown: &Shown<'_>,
    is_idle: impl Fn(DeviceId, Interval) -> bool,
) -> Vec<FirstOperator> {
    let trace = shown.trace();
    let mut first: HashMap<(DeviceId, StringId), (OpId, Vec<Nanos>), FixedState> = HashMap::default();
    // What only wraps others is no operator: a whole function is in one, and a small op in the next.
    let is_operator = |op: OpId| {
        trace.category(op) == Category::Compute && !trace.is_call(op) && !only_wraps(trace.op_type(op))
    };
    for device in trace.devices().ids().filter(|&device| trace.devices().get(device).nests) {
        for op in trace.ops_of(device).filter(|&op| is_operator(op)) {
            let length = shown.study.self_time(op);
            match first.entry((device, trace.nodes().name(trace.ops().node(op)))) {
                Entry::Vacant(new) => _ = new.insert((op, Vec::new())),
                Entry::Occupied(mut known) => {
                    let (own, later) = known.get_mut();
                    if trace.ops().start(op) < trace.ops().start(*own) {
                        later.push(shown.study.self_time(*own));
                        *own = op;
                    } else {
                        later.push(length);
                    }
                }
            }
        }
    }
    let mut found: Vec<FirstOperator> = first
        .into_iter()
        .filter_map(|((device, _), (op, mut later))| {
            let own = shown.study.self_time(op);
            if own < LEAST_OP || later.len() < LEAST_LATER {
                return None;
            }
            let middle = (later.len() - 1) / 2;
            let usual = later.select_nth_unstable(middle).1.0.max(1);
            let is_first = own.0 / usual >= TIMES_LATER && is_idle(device, trace.ops().interval(op));
            is_first.then_some(FirstOperator { op, is_sure: own.0 / usual >= TIMES_LATER_ALONE })
        })
        .collect();
    found.sort_unstable_by_key(|own| own.op);
    found
}
