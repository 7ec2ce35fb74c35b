//! The fields of RunMetadata by name, as needed to convert its text to the wire format.
//!
//! Numbers and names are those of TensorFlow's step_stats.proto, graph.proto and related files; fields that the reader of the wire
//! format does not need are left out, and skipped.

/// A message of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message {
    Root,
    StepStats,
    DevStats,
    Graph,
    FunctionGraphs,
    Op,
    AllocatorUse,
    AllocationRecord,
    Output,
    Tensor,
    Shape,
    Dim,
    Allocation,
    GraphNode,
    Attribute,
    AttributeValue,
    ThreadName,
}

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldType {
    Number,
    Text,
    Message(Message),
}

impl Message {
    /// The number and kind of the field called `name`.
    pub(super) fn field(self, name: &[u8]) -> Option<(u8, FieldType)> {
        use FieldType::{Number, Text};
        use Message::*;
        let nested = |number, message| Some((number, FieldType::Message(message)));
        let numbers = |names: &[&str]| {
            let place = names.iter().position(|known| known.as_bytes() == name)?;
            Some((place as u8 + 1, Number))
        };
        match (self, name) {
            (Root, b"step_stats") => nested(1, StepStats),
            (Root, b"partition_graphs") => nested(3, Graph),
            (Root, b"function_graphs") => nested(4, FunctionGraphs),
            // StepStats without a RunMetadata around them are read as if they were in one.
            (StepStats | Root, b"dev_stats") => nested(1, DevStats),
            (DevStats, b"device") => Some((1, Text)),
            (DevStats, b"node_stats") => nested(2, Op),
            (DevStats, b"thread_names") => nested(3, ThreadName),
            (FunctionGraphs, b"partition_graphs") => nested(1, Graph),
            (Graph, b"node") => nested(1, GraphNode),
            (Op, b"node_name") => Some((1, Text)),
            (Op, b"all_start_micros") => Some((2, Number)),
            (Op, b"op_start_rel_micros") => Some((3, Number)),
            (Op, b"op_end_rel_micros") => Some((4, Number)),
            (Op, b"all_end_rel_micros") => Some((5, Number)),
            (Op, b"memory") => nested(6, AllocatorUse),
            (Op, b"output") => nested(7, Output),
            (Op, b"timeline_label") => Some((8, Text)),
            (Op, b"scheduled_micros") => Some((9, Number)),
            (Op, b"thread_id") => Some((10, Number)),
            (Op, b"all_start_nanos") => Some((13, Number)),
            (Op, b"op_start_rel_nanos") => Some((14, Number)),
            (Op, b"op_end_rel_nanos") => Some((15, Number)),
            (Op, b"all_end_rel_nanos") => Some((16, Number)),
            (Op, b"scheduled_nanos") => Some((17, Number)),
            (AllocatorUse | Allocation, b"allocator_name") => {
                Some((if self == Allocation { 3 } else { 1 }, Text))
            }
            (AllocatorUse, b"total_bytes") => Some((2, Number)),
            (AllocatorUse, b"peak_bytes") => Some((3, Number)),
            (AllocatorUse, b"live_bytes") => Some((4, Number)),
            (AllocatorUse, b"allocator_bytes_in_use") => Some((5, Number)),
            (AllocatorUse, b"allocation_records") => nested(6, AllocationRecord),
            (AllocationRecord, _) => numbers(&["alloc_micros", "alloc_bytes"]),
            (Output, b"slot") => Some((1, Number)),
            (Output, b"tensor_description") => nested(3, Tensor),
            (Tensor, b"dtype") => Some((1, Number)),
            (Tensor, b"shape") => nested(2, Shape),
            (Tensor, b"allocation_description") => nested(4, Allocation),
            (Shape, b"dim") => nested(2, Dim),
            (Shape, b"unknown_rank") => Some((3, Number)),
            (Dim, _) => numbers(&["size"]),
            (Allocation, b"requested_bytes") => Some((1, Number)),
            (Allocation, b"allocated_bytes") => Some((2, Number)),
            (Allocation, b"allocation_id") => Some((4, Number)),
            (GraphNode, b"name") => Some((1, Text)),
            (GraphNode, b"op") => Some((2, Text)),
            (GraphNode, b"input") => Some((3, Text)),
            (GraphNode, b"device") => Some((4, Text)),
            (GraphNode, b"attr") => nested(5, Attribute),
            (Attribute, b"key") => Some((1, Text)),
            (Attribute, b"value") => nested(2, AttributeValue),
            (AttributeValue, b"s") => Some((2, Text)),
            (AttributeValue, b"i") => Some((3, Number)),
            (AttributeValue, b"type") => Some((6, Number)),
            (ThreadName, b"key") => Some((1, Number)),
            (ThreadName, b"value") => Some((2, Text)),
            _ => None,
        }
    }
}

/// The names of `DataType` from 1 on, without `DT_`, and with the words that differ between text and NumPy.
const DATA_TYPES: [&str; 33] = [
    "FLOAT",
    "DOUBLE",
    "INT32",
    "UINT8",
    "INT16",
    "INT8",
    "STRING",
    "COMPLEX64",
    "INT64",
    "BOOL",
    "QINT8",
    "QUINT8",
    "QINT32",
    "BFLOAT16",
    "QINT16",
    "QUINT16",
    "UINT16",
    "COMPLEX128",
    "HALF",
    "RESOURCE",
    "VARIANT",
    "UINT32",
    "UINT64",
    "FLOAT8_E5M2",
    "FLOAT8_E4M3FN",
    "FLOAT8_E4M3FNUZ",
    "FLOAT8_E4M3B11FNUZ",
    "FLOAT8_E5M2FNUZ",
    "INT4",
    "UINT4",
    "INT2",
    "UINT2",
    "FLOAT4_E2M1FN",
];

/// The value of `true`, `false` or a `DataType`; reference types are 100 more than the type.
pub(super) fn word_value(word: &[u8]) -> Option<i64> {
    match word {
        b"true" | b"True" | b"t" => return Some(1),
        b"false" | b"False" | b"f" | b"DT_INVALID" => return Some(0),
        _ => {}
    }
    let name = word.strip_prefix(b"DT_")?;
    let value =
        |name: &[u8]| DATA_TYPES.iter().position(|known| known.as_bytes() == name).map(|at| at as i64 + 1);
    value(name).or_else(|| Some(value(name.strip_suffix(b"_REF")?)? + 100))
}
