//! What a stranger found wrong or missing in the eighteenth reading of traces next to their data, of TensorFlow, JAX and MXNet: what instructions of
//! XLA calculate, hosts whose clock is coarse, MXNet's devices, calls outside of what is shown. Each case is made here.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_report::{doctor, verdict};
use steplens_tests::opened::{found, open, study, text};

fn said(study: &Study) -> String {
    verdict::of(study, false).sentence
}

fn of_events(events: &[Value]) -> Study {
    let all = json!({ "displayTimeUnit": "ns", "traceEvents": events }).to_string();
    study(open(&[("trace.json", all.as_bytes())]))
}

fn named(what: &str, pid: i64, tid: i64, name: &str) -> Value {
    json!({ "ph": "M", "name": what, "pid": pid, "tid": tid, "args": { "name": name } })
}

fn complete(name: &str, (pid, tid): (i64, i64), (ts, dur): (i64, i64), args: &Value) -> Value {
    json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args })
}

/// Instructions on a TPU, one behind the other: name, category, operation, length in µs.
fn on_tpu(instructions: &[(&str, &str, &str, i64)]) -> Study {
    let mut all = vec![
        named("process_name", 1, 0, "/device:TPU:0"),
        named("thread_name", 1, 2, "XLA Ops"),
        named("process_name", 7, 0, "/host:CPU"),
        named("thread_name", 7, 1, "main"),
        complete("PjitFunction(f)", (7, 1), (0, 5), &json!({})),
    ];
    let mut at = 5;
    for &(name, category, operation, length) in instructions {
        let text =
            format!("%{name} = (bf16[8,4]{{1,0:T(8,128)(2,1)S(1)}}, u32[]{{:S(2)}}) {name}(bf16[8] %x)");
        let mut args = json!({ "hlo_category": category, "long_name": text });
        if !operation.is_empty() {
            args["tf_op"] = operation.into();
        }
        all.push(complete(name, (1, 2), (at, length), &args));
        at += length;
    }
    of_events(&all)
}

#[test]
fn a_convolution_of_xla_is_what_the_program_asked_for() {
    let of = |operation: &str| {
        on_tpu(&[
            ("convolution_bitcast_fusion.1", "convolution fusion", operation, 320),
            ("fusion.2", "convolution fusion", operation, 290),
            ("multiply_fusion.3", "loop fusion", "jit(f)/mul:", 130),
            ("RPA-bq_32.1", "custom-call", "jit(f)/jit(ragged_paged_attention)/RPA/pallas_call:", 250),
        ])
    };
    // 610 and 250 of 990 µs.
    let products = said(&of("jit(f)/dot_general:"));
    assert!(products.contains("products of matrices 61.6 %, attention 25.3 %"), "{products}");
    assert!(!products.contains("convolutions"), "{products}");
    let convolutions = said(&of("jit(f)/conv_general_dilated:"));
    assert!(convolutions.contains("convolutions 61.6 %"), "{convolutions}");
    // Nothing says which of the two it is.
    let unknown = said(&of("jit(f)/add:"));
    assert!(!unknown.contains("products of matrices") && !unknown.contains("convolutions"), "{unknown}");
}

#[test]
fn kernels_take_nearly_all_though_some_time_is_copies() {
    let of = |copied: i64| {
        said(&on_tpu(&[
            ("fusion.2", "convolution fusion", "jit(f)/dot_general:", 600),
            ("quantized_matmul.1", "custom-call", "jit(f)/pallas_call:", 250),
            ("copy.7", "copy", "", copied),
        ]))
    };
    // 850 of 950 µs compute, and nothing is idle; with 350 µs of copies it is 70 %.
    assert!(of(100).contains("products of matrices 89"), "{}", of(100));
    assert!(!of(350).contains("products of matrices"), "{}", of(350));
}

#[test]
fn the_type_of_an_instruction_is_no_piece_of_its_layout() {
    let own = on_tpu(&[
        ("copy-start.3", "copy-start", "", 20),
        ("copy-done.3", "copy-done", "", 30),
        ("slice-start.12", "async-start", "", 40),
    ]);
    let trace = own.trace();
    let mut types: Vec<&str> = trace.ops().ids().map(|op| trace.op_type(op)).collect();
    types.sort_unstable();
    types.dedup();
    assert_eq!(types, ["PjitFunction", "copy-done", "copy-start", "slice-start"]);
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

/// Two events of MXNet: one begins, and one ends.
fn pair(
    phases: [&str; 2],
    category: &str,
    name: &str,
    (pid, tid): (i64, i64),
    (from, to): (i64, i64),
) -> [Value; 2] {
    let of = |phase: &str, ts: i64| json!({ "ph": phase, "cat": category, "name": name, "pid": pid, "tid": tid, "id": tid, "ts": ts });
    [of(phases[0], from), of(phases[1], to)]
}

fn of_mxnet(device: &str, ops: &[(&str, i64, i64)], calls: &[(&str, i64, i64)]) -> Study {
    let mut all = vec![
        named("process_name", 1, 0, device),
        named("process_name", 8, 0, "MXNET_C_API"),
        named("process_name", 9, 0, "operator"),
    ];
    for &(name, from, to) in ops {
        all.extend(pair(["B", "E"], "operator", name, (1, 3), (from, to)));
        all.extend(pair(["b", "e"], "operator", name, (9, 4), (from, to)));
    }
    for &(name, from, to) in calls {
        all.extend(pair(["b", "e"], "MXNET_C_API", name, (8, 5), (from, to)));
    }
    of_events(&all)
}

#[test]
fn a_gpu_of_mxnet_copies_and_its_program_has_calls() {
    let calls = [("MXImperativeInvokeEx", 0, 9_000), ("MXNDArrayWaitAll", 9_000, 10_000)];
    let ops =
        [("CopyCPU2GPU", 9_000, 9_800), ("DeleteVariable", 9_800, 9_900), ("Convolution", 9_900, 10_000)];
    let own = of_mxnet("gpu/0", &ops, &calls);
    let sentence = said(&own);
    // The GPU computes for 100 of 10,000 µs, and copies for 800; a call before that takes 9,000.
    assert!(sentence.contains("10.00 ms"), "{sentence}");
    assert!(sentence.contains("compute on the GPU takes 1.0 %"), "{sentence}");
    assert!(!sentence.contains("devices"), "{sentence}");
    let split = own.step_split(own.trace().span());
    assert_eq!((split.compute.0, split.exposed_copy.0), (100_000, 800_000), "{split:?}");
}

#[test]
fn a_wait_of_mxnet_on_a_cpu_is_no_compute() {
    let ops = [("WaitForVar", 0, 6_000), ("DeleteVariable", 6_000, 6_500), ("Convolution", 6_500, 7_000)];
    let own = of_mxnet("cpu/0", &ops, &[("MXNDArrayWaitAll", 0, 7_000)]);
    let split = own.step_split(own.trace().span());
    assert_eq!(split.compute.0, 500_000, "{split:?}");
    assert!(said(&own).contains("waiting"), "{}", said(&own));
    // A process that is called otherwise is read as before.
    let other = of_mxnet("cpu main", &ops, &[]);
    assert_eq!(other.step_split(other.trace().span()).compute.0, 7_000_000);
}

/// The advice for communication of a program with these operations.
fn advice(operation: &str) -> String {
    let of_all = [
        ("fusion.2", "convolution fusion", operation, 600),
        ("all-reduce.1", "all-reduce", "jit(f)/psum:", 200),
        ("fusion.3", "convolution fusion", "jit(f)/dot_general:", 200),
    ];
    text(&found(&on_tpu(&of_all), "exposed-communication"), "advice").to_owned()
}

#[test]
fn a_larger_batch_is_no_advice_for_what_exchanges_activations() {
    let infers = advice("jit(f)/dot_general:");
    assert!(infers.contains("collective matmul") && !infers.contains("a larger batch for each"), "{infers}");
    let trains = advice("jit(f)/transpose(jvp(g))/dot_general:");
    assert!(trains.contains("a larger batch for each"), "{trains}");
}
