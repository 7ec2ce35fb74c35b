//! How many bytes the inputs of an op have, by the shapes and types that PyTorch records: `Input Dims=[[32, 64], []]` and
//! `Input type=["float", "Scalar"]`.
//!
//! A tensor has as many elements as the product of its sizes, and without sizes one. Numbers and lists of numbers are no tensors. What says no size of
//! its elements, such as a list of tensors, leaves the sum unknown.

use crate::base::units::Bytes;
use crate::model::arguments::Noun;
use crate::{OpId, Trace};

/// The names of types of elements (`c10/core/ScalarType.h`), and the bytes of one.
const SIZES: [(&str, u64); 22] = [
    ("float", 4),
    ("double", 8),
    ("int", 4),
    ("long", 8),
    ("long int", 8),
    // As compilers for macOS and Windows call it.
    ("long long", 8),
    ("__int64", 8),
    ("short", 2),
    ("short int", 2),
    ("char", 1),
    ("signed char", 1),
    ("unsigned char", 1),
    ("bool", 1),
    ("c10::Half", 2),
    ("c10::BFloat16", 2),
    ("c10::Float8_e4m3fn", 1),
    ("c10::Float8_e5m2", 1),
    ("c10::Float8_e4m3fnuz", 1),
    ("c10::Float8_e5m2fnuz", 1),
    ("c10::complex<float>", 8),
    ("c10::complex<double>", 16),
    ("c10::complex<c10::Half>", 4),
];
/// The types of what is no tensor; the empty one is of what PyTorch does not record.
const NO_TENSORS: [&str; 3] = ["", "Scalar", "ScalarList"];

/// The bytes of the tensors that `op` was given; `None` if the file does not say all their shapes and types, or if there are none.
pub fn input_bytes(trace: &Trace, op: OpId) -> Option<Bytes> {
    let said = |noun| trace.arguments().of(op).find(|own| Noun::of(own.name) == Some(noun));
    let (shapes, types) = (said(Noun::Shapes)?, said(Noun::Types)?);
    sum_of(&shapes.value.shown(), &types.value.shown())
}

/// The bytes of one element of the first tensor that `op` was given.
pub fn item_bytes(trace: &Trace, op: OpId) -> Option<u64> {
    let types = trace.arguments().of(op).find(|own| Noun::of(own.name) == Some(Noun::Types))?;
    let shown = types.value.shown();
    let first = texts_of(&shown)?.into_iter().find(|name| !NO_TENSORS.contains(name))?;
    SIZES.iter().find(|(own, _)| *own == first).map(|&(_, size)| size)
}

fn sum_of(shapes: &str, types: &str) -> Option<Bytes> {
    let (elements, types) = (elements_of(shapes)?, texts_of(types)?);
    if elements.len() != types.len() {
        return None;
    }
    let mut sum: Option<u64> = None;
    for (elements, name) in elements.into_iter().zip(types) {
        if NO_TENSORS.contains(&name) {
            continue;
        }
        let (_, size) = SIZES.iter().find(|(own, _)| *own == name)?;
        sum = Some(sum.unwrap_or(0).checked_add(elements?.checked_mul(*size)?)?);
    }
    sum.map(Bytes)
}

/// Shapes of one dimension with as many elements as those of `list`; `None` if a shape of it is a list of shapes.
pub(crate) fn flat_shapes(list: &str) -> Option<String> {
    let elements: Option<Vec<String>> =
        elements_of(list)?.into_iter().map(|elements| Some(format!("[{}]", elements?))).collect();
    Some(format!("[{}]", elements?.join(", ")))
}

/// The names of types that PyTorch records.
pub(crate) fn names_of_types() -> impl Iterator<Item = &'static str> {
    NO_TENSORS.into_iter().chain(SIZES.map(|(name, _)| name))
}

/// Whether `list` has nothing but names of types that PyTorch has.
pub(crate) fn are_types(list: &str) -> bool {
    let is_type = |name: &&str| NO_TENSORS.contains(name) || SIZES.iter().any(|(own, _)| own == name);
    texts_of(list).is_some_and(|names| names.iter().all(is_type))
}

/// Of a list of shapes the number of elements of each; of a shape that is a list of shapes `None`. `None` if it is no such list.
fn elements_of(list: &str) -> Option<Vec<Option<u64>>> {
    let product = |sizes: Vec<u64>| sizes.into_iter().try_fold(1_u64, u64::checked_mul);
    Some(shapes_of(list)?.into_iter().map(|sizes| sizes.and_then(product)).collect())
}

/// A list of shapes, as PyTorch records it; a shape that is a list of shapes is `None`. `None` if it is no such list.
pub(crate) fn shapes_of(list: &str) -> Option<Vec<Option<Vec<u64>>>> {
    let mut all = Vec::new();
    let (mut depth, mut sizes, mut is_nested) = (0_u32, Vec::new(), false);
    let mut rest = list.trim();
    while let Some(next) = rest.chars().next() {
        match next {
            '[' => {
                depth = depth.checked_add(1)?;
                is_nested |= depth > 2;
                if depth == 2 {
                    (sizes, is_nested) = (Vec::new(), false);
                }
            }
            ']' => {
                if depth == 2 {
                    all.push(Some(std::mem::take(&mut sizes)).filter(|_| !is_nested));
                }
                depth = depth.checked_sub(1)?;
            }
            ',' | ' ' | '\n' | '\r' | '\t' => {}
            '0'..='9' if depth > 1 => {
                let end = rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len());
                sizes.push(rest[..end].parse().ok()?);
                rest = &rest[end..];
                continue;
            }
            _ => return None,
        }
        rest = &rest[next.len_utf8()..];
    }
    (depth == 0).then_some(all)
}

/// The bytes of one element of the type called `name`, if it is of real numbers with a fraction.
pub(crate) fn float_bytes(name: &str) -> Option<u64> {
    let is_float =
        matches!(name, "float" | "double" | "c10::Half" | "c10::BFloat16") || name.starts_with("c10::Float8");
    SIZES.iter().find(|(own, _)| is_float && *own == name).map(|&(_, size)| size)
}

/// The texts of a list of texts without escapes.
pub(crate) fn texts_of(list: &str) -> Option<Vec<&str>> {
    let inner = list.trim().strip_prefix('[')?.strip_suffix(']')?;
    if inner.contains('\\') {
        return None;
    }
    // Between two quotes stands, in turn, what separates texts, and a text.
    let pieces: Vec<&str> = inner.split('"').collect();
    let is_list = pieces.iter().step_by(2).all(|between| matches!(between.trim(), "" | ","));
    (is_list && pieces.len() % 2 == 1).then(|| pieces.into_iter().skip(1).step_by(2).collect())
}

#[cfg(test)]
mod tests {
    use super::{are_types, flat_shapes, sum_of};
    use crate::base::units::Bytes;

    #[test]
    fn flat_shapes_have_as_many_elements() {
        assert_eq!(flat_shapes("[[2, 3], [], [0, 7]]").as_deref(), Some("[[6], [1], [0]]"));
        assert_eq!(flat_shapes("[[[2], [3]], [4]]"), None);
        assert!(are_types(r#"["float", "", "Scalar"]"#) && !are_types(r#"["float", "acme"]"#));
    }

    #[test]
    fn shapes_and_types_make_bytes() {
        let sum = |shapes, types| sum_of(shapes, types).map(|Bytes(bytes)| bytes);
        assert_eq!(sum("[[2, 3], [3, 4], [], []]", r#"["float", "c10::Half", "Scalar", ""]"#), Some(48));
        // A tensor without sizes has one element; one with a size of 0 has none.
        assert_eq!(sum("[[], [0, 7]]", r#"["double", "float"]"#), Some(8));
        assert_eq!(sum("[[3], [2]]", r#"["__int64", "long long"]"#), Some(40));
        assert_eq!(sum("[[], []]", r#"["Scalar", ""]"#), None, "no tensor");
        assert_eq!(sum("[[[2], [3]], [4]]", r#"["TensorList", "float"]"#), None, "a list of tensors");
        assert_eq!(sum("[[[2], [3]], [4]]", r#"["", "float"]"#), Some(16));
        assert_eq!(sum("[[1]]", "[]"), None, "types were not recorded");
        for (shapes, types) in [
            ("", ""),
            ("[[2]", r#"["float"]"#),
            ("]]", r#"["float"]"#),
            ("[[-2]]", r#"["float"]"#),
            ("[[\"a\"]]", r#"["float"]"#),
            ("[[4294967296, 4294967296]]", r#"["float"]"#),
            ("[[99999999999999999999]]", r#"["float"]"#),
            ("[[2]]", r#"["float""#),
            ("[[2]]", r#"["fl\"oat"]"#),
            ("[[2]]", r#"["my type"]"#),
        ] {
            assert_eq!(sum(shapes, types), None, "{shapes} {types}");
        }
    }
}
