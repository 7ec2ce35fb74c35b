//! What a stranger found wrong or missing in the seventeenth reading, of all frameworks: one figure for a share, advice that looks at what ran, and
//! what is left to do where products, convolutions or attention are the step. Each case is made here.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_report::verdict;
use steplens_tests::opened::{HOST, event, found, horovod, on_host, open, row, study, text, with_gpu};
use steplens_tests::tensorflow::timeline;

fn number(found: &Value, field: &str) -> i64 {
    found[field].as_i64().unwrap_or_default()
}

fn said(study: &Study) -> String {
    verdict::of(study, true).sentence
}

fn advice(study: &Study, rule: &str) -> String {
    text(&found(study, rule), "advice").to_owned()
}

/// A call at `at`, and the kernel or copy of a stream that it starts: (category, name, stream, start, end).
fn started(id: i64, at: f64, (cat, name, stream, start, end): (&str, &str, i64, f64, f64)) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": stream, "device": 0 });
    let call = if cat == "gpu_memcpy" { "cudaMemcpyAsync" } else { "cudaLaunchKernel" };
    let call = event("cuda_runtime", call, HOST, (at, 5.0), &args);
    [call, event(cat, name, (0, stream), (start, end - start), &args)]
}

fn kernel(id: i64, at: f64, name: &str, start: f64, end: f64) -> [Value; 2] {
    started(id, at, ("kernel", name, 7, start, end))
}

/// Two steps of 999 µs that communicate for 860 µs each; before them the GPU computes for 1 ms that was launched before, or does nothing.
fn reducing(has_before: bool) -> Study {
    let mut events = Vec::new();
    let start = if has_before { 1_000.0 } else { 0.0 };
    for id in 0..if has_before { 10_i64 } else { 0 } {
        let args = json!({ "correlation": 900 + id, "stream": 7, "device": 0 });
        events.push(event("kernel", "gemm", (0, 7), (100.0 * id as f64, 99.0), &args));
    }
    for step in 0..2_i64 {
        let at = start + 1_000.0 * step as f64;
        events.push(on_host("user_annotation", &format!("ProfilerStep#{}", step + 3), at, 999.0));
        events.push(on_host("cpu_op", "aten::mm", at, 20.0));
        events.extend(kernel(2 * step + 1, at + 5.0, "gemm", at + 30.0, at + 130.0));
        let name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
        events.extend(kernel(2 * step + 2, at + 25.0, name, at + 130.0, at + 990.0));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 40.0, 955.0));
    }
    with_gpu(&events)
}

#[test]
fn the_share_of_a_finding_is_the_one_that_its_sentence_says() {
    for has_before in [true, false] {
        let own = found(&reducing(has_before), "exposed-communication");
        // Until the last call ends.
        let (saving, whole) = (2 * 860_000, 1_995_000 + if has_before { 0 } else { 4_000 });
        assert_eq!(number(&own, "saving_ns"), saving, "{own}");
        let share = number(&own, "share_ppm");
        assert!((share - saving * 1_000_000 / whole).abs() < 2_500, "{own}");
        let words = format!("({:.1} %)", share as f64 / 1e4);
        assert!(text(&own, "sentence").contains(&words), "{words} {own}");
    }
}

/// An op: device, type, name, start and length in µs, and inputs.
type Ran<'a> = (i64, &'a str, &'a str, i64, i64, &'a [&'a str]);

/// What `timeline.py` writes of devices of these names.
fn of_devices(devices: &[&str], ops: &[Ran<'_>]) -> Study {
    let rows = devices.iter().zip(0..).map(
        |(name, pid)| json!({ "ph": "M", "name": "process_name", "pid": pid, "args": { "name": format!("{name} Compute") } }),
    );
    let ops = ops.iter().map(|&(pid, kind, name, ts, dur, inputs)| {
        let mut args = json!({ "name": name, "op": kind });
        for (own, place) in inputs.iter().zip(0..) {
            args[format!("input{place}")] = (*own).into();
        }
        json!({ "ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args })
    });
    let text = json!({ "traceEvents": rows.chain(ops).collect::<Vec<Value>>() }).to_string();
    study(open(&[("timeline.json", text.as_bytes())]))
}

const CPU: &str = "/job:localhost/replica:0/task:0/device:CPU:0";
const SYCL: &str = "/job:localhost/replica:0/task:0/device:SYCL:0";

/// A step of 100 ms on one device: `convolutions` in pieces of `piece` µs, the rest in an op that is none.
fn convolving(device: &str, op_type: &str, convolutions: i64, piece: i64) -> Study {
    let count = convolutions / piece;
    let mut ops: Vec<Ran<'_>> =
        (0..count).map(|at| (0, op_type, "c", at * piece, piece, [].as_slice())).collect();
    let rest = 100_000 - convolutions;
    ops.extend((0..10).map(|at| (0, "Relu", "r", convolutions + at * rest / 10, rest / 10, [].as_slice())));
    of_devices(&[device], &ops)
}

#[test]
fn convolutions_that_are_the_step_of_a_cpu_are_a_finding() {
    let own = found(&convolving(CPU, "Conv2DBackpropFilter", 80_000, 20_000), "dominant-work");
    let what = text(&own, "what");
    assert!(what.contains("Convolutions on the CPU") && what.contains("(80.0 %)"), "{own}");
    assert_eq!((own["basis"].clone(), own["saving_ns"].clone()), (json!("figure"), Value::Null), "{own}");
    let advice = text(&own, "advice");
    assert!(advice.contains("intra_op_parallelism_threads") && advice.contains("TF_ENABLE_ONEDNN_OPTS"));
    let own = found(&convolving(CPU, "_MklFusedMatMul", 80_000, 20_000), "dominant-work");
    assert!(text(&own, "what").contains("Products of matrices on the CPU"), "{own}");
    assert!(text(&own, "advice").contains("oneDNN carries them out already"), "{own}");
    for silent in [
        // Other ops have most of the time; each is short; it is no CPU.
        convolving(CPU, "Conv2D", 40_000, 20_000),
        convolving(CPU, "Conv2D", 80_000, 500),
        convolving(SYCL, "Conv2D", 80_000, 20_000),
        // Where an executor ran them on a GPU, nothing says how long that took.
        timeline(&[(1, "Conv2D", "c", 0, 80_000), (0, "Relu", "r", 80_000, 20_000)]),
    ] {
        let own = found(&silent, "dominant-work");
        assert!(!text(&own, "what").contains("on the CPU take"), "{own}");
    }
}

/// A server makes a tensor in 0.1 ms, and a worker has it `after` µs later, of which it is on its way for the last 0.2 ms; the worker computes for 1 ms.
fn waiting(after: i64) -> Study {
    let [server, worker] = ["ps", "worker"].map(|job| format!("/job:{job}/replica:0/task:0/device:CPU:0"));
    let there = 100 + after;
    of_devices(
        &[&server, &worker],
        &[
            (0, "VariableV2", "w", 0, 100, &[]),
            (1, "RecvTensor", "RecvTensor", there - 200, 200, &[]),
            (1, "MatMul", "MatMul", there + 10, 1_000, &["w_S5"]),
        ],
    )
}

#[test]
fn tensors_of_unknown_senders_are_a_finding_where_a_step_waits_for_them() {
    let own = found(&waiting(5_000), "exposed-transfers");
    let what = text(&own, "what");
    assert!(what.contains("Ops wait for 1 tensor of other tasks: 4.80 ms until a tensor is"), "{own}");
    assert!(what.contains("200 µs while it is"), "{own}");
    assert_eq!(own["basis"], "path", "{own}");
    assert!(text(&own, "advice").contains("Keep the RunMetadata itself"), "{own}");
    // Nothing waits for what comes at once.
    let own = of_devices(&[CPU], &[(0, "MatMul", "m", 0, 5_000, &[])]);
    assert!(found(&own, "exposed-transfers").is_null());
}

/// Tensors of Horovod that are negotiated for 40 ms, and reduced for 40 ms by this.
fn reduced_by(name: &str) -> Study {
    let mut phases = Vec::new();
    for tensor in 1..=3 {
        phases.push((tensor, "NEGOTIATE_ALLREDUCE", tensor * 100_000, tensor * 100_000 + 40_000));
        phases.push((tensor, "ALLREDUCE", tensor * 100_000 + 40_000, tensor * 100_000 + 80_100));
        phases.push((tensor, name, tensor * 100_000 + 40_050, tensor * 100_000 + 80_000));
    }
    horovod(&phases, &[])
}

#[test]
fn advice_names_no_library_that_runs_already() {
    let own = advice(&reduced_by("MPI_ALLREDUCE"), "exposed-communication");
    assert!(own.contains("NCCL in place of MPI"), "{own}");
    let own = advice(&reduced_by("NCCL_ALLREDUCE"), "exposed-communication");
    assert!(own.contains("HOROVOD_FUSION_THRESHOLD") && !own.contains("NCCL"), "{own}");
}

/// Ten kernels of each name in a row, 100 µs each.
fn kernels(names: &[&str]) -> Study {
    let mut events = Vec::new();
    for (id, name) in (0_i64..).zip(names.iter().cycle().take(10 * names.len())) {
        events.push(on_host("cpu_op", "aten::op", 10.0 * id as f64, 9.0));
        let start = 20.0 + 100.0 * id as f64;
        events.extend(kernel(id + 1, 10.0 * id as f64 + 1.0, name, start, start + 100.0));
    }
    with_gpu(&events)
}

const TURNED: &str = "sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nchwkcrs_nchw_ffma_x";
const LAST: &str = "sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nhwckrsc_nhwc_ffma_x";
const HALF: &str = "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_32x6_nn";
const SINGLE: &str = "ampere_sgemm_128x64_nn";

#[test]
fn advice_for_float32_looks_at_layouts_and_other_kernels() {
    let own = advice(&kernels(&[TURNED]), "tensor-cores");
    assert!(own.contains("channels_last") && own.contains("autocast"), "{own}");
    let own = advice(&kernels(&[LAST]), "tensor-cores");
    assert!(!own.contains("channels_last") && own.contains("autocast"), "{own}");
    let own = advice(&kernels(&[LAST, "cudnn::nchwToNhwcKernel"]), "tensor-cores");
    assert!(own.contains("channels_last"), "{own}");
    let own = advice(&kernels(&[SINGLE, HALF]), "tensor-cores");
    assert!(own.contains("Other kernels use tensor cores already"), "{own}");
    assert!(!advice(&kernels(&[SINGLE]), "tensor-cores").contains("Other kernels"));
}

/// Ten copies of 200 µs on `stream`, each after the call that makes it, and kernels of 100 µs on stream 7.
fn copying(stream: i64) -> Study {
    let mut events = Vec::new();
    for id in 0..10_i64 {
        let at = 400.0 * id as f64;
        let copy = ("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", stream, at + 10.0, at + 210.0);
        events.extend(started(2 * id + 1, at, copy));
        events.push(on_host("cpu_op", "aten::mm", at + 20.0, 20.0));
        events.extend(kernel(2 * id + 2, at + 30.0, "gemm", at + 210.0, at + 310.0));
    }
    with_gpu(&events)
}

#[test]
fn advice_for_copies_looks_at_their_stream() {
    let own = advice(&copying(7), "copies");
    assert!(own.contains("on a stream of its own"), "{own}");
    let own = advice(&copying(20), "copies");
    assert!(own.contains("have a stream of their own already"), "{own}");
}

/// Graphs of one kernel of a backward pass, and operators that launch one kernel each.
fn graphs(call: &str) -> Study {
    let mut events = Vec::new();
    for id in 0..20_i64 {
        let at = 400.0 * id as f64;
        let args = json!({ "correlation": 2 * id + 1, "stream": 7, "device": 0 });
        events.push(on_host("cpu_op", "autograd::engine::evaluate_function: MmBackward0", at, 190.0));
        events.push(event("cuda_runtime", call, HOST, (at + 180.0, 5.0), &args));
        events.push(event("kernel", "gemm", (0, 7), (at + 190.0, 50.0), &args));
        events.push(on_host("cpu_op", "aten::mul", at + 200.0, 190.0));
        events.extend(kernel(2 * id + 2, at + 380.0, "mul", at + 390.0, at + 395.0));
    }
    with_gpu(&events)
}

#[test]
fn advice_for_a_host_looks_for_graphs() {
    let own = advice(&graphs("cudaLaunchKernel"), "host-bound");
    assert!(own.contains("CUDA graphs"), "{own}");
    let own = advice(&graphs("cudaGraphLaunch"), "host-bound");
    assert!(own.contains("Some kernels come as graphs already"), "{own}");
}

#[test]
fn where_a_gpu_is_the_step_its_kernels_are_said_by_kind() {
    let own = said(&kernels(&["volta_scudnn_128x64_relu", "dgrad_engine<float>", SINGLE, "softmax"]));
    assert!(own.contains("Kernels take nearly all of the time: convolutions 49."), "{own}");
    assert!(own.contains("products of matrices 24."), "{own}");
    // One name says it, and of what is mostly idle nothing is.
    let own = said(&kernels(&[SINGLE]));
    assert!(own.contains("mostly") && !own.contains("Kernels take"), "{own}");
    assert!(!said(&copying(20)).contains("Kernels take"));
}

#[test]
fn products_that_are_the_limit_are_said() {
    let own = found(&kernels(&[HALF, HALF, HALF, "softmax"]), "dominant-work");
    assert!(text(&own, "what").starts_with("On the GPU, products of matrices, mostly with 16 bits"), "{own}");
    assert!(text(&own, "advice").contains("these products are the limit"), "{own}");
    assert!(!text(&own, "advice").contains("8 bits"), "{own}");
    let hopper = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n";
    let own = found(&kernels(&[hopper, hopper, "softmax"]), "dominant-work");
    assert!(text(&own, "advice").contains("This GPU calculates with 8 bits, too"), "{own}");
    let eight = "sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n";
    let own = found(&kernels(&[hopper, hopper, eight]), "dominant-work");
    assert!(!own.is_null() && !text(&own, "advice").contains("8 bits, too"), "{own}");
    let attends = "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64>>";
    let own = found(&kernels(&[attends, attends, HALF]), "dominant-work");
    assert!(text(&own, "what").starts_with("On the GPU, attention takes"), "{own}");
    // In float32 there is another finding, and less than half of the time is none.
    for silent in [kernels(&[SINGLE, SINGLE, SINGLE, "softmax"]), kernels(&[HALF, "softmax", "topk"])] {
        assert!(found(&silent, "dominant-work").is_null(), "{}", found(&silent, "dominant-work"));
    }
}

#[test]
fn an_op_of_tensorflow_that_keeps_a_gpu_waiting_has_its_own_advice() {
    let own = timeline(&[
        (0, "Dequantize", "fc8/weights", 0, 15_000),
        (1, "_XlaRun", "cluster", 15_100, 200),
        (2, "_XlaRun", "cluster", 15_200, 5_000),
        (1, "MatMul", "m", 20_300, 100),
        (2, "MatMul", "m", 20_310, 5_000),
    ]);
    let own = row(&own, steplens_core::findings::Rule::HostBound).expect("a finding");
    assert!(text(&own, "sentence").contains("fc8/weights, which runs on the CPU"), "{own}");
    assert!(text(&own, "advice").starts_with("Let the GPU do it: tf.device"), "{own}");
}

#[test]
fn of_steps_far_apart_nothing_is_said_to_help_nothing() {
    let far = |gap: f64| {
        let mut events = Vec::new();
        for step in 0..2_i64 {
            let at = gap * step as f64;
            events.push(on_host("user_annotation", &format!("ProfilerStep#{}", step + 1), at, 1_000.0));
            events.push(on_host("cpu_op", "aten::mm", at, 20.0));
            events.extend(kernel(step + 1, at + 5.0, "gemm", at + 30.0, at + 950.0));
        }
        text(&steplens_tests::tensorflow::list(&with_gpu(&events)), "sentence").to_owned()
    };
    assert!(far(400_000.0).starts_with("The steps are far apart"), "{}", far(400_000.0));
    assert!(far(400_000.0).contains("--step 1"), "{}", far(400_000.0));
    assert!(!far(1_000.0).contains("far apart"), "{}", far(1_000.0));
}

/// Events of threads with these names, in a process: each runs ops of these steps, 1 ms each, and 2 ms from step to step.
fn named_threads(names: &[&str], steps: &[i64], says_step: bool) -> Study {
    let mut all = Vec::new();
    for (name, tid) in names.iter().zip(0..) {
        for (&step, place) in steps.iter().zip(0..) {
            for part in 0..4 {
                let args = if says_step { json!({ "step": step }) } else { json!({}) };
                let ts = place * 2_000 + part * 250;
                all.push(json!({ "ph": "X", "name": "forward-compute", "pid": 0, "tid": tid, "ts": ts, "dur": 250, "args": args }));
            }
        }
        all.push(json!({ "ph": "M", "name": "thread_name", "pid": 0, "tid": tid, "args": { "name": name } }));
    }
    all.push(json!({ "ph": "M", "name": "process_name", "pid": 0, "args": { "name": "DP rank [0]" } }));
    study(open(&[("trace.json", json!(all).to_string().as_bytes())]))
}

#[test]
fn threads_that_are_called_after_ranks_are_devices_of_their_own() {
    let devices = |study: &Study| -> Vec<(String, u32)> {
        let trace = study.trace();
        let rows = trace.devices().ids().map(|id| trace.devices().get(id));
        rows.map(|row| (trace.text(row.name).to_owned(), row.op_count)).collect()
    };
    let ranks =
        ["PP rank 0, TP rank 0, compute", "PP rank 0, TP rank 0, pp-comm", "PP rank 1, TP rank 0, compute"];
    let own = devices(&named_threads(&ranks, &[1, 2], false));
    let named = |rank: i64| format!("DP rank [0] PP rank {rank}, TP rank 0");
    assert_eq!(own, [(named(0), 16), (named(1), 8)]);
    // One rank, or threads of none, are one device.
    let own = devices(&named_threads(&["PP rank 0, compute", "PP rank 0, misc"], &[1, 2], false));
    assert_eq!(own, [("DP rank [0]".to_owned(), 16)]);
    let own = devices(&named_threads(&["PP rank 0, compute", "PP rank 1, compute", "misc"], &[1, 2], false));
    assert_eq!(own, [("DP rank [0]".to_owned(), 24)]);
}

#[test]
fn events_that_say_their_step_mark_steps() {
    let steps = |numbers: &[i64], says: bool| named_threads(&["a"], numbers, says).steps();
    assert_eq!(steps(&[23, 25, 33], true), 3);
    assert_eq!(steps(&[23, 25, 33], false), 1);
    // The numbers go back in time, so they are no steps'.
    assert_eq!(steps(&[25, 23, 33], true), 1);
    let own = named_threads(&["a"], &[23, 25, 33], true);
    assert_eq!([0, 1, 2].map(|row| own.step_called(row)), [Some(23), Some(25), Some(33)]);
}
