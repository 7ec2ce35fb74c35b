//! The observed path: a plain definition of it over every recording, and one planted case for each kind of edge and of holding.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use steplens_core::causality::edge_kind::EdgeKind;
use steplens_core::causality::observed::{Segment, SegmentKind};
use steplens_core::{Nanos, OpId, Study};
use steplens_report::causality::CriticalPath;
use steplens_tests::cases::cases;
use steplens_tests::fixtures::{chrome_traces, fixtures_and_samples};
use steplens_tests::samples::{sample, sample_folder};
use steplens_tests::writer::{PS, Scenario, WORKER, op, open, recv};

const US: i64 = 1_000;

/// What must hold of the observed path of any trace, from its segments and the ops of the file alone.
fn check(study: &Study, name: &str) {
    let (trace, observed) = (study.trace(), &study.causes().observed);
    let (span, ops) = (trace.span(), trace.ops());
    let mut now = span.start;
    for own in &observed.segments {
        assert_eq!(own.interval.start, now, "{name}: segments do not touch");
        assert!(own.interval.end > now, "{name}: an empty segment");
        now = own.interval.end;
        let length = own.interval.length();
        assert!(Nanos(0) <= own.held && own.held <= length, "{name}: {own:?}");
        assert_ne!(own.kind, SegmentKind::Behind, "{name}: the path goes to what held the thread");
        let waits = matches!(own.edge, Some((EdgeKind::Thread | EdgeKind::Link | EdgeKind::Room, _)));
        assert!(own.earlier == Nanos(0) || waits, "{name}: {own:?}");
        assert_eq!(own.behind.is_some(), own.earlier > Nanos(0), "{name}: {own:?}");
    }
    let Some(first) = observed.segments.first() else { return };
    assert_eq!((first.interval.start, now), (span.start, span.end), "{name}");
    // From each op to the next: the first ran until the path comes to the second, and did so on its own device.
    let begins: BTreeSet<i64> = observed.segments.iter().map(|own| own.interval.start.0).collect();
    let nodes = &study.causes().graph.nodes;
    let nests = |op: OpId| trace.devices().get(trace.device_of(op)).nests;
    let collectives = study.collectives();
    let mut came_last: BTreeMap<OpId, OpId> = BTreeMap::new();
    for own in &collectives.rows {
        let waited = collectives.participants[own.participants.clone()].iter().map(|own| own.op);
        came_last.extend(own.last.iter().flat_map(|&(last, _)| waited.clone().map(move |op| (op, last))));
    }
    let mut known_from = span.end;
    for &(from, to, kind) in observed.steps.iter().rev() {
        let ran = ops.interval(from);
        // A file may say that an op used what was made later: such edges are counted as running back.
        let is_held = !kind.is_dependency();
        assert!(
            !is_held || ran.start <= ops.end(to),
            "{name}: {} after {}",
            study.title(from),
            study.title(to)
        );
        if nests(from) || nests(to) || trace.is_period() {
            // Which piece of an op the path goes through is not said.
            known_from = known_from.min(ops.end(to));
            continue;
        }
        let start = nodes.interval(nodes.of_op(to).unwrap()).start;
        if came_last.get(&to) == Some(&from) && start < ran.start {
            // The path leaves a collective where its last participant comes.
            known_from = known_from.min(ran.start);
            assert!(begins.contains(&known_from.0), "{name}: {}", study.title(to));
            continue;
        }
        // What overlaps counts once: the path may be known from earlier on.
        known_from = known_from.min(start).min(ran.end).max(span.start);
        assert!(
            known_from == span.end || begins.contains(&known_from.0) || known_from > ops.end(to),
            "{name}: {} to {} by {}: no segment begins at {known_from:?}",
            study.title(from),
            study.title(to),
            kind.word()
        );
    }
    for own in observed.segments.iter().filter(|own| runs(own)) {
        let ran = ops.interval(own.op);
        assert!(
            ran.start <= own.interval.start && own.interval.end <= ran.end,
            "{name}: {} did not run in {own:?}, but in {ran:?}",
            study.title(own.op)
        );
    }
}

fn runs(own: &Segment) -> bool {
    own.edge.is_some() && matches!(own.kind, SegmentKind::Compute | SegmentKind::Copy | SegmentKind::Input)
}

fn real_files() -> Vec<PathBuf> {
    let Some(folder) = sample_folder("real") else { return Vec::new() };
    let folders = fs::read_dir(folder).unwrap().map(|own| own.unwrap().path()).filter(|own| own.is_dir());
    let mut files: Vec<PathBuf> =
        folders.flat_map(|own| fs::read_dir(own).unwrap()).map(|own| own.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_segment_of_a_path_begins_where_its_cause_ends() {
    for file in fixtures_and_samples().into_iter().chain(chrome_traces()) {
        check(&Study::new(open(&file.bytes).trace), &file.name);
    }
    for path in real_files() {
        check(&Study::new(open(&fs::read(&path).unwrap()).trace), &path.display().to_string());
    }
}

#[test]
fn nine_of_ten_traces_with_launches_have_a_cause_for_nearly_all_of_their_path() {
    let mut shares: Vec<(f64, String)> = Vec::new();
    for path in real_files() {
        let name = path.display().to_string();
        let study = Study::new(open(&fs::read(&path).unwrap()).trace);
        if !["/pytorch", "/megatron", "/dlrm"].iter().any(|own| name.contains(own))
            || study.trace().calls().is_empty()
        {
            continue;
        }
        let observed = &study.causes().observed;
        shares.push((observed.unexplained().0 as f64 / observed.length().0 as f64, name));
    }
    let more: Vec<_> = shares.iter().filter(|(share, _)| *share >= 0.05).collect();
    assert!(more.len() * 10 <= shares.len(), "{} of {}: {more:?}", more.len(), shares.len());
}

/// Events of PyTorch, in nanoseconds.
#[derive(Default)]
struct Program {
    events: Vec<Value>,
    correlation: i64,
}

impl Program {
    fn event(&mut self, cat: &str, name: &str, place: (i64, i64), at: (i64, i64), args: Value) {
        let us = |ns: i64| ns as f64 / 1e3;
        self.events.push(json!({
            "ph": "X", "cat": cat, "name": name, "pid": place.0, "tid": place.1, "ts": us(at.0), "dur": us(at.1 - at.0), "args": args,
        }));
    }

    fn call(&mut self, name: &str, at: (i64, i64)) -> i64 {
        self.correlation += 1;
        self.event("cuda_runtime", name, (4711, 4711), at, json!({ "correlation": self.correlation }));
        self.correlation
    }

    /// A kernel and the call that launched it.
    fn kernel(&mut self, name: &str, stream: i64, call: (i64, i64), ran: (i64, i64)) {
        let correlation = self.call("cudaLaunchKernel", call);
        let args = json!({ "correlation": correlation, "device": 0, "stream": stream });
        self.event("kernel", name, (0, stream), ran, args);
    }

    fn study(&self) -> Study {
        let devices = json!([{ "id": 0, "name": "H100" }]);
        let trace = json!({ "schemaVersion": 1, "deviceProperties": devices, "traceEvents": self.events });
        Study::new(open(trace.to_string().as_bytes()).trace)
    }
}

fn find(study: &Study, name: &str) -> OpId {
    study.trace().ops().ids().find(|&op| study.trace().op_name(op) == name).unwrap()
}

/// The edges of the graph that lead to the op called `name`, each with the name of its cause.
fn edges_to<'a>(study: &'a Study, name: &str) -> Vec<(&'a str, EdgeKind)> {
    let graph = &study.causes().graph;
    let node = graph.nodes.of_op(find(study, name)).unwrap();
    graph.causes(node).map(|(from, kind)| (study.trace().op_name(graph.nodes.op(from)), kind)).collect()
}

/// The segments of the path as (op, kind, length in nanoseconds).
fn path(study: &Study) -> Vec<(&str, SegmentKind, i64)> {
    let own = |own: &Segment| (study.trace().op_name(own.op), own.kind, own.interval.length().0);
    study.causes().observed.segments.iter().map(own).collect()
}

#[test]
fn a_stream_keeps_its_order_where_kernels_overlap_a_little() {
    let mut program = Program::default();
    program.kernel("first", 7, (0, 10_000), (20_000, 5_000_200));
    program.kernel("second", 7, (10_000, 20_000), (5_000_000, 9_000_000));
    // Within the second: it is after the first one, as the second is.
    program.kernel("within", 7, (20_000, 30_000), (6_000_000, 6_500_000));
    program.kernel("third", 7, (30_000, 40_000), (9_001_000, 12_000_000));
    let study = program.study();
    check(&study, "overlaps");
    assert!(edges_to(&study, "second").contains(&("first", EdgeKind::Stream)));
    assert!(edges_to(&study, "within").contains(&("first", EdgeKind::Stream)));
    assert!(edges_to(&study, "third").contains(&("second", EdgeKind::Stream)));
    let ran = |name: &str| path(&study).iter().filter(|own| own.0 == name).map(|own| own.2).sum::<i64>();
    assert_eq!((ran("second"), ran("within")), (4_000_000, 0));
    assert_eq!(ran("first"), 4_980_000 + 10_000, "with its launch until it began");
    assert_eq!(study.causes().observed.unexplained(), Nanos(0));
    assert!(study.causes().floor.length <= study.trace().span().length());
}

/// Two streams: `late` on stream 20 was launched early and starts `pause_ns` after `long` on stream 7.
fn two_streams(pause_ns: i64, launched_ns: i64) -> Program {
    let mut program = Program::default();
    program.kernel("long", 7, (0, 10_000), (20_000, 5_000_000));
    program.kernel("late", 20, (launched_ns, launched_ns + 10_000), (5_000_000 + pause_ns, 9_000_000));
    program
}

#[test]
fn a_kernel_on_a_free_stream_waited_for_the_one_after_which_it_starts() {
    let study = two_streams(3_000, 30_000).study();
    check(&study, "streams");
    assert!(edges_to(&study, "late").contains(&("long", EdgeKind::OtherStream)));
    assert_eq!(study.causes().observed.unexplained(), Nanos(0));
    let path = CriticalPath::of(&study);
    let late = path.segments.iter().find(|own| own.op == "late").unwrap();
    assert_eq!((late.category, late.edge), ("launching", None), "the pause before it");
    let late = path.segments.iter().rfind(|own| own.op == "late").unwrap();
    assert_eq!((late.edge, late.inferred), (Some("other-stream"), true));
}

#[test]
fn a_kernel_that_was_just_launched_or_starts_much_later_waited_for_no_other_stream() {
    for program in [two_streams(3_000, 4_985_000), two_streams(500_000, 30_000)] {
        let study = program.study();
        let edges = edges_to(&study, "late");
        assert!(edges.iter().all(|(_, kind)| *kind != EdgeKind::OtherStream), "{edges:?}");
    }
    // A call that makes the stream wait for an event says that it waited, however late it starts.
    let mut program = Program::default();
    program.kernel("long", 7, (0, 10_000), (20_000, 5_000_000));
    program.call("cudaStreamWaitEvent", (11_000, 12_000));
    program.kernel("late", 20, (30_000, 40_000), (5_500_000, 9_000_000));
    assert!(edges_to(&program.study(), "late").contains(&("long", EdgeKind::OtherStream)));
}

#[test]
fn a_recorded_event_says_which_kernel_a_stream_waited_for() {
    let mut program = Program::default();
    program.kernel("waited_for", 7, (0, 10_000), (20_000, 3_000_000));
    let record = program.call("cudaEventRecord", (11_000, 12_000));
    program.kernel("after_event", 7, (12_000, 14_000), (3_001_000, 5_000_000));
    let wait = program.call("cudaStreamWaitEvent", (15_000, 16_000));
    let args = json!({
        "cuda_sync_kind": "Stream Wait Event", "stream": 20, "wait_on_stream": 7, "correlation": wait, "device": 0,
        "wait_on_cuda_event_record_corr_id": record,
    });
    program.event("cuda_sync", "Stream Wait Event", (0, 20), (15_000, 16_000), args);
    program.kernel("waits", 20, (17_000, 18_000), (3_002_000, 9_000_000));
    program.kernel("next", 20, (18_000, 19_000), (9_001_000, 9_500_000));
    let study = program.study();
    check(&study, "events");
    let edges = edges_to(&study, "waits");
    assert!(edges.contains(&("waited_for", EdgeKind::Event)), "{edges:?}");
    assert!(edges.iter().all(|(_, kind)| *kind != EdgeKind::OtherStream), "{edges:?}");
    assert!(edges_to(&study, "next").iter().all(|(_, kind)| *kind != EdgeKind::Event));
}

#[test]
fn a_collective_of_one_rank_is_an_op_of_its_stream_on_the_path() {
    let mut program = Program::default();
    program.kernel("gemm", 7, (0, 10_000), (20_000, 2_000_000));
    program.kernel("ncclDevKernel_AllReduce_Sum_bf16", 20, (11_000, 20_000), (2_004_000, 8_000_000));
    program.kernel("adam", 7, (21_000, 30_000), (8_005_000, 9_000_000));
    let study = program.study();
    check(&study, "collective");
    assert_eq!(study.causes().observed.by_kind()[SegmentKind::Transit as usize], Nanos(5_996_000));
    assert_eq!(study.causes().observed.unexplained(), Nanos(0));
}

/// One thread: `heavy` and `light` are ready at once, `heavy` runs first, and `last` needs both.
fn one_thread(heavy_us: i64) -> Study {
    let ops = [
        op("a = Const()", 0, 10 * US).scheduled(0),
        op("heavy = MatMul(a)", 11 * US, heavy_us * US).scheduled(10 * US),
        op("light = Neg(a)", (12 + heavy_us) * US, 20 * US).scheduled(10 * US),
        op("last = Add(heavy, light)", (33 + heavy_us) * US, 5 * US).scheduled((32 + heavy_us) * US),
    ];
    Scenario::new().device(WORKER, ops).study()
}

#[test]
fn the_path_goes_on_to_the_op_that_held_the_thread() {
    let study = one_thread(500);
    check(&study, "one thread");
    let segments = &study.causes().observed.segments;
    let of = |name: &str| segments.iter().rfind(|own| own.op == find(&study, name)).unwrap();
    assert_eq!(of("heavy").interval.length(), Nanos(500 * US));
    let light = of("light");
    assert_eq!((light.edge, light.earlier), (Some((EdgeKind::Thread, true)), Nanos(502 * US)));
    assert_eq!(light.behind, Some((find(&study, "heavy"), 1)));
    // All of the time in which `heavy` ran, `light` was ready.
    assert_eq!(of("heavy").held, Nanos(500 * US));
    assert_eq!(of("last").edge, Some((EdgeKind::Data, false)));
    let path = CriticalPath::of(&study);
    let threads = path.by_bound.iter().find(|own| own.key == "threads").unwrap();
    // `a`, `heavy` and `last` need 515 of 538 µs, whatever the threads.
    assert_eq!(threads.length_ns, 23 * US);
}

#[test]
fn of_two_threads_the_one_that_was_freed_is_followed() {
    // `long` holds one thread all the time; `short` frees the other one for `next`, which was ready since 10.
    let ops = [
        op("a = Const()", 0, 10 * US).scheduled(0),
        op("long = MatMul(a)", 11 * US, 900 * US).scheduled(10 * US),
        op("short = MatMul(a)", 11 * US, 400 * US).scheduled(10 * US),
        op("next = MatMul(a)", 412 * US, 600 * US).scheduled(10 * US),
    ];
    let study = Scenario::new().device(WORKER, ops).study();
    check(&study, "two threads");
    let names: Vec<&str> =
        path(&study).into_iter().filter(|own| own.1 == SegmentKind::Compute).map(|own| own.0).collect();
    assert_eq!(names, ["a", "short", "next"]);
}

#[test]
fn a_transfer_waited_for_the_one_that_held_its_link() {
    let worker = [
        recv("edge_1_v/read", PS, WORKER, 64, 21, 400),
        recv("edge_2_w/read", PS, WORKER, 64, 423, 300),
        op("mul = Mul(v/read/_1, w/read/_2)", 725 * US, 50 * US).scheduled(724 * US),
    ];
    let server = [op("v/read = Identity(v)", 0, 20 * US), op("w/read = Identity(w)", 0, 15 * US)];
    let study = Scenario::new().device(PS, server).device(WORKER, worker).study();
    check(&study, "link");
    let observed = &study.causes().observed;
    assert_eq!(observed.by_kind()[SegmentKind::Transit as usize], Nanos(700 * US));
    assert!(observed.by_kind()[SegmentKind::SenderQueue as usize] <= Nanos(3 * US), "{:?}", path(&study));
    let second = observed.segments.iter().rfind(|own| own.kind == SegmentKind::Transit).unwrap();
    assert_eq!((second.edge, second.earlier), (Some((EdgeKind::Link, true)), Nanos(408 * US)));
}

#[test]
fn with_one_thread_the_path_consists_of_ops() {
    let Some(bytes) = sample("pairs/pair-fork1-4096.pb") else { return };
    let study = Study::new(open(&bytes).trace);
    check(&study, "pair-fork1-4096");
    let observed = &study.causes().observed;
    let compute = observed.by_kind()[SegmentKind::Compute as usize];
    assert!(compute.0 * 100 >= observed.length().0 * 98, "{compute:?} of {:?}", observed.length());
    let longest = observed.segments.iter().map(|own| study.trace().op_name(own.op)).collect::<BTreeSet<_>>();
    assert!(longest.iter().any(|name| name.ends_with("heavy")), "{longest:?}");
}

proptest! {
    #![proptest_config(cases(200))]

    /// Kernels that overlap in any way, begin together, take no time, and events that make no sense.
    #[test]
    fn no_recording_of_streams_makes_the_path_panic_or_hang(
        kernels in vec((0_i64..4, 0_i64..40, 0_i64..40, 0_i64..20), 1..60),
        waits in vec((0_i64..4, 0_i64..4, 0_i64..40, 0_i64..80), 0..10),
    ) {
        let mut program = Program::default();
        for (stream, at, length, before) in kernels {
            let at = at * 20_000;
            program.kernel("k", stream, (at - before * 20_000, at - before * 20_000 + 5_000), (at, at + length * 17_000));
        }
        for (stream, other, at, record) in waits {
            let wait = program.call("cudaStreamWaitEvent", (at * 20_000, at * 20_000 + 1_000));
            let args = json!({
                "stream": stream, "wait_on_stream": other, "correlation": wait, "device": 0,
                "wait_on_cuda_event_record_corr_id": record,
            });
            program.event("cuda_sync", "Stream Wait Event", (0, stream), (at * 20_000, at * 20_000), args);
        }
        let study = program.study();
        check(&study, "generated");
        prop_assert!(study.causes().floor.length <= study.trace().span().length());
    }

    /// Ops that overlap, begin together, are scheduled after they started, and need one another in circles.
    #[test]
    fn no_recording_of_an_executor_makes_the_path_panic_or_hang(
        ops in vec((0_i64..30, 0_i64..30, 0_i64..40, 0_usize..12, 0_usize..2), 1..40),
    ) {
        let mut devices = [Vec::new(), Vec::new()];
        for (row, (start, length, scheduled, uses, device)) in ops.into_iter().enumerate() {
            let label = format!("op_{row} = Mul(op_{uses})");
            devices[device].push(op(&label, start * 15 * US, length * 11 * US).scheduled(scheduled * 13 * US));
        }
        let [server, worker] = devices;
        let study = Scenario::new().device(PS, server).device(WORKER, worker).study();
        check(&study, "generated");
    }
}
