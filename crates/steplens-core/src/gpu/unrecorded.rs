//! Whether the kernels that a program launched are missing: the file has the calls, or operators of GPUs, and no row of a GPU.

use super::accelerators::has_any;
use crate::Trace;

/// Whether the file has calls that launch kernels, or operators that only a GPU runs, and no row of a GPU.
pub fn is_gpu_unrecorded(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    // `cudaLaunchKernel`, `cuLaunchKernelEx`, `hipExtLaunchKernel`, and launches of graphs. Types stay when names are hidden.
    let launches = |name: &str| name.contains("LaunchKernel") || name.contains("GraphLaunch");
    let is_call = |name: &str| name.starts_with("cu") || name.starts_with("hip");
    // Operators that exist for GPUs only: `aten::cudnn_convolution`, `aten::miopen_batch_norm`.
    let is_of_gpu = |name: &str| name.starts_with("aten::cudnn_") || name.starts_with("aten::miopen_");
    let mut types = nodes.ids().map(|node| trace.text(nodes.op_type(node)));
    types.any(|name| is_call(name) && launches(name) || is_of_gpu(name)) && !has_any(trace)
}
