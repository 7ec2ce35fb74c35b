//! The recording itself: what it costs the program, which of its times are not the program’s, and clocks that are coarse or differ.

use super::made::{launched, of_torch, said, said_of_recording, with_gpus};
use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::findings::Rule;
use steplens_report::{doctor, verdict};
use steplens_tests::opened::{event, found, on_host, open, row, rows, study, text, torch, with_gpu};
use steplens_tests::tensorflow::named;

#[test]
fn two_events_of_the_gpu_for_each_operator_are_the_profilers() {
    let events = |marks: i64| -> Vec<Value> {
        let all = (0..50).flat_map(|place| {
            let at = place as f64 * 100.0;
            let own = (0..marks).map(move |mark| {
                on_host("cuda_runtime", "cudaEventRecord", at + 60.0 + 10.0 * mark as f64, 5.0)
            });
            own.chain([on_host("cpu_op", "aten::mul", at, 50.0)])
        });
        all.collect()
    };
    let of_profiler = row(&with_gpus(&events(2)), Rule::Tracing).expect("a finding");
    assert!(
        of_profiler["what"].as_str().unwrap_or_default().contains("500 µs in 100 events"),
        "{of_profiler}"
    );
    assert_eq!(row(&with_gpus(&events(1)), Rule::Tracing), None);
}

/// What PyTorch's first profiler wrote: operators, and two events around each, which begin `lag` µs after it, one after the other.
fn event_pairs(lag: f64, length: f64) -> Study {
    let mut events = Vec::new();
    let mut free: f64 = 0.0;
    for number in 0..50 {
        let at = 100.0 * f64::from(number);
        let row = |pid: &str, ts: f64, dur: f64| json!({ "ph": "X", "name": "aten::contiguous", "pid": pid, "tid": pid, "ts": ts, "dur": dur, "args": {} });
        events.push(row("CPU functions", at, 90.0));
        let start = free.max(at + lag);
        events.push(row("CUDA functions", start, length));
        free = start + length;
    }
    study(open(&[("made.json", json!(events).to_string().as_bytes())]))
}

#[test]
fn pairs_of_events_that_begin_with_their_operators_are_at_most_compute() {
    let own = event_pairs(0.5, 80.0);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("compute on the GPU takes at most 80."), "{said}");
    let host = text(&found(&own, "host-bound"), "sentence").to_owned();
    assert!(
        host.contains("two events around each of 50 operators, and half of these begin 500 ns"),
        "{host}"
    );
    // A GPU that is behind its host works.
    let own = event_pairs(0.5, 300.0);
    assert!(!verdict::of(&own, true).sentence.contains("at most"));
    assert!(found(&own, "host-bound").is_null());
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
        events.extend(launched(id + 1, (at, 10.0), (start, end)));
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
    let rules: Vec<String> = rows(&own).iter().map(|own| text(own, "rule").to_owned()).collect();
    assert_eq!(rules, ["tracing"]);
    assert!(text(&found(&own, "tracing"), "advice").contains("without counters"));
}

#[test]
fn operators_whose_recording_takes_the_time_compute_for_none_of_it() {
    let mut events = Vec::new();
    let mut at = 0.0;
    for id in 0..200 {
        let length = 120.0 + f64::from(id % 7);
        events.push(on_host("cpu_op", "aten::matmul", at, 2.0 * length + 60.0));
        events.push(on_host("cpu_op", "aten::mm", at + length, 60.0));
        at += 2.0 * length + 70.0;
    }
    let own = of_torch(&events);
    assert!(found(&own, "dominant-work").is_null());
    let cost = found(&own, "tracing");
    assert!(text(&cost, "sentence").contains("each of 200 operators begins 123 µs after"), "{cost}");
    assert!(said_of_recording(&own).contains("is the recording itself"), "{}", said_of_recording(&own));
}

#[test]
fn where_only_calls_were_recorded_the_work_is_to_be_recorded() {
    let own = of_torch(&[
        on_host("cuda_runtime", "cudaGetDeviceProperties_v2", 0.0, 2_000.0),
        on_host("cuda_runtime", "cudaDeviceSynchronize", 5_000.0, 185_000.0),
        event("overhead", "Resource", (-1, 0), (1_000.0, 15_000.0), &json!({})),
    ]);
    let cost = found(&own, "tracing");
    assert!(!text(&cost, "advice").contains("Record less"), "{cost}");
}

#[test]
fn a_profiler_that_ran_longer_than_its_recording_is_said() {
    let study = |profiler: f64| {
        let events = [
            event("Trace", "PyTorch Profiler (0)", (7, 7), (0.0, profiler), &json!({})),
            event("cpu_op", "aten::mm", (100, 1), (10.0, 100.0), &json!({})),
        ];
        Study::new(open(&[("made.json", &torch(&events, &json!({})))]).trace)
    };
    let said = verdict::of(&study(13_834.0), false).sentence;
    assert!(
        said.contains("The profiler ran for 13.83 ms, and all that it recorded lies within 100.0 µs"),
        "{said}"
    );
    assert!(!verdict::of(&study(300.0), false).sentence.contains("profiler"));
}

#[test]
fn a_program_that_ends_before_it_was_launched_says_that_clocks_differ() {
    let of = |ahead: i64| {
        let mut all = vec![
            named("process_name", 1, 0, "/device:TPU:0"),
            named("thread_name", 1, 1, "XLA Modules"),
            named("thread_name", 1, 2, "XLA Ops"),
            named("process_name", 7, 0, "/host:CPU"),
            named("thread_name", 7, 1, "main"),
        ];
        for run in 0..3_i64 {
            let at = 1_000 + run * 300;
            let of_run = json!({ "run_id": (8 + run).to_string() });
            let event = |name: &str, (pid, tid): (i64, i64), (ts, dur): (i64, i64), args: &Value| json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args });
            all.push(event("jit_f(123)", (1, 1), (at - ahead, 76), &of_run));
            all.push(event("dot.1", (1, 2), (at - ahead, 76), &json!({})));
            all.push(event("DoEnqueueProgram", (7, 1), (at, 20), &of_run));
        }
        let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
        study(open(&[("trace.json", text.as_bytes())]))
    };
    let own = of(390);
    let by = own.clock_doubt().map(|doubt| (doubt.by.0, doubt.tensors, doubt.of));
    assert_eq!(by, Some((390_000, 3, 3)));
    let told = serde_json::to_string(&doctor::of_figures(&own)).unwrap_or_default();
    assert!(told.contains("accelerator-clock"), "{told}");
    assert!(!said(&own).contains("critical path"), "{}", said(&own));
    // Three programs of 76 µs, each 300 µs after the other: 676 µs by the clock of the accelerator, whatever that of its host says.
    assert!(
        said(&own).contains("676.0 µs by its own clock: the accelerator did nothing for 66.3"),
        "{}",
        said(&own)
    );
    let found = row(&own, Rule::SkewedClocks).expect("a finding");
    assert!(text(&found, "sentence").contains("3 of 3 programs end before the host asked"), "{found}");
    // One that begins a little early has an inexact clock, and one that begins later is right.
    assert!(of(50).clock_doubt().is_none() && of(-100).clock_doubt().is_none());
}

/// `timeline.py` with `count` ops of an executor, each with a kernel of 3 µs. The clock of the host ticks every `tick` µs, that of the GPU each µs.
fn ticking(tick: i64, count: i64, gpu_tick: i64) -> Study {
    let gpu = "/job:localhost/replica:0/task:0/device:GPU:0";
    let mut all = vec![
        named("process_name", 1, 0, &format!("{gpu} Compute")),
        named("process_name", 2, 0, "/device:GPU:0/stream:13 Compute"),
    ];
    for place in 0..count {
        let name = format!("m{place}");
        let args = json!({ "name": name, "op": "MatMul" });
        let of = |pid: i64, ts: i64, dur: i64| json!({ "ph": "X", "cat": "Op", "name": "MatMul", "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args });
        let at = place * 97;
        all.push(of(1, at / tick * tick, (at + 40) / tick * tick - at / tick * tick));
        all.push(of(2, (at + 50) / gpu_tick * gpu_tick, 3.max(gpu_tick)));
    }
    study(open(&[("timeline.json", json!({ "traceEvents": all }).to_string().as_bytes())]))
}

#[test]
fn a_host_whose_clock_counts_milliseconds_is_not_believed_to_the_microsecond() {
    let own = ticking(1_000, 80, 1);
    // By a plain count: the ops that begin and end in one millisecond.
    let without = (0..80).filter(|place| place * 97 / 1_000 == (place * 97 + 40) / 1_000).count() as u64;
    let doubt = own.clock_doubt().map(|own| (own.by.0, own.tensors, own.of));
    assert_eq!(doubt, Some((1_000_000, without, 80)));
    let sentence = said(&own);
    // 80 kernels of 3 µs, from 50 to 79 × 97 + 53 µs: 240 of 7,666.
    assert!(sentence.contains("7.666 ms by its own clock: the GPU did nothing for 96.9 %"), "{sentence}");
    assert!(!sentence.contains("operators"), "{sentence}");
    let told = serde_json::to_string(&doctor::of_figures(&own)).unwrap_or_default();
    assert!(told.contains("coarse-host-clock"), "{told}");
    assert!(told.contains("All 80 ops of the host begin and end at whole steps of 1.00 ms"), "{told}");
    // A clock of 10 µs, few ops, a GPU whose clock is as coarse.
    for own in [ticking(10, 80, 1), ticking(1_000, 20, 1), ticking(1_000, 80, 1_000)] {
        assert_eq!(own.clock_doubt(), None, "{}", said(&own));
    }
    for rule in ["host-bound", "idle-though-launched", "first-step"] {
        assert_eq!(found(&own, rule), Value::Null);
    }
}
