//! What a stranger found wrong or missing in the sixteenth reading of traces of PyTorch next to their data. Each case is made here.

use serde_json::{Value, json};
use steplens_core::doctor::{self, Finding, FindingKind};
use steplens_core::findings::passes::passes;
use steplens_core::{Nanos, Study};
use steplens_report::verdict;
use steplens_tests::opened::{
    HOST, event, found, on_host, open, rows, study, study_of, text, torch, with_gpu,
};

/// A call at `at` of `length`, and the kernel of a stream that it starts.
fn launched_on(
    stream: i64,
    id: i64,
    (at, length): (f64, f64),
    (name, start, end): (&str, f64, f64),
) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": stream, "device": 0 });
    let call = event("cuda_runtime", "cudaLaunchKernel", HOST, (at, length), &args);
    [call, event("kernel", name, (0, stream), (start, end - start), &args)]
}

fn launched(id: i64, call: (f64, f64), kernel: (&str, f64, f64)) -> [Value; 2] {
    launched_on(7, id, call, kernel)
}

fn on_cpu(events: &[Value]) -> Study {
    study(open(&[("made.json", &torch(events, &json!({})))]))
}

fn said(study: &Study) -> String {
    verdict::of(study, true).sentence
}

/// A kernel of `first` µs on one stream; what another stream was given then begins after 5 ms, and runs for half of the rest, or nearly all of it.
fn of_a_server(first: f64, is_busy: bool) -> Study {
    let mut events = launched_on(2, 1, (0.0, 5.0), ("fill", 10.0, 10.0 + first)).to_vec();
    events.push(on_host("cpu_op", "aten::fill_", 0.0, 6.0));
    for id in 0..50_i64 {
        let (call, start) = (400.0 + 10.0 * id as f64, 5_400.0 + 100.0 * id as f64);
        let end = start + if is_busy { 99.0 } else { 50.0 };
        events.extend(launched_on(3, id + 2, (call, 5.0), ("gemm", start, end)));
    }
    events.push(on_host("cuda_runtime", "cudaStreamSynchronize", 1_000.0, 9_400.0));
    with_gpu(&events)
}

#[test]
fn little_work_of_another_stream_hides_no_queue() {
    let own = of_a_server(3.0, true);
    let verdict = said(&own);
    assert!(verdict.contains("For 4.995 ms before the first work of a stream"), "{verdict}");
    assert!(!verdict.contains("says why"), "{verdict}");
    let idle = found(&own, "idle-though-launched");
    assert!(text(&idle, "advice").contains("before the recording begins"), "{idle}");
    assert!(!text(&idle, "advice").contains("other ranks"), "{idle}");
    // It may have waited for what ran, or for what it computes with.
    for own in [of_a_server(300.0, true), of_a_server(3.0, false)] {
        let verdict = said(&own);
        assert!(!verdict.contains("first work of a stream"), "{verdict}");
    }
}

#[test]
fn what_an_operator_does_in_calls_is_its_time() {
    let mut events = Vec::new();
    for id in 0..20 {
        let at = 120.0 * f64::from(id);
        events.push(on_host("cpu_op", "aten::mm", at, 100.0));
        events.push(on_host("cuda_runtime", "cudaLaunchKernel", at + 10.0, 40.0));
    }
    // 20 operators of 100 µs, of 2,380 µs.
    let verdict = said(&on_cpu(&events));
    assert!(verdict.contains("ops ran on the host for 84.0 % of the time"), "{verdict}");
}

#[test]
fn layers_between_what_comes_once_are_no_passes() {
    let layer =
        ["aten::layer_norm", "aten::linear", "aten::softmax", "aten::matmul", "aten::gelu", "aten::add"];
    let all = |before: &[&str], between: &[&str], after: &[&str], range: bool| {
        let layers = (0..8).flat_map(|_| layer.iter().chain(between));
        let names: Vec<&str> = before.iter().chain(layers).chain(after).copied().collect();
        let mut events: Vec<Value> = (0..)
            .zip(&names)
            .map(|(place, name)| on_host("cpu_op", name, 100.0 * f64::from(place), 90.0))
            .collect();
        if range {
            events.push(on_host("user_annotation", "infer", 0.0, 100.0 * names.len() as f64));
        }
        passes(on_cpu(&events).trace())
    };
    assert_eq!(all(&["aten::embedding"], &[], &["aten::layer_norm"], false), None);
    assert_eq!(all(&[], &[], &["aten::layer_norm", "aten::linear"], false), None);
    assert_eq!(all(&[], &[], &[], true), None);
    // A program that makes its input, and reads a result, repeats itself.
    assert_eq!(all(&["aten::randn"], &["aten::item"], &["aten::to"], false), Some(8));
}

/// Ranks that gather: five times a million numbers for 100 µs, once `numbers` for `last`.
fn gathering(ranks: i64, last: f64, numbers: i64) -> Study {
    let files = (0..ranks).map(|rank| {
        let mut events = vec![on_host("user_annotation", "OutputProjection", 5_900.0, 1_000.0)];
        for id in 0..6_i64 {
            let (at, length) = (100.0 + 1_200.0 * id as f64, if id == 5 { last } else { 100.0 });
            let args = json!({ "correlation": id + 1, "stream": 7, "device": rank, "dtype": "Float",
                "Collective name": "_allgather_base", "In msg nelems": if id == 5 { numbers } else { 1_000_000 }, "Group size": 2,
                "Process Group Name": "0", "Process Group Ranks": "[0, 1]" });
            events.push(event("cuda_runtime", "cudaLaunchKernelExC", HOST, (at, 10.0), &args));
            let kernel = "ncclDevKernel_AllGather_RING_LL";
            events.push(event("kernel", kernel, (rank, 7), (at + 20.0, length), &args));
            events.push(on_host("cpu_op", "aten::mm", at + 11.0, 5.0));
        }
        let said = json!({ "deviceProperties": [{ "id": 0 }], "distributedInfo": { "rank": rank, "world_size": 2 } });
        (format!("r{rank}.json"), torch(&events, &said))
    });
    study_of(files)
}

#[test]
fn one_collective_with_most_of_the_time_is_named_with_its_range() {
    let own = found(&gathering(2, 4_000.0, 40_000_000), "exposed-communication");
    assert!(
        text(&own, "sentence")
            .contains("One of them takes 4.00 ms by itself (153 MiB), in OutputProjection."),
        "{own}"
    );
    assert!(text(&own, "advice").contains("gather less of its tensor"), "{own}");
    assert!(!text(&own, "advice").contains("send more at once"), "{own}");
    // Six of one length; one that is long, though others move as much; and of one rank it may wait for the other.
    let alike = gathering(2, 4_000.0, 1_000_000);
    for silent in [gathering(2, 100.0, 1_000_000), alike, gathering(1, 4_000.0, 40_000_000)] {
        let own = found(&silent, "exposed-communication");
        assert!(!own.is_null() && !text(&own, "sentence").contains("One of them"), "{own}");
    }
}

/// A backward pass that reduces `count` gradients, each for `length` µs.
fn reducing(count: i64, length: f64) -> Study {
    let mut events = vec![on_host("cpu_op", "MmBackward0", 0.0, 10.0)];
    for id in 0..count {
        let at = 20.0 + (length + 30.0) * id as f64;
        events.extend(launched(
            id + 1,
            (at, 5.0),
            ("ncclDevKernel_AllReduce_Sum_f32_RING_LL", at + 15.0, at + 15.0 + length),
        ));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 6.0, length + 14.0));
    }
    with_gpu(&events)
}

#[test]
fn many_short_collectives_go_into_larger_buckets() {
    let own = found(&reducing(200, 11.0), "exposed-communication");
    assert!(
        text(&own, "sentence").contains("200 collectives in each step; the one in the middle takes 11 µs"),
        "{own}"
    );
    assert!(text(&own, "advice").contains("larger buckets"), "{own}");
    for few in [reducing(20, 11.0), reducing(200, 300.0)] {
        let own = found(&few, "exposed-communication");
        assert!(!own.is_null() && !text(&own, "advice").contains("larger buckets"), "{own}");
    }
}

/// Operators that `torch.compile` traced, each with one kernel of this name.
fn traced(kernel: &str) -> Study {
    let mut events = Vec::new();
    for id in 0..50_i64 {
        let at = 200.0 * id as f64;
        events.push(on_host("cpu_op", "CompiledFunction", at, 150.0));
        events.push(on_host("cpu_op", "aten::mm", at + 5.0, 140.0));
        events.extend(launched(id + 1, (at + 120.0, 10.0), (kernel, at + 140.0, at + 150.0)));
    }
    with_gpu(&events)
}

#[test]
fn code_is_compiled_if_a_compiler_made_its_kernels() {
    let own = found(&traced("volta_sgemm_128x64_nn"), "host-bound");
    assert!(text(&own, "advice").contains("only traced the code"), "{own}");
    let own = found(&traced("triton_poi_fused_add_0"), "host-bound");
    assert!(text(&own, "advice").contains("compiled already"), "{own}");
}

#[test]
fn memory_that_has_most_of_the_host_is_named() {
    let mut events = Vec::new();
    for id in 0..30_i64 {
        let at = 2_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::mm", at, 1_990.0));
        events.push(on_host("cuda_runtime", "hipMalloc", at + 2.0, 900.0));
        events.extend(launched(id + 1, (at + 910.0, 5.0), ("gemm", at + 920.0, at + 1_000.0)));
        events.push(on_host("cuda_runtime", "hipFree", at + 1_001.0, 980.0));
    }
    let own = with_gpu(&events);
    let verdict = said(&own);
    assert!(verdict.contains("the host (mostly getting and freeing memory)"), "{verdict}");
    let advice = |rule: &str| text(&found(&own, rule), "advice").to_owned();
    assert!(advice("allocator").contains("PYTORCH_NO_CUDA_MEMORY_CACHING"), "{}", advice("allocator"));
    assert_eq!(advice("host-bound"), advice("allocator"));
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
    let verdict = said(&own);
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
    assert!(!said(&own).contains("parts of graphs"), "{}", said(&own));
    assert!(!doctor::findings(own.trace()).iter().any(is_of_graphs));
}

#[test]
fn a_share_of_steps_is_without_what_ran_before_them() {
    let mut events = Vec::new();
    // What was launched before the recording.
    for id in 0..10_i64 {
        let at = 100.0 * id as f64;
        let args = json!({ "correlation": 900 + id, "stream": 7, "device": 0 });
        events.push(event("kernel", "gemm", (0, 7), (at, 99.0), &args));
    }
    for step in 0..2_i64 {
        let at = 1_000.0 + 1_000.0 * step as f64;
        events.push(on_host("user_annotation", &format!("ProfilerStep#{}", step + 3), at, 999.0));
        events.push(on_host("cpu_op", "aten::mm", at, 20.0));
        events.extend(launched(2 * step + 1, (at + 5.0, 10.0), ("gemm", at + 30.0, at + 130.0)));
        let kernel = ("ncclDevKernel_AllReduce_Sum_f32_RING_LL", at + 130.0, at + 990.0);
        events.extend(launched(2 * step + 2, (at + 25.0, 10.0), kernel));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 40.0, 955.0));
    }
    let own = found(&with_gpu(&events), "exposed-communication");
    // 2 x 860 µs, of the 1,995 µs until the last call of two steps ends.
    assert!(text(&own, "sentence").contains("(86.2 %) of the steps"), "{own}");
}

#[test]
fn what_a_step_does_after_its_last_kernel_launches_none() {
    let step = |tail: f64| {
        let mut events = vec![on_host("user_annotation", "ProfilerStep#3", 0.0, 2_100.0 + tail)];
        for id in 0..10_i64 {
            let at = 200.0 * id as f64;
            events.push(on_host("cpu_op", "aten::mm", at, 90.0));
            events.extend(launched(id + 1, (at + 5.0, 10.0), ("gemm", at + 20.0, at + 180.0)));
        }
        events.push(on_host("cpu_op", "aten::copy", 2_050.0, 10.0));
        events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 2_110.0 + tail.max(0.0), 10.0));
        found(&with_gpu(&events), "host-bound")
    };
    let own = step(1_000.0);
    // From 1,980 µs to 3,100 µs.
    assert!(text(&own, "sentence").contains("1.12 ms of it comes after the last work of the GPU"), "{own}");
    let own = step(-50.0);
    assert!(!own.is_null() && !text(&own, "sentence").contains("after the last work"), "{own}");
}

#[test]
fn a_long_pause_before_kernels_of_a_compiler_may_compile_them() {
    let first = |kernel: &str| {
        let mut events = launched(1, (0.0, 10.0), (kernel, 20.0, 40.0)).to_vec();
        events.extend(launched(2, (900_000.0, 10.0), (kernel, 900_020.0, 900_040.0)));
        events.push(event(
            "kernel",
            "at::native::fill",
            (0, 7),
            (900_050.0, 10.0),
            &json!({ "device": 0, "stream": 7 }),
        ));
        text(&found(&with_gpu(&events), "host-bound"), "advice").to_owned()
    };
    assert!(
        first("triton_poi_fused_0").contains("it compiles in that pause"),
        "{}",
        first("triton_poi_fused_0")
    );
    assert!(!first("gemm").contains("compiles in that pause"), "{}", first("gemm"));
}
