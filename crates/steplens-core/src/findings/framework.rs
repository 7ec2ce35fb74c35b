//! Which framework wrote a trace: advice uses its words.

use crate::causality::ahead::CAPTURED;
use crate::gpu::accelerators::accelerators;
use crate::gpu::captures::windows;
use crate::gpu::overhead::rows;
use crate::model::category::{GPU_PROGRAM, JAX_CALL};
use crate::model::device::{FRAMES, is_of_executor, is_of_tensors};
use crate::{Category, DeviceId, NodeId, OpId, Timestamp, Trace};
use std::collections::BTreeSet;

/// A framework.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    /// TensorFlow with graphs and sessions: `RunMetadata`.
    Graphs,
    /// TensorFlow 2.
    TensorFlow2,
    /// JAX, or another front-end of XLA.
    Jax,
    /// PyTorch.
    PyTorch,
    /// Horovod, or BytePS: phases of tensors, and no op of a framework.
    Horovod,
    /// None of these is recognised.
    Unknown,
}

/// Whether functions of Python were recorded.
pub fn has_frames(trace: &Trace) -> bool {
    trace.devices().ids().any(|id| trace.text(trace.devices().get(id).name).ends_with(FRAMES))
}

/// How many functions of Python were recorded, and how many in a millisecond of what is shown.
pub fn frames(trace: &Trace) -> (u64, u64) {
    let devices =
        trace.devices().ids().filter(|&id| trace.text(trace.devices().get(id).name).ends_with(FRAMES));
    let span = trace.span();
    let is_shown = |&op: &OpId| (span.start..=span.end).contains(&trace.ops().start(op));
    let count = devices.flat_map(|id| trace.ops_of(id)).filter(is_shown).count() as u64;
    let each = i128::from(count) * 1_000_000 / i128::from(span.length().0.max(1));
    (count, u64::try_from(each).unwrap_or_default())
}

/// Whether any operator of a backward pass was recorded: without one, the program may only be asking a model.
pub fn has_backward(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    nodes.ids().any(|node| {
        let name = trace.text(nodes.name(node));
        name.starts_with("autograd::engine") || name.contains("Backward") || name.contains("_backward")
    })
}

/// Whether XLA's profiler wrote which operations of JAX instructions were made of, and none of these is of a gradient: the program only asks a model.
pub fn has_no_gradient(trace: &Trace) -> bool {
    let forms = trace.arguments().forms();
    let of_forms = || (0..forms.len()).flat_map(|form| forms.of(form)).map(|(.., value)| value);
    let nodes = trace.nodes();
    let labels = || nodes.ids().map(|node| trace.text(nodes.label(node)));
    let any = |part: &str| of_forms().chain(labels()).any(|text| text.contains(part));
    any("jit(") && !any("transpose(") && !any("jvp(")
}

/// Whether an optimizer of PyTorch stepped that takes its parameters one by one: with `foreach` or `fused` it calls operators that take many.
pub fn steps_one_by_one(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    let names = || nodes.ids().map(|node| trace.text(nodes.name(node)));
    let takes_many = |name: &str| {
        ["aten::_foreach_", "aten::_fused_"].iter().any(|start| name.starts_with(start))
            || name.contains("multi_tensor_apply")
    };
    names().any(|name| name.starts_with("Optimizer.step#")) && !names().any(takes_many)
}

/// Whether any operator of PyTorch was recorded: without one, only kernels and calls of the driver were.
pub fn has_operators(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    let mut names = nodes.ids().map(|node| trace.text(nodes.name(node)));
    names.any(|name| name.starts_with("aten::") || name.starts_with("autograd::"))
}

/// Whether a program only called a driver, and nothing says for what: neither an operator nor any work of an accelerator was recorded.
pub fn has_only_calls(trace: &Trace) -> bool {
    let overhead: BTreeSet<OpId> = rows(trace).into_iter().collect();
    let is_none = |op: &OpId| trace.nodes().is_range(trace.ops().node(*op)) || overhead.contains(op);
    let mut work = trace.ops().ids().filter(|op| !is_none(op)).peekable();
    work.peek().is_some() && work.all(|op| trace.is_call(op))
}

/// Whether names of ops are those of an engine that answers requests: vLLM, SGLang, TensorRT-LLM.
pub fn is_of_engine(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    let mut names = nodes.ids().map(|node| trace.text(nodes.name(node)));
    names.any(|name| {
        ["vllm", "sglang", "sgl_kernel", "tensorrt_llm", "execute_model"]
            .iter()
            .any(|word| name.contains(word))
    })
}

/// Whether XLA compiled clusters of TensorFlow's ops.
pub fn runs_clusters(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    let is_one = |op_type: &str| {
        op_type.starts_with("_XlaRun") || op_type.starts_with("_XlaLaunch") || op_type == "XlaLaunch"
    };
    nodes.ids().any(|node| is_one(trace.text(nodes.op_type(node))))
}

/// Whether oneDNN carried out ops of TensorFlow, whose types say so then.
pub fn runs_onednn(trace: &Trace) -> bool {
    trace.nodes().ids().any(|node| trace.text(trace.nodes().op_type(node)).starts_with("_Mkl"))
}

/// How many programs of XLA ran, by the names of JAX's calls (`PjitFunction(f)`) or of what runs on a GPU (`jit_f:XLA GPU module`).
pub fn programs(trace: &Trace) -> usize {
    let names = || trace.nodes().ids().map(|node| trace.text(trace.nodes().name(node)));
    let calls: BTreeSet<&str> = names().filter(|name| name.starts_with(JAX_CALL)).collect();
    let modules: BTreeSet<&str> = names().filter(|name| name.ends_with(GPU_PROGRAM)).collect();
    calls.len().max(modules.len())
}

/// Whether a pipeline of TensorFlow gives the batches: an iterator, or a queue that threads fill.
pub fn has_pipeline(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    let is_one = |name: &str| {
        name.contains("IteratorGetNext") || name.starts_with("Iterator::") || name.contains(BUFFERS)
    };
    nodes.ids().any(|node| is_one(trace.text(nodes.op_type(node))) || is_one(trace.text(nodes.name(node))))
}

/// Whether ops take the next batch from a queue that threads fill, and how: `Some(true)` where ops of the scope of that queue run on a GPU, too.
pub fn takes_from_queue(trace: &Trace) -> Option<bool> {
    let nodes = trace.nodes();
    let takes = |node: &NodeId| {
        nodes.category(*node) == Category::Input
            && trace.text(nodes.op_type(*node)).starts_with("QueueDequeue")
    };
    let queues: Vec<NodeId> = nodes.ids().filter(takes).collect();
    let scopes: BTreeSet<&str> =
        queues.iter().filter_map(|&node| scope(trace.text(nodes.name(node)))).collect();
    let found = accelerators(trace);
    let mut computed = found.iter().flat_map(|one| &one.devices).flat_map(|&device| trace.ops_of(device));
    let is_of_queue = |op: OpId| {
        trace.category(op) == Category::Compute
            && scope(trace.op_name(op)).is_some_and(|scope| scopes.contains(scope))
    };
    (!queues.is_empty()).then(|| !scopes.is_empty() && computed.any(is_of_queue))
}

/// The first scope of a name.
fn scope(name: &str) -> Option<&str> {
    name.split_once('/').map(|(scope, _)| scope)
}

/// What holds batches on their way to a GPU (`tf.contrib.data.prefetch_to_device`).
const BUFFERS: &str = "BufferingResource";

/// Whether a pipeline of TensorFlow prepares batches ahead.
pub fn prefetches(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    let is_one =
        |name: &str| name.contains(BUFFERS) || name.starts_with("Iterator::") && name.contains("::Prefetch");
    nodes.ids().any(|node| is_one(trace.text(nodes.op_type(node))) || is_one(trace.text(nodes.name(node))))
}

/// How TensorFlow calls an op that waits for the next batch.
const WAITS_FOR_BATCH: &str = "IteratorGetNextOp::DoCompute";

/// Whether the last function of a pipeline runs while a step waits for its batch, for half of that time or more: it comes after what prepares ahead.
pub fn maps_while_waited_for(trace: &Trace) -> bool {
    let ops = trace.ops();
    let named = |is_it: &dyn Fn(&str) -> bool| -> Vec<OpId> {
        let is: Vec<bool> =
            trace.nodes().ids().map(|node| is_it(trace.text(trace.nodes().name(node)))).collect();
        ops.ids().filter(|&op| is[ops.node(op).index()]).collect()
    };
    let waits = named(&|name| name == WAITS_FOR_BATCH);
    if waits.is_empty() {
        return false;
    }
    let thread = |op: OpId| (trace.device_of(op), ops.thread(op));
    let threads: BTreeSet<(DeviceId, u32)> = waits.iter().map(|&op| thread(op)).collect();
    let sum = |all: &mut dyn Iterator<Item = OpId>| {
        all.map(|op| i128::from(ops.interval(op).length().0)).sum::<i128>()
    };
    let runs = named(&|name| name.starts_with(CAPTURED));
    let within = sum(&mut runs.into_iter().filter(|&op| threads.contains(&thread(op))));
    within > 0 && within * 2 >= sum(&mut waits.into_iter())
}

/// Parts of the names of what Horovod, BytePS and Bluefog do with tensors besides broadcasting them.
const OPERATIONS: [&str; 6] = ["REDUCE", "GATHER", "ALLTOALL", "PUSH", "PULL", "WIN_"];

/// How many tensors were broadcast, where a timeline whose rows are tensors has no other operation: variables, as a program begins.
pub fn only_broadcasts(trace: &Trace) -> Option<usize> {
    if Framework::of_trace(trace) != Framework::Horovod {
        return None;
    }
    let nodes = trace.nodes();
    let names: Vec<String> =
        nodes.ids().map(|node| trace.text(nodes.name(node)).to_ascii_uppercase()).collect();
    if names.iter().any(|name| OPERATIONS.iter().any(|own| name.contains(own))) {
        return None;
    }
    let broadcasts =
        trace.ops().ids().filter(|&op| names[trace.ops().node(op).index()].contains("BROADCAST"));
    let tensors: BTreeSet<(DeviceId, u32)> =
        broadcasts.map(|op| (trace.device_of(op), trace.ops().thread(op))).collect();
    (!tensors.is_empty()).then_some(tensors.len())
}

/// Whether a file has nothing but the loading of batches: what could wait for them was not recorded.
pub fn has_only_input(trace: &Trace) -> bool {
    let ran = trace.ops().ids().map(|op| trace.category(op)).filter(|&own| own != Category::Range);
    let mut ran = ran.filter(|&own| own != Category::Waiting).peekable();
    ran.peek().is_some() && ran.all(|own| own == Category::Input)
}

/// Until when a timeline whose rows are tensors only broadcasts them, where it reduces others later: until then programs start.
pub fn starts_until(trace: &Trace) -> Option<Timestamp> {
    if Framework::of_trace(trace) != Framework::Horovod {
        return None;
    }
    let (nodes, ops) = (trace.nodes(), trace.ops());
    // What is on its way, by node: a broadcast, or another operation.
    let kinds: Vec<Option<bool>> = nodes
        .ids()
        .map(|node| {
            let name = trace.text(nodes.name(node)).to_ascii_uppercase();
            let is_other = OPERATIONS.iter().any(|own| name.contains(own));
            (is_other || name.contains("BROADCAST")).then_some(is_other)
        })
        .collect();
    let first = |is_other: bool| {
        let own = ops.ids().filter(|&op| kinds[ops.node(op).index()] == Some(is_other));
        own.map(|op| ops.start(op)).min()
    };
    let reduces = first(true)?;
    first(false).filter(|&broadcasts| broadcasts < reduces).map(|_| reduces)
}

/// What Keras calls for a step (`keras/engine/training.py`).
pub(super) const STEPS_OF_KERAS: [&str; 3] = ["train_function", "test_function", "predict_function"];

/// Whether Keras called a step: the function, or what TensorFlow made of it (before 2.2 `distributed_function`).
pub fn is_keras(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    let mut names = nodes.ids().map(|node| trace.text(nodes.name(node)));
    names.any(|name| {
        let own = name.rsplit("__inference_").next().unwrap_or_default();
        STEPS_OF_KERAS.iter().chain(&["distributed_function"]).any(|step| own.starts_with(step))
    })
}

/// Whether an accelerator is called a GPU.
pub fn has_gpu(trace: &Trace) -> bool {
    accelerators(trace).iter().any(|one| one.name.to_ascii_lowercase().contains("gpu"))
}

/// CANN's call that compiles an operator while the program runs: it has no kernel for these shapes yet.
const COMPILES_ONLINE: &str = "aclopCompileAndExecute";
/// It matters from this part of the time on, as its divisor.
const LEAST_ONLINE: i64 = 10;

/// Whether Ascend's operators are compiled while the program runs, for much of the time.
pub fn compiles_online(trace: &Trace) -> bool {
    let (nodes, ops) = (trace.nodes(), trace.ops());
    let is_it: Vec<bool> =
        nodes.ids().map(|node| trace.text(nodes.name(node)).contains(COMPILES_ONLINE)).collect();
    let all = ops.ids().filter(|&op| is_it[ops.node(op).index()]);
    let time = all.fold(0_i64, |sum, op| sum.saturating_add(ops.interval(op).length().0));
    time > 0 && time.saturating_mul(LEAST_ONLINE) >= trace.span().length().0
}

/// Whether graphs of kernels, each launched by one call, have this part of all kernels or more, as its divisor. Of graphs whose kernels were not
/// recorded nobody knows how many they have: then any launch of one is enough.
pub fn graphs_launch(trace: &Trace, part: u64) -> bool {
    let nodes = trace.nodes();
    let is_graph: Vec<bool> =
        nodes.ids().map(|node| trace.text(nodes.name(node)).contains("GraphLaunch")).collect();
    if !is_graph.contains(&true) {
        return false;
    }
    let is_kernel =
        |kernel: OpId| matches!(trace.category(kernel), Category::Compute | Category::Communication);
    let kernels = trace.calls().iter().filter(|&&(kernel, _)| is_kernel(kernel));
    let (all, of_graphs) = kernels.fold((0_u64, 0_u64), |(all, of_graphs), &(_, call)| {
        (all + 1, of_graphs + u64::from(is_graph[trace.ops().node(call).index()]))
    });
    of_graphs == 0 || of_graphs.saturating_mul(part) >= all
}

/// Whether graphs of kernels were captured, from which such launches come.
pub fn captures_graphs(trace: &Trace) -> bool {
    !windows(trace).is_empty()
}

/// Whether the field that gave an op its category is that of operators in Kineto, PyTorch's profiler, whatever the program calls them.
fn is_operator_of_kineto(reason: &str) -> bool {
    ["cat=cpu_op", "cat=Operator"].iter().any(|field| {
        reason.strip_prefix(field).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    })
}

impl Framework {
    /// The word for this framework in message ids and in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Graphs => "graphs",
            Self::TensorFlow2 => "tensorflow2",
            Self::Jax => "jax",
            Self::PyTorch => "pytorch",
            Self::Horovod => "horovod",
            Self::Unknown => "unknown",
        }
    }

    /// Recognises the framework by the names of ops and devices.
    pub fn of_trace(trace: &Trace) -> Self {
        let nodes = trace.nodes();
        let (mut torch, mut jax, mut tensorflow, mut horovod) = (false, false, false, false);
        for node in nodes.ids() {
            let name = trace.text(nodes.name(node));
            // The last is in the names of its kernels, where only these were recorded.
            torch |=
                name.starts_with("aten::") || name.starts_with("autograd::") || name.contains("at::native::");
            torch |= is_operator_of_kineto(trace.text(nodes.reason(node)));
            jax |= name.starts_with("jit_") || name.starts_with("jit(") || name.starts_with("PjitFunction");
            // The latter are those of `tf.data`.
            tensorflow |= ["EagerExecute", "EagerKernelExecute"].iter().any(|own| name.starts_with(own))
                || nodes.category(node) != Category::Range && name.starts_with("Iterator::");
            let op_type = trace.text(nodes.op_type(node));
            horovod |= ["NEGOTIATE_", "PUSH_PULL", "Comm.byteps."].iter().any(|own| op_type.starts_with(own));
        }
        let names = || trace.devices().ids().map(|id| trace.text(trace.devices().get(id).name));
        match () {
            () if torch => Self::PyTorch,
            () if jax => Self::Jax,
            () if tensorflow => Self::TensorFlow2,
            () if names().any(is_of_executor) => Self::Graphs,
            () if horovod || names().any(is_of_tensors) => Self::Horovod,
            () => Self::Unknown,
        }
    }
}
