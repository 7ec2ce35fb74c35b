//! What rows of PyTorch, Ascend and TPUs are: work of a device, waiting of a host, marks, or what was computed from other rows.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::json;
use steplens_core::gpu::accelerators::{accelerators, working_units, works};
use steplens_core::steps::figures::step_figures;
use steplens_core::{Category, OpId, Study};
use steplens_tests::opened::{cases, event, open, process, study, torch};

const US: i64 = 1_000;

/// Compute, exposed communication and idle of the step bar, and its length, in µs.
fn bar(study: &Study) -> [i64; 4] {
    let split = study.step_split(study.trace().span());
    [split.compute, split.exposed_communication, split.idle, split.window].map(|length| length.0 / US)
}

fn op(study: &Study, name: &str) -> OpId {
    let trace = study.trace();
    trace.ops().ids().find(|&op| trace.op_name(op) == name).unwrap()
}

fn of(events: &[serde_json::Value]) -> Study {
    study(open(&[("trace.json", &torch(events, &json!({})))]))
}

fn case(name: &str) -> Option<Study> {
    cases(&[name]).map(study)
}

#[test]
fn rows_of_synchronization_are_no_work_of_the_gpu() {
    let Some(study) = case("sync-rows.json") else { return };
    // Two kernels of 1,000 and 100 µs in 2,000 µs.
    assert_eq!(bar(&study), [1_100, 0, 900, 2_000]);
    let found = accelerators(study.trace());
    assert_eq!((found.len(), found[0].streams(study.trace())), (1, 1));
}

#[test]
fn marks_of_events_are_on_the_stream_and_take_no_time() {
    let Some(study) = case("cuda-event.json") else { return };
    let trace = study.trace();
    assert_eq!(trace.devices().len(), 2);
    let mark = op(&study, "Event Record");
    assert_eq!(trace.category(mark), Category::Range);
    assert_eq!(trace.device_of(mark), accelerators(trace)[0].devices[0]);
}

#[test]
fn an_unknown_category_on_a_gpu_is_of_that_gpu() {
    let mut events = [process(100, "CPU"), process(0, "GPU 0")].concat();
    events.extend([
        event("cpu_op", "aten::mm", (100, 100), (1_000.0, 50.0), &json!({})),
        event("what_nobody_knows", "x", (0, 7), (1_000.0, 500.0), &json!({})),
        event("kernel", "gemm", (0, 7), (1_100.0, 300.0), &json!({})),
    ]);
    let both = of(&events);
    assert_eq!((both.trace().devices().len(), both.trace().category(op(&both, "x"))), (2, Category::Range));
    // Where nothing else is on the GPU, it is what the GPU did.
    events.pop();
    let alone = of(&events);
    let found = accelerators(alone.trace());
    assert_eq!((found.len(), alone.trace().category(op(&alone, "x"))), (1, Category::Compute));
}

#[test]
fn names_of_kernels_communicate_by_whole_words() {
    let Some(study) = case("comm-names.json") else { return };
    let category = |name: &str| study.trace().category(op(&study, name));
    for name in [
        "triton_red_fused__to_copy_all_reduce_mean_mul_1",
        "void histogram_shmem_kernel<float>(float*, int)",
        "gemm",
    ] {
        assert_eq!(category(name), Category::Compute, "{name}");
    }
    let buffers = "void userbuffers_fp16_sum_inplace_gpu_rr_rs_oop<8>(int, int, int)";
    assert_eq!(category(buffers), Category::Communication);
    let communication = study.step_split(study.trace().span()).communication;
    assert_eq!(communication.0, 100 * US);
}

#[test]
fn what_the_framework_says_comes_before_a_name() {
    let mut events = process(0, "GPU 0").to_vec();
    let said = json!({ "Collective name": "allreduce", "Process Group Name": "0", "Group size": 2 });
    events.push(event("kernel", "my_own_kernel", (0, 7), (1_000.0, 50.0), &said));
    let study = of(&events);
    assert_eq!(study.trace().category(op(&study, "my_own_kernel")), Category::Communication);
}

#[test]
fn an_npu_works_on_its_streams_and_communicates_by_hccl() {
    let Some(study) = case("ascend.json") else { return };
    assert_eq!(accelerators(study.trace()).len(), 1);
    assert_eq!(bar(&study)[..2], [400, 250]);
    // The file's own rows say that the NPU was free for 350 µs of the step.
    let (trace, steps) = study.view().steps(study.trace());
    let split = step_figures(&trace, &steps)[0].split;
    assert_eq!(
        [split.compute, split.exposed_communication, split.idle].map(|own| own.0 / US),
        [400, 250, 350]
    );
    assert_eq!(study.trace().category(op(&study, "Free")), Category::Range);
}

#[test]
fn the_first_profiler_of_pytorch_has_gpus() {
    let functions = |pid: &str, name: &str, ts: f64, dur: f64| json!({ "ph": "X", "name": name, "ts": ts, "dur": dur, "pid": pid, "tid": 0, "args": {} });
    let events = [
        functions("CPU functions", "aten::mm", 0.0, 100.0),
        functions("CUDA functions", "volta_sgemm", 20.0, 60.0),
        functions("CUDA functions", "Memcpy HtoD (Pageable -> Device)", 80.0, 20.0),
    ];
    let text = serde_json::to_vec(&events).unwrap();
    let study = study(open(&[("trace.json", &text)]));
    assert_eq!(accelerators(study.trace()).len(), 1);
    let split = study.step_split(study.trace().span());
    assert_eq!([split.compute, split.exposed_copy, split.idle].map(|length| length.0 / US), [60, 20, 20]);
}

#[test]
fn megascale_is_transfers_and_no_third_tpu() {
    let (Some(with), Some(without)) = (case("megascale.xplane.pb"), case("no-megascale.xplane.pb")) else {
        return;
    };
    assert_eq!((bar(&with), accelerators(with.trace()).len()), (bar(&without), 2));
    assert_eq!(bar(&with)[..2], [1_200, 600]);
    let (trace, steps) = with.view().steps(with.trace());
    assert_eq!(steps.rows()[0].span.length().0, 900 * US);
    let is_custom = |id| trace.text(trace.devices().get(id).name).contains("Megascale");
    let custom = trace.devices().ids().find(|&id| is_custom(id)).unwrap();
    assert!(trace.ops_of(custom).all(|op| trace.category(op) == Category::Communication));
}

#[test]
fn calls_that_hand_nothing_to_a_gpu_launch_nothing() {
    let call = |name: &str, place: i64| {
        event(
            "cuda_runtime",
            name,
            (100, 100),
            (1_000.0 + 10.0 * place as f64, 5.0),
            &json!({ "correlation": place }),
        )
    };
    let of_category = [
        ("cudaLaunchKernel", Category::Launch),
        ("cudaGraphLaunch", Category::Launch),
        ("cudaMemcpyAsync", Category::Launch),
        ("cuMemsetD8Async", Category::Launch),
        ("hipModuleLaunchKernel", Category::Launch),
        ("urEnqueueKernelLaunch", Category::Launch),
        ("cudaEventQuery", Category::Compute),
        ("cudaStreamIsCapturing", Category::Compute),
        ("cudaPeekAtLastError", Category::Compute),
        ("cudaFuncGetAttributes", Category::Compute),
        ("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", Category::Compute),
        ("cudaEventRecord", Category::Compute),
        ("cudaGraphInstantiate", Category::Compute),
        ("cuGraphAddMemcpyNode", Category::Compute),
        ("hipGetDevice", Category::Compute),
        ("cudaDeviceSynchronize", Category::Waiting),
        ("urQueueFinish", Category::Waiting),
        ("urEventWait", Category::Waiting),
        ("zeEventHostSynchronize", Category::Waiting),
        ("piEventsWait", Category::Waiting),
        ("cudaMallocAsync", Category::Allocation),
    ];
    let mut events = process(100, "CPU").to_vec();
    events.extend(of_category.iter().zip(1..).map(|((name, _), place)| call(name, place)));
    let study = of(&events);
    for (name, category) in of_category {
        let own = op(&study, name);
        assert_eq!(study.trace().category(own), category, "{name}");
        // Whatever it does, it is no operator of the framework.
        assert!(study.trace().is_call(own), "{name}");
    }
}

#[test]
fn kernels_with_names_like_calls_are_kernels() {
    let mut events = process(0, "GPU 0").to_vec();
    events.push(event("kernel", "cuApplyLayerNorm", (0, 7), (1_000.0, 50.0), &json!({})));
    let study = of(&events);
    let own = op(&study, "cuApplyLayerNorm");
    assert_eq!((study.trace().category(own), study.trace().is_call(own)), (Category::Compute, false));
}

#[test]
fn counters_of_hardware_are_no_work() {
    let mut events = [process(100, "CPU"), process(0, "GPU 0")].concat();
    events.push(event("kernel", "gemm", (0, 7), (1_000.0, 300.0), &json!({})));
    for (place, cat) in
        ["hardware_counters", "mtia_counters", "xpu_scope_profiler", "xpu_sync"].iter().enumerate()
    {
        let start = 1_400.0 + 100.0 * place as f64;
        events.push(event(cat, cat, (0, 9), (start, 50.0), &json!({ "value": 7 })));
    }
    let study = of(&events);
    assert_eq!(study.trace().devices().len(), 1);
    assert_eq!(bar(&study), [300, 0, 0, 300]);
    let found = accelerators(study.trace());
    assert_eq!((found.len(), found[0].streams(study.trace())), (1, 1));
    for name in ["hardware_counters", "mtia_counters", "xpu_scope_profiler", "xpu_sync"] {
        assert_eq!(study.trace().category(op(&study, name)), Category::Range, "{name}");
    }
}

#[test]
fn rows_of_ranges_and_of_frames_are_no_devices_that_worked() {
    let mut events = [process(100, "CPU"), process(0, "GPU 0")].concat();
    events.extend([
        event("cpu_op", "aten::mm", (100, 100), (1_000.0, 50.0), &json!({})),
        event("python_function", "train.py(3): step", (100, 100), (1_000.0, 90.0), &json!({})),
        event("Trace", "PyTorch Profiler (0)", (7, 7), (1_000.0, 900.0), &json!({})),
        event("kernel", "gemm", (0, 7), (1_100.0, 300.0), &json!({})),
    ]);
    let study = of(&events);
    let trace = study.trace();
    let working = trace.devices().ids().filter(|&device| works(trace, device)).count();
    assert!(trace.devices().len() > 2);
    assert_eq!((working_units(trace), working), (2, 2));
    // A trace of marks alone still has its rows.
    let marks = of(&[
        process(100, "CPU").to_vec(),
        vec![event("user_annotation", "x", (100, 1), (1.0, 5.0), &json!({}))],
    ]
    .concat());
    assert_eq!(working_units(marks.trace()), marks.trace().devices().len());
}
