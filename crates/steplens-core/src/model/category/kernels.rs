//! Names of kernels that communicate: by whole words, because a name is also made of what a kernel fuses, of its template's arguments, and of
//! where it keeps its numbers.
//!
//! `ncclDevKernel_AllReduce_Sum_f32` communicates. `triton_poi_fused_all_reduce_0` copies what a collective will send, `warpAllReduce` adds up
//! within a warp, and `histogram_shmem_kernel` has a histogram in shared memory.

/// Beginnings of words, in lower case: NCCL, RCCL, MSCCL and MSCCL++, HCCL and its operators, oneCCL, UCCL, NVSHMEM and its like,
/// Transformer Engine's user buffers.
const BEGINNINGS: [&str; 14] = [
    "nccl",
    "rccl",
    "msccl",
    "hccl",
    "hcom",
    "oneccl",
    "uccl",
    "nvshmem",
    "rocshmem",
    "ishmem",
    "openshmem",
    "userbuffers",
    "multimem",
    "quickreduce",
];
/// Words in a row: collectives, vLLM's own, and what dispatches to experts (DeepEP, HybridEP, pplx, MoRI).
const WORDS: [&[&str]; 21] = [
    &["all", "reduce"],
    &["allreduce"],
    &["all", "gather"],
    &["allgather"],
    &["reduce", "scatter"],
    &["reducescatter"],
    &["all", "to", "all"],
    &["alltoall"],
    &["all", "toall"],
    &["allto", "all"],
    &["all", "2", "all"],
    &["all2all"],
    &["cross", "device", "reduce"],
    &["deep", "ep"],
    &["deepep"],
    &["ep", "internode"],
    &["ep", "intranode"],
    &["hybrid", "ep"],
    &["hybridep"],
    &["pplx"],
    &["mori"],
];
/// Words before a collective that say that it is one of the threads of a single kernel.
const WITHIN_A_KERNEL: [&str; 9] =
    ["warp", "block", "wave", "wavefront", "thread", "lane", "subgroup", "quad", "cta"];

/// What the names of kernels contain that compute the mean of a batch, as batch norm does in training: of cuDNN, PyTorch, MIOpen. Redacted ones keep the first.
pub(crate) const TRAINING_NORM: [&str; 3] =
    ["bn_fw_tr", "batch_norm_collect_statistics", "BatchNormFwdTrain"];

/// Whether the kernel `name` is of batch norm in training.
pub(crate) fn is_training_norm(name: &str) -> bool {
    TRAINING_NORM.iter().any(|part| name.contains(part))
}

/// Whether the kernel `name` belongs to a collective, or moves data between GPUs.
pub fn is_collective_kernel(name: &str) -> bool {
    // Inductor names a kernel after what it fuses, also after a collective that it copies for.
    if name.starts_with("triton_") {
        return false;
    }
    let mut last: [&str; 4] = [""; 4];
    for word in Words::of(name) {
        last.rotate_left(1);
        last[3] = word;
        let begins = |beginning: &&str| {
            word.as_bytes()
                .get(..beginning.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(beginning.as_bytes()))
        };
        if BEGINNINGS.iter().any(begins) {
            return true;
        }
        let ends_here = |wanted: &&[&str]| {
            let own = &last[4 - wanted.len()..];
            own.iter().zip(*wanted).all(|(word, wanted)| word.eq_ignore_ascii_case(wanted))
        };
        if let Some(found) = WORDS.iter().find(|wanted| ends_here(wanted)) {
            let before = last.get(3_usize.wrapping_sub(found.len())).copied().unwrap_or_default();
            let is_within = WITHIN_A_KERNEL.iter().any(|word| before.eq_ignore_ascii_case(word));
            if !is_within {
                return true;
            }
        }
    }
    false
}

/// The words of a name, as [`Words`] divides it.
pub(crate) fn words(name: &str) -> impl Iterator<Item = &str> {
    Words::of(name)
}

/// The words of a name: `ncclDevKernel_AllReduce` is `nccl`, `Dev`, `Kernel`, `All`, `Reduce`; numbers are words of their own, but where they
/// stand between small letters, as in `all2all`.
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn of(name: &'a str) -> Self {
        Self { rest: name }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.rest.as_bytes();
        let start = bytes.iter().position(u8::is_ascii_alphanumeric)?;
        let mut end = start + 1;
        while let Some(&next) = bytes.get(end) {
            let before = bytes[end - 1];
            let after = bytes.get(end + 1).copied().unwrap_or(b' ');
            let goes_on = match (before, next) {
                (b'a'..=b'z', b'a'..=b'z') | (b'0'..=b'9', b'0'..=b'9') => true,
                (b'A'..=b'Z', b'a'..=b'z') => true,
                // Of capitals in a row the last one begins the next word: `NCCLKernel`.
                (b'A'..=b'Z', b'A'..=b'Z') => !after.is_ascii_lowercase(),
                (b'a'..=b'z', b'0'..=b'9') => after.is_ascii_lowercase(),
                (b'0'..=b'9', b'a'..=b'z') => end >= start + 2 && bytes[end - 2].is_ascii_lowercase(),
                _ => false,
            };
            if !goes_on {
                break;
            }
            end += 1;
        }
        let word = self.rest.get(start..end)?;
        self.rest = self.rest.get(end..)?;
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_say_that_a_kernel_communicates() {
        for name in [
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)",
            "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)",
            "NCCLKernel",
            "void vllm::cross_device_reduce_1stage<float, 8>(RankData*)",
            "void aiter::cross_device_reduce_2stage",
            "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport",
            "void tensorrt_llm::kernels::oneShotAllReduceKernel<float>",
            "two_shot_all_reduce_kernel",
            "multimem_all_reduce_kernel",
            "void userbuffers_fp16_sum_inplace_gpu_rr_rs_oop<8>(int, int, int)",
            "void hybrid_ep::dispatch_kernel<4>(x)",
            "void deep_ep::internode_ll::dispatch<true>",
            "void dpsk::ep::internode::combine<true, __nv_bfloat16>",
            "void pplx::dispatch_kernel",
            "all2all_dispatch_kernel",
            "void quickreduce::allreduce_prototype_twoshot",
            "nvshmemi_transfer_rma",
            "void moe_alltoall_kernel",
            "hcom_allReduce__001",
            "mscclKernel_Sum_float_Simple",
        ] {
            assert!(is_collective_kernel(name), "{name}");
        }
    }

    #[test]
    fn parts_of_words_and_fused_names_do_not() {
        for name in [
            "triton_poi_fused_all_reduce_0",
            "triton_red_fused__to_copy_all_reduce_mean_mul_1",
            "triton_tem_fused_all_gather_into_tensor_3",
            "void histogram_shmem_kernel<float>(float*, int)",
            "void softmax_warpAllReduce<float>",
            "block_all_reduce_kernel",
            "void BlockAllReduceMax<float>",
            "ampere_sgemm_128x64_nn",
            "void small_reduce_kernel",
            "overallReduce",
            "gather_scatter_all",
            "reduce_all_gathered",
            "",
            "é_all",
        ] {
            assert!(!is_collective_kernel(name), "{name}");
        }
    }
}
