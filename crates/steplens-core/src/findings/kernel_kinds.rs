//! What kernels of accelerators calculate, by their names: of a recording whose time is that of its GPU, these are the step. Names of op types say it
//! where TensorFlow wrote them (`Conv2D`); those of libraries where only the kernel is known: cuBLAS, cuDNN, CUTLASS, Tensile, MIOpen, FlashAttention.
//! A name that says nothing has no kind.

use super::finding::{KernelKind, OpKind};
use crate::Trace;
use crate::work::carried_out;

/// What names of TensorFlow's op types contain that are convolutions, with their gradients.
const DENSE_CONVOLUTIONS: [&str; 3] = ["Conv2D", "Conv3D", "DepthwiseConv2d"];
/// TensorFlow's products of matrices, without what a library puts before their names.
const DENSE_PRODUCTS: [&str; 4] = ["MatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"];
/// The kind of a dense op of TensorFlow.
pub(super) fn dense_kind_of(op_type: &str) -> Option<OpKind> {
    let name = carried_out(op_type);
    match name {
        _ if DENSE_CONVOLUTIONS.iter().any(|own| name.contains(own)) => Some(OpKind::Convolution),
        _ if DENSE_PRODUCTS.contains(&name) => Some(OpKind::Products),
        _ => None,
    }
}

/// What names in small letters contain.
const CONVOLUTIONS: [&str; 16] = [
    "scudnn",
    "sconv",
    "engine<",
    "inograd",
    "fprop",
    "dgrad",
    "wgrad",
    "convolve",
    "convolution",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_depthwise",
    "igemm_",
    "implicit_gemm",
    "im2col",
];
const ATTENTION: [&str; 9] =
    ["fmha", "flash_fwd", "flash_bwd", "flash_attn", "flashattn", "attention", "_attn", "attn_", "pagedkv"];
const PRODUCTS: [&str; 9] = [
    "gemm",
    "cijk_",
    "matmul",
    "nvjet",
    "gemv",
    "splitk",
    "triton_mm",
    "triton_tem_fused_mm",
    "triton_tem_fused_addmm",
];
const NORMS: [&str; 5] = ["batch_norm", "batchnorm", "layer_norm", "layernorm", "rmsnorm"];
const ELEMENTWISE: [&str; 2] = ["elementwise_kernel", "triton_poi_"];
/// Kernels that a compiler fused are named after all that is in them: what they calculate is none of these.
const FUSED: [&str; 3] = ["triton_poi_", "triton_red_", "triton_per_"];

/// The kind of a kernel, by its name and op type.
pub(super) fn kind_of(name: &str, op_type: &str) -> Option<KernelKind> {
    match dense_kind_of(op_type) {
        Some(OpKind::Products) => return Some(KernelKind::Products),
        Some(_) => return Some(KernelKind::Convolutions),
        None => {}
    }
    let name = name.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|own| name.contains(own));
    let is_fused = FUSED.iter().any(|own| name.starts_with(own));
    match () {
        () if has(&ELEMENTWISE) => Some(KernelKind::Elementwise),
        () if is_fused => None,
        () if has(&CONVOLUTIONS) => Some(KernelKind::Convolutions),
        () if has(&ATTENTION) => Some(KernelKind::Attention),
        () if has(&PRODUCTS) => Some(KernelKind::Products),
        () if has(&NORMS) => Some(KernelKind::Norms),
        () => None,
    }
}

/// Whether a name, or the path of an operation, is that of attention.
pub(super) fn is_attention(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ATTENTION.iter().any(|own| name.contains(own))
}

/// What names in small letters contain that calculate with 16 bits.
const SIXTEEN_BITS: [&str; 8] = ["f16", "fp16", "half", "bfloat16", "hgemm", "h884", "s884", "16816"];
/// How the names of cuBLAS' kernels for newer GPUs begin, with 16 bits.
const NVJET: [&str; 2] = ["nvjet_h", "nvjet_t"];

/// Whether a kernel's name says that it calculates with 16 bits.
pub(super) fn has_sixteen_bits(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    // Tensile, the library of AMD's GPUs, names the type of its input behind those of three indices: `Cijk_Alik_Bljk_BBS_…`.
    let of_tensile = name.strip_prefix("cijk_").and_then(|rest| rest.split('_').nth(2));
    match of_tensile {
        Some(types) => types.starts_with(['b', 'h']),
        None => {
            SIXTEEN_BITS.iter().any(|own| name.contains(own)) || NVJET.iter().any(|own| name.starts_with(own))
        }
    }
}

/// What names contain of GPUs that calculate with 8 bits (FP8): Ada, Hopper and later of NVIDIA, MI300 and later of AMD.
const WITH_EIGHT_BITS: [&str; 9] =
    ["sm89", "sm90", "sm100", "sm120", "hopper", "nvjet", "isa942", "gfx942", "gfx950"];
/// What names contain of kernels that do.
const EIGHT_BITS: [&str; 5] = ["fp8", "e4m3", "e5m2", "float8", "f8f8"];

/// Whether names say that a GPU calculates with 8 bits, and no kernel does.
pub(super) fn could_use_eight_bits(trace: &Trace) -> bool {
    let nodes = trace.nodes();
    let has = |parts: &[&str]| {
        nodes.ids().any(|node| {
            let name = trace.text(nodes.name(node)).to_ascii_lowercase();
            parts.iter().any(|own| name.contains(own))
        })
    };
    has(&WITH_EIGHT_BITS) && !has(&EIGHT_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_kernels_say_what_they_calculate() {
        use KernelKind::{Attention, Convolutions, Elementwise, Norms, Products};
        for (name, op_type, kind) in [
            ("volta_sgemm_128x64_nn", "", Some(Products)),
            ("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64", "", Some(Products)),
            ("nvjet_tst_128x272_64x4_1x2_h_bz_coopB_TNT", "", Some(Products)),
            ("void splitKreduce_kernel<32, 16, int, float>", "", Some(Products)),
            ("implicit_convolve_sgemm<float, 128>", "", Some(Convolutions)),
            ("cudnn::cnn::wgrad_alg0_engine<float, 128>", "", Some(Convolutions)),
            ("sm80_xmma_fprop_implicit_gemm_f16f16_f16f32", "", Some(Convolutions)),
            ("aiter::fmha_fwd_hd128_bf16_rtz", "", Some(Attention)),
            ("void pytorch_flash::flash_fwd_kernel<…>", "", Some(Attention)),
            ("void flashinfer::norm::RMSNormKernel<8, __half>", "", Some(Norms)),
            ("cudnn::bn_fw_tr_1C11_kernel_NCHW", "", None),
            ("at::native::vectorized_elementwise_kernel<4, …>", "", Some(Elementwise)),
            ("triton_red_fused__to_copy_add_addmm_fmha_v3_fwd_mean_24", "", None),
            ("at::native::distribution_normal", "", None),
            ("some kernel", "Conv2DBackpropFilter", Some(Convolutions)),
            ("some kernel", "_FusedMatMul", Some(Products)),
            ("convert_kernel", "Cast", None),
        ] {
            assert_eq!(kind_of(name, op_type), kind, "{name}");
        }
        for (name, has) in [
            ("Cijk_Alik_Bljk_BBS_BH_Bias", true),
            ("Cijk_Alik_Bljk_HHS_BH_Bias", true),
            ("Cijk_Alik_Bljk_SB_Bias", false),
            ("ampere_bf16_s16816gemm_bf16_128x64", true),
            ("volta_sgemm_128x64_nn", false),
            ("nvjet_tst_128x272", true),
        ] {
            assert_eq!(has_sixteen_bits(name), has, "{name}");
        }
    }
}
