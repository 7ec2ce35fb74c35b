//! CUDA graphs: their capture happens once, the nodes that a file lacks are no idle time, and advice knows which kernels come as graphs already.

use super::made::{advice, findings_of, launched, launched_as, of_torch, said_of_recording};
use serde_json::json;
use steplens_core::doctor::{self, Finding, FindingKind};
use steplens_core::findings::{OnceKind, Rule, Subject, Verdict};
use steplens_core::{Nanos, Study};
use steplens_report::verdict;
use steplens_tests::opened::{HOST, event, found, on_host, rows, text, torch_study, with_gpu};
use steplens_tests::tensorflow::list;

#[test]
fn a_capture_of_a_graph_is_said_and_its_launches_are_not_missed() {
    let mut events = vec![
        ("cuda_runtime", "cudaStreamBeginCapture", 1, 0, 5, 0),
        ("cuda_runtime", "cudaStreamEndCapture", 1, 10_000, 20, 0),
    ];
    events.extend((0..90).flat_map(|place| {
        let start = 10 + place * 100;
        [
            ("cpu_op", "aten::mm", 1, start, 90, 0),
            ("cuda_runtime", "cudaLaunchKernel", 1, start + 5, 5, 1_000 + place),
        ]
    }));
    events.extend([
        ("cuda_runtime", "cudaGraphLaunch", 1, 10_100, 10, 7),
        ("kernel", "gemm", 7, 10_150, 500, 7),
    ]);
    let study = torch_study(&events);
    let found = findings_of(&study);
    let own = &found.rows[0];
    assert_eq!(
        (own.rule, own.facts.of, own.saving.map(|own| own.0)),
        (Rule::FirstStep, 1, Some(10_020_000)),
        "{found:?}"
    );
    assert!(!found.rows.iter().any(|own| own.rule == Rule::HostBound), "{found:?}");
    let text = steplens_report::doctor::json(study.trace(), &study);
    assert!(!text.contains("kernels-not-recorded"), "{text}");
}

#[test]
fn the_capture_of_a_graph_comes_first_too() {
    let mut events = vec![
        ("cuda_runtime", "cudaStreamBeginCapture", 1, 0, 10, 0),
        ("cpu_op", "aten::mm", 1, 100, 50_000, 0),
        ("cuda_runtime", "cudaStreamEndCapture", 1, 80_000, 10, 0),
    ];
    for place in 0..10 {
        let at = 81_000 + place * 100;
        events.push(("cuda_runtime", "cudaLaunchKernel", 1, at, 5, place + 1));
        events.push(("kernel", "gemm", 7, at + 10, 50, place + 1));
    }
    let study = torch_study(&events);
    let once = Verdict::of(&Subject::of(&study)).and_then(|own| own.once).map(|own| own.kind);
    assert_eq!(once, Some(OnceKind::Capture));
    let said = verdict::of(&study, true).main;
    assert!(said.contains("a graph of kernels is captured, which happens once"), "{said}");
    assert_eq!(text(&list(&study)["findings"][0], "rule"), Rule::FirstStep.word());
}

/// 20 ms of work, and then operators that are captured for 12 ms, within `around`.
fn capturing(around: Option<&str>, waits: bool) -> Study {
    let mut events = Vec::new();
    if waits {
        events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 0.0, 60_000.0));
    }
    let begin = if waits { 60_100.0 } else { 0.0 };
    for id in 0..100_i64 {
        let at = begin + 200.0 * id as f64;
        events.push(on_host("cpu_op", "vllm::linear", at, 190.0));
        events.extend(launched(id + 1, (at + 10.0, 10.0), (at + 25.0, at + 195.0)));
    }
    let at = begin + 20_100.0;
    events.push(on_host("cuda_runtime", "cudaStreamBeginCapture", at, 20.0));
    for number in 0..50 {
        events.push(on_host("cpu_op", "vllm::linear", at + 30.0 + 220.0 * f64::from(number), 200.0));
    }
    events.push(on_host("cuda_runtime", "cudaStreamEndCapture", at + 11_900.0, 100.0));
    events.extend(around.map(|name| on_host("user_annotation", name, at - 50.0, 12_500.0)));
    events.push(on_host("cpu_op", "vllm::linear", at + 13_000.0, 100.0));
    events.extend(launched(900, (at + 13_010.0, 10.0), (at + 13_030.0, at + 13_100.0)));
    of_torch(&events)
}

#[test]
fn a_graph_that_is_captured_is_a_cause_of_its_own() {
    let own = capturing(None, false);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("of it, 12.00 ms, a graph of kernels is captured"), "{said}");
    let first = rows(&own).into_iter().next().unwrap_or_default();
    assert_eq!((&first["rule"], &first["saving_ns"]), (&json!("first-step"), &json!(12_000_000)), "{first}");
    for own in rows(&own) {
        assert!(
            own["rule"] != "host-bound" || own["saving_ns"].as_i64().is_some_and(|time| time < 6_000_000)
        );
        assert!(!text(&own, "advice").contains("enforce_eager"), "{own}");
    }
}

#[test]
fn a_graph_that_torch_compile_records_is_not_compiled() {
    let own = capturing(Some("CUDAGraphNode.record (dynamo_timed)"), false);
    let first = rows(&own).into_iter().next().unwrap_or_default();
    assert_eq!(first["saving_ns"], 12_500_000, "{first}");
    assert!(text(&first, "sentence").starts_with("A graph of kernels is captured for 12.5 ms"), "{first}");
    assert!(!verdict::of(&own, true).sentence.contains("compiles"));
    // What is compiled around it, is.
    let own = capturing(Some("compile_fx_inner (dynamo_timed)"), false);
    assert!(text(&found(&own, "first-step"), "sentence").contains("compiles for 12.5 ms"));
}

#[test]
fn a_wait_before_all_launches_is_for_what_was_launched_before() {
    let said = verdict::of(&capturing(None, true), true).sentence;
    assert!(said.contains("waiting for what was launched before the recording is"), "{said}");
}

#[test]
fn holes_in_a_graph_are_not_saved_by_larger_kernels() {
    let graph = |gap: f64| {
        let args = json!({ "correlation": 1, "stream": 7, "device": 0 });
        let mut events = vec![
            on_host("cpu_op", "aten::mm", 0.0, 50.0),
            event("cuda_runtime", "cudaGraphLaunch", HOST, (10.0, 30.0), &args),
        ];
        for node in 0..20 {
            let at = 50.0 + (100.0 + gap) * f64::from(node);
            events.push(event("kernel", "gemm", (0, 7), (at, 100.0), &args));
        }
        found(&with_gpu(&events), "idle-though-launched")
    };
    let holes = graph(1_800.0);
    assert!(holes["saving_ns"].is_null(), "{holes}");
    assert!(
        text(&holes, "sentence").contains("before parts of graphs that had been launched, in holes"),
        "{holes}"
    );
    assert!(text(&holes, "advice").contains("recorded only in part"), "{holes}");
    let gaps = graph(30.0);
    assert!(gaps["saving_ns"].as_i64().is_some_and(|saving| saving == 580_000), "{gaps}");
    assert!(text(&gaps, "advice").contains("fewer and larger kernels"), "{gaps}");
}

/// Graphs of which each has two kernels in the file, `hole` µs apart.
fn graphs(hole: f64) -> Study {
    let mut events = Vec::new();
    for id in 0..10_i64 {
        let at = 1_100.0 * id as f64;
        let args = json!({ "correlation": id + 1, "stream": 7, "device": 0 });
        events.push(event("cuda_runtime", "cudaGraphLaunch", HOST, (at, 10.0), &args));
        events.push(event("kernel", "gemm", (0, 7), (at + 20.0, 200.0), &args));
        events.push(event("kernel", "gemm", (0, 7), (at + 220.0 + hole, 100.0), &args));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 15.0, 306.0 + hole));
        events.push(on_host("cpu_op", "aten::add", at + 330.0 + hole, 2.0));
    }
    with_gpu(&events)
}

#[test]
fn holes_in_graphs_come_first() {
    let own = graphs(700.0);
    // 10 x 300 µs that are recorded, and 10 x 700 µs of holes, of 10,932 µs.
    let verdict = said_of_recording(&own);
    assert!(verdict.contains("For 7.000 ms nothing was recorded between parts of graphs"), "{verdict}");
    let shares = (300.0 * 1_000.0 / 10_932.0, 1_000.0 * 1_000.0 / 10_932.0);
    assert!(
        verdict.contains(&format!(
            "for {:.1} % of the time at least, and for {:.1} % if it works",
            shares.0, shares.1
        )),
        "{verdict}"
    );
    assert_eq!(rows(&own).first().map(|own| own["rule"].clone()), Some(json!("idle-though-launched")));
    let is_of_graphs = |own: &Finding| own.kind.code() == "graphs-in-part";
    let doctor = doctor::findings(own.trace());
    let doctor = doctor.iter().find(|own| is_of_graphs(own));
    assert_eq!(
        doctor.map(|own| (own.count, own.kind.clone())),
        Some((10, FindingKind::GraphsInPart(Nanos(7_000_000))))
    );
    let own = graphs(20.0);
    assert!(!said_of_recording(&own).contains("parts of graphs"), "{}", said_of_recording(&own));
    assert!(!doctor::findings(own.trace()).iter().any(is_of_graphs));
}

/// Kernels of a backward pass, which `call` launches, and operators that launch one kernel each.
fn launched_by(call: &str) -> Study {
    launched_in(20, call)
}

/// Twenty such kernels, each with a launch of its own: the first `graphs` by `call`, the others by a plain launch.
fn launched_in(graphs: i64, call: &str) -> Study {
    let mut events = Vec::new();
    for id in 0..20_i64 {
        let call = if id < graphs { call } else { "cudaLaunchKernel" };
        let at = 400.0 * id as f64;
        let args = json!({ "correlation": 2 * id + 1, "stream": 7, "device": 0 });
        events.push(on_host("cpu_op", "autograd::engine::evaluate_function: MmBackward0", at, 190.0));
        events.push(event("cuda_runtime", call, HOST, (at + 180.0, 5.0), &args));
        events.push(event("kernel", "gemm", (0, 7), (at + 190.0, 50.0), &args));
        events.push(on_host("cpu_op", "aten::mul", at + 200.0, 190.0));
        events.extend(launched_as(2 * id + 2, (at + 380.0, 5.0), ("mul", at + 390.0, at + 395.0)));
    }
    with_gpu(&events)
}

#[test]
fn advice_for_a_host_looks_for_graphs() {
    let own = advice(&launched_by("cudaLaunchKernel"), "host-bound");
    assert!(own.contains("CUDA graphs"), "{own}");
    let own = advice(&launched_by("cudaGraphLaunch"), "host-bound");
    assert!(own.contains("Some kernels come as graphs already"), "{own}");
}

#[test]
fn a_graph_with_few_of_the_kernels_does_not_turn_advice_for_graphs_off() {
    // Of 40 kernels 9, and 10.
    let few = advice(&launched_in(9, "cudaGraphLaunch"), "host-bound");
    assert!(few.contains("CUDA graphs") && !few.contains("come as graphs already"), "{few}");
    let some = advice(&launched_in(10, "cudaGraphLaunch"), "host-bound");
    assert!(some.contains("Some kernels come as graphs already"), "{some}");
}
