//! What the split and the path count as compute although it computes nothing, in traces without accelerators: `_SOURCE`, with which an executor
//! begins, and calls of a driver that neither launch, copy, wait nor get memory. The figures keep it; the verdict subtracts it, and names it.

use super::framework::Framework;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::causality::observed::{Segment, SegmentKind};
use crate::causality::spent::asks_driver;
use crate::gpu::accelerators::{begins_executor, units};
use crate::storage::busy::Busy;
use crate::{Category, OpId, Study, Trace};

/// How much of compute is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoCompute {
    /// How long nothing but `_SOURCE` ran anywhere.
    pub beginning: Nanos,
    /// Of the compute of the split: in which nothing but `_SOURCE` ran on a device, and calls of a driver.
    pub of_split: (Nanos, Nanos),
    /// Of the compute on the path: `_SOURCE`, and calls of a driver.
    pub of_path: (Nanos, Nanos),
    /// How long operators of PyTorch ran on a device in the mean, with the calls within them.
    pub operators: Option<Nanos>,
}

impl NoCompute {
    /// That of `study`, in whose path these are the segments; nothing if it `has_accelerators`.
    pub(super) fn of(study: &Study, segments: &[Segment], has_accelerators: bool) -> Self {
        if has_accelerators {
            return Self::default();
        }
        let (trace, ops) = (study.trace(), study.trace().ops());
        let sum = |is_it: &dyn Fn(OpId) -> bool| {
            let own = segments.iter().filter(|own| own.kind == SegmentKind::Compute && is_it(own.op));
            own.fold(Nanos(0), |sum, own| sum + own.interval.length())
        };
        let begins = |op: OpId| begins_executor(trace, op);
        let calls = |op: OpId| asks_driver(trace, op);
        let all: Vec<OpId> = ops.ids().filter(|&op| !trace.nodes().is_range(ops.node(op))).collect();
        let has_beginning = all.iter().any(|&op| begins(op));
        let has_calls = all.iter().any(|&op| calls(op));
        let mut found = Self::default();
        if has_beginning {
            found.beginning = only(trace, &all, &begins);
            found.of_path.0 = sum(&begins);
        }
        if has_calls {
            found.of_path.1 = sum(&calls);
        }
        let units = units(trace);
        for device in units.iter().flatten() {
            let own = || trace.ops_of(*device).filter(|&op| !trace.nodes().is_range(ops.node(op)));
            if has_beginning {
                found.of_split.0 += only(trace, &own().collect::<Vec<_>>(), &begins);
            }
            if has_calls {
                let calls = own().filter(|&op| calls(op));
                found.of_split.1 += calls.fold(Nanos(0), |sum, op| sum + study.self_time(op));
            }
        }
        let count = units.len().max(1) as i64;
        if Framework::of_trace(trace) == Framework::PyTorch {
            let is_one = |op: OpId| {
                let counts = !matches!(trace.category(op), Category::Waiting | Category::Input);
                counts && !trace.is_call(op)
            };
            let ran = units.iter().flatten().map(|&device| {
                let own: Vec<OpId> =
                    trace.ops_of(device).filter(|&op| !trace.nodes().is_range(ops.node(op))).collect();
                union(trace, &own, &is_one)
            });
            found.operators = Some(Nanos(ran.fold(Nanos(0), |sum, own| sum + own).0 / count));
        }
        found.of_split = (Nanos(found.of_split.0.0 / count), Nanos(found.of_split.1.0 / count));
        found
    }
}

/// How long of `all` only those ran for which `is_it` holds.
fn only(trace: &Trace, all: &[OpId], is_it: &dyn Fn(OpId) -> bool) -> Nanos {
    union(trace, all, &|_| true) - union(trace, all, &|op| !is_it(op))
}

/// How long any of `all` ran for which `is_it` holds.
fn union(trace: &Trace, all: &[OpId], is_it: &dyn Fn(OpId) -> bool) -> Nanos {
    let work = all.iter().filter(|&&op| is_it(op));
    let mut intervals: Vec<Interval> = work.map(|&op| trace.ops().interval(op)).collect();
    order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
    Busy::of(intervals.into_iter()).within(trace.span())
}
