//! Blocks of one device, parts that are taken back, and parts that are described late.

use super::*;
use crate::base::units::Timestamp;
use crate::model::category::CategoryRules;
use crate::model::part::PartRecord;

fn op(
    builder: &mut TraceBuilder,
    slot: DeviceSlot,
    name: &[u8],
    start: i64,
    length: i64,
) -> Result<(), Refused> {
    let times = OpTimes { start_unix_ns: start, length_ns: length, ..OpTimes::default() };
    builder.op(slot, &OpRecord { name, label: b"", times })
}

#[test]
fn blocks_of_one_device_are_one_device_and_ops_come_sorted() {
    let mut builder = TraceBuilder::default();
    let (late, ps, early) = (builder.begin_device(), builder.begin_device(), builder.begin_device());
    op(&mut builder, late, b"c", 1_030, 5).unwrap();
    op(&mut builder, early, b"b", 1_010, 5).unwrap();
    op(&mut builder, early, b"a", 1_010, 0).unwrap();
    builder.output(&OutputRecord { requested_bytes: 7, shape: Some(&[2, -1]), ..OutputRecord::default() });
    builder.allocator_use(b"cpu", 8, 8, 8, None);
    builder.allocation(1_012, -8);
    op(&mut builder, ps, b"p", 1_000, 3).unwrap();
    assert_eq!(op(&mut builder, ps, b"x", i64::MAX, 1), Err(Refused::TimeOutOfRange));
    builder.name_device(ps, b"/job:ps/replica:0/task:0/device:CPU:0");
    builder.name_device(late, b"/job:worker/replica:0/task:10/device:CPU:0");
    builder.name_device(early, b"/job:worker/replica:0/task:10/device:CPU:0");
    builder.name_thread(late, 3, b"pool");
    let trace = builder.finish(&CategoryRules::default());

    assert_eq!(trace.devices().len(), 2);
    let names: Vec<_> = trace.ops().ids().map(|op| trace.op_name(op)).collect();
    assert_eq!(names, ["p", "a", "b", "c"]);
    assert_eq!((trace.origin_unix_ns(), trace.span().end), (1_000, Timestamp(35)));
    let a = trace.ops().ids().nth(1).unwrap();
    let worker = trace.device_of(a);
    assert_eq!(
        trace.devices().get(worker).task.map(|task| trace.text(task)),
        Some("/job:worker/replica:0/task:10")
    );
    assert_eq!(
        trace.outputs().of(a).map(|output| output.shape.map(<[i64]>::to_vec)).collect::<Vec<_>>(),
        [Some(vec![2, -1])]
    );
    let records: Vec<_> = trace.memory().of(a).flat_map(|(_, records)| records.collect::<Vec<_>>()).collect();
    assert_eq!(
        records.iter().map(|record| (record.after_start.0, record.bytes)).collect::<Vec<_>>(),
        [(2, -8)]
    );
    assert_eq!(trace.thread_name(worker, 3), Some("pool"));
    assert_eq!(trace.outputs().requested_bytes(trace.ops().ids().nth(2).unwrap()).0, 0);
}

#[test]
fn parts_that_are_taken_back_leave_nothing() {
    let mut builder = TraceBuilder::default();
    for (part, is_kept) in [("a", true), ("b", false), ("c", false), ("d", true)] {
        let before = builder.part_count();
        builder.begin_part(&PartRecord { name: part, is_run: true, ..PartRecord::default() });
        let slot = builder.begin_device();
        builder.name_device(slot, part.as_bytes());
        builder.name_thread(slot, 1, b"pool");
        op(&mut builder, slot, part.as_bytes(), 1_000, 3).unwrap();
        builder.output(&OutputRecord { requested_bytes: 7, ..OutputRecord::default() });
        let inputs: [&[u8]; 2] = [b"x", part.as_bytes()];
        let rendezvous = (&b"t"[..], &b"s"[..], &b"r"[..]);
        builder.graph_node(&GraphNodeRecord {
            name: part.as_bytes(),
            op: b"_Send",
            inputs: &inputs,
            rendezvous: Some(rendezvous),
            ..GraphNodeRecord::default()
        });
        if !is_kept {
            assert_eq!(builder.discard_parts(before), 1);
        }
    }
    assert_eq!((builder.op_count(), builder.graph_node_count(), builder.left_out().total()), (2, 2, 0));
    let found: Vec<_> = builder.found().into_iter().map(|device| (device.name, device.ops)).collect();
    assert_eq!(found, [("a".to_owned(), 1), ("d".to_owned(), 1)]);
    let trace = builder.finish(&CategoryRules::default());
    let parts: Vec<_> = trace.parts().iter().map(|part| (trace.text(part.name), part.ops)).collect();
    assert_eq!(parts, [("a", 1), ("d", 1)]);
    let ops: Vec<_> = trace.ops().ids().map(|op| (trace.op_name(op), trace.ops().part(op).index())).collect();
    assert_eq!(ops, [("a", 0), ("d", 1)]);
    let graph = trace.graph();
    let last_input = |node| graph.inputs(node).last().map(|&input| trace.text(input));
    assert_eq!(graph.ids().filter_map(last_input).collect::<Vec<_>>(), ["a", "d"]);
    assert_eq!((graph.rendezvous().len(), graph.of_part(PartId::from_usize(1))), (2, 1..2));
}

#[test]
fn a_part_may_be_described_after_its_ops() {
    let mut builder = TraceBuilder::default();
    builder.begin_file(0);
    let run = PartRecord { is_run: true, ..PartRecord::default() };
    let (first, second) = (builder.begin_part(&run), builder.begin_part(&run));
    let slot = builder.begin_device();
    op(&mut builder, slot, b"late", 1_030, 5).unwrap();
    op(&mut builder, slot, b"early", 1_010, 5).unwrap();
    assert_eq!(builder.starts_of_parts(), [None, Some(1_010)]);
    builder.describe_part(second, &PartRecord { name: "warm-up", facts: &[("runs", "7")], ..run });
    let trace = builder.finish(&CategoryRules::default());
    let part = |id: PartId| &trace.parts()[id.index()];
    assert_eq!((trace.text(part(first).name), part(first).ops), ("", 0));
    assert_eq!((trace.text(part(second).name), part(second).ops), ("warm-up", 2));
    let fact = part(second).facts[0];
    assert_eq!((trace.text(fact.0), trace.text(fact.1)), ("runs", "7"));
}
