//! What was recorded besides a finding: advice depends on it, and names nothing that was done already.

use steplens_core::Trace;
use steplens_core::findings::compiled::{has_fused_kernels, is_compiled, is_only_traced};
use steplens_core::findings::done::{
    capability, copies_from_pinned, copies_on_own_stream, keeps_channels_last, runs_nccl,
};
use steplens_core::findings::framework::{
    Framework, captures_graphs, compiles_online, frames, graphs_launch, has_backward, has_frames, has_gpu,
    has_no_gradient, has_only_calls, has_operators, has_pipeline, is_keras, is_of_engine,
    maps_while_waited_for, prefetches, programs, runs_clusters, runs_onednn, steps_one_by_one,
    takes_from_queue,
};
use steplens_core::findings::{Finding, Rule};
use steplens_core::gpu::unrecorded::is_gpu_unrecorded;
use steplens_core::model::capability::Capability;

/// What advice depends on besides its finding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorded {
    pub(super) framework: Framework,
    /// Whether functions of Python were recorded.
    pub(super) has_frames: bool,
    /// How many of these, and how many in a millisecond.
    pub(super) frames: (u64, u64),
    /// Whether a backward pass was recorded.
    pub(super) has_backward: bool,
    /// Whether operations of JAX were recorded, and none of a gradient.
    pub(super) has_no_gradient: bool,
    /// Whether XLA compiled some of the ops.
    pub(super) runs_clusters: bool,
    /// Whether all that ran is one program of XLA.
    pub(super) is_one_program: bool,
    /// Whether an optimizer takes its parameters one by one.
    pub(super) steps_one_by_one: bool,
    /// Whether graphs launch a quarter of the kernels or more.
    pub(super) has_graphs: bool,
    /// Whether they launch half of them or more.
    pub(super) is_mostly_graphs: bool,
    /// Whether graphs are captured.
    pub(super) captures: bool,
    /// Whether operators of the framework were recorded.
    pub(super) has_operators: bool,
    /// Whether nothing but calls of a driver was recorded.
    pub(super) has_only_calls: bool,
    /// Whether an engine that answers requests ran.
    pub(super) is_engine: bool,
    /// Whether any accelerator is called a GPU.
    pub(super) has_gpu: bool,
    /// Whether a GPU ran what is missing.
    pub(super) is_gpu_unrecorded: bool,
    /// Whether Ascend's operators are compiled while the program runs.
    pub(super) compiles_online: bool,
    /// Whether code ran that `torch.compile` compiled.
    pub(super) is_compiled: bool,
    /// Whether a pipeline of TensorFlow gives the batches.
    pub(super) has_pipeline: bool,
    /// Whether that pipeline prepares batches ahead.
    pub(super) prefetches: bool,
    /// Whether a queue gives the batches, and a GPU runs ops that fill it.
    pub(super) queue: Option<bool>,
    /// Whether the last function of a pipeline runs while a step waits for its batch.
    pub(super) maps_last: bool,
    /// Whether Keras called the steps.
    pub(super) is_keras: bool,
    /// Whether memory of the driver is got and freed again and again.
    pub(super) gives_back: bool,
    /// Whether code was traced for a compiler that did not make its kernels.
    pub(super) is_only_traced: bool,
    /// Whether kernels of a compiler ran.
    pub(super) has_fused: bool,
    /// Whether oneDNN carried out ops of TensorFlow.
    pub(super) runs_onednn: bool,
    /// Whether NCCL carried out collectives.
    pub(super) runs_nccl: bool,
    /// Whether convolutions keep channels last.
    pub(super) keeps_channels_last: bool,
    /// Whether copies to a GPU are from pinned memory.
    pub(super) copies_from_pinned: bool,
    /// Whether copies have a stream of their own.
    pub(super) copies_on_own_stream: bool,
    /// The compute capability of all GPUs, if they have the same.
    pub(super) capability: Option<Capability>,
}

impl Recorded {
    pub(super) fn of(trace: &Trace, framework: Framework) -> Self {
        Self {
            framework,
            has_frames: has_frames(trace),
            frames: frames(trace),
            has_backward: has_backward(trace),
            has_no_gradient: has_no_gradient(trace),
            runs_clusters: runs_clusters(trace),
            is_one_program: programs(trace) == 1,
            steps_one_by_one: steps_one_by_one(trace),
            has_graphs: graphs_launch(trace, 4),
            is_mostly_graphs: graphs_launch(trace, 2),
            captures: captures_graphs(trace),
            has_operators: has_operators(trace),
            has_only_calls: has_only_calls(trace),
            is_engine: is_of_engine(trace),
            has_gpu: has_gpu(trace),
            is_gpu_unrecorded: is_gpu_unrecorded(trace),
            compiles_online: compiles_online(trace),
            is_compiled: is_compiled(trace),
            has_pipeline: has_pipeline(trace),
            prefetches: prefetches(trace),
            queue: takes_from_queue(trace),
            maps_last: maps_while_waited_for(trace),
            is_keras: is_keras(trace),
            gives_back: false,
            is_only_traced: is_only_traced(trace),
            has_fused: has_fused_kernels(trace),
            runs_onednn: runs_onednn(trace),
            runs_nccl: runs_nccl(trace),
            keeps_channels_last: keeps_channels_last(trace),
            copies_from_pinned: copies_from_pinned(trace),
            copies_on_own_stream: copies_on_own_stream(trace),
            capability: capability(trace),
        }
    }
}

impl Recorded {
    /// The same, next to all that was found.
    pub(super) fn with(self, found: &[Finding]) -> Self {
        let is_it = |own: &Finding| own.rule == Rule::Allocator && own.facts.of == 0;
        // Such an optimizer is not PyTorch's: it has no argument that fuses it.
        let is_own = |own: &Finding| own.rule == Rule::OptimizerStep && own.facts.other.is_empty();
        let steps_one_by_one = self.steps_one_by_one && !found.iter().any(is_own);
        Self { gives_back: found.iter().any(is_it), steps_one_by_one, ..self }
    }
}
