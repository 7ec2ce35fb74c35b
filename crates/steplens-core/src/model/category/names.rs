//! Names that decide a category: names of kernels, of XLA's instructions, of calls into drivers, and of input.

use super::cann;
use super::kernels::is_collective_kernel;
use super::{Category, Says};

/// XLA's copies. The next character must not be a letter: `copy.3` and `copy-start` match, `copy_fusion` does not.
const COPY_INSTRUCTIONS: [&str; 6] =
    ["copy", "async-copy", "async-start", "async-done", "slice-start", "slice-done"];
/// Prefixes of XLA's instructions that communicate.
const COMMUNICATION_INSTRUCTIONS: [&str; 8] = [
    "all-reduce",
    "all-gather",
    "reduce-scatter",
    "all-to-all",
    "collective-permute",
    "send",
    "recv",
    "barrier",
];
/// JAX's primitives that communicate, after which newer JAX names instructions. The next character must not be a letter.
const COMMUNICATION_PRIMITIVES: [&str; 10] = [
    "psum",
    "psum_invariant",
    "psum_scatter",
    "pmax",
    "pmin",
    "ppermute",
    "all_gather",
    "all_gather_invariant",
    "reduce_scatter",
    "all_to_all",
];
/// Parts of the names of calls that wait, in lower case: `cudaStreamSynchronize`, `cuEventSynchronize`, `hipStreamWaitEvent`; those of
/// SYCL's layers, too: `urQueueFinish`, `urEventWait`, `zeEventHostSynchronize`, `piEventsWait`, `clWaitForEvents`.
const WAITING_CALLS: [&str; 9] = [
    "synchronize",
    "waitevent",
    "waitonevent",
    "waitvalue",
    "waitexternal",
    "queuefinish",
    "reventwait",
    "pieventswait",
    "waitforevents",
];
/// Parts of the names of functions of CUDA and HIP that hand work to a device, in lower case: kernels, graphs and functions of the
/// host, copies, and values that a stream sets.
const HANDING_CALLS: [&str; 6] = ["launch", "memcpy", "memset", "memprefetch", "writevalue", "batchmemop"];
/// Parts of the names of calls that get memory or give it back, in lower case: `cudaMalloc`, `hipFree`, `cuMemAllocAsync`,
/// `cudaHostAlloc`, and the driver calls that reserve addresses and map memory to them.
const ALLOCATING_CALLS: [&str; 10] = [
    "malloc",
    "alloc",
    "free",
    "hostregister",
    "hostunregister",
    "memcreate",
    "memrelease",
    "memmap",
    "memunmap",
    "addressreserve",
];
/// Copies as ROCm names them: `CopyDeviceToDevice`, and the kernels that copy for it.
const ROCM_COPIES: [&str; 6] = [
    "CopyDeviceToDevice",
    "CopyHostToDevice",
    "CopyDeviceToHost",
    "CopyHostToHost",
    "__amd_rocclr_copyBuffer",
    "__amd_rocclr_fillBuffer",
];
/// Op types of what only contains the work of others: TensorFlow 2's way from Python to a kernel, whose ops may run on other threads
/// (`EagerKernelExecute` contains a whole `tf.function`), what an executor's thread does from one op to the next
/// (`ExecutorState::Process`), and a row that is called a thread.
const WRAPPERS: [&str; 8] = [
    "EagerExecute",
    "EagerLocalExecute",
    "EagerKernelExecute",
    "ExecutorState::Process",
    "TFE_Py_Execute",
    "TFE_Py_ExecuteCancelable",
    "TFE_Py_FastPathExecute_C",
    "THREAD",
];
/// TensorFlow's ops that take the next batch from a pipeline, a reader, a staging area or an infeed (its op registry: `ops.pbtxt`). Ops
/// that only make an iterator, or name it (`IteratorToStringHandle`), take none.
const BATCH_OPS: [&str; 20] = [
    "IteratorGetNext",
    "IteratorGetNextSync",
    "IteratorGetNextAsOptional",
    "MultiDeviceIteratorGetNextFromShard",
    "OptionalGetValue",
    "FunctionBufferingResourceGetNext",
    "ExperimentalFunctionBufferingResourceGetNext",
    "DatasetToSingleElement",
    "ReaderRead",
    "ReaderReadV2",
    "ReaderReadUpTo",
    "ReaderReadUpToV2",
    "RecordInput",
    "InfeedDequeue",
    "InfeedDequeueTuple",
    "Unstage",
    "MapUnstage",
    "MapUnstageNoKey",
    "OrderedMapUnstage",
    "OrderedMapUnstageNoKey",
];
/// What the events of TensorFlow 2's profiler are called that run a stage of a pipeline (`Iterator::Prefetch`), or wait for one.
const ITERATORS: [&str; 6] = [
    "Iterator",
    "OneShotIterator",
    "MultiDeviceIterator",
    "AnonymousIterator",
    "OwnedMultiDeviceIterator",
    // What SageMaker's debugger writes of a pipeline: `dataset::GetNext`.
    "dataset",
];
/// Prefixes of calls into drivers, which are followed by a capital: CUDA's runtime and driver, ROCm's, Level Zero's.
const DRIVERS: [&str; 4] = ["cuda", "cu", "hip", "hsa_"];

/// What PyTorch's RPC calls the rows that last until another process has answered (`torch/distributed/rpc/internal.py`: `RPCExecMode`), without
/// what stands behind `#`.
pub(super) const CALLS_OF_OTHERS: [&str; 4] = ["rpc_async", "rpc_async_jit", "rpc_remote", "rpc_sync"];

/// Whether `name` is one of PyTorch's operators that start a collective. A kernel, or Gloo on its own threads, carries it out.
pub(crate) fn is_collective_operator(name: &str) -> bool {
    name.starts_with("c10d::")
}

/// Whether an event called `name` carries out a collective that an operator started. `says` is what a field says about the event.
pub(crate) fn carries_collective(says: Says, name: &str) -> bool {
    match says {
        Says::Collective => true,
        Says::Kernel => is_collective_kernel(name),
        // Newer releases of PyTorch write it as an annotation.
        Says::Operator | Says::Annotation => name.starts_with("gloo:"),
        _ => false,
    }
}

/// What names with hyphens end with that say who communicates, as `grads-reduce-scatter` and `forward-send` do.
const ENDS: [&[&str]; 7] = [
    &["all", "reduce"],
    &["all", "gather"],
    &["reduce", "scatter"],
    &["all", "to", "all"],
    &["allreduce"],
    &["send"],
    &["recv"],
];

/// Whether `name`, of words with hyphens between them, ends with one of these.
pub(super) fn ends_with_communication(name: &str) -> bool {
    let ends = |wanted: &&[&str]| {
        let mut words = name.rsplit('-');
        wanted.iter().rev().all(|wanted| words.next().is_some_and(|own| own.eq_ignore_ascii_case(wanted)))
    };
    name.contains('-') && ENDS.iter().any(ends)
}

/// Words that say who communicates, in a name of words and brackets: `(dispatch) send`, `wait recv tokens`.
const SAYS: [&str; 4] = ["send", "recv", "all2all", "all_to_all"];

/// Whether one of the words of `name`, with blanks or brackets between them, is one of these.
pub(super) fn has_word_of_communication(name: &str) -> bool {
    let is_between = |own: char| matches!(own, ' ' | '(' | ')' | '[' | ']');
    let is_plain = |own: char| own.is_ascii_alphanumeric() || own == '_' || is_between(own);
    name.contains(is_between)
        && name.chars().all(is_plain)
        && name.split(is_between).any(|own| SAYS.iter().any(|word| own.eq_ignore_ascii_case(word)))
}

/// The category of the XLA instruction `name`: `%copy-start.12 = ...` is a copy.
pub(super) fn of_instruction(name: &str) -> Category {
    let name = name.split_once(" = ").map_or(name, |(name, _)| name).trim_start_matches('%');
    let is_word = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    let is = |word: &str| starts(name, word) && name.get(word.len()..).is_some_and(is_word);
    if COPY_INSTRUCTIONS.iter().any(|word| is(word)) {
        Category::Copy
    } else if COMMUNICATION_INSTRUCTIONS.iter().any(|prefix| starts(name, prefix))
        || COMMUNICATION_PRIMITIVES.iter().any(|word| is(word))
    {
        Category::Communication
    } else if is("infeed") || is("infeed-done") {
        // A TPU takes the next batch from its host, or waits until that has one.
        Category::Input
    } else if is("outfeed") {
        Category::Copy
    } else {
        Category::Compute
    }
}

/// The category of the command `name` of MTIA's control processor.
pub(super) fn of_command(name: &str) -> Category {
    match name {
        "dma_request" => Category::Copy,
        "event_wait" | "event_record" => Category::Waiting,
        _ => Category::Compute,
    }
}

/// Whether the call `name` returns only after a device has done something.
pub(super) fn is_waiting_call(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    WAITING_CALLS.iter().any(|part| lower.contains(part))
}

/// Whether the call `name` hands nothing to a device: a function of CUDA or HIP that asks, sets or makes something, such as
/// `cudaEventQuery`, `cudaGetDevice`, `cudaStreamIsCapturing`, `hipEventCreate`, `cudaGraphInstantiate`.
pub(super) fn hands_nothing(name: &str) -> bool {
    if !["cuda", "cu", "hip"].iter().any(|driver| is_function_of(driver, name)) {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    let builds_graph = lower.contains("graph") && !lower.contains("graphlaunch");
    builds_graph || lower.contains("getlaunch") || !HANDING_CALLS.iter().any(|part| lower.contains(part))
}

/// Whether the call `name` gets memory or gives it back. Calls that add such a step to a graph of kernels only record it, so they
/// do not count.
pub(super) fn is_allocating_call(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ALLOCATING_CALLS.iter().any(|part| lower.contains(part)) && !lower.contains("graph")
}

/// What hands a batch to a TPU (`tpu::System::TransferToDevice`, and `H2D Dispatch`, which first puts it in the order that the TPU wants).
const TPU_COPIES: [&str; 5] = [
    "tpu::System::TransferToDevice",
    "tpu::System::TransferToDevice=>IssueEvent",
    "H2D Dispatch",
    "XlaLinearize",
    "Linearize",
];

/// Whether `name` copies from a host to a TPU.
pub(super) fn is_tpu_copy(name: &str) -> bool {
    TPU_COPIES.contains(&name)
}

/// Whether `name` is the name of a copy, as the tracers of CUDA and ROCm write it; nvprof and Nsight in brackets: `[CUDA memcpy HtoD]`.
pub(super) fn is_copy(name: &str) -> bool {
    let name = name.strip_prefix('[').map_or(name, |name| name.strip_prefix("CUDA ").unwrap_or(name));
    ROCM_COPIES.iter().any(|copy| name.starts_with(copy)) || starts(name, "memcpy") || starts(name, "memset")
}

/// Whether ops of this type only contain the work of others: what they take says nothing of what was done.
pub fn only_wraps(op_type: &str) -> bool {
    runs_python(op_type)
        || WRAPPERS.contains(&op_type.split_once(": ").map_or(op_type, |(wrapper, _)| wrapper))
}

/// How functions of a host are called that give a program of XLA to an accelerator, or the beginnings of their names: JAX's call, and its parts in PJRT.
const STARTS_PROGRAMS: [&str; 7] = [
    "PjitFunction",
    "PJRT_LoadedExecutable_Execute",
    "Resolve constant globals",
    "Build buffer allocations",
    "MakeOutputBuffers",
    "Thunks::",
    "command_buffer::",
];

/// How names of JAX's calls begin, and how those of what runs a program of XLA on a GPU end: `PjitFunction(f)`, `jit_f:XLA GPU module`.
pub(crate) const JAX_CALL: &str = "PjitFunction(";
pub(crate) const GPU_PROGRAM: &str = ":XLA GPU module";

/// Whether a function of a host gives a program of XLA to an accelerator: `PjitFunction(f)`, `PjRtStreamExecutorLoadedExecutable::EnqueueExecution`,
/// `GpuExecutable::ExecuteThunks`, `command_buffer::update`, which writes a graph of CUDA again. What only links two threads
/// (`PJRT_LoadedExecutable_Execute linkage`) does not.
pub fn starts_program(name: &str) -> bool {
    let is_part =
        || STARTS_PROGRAMS.iter().any(|own| name.starts_with(own)) || name.contains("Executable::E");
    is_part() && !name.ends_with(" linkage")
}

/// Whether an op of this type is Python with what it calls: what PyTorch's Dynamo compiled, with its guards and wrappers.
pub fn runs_python(op_type: &str) -> bool {
    op_type.starts_with("Torch-Compiled Region")
}

/// The op with which an executor begins. Its row lasts until the executor has made ready what needs nothing before it
/// (`executor.cc`: `_SOURCE` is in every graph, and computes nothing).
pub(crate) const SOURCE: &str = "_SOURCE";
/// The op with which an executor ends: it computes nothing, either.
pub(crate) const SINK: &str = "_SINK";

/// Whether `name` is a function of an accelerator's runtime or driver: `cudaLaunchKernel`, `cuLaunchKernel`, `hipMemcpyAsync`, `Node@launch`.
pub fn is_driver_call(name: &str) -> bool {
    DRIVERS.iter().any(|driver| is_function_of(driver, name)) || cann::is_call(name)
}

/// Whether `name` begins with `driver`, and a capital follows.
fn is_function_of(driver: &str, name: &str) -> bool {
    let next = name.strip_prefix(driver).and_then(|rest| rest.chars().next());
    next.is_some_and(|next| next.is_ascii_uppercase() || driver.ends_with('_'))
}

/// Whether `name` loads the next batch: TensorFlow's ops and the stages of its pipelines, PyTorch's data loaders.
pub fn is_input(name: &str) -> bool {
    let is_stage =
        |rest: &str| rest.starts_with("::") || rest.starts_with("GetNext") || rest.ends_with("::GetNext");
    let runs_stage = || ITERATORS.iter().any(|own| name.strip_prefix(own).is_some_and(is_stage));
    // Its events of kernels are called after their classes: `IteratorGetNextOp::DoCompute`.
    let kernel = name.split_once("Op::").map_or(name, |(kernel, _)| kernel);
    BATCH_OPS.contains(&kernel) || runs_stage() || is_data_loader(name)
}

/// Whether a TensorFlow op takes the next batch from a queue that threads of input fill, or fills one. Queues of tokens, with which workers wait for
/// one another (`SyncReplicasOptimizer`), are none.
pub(super) fn uses_queue(name: &str, op_type: &str) -> bool {
    ["QueueDequeue", "QueueEnqueue"].iter().any(|own| op_type.starts_with(own))
        && !name.contains("sync_token")
}

/// Whether `name` is an event of PyTorch's data loaders.
pub fn is_data_loader(name: &str) -> bool {
    name.starts_with("enumerate(DataLoader)") || name.contains("DataLoaderIter.__next__")
}

/// Whether `text` starts with `prefix`, in any case.
pub(super) fn starts(text: &str, prefix: &str) -> bool {
    text.as_bytes().get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::is_copy;

    #[test]
    fn copies_of_every_tracer() {
        for name in
            ["Memcpy HtoD (Pageable -> Device)", "[CUDA memcpy HtoD]", "[MEMCPY] DtoH", "CopyHostToDevice"]
        {
            assert!(is_copy(name), "{name}");
        }
        assert!(!is_copy("[CUDA graph]") && !is_copy("[a] memcpy"));
    }
}
