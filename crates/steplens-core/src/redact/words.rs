//! Words that stay in redacted texts, because figures read them or because they are the same in all traces.

use crate::model::category::JAX_CALL;

/// The first scope of the nodes that `TensorFlow` makes for gradients.
pub(super) const GRADIENTS: &str = "gradients";
/// The beginning of the names of Horovod's phases in which ranks negotiate a tensor.
pub(super) const NEGOTIATION: &str = "NEGOTIATE_";
/// Horovod's phases (`horovod/common/common.h`): by them figures know what tensors wait for.
pub(super) const PHASES: [&str; 24] = [
    "ALLGATHER",
    "ALLREDUCE",
    "ALLTOALL",
    "BROADCAST",
    "INIT_FUSION_BUFFER",
    "INIT_NCCL",
    "MEMCPY_IN_FUSION_BUFFER",
    "MEMCPY_OUT_FUSION_BUFFER",
    "MPI_ALLGATHER",
    "MPI_ALLREDUCE",
    "MPI_ALLTOALL",
    "MPI_BCAST",
    "NCCL_ALLGATHER",
    "NCCL_ALLREDUCE",
    "NCCL_ALLTOALL",
    "NCCL_BCAST",
    "NCCL_REDUCESCATTER",
    "NEGOTIATE_ALLGATHER",
    "NEGOTIATE_ALLREDUCE",
    "NEGOTIATE_ALLTOALL",
    "NEGOTIATE_BROADCAST",
    "QUEUE",
    "WAIT_FOR_DATA",
    "WAIT_FOR_OTHER_TENSOR_DATA",
];
/// The beginnings of the names of calls of functions of `TensorFlow` 2, and of JAX: where nothing marks steps, the former are; the latter tell programs apart.
pub(super) const FUNCTIONS: [&str; 2] = ["EagerExecute: __inference_", JAX_CALL];
/// Suffixes of names that mark the value of a variable, including the slash.
pub(super) const READS: [&str; 3] = ["/Read/ReadVariableOp", "/ReadVariableOp", "/read"];
/// Names that `TensorFlow` and XLA themselves give to nodes, and Keras to its steps.
pub(super) const NODES: [&str; 19] = [
    "H2D Dispatch",
    "Linearize",
    "XlaLinearize",
    "tpu::System::TransferToDevice",
    "tpu::System::TransferToDevice=>IssueEvent",
    "command_buffer::update",
    "ExecutorState::Process",
    "FunctionRun",
    "InstantiatedCapturedFunction::Run",
    "InstantiatedCapturedFunction::RunAsync",
    "InstantiatedCapturedFunction::RunInstantiated",
    "InstantiatedCapturedFunction::RunWithBorrowedArgs",
    "RecvTensor",
    "_SOURCE",
    "_SINK",
    "unknown",
    "train_function",
    "test_function",
    "predict_function",
];

/// Keys in labels of host events, and the values of one of them.
pub(super) const HOST_LABELS: [&str; 6] = ["iter_num", "async", "true", "false", "from", "to"];

/// Parts of names of devices and threads, in lower case.
pub(super) const DEVICES: [&str; 38] = [
    "all",
    "context",
    "core",
    "cpu",
    "cuda",
    "device",
    "frames",
    "framework",
    "gpu",
    "hip",
    "hlo",
    "host",
    "job",
    "kernel",
    "launch",
    "line",
    "memcpy",
    "memset",
    "modules",
    "name",
    "null",
    "ops",
    "process",
    "replica",
    "rocm",
    "scope",
    "sparsecore",
    "steps",
    "stream",
    "sync",
    "task",
    "tensorcore",
    "thread",
    "threads",
    "tpu",
    "xla",
    "xla_cpu",
    "xla_gpu",
];
/// Kinds at the end of a device's name, which stay though the rest of the word is hidden.
pub(super) const KINDS: [&str; 3] = ["cpu", "gpu", "tpu"];

/// Parts of names of allocators, in lower case.
pub(super) const ALLOCATORS: [&str; 19] = [
    "addresses",
    "allocator",
    "async",
    "bfc",
    "cpu",
    "cuda",
    "gpu",
    "hip",
    "host",
    "malloc",
    "mkl",
    "mklcpu",
    "mps",
    "no",
    "pinned",
    "tpu",
    "unknown",
    "xla",
    "xpu",
];

/// Words in labels of kernels and copies that are followed by numbers.
pub(super) const DETAILS: [&str; 17] = [
    "async",
    "block",
    "bytes",
    "dest",
    "device",
    "dynamic_shared",
    "grid",
    "id",
    "kind",
    "kind_dst",
    "kind_src",
    "num_values",
    "occ_pct",
    "regs",
    "size",
    "src",
    "static_shared",
];
/// Words that are values in such labels, in lower case.
pub(super) const VALUES: [&str; 12] = [
    "array",
    "device",
    "host",
    "managed",
    "pageable",
    "peer",
    "pinned",
    "registered",
    "static",
    "stream",
    "unified",
    "unknown",
];
/// Names of facts about runs.
pub(super) const FACTS: [&str; 6] = ["feeds", "fetches", "host", "runs", "session", "targets"];
/// Endings of file names by format.
pub(super) const EXTENSIONS: [&str; 15] = [
    "ctf", "gz", "json", "pb", "pbtxt", "pickle", "pkl", "profile", "steplens", "trace", "txt", "xplane",
    "xz", "zst", "html",
];

/// Whether `text` is the name of a Python program: `python3`, `python3.10`.
pub(super) fn is_python(text: &str) -> bool {
    let version = text.get(..6).filter(|head| head.eq_ignore_ascii_case("python")).and(text.get(6..));
    version.is_some_and(|version| {
        version.len() <= MOST_DIGITS && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

/// Whether `text` is a part of the name of a stream in TensorFlow 1.14 to 2.0: `context#0`, `stream#1`, `null stream`, `Kernel`,
/// `MemcpyDtoH`. Or of one from 2.1 on: `14<MemcpyH2D>`.
pub(super) fn is_of_stream(text: &str) -> bool {
    let numbered = |word: &str| text.strip_prefix(word).is_some_and(is_number);
    let copies = |word: &str| {
        let kinds = word.strip_prefix("Memcpy").map(str::as_bytes);
        matches!(kinds, Some([_, b't', b'o', _] | [_, b'2', _]))
    };
    let angled = text.strip_suffix('>').and_then(|rest| rest.split_once('<'));
    numbered("context#")
        || numbered("stream#")
        || copies(text)
        || angled.is_some_and(|(number, word)| is_number(number) && copies(word))
}

/// Whether `text` is one of `words`, in any case.
pub(super) fn is_one(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Whether `text` is a number that stays, which must have few digits.
pub(super) fn is_number(text: &str) -> bool {
    (1..=MOST_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Numbers with more digits (dates, telephone numbers, ids of customers) are hidden.
pub(super) const MOST_DIGITS: usize = 6;
