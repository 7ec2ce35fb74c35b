//! What PyTorch's profiler says of a collective, in the arguments of its kernel or of the operator that launched it: the operation, the
//! process group, and how much this rank gives.
//!
//! Kineto writes these names (`ParamCommsDebugInfo` of PyTorch, `output_json.cpp` of Kineto). Ranks are a text such as `[0, 1]`, cut
//! where a group is large.

use crate::base::units::Bytes;
use crate::model::arguments::Argument;
use crate::{OpId, Trace};
use std::borrow::Cow;

/// What is said of one op of a collective. Texts are empty where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectiveSaid<'a> {
    /// The operation: `allreduce`.
    pub operation: &'a str,
    /// The name of the process group, or its number.
    pub group: Cow<'a, str>,
    /// What the group is for: `tp0`.
    pub description: &'a str,
    /// The ranks of the group, as text.
    pub ranks: &'a str,
    /// How many ranks the group has.
    pub size: Option<u64>,
    /// How much this rank gives.
    pub bytes: Option<Bytes>,
    /// The bytes of one element.
    pub item: Option<u64>,
}

impl<'a> CollectiveSaid<'a> {
    /// What the arguments of `op` say; `None` if they name neither an operation nor a group.
    pub fn of(trace: &'a Trace, op: OpId) -> Option<Self> {
        let mut said = Self::default();
        let (mut count, mut item) = (None, None);
        for Argument { name, value } in trace.arguments().of(op) {
            let text = || match value.shown() {
                Cow::Borrowed(text) => text,
                Cow::Owned(_) => "",
            };
            match name {
                "Collective name" => said.operation = text(),
                "Process Group Name" => said.group = value.shown(),
                "Process Group ID" if said.group.is_empty() => said.group = value.shown(),
                "Process Group Description" => said.description = text(),
                "Process Group Ranks" => said.ranks = text(),
                "Group size" => said.size = value.count(),
                "In msg nelems" => count = value.count(),
                "dtype" => item = bytes_of(text()),
                _ => {}
            }
        }
        if said.operation.is_empty() && said.group.is_empty() {
            return None;
        }
        said.size = said.size.filter(|&size| size > 0).or_else(|| ranks_in(said.ranks));
        said.item = item;
        said.bytes = count.zip(item).map(|(count, item)| Bytes(count.saturating_mul(item)));
        Some(said)
    }

    /// Whether this rank sends.
    pub fn is_send(&self) -> bool {
        matches!(self.operation, "send" | "isend")
    }

    /// Whether this rank receives.
    pub fn is_receipt(&self) -> bool {
        matches!(self.operation, "recv" | "irecv" | "recvAnysource" | "recvanysource")
    }
}

/// The operations that PyTorch names.
const OPERATIONS: [&str; 24] = [
    "_all_gather_base",
    "_allgather_base",
    "_reduce_scatter_base",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "all_to_allv",
    "allgather",
    "allgather_into_tensor_coalesced",
    "allreduce",
    "allreduce_coalesced",
    "alltoall",
    "alltoall_base",
    "barrier",
    "broadcast",
    "gather",
    "recv",
    "recvAnysource",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor_coalesced",
    "scatter",
    "send",
    "wait",
];

/// The words of the framework: operations, and the types of elements.
pub(crate) fn words_of_collectives() -> impl Iterator<Item = &'static str> {
    OPERATIONS.into_iter().chain(TYPES.iter().map(|&(name, _)| name))
}

/// The beginnings of the types of PyTorch's ranges around calls of collectives.
const RANGES: [&str; 2] = ["nccl:", "hccl:"];

/// Whether ops of this type are ranges around the call of a collective, with the shapes and types of its tensors.
pub(crate) fn is_around_collective(op_type: &str) -> bool {
    RANGES.iter().any(|own| op_type.starts_with(own))
}

/// Whether `text` is one of these words.
pub(crate) fn is_word_of_collectives(text: &str) -> bool {
    words_of_collectives().any(|word| word == text)
}

/// How many ranks a text such as `[0, 1]` lists; `None` if it lists none, or only some of them.
fn ranks_in(text: &str) -> Option<u64> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let ranks = inner.split(',').map(|rank| rank.trim().parse::<u64>().ok());
    ranks.collect::<Option<Vec<_>>>().map(|ranks| ranks.len() as u64)
}

/// The types of elements as PyTorch writes their names, and the bytes of one element.
const TYPES: [(&str, u64); 26] = [
    ("Byte", 1),
    ("Char", 1),
    ("Bool", 1),
    ("UInt8", 1),
    ("Int8", 1),
    ("Float8_e5m2", 1),
    ("Float8_e4m3fn", 1),
    ("Float8_e5m2fnuz", 1),
    ("Float8_e4m3fnuz", 1),
    ("Float8_e8m0fnu", 1),
    ("QInt8", 1),
    ("QUInt8", 1),
    ("Short", 2),
    ("Half", 2),
    ("BFloat16", 2),
    ("UInt16", 2),
    ("Int", 4),
    ("Float", 4),
    ("ComplexHalf", 4),
    ("UInt32", 4),
    ("QInt32", 4),
    ("Long", 8),
    ("Double", 8),
    ("ComplexFloat", 8),
    ("UInt64", 8),
    ("ComplexDouble", 16),
];

/// The bytes of one element of a type.
fn bytes_of(dtype: &str) -> Option<u64> {
    TYPES.iter().find(|(name, _)| *name == dtype).map(|&(_, bytes)| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_counted_only_if_all_are_listed() {
        assert_eq!([ranks_in("[0, 1]"), ranks_in("[7]")], [Some(2), Some(1)]);
        assert_eq!([ranks_in("[0, 1, ..., 63]"), ranks_in("[]"), ranks_in("")], [None; 3]);
        assert_eq!([bytes_of("BFloat16"), bytes_of("Float"), bytes_of("what")], [Some(2), Some(4), None]);
    }
}
