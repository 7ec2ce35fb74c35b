//! Scenarios: small RunMetadata files, written so that a test reads like what happened.
//!
//! Times are ns from [`BASE_UNIX_NS`]. As TensorFlow does, ops get both micros and nanos, and transfers micros only.

use crate::proto::{
    AllocationDescription, AllocationRecord, AllocatorMemoryUsed, AttrValue, DeviceStepStats, GraphDef,
    NodeDef, NodeExecStats, NodeOutput, RunMetadata, StepStats, TensorDescription, TensorShapeProto,
    attr_value, tensor_shape_proto,
};
use prost::Message;
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Opened, Opener};

/// Where the scenarios' time 0 lies, in ns from 1970.
pub const BASE_UNIX_NS: i64 = 1_700_000_000_000_000_000;

/// The parameter server of the scenarios.
pub const PS: &str = "/job:ps/replica:0/task:0/device:CPU:0";
/// Their worker.
pub const WORKER: &str = "/job:worker/replica:0/task:0/device:CPU:0";

/// A RunMetadata in the making.
#[derive(Clone, Debug, Default)]
pub struct Scenario(pub RunMetadata);

impl Scenario {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a `dev_stats` entry with `ops`; one device may have several.
    pub fn device(mut self, name: &str, ops: impl IntoIterator<Item = NodeExecStats>) -> Self {
        let step = self.0.step_stats.get_or_insert_with(StepStats::default);
        step.dev_stats.push(DeviceStepStats {
            device: name.to_owned(),
            node_stats: ops.into_iter().collect(),
            ..DeviceStepStats::default()
        });
        self
    }

    /// Adds a partition graph.
    pub fn graph(mut self, nodes: impl IntoIterator<Item = NodeDef>) -> Self {
        self.0.partition_graphs.push(GraphDef { node: nodes.into_iter().collect() });
        self
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.encode_to_vec()
    }

    /// The file, opened.
    ///
    /// # Panics
    /// If it has no op.
    pub fn open(&self) -> Opened {
        open(&self.bytes())
    }

    /// The file, opened and analysed.
    ///
    /// # Panics
    /// If it has no op.
    pub fn study(&self) -> Study {
        Study::new(self.open().trace)
    }
}

/// Opens a file that can be opened.
///
/// # Panics
/// If it cannot.
pub fn open(file: &[u8]) -> Opened {
    match Opener::open_bytes("scenario.pb", file, CategoryRules::default()) {
        Ok(opened) => opened,
        Err(why) => panic!("{why}"),
    }
}

/// An op called what its label says: `a` of `a = Mul(b)`, or all of a label that is no more than a name.
pub fn op(label: &str, start_ns: i64, length_ns: i64) -> NodeExecStats {
    NodeExecStats {
        node_name: label.split(" = ").next().unwrap_or_default().to_owned(),
        timeline_label: label.to_owned(),
        ..NodeExecStats::default()
    }
    .at(start_ns, length_ns)
}

/// A `RecvTensor`, on whole microseconds.
pub fn recv(
    tensor: &str,
    source: &str,
    destination: &str,
    bytes: i64,
    start_us: i64,
    length_us: i64,
) -> NodeExecStats {
    NodeExecStats {
        node_name: "RecvTensor".to_owned(),
        timeline_label: format!("[{bytes}B] {tensor} from {source} to {destination}"),
        all_start_micros: BASE_UNIX_NS / 1_000 + start_us,
        all_end_rel_micros: length_us,
        ..NodeExecStats::default()
    }
    .output(0, 0, &[], bytes)
}

impl NodeExecStats {
    /// When it ran; queued and started at once, with a kernel as long as itself.
    pub fn at(mut self, start_ns: i64, length_ns: i64) -> Self {
        let start_unix_ns = BASE_UNIX_NS + start_ns;
        (self.all_start_micros, self.all_start_nanos) = (start_unix_ns / 1_000, start_unix_ns);
        (self.scheduled_micros, self.scheduled_nanos) = (start_unix_ns / 1_000, start_unix_ns);
        (self.all_end_rel_micros, self.all_end_rel_nanos) = (length_ns / 1_000, length_ns);
        (self.op_end_rel_micros, self.op_end_rel_nanos) = (length_ns / 1_000, length_ns);
        self
    }

    /// When it was queued.
    pub fn scheduled(mut self, at_ns: i64) -> Self {
        let unix_ns = BASE_UNIX_NS + at_ns;
        (self.scheduled_micros, self.scheduled_nanos) = (unix_ns / 1_000, unix_ns);
        self
    }

    /// The thread that ran it.
    pub fn thread(mut self, thread: u32) -> Self {
        self.thread_id = thread;
        self
    }

    /// An output of `bytes` bytes.
    pub fn output(mut self, slot: i32, dtype: i32, shape: &[i64], bytes: i64) -> Self {
        let dim = |&size: &i64| tensor_shape_proto::Dim { size, ..tensor_shape_proto::Dim::default() };
        self.output.push(NodeOutput {
            slot,
            tensor_description: Some(TensorDescription {
                dtype,
                shape: Some(TensorShapeProto { dim: shape.iter().map(dim).collect(), unknown_rank: false }),
                allocation_description: Some(AllocationDescription {
                    requested_bytes: bytes,
                    allocated_bytes: bytes,
                    allocator_name: "cpu".to_owned(),
                    ..AllocationDescription::default()
                }),
            }),
        });
        self
    }

    /// What an allocator did: (microseconds from time 0, bytes) for each allocation and free.
    pub fn memory(mut self, allocator: &str, records: &[(i64, i64)]) -> Self {
        let record = |&(at_us, bytes): &(i64, i64)| AllocationRecord {
            alloc_micros: BASE_UNIX_NS / 1_000 + at_us,
            alloc_bytes: bytes,
        };
        self.memory.push(AllocatorMemoryUsed {
            allocator_name: allocator.to_owned(),
            allocation_records: records.iter().map(record).collect(),
            ..AllocatorMemoryUsed::default()
        });
        self
    }
}

/// A node of a partition graph.
pub fn node(name: &str, op: &str, device: &str, inputs: &[&str]) -> NodeDef {
    NodeDef {
        name: name.to_owned(),
        op: op.to_owned(),
        device: device.to_owned(),
        input: inputs.iter().map(|&input| input.to_owned()).collect(),
        ..NodeDef::default()
    }
}

impl NodeDef {
    /// Makes it an end of the rendezvous with this key.
    pub fn meets(mut self, tensor: &str, source: &str, destination: &str) -> Self {
        for (key, text) in [("tensor_name", tensor), ("send_device", source), ("recv_device", destination)] {
            let value = Some(attr_value::Value::S(text.as_bytes().to_vec()));
            self.attr.insert(key.to_owned(), AttrValue { value });
        }
        self
    }

    /// Whether an attribute is a text.
    pub fn has_text(&self, key: &str) -> bool {
        matches!(
            self.attr.get(key).and_then(|attribute| attribute.value.as_ref()),
            Some(attr_value::Value::S(_))
        )
    }

    /// The text of an attribute; empty if it has none.
    pub fn text(&self, key: &str) -> String {
        match self.attr.get(key).and_then(|attribute| attribute.value.as_ref()) {
            Some(attr_value::Value::S(text)) => String::from_utf8_lossy(text).into_owned(),
            _ => String::new(),
        }
    }
}
