//! What a stranger found wrong in the tenth reading of traces of PyTorch next to their data: waiting for ranks that were not opened, work of before the
//! recording, single first calls, advice that does not follow its own figures. Each case is made here.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_report::verdict;
use steplens_tests::opened::{HOST, event, on_host, open, rows, study, torch};

fn document(events: &[Value]) -> Vec<u8> {
    torch(events, &json!({ "deviceProperties": [{ "id": 0 }] }))
}

fn of(events: &[Value]) -> Study {
    study(open(&[("made.json", &document(events))]))
}

/// The finding of `rule`, or null.
fn found(study: &Study, rule: &str) -> Value {
    rows(study).into_iter().find(|own| own["rule"] == rule).unwrap_or_default()
}

fn text(own: &Value, field: &str) -> String {
    own[field].as_str().unwrap_or_default().to_owned()
}

/// A call that launches at `at` for `length`, and its kernel, which runs from `start` to `end`.
fn launched(
    id: i64,
    (at, length): (f64, f64),
    name: &str,
    (start, end): (f64, f64),
    more: &Value,
) -> [Value; 2] {
    let mut args = json!({ "correlation": id, "stream": 7, "device": 0 });
    let call = event("cuda_runtime", "cudaLaunchKernel", HOST, (at, length), &args);
    if let (Some(args), Some(more)) = (args.as_object_mut(), more.as_object()) {
        args.extend(more.clone());
    }
    [call, event("kernel", name, (0, 7), (start, end - start), &args)]
}

/// A step of one rank of eight with all-reduces of these lengths in µs, each of `elements` numbers of the type `dtype`.
fn reducing(lengths: &[f64], elements: u64, dtype: &str) -> Vec<Value> {
    let mut events = vec![on_host("cpu_op", "autograd::engine::evaluate_function: MulBackward0", 0.0, 5.0)];
    let mut at = 100.0;
    for (id, &length) in (1..).zip(lengths) {
        let more = json!({ "Collective name": "allreduce", "In msg nelems": elements, "Group size": 8, "dtype": dtype,
            "Process Group Name": "0", "Process Group Ranks": "[0, 1, 2, 3, 4, 5, 6, 7]" });
        let ends = (at, at + length);
        events.extend(launched(id, (at - 50.0, 5.0), "ncclDevKernel_AllReduce_Sum_bf16_RING", ends, &more));
        at += length + 100.0;
    }
    events
}

#[test]
fn where_most_is_waiting_advice_is_about_the_late_rank() {
    let own = found(
        &of(&reducing(&[100.0, 9_000.0, 110.0, 100.0, 5_000.0], 2_048, "Float")),
        "exposed-communication",
    );
    let (sentence, advice) = (text(&own, "sentence"), text(&own, "advice"));
    // 8,900 + 10 + 4,900 of 14,310 µs.
    assert!(
        sentence.contains("Probably 13.8 ms of it is waiting for ranks that were not opened"),
        "{sentence}"
    );
    assert!(!sentence.contains("at least") && !sentence.contains("data on its way"), "{sentence}");
    assert!(advice.contains("a rank that is late") && !advice.contains("fp16_compress_hook"), "{advice}");
    // 4 KiB in 0.1 ms say nothing of links.
    assert!(!sentence.contains("/s)"), "{sentence}");
}

#[test]
fn numbers_of_16_bits_are_not_made_smaller_and_slow_links_are_said() {
    // 17.6 MB in 8.7 to 9.2 ms.
    let own =
        found(&of(&reducing(&[8_700.0, 9_200.0, 8_900.0], 8_816_192, "BFloat16")), "exposed-communication");
    let (sentence, advice) = (text(&own, "sentence"), text(&own, "advice"));
    assert!(
        sentence.contains("The quickest of 3 that move 16.8 MiB for each rank takes 8.70 ms (2.0 GB/s)"),
        "{sentence}"
    );
    assert!(advice.contains("far below what links") && advice.contains("bucket_cap_mb"), "{advice}");
    assert!(!advice.contains("fp16_compress_hook"), "{advice}");
    // The same bytes in 0.3 ms are 59 GB/s.
    let own = found(&of(&reducing(&[300.0, 310.0, 320.0], 4_408_096, "Float")), "exposed-communication");
    let advice = text(&own, "advice");
    assert!(advice.contains("fp16_compress_hook") && !advice.contains("far below"), "{advice}");
}

#[test]
fn the_range_around_a_call_says_the_size_of_its_collective() {
    let mut events = Vec::new();
    let mut at = 1_000.0;
    for (id, length) in (1..).zip([59_000.0, 13_400.0, 13_500.0, 24_000.0]) {
        let said = json!({ "Input Dims": [[4096, 8, 1024]], "Input type": ["float"] });
        let name = "nccl:reduce_scatter_tensor_coalesced";
        events.push(event("user_annotation", name, HOST, (at - 60.0, 50.0), &said));
        let kernel = "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL";
        events.extend(launched(id, (at - 50.0, 5.0), kernel, (at, at + length), &json!({})));
        at += length + 100.0;
    }
    let own = found(&of(&events), "exposed-communication");
    let sentence = text(&own, "sentence");
    assert!(
        sentence.contains("reduce_scatter_tensor_coalesced; 4 collectives in all (512 MiB)"),
        "{sentence}"
    );
    // 45.6 + 0.1 + 10.6 ms.
    assert!(sentence.contains("Probably 56 ms of it is waiting"), "{sentence}");
}

/// A file of Ascend's profiler: a collective of 16 MB that waits 86 ms for rank 5, and two larger ones that do not.
fn ascend(rank: u64) -> Vec<u8> {
    let meta = |pid: i64, what: &str, key: &str, value: &str| json!({ "ph": "M", "name": what, "pid": pid, "tid": 0, "args": { key: value } });
    let row = |name: &str, (pid, tid): (i64, i64), start: f64, length: f64, args: Value| json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": start, "dur": length, "args": args });
    let (npu, hccl) = (1_000, 1_001);
    let of = |count: u64| json!({ "data_type": "FP32", "count": count, "connection_id": 1 });
    let wait = |to: u64| json!({ "src rank": rank, "dst rank": to, "task type": "Notify_Wait" });
    let mut events = vec![
        meta(10, "process_name", "name", "Python"),
        meta(npu, "process_name", "name", "Ascend Hardware"),
        meta(npu, "process_labels", "labels", "NPU"),
        meta(hccl, "process_name", "name", "HCCL"),
        meta(hccl, "process_labels", "labels", "NPU"),
        json!({ "ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 10, "tid": 10, "ts": 0.0, "dur": 500.0, "args": {} }),
        row("PROFILING_ENABLE", (npu, 0), -20_000.0, 0.02, json!({ "Task Type": "PLACE_HOLDER_SQE" })),
        row("aclnnMm_MatMulV2", (npu, 2), 100.0, 9_000.0, json!({ "Task Type": "AI_CORE" })),
        row("hcom_allReduce__271_0_1", (hccl, 0), 10_000.0, 86_500.0, of(4_097_000)),
        row("hcom_allReduce__271_1_1", (hccl, 0), 97_000.0, 2_200.0, of(16_781_312)),
        row("hcom_allReduce__271_2_1", (hccl, 0), 99_500.0, 2_500.0, of(37_752_832)),
        row("PROFILING_DISABLE", (npu, 0), 140_000.0, 0.02, json!({ "Task Type": "PLACE_HOLDER_SQE" })),
    ];
    for to in (0..8).filter(|&to| to != rank) {
        let length = if to == 5 { 86_100.0 } else { 1_100.0 + 100.0 * to as f64 };
        events.push(row("Notify_Wait", (hccl, 1 + to as i64), 10_010.0, length, wait(to)));
    }
    json!(events).to_string().into_bytes()
}

#[test]
fn ascend_names_the_rank_for_which_it_waits() {
    for ranks in [&[0][..], &[0, 1]] {
        let files: Vec<(String, Vec<u8>)> =
            ranks.iter().map(|&rank| (format!("rank{rank}.json"), ascend(rank))).collect();
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        let own = study(open(&files));
        // The marks of the profiler are no ends of the recording.
        assert!(own.trace().span().length().0 < 103_000_000, "{:?}", own.trace().span());
        let own = found(&own, "exposed-communication");
        let (sentence, advice) = (text(&own, "sentence"), text(&own, "advice"));
        assert!(
            sentence.contains("ranks that were not opened takes 86 ms of that time: rank 5 in 1 (86 ms)"),
            "{sentence}"
        );
        assert!(!sentence.contains("on its way"), "{sentence}");
        assert!(
            advice.contains("a rank that is late") && !advice.contains("bucket_cap_mb: smaller"),
            "{advice}"
        );
    }
}

#[test]
fn work_that_was_launched_before_the_recording_is_of_no_step() {
    let mut events = Vec::new();
    let nccl = |at: f64, id: i64| {
        let args = json!({ "correlation": id, "stream": 7, "device": 0 });
        event("kernel", "ncclDevKernel_Generic", (0, 7), (at, 5_000.0), &args)
    };
    // Three collectives of a step before the recording.
    events.extend((0..3_i64).map(|number| nccl(6_000.0 * number as f64, 900 + number)));
    for step in 0..3_i64 {
        let at = 1_000.0 + 1_000.0 * step as f64;
        events.push(on_host("user_annotation", &format!("ProfilerStep#{}", 15 + step), at, 1_000.0));
        events.push(on_host("cpu_op", "aten::mm", at + 10.0, 100.0));
        let ends = 18_000.0 + 6_000.0 * step as f64;
        events.push(event(
            "cuda_runtime",
            "cudaLaunchKernel",
            HOST,
            (at + 20.0, 5.0),
            &json!({ "correlation": step + 1 }),
        ));
        events.push(nccl(ends, step + 1));
    }
    let own = of(&events);
    assert!(own.has_before() && own.steps() == 3);
    let (whole, steps) = own.view().steps(own.trace());
    let before: Vec<_> = steps.rows().iter().filter(|row| row.is_before).collect();
    assert_eq!(before.len(), 1);
    assert_eq!((before[0].ops, before[0].span.length().0), (3, 17_000_000), "{:?}", whole.span());
    let communication = found(&own, "exposed-communication");
    assert_eq!(communication["saving_ns"], 15_000_000, "{communication}");
    assert!(text(&communication, "sentence").contains("5.00 ms for each"), "{communication}");
    let said = verdict::of(&own, false).sentence;
    assert!(said.contains("Its first 17.00 ms are no step"), "{said}");
}

/// A step of 20 launches of 10 µs, one of which takes 12 ms, while the GPU waits in a collective for 6 of them.
fn one_long_launch() -> Study {
    let mut events = Vec::new();
    for id in 0..20_i64 {
        let at = 50.0 * id as f64 + if id > 10 { 12_000.0 } else { 0.0 };
        let length = if id == 10 { 12_000.0 } else { 10.0 };
        events.push(on_host("cpu_op", "aten::add", at, length + 20.0));
        let name = if id == 10 { "void clamp_kernel" } else { "void add_kernel" };
        events.extend(launched(
            id + 1,
            (at + 5.0, length),
            name,
            (at + length + 10.0, at + length + 15.0),
            &json!({}),
        ));
    }
    let args = json!({ "correlation": 99, "stream": 9, "device": 0 });
    events.push(event("kernel", "ncclDevKernel_SendRecv", (0, 9), (600.0, 6_000.0), &args));
    of(&events)
}

#[test]
fn one_launch_that_is_longer_than_all_others_is_a_first_call() {
    let own = one_long_launch();
    let first = found(&own, "first-step");
    let sentence = text(&first, "sentence");
    assert!(sentence.starts_with("One call of cudaLaunchKernel takes 12 ms"), "{first}");
    assert!(sentence.contains("clamp_kernel"), "{sentence}");
    // The GPU would wait in its collective all the same.
    assert!(first["saving_ns"].as_i64().is_some_and(|saving| saving < 6_100_000), "{first}");
    for row in rows(&own) {
        assert!(!text(&row, "advice").contains("Launch fewer kernels"), "{row}");
        assert!(row["rule"] == "first-step" || !text(&row, "advice").contains("reduce-overhead"), "{row}");
    }
}

#[test]
fn convolutions_without_onednn_and_products_of_matrices_are_found_on_a_cpu() {
    let cpu = |ops: &[(&str, f64)]| {
        let mut at = 0.0;
        let mut events = Vec::new();
        for &(name, length) in ops {
            events.push(on_host("cpu_op", name, at, length));
            at += length + 1.0;
        }
        study(open(&[("made.json", &torch(&events, &json!({})))]))
    };
    let own = found(&cpu(&[("aten::_slow_conv2d_forward", 9_000.0), ("aten::relu", 900.0)]), "dominant-work");
    assert!(text(&own, "advice").contains("mkldnn"), "{own}");
    let own = cpu(&[("aten::mm", 4_400.0), ("aten::addmm", 3_300.0), ("aten::relu", 2_300.0)]);
    let finding = found(&own, "dominant-work");
    let sentence = text(&finding, "sentence");
    assert!(
        sentence.contains("Products of matrices")
            && sentence.contains("aten::mm")
            && sentence.contains("aten::addmm"),
        "{sentence}"
    );
    assert!(text(&finding, "advice").contains("set_num_threads"), "{finding}");
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("aten::mm 44") && said.contains("aten::addmm 33"), "{said}");
}

#[test]
fn a_gpu_that_was_not_recorded_hides_no_cause() {
    let mut events = vec![on_host("cpu_op", "aten::empty", 0.0, 45_000.0)];
    events.push(on_host("cuda_runtime", "cudaMalloc", 100.0, 5_000.0));
    events.push(on_host("cuda_runtime", "cudaFree", 6_000.0, 34_000.0));
    events.push(on_host("cuda_runtime", "cudaMalloc", 40_100.0, 1_000.0));
    events.push(on_host("cuda_runtime", "cudaLaunchKernel", 46_000.0, 10.0));
    events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 46_100.0, 8_000.0));
    let own = found(&of(&events), "allocator");
    assert!(text(&own, "sentence").contains("3 calls for the driver’s memory take 40 ms"), "{own}");
    let mut events = vec![on_host("cpu_op", "aten::normal_", 0.0, 3_600_000.0)];
    events.push(on_host("cpu_op", "aten::copy_", 3_600_100.0, 900_000.0));
    events.push(on_host("cuda_runtime", "cudaMemcpyAsync", 3_600_200.0, 860_000.0));
    events.push(on_host("cuda_runtime", "cudaLaunchKernel", 4_600_000.0, 10.0));
    let own = found(&of(&events), "dominant-work");
    assert!(text(&own, "sentence").contains("Random numbers on the CPU"), "{own}");
}

#[test]
fn one_batch_says_nothing_of_the_workers() {
    let load = |at: f64| {
        on_host("cpu_op", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", at, 5_000.0)
    };
    let events = |batches: i64| {
        let mut all = Vec::new();
        for batch in 0..batches {
            let at = 10_000.0 * batch as f64;
            all.push(load(at));
            all.push(on_host("cpu_op", "aten::mm", at + 5_010.0, 300.0));
            all.extend(launched(
                batch + 1,
                (at + 5_100.0, 10.0),
                "gemm",
                (at + 5_200.0, at + 5_900.0),
                &json!({}),
            ));
        }
        all
    };
    let one = found(&of(&events(1)), "input-bound");
    assert!(text(&one, "advice").contains("cannot be known"), "{one}");
    let several = found(&of(&events(4)), "input-bound");
    assert!(text(&several, "advice").contains("too slow"), "{several}");
}

#[test]
fn what_a_kernel_calculates_decides_the_advice_for_float32() {
    let kernels = |name: &str| {
        let mut events = Vec::new();
        for id in 0..5_i64 {
            let at = 1_000.0 * id as f64;
            events.push(on_host("cpu_op", "aten::conv2d", at, 20.0));
            events.extend(launched(id + 1, (at + 5.0, 5.0), name, (at + 10.0, at + 990.0), &json!({})));
        }
        text(&found(&of(&events), "tensor-cores"), "advice")
    };
    let convolution = kernels("ampere_scudnn_128x32_relu_small_nn_v1");
    assert!(
        convolution.contains("cudnn.allow_tf32") && convolution.contains("channels_last"),
        "{convolution}"
    );
    assert!(!convolution.contains("set_float32_matmul_precision(\"high\")"), "{convolution}");
    let product =
        kernels("sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize32x32x8_stage3_ffma_aligna4_execute");
    assert!(product.contains("set_float32_matmul_precision(\"high\")"), "{product}");
    assert!(!product.contains("channels_last"), "{product}");
}

#[test]
fn a_cut_recording_says_when_the_gpu_began_and_one_stream_waits_for_no_other() {
    let mut events = vec![on_host("cpu_op", "aten::mm", 0.0, 3_000.0)];
    for id in 0..10_i64 {
        let start = 50_000.0 + 10_000.0 * id as f64;
        events.extend(launched(
            id + 1,
            (100.0 * id as f64 + 10.0, 10.0),
            "gemm",
            (start, start + 9_990.0),
            &json!({}),
        ));
    }
    let own = of(&events);
    let said = verdict::of(&own, true).sentence;
    assert!(
        said.contains("For 49.98 ms before its first work the GPU does nothing that was recorded"),
        "{said}"
    );
    let idle = found(&own, "idle-though-launched");
    assert!(text(&idle, "advice").contains("With one stream and one rank"), "{idle}");
    assert!(!text(&idle, "sentence").contains("another stream"), "{idle}");
}

/// Three steps of one loop: it loads for 40 ms while a thread pins the batch, and calls `backward`, which a thread of autograd runs.
#[test]
fn threads_that_waited_for_the_loading_wait_no_longer_without_it() {
    let (engine, pinning) = ((100, 200), (100, 300));
    let mut events = Vec::new();
    for step in 0..3_i64 {
        let at = 50_000.0 * step as f64;
        let load = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
        events.push(on_host("cpu_op", load, at, 40_000.0));
        events.push(event(
            "cuda_runtime",
            "cudaPointerGetAttributes",
            pinning,
            (at + 39_000.0, 10.0),
            &json!({}),
        ));
        events.push(on_host("cpu_op", "aten::mm", at + 40_050.0, 4_000.0));
        let ones = on_host("cpu_op", "aten::ones_like", at + 44_060.0, 100.0);
        let backward = "autograd::engine::evaluate_function: MulBackward0";
        events.extend([ones, event("cpu_op", backward, engine, (at + 44_220.0, 3_000.0), &json!({}))]);
        events.push(on_host("cpu_op", "aten::add_", at + 47_260.0, 2_000.0));
        events.extend(launched(
            step + 1,
            (at + 41_000.0, 10.0),
            "gemm",
            (at + 41_020.0, at + 42_000.0),
            &json!({}),
        ));
    }
    let own = found(&of(&events), "input-bound");
    assert!(own["saving_ns"].as_i64().is_some_and(|saving| saving > 115_000_000), "{own}");
}
