//! Calls of Ascend's CANN, as its profiler names them: a layer and a function, `AscendCL@aclrtSynchronizeStreamWithTimeout`.
//!
//! What functions of AscendCL do, their reference says (hiascend.com, AscendCL API: synchronization, memory management, execution of
//! operators and of models). The functions of the other layers are the profiler's own words: `Node@launch` is one task that is handed to the
//! NPU, `Hccl@Launch_Ffts` those of a collective, `Runtime@StreamSynchronize` what a call of AscendCL asks the runtime for.

use super::Category;

/// The layers of CANN.
const LAYERS: [&str; 7] = ["AscendCL", "Runtime", "Node", "Model", "GE", "Hccl", "HCCL"];

/// Beginnings of functions, and what these do; the first that fits counts. All others ask, describe or prepare something: tensors and
/// attributes (`aclCreateTensorDesc`), events (`aclrtRecordEvent`), how a kernel is tiled.
const FUNCTIONS: [(&str, Category); 32] = [
    // The engine of graphs runs one, and returns when the NPU is done.
    ("Infer", Category::Waiting),
    // `aclrtSynchronizeStream`, `…Device`, `…Event`, and the same `…WithTimeout`.
    ("aclrtSynchronize", Category::Waiting),
    // A stream waits, and the host goes on, as with `cudaStreamWaitEvent`.
    ("aclrtStreamWaitEvent", Category::Waiting),
    ("StreamWaitEvent", Category::Waiting),
    ("StreamSynchronize", Category::Waiting),
    ("DeviceSynchronize", Category::Waiting),
    ("EventSynchronize", Category::Waiting),
    // `aclrtMalloc`, `…Host`, `…Physical`, `…Align32`, and their counterparts.
    ("aclrtMalloc", Category::Allocation),
    ("aclrtFree", Category::Allocation),
    ("aclrtReserveMemAddress", Category::Allocation),
    ("aclrtReleaseMemAddress", Category::Allocation),
    ("aclrtMapMem", Category::Allocation),
    ("aclrtUnmapMem", Category::Allocation),
    ("aclrtHostRegister", Category::Allocation),
    ("aclrtHostUnregister", Category::Allocation),
    ("Malloc", Category::Allocation),
    ("Free", Category::Allocation),
    ("DevMalloc", Category::Allocation),
    ("DevFree", Category::Allocation),
    ("aclrtMemcpy", Category::Launch),
    ("aclrtMemset", Category::Launch),
    ("aclrtLaunch", Category::Launch),
    ("aclopCompileAndExecute", Category::Launch),
    ("aclopExecute", Category::Launch),
    ("aclmdlExecute", Category::Launch),
    ("aclnn", Category::Launch),
    ("hcom_", Category::Launch),
    ("Hccl", Category::Launch),
    ("launch", Category::Launch),
    ("Launch", Category::Launch),
    ("KernelLaunch", Category::Launch),
    ("Memcpy", Category::Launch),
];

/// The function of the call `name`, if that is one of CANN's.
fn function(name: &str) -> Option<&str> {
    let (layer, function) = name.split_once('@')?;
    let is_plain = function.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (LAYERS.contains(&layer) && !function.is_empty() && is_plain).then_some(function)
}

/// Whether `name` is a call of CANN.
pub(crate) fn is_call(name: &str) -> bool {
    function(name).is_some()
}

/// What the call `name` of CANN does; `None` for what is no such call.
pub(super) fn category(name: &str) -> Option<Category> {
    let function = function(name)?;
    // The first of the two calls of an operator: it only says how much memory the second one needs.
    if function.ends_with("GetWorkspaceSize") {
        return Some(Category::Compute);
    }
    // The runtime's functions are called with and without this: `rtStreamSynchronize`.
    let function = function.strip_prefix("rt").unwrap_or(function);
    let known = FUNCTIONS.iter().find(|(begins, _)| function.starts_with(begins));
    Some(known.map_or(Category::Compute, |&(_, category)| category))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_cann_wait_launch_or_allocate() {
        for (name, is) in [
            ("AscendCL@aclrtSynchronizeStreamWithTimeout", Category::Waiting),
            ("AscendCL@aclrtSynchronizeDevice", Category::Waiting),
            ("Runtime@rtStreamSynchronize", Category::Waiting),
            ("Runtime@StreamSynchronize", Category::Waiting),
            ("AscendCL@aclrtStreamWaitEvent", Category::Waiting),
            ("AscendCL@aclrtMallocHost", Category::Allocation),
            ("AscendCL@aclrtFree", Category::Allocation),
            ("GE@Infer", Category::Waiting),
            ("Node@launch", Category::Launch),
            ("Hccl@Launch_Ffts", Category::Launch),
            ("AscendCL@aclnnInplaceRelu", Category::Launch),
            ("AscendCL@aclnnInplaceReluGetWorkspaceSize", Category::Compute),
            ("AscendCL@hcom_allReduce_", Category::Launch),
            ("AscendCL@aclrtMemcpyAsync", Category::Launch),
            ("AscendCL@aclrtRecordEvent", Category::Compute),
            ("AscendCL@aclCreateTensorDesc", Category::Compute),
        ] {
            assert_eq!(category(name), Some(is), "{name}");
        }
        for name in ["Dequeue@aclnnMuls", "launch", "Node@", "Node@a b", "aten::mm", "user@Runtime"] {
            assert!(!is_call(name) && category(name).is_none(), "{name}");
        }
    }
}
