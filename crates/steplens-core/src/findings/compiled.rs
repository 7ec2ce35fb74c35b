//! Whether code ran that `torch.compile` compiled. It traces code for a backend, and not every backend makes kernels: with `aot_eager` PyTorch's own
//! ones run, though operators are called `CompiledFunction`.

use crate::Trace;
use crate::gpu::accelerators::accelerators;

/// What runs where Inductor compiled a function (`torch/_inductor/output_code.py`).
const INDUCTOR: &str = "## Call CompiledFxGraph";
/// What runs where a function was traced for any backend (`torch/_dynamo/eval_frame.py`, `torch/_functorch/_aot_autograd`).
const TRACED: [&str; 2] = ["Torch-Compiled Region", "CompiledFunction"];
/// How kernels that Inductor makes begin.
const FUSED: &str = "triton_";

fn has(trace: &Trace, starts: &[&str]) -> bool {
    let nodes = trace.nodes();
    nodes.ids().any(|node| starts.iter().any(|own| trace.text(nodes.name(node)).starts_with(own)))
}

/// Whether kernels ran that a compiler of PyTorch made.
pub fn has_fused_kernels(trace: &Trace) -> bool {
    has(trace, &[FUSED])
}

/// Whether code ran that `torch.compile` compiled.
pub fn is_compiled(trace: &Trace) -> bool {
    (has(trace, &TRACED) || has(trace, &[INDUCTOR])) && !is_only_traced(trace)
}

/// Whether code was traced for a compiler, and no kernel of an accelerator is one that a compiler made.
pub fn is_only_traced(trace: &Trace) -> bool {
    let has_work = accelerators(trace).iter().any(|one| {
        let mut work = one.unrepeated(trace).flat_map(|device| trace.ops_of(device));
        work.any(|op| !trace.nodes().is_range(trace.ops().node(op)))
    });
    has(trace, &TRACED) && !has(trace, &[INDUCTOR, FUSED]) && has_work
}
