//! GPUs of which nothing was recorded: a program launched kernels, and there is no row of a GPU.

use super::accelerators::accelerators;
use crate::Trace;

/// Whether a program launched kernels on a GPU of which nothing was recorded.
pub fn is_gpu_unrecorded(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    // `cudaLaunchKernel`, `cuLaunchKernelEx`, `hipExtLaunchKernel`, and launches of graphs.
    let launches = |name: &str| name.contains("LaunchKernel") || name.contains("GraphLaunch");
    let is_call = |name: &str| name.starts_with("cu") || name.starts_with("hip");
    let mut names = nodes.ids().map(|node| trace.text(nodes.name(node)));
    names.any(|name| is_call(name) && launches(name)) && accelerators(trace).is_empty()
}
