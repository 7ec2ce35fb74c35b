//! What an op type calculates, whichever library carries it out, and whatever of its neighbours it does in one go: TensorFlow's remapper and oneDNN's
//! pass rewrite an op, and keep its name (`remapper.cc`, `mkl_layout_pass.cc`).

/// What these passes put before the type, the longest first.
const BEFORE: [&str; 4] = ["MklNative", "Mkl", "PadWith", "Fused"];
/// What follows what it does besides: `Conv2DWithBias`.
const BESIDES: &str = "With";

/// Whether an op type is one that such a pass writes: it begins with an underscore.
pub(super) fn is_rewritten(op_type: &str) -> bool {
    op_type.starts_with('_')
}

/// `Conv2D` of `Conv2D`, `_MklConv2DWithBias`, `_FusedConv2D` and `_MklNativePadWithFusedConv2D`.
pub(super) fn work(op_type: &str) -> &str {
    let mut rest = op_type.strip_prefix('_').unwrap_or(op_type);
    for word in BEFORE {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let rest = rest.split(BESIDES).next().unwrap_or(rest);
    let numbered = rest.trim_end_matches(|letter: char| letter.is_ascii_digit());
    numbered.strip_suffix('V').or(rest.strip_suffix("Ex")).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_carries_out_the_same_work() {
        let same = [
            ["Conv2D", "_MklConv2D"],
            ["_FusedConv2D", "_MklNativePadWithFusedConv2D"],
            ["Conv2D", "_MklConv2DWithBias"],
            ["_FusedMatMul", "_MklMatMul"],
            ["FusedBatchNormV3", "_FusedBatchNormEx"],
            ["FusedBatchNormGradV2", "_MklFusedBatchNormGradV3"],
            ["MaxPool", "_MklNativeMaxPool"],
        ];
        for [one, other] in same {
            assert_eq!(work(one), work(other), "{one}, {other}");
        }
        let others = [
            ["Conv2D", "Relu"],
            ["_FusedConv2D", "_MklNativeConv2DBackpropInput"],
            ["_FusedMatMul", "BatchMatMulV2"],
            ["Conv2D", "DepthwiseConv2dNative"],
            ["_Send", "_Recv"],
            ["_MklToTf", "_MklInputConversion"],
        ];
        for [one, other] in others {
            assert_ne!(work(one), work(other), "{one}, {other}");
        }
        assert!(is_rewritten("_MklConv2D") && !is_rewritten("Conv2D"));
    }
}
