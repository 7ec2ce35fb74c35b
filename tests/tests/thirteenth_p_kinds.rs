//! What a stranger found wrong or missing in the thirteenth reading of traces of PyTorch next to their data: what has the time. Each case is made here.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_report::verdict;
use steplens_tests::opened::{HOST, event, found, on_host, open, rows, study, text, torch};

fn of(events: &[Value]) -> Study {
    study(open(&[("made.json", &torch(events, &json!({})))]))
}

/// A call that launches at `at` for 10 µs, and its kernel, which runs from `start` to `end`.
fn launched(id: i64, at: f64, (start, end): (f64, f64)) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": 7, "device": 0 });
    let call = event("cuda_runtime", "cudaLaunchKernel", HOST, (at, 10.0), &args);
    [call, event("kernel", "gemm", (0, 7), (start, end - start), &args)]
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
        events.extend(launched(id + 1, at + 10.0, (at + 25.0, at + 195.0)));
    }
    let at = begin + 20_100.0;
    events.push(on_host("cuda_runtime", "cudaStreamBeginCapture", at, 20.0));
    for number in 0..50 {
        events.push(on_host("cpu_op", "vllm::linear", at + 30.0 + 220.0 * f64::from(number), 200.0));
    }
    events.push(on_host("cuda_runtime", "cudaStreamEndCapture", at + 11_900.0, 100.0));
    events.extend(around.map(|name| on_host("user_annotation", name, at - 50.0, 12_500.0)));
    events.push(on_host("cpu_op", "vllm::linear", at + 13_000.0, 100.0));
    events.extend(launched(900, at + 13_010.0, (at + 13_030.0, at + 13_100.0)));
    of(&events)
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

#[test]
fn rows_that_say_that_the_host_waits_are_no_device() {
    let mut events = Vec::new();
    for id in 0..10_i64 {
        events.extend(launched(
            id + 1,
            100.0 * id as f64,
            (100.0 * id as f64 + 20.0, 100.0 * id as f64 + 90.0),
        ));
    }
    let mut wait = on_host("synchronization", "synchronization(STREAM_SYNCHRONIZE)", 0.0, 990.0);
    wait.as_object_mut().into_iter().for_each(|own| {
        own.remove("pid");
        own.remove("tid");
    });
    let alone = of(&events);
    events.push(wait);
    let both = of(&events);
    assert_eq!(verdict::of(&both, true).sentence, verdict::of(&alone, true).sentence);
}

#[test]
fn operators_of_a_gpu_get_no_advice_for_a_cpu() {
    let mut events = Vec::new();
    for number in 0..10 {
        let at = 1_000.0 * f64::from(number);
        events.push(on_host("cpu_op", "aten::cudnn_convolution", at, 800.0));
        events.push(on_host("cpu_op", "aten::relu", at + 800.0, 150.0));
    }
    assert!(found(&of(&events), "dominant-work").is_null());
}

#[test]
fn a_second_first_call_is_one_too() {
    let mut events = Vec::new();
    let mut at = 0.0;
    for number in 0..12 {
        let length = [80_000.0, 30_000.0].get(number).copied().unwrap_or(100.0);
        events.push(on_host("cpu_op", "aten::_inverse_helper", at, length));
        events.push(on_host("cpu_op", "aten::cudnn_convolution", at + length, 50.0));
        at += length + 60.0;
    }
    assert_eq!(found(&of(&events), "first-step")["saving_ns"], 110_000_000);
}

/// Steps of a training on a CPU whose optimizer takes `length` of 10 ms, with operators called `update` and `around` it.
fn training(length: f64, update: &str, around: Option<&str>) -> Study {
    let mut events = Vec::new();
    for number in 0..5 {
        let at = 10_000.0 * f64::from(number);
        events.push(on_host("cpu_op", "aten::mm", at, 4_000.0));
        events.push(on_host("cpu_op", "aten::relu", at + 4_000.0, 5_900.0 - length));
        let step = at + 9_900.0 - length;
        events.push(on_host("user_annotation", "Optimizer.step#Adam.step", step, length));
        events.extend(around.map(|name| on_host("cpu_op", name, step + 1.0, 10.0)));
        for place in 0..20 {
            let part = (length - 20.0) / 20.0;
            events.push(on_host("cpu_op", update, step + 15.0 + part * f64::from(place), part - 2.0));
        }
    }
    of(&events)
}

#[test]
fn an_optimizer_that_goes_one_by_one_is_found() {
    let own = found(&training(3_000.0, "aten::addcdiv_", None), "optimizer-step");
    assert!(text(&own, "sentence").contains("The step of the optimizer (Adam) takes 15 ms: it changes its parameters one by one, with 100 operators."), "{own}");
    assert!(text(&own, "advice").contains("fused=True"), "{own}");
    // It is short; it takes many at once; the backward pass is in it.
    assert!(found(&training(1_000.0, "aten::addcdiv_", None), "optimizer-step").is_null());
    assert!(found(&training(3_000.0, "aten::_foreach_add_", None), "optimizer-step").is_null());
    let closure = Some("autograd::engine::evaluate_function: MmBackward0");
    assert!(found(&training(3_000.0, "aten::addcdiv_", closure), "optimizer-step").is_null());
}

#[test]
fn what_has_most_of_the_path_comes_first() {
    let args = json!({ "Concrete Inputs": ["", "", "", "", "", "True", "0.1", "1e-05", "True"] });
    let norms = |convolution: f64| {
        let mut events = Vec::new();
        for number in 0..10 {
            let at = 10_000.0 * f64::from(number);
            events.push(on_host("cpu_op", "aten::mkldnn_convolution", at, convolution));
            events.push(event("cpu_op", "aten::batch_norm", HOST, (at + convolution, 1_500.0), &args));
            events.push(on_host("cpu_op", "aten::relu", at + convolution + 1_500.0, 8_400.0 - convolution));
        }
        rows(&of(&events)).into_iter().map(|own| text(&own, "rule").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(norms(6_000.0), ["dominant-work", "training-mode"]);
    assert_eq!(norms(4_000.0), ["training-mode", "dominant-work"]);
}

#[test]
fn copies_of_an_accelerator_say_where_they_go() {
    let mut events = Vec::new();
    for number in 0..20 {
        let at = 1_000.0 * f64::from(number);
        let direction = if number % 2 == 0 { "HOST_TO_DEVICE" } else { "DEVICE_TO_HOST" };
        let args = json!({ "direction": direction, "stream": 1 });
        events.push(event("mtia_ccp_events", "dma_request", (9, 801), (at, 400.0), &args));
        events.push(event("mtia_ccp_events", "fc-dtype_Float", (9, 801), (at + 400.0, 590.0), &args));
        events.push(on_host("cpu_op", "aten::linear", at, 900.0));
    }
    let said = text(&found(&of(&events), "copies"), "sentence").to_owned();
    assert!(said.contains("10 from host to device (4.00 ms), 10 from device to host (4.00 ms)"), "{said}");
}
