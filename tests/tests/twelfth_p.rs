//! What a stranger found wrong or missing in the twelfth reading of traces of PyTorch next to their data. Each case is made here.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_report::verdict;
use steplens_tests::opened::{HOST, event, on_host, open, process, rows, study, torch, with_gpu};

/// The finding of `rule`, or null.
fn found(study: &Study, rule: &str) -> Value {
    rows(study).into_iter().find(|own| own["rule"] == rule).unwrap_or_default()
}

fn text(own: &Value, field: &str) -> String {
    own[field].as_str().unwrap_or_default().to_owned()
}

/// A call `name` of 10 µs or `length` at `at`, and what it starts, of category `cat`, from `start` to `end`.
fn joined(
    id: i64,
    (name, at, length): (&str, f64, f64),
    (cat, what, start, end): (&str, &str, f64, f64),
) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": 7, "device": 0 });
    let call = event("cuda_runtime", name, HOST, (at, length), &args);
    [call, event(cat, what, (0, 7), (start, end - start), &args)]
}

/// A call that launches at `at` for 10 µs, and its kernel, which runs from `start` to `end`.
fn launched(id: i64, at: f64, (start, end): (f64, f64)) -> [Value; 2] {
    joined(id, ("cudaLaunchKernel", at, 10.0), ("kernel", "gemm", start, end))
}

/// A rank that begins at `begins` µs, and whose collective runs from 200 µs after that until `ends`.
fn rank(rank: i64, begins: f64, ends: f64) -> Vec<u8> {
    let mut events = process(rank, &format!("GPU {rank}")).to_vec();
    let args = json!({ "correlation": 9, "stream": 7, "device": rank });
    events.push(on_host("cpu_op", "aten::mm", begins, 100.0));
    events.push(on_host("cpu_op", "c10d::allreduce_", begins + 100.0, 100.0));
    events.push(event("cuda_runtime", "cudaLaunchKernel", HOST, (begins + 150.0, 10.0), &args));
    let kernel = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)";
    events.push(event("kernel", kernel, (rank, 7), (begins + 200.0, ends - begins - 200.0), &args));
    events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", begins + 200.0, ends - begins - 195.0));
    torch(&events, &json!({ "distributedInfo": { "rank": rank, "world_size": 2, "backend": "nccl" } }))
}

#[test]
fn before_a_rank_begins_its_host_does_nothing() {
    let (first, late) = (rank(0, 0.0, 5_300.0), rank(1, 5_000.0, 5_300.0));
    let both = study(open(&[("a", &first), ("b", &late)]));
    let said = verdict::of(&both, true).sentence;
    assert!(said.contains("The first op of rank 1 comes 5.000 ms (94.3 %) after that of rank 0"), "{said}");
    assert!(said.contains("each rank by itself takes 305.0 µs to 5.305 ms"), "{said}");
    assert!(said.contains("the time before the first op of a task"), "{said}");
    assert!(!said.contains("between ops"), "{said}");
    let waits = found(&both, "collective-wait");
    assert!(text(&waits, "sentence").contains("at the start: their first op"), "{waits}");
    assert!(text(&waits, "advice").contains("Record more than one step"), "{waits}");
    // Two ranks that begin together.
    let (first, late) = (rank(0, 0.0, 5_300.0), rank(1, 0.0, 5_300.0));
    let said = verdict::of(&study(open(&[("a", &first), ("b", &late)])), true).sentence;
    assert!(!said.contains("The first op of"), "{said}");
}

/// Operators that launch, in the first of which a profiler notes `overhead` µs of `name`.
fn with_overhead(name: &str, overhead: f64, busy: bool) -> Study {
    let mut events = Vec::new();
    for id in 0..10_i64 {
        let at = if id == 0 { 0.0 } else { overhead + 100.0 * id as f64 };
        events.push(on_host("cpu_op", "aten::mm", at, if id == 0 { overhead + 60.0 } else { 60.0 }));
        let start = if busy && id == 0 { at + 20.0 } else { at + overhead.min(at) + 50.0 };
        let at = if id == 0 && !busy { overhead + 20.0 } else { at + 5.0 };
        let start = start.max(at + 10.0);
        let end = if busy && id == 0 { overhead + 30.0 } else { start + 5.0 };
        events.extend(launched(id + 1, at, (start, end)));
    }
    events.push(event("overhead", name, (-1, 0), (20.0, overhead - 10.0), &json!({})));
    with_gpu(&events)
}

#[test]
fn what_the_profiler_notes_as_overhead_is_no_operator() {
    for name in ["Activity Buffer Request", "Unrecognized", "Lazy Function Loading"] {
        let own = with_overhead(name, 3_000.0, false);
        let said = verdict::of(&own, true).sentence;
        assert!(said.contains("the host (mostly overhead of the recording and of first calls)"), "{said}");
        let first = rows(&own).into_iter().next().unwrap_or_default();
        assert_eq!(first["rule"], "tracing", "{first}");
        assert!(text(&first, "sentence").contains("notes 2.99 ms as overhead"), "{first}");
        assert!(text(&first, "advice").contains("warmup=…"), "{first}");
        let host = found(&own, "host-bound");
        assert!(host["saving_ns"].as_i64().is_none_or(|time| time < 1_500_000), "{host}");
    }
    // The queue of launches is full: the program waits for its GPU.
    for (name, busy) in [("Command Buffer Full", false), ("Unrecognized", true)] {
        let own = with_overhead(name, 3_000.0, busy);
        let said = verdict::of(&own, true).sentence;
        assert!(!said.contains("overhead"), "{name}: {said}");
        assert!(found(&own, "tracing").is_null());
    }
}

#[test]
fn torch_compile_that_compiles_happens_once() {
    let mut events = vec![
        on_host("user_annotation", "_compile.compile_inner (dynamo_timed)", 100.0, 80_000.0),
        on_host("user_annotation", "compile_fx_inner (dynamo_timed)", 30_000.0, 40_000.0),
        on_host("cpu_op", "Torch-Compiled Region: 0/0", 80_200.0, 12_000.0),
        on_host("cpu_op", "CompiledFunction", 80_210.0, 11_900.0),
    ];
    for id in 0..20_i64 {
        let at = 80_300.0 + 500.0 * id as f64;
        events.extend(launched(id + 1, at, (at + 20.0, at + 40.0)));
    }
    events.push(on_host("cpu_op", "aten::empty", 0.0, 10.0));
    let own = with_gpu(&events);
    let first = rows(&own).into_iter().next().unwrap_or_default();
    assert_eq!((&first["rule"], &first["saving_ns"]), (&json!("first-step"), &json!(80_000_000)), "{first}");
    assert!(text(&first, "sentence").contains("torch.compile compiles for 80 ms"), "{first}");
    assert!(text(&first, "advice").contains("mark_dynamic"), "{first}");
    for own in rows(&own) {
        assert!(!text(&own, "advice").contains("let torch.compile take it out"), "{own}");
    }
}

#[test]
fn one_op_with_most_of_the_time_is_named_and_gets_no_advice_about_launches() {
    let idle = |longest: f64| {
        let mut events = Vec::new();
        for id in 0..6_i64 {
            let at = if id == 0 { 0.0 } else { longest + 100.0 * id as f64 };
            let empty = if id == 0 { longest } else { 8.0 };
            events.push(on_host("cpu_op", "aten::empty", at, empty));
            events.extend(launched(id + 1, at + empty + 5.0, (at + empty + 20.0, at + empty + 60.0)));
        }
        found(&with_gpu(&events), "host-bound")
    };
    let one = idle(1_500.0);
    assert!(
        text(&one, "sentence").contains("is one aten::empty; the others of that name take 8.00 µs"),
        "{one}"
    );
    assert!(text(&one, "advice").contains("fewer launches do not help much"), "{one}");
    let none = idle(60.0);
    assert!(!text(&none, "sentence").contains("is one aten::empty"), "{none}");
}

#[test]
fn a_first_operator_is_found_by_many_later_ones() {
    let step = |first: f64| {
        let mut events = Vec::new();
        for id in 0..12_i64 {
            let at = if id == 0 { 0.0 } else { first + 300.0 * id as f64 };
            let own = if id == 0 { first } else { 60.0 };
            events.push(on_host("cpu_op", "aten::cudnn_convolution", at, own + 20.0));
            events.extend(launched(id + 1, at + own, (at + own + 20.0, at + own + 200.0)));
        }
        found(&with_gpu(&events), "first-step")
    };
    let own = step(5_000.0);
    assert!(text(&own, "sentence").contains("aten::cudnn_convolution takes 5.0"), "{own}");
    assert!(step(900.0).is_null());
}

#[test]
fn waits_for_copies_to_the_gpu_get_advice_about_these() {
    let waits = |name: &str, sync: bool| {
        let mut events = Vec::new();
        for id in 0..10_i64 {
            let at = 3_000.0 * id as f64;
            events.push(on_host("cpu_op", "aten::to", at, 1_050.0));
            let length = if sync { 10.0 } else { 1_000.0 };
            events.extend(joined(
                2 * id + 1,
                ("cudaMemcpyAsync", at + 10.0, length),
                ("gpu_memcpy", name, at + 15.0, at + 1_005.0),
            ));
            if sync {
                events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 25.0, 990.0));
            }
            events.push(on_host("cpu_op", "aten::mm", at + 1_100.0, 900.0));
            events.extend(launched(2 * id + 2, at + 1_900.0, (at + 1_950.0, at + 2_500.0)));
        }
        found(&with_gpu(&events), "synchronising")
    };
    for sync in [false, true] {
        let own = waits("Memcpy HtoD (Pageable -> Device)", sync);
        assert!(text(&own, "sentence").contains("10 times the host waits for a copy to the GPU"), "{own}");
        assert!(text(&own, "advice").contains("non_blocking=True"), "{own}");
        assert!(!text(&own, "advice").contains(".item()"), "{own}");
        let own = waits("Memcpy DtoH (Device -> Pageable)", sync);
        assert!(text(&own, "advice").contains(".item()"), "{own}");
    }
}

#[test]
fn times_of_counted_kernels_are_not_those_of_the_program() {
    let mut events = Vec::new();
    for id in 0..20_i64 {
        let at = 60_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::mm", at, 52_000.0));
        events.push(on_host("cuda_runtime", "cudaLaunchKernel", at + 10.0, 51_000.0));
        events.push(event("cuda_profiler_range", "gemm", (0, 0), (at + 10.0, 50_000.0), &json!({})));
    }
    let own = with_gpu(&events);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("Counters of the GPU were collected (20 ranges)"), "{said}");
    let rules: Vec<String> = rows(&own).iter().map(|own| text(own, "rule")).collect();
    assert_eq!(rules, ["tracing"]);
    assert!(text(&found(&own, "tracing"), "advice").contains("without counters"));
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

#[test]
fn a_collective_of_nccl_runs_on_a_gpu_that_was_not_recorded() {
    let events = [
        on_host("cpu_op", "aten::mm", 0.0, 500.0),
        on_host("user_annotation", "nccl:all_to_all", 500.0, 100.0),
        on_host("cpu_op", "aten::relu", 510.0, 80.0),
    ];
    let said = verdict::of(&with_gpu(&events), true);
    assert!(said.is_unrecorded, "{}", said.sentence);
    assert!(!verdict::of(&with_gpu(&events[..1]), true).is_unrecorded);
}
