//! Which op type has most of a part of the split. The path may go along other ops than those that keep the devices busy, so it cannot name what has
//! most of their time.

use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::{is_of_executor_itself, units};
use crate::model::category::only_wraps;
use crate::storage::busy::Busy;
use crate::timeline::nesting;
use crate::{Category, DeviceId, OpId, StringId, Study};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;

/// Of more op types that run side by side none has most of the time.
const MOST_TYPES: usize = 8;

/// The op type that runs for more than half of the part `category` of the split, which takes `time` of `span`: its longest op, and how long, the
/// mean over the devices of the split. Where another one does so, too, it is the one that runs longest, if it
/// is the one that the path names, `on_path`, as well.
pub(super) fn mostly(
    study: &Study,
    span: Interval,
    category: Category,
    time: Nanos,
    on_path: Option<OpId>,
) -> Option<(OpId, Nanos)> {
    let trace = study.trace();
    let type_of = |op: OpId| trace.nodes().op_type(trace.ops().node(op));
    let ran = ran(study, span, category);
    let mut sums: HashMap<StringId, (Nanos, Interval, OpId), FixedState> = HashMap::default();
    for &(op, own) in ran.iter().flat_map(|(_, own)| own) {
        if !only_wraps(trace.op_type(op)) && !is_of_executor_itself(trace, op) {
            let row = sums.entry(type_of(op)).or_insert((Nanos(0), own, op));
            row.0 += own.length();
            if own.length() > row.1.length() {
                (row.1, row.2) = (own, op);
            }
        }
    }
    let devices = ran.len() as i64;
    let whole = Nanos(time.0.saturating_mul(devices));
    let mut rows: Vec<(StringId, Nanos, OpId)> =
        sums.into_iter().map(|(op_type, (sum, _, op))| (op_type, sum, op)).collect();
    rows.retain(|&(_, sum, _)| is_most(sum, whole));
    if rows.len() > MOST_TYPES {
        return None;
    }
    let union = |op_type: StringId| {
        ran.iter().fold(Nanos(0), |sum, (before, own)| {
            let own = own.iter().filter(|(op, _)| type_of(*op) == op_type).map(|&(_, own)| own);
            let mut both: Vec<Interval> = before.intervals().iter().copied().chain(own).collect();
            order::by_number(&mut both, |own| (own.start.0, own.end.0));
            sum + Busy::of(both.into_iter()).within(span) - before.within(span)
        })
    };
    let all = rows.into_iter().map(|(op_type, _, op)| (op, union(op_type)));
    let mut most: Vec<(OpId, Nanos)> = all.filter(|&(_, union)| is_most(union, whole)).collect();
    most.sort_by_key(|&(op, union)| (Reverse(union), op));
    let is_on_path = |op: OpId| on_path.is_some_and(|own| type_of(own) == type_of(op));
    let found = most.first().filter(|own| most.len() == 1 || is_on_path(own.0));
    found.map(|&(op, union)| (op, Nanos(union.0 / devices.max(1))))
}

fn is_most(time: Nanos, whole: Nanos) -> bool {
    time.0.saturating_mul(2) > whole.0
}

/// Of each device of the split when it did what comes before `category`, and what ran of `category`.
pub(super) fn ran(study: &Study, span: Interval, category: Category) -> Vec<(Busy, Vec<(OpId, Interval)>)> {
    let trace = study.trace();
    let mut counted = study.counted().peekable();
    let all = units(trace).into_iter().zip(study.bar());
    let mut is_counted = |own| counted.next_if(|next| std::ptr::eq(*next, own)).is_some();
    let mut found = Vec::new();
    for (devices, own) in all.filter(|&(_, own)| is_counted(own)) {
        let earlier = Category::parts().take_while(|&own| own != category);
        let mut before: Vec<Interval> = earlier.flat_map(|earlier| own.union(earlier).iter()).collect();
        order::by_number(&mut before, |own| (own.start.0, own.end.0));
        let alone = |device: &DeviceId| !trace.devices().repeats_others(*device);
        let pieces = devices.into_iter().filter(alone).flat_map(|device| nesting::pieces(trace, device));
        let own = pieces.filter(|own| trace.category(own.op) == category);
        let own = own.map(|own| (own.op, own.interval.clamp_to(span)));
        found.push((Busy::of(before.into_iter()), own.filter(|own| own.1.length() > Nanos(0)).collect()));
    }
    found
}
