//! Kernels of cuDNN that only move a tensor from one order of its dimensions to another, because its convolutions are quick in NHWC and the
//! program keeps NCHW. A program that keeps NHWC (`channels_last` of PyTorch) needs none of them.
//!
//! They take a twentieth of the GPUs' kernels or more. NVIDIA's guide to convolutions: "Choose NHWC"; cuDNN names the kernels.

use super::super::context::{Context, With};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::base::units::Nanos;
use crate::gpu::accelerators::accelerators;
use crate::{Category, OpId};
use std::cmp::Reverse;

/// At least this part of the GPUs' kernels, as its divisor.
const LEAST: i64 = 20;
/// What their names contain: `void cudnn::ops::nchwToNhwcKernel<float, …>`, also mangled.
const NAMES: [&str; 2] = ["nchwToNhwc", "nhwcToNchw"];

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    let gpus = accelerators(trace);
    if gpus.is_empty() {
        return Ruling::Lacks(Needs::Gpu);
    }
    let nodes = trace.nodes();
    let is_named = |name: &str| NAMES.iter().any(|part| name.contains(part));
    let converts: Vec<bool> = nodes.ids().map(|node| is_named(trace.text(nodes.name(node)))).collect();
    let is_it = |op: OpId| converts[trace.ops().node(op).index()] && trace.category(op) == Category::Compute;
    let length = |op: OpId| trace.ops().interval(op).length();
    let (mut all, mut found) = (Nanos(0), Vec::new());
    for op in gpus.iter().flat_map(|one| one.unrepeated(trace)).flat_map(|id| trace.ops_of(id)) {
        if trace.category(op) == Category::Compute {
            all += length(op);
            found.extend(Some(op).filter(|&op| is_it(op)));
        }
    }
    let time = found.iter().fold(Nanos(0), |sum, &op| sum + length(op));
    if time == Nanos(0) || time.0.saturating_mul(LEAST) < all.0 {
        return Ruling::Nothing;
    }
    found.sort_by_key(|&op| (Reverse(length(op)), op));
    let facts = Facts { count: found.len() as u64, time, ..Facts::default() };
    let scenario = || context.replay.without(is_it);
    let with = With { facts, evidence: found, change: None, scenario: &scenario, most: Some(time) };
    context.judge(Rule::LayoutConversions, Nanos(0), with)
}
