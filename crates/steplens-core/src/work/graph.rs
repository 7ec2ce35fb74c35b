//! The work of TensorFlow's ops, by the shapes of their outputs and of those of the makers of their inputs.
//!
//! No convolution needs its stride, padding or the order of its dimensions: each element that it makes, or of whose gradient it begins, meets a window
//! of its filter.

use super::Work;
use super::formulas::{elements, work as work_of};
use crate::makers::{Edges, Source};
use crate::model::output::dtype_of_name;
use crate::{OpId, Trace};

/// What an op carries out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Product,
    /// Which of a convolution and its two gradients, and whether each channel has its own filters.
    Convolution {
        of: Pass,
        is_depthwise: bool,
    },
}

/// A convolution, or a gradient of one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    Forward,
    Input,
    Filter,
}

/// What TensorFlow puts before the name of an op type that a library carries out, or that another op became a part of.
const CARRIED_OUT: [&str; 5] = ["_Mkl", "_Native", "Native", "_Fused", "Fused"];

/// The op type without what stands before it if a library carries it out, or another op became a part of it.
pub(crate) fn carried_out(op_type: &str) -> &str {
    CARRIED_OUT.iter().fold(op_type, |name, own| name.strip_prefix(own).unwrap_or(name))
}

/// What ops of this type carry out.
pub(super) fn kind_of(op_type: &str) -> Option<Kind> {
    let of = |of, is_depthwise| Some(Kind::Convolution { of, is_depthwise });
    match carried_out(op_type) {
        "MatMul" | "BatchMatMul" | "BatchMatMulV2" | "BatchMatMulV3" => Some(Kind::Product),
        "Conv2D" | "Conv3D" => of(Pass::Forward, false),
        "Conv2DBackpropInput" | "Conv3DBackpropInput" | "Conv3DBackpropInputV2" => of(Pass::Input, false),
        "Conv2DBackpropFilter" | "Conv3DBackpropFilter" | "Conv3DBackpropFilterV2" => of(Pass::Filter, false),
        "DepthwiseConv2dNative" => of(Pass::Forward, true),
        "DepthwiseConv2dNativeBackpropInput" => of(Pass::Input, true),
        "DepthwiseConv2dNativeBackpropFilter" => of(Pass::Filter, true),
        _ => None,
    }
}

/// The work of `op`, if shapes say it.
pub(super) fn work<'a>(trace: &Trace, op: OpId, edges: impl Fn() -> Edges<'a>) -> Option<Work> {
    let kind = kind_of(trace.text(trace.nodes().op_type(trace.ops().node(op))))?;
    let mut outputs = trace.outputs().of(op);
    let item = item_bytes(outputs.next()?.dtype)?;
    let made = shape(trace, op, 0)?;
    let inputs = edges().inputs(op, 3);
    let input = |place: usize| {
        let edge = inputs.get(place).filter(|own| !own.input.control)?;
        match edge.source {
            Source::Op(maker) => shape(trace, maker, i32::try_from(edge.input.slot).ok()?),
            Source::Transfer(_) | Source::NotTaken | Source::NotRecorded => None,
        }
    };
    match kind {
        Kind::Product => product(&made, &input(0)?, &input(1)?, item),
        Kind::Convolution { of: Pass::Forward, is_depthwise } => {
            convolution(&made, &input(1)?, is_depthwise, input(0).as_deref(), &made, item)
        }
        Kind::Convolution { of: Pass::Input, is_depthwise } => {
            let gradient = input(2)?;
            convolution(&gradient, &input(1)?, is_depthwise, Some(&made), &gradient, item)
        }
        Kind::Convolution { of: Pass::Filter, is_depthwise } => {
            let gradient = input(2)?;
            convolution(&gradient, &made, is_depthwise, input(0).as_deref(), &gradient, item)
        }
    }
}

/// A product, by the elements of its factors: which of them is transposed does not matter, and both must say the same. A factor without the dimensions of
/// the batch is the same for all of it.
fn product(made: &[u64], first: &[u64], second: &[u64], item: u64) -> Option<Work> {
    let [batch @ .., rows, columns] = made else { return None };
    let batch = elements(batch)?;
    let (a, b) = (elements(first)?, elements(second)?);
    let deep = |count: u64, of: u64| count.checked_div(of).filter(|deep| deep.checked_mul(of) == Some(count));
    let whole = |size: u64| size.checked_mul(batch);
    // With the batch in both, in the first, or in the second.
    let depths = [(whole(*rows)?, whole(*columns)?), (whole(*rows)?, *columns), (*rows, whole(*columns)?)];
    let deep = depths
        .into_iter()
        .find_map(|(rows, columns)| deep(a, rows).filter(|&own| deep(b, columns) == Some(own)))?;
    let result = elements(made)?;
    work_of(result.checked_mul(deep)?, &[a, b, result], Some(item))
}

/// A convolution: each element of `side`, what it makes or the gradient of that, meets `filter` `[…, channels, out]`.
fn convolution(
    side: &[u64],
    filter: &[u64],
    is_depthwise: bool,
    input: Option<&[u64]>,
    made: &[u64],
    item: u64,
) -> Option<Work> {
    let [window @ .., channels, last] = filter else { return None };
    // A filter that a library keeps in an order of its own says nothing.
    let out = if is_depthwise { channels.checked_mul(*last)? } else { *last };
    let has_out = side.get(1) == Some(&out) || side.last() == Some(&out);
    if side.len() != filter.len() || window.is_empty() || !has_out {
        return None;
    }
    let window = elements(window)?.checked_mul(if is_depthwise { 1 } else { *channels })?;
    let pairs = elements(side)?.checked_mul(window)?;
    let moved = [input.and_then(elements), elements(filter), elements(made)];
    let moved: Option<Vec<u64>> = moved.into_iter().collect();
    work_of(pairs, moved.as_deref().unwrap_or_default(), Some(item).filter(|_| moved.is_some()))
}

/// The shape of output `slot` of `op`, if all its sizes are known.
fn shape(trace: &Trace, op: OpId, slot: i32) -> Option<Vec<u64>> {
    let own = trace.outputs().of(op).find(|own| own.slot == slot)?;
    own.shape?.iter().map(|&size| u64::try_from(size).ok()).collect()
}

/// The types of numbers with a fraction, and the bytes of one.
const FLOATS: [(&str, u64); 4] = [("DT_FLOAT", 4), ("DT_DOUBLE", 8), ("DT_HALF", 2), ("DT_BFLOAT16", 2)];

/// The bytes of an element of this type, if it has a fraction. A reference to one is 100 more.
fn item_bytes(dtype: u32) -> Option<u64> {
    FLOATS.into_iter().find(|(name, _)| dtype_of_name(name) == dtype % 100).map(|(_, bytes)| bytes)
}
