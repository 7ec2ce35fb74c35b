//! A first step that was recorded instead of a usual one: it searches for algorithms, loads modules, compiles, and gets memory. Found
//! if such calls take at least a tenth of the step on the critical path, or together of any thread.

use super::super::context::{Context, figure};
use super::super::finding::{Facts, Rule, Verdict};
use super::first_calls::first_calls;
use crate::OpId;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;

/// At least this part of the step, as its divisor.
const LEAST: i64 = 10;
/// What only a first step does, as parts of op types in lower case.
const ONCE: [&str; 10] = [
    "cudnnfind",
    "cudnngetconvolution",
    "cumoduleload",
    "culibraryload",
    "xlacompile",
    "_xlacompile",
    "xlalocallaunchbase::compile",
    "compileandrun",
    "autotune",
    "cudahostalloc",
];

pub(super) fn judge(context: &Context<'_>) -> Verdict {
    let trace = context.trace();
    let nodes = trace.nodes();
    let is_once: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let op_type = trace.text(nodes.op_type(node)).to_ascii_lowercase();
            !nodes.is_range(node) && ONCE.iter().any(|part| op_type.contains(part))
        })
        .collect();
    let first = first_calls(trace);
    let of = |op: OpId| is_once[trace.ops().node(op).index()] || first.binary_search(&op).is_ok();
    let found: Vec<OpId> = trace.ops().ids().take(trace.counted_ops()).filter(|&op| of(op)).collect();
    let time = found.iter().fold(Nanos(0), |sum, &op| sum + context.study.self_time(op));
    let allocating = context.on_path(&[SegmentKind::Allocating]);
    let whole = time + allocating;
    if whole.0.saturating_mul(LEAST) < trace.span().length().0 || whole == Nanos(0) {
        return Verdict::Nothing;
    }
    let mut evidence = found;
    evidence.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    if evidence.is_empty() {
        evidence = context.longest_on_path(|kind, _| kind == SegmentKind::Allocating);
    }
    let facts = Facts {
        name: evidence.first().map(|&op| context.study.title(op).to_owned()).unwrap_or_default(),
        count: evidence.len() as u64,
        time: whole,
        ..Facts::default()
    };
    figure(Rule::FirstStep, allocating, facts, evidence)
}
