//! Transfers and their ends, against an independent reading of the partition graphs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use prost::Message;
use std::collections::{BTreeMap, BTreeSet};
use steplens_core::dataflow::Certainty;
use steplens_core::makers::{Edge, Source};
use steplens_core::transfers::{Join, NoProducer, Transfer};
use steplens_core::{CategoryRules, OpId, Study, TransferId};
use steplens_formats::Opener;
use steplens_formats::session;
use steplens_tests::cases::cases;
use steplens_tests::cluster::Cluster;
use steplens_tests::fixtures::fixture;
use steplens_tests::proto::{AttrValue, NodeDef, NodeExecStats, RunMetadata, attr_value};
use steplens_tests::random::Random;
use steplens_tests::scale::{period_us, scale};
use steplens_tests::writer::{PS, Scenario, WORKER, node, op, open, recv};

/// A rendezvous: tensor, source, destination.
type Key = (String, String, String);

/// What prost and the graphs say about one step.
struct Wanted {
    metadata: RunMetadata,
    /// The node that makes each tensor, by its `_Send`.
    producer: BTreeMap<Key, String>,
    /// The names of the nodes that use each tensor, by the inputs of the destination's graph.
    consumers: BTreeMap<Key, BTreeSet<String>>,
}

impl Wanted {
    fn of(file: &[u8]) -> Self {
        let metadata = RunMetadata::decode(file).unwrap();
        let (mut producer, mut consumers) = (BTreeMap::new(), BTreeMap::new());
        let key =
            |node: &NodeDef| (node.text("tensor_name"), node.text("send_device"), node.text("recv_device"));
        for graph in &metadata.partition_graphs {
            for node in &graph.node {
                match node.op.as_str() {
                    "_Send" => _ = producer.insert(key(node), name_of(&node.input[0]).to_owned()),
                    "_Recv" => {
                        let uses =
                            |other: &&NodeDef| other.input.iter().any(|input| name_of(input) == node.name);
                        let names = graph.node.iter().filter(uses).map(|other| other.name.clone());
                        consumers.insert(key(node), names.collect());
                    }
                    _ => {}
                }
            }
        }
        Self { metadata, producer, consumers }
    }

    /// The recorded ops of `device` that are called `name`.
    fn ops<'a>(&'a self, device: &'a str, name: &'a str) -> impl Iterator<Item = &'a NodeExecStats> {
        let is_named = move |&(other, op): &(&str, &NodeExecStats)| other == device && op.node_name == name;
        self.metadata.ops().filter(is_named).map(|(_, op)| op)
    }
}

/// `a` of `a`, `a:1` and `^a`.
fn name_of(input: &str) -> &str {
    let input = input.strip_prefix('^').unwrap_or(input);
    input.split(':').next().unwrap()
}

/// Key and bytes of a `RecvTensor`, read apart from our label parser.
fn received(op: &NodeExecStats) -> (Key, i64) {
    let words: Vec<&str> = op.timeline_label.split(' ').collect();
    let [.., tensor, "from", source, "to", destination] = words.as_slice() else {
        panic!("{}", op.timeline_label)
    };
    let allocation =
        op.output[0].tensor_description.as_ref().unwrap().allocation_description.as_ref().unwrap();
    let key = [tensor, source, destination].map(|text| (*text).to_owned());
    (key.into(), allocation.requested_bytes)
}

/// How much later the first of `used_by` could start because of a transfer: the receipt less when the last of its other inputs was
/// there. Not known where it has no other input.
fn delayed(study: &Study, id: TransferId, used_by: &[OpId]) -> Option<i64> {
    let ops = study.trace().ops();
    let transfer = study.transfers().get(id).op?;
    let first = used_by.iter().copied().min_by_key(|&op| (ops.scheduled(op).unwrap_or(ops.start(op)), op))?;
    let inputs = study.edges().inputs(first, usize::MAX);
    let others = inputs.iter().filter_map(|edge| study.edges().maker(edge.source));
    let latest = others.filter(|&maker| maker != transfer).map(|maker| ops.end(maker)).max()?;
    let lag = ops.end(transfer).0 - latest.0;
    Some(if lag < 0 { 0 } else { lag })
}

fn key_of(study: &Study, transfer: &Transfer) -> Key {
    [transfer.tensor, transfer.source, transfer.destination]
        .map(|id| study.trace().text(id).to_owned())
        .into()
}

fn names(study: &Study, ops: &[OpId]) -> Vec<String> {
    ops.iter().map(|&op| study.trace().op_name(op).to_owned()).collect()
}

fn consumers(study: &Study, transfer: TransferId) -> Vec<OpId> {
    study.edges().consumers_of(transfer)
}

#[test]
fn every_transfer_of_the_main_example_has_its_ends() {
    let file = fixture("ps4w").bytes;
    let wanted = Wanted::of(&file);
    let study = Study::new(open(&file).trace);
    let rows = study.transfers().rows();
    let recorded: Vec<_> = wanted.metadata.ops().filter(|(_, op)| op.node_name == "RecvTensor").collect();
    assert_eq!((rows.len(), recorded.len(), wanted.consumers.len()), (991, 991, 991));

    // The same keys with the same bytes.
    let mut got: Vec<_> = rows.iter().map(|row| (key_of(&study, &row), row.bytes.0 as i64)).collect();
    let mut want: Vec<_> = recorded.iter().map(|(_, op)| received(op)).collect();
    got.sort();
    want.sort();
    assert_eq!(got, want);

    let (mut joined, mut not_recorded, mut used) = (0, 0, 0);
    for (id, row) in study.transfers().all() {
        let key = key_of(&study, &row);
        let (tensor, source, destination) = &key;
        let op = row.op.unwrap();
        assert_eq!(
            study.trace().text(study.trace().devices().get(study.trace().device_of(op)).name),
            destination
        );
        assert_eq!((row.join, row.certainty), (Some(Join::Graph), Certainty::Exact), "{tensor}");
        match row.producer {
            Ok(producer) => {
                joined += 1;
                assert_eq!(study.trace().op_name(producer), wanted.producer[&key]);
                assert_eq!(
                    study.trace().text(study.trace().devices().get(study.trace().device_of(producer)).name),
                    source
                );
                assert!(
                    study.trace().ops().end(producer) < study.trace().ops().end(op),
                    "{tensor} before it was made"
                );
            }
            Err(why) => {
                not_recorded += 1;
                assert_eq!(why, NoProducer::NotRecorded);
                assert_eq!(wanted.ops(source, &wanted.producer[&key]).count(), 0, "{tensor}");
            }
        }
        // The ops of the nodes that the graph says use the tensor, in order of start.
        let mut want: Vec<_> =
            wanted.consumers[&key].iter().flat_map(|name| wanted.ops(destination, name)).collect();
        want.sort_by_key(|op| (op.start_ns(), op.length_ns()));
        let want: Vec<_> = want.iter().map(|op| op.node_name.clone()).collect();
        let got = consumers(&study, id);
        assert_eq!(names(&study, &got), want, "{tensor}");
        // Three tensors, the losses, go on to the client: the node that sends them leaves no op.
        let to_client = wanted.consumers[&key].iter().all(|name| name.starts_with("_send_"));
        assert_eq!(got.is_empty(), to_client, "{tensor}");
        used += usize::from(!got.is_empty());
    }
    assert_eq!((joined, not_recorded, used), (991, 0, 988));
}

#[test]
fn each_transfer_of_several_steps_has_the_ends_of_its_own_step() {
    const STEPS: u32 = 5;
    let file = fixture("ps4w").bytes;
    let mut scaled = Vec::new();
    scale(&file, STEPS, &mut scaled).unwrap();
    let once = Study::new(open(&file).trace);
    let study = Study::new(open(&scaled).trace);
    assert_eq!(study.transfers().rows().len(), 991 * STEPS as usize);

    let period =
        period_us(RunMetadata::decode(file.as_slice()).unwrap().step_stats.as_ref().unwrap()) * 1_000;
    // The first start of a step may lie a little before its first micro.
    let step_of = |op: OpId| (study.trace().ops().start(op).0 + 1_000).div_euclid(period);
    let single: BTreeMap<Key, (Option<String>, Vec<String>)> = (once.transfers().all())
        .map(|(id, row)| {
            let producer = row.producer.ok().map(|op| once.trace().op_name(op).to_owned());
            (key_of(&once, &row), (producer, names(&once, &consumers(&once, id))))
        })
        .collect();
    for (id, row) in study.transfers().all() {
        let step = step_of(row.op.unwrap());
        let (producer, used_by) = &single[&key_of(&study, &row)];
        assert_eq!(row.producer.ok().map(|op| study.trace().op_name(op).to_owned()), *producer);
        assert_eq!(row.producer.ok().map(step_of), Some(step));
        let consumers = consumers(&study, id);
        assert_eq!(names(&study, &consumers), *used_by);
        assert!(consumers.iter().all(|&consumer| step_of(consumer) == step));
        let times = study.times(id);
        assert!(
            times.wire.is_none_or(|wire| wire.0 < period)
                && times.queued.is_none_or(|queued| queued.0 < period)
        );
    }
}

#[test]
fn times_follow_the_definitions() {
    // The later step was recorded without the transfers of one worker.
    for (name, count) in [("ps4w", 991), ("ps4w-later", 843), ("ps4w-skewed", 991)] {
        let study = Study::new(open(&fixture(name).bytes).trace);
        assert_eq!(study.transfers().rows().len(), count);
        let ops = study.trace().ops();
        for (id, row) in study.transfers().all() {
            let used_by = consumers(&study, id);
            let times = study.times(id);
            let (start, received) = (ops.start(row.op.unwrap()), ops.end(row.op.unwrap()));
            let producer_end = row.producer.ok().map(|producer| ops.end(producer));
            assert_eq!((times.received, times.producer_end), (Some(received), producer_end));
            assert_eq!(study.transfer_times().consumers(id), used_by);
            // A start 1 us before the end is a bound, not a time.
            let sent = (received.0 - start.0 > 1_000).then_some(start);
            assert_eq!(times.sent, sent);
            assert_eq!(times.wire.map(|wire| wire.0), sent.map(|sent| received.0 - sent.0));
            let queued =
                producer_end.zip(sent).map(|(end, sent)| sent.0 - end.0).filter(|&queued| queued >= 0);
            assert_eq!(times.queued.map(|queued| queued.0), queued);
            let scheduled = used_by.iter().filter_map(|&op| ops.scheduled(op)).min();
            let unused = scheduled.map(|time| time.0 - received.0).filter(|&unused| unused >= 0);
            assert_eq!(times.unused.map(|unused| unused.0), unused);
            // The three tile the time from producer to consumer, to the nanosecond.
            if let (Some(queued), Some(wire), Some(unused)) = (times.queued, times.wire, times.unused) {
                let whole = scheduled.unwrap().0 - producer_end.unwrap().0;
                assert_eq!(queued.0 + wire.0 + unused.0, whole);
            }
            assert_eq!(
                times.delayed.map(|delayed| delayed.0),
                delayed(&study, id, &used_by),
                "{name} {id:?}"
            );
        }
    }
}

#[test]
fn a_transfer_delays_its_consumer_by_what_came_after_the_other_inputs() {
    let study = Scenario::new()
        .device(PS, [op("w = Variable()", 0, 1_000), op("v = Variable()", 0, 2_000)])
        .device(
            WORKER,
            [
                recv("edge_1_w", PS, WORKER, 64, 2, 8),
                recv("edge_2_v", PS, WORKER, 32, 3, 20),
                op("x = Const()", 0, 15_000),
                op("y = Mul(w/_1, x)", 16_000, 500),
                op("z = Add(v/_2, y, ^x)", 24_000, 500).scheduled(23_500),
            ],
        )
        .study();
    let rows: Vec<Transfer> = study.transfers().rows().iter().collect();
    let [w, v] = rows.as_slice() else { panic!("want two transfers") };
    assert_eq!((w.join, v.join), (Some(Join::Label), Some(Join::Label)));
    let [w, v] = [0, 1].map(TransferId::new);
    let times = |id| study.times(id);
    assert_eq!(
        (names(&study, &consumers(&study, w)), names(&study, &consumers(&study, v))),
        (vec!["y".to_owned()], vec!["z".to_owned()])
    );
    // w came at 10 us, x was there at 15 us: nobody waited for w. v came at 23 us, y was there at 16.5 us.
    assert_eq!(times(w).delayed.map(|delayed| delayed.0), Some(0));
    assert_eq!(times(v).delayed.map(|delayed| delayed.0), Some(6_500));
    assert_eq!(times(v).unused.map(|unused| unused.0), Some(500));
    assert_eq!(times(v).queued.map(|queued| queued.0), Some(1_000));
}

/// Without graphs the labels are all there is: what they tell must be what the graphs say, wherever they tell anything.
#[test]
fn labels_alone_join_what_the_graphs_join() {
    let file = fixture("ps4w").bytes;
    let mut metadata = RunMetadata::decode(file.as_slice()).unwrap();
    metadata.partition_graphs.clear();
    let with_graphs = Study::new(open(&file).trace);
    let without = Study::new(open(&metadata.encode_to_vec()).trace);
    let mut exact = 0;
    let mut guessed: BTreeMap<(String, String), Vec<bool>> = BTreeMap::new();
    for ((wanted_id, wanted), (id, row)) in with_graphs.transfers().all().zip(without.transfers().all()) {
        let (tensor, _, destination) = key_of(&without, &row);
        assert_eq!(row.join, Some(Join::Label));
        let ambiguous = if row.bytes.0 == 0 { Certainty::Ambiguous(2) } else { Certainty::Inferred };
        assert_eq!(row.certainty, ambiguous, "{tensor}");
        let got = (row.producer.unwrap(), consumers(&without, id));
        let want = (wanted.producer.unwrap(), consumers(&with_graphs, wanted_id));
        assert!(want.1.iter().all(|op| got.1.contains(op)), "{tensor}");
        if got == want {
            exact += 1;
            continue;
        }
        let (got, want) = (without.trace().op_name(got.0), with_graphs.trace().op_name(want.0));
        let is_control = want.starts_with(&format!("{got}/ctrl_S"));
        assert!(got == want || is_control, "{tensor}");
        guessed.entry((got.to_owned(), destination)).or_default().push(is_control);
    }
    // Variables cross twice, as a value and as an order. The order is a constant that the partitioner adds and calls
    // after the op it follows: it is empty, which tells the two apart, but not who made it.
    assert_eq!((exact, guessed.len()), (795, 196));
    assert!(guessed.values().all(|guessed| *guessed == [true]));
}

/// Between the devices of one task nothing records a transfer: the graphs tell of six, and so do the labels.
#[test]
fn devices_of_one_task_exchange_tensors_without_a_record() {
    const LINKS: [(&str, &str, &str, &str, &str); 6] = [
        ("edge_4_random_uniform/RandomUniform", "random_uniform/RandomUniform", "CPU:0", "CPU:2", "MatMul_6"),
        (
            "edge_6_random_uniform/RandomUniform",
            "random_uniform/RandomUniform",
            "CPU:0",
            "CPU:3",
            "MatMul_12",
        ),
        ("edge_8_random_uniform/RandomUniform", "random_uniform/RandomUniform", "CPU:0", "CPU:1", "MatMul"),
        ("edge_94_Relu_11", "Relu_11", "CPU:2", "CPU:0", "AddN"),
        ("edge_95_Relu_17", "Relu_17", "CPU:3", "CPU:0", "AddN"),
        ("edge_96_Relu_5", "Relu_5", "CPU:1", "CPU:0", "AddN"),
    ];
    for (name, join) in [("multidev", Join::Graph), ("multidev-nograph", Join::Label)] {
        let study = Study::new(open(&fixture(name).bytes).trace);
        let device = |id| study.trace().text(id).rsplit_once('/').unwrap().1.trim_start_matches("device:");
        let mut found = Vec::new();
        for (id, row) in study.transfers().all() {
            let certainty = if join == Join::Graph { Certainty::Exact } else { Certainty::Inferred };
            assert_eq!((row.op, row.join, row.certainty), (None, Some(join), certainty));
            assert_eq!(row.bytes.0, 256 * 256 * 4);
            let producer = row.producer.unwrap();
            let times = study.times(id);
            assert_eq!(times.producer_end, Some(study.trace().ops().end(producer)));
            assert_eq!((times.sent, times.received, times.queued, times.wire), (None, None, None, None));
            assert_eq!((times.unused, times.delayed), (None, None));
            let consumers = names(&study, &consumers(&study, id));
            assert_eq!(times.first_consumer.map(|op| study.trace().op_name(op)), Some(consumers[0].as_str()));
            let producer = study.trace().op_name(producer);
            let ends = (device(row.source), device(row.destination));
            found.push((study.trace().text(row.tensor), producer, ends.0, ends.1, consumers.join(" ")));
        }
        found.sort_by_key(|&(_, producer, _, destination, _)| (producer, destination));
        let mut wanted = LINKS.to_vec();
        wanted.sort_by_key(|&(_, producer, _, destination, _)| (producer, destination));
        for (found, wanted) in found.iter().zip(&wanted) {
            let tensor = if join == Join::Graph { wanted.0 } else { wanted.1 };
            assert_eq!(
                (found.0, found.1, found.2, found.3, &*found.4),
                (tensor, wanted.1, wanted.2, wanted.3, wanted.4)
            );
        }
        assert_eq!(found.len(), wanted.len(), "{name}");
    }
    // What the other device reduced is fetched from the first.
    let study = Study::new(open(&fixture("collective").bytes).trace);
    assert_eq!(study.transfers().rows().len(), 1);
    assert_eq!(names(&study, &consumers(&study, TransferId::new(0))), ["_retval_CollectiveReduce_1_0_1"]);
}

#[test]
fn what_is_missing_is_said() {
    let study = Scenario::new()
        .device(
            WORKER,
            [
                recv("edge_1_w", PS, WORKER, 8, 0, 5),
                recv("edge_2_gone", WORKER, WORKER, 8, 1, 5),
                recv("edge_3_folded", WORKER, WORKER, 8, 2, 5),
                op("a = Mul(b)", 9_000, 10),
            ],
        )
        .graph([
            node("folded", "Const", WORKER, &[]),
            node("send", "_Send", WORKER, &["folded"]).meets("edge_3_folded", WORKER, WORKER),
        ])
        .study();
    let why: Vec<_> = study.transfers().rows().iter().map(|row| row.producer.unwrap_err()).collect();
    assert_eq!(why, [NoProducer::SourceNotTraced, NoProducer::NotRecorded, NoProducer::NotRecorded]);
}

/// Devices whose names tell no task may be of any: nothing says that they share one.
#[test]
fn devices_without_a_task_exchange_nothing_unrecorded() {
    for (task, count) in [("/job:a/replica:0/task:0", 1), ("", 0)] {
        let [from, to] = [0, 1].map(|cpu| format!("{task}/device:CPU:{cpu}"));
        let study = Scenario::new()
            .device(&from, [op("x = Const()", 0, 10)])
            .device(&to, [op("y = Neg(x)", 100, 10)])
            .graph([
                node("x", "Const", &from, &[]),
                node("x/_0", "_Send", &from, &["x"]).meets("edge_1_x", &from, &to),
            ])
            .graph([
                node("x/_1", "_Recv", &to, &[]).meets("edge_1_x", &from, &to),
                node("y", "Neg", &to, &["x/_1"]),
            ])
            .study();
        assert_eq!(study.transfers().rows().len(), count, "{task}");
    }
}

/// A transfer recorded by another transport, under a name of its own, with each form of label.
#[test]
fn labels_of_every_form_are_transfers() {
    for (head, bytes) in [("[128B] ", 128), ("[1.5MB] ", 1_572_864), ("[128B] [0.085870Mb/s] ", 128), ("", 0)]
    {
        let label = format!("{head}edge_7_net/w:1 from {PS} to {WORKER}");
        let mut transfer = op(&label, 5_000, 2_000);
        transfer.node_name = "RdmaRecv".to_owned();
        let ops = [transfer, op("a = Mul(net/w/_3:1)", 8_000, 10)];
        let study = Scenario::new().device(PS, [op("net/w = Split()", 0, 10)]).device(WORKER, ops).study();
        let rows: Vec<Transfer> = study.transfers().rows().iter().collect();
        let [row] = rows.as_slice() else { panic!("{label}") };
        assert_eq!(row.bytes.0, bytes, "{label}");
        assert_eq!(row.producer.map(|op| study.trace().op_name(op)), Ok("net/w"));
        assert_eq!(names(&study, &consumers(&study, TransferId::new(0))), ["a"]);
    }
}

/// What a collective's nodes say of whom they meet is read, and kept in a session.
#[test]
fn collectives_meet_by_their_keys() {
    let number = |value| AttrValue { value: Some(attr_value::Value::I(value)) };
    let mut reduce = node("reduce", "CollectiveReduce", WORKER, &["a"]);
    reduce.attr.insert("group_key".to_owned(), number(7));
    reduce.attr.insert("instance_key".to_owned(), number(-2));
    let mut all = node("all", "NcclAllReduce", WORKER, &["a"]).meets("", "", "");
    all.attr
        .insert("shared_name".to_owned(), AttrValue { value: Some(attr_value::Value::S(b"c0".to_vec())) });
    let mut received = node("a/_1", "_Recv", WORKER, &[]).meets("edge_1_a", PS, WORKER);
    received.attr.insert("tensor_type".to_owned(), AttrValue { value: Some(attr_value::Value::Type(14)) });
    let scenario = Scenario::new().device(WORKER, [op("a = Const()", 0, 10)]).graph([
        node("a", "Const", WORKER, &[]),
        reduce,
        all,
        received,
    ]);
    let opened = scenario.open();
    let again = open(&session::write(&opened.trace, &opened.files)).trace;
    for trace in [&opened.trace, &again] {
        let graph = trace.graph();
        let said: Vec<_> = graph.ids().map(|node| graph.collective(node)).collect();
        let [None, Some(reduce), Some(all), None] = said.as_slice() else { panic!("{said:?}") };
        assert_eq!((reduce.group, reduce.instance, trace.text(reduce.name)), (7, -2, ""));
        assert_eq!((all.group, all.instance, trace.text(all.name)), (0, 0, "c0"));
        assert_eq!(graph.rendezvous().iter().map(|end| end.dtype).collect::<Vec<_>>(), [14]);
    }
}

/// A value is read from its variable; a gradient is as large as its variable, and each worker has one for each.
#[test]
fn tensors_belong_to_their_variables() {
    let study = Study::new(open(&fixture("ps4w").bytes).trace);
    let (mut values, mut gradients) = (0, BTreeMap::new());
    for (id, row) in study.transfers().all() {
        let producer = study.trace().op_name(row.producer.unwrap());
        let Some(variable) = study.variable(id) else {
            assert!(row.bytes.0 == 0 || producer.contains("Mean"), "an order, or the loss: {producer}");
            continue;
        };
        let name = study.trace().text(variable.name);
        if !variable.is_gradient {
            assert_eq!(producer, format!("{name}/read"));
            values += 1;
            continue;
        }
        assert!(producer.starts_with("gradients"));
        let made = study.trace().ops().ids().find(|&op| study.trace().op_name(op) == name).unwrap();
        assert_eq!(study.trace().outputs().requested_bytes(made), row.bytes, "{producer} is for {name}");
        assert!(gradients.entry(name).or_insert_with(BTreeSet::new).insert(row.source));
    }
    assert_eq!((values, gradients.len()), (396, 99));
    assert!(gradients.values().all(|workers| workers.len() == 4));
}

/// What holds of every transfer, whoever wrote the file: its figures are what its ends say, and what is known tiles the time between.
fn figures_hold(study: &Study) {
    let ops = study.trace().ops();
    let scheduled = |op: OpId| ops.scheduled(op).unwrap_or(ops.start(op)).0;
    for (id, row) in study.transfers().all() {
        let (times, used_by) = (study.times(id), consumers(study, id));
        assert_eq!(study.transfer_times().consumers(id), used_by);
        assert_eq!(
            times.first_consumer.map(scheduled),
            used_by.iter().map(|&op| scheduled(op)).min(),
            "the consumer that was scheduled first"
        );
        assert!([times.queued, times.wire, times.unused].iter().flatten().all(|length| length.0 >= 0));
        assert_eq!(times.delayed.map(|delayed| delayed.0), delayed(study, id, &used_by));
        if let (Some(queued), Some(wire), Some(unused)) = (times.queued, times.wire, times.unused) {
            let whole = scheduled(times.first_consumer.unwrap()) - ops.end(row.producer.unwrap()).0;
            assert_eq!(queued.0 + wire.0 + unused.0, whole);
        }
        assert!(
            row.op.is_some()
                || (times.received, times.wire, times.unused, times.delayed) == Default::default()
        );
        // Its users are reported there, and its producer only once.
        for &user in &used_by {
            let takes = |edge: &Edge<'_>| edge.source == Source::Transfer(id);
            assert!(study.edges().inputs(user, usize::MAX).iter().any(takes));
        }
        if let Ok(producer) = row.producer {
            assert_eq!(study.transfers().sent_from(producer).filter(|&sent| sent == id).count(), 1);
        }
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn figures_of_random_clusters_hold(
        shape in (1_usize..4, 1_usize..5, 1_usize..9, 1_usize..4),
        sends_back in any::<bool>(),
        skew_ms in 0_i64..30,
        seed in any::<u64>(),
    ) {
        let (servers, workers, parameters, steps) = shape;
        let cluster = Cluster { servers, workers, parameters, steps, sends_back, skew_ms, drift_ppm: 0 };
        let study = cluster.record(&mut Random::new(seed)).scenario.study();
        prop_assert!(!study.transfers().rows().is_empty());
        prop_assert!(study.transfers().rows().iter().all(|row| row.producer.is_ok()));
        figures_hold(&study);
    }

    #[test]
    fn figures_of_random_files_hold(metadata in crate::strategy::run_metadata()) {
        if let Ok(opened) = Opener::open_bytes("random.pb", &metadata.encode_to_vec(), CategoryRules::default()) {
            figures_hold(&Study::new(opened.trace));
        }
    }
}
