//! Random RunMetadata: few names, so that they meet; times of every kind, the edges of `i64` among them.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use steplens_tests::proto::{
    AllocationDescription, AllocationRecord, AllocatorMemoryUsed, AttrValue, DeviceStepStats, GraphDef,
    NodeDef, NodeExecStats, NodeOutput, RunMetadata, StepStats, TensorDescription, TensorShapeProto,
    attr_value, run_metadata, tensor_shape_proto,
};

const DEVICES: [&str; 7] = [
    "",
    "/job:ps/replica:0/task:0/device:CPU:0",
    "/job:worker/replica:0/task:2/device:CPU:0",
    "/job:worker/replica:0/task:10/device:GPU:0",
    "/device:GPU:0/stream:all",
    "/device:GPU:0/stream:13",
    "</script><img src=x onerror=alert(1)>",
];
const NAMES: [&str; 8] = ["a", "b", "net/w/read", "a/_12", "RecvTensor", "", "é\u{202e}\0", "</script>"];
const LABELS: [&str; 9] = [
    "",
    "a = Mul(b, net/w/read, ^a)",
    "b = Add(a/_12, a:1)",
    "[mklcpu 0.4MB 0.4MB] net/w/read = Identity(b)",
    "[128B] edge_7_a from /job:ps/replica:0/task:0/device:CPU:0 to /job:worker/replica:0/task:2/device:CPU:0",
    "[1.3MB] [0.1Mb/s] edge_8_b:1 from /a to /b",
    "x from /a to /b",
    " = (",
    "k@@a:MatMul#id=3",
];
const OPS: [&str; 7] = ["_Send", "_Recv", "_HostSend", "_HostRecv", "Mul", "CollectiveReduce", ""];
const KEYS: [&str; 8] = [
    "tensor_name",
    "send_device",
    "recv_device",
    "T",
    "tensor_type",
    "group_key",
    "instance_key",
    "shared_name",
];

fn one_of(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    proptest::sample::select(words).prop_map(str::to_owned)
}

/// Mostly times of today, some small, some at the edges.
fn micros() -> impl Strategy<Value = i64> {
    prop_oneof![
        6 => 1_700_000_000_000_000_i64..1_700_000_000_000_200,
        2 => -3_i64..100,
        1 => edges(),
    ]
}

fn nanos() -> impl Strategy<Value = i64> {
    prop_oneof![
        3 => Just(0),
        6 => 1_700_000_000_000_000_000_i64..1_700_000_000_000_200_000,
        1 => edges(),
    ]
}

fn rel() -> impl Strategy<Value = i64> {
    prop_oneof![8 => 0_i64..150, 1 => -50_i64..0, 1 => edges()]
}

fn edges() -> impl Strategy<Value = i64> {
    let half = 1_i64 << 62;
    proptest::sample::select(vec![
        i64::MIN,
        i64::MIN + 1,
        -half - 1,
        -half,
        -1,
        1,
        half - 1,
        half,
        i64::MAX - 1,
        i64::MAX,
    ])
}

fn output() -> impl Strategy<Value = NodeOutput> {
    let shape = (vec(-1_i64..100, 0..4), any::<bool>()).prop_map(|(sizes, unknown_rank)| TensorShapeProto {
        dim: sizes.into_iter().map(|size| tensor_shape_proto::Dim { size, ..Default::default() }).collect(),
        unknown_rank,
    });
    let allocation =
        (rel(), rel(), one_of(&NAMES), 0_i64..9).prop_map(|(requested_bytes, allocated_bytes, name, id)| {
            AllocationDescription {
                requested_bytes,
                allocated_bytes,
                allocator_name: name,
                allocation_id: id,
                ..Default::default()
            }
        });
    let tensor = (0..140, proptest::option::of(shape), proptest::option::of(allocation)).prop_map(
        |(dtype, shape, allocation_description)| TensorDescription { dtype, shape, allocation_description },
    );
    (-1..4, proptest::option::of(tensor))
        .prop_map(|(slot, tensor_description)| NodeOutput { slot, tensor_description })
}

fn memory() -> impl Strategy<Value = AllocatorMemoryUsed> {
    let record = (micros(), rel())
        .prop_map(|(alloc_micros, alloc_bytes)| AllocationRecord { alloc_micros, alloc_bytes });
    (one_of(&NAMES), [rel(), rel(), rel(), rel()], vec(record, 0..4)).prop_map(
        |(name, sizes, allocation_records)| AllocatorMemoryUsed {
            allocator_name: name,
            total_bytes: sizes[0],
            peak_bytes: sizes[1],
            live_bytes: sizes[2],
            allocator_bytes_in_use: sizes[3],
            allocation_records,
        },
    )
}

fn op() -> impl Strategy<Value = NodeExecStats> {
    let words = (one_of(&NAMES), one_of(&LABELS), 0_u32..3);
    let micros = (micros(), micros(), [rel(), rel(), rel()]);
    let nanos = (nanos(), nanos(), [rel(), rel(), rel()]);
    (words, micros, nanos, vec(memory(), 0..3), vec(output(), 0..3)).prop_map(
        |((node_name, timeline_label, thread_id), micros, nanos, memory, output)| NodeExecStats {
            node_name,
            timeline_label,
            thread_id,
            all_start_micros: micros.0,
            scheduled_micros: micros.1,
            op_start_rel_micros: micros.2[0],
            op_end_rel_micros: micros.2[1],
            all_end_rel_micros: micros.2[2],
            all_start_nanos: nanos.0,
            scheduled_nanos: nanos.1,
            op_start_rel_nanos: nanos.2[0],
            op_end_rel_nanos: nanos.2[1],
            all_end_rel_nanos: nanos.2[2],
            memory,
            output,
            ..Default::default()
        },
    )
}

fn graph() -> impl Strategy<Value = GraphDef> {
    let value = prop_oneof![
        5 => one_of(&DEVICES).prop_map(|text| attr_value::Value::S(text.into_bytes())),
        1 => any::<i64>().prop_map(attr_value::Value::I),
        1 => any::<i32>().prop_map(attr_value::Value::Type),
    ];
    let attribute = value.prop_map(|value| AttrValue { value: Some(value) });
    let node = (
        one_of(&NAMES),
        one_of(&OPS),
        one_of(&DEVICES),
        vec(one_of(&NAMES), 0..4),
        btree_map(one_of(&KEYS), attribute, 0..8),
    );
    let node = node.prop_map(|(name, op, device, input, attr)| NodeDef { name, op, device, input, attr });
    vec(node, 0..6).prop_map(|node| GraphDef { node })
}

/// A whole file.
pub(crate) fn run_metadata() -> impl Strategy<Value = RunMetadata> {
    let device = (one_of(&DEVICES), vec(op(), 0..12), btree_map(0_u32..4, one_of(&NAMES), 0..3));
    let device = device.prop_map(|(device, node_stats, thread_names)| DeviceStepStats {
        device,
        node_stats,
        thread_names,
    });
    let function =
        vec(graph(), 0..2).prop_map(|partition_graphs| run_metadata::FunctionGraphs { partition_graphs });
    (vec(device, 0..6), vec(graph(), 0..3), vec(function, 0..2)).prop_map(
        |(dev_stats, partition_graphs, function_graphs)| RunMetadata {
            step_stats: Some(StepStats { dev_stats }),
            partition_graphs,
            function_graphs,
        },
    )
}
