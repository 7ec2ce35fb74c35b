//! Other data of an op in the file: what it ran inside of, and whether its label and stages were recorded.

use crate::OpRef;
use steplens_core::questions::around::around;
use steplens_core::{OpId, Study};

/// The most Python frames that are listed; the count has all of them.
const MAX_FRAMES: usize = 256;

/// What an op ran inside of, after and under.
pub struct Surroundings {
    /// The innermost event on its thread that contains it.
    pub inside_of: Option<OpRef>,
    /// Among the events on its thread inside the same event, the one that ended last before it started.
    pub before: Option<OpRef>,
    /// The PyTorch modules in which it ran, the outermost first.
    pub modules: Vec<String>,
    /// The first of the Python frames under which it ran, the innermost first; `frame_count` is the number of all.
    pub frames: Vec<OpRef>,
    /// The number of frames.
    pub frame_count: usize,
}

/// The surroundings of `op`.
pub fn surroundings(study: &Study, op: OpId) -> Surroundings {
    let around = around(study, op);
    let name = |op: OpId| study.trace().op_name(op);
    let module = |&op: &OpId| name(op).strip_prefix("nn.Module: ").map(str::to_owned);
    Surroundings {
        inside_of: around.inside_of.map(|op| OpRef::of(study, op)),
        before: around.before.map(|op| OpRef::of(study, op)),
        modules: around.frames.iter().filter_map(module).collect(),
        frames: around.frames.iter().rev().take(MAX_FRAMES).map(|&op| OpRef::of(study, op)).collect(),
        frame_count: around.frames.len(),
    }
}

/// Whether the label of `op` is in its file. Readers of formats without labels make one with the op's type.
pub fn has_recorded_label(study: &Study, op: OpId) -> bool {
    let trace = study.trace();
    let label = trace.text(trace.nodes().label(trace.ops().node(op)));
    let rest = match label.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((_, rest)) => rest,
        None => label,
    };
    let has_arguments = trace.arguments().form(op).is_some();
    !label.is_empty() && !rest.starts_with("= ") && !has_arguments
}

/// Whether more of the times of `op` was recorded than its start and its end.
pub fn has_stages(study: &Study, op: OpId) -> bool {
    let ops = study.trace().ops();
    ops.queued(op).is_some() || ops.kernel(op) != ops.interval(op)
}
