//! Op types that are public: those of `TensorFlow`, and the names of drivers, XLA, `PyTorch` and communication libraries.

use super::words;
use crate::model::category::{is_call_of_cann, is_driver_call};
use crate::model::collective::is_word_of_collectives;

/// The op types of `TensorFlow` 2 that occur in real traces, those of XLA, and a few more; one per line.
pub const OP_TYPES: &str = include_str!("op_types.txt");

/// Parts of the names of copies in the tracers of CUDA and ROCm, in lower case.
const COPIES: [&str; 17] = [
    "memcpy",
    "memset",
    "gpumemcpy",
    "htod",
    "dtoh",
    "dtod",
    "htoh",
    "ptop",
    "h2d",
    "d2h",
    "d2d",
    "h2h",
    "p2p",
    "pageable",
    "pinned",
    "device",
    "host",
];
/// Prefixes of ops of `PyTorch` and of communication libraries.
const NAMESPACES: [&str; 5] = ["aten::", "c10d::", "nccl:", "gloo:", "prim::"];

/// A set of public op types.
pub struct Vocabulary<'a>(Vec<&'a str>);

impl<'a> Vocabulary<'a> {
    /// The op types in `lines`, one per line, sorted.
    pub fn of(lines: &'a str) -> Self {
        Self(lines.lines().collect())
    }

    /// Whether `op_type` is public.
    pub fn has(&self, op_type: &str) -> bool {
        self.lists(op_type)
            || op_type.strip_prefix("_Mkl").is_some_and(|rest| self.lists_without_mkl(rest))
            || is_of_library(op_type)
            || is_copy(op_type)
            || is_word_of_collectives(op_type)
            || words::PHASES.contains(&op_type)
            || (is_plain(op_type) && is_driver_call(op_type))
            || is_call_of_cann(op_type)
    }

    fn lists(&self, op_type: &str) -> bool {
        self.0.binary_search_by(|own| (*own).cmp(op_type)).is_ok()
    }

    /// `TensorFlow` adds `_Mkl` or `_MklNative` in front of an op that oneDNN runs: `_MklNativeConv2D`, and `_MklFusedMatMul` for
    /// `_FusedMatMul`.
    fn lists_without_mkl(&self, rest: &str) -> bool {
        let rest = rest.strip_prefix("Native").unwrap_or(rest);
        self.lists(rest) || self.lists(&["_", rest].concat())
    }
}

fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_of_library(op_type: &str) -> bool {
    let rest = NAMESPACES.iter().find_map(|space| op_type.strip_prefix(space));
    rest.is_some_and(|rest| {
        rest.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'0'..=b'9'))
    })
}

/// Whether an op type is a copy, such as `MEMCPYHtoD` or `Memcpy DtoH (Device -> Pageable)`.
fn is_copy(op_type: &str) -> bool {
    let lower = op_type.to_ascii_lowercase();
    let spaced = lower.replacen("memcpy", "memcpy ", 1).replacen("memset", "memset ", 1);
    let mut words =
        spaced.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    (lower.contains("memcpy") || lower.contains("memset"))
        && words.all(|word| COPIES.contains(&word) || word == "gpu")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_everybody_has_is_public() {
        let public = Vocabulary::of(OP_TYPES);
        for op_type in [
            "MatMul",
            "_MklConv2D",
            "_MklFusedMatMul",
            "_MklNativeConv2DBackpropFilter",
            "_MklNativeFusedConv2D",
            "RandomUniformInt",
            "_Recv",
            "RecvTensor",
            "aten::mm",
            "c10d::allreduce_",
            "cudaLaunchKernel",
            "MEMCPYHtoD",
            "Memcpy DtoH (Device -> Pageable)",
            "GPUMEMCPY",
            "all-reduce",
            "IteratorGetNext",
            "HorovodAllreduce",
        ] {
            assert!(public.has(op_type), "{op_type}");
        }
        for op_type in [
            "AcmeAttention",
            "",
            "aten::acme(x)",
            "acme::mm",
            "cudaLaunchKernel<acme>",
            "MemcpyAcme",
            "_MklAcme",
            "_MklNativeAcme",
            "matmul",
            "void acme_kernel<float>",
            "ncclDevKernel_AllReduce",
        ] {
            assert!(!public.has(op_type), "{op_type}");
        }
        let lines: Vec<_> = OP_TYPES.lines().collect();
        assert!(lines.is_sorted() && lines.iter().all(|line| !line.trim().is_empty()));
    }
}
