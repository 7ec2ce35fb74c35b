//! The recording itself: the profiler's own events take at least a fiftieth of the step on the threads that they stop. Kineto and
//! CUPTI write such events.

use super::super::context::{Context, figure};
use super::super::finding::{Facts, Rule, Ruling};
use crate::OpId;
use crate::base::units::Nanos;

/// At least this part of the step, as its divisor.
const LEAST: i64 = 50;
/// The names of such events, in lower case.
const OWN: [&str; 5] =
    ["activity buffer request", "cupti", "instrumentation", "buffer flush", "resource (profiler)"];

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    let nodes = trace.nodes();
    let is_own: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let name = trace.text(nodes.name(node)).to_ascii_lowercase();
            OWN.iter().any(|own| name.starts_with(own))
        })
        .collect();
    let mut found: Vec<OpId> = trace.ops().ids().filter(|&op| is_own[trace.ops().node(op).index()]).collect();
    let time = found.iter().fold(Nanos(0), |sum, &op| sum + trace.ops().interval(op).length());
    if found.is_empty() || time.0.saturating_mul(LEAST) < trace.span().length().0 {
        return Ruling::Nothing;
    }
    found.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    let facts = Facts {
        name: trace.op_name(found[0]).to_owned(),
        count: found.len() as u64,
        time,
        ..Facts::default()
    };
    figure(Rule::Tracing, Nanos(0), facts, found)
}
