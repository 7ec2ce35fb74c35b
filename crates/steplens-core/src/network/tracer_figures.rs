//! The figures of tensorflow-tracer's `Timeline` (`tftracer/timeline.py`), to the microsecond.
//!
//! tensorflow-tracer counts whole microseconds. It counts an op as communication if its name is `RecvTensor` or if its label
//! contains ` = HorovodAllreduce(`, over all devices together. It leaves out the records of TensorFlow's host profiler if it is
//! given the pattern `/job:`; this code always leaves them out.

use crate::base::order;
use crate::{Category, Trace};

/// The figures of a trace as tensorflow-tracer computes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TracerFigures {
    /// `step_time`: from the first start to the last end.
    pub step_us: i64,
    /// `communication_time`: the time in which at least one communication op ran.
    pub communication_us: i64,
    /// `communication_elapsed_time`: from the first start of a communication op to the last end of one.
    pub communication_elapsed_us: i64,
}

/// The figures of `trace`.
pub fn tracer_figures(trace: &Trace) -> TracerFigures {
    let (ops, nodes) = (trace.ops(), trace.nodes());
    // TensorFlow cuts starts and ends to microseconds, and records their difference as the length.
    let micros = |ns: i64| trace.origin_unix_ns().saturating_add(ns).div_euclid(1_000);
    let is_communication: Vec<bool> = nodes
        .ids()
        .map(|node| {
            trace.text(nodes.name(node)) == "RecvTensor"
                || (nodes.category(node) == Category::Communication
                    && trace.text(nodes.label(node)).contains(" = HorovodAllreduce("))
        })
        .collect();
    let mut flights: Vec<(i64, i64)> = Vec::new();
    let (mut first, mut last) = (i64::MAX, i64::MIN);
    // tensorflow-tracer also counts `/host:CPU` of TensorFlow 1.14 to 2.3, which repeats ops and has ops of other runs: here they
    // are not counted.
    for op in ops.ids().take(trace.counted_ops()) {
        let interval = ops.interval(op);
        let (start, end) = (micros(interval.start.0), micros(interval.end.0));
        (first, last) = (first.min(start), last.max(end));
        if is_communication[ops.node(op).index()] {
            flights.push((start, end));
        }
    }
    order::by_number(&mut flights, |(start, _)| (start, 0));
    let (mut covered, mut until) = (0_i64, i64::MIN);
    for &(start, end) in &flights {
        covered = covered.saturating_add(end.saturating_sub(start.max(until)).max(0));
        until = until.max(end);
    }
    TracerFigures {
        step_us: last.saturating_sub(first).max(0),
        communication_us: covered,
        communication_elapsed_us: flights.first().map_or(0, |&(start, _)| until.saturating_sub(start)),
    }
}
