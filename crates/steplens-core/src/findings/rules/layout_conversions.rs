//! Kernels of cuDNN that only move a tensor from one order of its dimensions to another, because its convolutions are quick in NHWC and the
//! program keeps NCHW. A program that keeps NHWC (`channels_last` of PyTorch) needs none of them.
//!
//! TensorFlow keeps the weights of convolutions in another order than cuDNN (HWIO), and turns them within each call (`TransformFilter`,
//! `ReverseTransformFilter` in `conv_2d.h`), and NHWC to NCHW where cuDNN has no kernel for it. The same kernels run for other ops, too.
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
/// What those contain that count within convolutions: of weights, and of others.
const OF_WEIGHTS: &str = "ShuffleInTensor3";
const WITHIN: [&str; 2] = [OF_WEIGHTS, "SwapDimension1And2InTensor3"];

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    let gpus = accelerators(trace);
    if gpus.is_empty() {
        return Ruling::Lacks(Needs::Gpu);
    }
    let nodes = trace.nodes();
    let is_named = |name: &str| NAMES.iter().any(|part| name.contains(part));
    let converts: Vec<bool> = nodes.ids().map(|node| is_named(trace.text(nodes.name(node)))).collect();
    let is_within = |name: &str| WITHIN.iter().any(|part| name.contains(part));
    let converts_within: Vec<bool> = nodes
        .ids()
        .map(|node| {
            is_within(trace.text(nodes.name(node))) && trace.text(nodes.op_type(node)).contains("Conv")
        })
        .collect();
    let is_it = |op: OpId| {
        let node = trace.ops().node(op).index();
        (converts[node] || converts_within[node]) && trace.category(op) == Category::Compute
    };
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
    let turns = |op: &&OpId| trace.op_name(**op).contains(OF_WEIGHTS);
    let of_weights = found.iter().filter(turns).fold(Nanos(0), |sum, &op| sum + length(op));
    let is_of_weights = of_weights.0.saturating_mul(2) >= time.0;
    found.sort_by_key(|&op| (Reverse(length(op)), op));
    let facts = Facts { count: found.len() as u64, of: is_of_weights.into(), time, ..Facts::default() };
    let scenario = || context.replay.without(is_it);
    let with = With { facts, evidence: found, change: None, scenario: &scenario, most: Some(time) };
    let segments = context.study.causes().observed.segments.iter().filter(|own| is_it(own.op));
    let on_path = segments.fold(Nanos(0), |sum, own| sum + own.interval.length());
    context.judge(Rule::LayoutConversions, on_path, with)
}
