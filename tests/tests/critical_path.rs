//! The execution graph, the observed and the static path, slack: against sums, brute force, an independent count, and planted causes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::collection::vec;
use proptest::prelude::*;
use prost::Message;
use std::collections::BTreeMap;
use std::fs;
use steplens_core::causality::edge_kind::EdgeKind;
use steplens_core::causality::observed::{Observed, Segment, SegmentKind};
use steplens_core::causality::sums::bounds;
use steplens_core::scheduling::late::{Instead, Late};
use steplens_core::{Nanos, OpId, Study};
use steplens_tests::cases::cases;
use steplens_tests::fixtures::{Fixture, chrome_traces, fixture, fixtures_and_samples};
use steplens_tests::proto::RunMetadata;
use steplens_tests::samples::sample_folder;
use steplens_tests::writer::{PS, Scenario, op, open, recv};

const US: i64 = 1_000;
const WORKER: &str = "/job:worker/replica:0/task:0/device:CPU:0";

/// Every recording there is: fixtures, and the real traces if they are there.
fn recordings() -> Vec<Fixture> {
    let mut all: Vec<Fixture> = fixtures_and_samples().into_iter().chain(chrome_traces()).collect();
    let Some(folder) = sample_folder("real") else { return all };
    let text = fs::read_to_string(folder.join("reference.json")).unwrap();
    let read: serde_json::Value = serde_json::from_str(&text).unwrap();
    for file in read.as_object().unwrap().keys() {
        let bytes = fs::read(folder.join(file)).unwrap();
        all.push(Fixture { name: file.clone(), file: file.clone(), bytes });
    }
    all
}

/// What must hold of both paths of any trace.
fn check_paths(study: &Study, name: &str) {
    let (span, causes) = (study.trace().span(), study.causes());
    let mut now = span.start;
    for segment in &causes.observed.segments {
        assert_eq!(segment.interval.start, now, "{name}: segments do not touch");
        assert!(segment.interval.end > now, "{name}: an empty segment");
        now = segment.interval.end;
    }
    if !causes.observed.segments.is_empty() {
        assert_eq!(now, span.end, "{name}: segments do not tile the step");
        assert_eq!(causes.observed.by_kind().iter().map(|sum| sum.0).sum::<i64>(), span.length().0, "{name}");
        assert_eq!(
            bounds(study.trace(), causes).iter().map(|(_, sum)| sum.0).sum::<i64>(),
            span.length().0,
            "{name}"
        );
    }
    assert!(causes.floor.length <= span.length(), "{name}: dependencies alone take longer than the step");
    for node in 0..causes.graph.nodes.len() as u32 {
        assert!(causes.floor.slack(node) >= Nanos(0), "{name}: less than no slack");
    }
    assert!(causes.floor.path.iter().all(|&node| causes.floor.slack(node) == Nanos(0)), "{name}");
    assert!(causes.floor.next.outside <= causes.floor.next.length, "{name}");
    assert!(causes.floor.next.length <= causes.floor.length, "{name}");
}

#[test]
fn the_observed_path_tiles_every_recording_to_the_nanosecond() {
    for Fixture { name, bytes, .. } in recordings() {
        let study = Study::new(open(&bytes).trace);
        check_paths(&study, &name);
    }
}

/// Where the path of the main example has no recorded cause, no op of any task ran, but for a dispatch before the next one.
#[test]
fn the_main_example_has_no_recorded_cause_only_while_nothing_ran() {
    let study = Study::new(open(&fixture("ps4w").bytes).trace);
    let (trace, observed) = (study.trace(), &study.causes().observed);
    let gaps: Vec<_> = observed.segments.iter().filter(|own| own.kind == SegmentKind::Gap).collect();
    let ran_in = |gap: &Segment| -> i64 {
        let within = |op: OpId| trace.ops().interval(op).clamp_to(gap.interval);
        let ran = trace.ops().ids().filter(|&op| study.transfers().id_of_op(op).is_none()).map(within);
        let mut ran: Vec<_> = ran.filter(|own| own.length() > Nanos(0)).collect();
        ran.sort_by_key(|own| own.start);
        let mut until = gap.interval.start;
        ran.iter().fold(0, |sum, own| {
            let more = (own.end - own.start.max(until)).0.max(0);
            until = until.max(own.end);
            sum + more
        })
    };
    let ran: i64 = gaps.iter().map(|gap| ran_in(gap)).sum();
    assert!(ran * 100 <= observed.length().0, "{ran} of {:?}", observed.unexplained());
    assert!(observed.unexplained().0 * 15 <= observed.length().0, "{:?}", observed.unexplained());
}

/// By device, (neighbours, in a row) of ops that share a `scheduled` microsecond, as the protobuf has them.
fn counted(file: &str) -> BTreeMap<String, (u64, u64)> {
    let recorded = RunMetadata::decode(fixture(file).bytes.as_slice()).unwrap();
    let mut batches: BTreeMap<(String, i64), Vec<(i64, i64)>> = BTreeMap::new();
    for device in recorded.step_stats.unwrap().dev_stats {
        for own in device.node_stats.iter().filter(|own| own.node_name != "RecvTensor") {
            let end = own.all_start_micros + own.all_end_rel_micros;
            let batch = batches.entry((device.device.clone(), own.scheduled_micros)).or_default();
            batch.push((own.all_start_micros, end));
        }
    }
    let mut found: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for ((device, _), mut batch) in batches {
        batch.sort_unstable();
        let own = found.entry(device).or_default();
        for pair in batch.windows(2) {
            own.0 += 1;
            own.1 += u64::from(pair[0].1 <= pair[1].0);
        }
    }
    found
}

#[test]
fn rows_of_the_executor_are_as_an_independent_count_has_them() {
    let mut sums = BTreeMap::new();
    for file in ["ps4w", "mnist-adam", "lstm-while"] {
        let study = Study::new(open(&fixture(file).bytes).trace);
        let trace = study.trace();
        let wanted = counted(file);
        for rule in &study.causes().graph.threads.rules {
            let device = trace.text(trace.devices().get(rule.device).name);
            assert_eq!((rule.neighbours, rule.in_a_row), wanted[device], "{file} {device}");
            let job = if device.contains("/job:ps") { "server" } else { "" };
            let sum: &mut (u64, u64) = sums.entry((file, job)).or_default();
            *sum = (sum.0 + rule.neighbours, sum.1 + rule.in_a_row);
        }
    }
    let wanted = [
        (("lstm-while", ""), (982, 782)),
        (("mnist-adam", ""), (24, 22)),
        (("ps4w", ""), (240, 240)),
        (("ps4w", "server"), (199, 198)),
    ];
    assert_eq!(sums.into_iter().collect::<Vec<_>>(), wanted);
}

/// Ops of a generated step: each with its length, a pause, and which of the ops before it it uses.
type Steps = Vec<(i64, i64, Vec<usize>)>;

fn dags() -> impl Strategy<Value = Steps> {
    vec((1_i64..50, 0_i64..20, vec(0_usize..9, 0..4)), 1..10)
}

/// The step as it was recorded, with unlimited threads and pauses.
fn recorded(steps: &Steps) -> (Study, Vec<Vec<usize>>) {
    let mut ends: Vec<i64> = Vec::new();
    let (mut ops, mut inputs) = (Vec::new(), Vec::new());
    for (place, (length, pause, uses)) in steps.iter().enumerate() {
        let mut uses: Vec<usize> =
            uses.iter().filter(|_| place > 0).map(|used| used % place.max(1)).collect();
        uses.sort_unstable();
        uses.dedup();
        let ready = uses.iter().map(|&used| ends[used]).max().unwrap_or(0);
        let names: Vec<String> = uses.iter().map(|used| format!("op_{used}")).collect();
        let label = format!("op_{place} = Mul({})", names.join(", "));
        ops.push(op(&label, (ready + pause) * US, length * US).scheduled(ready * US));
        ends.push(ready + pause + length);
        inputs.push(uses);
    }
    (Scenario::new().device(PS, ops).study(), inputs)
}

/// The longest path that leads through `through`, by trying all of them.
fn longest(steps: &Steps, inputs: &[Vec<usize>], through: Option<usize>) -> i64 {
    fn back(steps: &Steps, inputs: &[Vec<usize>], at: usize, wanted: Option<usize>) -> Option<i64> {
        let found = if wanted == Some(at) { None } else { wanted };
        let before = inputs[at].iter().filter_map(|&input| back(steps, inputs, input, found)).max();
        let alone = found.is_none().then_some(0);
        before.max(alone).map(|before| before + steps[at].0)
    }
    (0..steps.len()).filter_map(|last| back(steps, inputs, last, through)).max().unwrap_or(0)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_static_path_and_slack_are_those_of_brute_force(steps in dags()) {
        let (study, inputs) = recorded(&steps);
        let causes = study.causes();
        check_paths(&study, "generated");
        let length = longest(&steps, &inputs, None);
        prop_assert_eq!(causes.floor.length.0, length * US);
        let along: i64 = causes.floor.path.iter().map(|&node| causes.graph.nodes.length(node).0).sum();
        prop_assert_eq!(along, length * US);
        for op in study.trace().ops().ids() {
            let place: usize = study.trace().op_name(op)[3..].parse().unwrap();
            let wanted = (length - longest(&steps, &inputs, Some(place))) * US;
            prop_assert_eq!(causes.floor.slack_of(&causes.graph, op), Some(Nanos(wanted)));
        }
    }
}

/// Which cause is planted in a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Planted {
    SlowOp,
    LateParameter,
    SlowLink,
    LateInput,
}

/// A server that sends two variables to a worker, which gets a batch, and computes; one thing takes `late` longer.
fn cluster(planted: Planted, late_us: i64) -> Study {
    let late = |kind: Planted| if kind == planted { late_us } else { 0 };
    let batch_end = 30 + late(Planted::LateInput);
    let sent = 25 + late(Planted::LateParameter);
    let received = sent + 20 + late(Planted::SlowLink);
    let ready = batch_end.max(received).max(50);
    let length = 40 + late(Planted::SlowOp);
    let worker = [
        op("batch = IteratorGetNext()", 5 * US, (batch_end - 5) * US).scheduled(4 * US),
        recv("edge_1_v/read", PS, WORKER, 64, sent, received - sent),
        recv("edge_2_w/read", PS, WORKER, 64, 24, 20),
        op("mul = Mul(v/read/_1, w/read/_2, batch)", (ready + 1) * US, length * US).scheduled(ready * US),
        op("out = Neg(mul)", (ready + 2 + length) * US, 10 * US).scheduled((ready + 1 + length) * US),
    ];
    let server = [op("v/read = Identity(v)", 0, 20 * US), op("w/read = Identity(w)", 0, 15 * US)];
    Scenario::new().device(PS, server).device(WORKER, worker).study()
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn planted_causes_are_named_with_their_length(late_us in 5_000_i64..200_000) {
        for (planted, kind, name) in [
            (Planted::SlowOp, SegmentKind::Compute, "mul"),
            (Planted::LateParameter, SegmentKind::SenderQueue, "v/read"),
            (Planted::SlowLink, SegmentKind::Transit, "v/read"),
            (Planted::LateInput, SegmentKind::Input, "batch"),
        ] {
            let study = cluster(planted, late_us);
            check_paths(&study, "planted");
            let segments = &study.causes().observed.segments;
            let longest = segments.iter().max_by_key(|own| own.interval.length()).unwrap();
            prop_assert_eq!((longest.kind, study.title(longest.op)), (kind, name), "{:?}", planted);
            let off = (longest.interval.length().0 - late_us * US).abs();
            prop_assert!(off * 100 <= late_us * US, "{:?}: {} for {}", planted, longest.interval.length().0, late_us * US);
        }
    }
}

#[test]
fn what_runs_back_in_time_is_counted_and_named() {
    let ops = [
        op("a = Const()", 0, 100 * US),
        op("b = Neg(a)", 40 * US, 20 * US),
        op("c = Neg(b)", 70 * US, 10 * US),
    ];
    let study = Scenario::new().device(PS, ops).study();
    let repaired = study.causes().graph.repaired;
    assert_eq!((repaired.count, repaired.largest), (1, Nanos(60 * US)));
    let (from, to) = repaired.worst.unwrap();
    assert_eq!((study.trace().op_name(from), study.trace().op_name(to)), ("a", "b"));
    // What overlaps counts once: 40 of a, b, c.
    assert_eq!(study.causes().floor.length, Nanos(100 * US));
    check_paths(&study, "backward");
}

#[test]
fn a_circle_is_cut_and_counted() {
    let ops = [op("a = Neg(b)", 0, 10 * US), op("b = Neg(a)", 20 * US, 10 * US)];
    let study = Scenario::new().device(PS, ops).study();
    assert_eq!(study.causes().graph.cut, 1);
    check_paths(&study, "circle");
}

#[test]
fn an_op_stands_behind_the_ops_of_its_row() {
    let ops = [
        op("a = Const()", 0, 10 * US).scheduled(0),
        op("b = Neg(a)", 500 * US, 200 * US).scheduled(500 * US),
        op("c = Exp(a)", 701 * US, 300 * US).scheduled(500 * US),
    ];
    let study = Scenario::new().device(PS, ops).study();
    // The path goes to the op that held the thread, and says how much earlier the next one could have run.
    let segments = &study.causes().observed.segments;
    let c = segments.iter().find(|own| own.earlier > Nanos(0)).unwrap();
    assert_eq!((study.trace().op_name(c.op), c.interval.length()), ("c", Nanos(300 * US)));
    assert_eq!((c.earlier, c.edge.map(|own| own.0)), (Nanos(201 * US), Some(EdgeKind::Thread)));
    assert_eq!(c.behind.map(|(op, count)| (study.trace().op_name(op), count)), Some(("b", 1)));
    // What is said of the op alone calls the time waiting for its turn.
    let graph = &study.causes().graph;
    let (_, waits) = Observed::wait_of(study.edges(), graph, graph.nodes.of_op(c.op).unwrap());
    let behind: Vec<_> = waits.iter().filter(|own| own.kind == SegmentKind::Behind).collect();
    let [only] = behind[..] else { panic!("{behind:?}") };
    assert_eq!(only.interval.length(), Nanos(200 * US));
}

/// What is said of the wait of `op`, and of what ran instead, against all ops of the trace, one by one.
fn check_late(study: &Study, op: OpId, name: &str) {
    let (trace, causes) = (study.trace(), study.causes());
    let graph = &causes.graph;
    let Some(node) = graph.nodes.first_of(trace, op) else { return };
    let start = graph.nodes.interval(node).start;
    let (cause, waits) = Observed::wait_of(study.edges(), graph, node);
    let mut now = cause.map_or(trace.span().start, |(from, _)| graph.ready(from, node));
    for segment in &waits {
        assert_eq!(segment.interval.start, now, "{name}: {} waits without a break", study.title(op));
        now = segment.interval.end;
    }
    assert_eq!(now, start, "{name}: {} waits until it begins", study.title(op));
    let Some(late) = Late::found(study.edges(), causes, op) else { return };
    assert!(late.own_busy <= late.busy && late.busy <= late.queue.length(), "{name}: more ran than time was");
    assert!(late.instead.iter().all(|own| own.op != op && own.length > Nanos(0)), "{name}");
    assert!(late.instead.iter().all(|own| own.length <= late.busy), "{name}");
    let overlap = |other: OpId| trace.ops().interval(other).clamp_to(late.queue).length();
    if let Some(own) = study.transfers().of_op(op) {
        let same = study.transfers().all().filter(|(_, other)| {
            (other.source, other.destination) == (own.source, own.destination)
                && other.op.is_some_and(|other| other != op && overlap(other) > Nanos(0))
        });
        assert_eq!(late.instead.len(), same.count(), "{name}: {}", study.title(op));
    } else if trace.devices().get(trace.device_of(op)).nests {
        let same = |own: &Instead| trace.ops().thread(own.op) == trace.ops().thread(op);
        assert!(late.instead.iter().all(same), "{name}: {}", study.title(op));
        assert_eq!(late.busy, late.own_busy, "{name}");
        // What one thread runs does not overlap.
        assert_eq!(late.instead.iter().map(|own| own.length.0).sum::<i64>(), late.busy.0, "{name}");
    }
}

#[test]
fn what_ran_instead_of_an_op_is_what_a_look_at_every_op_finds() {
    for Fixture { name, bytes, .. } in recordings() {
        let study = Study::new(open(&bytes).trace);
        let count = study.trace().ops().len();
        study.trace().ops().ids().step_by((count / 150).max(1)).for_each(|op| check_late(&study, op, &name));
    }
}

#[test]
fn the_path_goes_from_each_op_where_it_would_go_from_that_op_alone() {
    let study = Study::new(open(&fixture("ps4w").bytes).trace);
    let causes = study.causes();
    for &(from, to, kind) in &causes.observed.steps {
        let node = causes.graph.nodes.of_op(to).unwrap();
        let cause = Observed::path_before(study.edges(), &causes.graph, node);
        assert_eq!(cause.map(|(node, kind)| (causes.graph.nodes.op(node), kind)), Some((from, kind)));
    }
}
