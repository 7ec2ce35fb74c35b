//! What a stranger found wrong in the sixteenth reading of TensorFlow's, JAX's and Horovod's traces next to their data. Each case is made here, and
//! its figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::findings::Rule;
use steplens_core::{Category, Study};
use steplens_report::{findings, verdict};
use steplens_tests::opened::{horovod, open, process, row, study, text, torch};
use steplens_tests::tensorflow::{list, named, profiled, timeline};

fn number(found: &Value, field: &str) -> i64 {
    found[field].as_i64().unwrap_or_default()
}

#[test]
fn mostly_is_more_than_half_of_the_time_that_the_figure_is_of() {
    // On the path MatMul has 50 of 95 ms.
    let of = |first: &str, beside: i64| {
        let name = json!({ "name": "/job:localhost/replica:0/task:0/device:CPU:0 Compute" });
        let mut all = vec![json!({ "ph": "M", "name": "process_name", "pid": 0, "args": name })];
        let ops = [
            (0, first, "a", 0, 45_000),
            (0, "MatMul", "b", 45_000, 50_000),
            (1, "Conv2D", "c", 46_000, beside),
        ];
        all.extend(ops.map(|(tid, kind, name, ts, dur)| {
            json!({ "ph": "X", "cat": "Op", "name": kind, "pid": 0, "tid": tid, "ts": ts, "dur": dur, "args": { "name": name, "op": kind } })
        }));
        let text = json!({ "traceEvents": all }).to_string();
        study(open(&[("timeline.json", text.as_bytes())]))
    };
    let said = |own: &Study| verdict::of(own, false).main;
    let own = said(&of("Conv2D", 1_000));
    assert!(own.contains("(mostly MatMul)"), "{own}");
    // Conv2D runs for 93 ms, MatMul for 50.
    let own = said(&of("Conv2D", 48_000));
    assert!(!own.contains("mostly"), "{own}");
    // Both run for more than half, MatMul for all of it, which the path names, too.
    let own = said(&of("MatMul", 48_000));
    assert!(own.contains("(mostly MatMul)"), "{own}");
}

/// Five times: a call that copies for 2 ms, on the GPU from 0.1 ms on, and the launch of a kernel, 1 ms after the copy has ended.
fn copying(call: &'static str, copy: &'static str) -> Study {
    let of = |at: i64| {
        let (start, number) = (at * 4_000, at * 2 + 1);
        [
            (2, call, start, 2_000, number, ""),
            (13, copy, start + 100, 1_800, number, ""),
            (2, "cuLaunchKernel", start + 2_000, 900, number + 1, ""),
            (13, "gemm", start + 2_900, 1_100, number + 1, "a:MatMul"),
        ]
    };
    profiled(&(0..5).flat_map(of).collect::<Vec<_>>())
}

#[test]
fn a_copy_to_the_gpu_is_no_wait_for_a_result() {
    assert!(row(&copying("cuMemcpyDtoHAsync_v2", "MemcpyD2H"), Rule::Synchronising).is_some());
    assert_eq!(row(&copying("cuMemcpyHtoDAsync_v2", "MemcpyH2D"), Rule::Synchronising), None);
}

#[test]
fn a_gpu_that_nothing_shows_to_be_used_is_the_first_finding() {
    let of = |gpu: bool| {
        let mut all =
            vec![named("process_name", 49, 0, "/host:CPU"), named("thread_name", 49, 1, "tf_Compute/1")];
        if gpu {
            all.push(named("process_name", 1, 0, "/device:GPU:0"));
        }
        all.extend([("TraceContext", 0, 100), ("FunctionRun", 10, 80), ("a:MatMul", 20, 50)].map(
            |(name, ts, dur)| json!({ "ph": "X", "name": name, "pid": 49, "tid": 1, "ts": ts, "dur": dur, "args": {} }),
        ));
        let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
        let opened = open(&[("host.trace.json", text.as_bytes())]);
        let files = opened.files.clone();
        let own = study(opened);
        serde_json::from_str::<Value>(&findings::json(&own, &files, None)).unwrap_or_default()
    };
    let found = of(true);
    let first = &found["findings"][0];
    assert_eq!(first["rule"], "gpu-unused", "{found}");
    assert!(number(first, "saving_ns") > 0, "{first}");
    assert!(
        text(first, "sentence").contains("At most")
            && text(first, "advice").contains("list_physical_devices")
    );
    let rows = of(false)["findings"].as_array().cloned().unwrap_or_default();
    assert!(rows.iter().all(|own| own["rule"] != "gpu-unused"), "{rows:?}");
}

/// The first step of a graph on a GPU: an iterator is made, its first batch takes 40 ms, and two convolutions run nine unlike kernels each; the first
/// takes `first` µs.
fn first_step(made: i64, first: i64) -> Study {
    let mut ops = vec![
        (0, "OneShotIterator", "OneShotIterator", 0, made),
        (0, "IteratorGetNext", "IteratorGetNext", 3_000, 40_000),
        (1, "Conv2D", "a", 44_000, first),
        (1, "Conv2D", "b", 45_000 + first, 4_000),
        (1, "MatMul", "m", 50_000 + first, 100),
        (2, "MatMul", "m", 50_050 + first, 3_000),
        (1, "MatMul", "n", 52_000 + first, 100),
        (2, "MatMul", "n", 53_050 + first, 900),
    ];
    for (name, start) in [("a", 44_000 + first - 2_500), ("b", 45_000 + first + 200)] {
        let lengths = [8, 296, 4, 229, 181, 295, 4, 229, 39];
        let kernels = lengths.iter().zip(0..).map(|(&own, at)| (2, "Conv2D", name, start + at * 300, own));
        ops.extend(kernels);
    }
    timeline(&ops)
}

#[test]
fn all_that_only_a_first_step_does_is_counted_together() {
    let own = first_step(2_000, 400_000);
    let found = row(&own, Rule::FirstStep).expect("a finding");
    // The iterator and its batch, and two convolutions without their last kernels of 39 us.
    assert_eq!(number(&found, "saving_ns"), (2_000 + 40_000 + 400_000 + 4_000 - 2 * 39) * 1_000, "{found}");
    assert!(text(&found, "what").contains("2 convolutions try"), "{found}");
    assert_eq!(row(&own, Rule::InputBound), None);
    // An iterator that is there is handed out, and the batch may be slow each time.
    let own = first_step(20, 400_000);
    assert!(row(&own, Rule::InputBound).is_some());
    // Nothing else says that it is a first step: nine kernels may be one algorithm's.
    let own = first_step(20, 4_000);
    assert_eq!(row(&own, Rule::FirstStep), None, "{}", list(&own));
}

/// Steps of PyTorch's profiler, each 20 ms: a launch after 2 ms, and its kernel for 15 ms.
fn steps(starts: &[i64]) -> Study {
    let mut all: Vec<Value> = [process(1, "CPU"), process(0, "GPU 0")].concat();
    for (number, &at) in (1..).zip(starts) {
        let event = |cat: &str, name: &str, pid: i64, ts: i64, dur: i64, args: Value| json!({ "ph": "X", "cat": cat, "name": name, "pid": pid, "tid": 7, "ts": ts, "dur": dur, "args": args });
        all.extend([
            event("user_annotation", &format!("ProfilerStep#{number}"), 1, at, 20_000, json!({})),
            event("cuda_runtime", "cudaLaunchKernel", 1, at + 2_000, 20, json!({ "correlation": number })),
            event(
                "kernel",
                "gemm",
                0,
                at + 2_100,
                15_000,
                json!({ "correlation": number, "device": 0, "stream": 7 }),
            ),
        ]);
    }
    study(open(&[("trace.json", &torch(&all, &json!({})))]))
}

#[test]
fn steps_far_apart_are_as_long_as_they_are_together() {
    let far = steps(&[0, 600_000]);
    let said = verdict::of(&far, false).main;
    assert!(said.starts_with("2 steps, far apart: together they take 40.00 ms of 617.1 ms."), "{said}");
    // Only 4 ms of the time between is a host's, before the launches of the steps: less than 2 %.
    assert_eq!(row(&far, Rule::HostBound), None, "{}", list(&far));
    assert!(row(&steps(&[0, 20_000, 40_000]), Rule::HostBound).is_some());
}

/// Five tensors that rank 1 is ready with at 0, and rank 0 after 3 s; then each is reduced, for 10 ms after 10 ms of negotiation.
fn late_at(operation: &str) -> Study {
    let (negotiates, sends) = (format!("NEGOTIATE_{operation}"), operation.to_owned());
    let (mut phases, mut ticks) = (Vec::new(), Vec::new());
    for tensor in 1..=5 {
        phases.push((tensor, negotiates.as_str(), tensor, 3_000_000 + tensor));
        phases.push((tensor, sends.as_str(), 3_000_100 + tensor, 3_001_000 + tensor));
        ticks.extend([(tensor, 1, tensor), (tensor, 0, 3_000_000 + tensor)]);
        let start = 3_500_000 + tensor * 100;
        phases.push((tensor, "NEGOTIATE_ALLREDUCE", start, start + 10_000));
        phases.push((tensor, "ALLREDUCE", start + 10_000, start + 20_000));
        ticks.extend([(tensor, tensor % 2, start + 1), (tensor, 1 - tensor % 2, start + 10_000)]);
    }
    horovod(&phases, &ticks)
}

#[test]
fn what_programs_broadcast_as_they_start_is_no_habit_of_their_steps() {
    let own = late_at("BROADCAST");
    let late = row(&own, Rule::LastRank).expect("a finding");
    let what = text(&late, "what");
    assert!(what.starts_with("As the program starts, rank 0 is ready last in 5 of 5"), "{what}");
    assert_eq!(number(&late, "saving_ns"), 3_000_004_000);
    assert!(text(&late, "advice").contains("before its first broadcast"), "{late}");
    // What is left is from the first reduction on.
    let rest = row(&own, Rule::ExposedCommunication);
    assert!(rest.is_none_or(|own| number(&own, "saving_ns") <= 20_500_000));
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("are the start of the program"), "{said}");
    // Without a broadcast, nothing is a start.
    let own = late_at("ALLREDUCE");
    assert!(!verdict::of(&own, true).sentence.contains("start of the program"));
    assert!(row(&own, Rule::LastRank).is_none_or(|own| !text(&own, "what").starts_with("As the program")));
}

/// Ten tensors of two ranks, one after the other. Rank 1 is last in those of `late`, by 1 ms each; rank 0 in all others, by 10 µs.
fn late_in(late: std::ops::Range<i64>) -> Study {
    let (mut phases, mut ticks) = (Vec::new(), Vec::new());
    for tensor in 0..10 {
        let start = tensor * 2_000;
        let (last, by) = if late.contains(&tensor) { (1, 1_000) } else { (0, 10) };
        phases.push((tensor + 1, "NEGOTIATE_ALLREDUCE", start, start + by + 1));
        phases.push((tensor + 1, "ALLREDUCE", start + by + 1, start + by + 11));
        ticks.extend([(tensor + 1, 1 - last, start), (tensor + 1, last, start + by)]);
    }
    horovod(&phases, &ticks)
}

#[test]
fn a_rank_that_is_rarely_last_is_not_the_late_one_however_long_it_takes() {
    let often = row(&late_in(0..6), Rule::LastRank).expect("rank 1 is last in 6 of 10");
    assert_eq!(number(&often, "saving_ns"), 6_000_000, "{often}");
    // Four of ten are not half of them, though they are nearly all of the time.
    assert_eq!(row(&late_in(0..4), Rule::LastRank), None);
}

/// Events of a writer that says nothing of them: (name, start, length) in µs.
fn events(all: &[(&str, i64, i64)]) -> Study {
    let all = all.iter().zip(0..).map(|(&(name, ts, dur), tid)| json!({ "ph": "X", "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur }));
    let text = json!({ "traceEvents": all.collect::<Vec<Value>>() }).to_string();
    study(open(&[("trace.json", text.as_bytes())]))
}

#[test]
fn a_recording_of_the_input_alone_promises_nothing() {
    let loads = [("dataset::GetNext", 0, 800_000), ("dataset::GetNext", 700_000, 900_000)];
    let own = events(&loads);
    let said = verdict::of(&own, true).main;
    assert!(said.contains("only the loading of batches was recorded"), "{said}");
    assert_eq!(row(&own, Rule::InputBound), None);
    let own = events(&[loads.as_slice(), &[("train", 1_600_000, 900_000)]].concat());
    assert!(!verdict::of(&own, true).main.contains("only the loading"));
}

#[test]
fn names_with_hyphens_say_what_communicates_by_whole_words() {
    let communicates = |name: &str| {
        let own = events(&[(name, 0, 100), ("compute", 200, 100)]);
        let trace = own.trace();
        let op = trace.ops().ids().find(|&op| trace.op_name(op) == name).expect("an op");
        trace.category(op) == Category::Communication
    };
    for name in [
        "grads-reduce-scatter",
        "params-all-gather",
        "layernorm-grads-all-reduce",
        "forward-send",
        "backward-recv",
    ] {
        assert!(communicates(name), "{name}");
    }
    for name in ["forward-compute", "optimizer-clip-main-grad", "resend", "small-reduce", "send-buffer-size"]
    {
        assert!(!communicates(name), "{name}");
    }
}
