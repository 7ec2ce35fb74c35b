//! Arguments of events in a redacted trace: numbers of known names stay; everything else may have any content and is left out.

use super::{Kind, Redaction, words};
use crate::model::arguments::{Arguments, Noun, ValueKind};
use crate::model::collective::{is_around_collective, is_word_of_collectives};
use crate::model::input_bytes::{are_types, flat_shapes};
use std::borrow::Cow;

/// Names of arguments that profilers write themselves, and whose values are numbers or lists of numbers. Sorted.
pub(super) const NUMBERS: [&str; 44] = [
    "Bytes",
    "Collective seq",
    "Device Id",
    "Device Type",
    "Ev Idx",
    "External id",
    "Fwd thread id",
    "Group size",
    "In msg nelems",
    "Out msg nelems",
    "Python id",
    "Python module id",
    "Python parent id",
    "Record function id",
    "Sequence number",
    "Total Allocated",
    "Total Reserved",
    "block",
    "blocks per SM",
    "bytes",
    "bytes_accessed",
    "cbid",
    "context",
    "correlation",
    "correlation_id",
    "device",
    "device_id",
    "est. achieved occupancy %",
    "flops",
    "graph id",
    "graph node id",
    "grid",
    "group_id",
    "id",
    "memory bandwidth (GB/s)",
    "queued",
    "registers per thread",
    "shared memory",
    "size",
    "stream",
    "theoretical_occupancy_pct",
    "wait_on_cuda_event_record_corr_id",
    "wait_on_stream",
    "warps per SM",
];
/// Names of texts that profilers write themselves, and whose values stay if they are numbers or lists of numbers: the process groups of a
/// collective, the sizes that ROCm writes of calls, and the runs of functions in TensorFlow's JSON.
pub(super) const TEXTS_OF_NUMBERS: [&str; 6] =
    ["Process Group ID", "Process Group Name", "Process Group Ranks", "bytes", "id", "size"];
/// Names of texts whose values stay if they are details of a copy: `kind_src:pageable size:64`.
pub(super) const DETAILS: [&str; 2] = ["memcpy_details", "memset_details"];
/// Names of texts whose values stay if the framework has that word.
pub(super) const WORDS: [&str; 2] = ["Collective name", "dtype"];
/// The arguments among them that are shapes of tensors.
const SHAPES: [&str; 2] = ["Input Dims", "Input Strides"];

impl Redaction<'_> {
    /// The arguments that stay visible.
    pub(super) fn arguments(&self) -> Arguments {
        let original = self.original;
        let has = |kind| self.included.has(kind);
        let has_texts = [Kind::Names, Kind::OpTypes, Kind::Hosts, Kind::Tags, Kind::Files];
        let has_texts = has_texts.into_iter().all(has);
        let has_shapes = has(Kind::Shapes);
        if original.arguments().is_empty() || (has_texts && has_shapes) {
            return original.arguments().clone();
        }
        let is_around = |op| is_around_collective(original.op_type(op));
        original.arguments().kept(original.ops().len(), is_around, |is_around, name, kind, value| {
            let is_number = NUMBERS.binary_search(&name).is_ok();
            let stays = match kind {
                _ if SHAPES.contains(&name) && has_shapes => is_of_numbers(value),
                // By these a collective has its size: as many elements, in one dimension.
                _ if is_around && name == SHAPES[0] => return flat_shapes(value).map(Cow::Owned),
                _ if SHAPES.contains(&name) => false,
                _ if has_texts => true,
                _ if is_around && Noun::of(name) == Some(Noun::Types) => are_types(value),
                ValueKind::Number(_) | ValueKind::Unsigned => is_number,
                ValueKind::Json => is_number && is_of_numbers(value),
                ValueKind::Text if TEXTS_OF_NUMBERS.contains(&name) => is_of_numbers(value),
                ValueKind::Text if DETAILS.contains(&name) => is_of_details(value),
                ValueKind::Text => WORDS.contains(&name) && is_word_of_collectives(value),
            };
            stays.then_some(Cow::Borrowed(value))
        })
    }
}

/// Whether `value` is a number or a list of numbers.
fn is_of_numbers(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'[' | b']' | b',' | b' ' | b'.' | b'-'))
}

/// Whether `value` is of words that say how a copy was made: numbers, and kinds of memory.
fn is_of_details(value: &str) -> bool {
    value.split(' ').all(|word| {
        word.split_once(':').is_some_and(|(what, value)| {
            words::is_one(&words::DETAILS, what)
                && (value.bytes().all(|byte| byte.is_ascii_digit()) || words::is_one(&words::VALUES, value))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_texts_are_no_numbers() {
        assert!(NUMBERS.is_sorted());
        assert!(is_of_numbers("[[2, 3], [-1]]") && is_of_numbers("33.5"));
        assert!(is_of_details("kind_src:pageable kind_dst:device size:64 dest:0 async:1"));
        assert!(!is_of_details("size:acme") && !is_of_details("acme:64") && !is_of_details("64"));
        assert!(!is_of_numbers("[\"acme\"]") && !is_of_numbers("true"));
    }
}
