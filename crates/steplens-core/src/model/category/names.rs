//! Names that decide a category: of kernels, XLA's instructions, calls into drivers, and input.

use super::{Category, Says};

/// What the names of kernels that communicate hold, in lower case: NCCL's, RCCL's, PyTorch's and vLLM's own, NVSHMEM's, DeepEP's.
const COLLECTIVE_KERNELS: [&str; 16] = [
    "nccl",
    "rccl",
    "multimem",
    "cross_device_reduce",
    "allreduce",
    "all_reduce",
    "allgather",
    "all_gather",
    "reducescatter",
    "reduce_scatter",
    "alltoall",
    "all_to_all",
    "allto_all",
    "all_toall",
    "shmem",
    "deep_ep",
];
/// XLA's copies; what follows the word is no letter: `copy.3`, `copy-start`, and not `copy_fusion`.
const COPY_INSTRUCTIONS: [&str; 6] =
    ["copy", "async-copy", "async-start", "async-done", "slice-start", "slice-done"];
/// How XLA's instructions that communicate start.
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
/// Parts of the names of calls that wait, in lower case: `cudaStreamSynchronize`, `cuEventSynchronize`, `hipStreamWaitEvent`.
const WAITING_CALLS: [&str; 5] = ["synchronize", "waitevent", "waitonevent", "waitvalue", "waitexternal"];
/// Parts of the names of calls that get memory or give it back, in lower case: `cudaMalloc`, `hipFree`, `cuMemAllocAsync`,
/// `cudaHostAlloc`, and those of the driver that reserve addresses and put memory behind them.
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
/// How the names of calls into drivers start, which a capital follows: CUDA's runtime and driver, ROCm's, Level Zero's.
const DRIVERS: [&str; 4] = ["cuda", "cu", "hip", "hsa_"];

/// Whether the kernel `name` is one of a collective.
pub fn is_collective_kernel(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    COLLECTIVE_KERNELS.iter().any(|part| lower.contains(part))
}

/// Whether `name` is that of PyTorch's operators that ask for a collective; a kernel, or Gloo on threads of its own, carries it out.
pub(crate) fn is_collective_operator(name: &str) -> bool {
    name.starts_with("c10d::")
}

/// Whether an event called `name`, of which a field says `says`, carries out a collective that an operator asked for.
pub(crate) fn carries_collective(says: Says, name: &str) -> bool {
    match says {
        Says::Kernel => is_collective_kernel(name),
        Says::Operator => name.starts_with("gloo:"),
        _ => false,
    }
}

/// What the instruction `name` of XLA does: `%copy-start.12 = ...` is a copy.
pub(super) fn of_instruction(name: &str) -> Category {
    let name = name.split_once(" = ").map_or(name, |(name, _)| name).trim_start_matches('%');
    let is_word = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    let is = |word: &str| starts(name, word) && name.get(word.len()..).is_some_and(is_word);
    if COPY_INSTRUCTIONS.iter().any(|word| is(word)) {
        Category::Copy
    } else if COMMUNICATION_INSTRUCTIONS.iter().any(|prefix| starts(name, prefix)) {
        Category::Communication
    } else {
        Category::Compute
    }
}

/// What the command `name` of MTIA's control processor does.
pub(super) fn of_command(name: &str) -> Category {
    match name {
        "dma_request" => Category::Copy,
        "event_wait" | "event_record" => Category::Waiting,
        _ => Category::Compute,
    }
}

/// Whether the call `name` returns only when a device has done something.
pub(super) fn is_waiting_call(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    WAITING_CALLS.iter().any(|part| lower.contains(part))
}

/// Whether the call `name` gets memory or gives it back. Calls that put such a step into a graph of kernels only write it down.
pub(super) fn is_allocating_call(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ALLOCATING_CALLS.iter().any(|part| lower.contains(part)) && !lower.contains("graph")
}

/// Whether `name` is that of a copy, as CUDA's and ROCm's tracers write it.
pub(super) fn is_copy(name: &str) -> bool {
    ROCM_COPIES.iter().any(|copy| name.starts_with(copy)) || starts(name, "memcpy") || starts(name, "memset")
}

/// Whether `name` is that of a function of a GPU's runtime or driver: `cudaLaunchKernel`, `cuLaunchKernel`, `hipMemcpyAsync`.
pub fn is_driver_call(name: &str) -> bool {
    DRIVERS.iter().any(|driver| {
        let rest = name.strip_prefix(driver);
        rest.and_then(|rest| rest.chars().next())
            .is_some_and(|next| next.is_ascii_uppercase() || driver.ends_with('_'))
    })
}

/// Whether `name` says that the next batch is got: TensorFlow's iterators, PyTorch's data loaders.
pub fn is_input(name: &str) -> bool {
    let is_iterator =
        ["Iterator", "OneShotIterator", "MultiDeviceIterator", "AnonymousIterator", "MakeIterator"]
            .iter()
            .any(|prefix| name.strip_prefix(prefix).is_some_and(is_end_of_word));
    is_iterator || is_data_loader(name)
}

/// Whether `name` is that of an event of PyTorch's data loaders.
pub fn is_data_loader(name: &str) -> bool {
    name.starts_with("enumerate(DataLoader)") || name.contains("DataLoaderIter.__next__")
}

/// Whether what follows a word begins another: `GetNext`, `::Batch`, `V2`, or nothing.
fn is_end_of_word(rest: &str) -> bool {
    !rest.starts_with(|next: char| next.is_ascii_lowercase())
}

/// Whether `text` starts with `prefix`, in any case.
pub(super) fn starts(text: &str, prefix: &str) -> bool {
    text.as_bytes().get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix.as_bytes()))
}
