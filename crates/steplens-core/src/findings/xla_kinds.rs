//! What instructions of XLA calculate, by what its profiler writes next to them. On a TPU a product of matrices is a convolution, whatever the program
//! asked for, and most names are `fusion.12`: only the operation that it was made of (`tf_op`) tells one from the other.

use super::finding::{KernelKind, OpKind};
use super::kernel_kinds::{dense_kind_of, is_attention, kind_of};
use crate::Trace;
use std::borrow::Cow;

/// The arguments with what an instruction is, and with the operation of the program: `jit(f)/layer/dot_general:`.
const CATEGORY: &str = "hlo_category";
const OPERATION: &str = "tf_op";

/// What is known of a node besides its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum OfXla {
    /// Nothing: its name decides.
    #[default]
    Nothing,
    /// Its name decides nothing: this does.
    Kind(Option<KernelKind>),
    /// It is a product of matrices or a convolution; which one, only others of the recording may say.
    Dense,
}

/// What is known of each node, by its first op with such arguments.
pub(super) fn of_nodes(trace: &Trace) -> Vec<OfXla> {
    let mut known = vec![None; trace.nodes().len()];
    let arguments = trace.arguments();
    let forms = arguments.forms();
    let says: Vec<bool> = (0..forms.len())
        .map(|form| forms.of(form).any(|(name, ..)| name == CATEGORY || name == OPERATION))
        .collect();
    if !says.contains(&true) {
        return vec![OfXla::Nothing; known.len()];
    }
    let nodes = trace.nodes();
    for op in trace.ops().ids() {
        let node = trace.ops().node(op);
        let has = arguments.form(op).and_then(|form| says.get(form)).is_some_and(|&has| has);
        if !has || known[node.index()].is_some() {
            continue;
        }
        let (mut category, mut operation) = (Cow::Borrowed(""), Cow::Borrowed(""));
        for own in arguments.of(op) {
            match own.name {
                CATEGORY => category = own.value.shown(),
                OPERATION => operation = own.value.shown(),
                _ => {}
            }
        }
        let name = [trace.text(nodes.name(node)), trace.text(nodes.op_type(node))];
        known[node.index()] = Some(known_of(name, &category, &operation));
    }
    let known: Vec<OfXla> = known.into_iter().map(Option::unwrap_or_default).collect();
    let only = only_dense(&known);
    known.into_iter().map(|own| if own == OfXla::Dense { OfXla::Kind(only) } else { own }).collect()
}

/// The only kind that instructions of a recording have, if all that tell theirs tell this one.
fn only_dense(known: &[OfXla]) -> Option<KernelKind> {
    let has = |kind: KernelKind| known.contains(&OfXla::Kind(Some(kind)));
    match (has(KernelKind::Products), has(KernelKind::Convolutions)) {
        (true, false) => Some(KernelKind::Products),
        (false, true) => Some(KernelKind::Convolutions),
        _ => None,
    }
}

fn known_of([name, op_type]: [&str; 2], category: &str, operation: &str) -> OfXla {
    let dense = dense_of(operation);
    // Names of kernels say more than the operation of the last instruction that is in one.
    let is_unnamed =
        [name, op_type].iter().any(|own| own.starts_with("fusion") || own.starts_with("convolution"));
    match category {
        "" if is_unnamed && dense.is_some() => OfXla::Kind(dense),
        "" if op_type.starts_with("convolution") && !operation.is_empty() => OfXla::Dense,
        "" => OfXla::Nothing,
        own if own.contains("convolution") => dense.map_or(OfXla::Dense, |kind| OfXla::Kind(Some(kind))),
        "custom-call" if kind_of(name, op_type).is_none() && is_attention(innermost_function(operation)) => {
            OfXla::Kind(Some(KernelKind::Attention))
        }
        "custom-call" => OfXla::Nothing,
        own if own.starts_with("output") => OfXla::Kind(dense),
        own if own.ends_with("fusion") => OfXla::Kind(None),
        _ => OfXla::Nothing,
    }
}

/// The function of JAX that an operation is in: the name of a layer (`self_attn`) says nothing of what one of its kernels calculates.
fn innermost_function(operation: &str) -> &str {
    let function = operation.rsplit('/').find_map(|own| own.strip_prefix("jit("));
    function.unwrap_or_default()
}

/// The kind of an operation of JAX (`…/dot_general:`) or of TensorFlow (`net/MatMul:MatMul`).
fn dense_of(operation: &str) -> Option<KernelKind> {
    let (path, op_type) = operation.rsplit_once(':').unwrap_or((operation, ""));
    let of_tensorflow = dense_kind_of(op_type).map(|own| match own {
        OpKind::Products => KernelKind::Products,
        _ => KernelKind::Convolutions,
    });
    match path.rsplit('/').next() {
        _ if of_tensorflow.is_some() => of_tensorflow,
        Some("dot_general") => Some(KernelKind::Products),
        Some("conv_general_dilated") => Some(KernelKind::Convolutions),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use KernelKind::{Attention, Convolutions, Products};
    use OfXla::{Dense, Kind, Nothing};

    #[test]
    fn the_operation_tells_what_a_convolution_of_xla_is() {
        for (name, category, operation, known) in [
            (
                "convolution_bitcast_fusion",
                "convolution fusion",
                "jit(f)/l0/dot_general:",
                Kind(Some(Products)),
            ),
            ("fusion", "convolution fusion", "jit(f)/conv_general_dilated:", Kind(Some(Convolutions))),
            ("fusion", "convolution fusion", "jit(f)/add:", Dense),
            ("fusion", "convolution", "net/dense/MatMul:MatMul", Kind(Some(Products))),
            ("fusion", "output fusion", "jit(f)/add:", Kind(None)),
            ("convolution_like_fusion", "loop fusion", "jit(f)/dot_general:", Kind(None)),
            (
                "RPA-bq_32",
                "custom-call",
                "jit(f)/jit(ragged_paged_attention)/RPA/pallas_call:",
                Kind(Some(Attention)),
            ),
            ("rope", "custom-call", "jit(f)/self_attention/pallas_call:", Nothing),
            ("quantized_matmul", "custom-call", "jit(f)/jit(attention)/pallas_call:", Nothing),
            ("quantized_matmul", "custom-call", "jit(f)/pallas_call:", Nothing),
            ("fusion", "", "jit(f)/dot_general:", Kind(Some(Products))),
            ("convolution", "", "jit(f)/add:", Dense),
            ("nvjet_tst_128", "", "jit(f)/dot_general:", Nothing),
            ("loop_add_fusion", "", "jit(f)/dot_general:", Nothing),
            ("fusion", "", "jit(f)/add:", Nothing),
        ] {
            assert_eq!(known_of([name, name], category, operation), known, "{name} {category} {operation}");
        }
        assert_eq!(only_dense(&[Dense, Kind(Some(Products)), Nothing]), Some(Products));
        assert_eq!(only_dense(&[Dense, Kind(Some(Products)), Kind(Some(Convolutions))]), None);
        assert_eq!(only_dense(&[Dense, Nothing]), None);
    }
}
