//! How fast ops calculate, and which of them is slow for its work next to others of its type, where it is known what they calculate.

use crate::base::units::{Flops, Nanos};
use crate::work::WorkSum;
use crate::{OpId, StringId, Study};
use std::collections::{BTreeMap, BTreeSet};

/// What ops calculate, and how fast.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// Their floating-point operations.
    pub flops: Flops,
    /// Of these in a second.
    pub rate: f64,
    /// The one that loses most time by being slower than others of its type.
    pub slow: Option<Slow>,
}

/// An op that is slow for its work.
#[derive(Clone, Debug, PartialEq)]
pub struct Slow {
    /// The op.
    pub name: String,
    /// Its floating-point operations of a second.
    pub rate: f64,
    /// The median of its type.
    pub usual: f64,
}

/// The FLOP must be known for this part of the time, in tenths.
const NEARLY_ALL: i64 = 9;
/// The least ops of a type.
const LEAST_OPS: usize = 8;
/// An op is slow if the median of its type is this many times as fast.
const TIMES: f64 = 2.0;
/// It is said from this part of all the time on that it loses, as its divisor.
const LEAST_LOST: f64 = 20.0;

/// How fast the ops calculate that launched `kernels`. `None` where not nearly all of their time is known.
pub(super) fn reached(study: &Study, kernels: &[OpId]) -> Option<Reached> {
    let (trace, works) = (study.trace(), study.works());
    if works.is_empty() {
        return None;
    }
    let (mut sum, mut all) = (WorkSum::default(), Nanos(0));
    let mut ops: BTreeSet<OpId> = BTreeSet::new();
    for &kernel in kernels {
        let length = trace.ops().interval(kernel).length();
        all += length;
        if let Some(work) = works.of(kernel).filter(|own| own.flops.is_some()) {
            sum.add(work, length);
            ops.insert(study.kernels().op_of(kernel).unwrap_or(kernel));
        }
    }
    if sum.known().0.saturating_mul(10) < all.0.saturating_mul(NEARLY_ALL) {
        return None;
    }
    let mut of_type: BTreeMap<StringId, Vec<(f64, OpId)>> = BTreeMap::new();
    for op in ops {
        if let Some(rate) = works.of(op).and_then(|own| own.flops_per_second()) {
            of_type.entry(trace.nodes().op_type(trace.ops().node(op))).or_default().push((rate, op));
        }
    }
    let mut slow: Option<(f64, Slow)> = None;
    for mut own in of_type.into_values().filter(|own| own.len() >= LEAST_OPS) {
        own.sort_by(|a, b| a.0.total_cmp(&b.0));
        let usual = own[(own.len() - 1) / 2].0;
        for &(rate, op) in own.iter().take_while(|own| own.0 * TIMES <= usual) {
            let time = works.of(op).and_then(|own| own.time).unwrap_or_default();
            let lost = time.0 as f64 * (1.0 - rate / usual);
            let is_most = slow.as_ref().is_none_or(|most| lost > most.0);
            if lost * LEAST_LOST >= all.0 as f64 && is_most {
                slow = Some((lost, Slow { name: study.title(op).to_owned(), rate, usual }));
            }
        }
    }
    Some(Reached { flops: sum.flops()?, rate: sum.flops_per_second()?, slow: slow.map(|own| own.1) })
}
