//! Whether the kernels that a program launched are missing: the file has the calls, operators of GPUs, memory that operators got on a GPU, or ops that
//! an executor started on a GPU, and no row of what a GPU did.

use super::accelerators::{has_any, without_kernels};
use crate::Trace;

/// What the names of operators begin with that only a GPU runs.
const OF_GPUS: [&str; 6] =
    ["aten::cudnn_", "aten::miopen_", "aten::mps_", "aten::_mps_", "aten::linear_backward", "nccl:"];

/// Whether only a GPU runs operators called `name`: those that exist for GPUs only, Apple's among them (`native_functions.yaml`: `linear_backward` is
/// for MPS and nested tensors).
pub fn is_of_gpu(name: &str) -> bool {
    OF_GPUS.iter().any(|own| name.starts_with(own))
}

/// What the names of allocators begin with whose memory PyTorch's operators get on a GPU: `cuda:0`.
const ALLOCATORS: [&str; 4] = ["cuda:", "hip:", "mps:", "xpu:"];

/// What the names of calls begin with that hand data to a TPU, or run a program there: of its system, and of PJRT's client.
const OF_TPUS: [&str; 2] = ["tpu::System::", "TfrtTpuClient::"];

/// Whether a program used a TPU, and no row of what that did is there.
pub fn is_tpu_unrecorded(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    let is_of_tpu = |name: &str| OF_TPUS.iter().any(|own| name.starts_with(own));
    !has_any(trace) && nodes.ids().any(|node| is_of_tpu(trace.text(nodes.name(node))))
}

/// Whether the file has calls that launch kernels, operators that only a GPU runs, memory that operators got on a GPU, or ops that an executor
/// started on a GPU, and no row of what a GPU did.
pub fn is_gpu_unrecorded(trace: &Trace) -> bool {
    if has_any(trace) {
        return false;
    }
    let nodes = trace.nodes();
    // `cudaLaunchKernel`, `cuLaunchKernelEx`, `hipExtLaunchKernel`, and launches of graphs. Types stay when names are hidden.
    let launches = |name: &str| name.contains("LaunchKernel") || name.contains("GraphLaunch");
    let is_call = |name: &str| name.starts_with("cu") || name.starts_with("hip");
    let mut types = nodes.ids().map(|node| trace.text(nodes.op_type(node)));
    let is_on_gpu = |name: &str| ALLOCATORS.iter().any(|own| name.starts_with(own));
    types.any(|name| is_call(name) && launches(name) || is_of_gpu(name))
        || trace.memory().allocators().any(|own| is_on_gpu(trace.text(own)))
        || !without_kernels(trace).is_empty()
}
