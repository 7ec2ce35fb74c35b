//! What waits are called: nothing is in transit that was not timed, and a wait for the GPU leads to the kernels that kept it busy.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value, json};
use std::fs;
use steplens_core::causality::observed::{Observed, SegmentKind};
use steplens_core::makers::Makers;
use steplens_core::network::chain::Chains;
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{OpId, Study};
use steplens_tests::fixtures::{chrome_traces, fixture, fixtures_and_samples};
use steplens_tests::samples::sample_folder;
use steplens_tests::writer::open;

#[test]
fn nothing_is_in_transit_where_no_transfer_was_timed() {
    for name in ["multidev", "multidev-nograph", "collective"] {
        let study = Study::new(open(&fixture(name).bytes).trace);
        let observed = &study.causes().observed;
        let in_transit = observed.segments.iter().filter(|own| own.kind == SegmentKind::Transit);
        // But for collectives, which are ops with times.
        let timed = |op: OpId| name == "collective" && study.transfers().id_of_op(op).is_none();
        let untimed = in_transit.filter(|own| {
            !timed(own.op) || own.interval.clamp_to(study.trace().ops().interval(own.op)) != own.interval
        });
        assert_eq!(untimed.count(), 0, "{name}");
        // The kinds add up to the step.
        let sum: i64 = observed.by_kind().iter().map(|own| own.0).sum();
        assert_eq!(sum, study.trace().span().length().0, "{name}");
        assert!(observed.by_kind()[SegmentKind::Compute as usize].0 * 2 > sum, "{name}");
    }
}

#[test]
fn a_transfer_was_kept_by_the_same_for_path_and_stragglers() {
    let mut compared = 0;
    for file in fixtures_and_samples().into_iter().chain(chrome_traces()) {
        let study = Study::new(open(&file.bytes).trace);
        let (causes, ops) = (study.causes(), study.trace().ops());
        let (steps, makers) = (StepOfOp::indexed(&study), Makers::found(study.edges()));
        let mut chains = Chains::new(&study, &steps, &makers);
        let all: Vec<OpId> = study.transfers().all().filter_map(|(_, transfer)| transfer.op).collect();
        for &op in all.iter().step_by((all.len() / 200).max(1)) {
            let Some(node) = causes.graph.nodes.of_op(op) else { continue };
            let link = chains.link(op, steps.step(&study, op));
            let (cause, waits) = Observed::wait_of(study.edges(), &causes.graph, node);
            if cause.map(|(from, _)| causes.graph.nodes.op(from)) != link.input || link.input.is_none() {
                continue;
            }
            let times = chains.times(&[link]);
            let of = |is: &dyn Fn(SegmentKind) -> bool| -> i64 {
                waits.iter().filter(|own| is(own.kind)).map(|own| own.interval.length().0).sum()
            };
            let title = || format!("{}: {}", file.name, study.title(op));
            assert_eq!(times.queued.0, of(&|kind| kind == SegmentKind::SenderQueue), "{}", title());
            assert_eq!(times.waiting.0, of(&|kind| kind != SegmentKind::SenderQueue), "{}", title());
            assert_eq!(of(&|kind| kind == SegmentKind::Transit), 0, "{}", title());
            // What travelled is what the path counts as the transfer's own.
            let own = causes.graph.nodes.interval(node);
            assert_eq!(times.wire, own.length(), "{} of {:?}", title(), ops.interval(op));
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared} transfers");
}

/// Events of PyTorch, in microseconds.
#[derive(Default)]
struct Events(Vec<Value>);

impl Events {
    fn add(
        &mut self,
        cat: &str,
        name: &str,
        (pid, tid): (i64, i64),
        (ts, dur): (i64, i64),
        correlation: i64,
    ) {
        let args = json!({ "correlation": correlation, "device": 0, "stream": tid });
        let args = if cat.starts_with("cuda_r") { json!({ "correlation": correlation }) } else { args };
        self.0.push(json!({
            "ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args,
        }));
    }

    fn call(&mut self, name: &str, at: (i64, i64), correlation: i64) {
        self.add("cuda_runtime", name, (4711, 4711), at, correlation);
    }

    fn kernel(&mut self, stream: i64, at: (i64, i64), correlation: i64) {
        self.add("kernel", "gemm", (0, stream), at, correlation);
    }

    fn study(&self) -> Study {
        let trace = json!({ "schemaVersion": 1, "deviceProperties": [{ "id": 0, "name": "H100" }], "traceEvents": self.0 });
        Study::new(open(trace.to_string().as_bytes()).trace)
    }
}

fn share(study: &Study, kind: SegmentKind) -> f64 {
    let observed = &study.causes().observed;
    observed.by_kind()[kind as usize].0 as f64 / observed.length().0 as f64
}

/// When the kernel ended, in microseconds, that `call` waited for.
fn waited_for(study: &Study, call: &str) -> Option<i64> {
    let trace = study.trace();
    let graph = &study.causes().graph;
    let op = trace.ops().ids().find(|&op| trace.op_name(op) == call).unwrap();
    let (cause, _) = Observed::wait_of(study.edges(), graph, graph.nodes.of_op(op).unwrap());
    let from = graph.nodes.op(cause?.0);
    (trace.op_name(from) == "gemm").then(|| trace.ops().end(from).0 / 1_000)
}

#[test]
fn a_call_waits_for_kernels_that_were_launched_before_the_recording() {
    let mut events = Events::default();
    // 500 kernels of 26.8 us, back to back, of which no launch is there; one that was launched in the recording has ended before.
    events.call("cudaLaunchKernel", (0, 10), 1);
    events.kernel(7, (12, 20), 1);
    let mut at = 110;
    for row in 0..500 {
        let length = 26 + i64::from(row % 5 != 0);
        events.kernel(7, (at, length), 100_000 + row);
        at += length;
    }
    events.call("cudaDeviceSynchronize", (100, 14_100), 2);
    let study = events.study();
    assert_eq!(waited_for(&study, "cudaDeviceSynchronize"), Some(at));
    assert!(share(&study, SegmentKind::Producer) < 0.03, "{}", share(&study, SegmentKind::Producer));
    assert!(share(&study, SegmentKind::Compute) > 0.85, "{}", share(&study, SegmentKind::Compute));
}

#[test]
fn a_call_waits_for_a_graph_and_for_none_that_was_launched_later() {
    let mut events = Events::default();
    events.call("cudaGraphLaunch", (0, 50), 1);
    (0..200).for_each(|row| events.kernel(7, (60 + row * 10, 10), 1));
    events.call("cudaEventSynchronize", (100, 2_000), 2);
    // Another thread launches 100 more while that waits; these are none of its own.
    for row in 0..100 {
        events.add("cuda_runtime", "cudaLaunchKernel", (4711, 4712), (110 + row * 2, 1), 10 + row);
        events.kernel(8, (2_062 + row / 4, 1 + row % 2), 10 + row);
    }
    let study = events.study();
    assert_eq!(waited_for(&study, "cudaEventSynchronize"), Some(2_060));
}

#[test]
fn a_wait_for_a_stream_may_be_for_any_as_which_one_is_not_known() {
    for wait in ["cudaStreamSynchronize", "cudaDeviceSynchronize"] {
        let mut events = Events::default();
        events.call("cudaLaunchKernel", (0, 10), 1);
        events.kernel(7, (20, 480), 1);
        events.kernel(20, (20, 580), 100_001);
        events.call(wait, (30, 600), 2);
        assert_eq!(waited_for(&events.study(), wait), Some(600));
    }
}

#[test]
fn every_wait_is_for_the_kernel_that_a_look_at_all_of_them_finds() {
    let mut seed = 20_u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % below) as i64
    };
    let mut events = Events::default();
    // (end, launched) of every kernel, one in three without a launch.
    let mut kernels: Vec<(i64, i64)> = Vec::new();
    for stream in 1..=4 {
        let mut at = random(20);
        for row in 0..120 {
            let (length, correlation) = (5 + random(90), stream * 1_000 + row);
            let launched = (random(3) > 0).then(|| (at - random(4_000)).max(0));
            if let Some(launched) = launched {
                // A thread of its own for each launch: none lies in another.
                events.add(
                    "cuda_runtime",
                    "cudaLaunchKernel",
                    (4711, 10_000 + correlation),
                    (launched, 1),
                    correlation,
                );
            }
            events.kernel(stream, (at, length), correlation);
            kernels.push((at + length, launched.unwrap_or(-1)));
            at += length + random(15);
        }
    }
    let mut waits = Vec::new();
    let mut at = 5;
    while at < 5_000 {
        let length = 20 + random(150);
        events.call("cudaDeviceSynchronize", (at, length), 900_000 + at);
        waits.push((at, at + length));
        at += length + 1 + random(30);
    }
    let study = events.study();
    let (trace, graph) = (study.trace(), &study.causes().graph);
    let calls: Vec<OpId> =
        trace.ops().ids().filter(|&op| trace.op_name(op) == "cudaDeviceSynchronize").collect();
    assert_eq!(calls.len(), waits.len());
    let mut led = 0;
    for (&op, &(start, end)) in calls.iter().zip(&waits) {
        let is_own = |&&(ended, launched): &&(i64, i64)| launched <= start && start < ended && ended <= end;
        let wanted = kernels.iter().filter(is_own).map(|&(ended, _)| ended).max();
        // A call is as long as it ran after what it waited for.
        let node = graph.nodes.interval(graph.nodes.of_op(op).unwrap());
        assert_eq!(node.end.0 - node.start.0, (end - wanted.unwrap_or(start)) * 1_000, "{start} to {end}");
        led += usize::from(wanted.is_some());
    }
    assert!(led > 20, "{led} of {}", waits.len());
}

#[test]
fn no_real_trace_of_pytorch_waits_for_what_was_not_recorded() {
    let Some(folder) = sample_folder("real") else { return };
    let mut files: Vec<_> = ["pytorch", "pytorch-ranks"]
        .iter()
        .flat_map(|own| fs::read_dir(folder.join(own)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for path in files {
        let study = Study::new(open(&fs::read(&path).unwrap()).trace);
        let observed = &study.causes().observed;
        let shares: Vec<String> = SegmentKind::ALL
            .iter()
            .map(|&kind| (kind, share(&study, kind) * 100.0))
            .filter(|&(_, own)| own >= 0.05)
            .map(|(kind, own)| format!("{} {own:.1}", kind.word()))
            .collect();
        let sum: i64 = observed.by_kind().iter().map(|own| own.0).sum();
        assert_eq!(sum, study.trace().span().length().0, "{}", path.display());
        assert!(share(&study, SegmentKind::Producer) < 0.03, "{}: {}", path.display(), shares.join(", "));
    }
}
