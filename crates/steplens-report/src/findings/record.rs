//! What to record to learn more: what this recording lacks, in the words of its framework.

use crate::figures::count;
use steplens_core::doctor::are_kernels_lost;
use steplens_core::findings::framework::{Framework, has_frames, has_only_calls, has_operators, is_keras};
use steplens_core::findings::passes::passes;
use steplens_core::findings::rounds::Rounds;
use steplens_core::gpu::accelerators::{accelerators, working_units};
use steplens_core::gpu::overhead::counted_ranges;
use steplens_core::gpu::unrecorded::{is_gpu_unrecorded, is_tpu_unrecorded};
use steplens_core::model::arguments::Noun;
use steplens_core::{Category, Study, Trace};
use steplens_messages::{listed, say};

/// The options and parts that are missing, as a sentence; nothing if nothing is. `is_unrecorded` says that the ops of a GPU are.
pub(super) fn of(study: &Study, framework: Framework, is_unrecorded: bool) -> Option<String> {
    let trace = study.trace();
    let is_marked = trace.parts().iter().any(|part| part.step.is_some());
    let is_one = study.steps() < 2;
    let missing = |is_missing: bool, what: &'static str| is_missing.then_some(what);
    let is_empty = study.counted().next().is_none();
    if framework == Framework::PyTorch
        && is_gpu_unrecorded(trace)
        && are_kernels_lost(trace)
        && counted_ranges(trace).is_empty()
    {
        return Some(say!("record-kernels-lost").to_owned());
    }
    let passes = match framework {
        Framework::PyTorch if is_one && !is_marked => passes(trace),
        _ => None,
    };
    let passes = passes.map(|passes| say!("record-marks-pytorch", count = count(passes)));
    let parts = match framework {
        // Functions of Python alone: PyTorch's profiler records them without saying that it did.
        Framework::Unknown if is_empty && has_frames(trace) => {
            [missing(true, say!("record-operators")), None, None]
        }
        Framework::Unknown if has_only_calls(trace) => [missing(true, say!("record-operators")), None, None],
        Framework::PyTorch if is_gpu_unrecorded(trace) => [missing(true, say!("record-kernels")), None, None],
        Framework::PyTorch if !has_operators(trace) => [missing(true, say!("record-operators")), None, None],
        Framework::PyTorch => [
            missing(!has_shapes(trace), say!("record-shapes")),
            missing(!has_frames(trace), say!("record-stack")),
            missing(is_one && passes.is_none(), say!("record-steps-pytorch")),
        ],
        Framework::Graphs => [
            missing(trace.graph().is_empty(), say!("record-partition-graphs")),
            missing(is_one, say!("record-steps-graphs")),
            None,
        ],
        Framework::TensorFlow2 => [
            missing(
                !is_marked,
                if is_keras(trace) { say!("record-marks-keras") } else { say!("record-marks-tensorflow2") },
            ),
            missing(!has_frames(trace), say!("record-frames-tensorflow2")),
            missing(is_marked && is_one, say!("record-steps")),
        ],
        Framework::Jax => [
            missing(!is_marked, say!("record-marks-jax")),
            missing(!has_frames(trace), say!("record-frames-jax")),
            missing(is_marked && is_one, say!("record-steps")),
        ],
        // Bluefog's timelines have what a model computes, too.
        Framework::Horovod if has_compute(trace) => {
            let has_rounds = !Rounds::of(trace).as_slice().is_empty();
            let steps = missing(is_one && !has_rounds, say!("record-steps"));
            [steps, missing(true, say!("record-all-tasks")), None]
        }
        Framework::Horovod => [missing(true, say!("record-rank-horovod")), None, None],
        Framework::Unknown if is_tpu_unrecorded(trace) => [missing(true, say!("record-tpu")), None, None],
        Framework::Unknown => {
            // Several devices that compute may be all ranks.
            let several = match accelerators(trace).len() {
                0 => working_units(trace),
                number => number,
            };
            let tasks = missing(several < 2, say!("record-all-tasks"));
            [missing(is_one, say!("record-steps")), tasks, None]
        }
    };
    // What a GPU did says more than all of that.
    let gpu = (framework == Framework::TensorFlow2 && is_unrecorded).then(|| say!("record-gpu").to_owned());
    let parts: Vec<String> =
        gpu.into_iter().chain(parts.into_iter().flatten().map(str::to_owned)).chain(passes).collect();
    (!parts.is_empty()).then(|| say!("findings-record", parts = listed(parts)))
}

fn has_compute(trace: &Trace) -> bool {
    trace.nodes().ids().any(|node| trace.nodes().category(node) == Category::Compute)
}

/// Whether shapes of operators were recorded.
fn has_shapes(trace: &Trace) -> bool {
    let forms = trace.arguments().forms();
    (0..forms.len()).any(|form| forms.of(form).any(|(name, ..)| Noun::of(name) == Some(Noun::Shapes)))
}
