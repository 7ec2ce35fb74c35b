//! Products and convolutions in float32 that a GPU with tensor cores runs without them. cuBLAS and cuDNN say in the names of their kernels
//! what they calculate with: `volta_sgemm_128x64_nn` is float32 on ordinary cores, `ampere_fp16_s16816gemm_…` and `…tf32…` use tensor cores.
//! Which GPUs have them (Volta and later) the file says with their compute capability, or else such names, too; where nothing says it, nothing is
//! found.
//!
//! The time is that of these kernels on the path; how much of it remains with fewer bits, nobody can tell from the file.
//! NVIDIA calls tensor cores some eight times as fast (V100: 15.7 TFLOP/s in float32, 125 with tensor cores).

use super::super::context::{Context, by_path};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use super::first_step::first_step;
use crate::base::units::{Interval, Nanos};
use crate::causality::observed::SegmentKind;
use crate::gpu::accelerators::accelerators;
use crate::model::capability::Capability;
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId};
use std::cmp::Reverse;

/// At least this part of the GPUs' kernels is in float32, as its divisor.
const LEAST: i64 = 10;
/// What names of kernels in float32 contain.
const FLOAT32: [&str; 9] = [
    "sgemm",
    "scudnn",
    "sconv",
    "engine<float",
    "winogradForwardData4x4<float",
    "winogradForwardFilter4x4<float",
    "winogradForwardOutput4x4<float",
    "winograd3x3Kernel<float",
    // cuBLAS and cuDNN since CUDA 11: `sm80_xmma_gemm_f32f32_f32f32_f32_…_ffma_…`.
    "_ffma_",
];
/// What names of kernels contain that are convolutions.
const CONVOLUTIONS: [&str; 8] =
    ["scudnn", "sconv", "engine<", "inograd", "fprop", "dgrad", "wgrad", "implicit"];
/// What names of kernels contain that use tensor cores, or fewer bits, all the same.
const FEWER_BITS: [&str; 8] = ["tf32", "tensorop", "fp16", "bf16", "s1688", "s16816", "s884", "h884"];
/// What names of kernels contain that are made for GPUs with tensor cores.
const WITH_CORES: [&str; 10] =
    ["volta_", "turing_", "ampere_", "hopper", "sm70", "sm75", "sm80", "sm86", "sm89", "sm90"];

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    let gpus = accelerators(trace);
    if gpus.is_empty() {
        return Ruling::Lacks(Needs::Gpu);
    }
    let nodes = trace.nodes();
    let names = |parts: &'static [&str]| {
        let has = move |name: &str| parts.iter().any(|part| name.contains(part));
        nodes
            .ids()
            .map(|node| nodes.category(node) == Category::Compute && has(trace.text(nodes.name(node))))
            .collect::<Vec<bool>>()
    };
    let convolutions = names(&CONVOLUTIONS);
    let (float32, fewer, with_cores) = (names(&FLOAT32), names(&FEWER_BITS), names(&WITH_CORES));
    let mut tried: Vec<Interval> = first_step(context).trials.iter().map(|own| own.window).collect();
    tried.sort_unstable_by_key(|own| (own.start, own.end));
    let tried = Busy::of(tried.into_iter());
    // An algorithm that is only tried is no work of a step.
    let is_trial = |op: OpId| {
        let own = trace.ops().interval(op);
        own.length() > Nanos(0) && tried.within(own) == own.length()
    };
    let is_it = |op: OpId| {
        let node = trace.ops().node(op).index();
        float32[node] && !fewer[node] && !is_trial(op)
    };
    let cores_of = |id: DeviceId| trace.devices().get(id).capability.and_then(Capability::has_tensor_cores);
    let devices = gpus.iter().flat_map(|one| one.unrepeated(trace)).filter(|&id| cores_of(id) != Some(false));
    let kernels: Vec<OpId> = devices
        .flat_map(|id| trace.ops_of(id))
        .filter(|&op| trace.category(op) == Category::Compute)
        .collect();
    let is_said = |op: OpId| cores_of(trace.device_of(op)) == Some(true);
    if !kernels.iter().any(|&op| with_cores[trace.ops().node(op).index()] || is_said(op)) {
        return Ruling::Nothing;
    }
    let length = |op: OpId| trace.ops().interval(op).length();
    let all = kernels.iter().fold(Nanos(0), |sum, &op| sum + length(op));
    let has_fewer = |op: &&OpId| fewer[trace.ops().node(**op).index()] && !is_trial(**op);
    let others = kernels.iter().filter(has_fewer).fold(Nanos(0), |sum, &op| sum + length(op));
    let mut found: Vec<OpId> = kernels.into_iter().filter(|&op| is_it(op)).collect();
    let time = found.iter().fold(Nanos(0), |sum, &op| sum + length(op));
    let segments = context.study.causes().observed.segments.iter();
    let of_path = segments
        .filter(|own| own.kind == SegmentKind::Compute && is_it(own.op))
        .fold(Nanos(0), |sum, own| sum + own.interval.length());
    if time.0.saturating_mul(LEAST) < all.0 || of_path <= context.least || !context.compares {
        return Ruling::Nothing;
    }
    found.sort_by_key(|&op| (Reverse(length(op)), op));
    let is_convolution = |op: &OpId| convolutions[trace.ops().node(*op).index()];
    let of_convolutions = found.iter().copied().filter(is_convolution);
    let of_convolutions = of_convolutions.fold(Nanos(0), |sum, op| sum + length(op));
    let facts = Facts {
        usual: of_convolutions,
        few_bits: others.0.saturating_mul(LEAST) >= all.0,
        name: found.first().map(|&op| trace.op_name(op).to_owned()).unwrap_or_default(),
        count: found.len() as u64,
        time,
        ..Facts::default()
    };
    by_path(Rule::TensorCores, of_path, facts, found)
}
