//! What a stranger found wrong or missing in the eleventh reading of traces of PyTorch next to their data. Each case is made here.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_report::{findings, verdict};
use steplens_tests::opened::{HOST, event, on_host, with_gpu};

/// The finding of `rule`, or null.
fn found(study: &Study, rule: &str) -> Value {
    let found: Value = serde_json::from_str(&findings::json(study, &[], None)).unwrap_or_default();
    let mut rows = found["findings"].as_array().cloned().unwrap_or_default();
    rows.retain(|own| own["rule"] == rule);
    rows.into_iter().next().unwrap_or_default()
}

fn text(own: &Value, field: &str) -> String {
    own[field].as_str().unwrap_or_default().to_owned()
}

/// A call that launches at `at` for 10 µs, and its kernel, which runs from `start` to `end`.
fn launched(id: i64, at: f64, name: &str, (start, end): (f64, f64), more: &Value) -> [Value; 2] {
    let mut args = json!({ "correlation": id, "stream": 7, "device": 0 });
    let call = event("cuda_runtime", "cudaLaunchKernel", HOST, (at, 10.0), &args);
    if let (Some(args), Some(more)) = (args.as_object_mut(), more.as_object()) {
        args.extend(more.clone());
    }
    [call, event("kernel", name, (0, 7), (start, end - start), &args)]
}

#[test]
fn a_gpu_waits_for_its_host_until_its_first_work_is_launched() {
    let kernels = |launched_at: f64| {
        let mut events = vec![on_host("cpu_op", "aten::conv2d", 0.0, 5_200.0)];
        for id in 0..10_i64 {
            let start = 5_100.0 + 4_000.0 * id as f64;
            let at = if id == 0 { launched_at } else { 5_200.0 + 20.0 * id as f64 };
            events.extend(launched(id + 1, at, "gemm", (start, start + 3_995.0), &json!({})));
        }
        verdict::of(&with_gpu(&events), true).sentence
    };
    let late = kernels(5_080.0);
    assert!(!late.contains("before its first work"), "{late}");
    let early = kernels(10.0);
    assert!(early.contains("For 5.080 ms before its first work the GPU does nothing"), "{early}");
}

#[test]
fn what_only_gets_memory_for_a_tensor_computes_nothing_on_the_host() {
    let host_op = |name: &str| {
        let mut events = vec![on_host("cpu_op", name, 100.0, 6_000.0)];
        for (id, start) in [(1, 50.0), (2, 6_200.0)] {
            events.push(on_host("cpu_op", "aten::mm", start - 20.0, 30.0));
            events.extend(launched(id, start - 15.0, "gemm", (start, start + 40.0), &json!({})));
        }
        found(&with_gpu(&events), "host-bound")
    };
    let random = host_op("aten::randn");
    assert!(text(&random, "sentence").contains("aten::randn, which runs on the CPU"), "{random}");
    let empty = host_op("aten::empty");
    assert!(!text(&empty, "sentence").contains("runs on the CPU"), "{empty}");
    assert!(!text(&empty, "advice").contains("DataLoader"), "{empty}");
}

/// Three convolutions and batch norms on a GPU, whose kernels are called `kernel`.
fn normalising(kernel: &str, backward: bool) -> Study {
    let mut events = Vec::new();
    for id in 0..3_i64 {
        let at = 1_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::batch_norm", at, 20.0));
        events.extend(launched(
            2 * id + 1,
            at + 5.0,
            "implicit_convolve",
            (at + 20.0, at + 720.0),
            &json!({}),
        ));
        events.extend(launched(2 * id + 2, at + 16.0, kernel, (at + 720.0, at + 990.0), &json!({})));
    }
    if backward {
        events.push(on_host(
            "cpu_op",
            "autograd::engine::evaluate_function: ConvolutionBackward0",
            3_000.0,
            10.0,
        ));
    }
    with_gpu(&events)
}

#[test]
fn batch_norm_that_trains_without_a_backward_pass_is_found() {
    let cudnn = "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, 512, true, 1, true>";
    let own = found(&normalising(cudnn, false), "training-mode");
    // Three times 270 µs.
    assert_eq!(own["saving_ns"], 810_000, "{own}");
    assert!(
        text(&own, "sentence")
            .contains("as in training, though no backward pass was recorded: 3 ops, 810 µs"),
        "{own}"
    );
    assert!(text(&own, "advice").contains("model.eval()"), "{own}");
    let of_torch =
        "void at::native::batch_norm_collect_statistics_kernel<at::native::InvStd, float, float, float, int>";
    assert!(!found(&normalising(of_torch, false), "training-mode").is_null());
    assert!(found(&normalising(cudnn, true), "training-mode").is_null());
    let inference = "void cudnn::bn_fw_inf_1C11_kernel_NCHW<float, float, true, 1>";
    assert!(found(&normalising(inference, false), "training-mode").is_null());
}

#[test]
fn on_a_cpu_arguments_say_how_batch_norm_runs() {
    let norm = |args: &Value, counts: Option<&str>| {
        let mut events = Vec::new();
        for pass in 0..4 {
            let at = 1_000.0 * f64::from(pass);
            events.push(on_host("cpu_op", "aten::conv2d", at, 600.0));
            if let Some(whole) = counts {
                let whole = json!({ "Input type": [whole, whole, "Scalar"] });
                events.push(event("cpu_op", "aten::add_", HOST, (at + 610.0, 5.0), &whole));
            }
            events.push(event("cpu_op", "aten::batch_norm", HOST, (at + 620.0, 300.0), args));
        }
        found(&with_gpu(&events), "training-mode")
    };
    let said = |word: &str| json!({ "Concrete Inputs": ["", "", "", "", "", word, "0.1", "1e-05", "True"] });
    assert_eq!(norm(&said("True"), None)["saving_ns"], 1_200_000);
    assert!(norm(&said("False"), None).is_null());
    // What an argument says is known, whatever is added.
    assert!(norm(&said("False"), Some("long int")).is_null());
    for whole in ["long int", "__int64"] {
        assert_eq!(norm(&json!({}), Some(whole))["saving_ns"], 1_200_000);
    }
    assert!(norm(&json!({}), Some("float")).is_null());
    assert!(norm(&json!({}), None).is_null());
}

#[test]
fn a_program_that_empties_its_cache_does_not_run_out_of_memory() {
    let mut events = vec![on_host("cpu_op", "aten::mm", 0.0, 50.0)];
    events.push(on_host("cuda_runtime", "cudaLaunchKernel", 10.0, 10.0));
    events.push(on_host("cpu_op", "aten::empty", 60.0, 5_050.0));
    events.push(on_host("cuda_runtime", "cudaMalloc", 100.0, 5_000.0));
    events.push(on_host("cuda_runtime", "cudaFree", 6_000.0, 34_000.0));
    events.push(on_host("cpu_op", "aten::mm", 40_100.0, 8_000.0));
    events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 48_200.0, 8_000.0));
    let own = found(&with_gpu(&events), "allocator");
    assert!(text(&own, "sentence").contains("The program itself gives memory back to the driver, outside of all operators: 1 call such as cudaFree (34 ms)"), "{own}");
    assert!(text(&own, "advice").contains("torch.cuda.empty_cache()"), "{own}");
    assert!(!text(&own, "advice").contains("num_alloc_retries"), "{own}");
}

/// A program that launches 120 times, and waits at its end; kernels were not recorded.
fn without_kernels(waits: f64) -> Study {
    let mut events = Vec::new();
    for id in 0..120 {
        let at = 500.0 * f64::from(id);
        events.push(on_host("cpu_op", "aten::mm", at, 400.0));
        events.push(on_host("cuda_runtime", "cudaLaunchKernel", at + 100.0, 10.0));
    }
    events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 60_000.0, waits));
    with_gpu(&events)
}

#[test]
fn a_gpu_that_is_done_when_its_host_is_was_never_behind() {
    let own = found(&without_kernels(500.0), "host-bound");
    assert!(text(&own, "sentence").contains("The GPU keeps up with its host, which takes the time: 120 calls launch, and calls that wait or copy take 500 µs in all"), "{own}");
    assert!(text(&own, "advice").contains("CUDA graphs"), "{own}");
    // It was behind: how much of the time it works, nobody knows.
    assert!(found(&without_kernels(40_000.0), "host-bound").is_null());
}

#[test]
fn workers_that_start_before_the_first_batch_are_a_finding() {
    let mut events = vec![on_host("cpu_op", "aten::random_", 0.0, 10.0)];
    for place in 0..20_i64 {
        let at = 30_010.0 + 500.0 * place as f64;
        let load = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
        events.push(on_host("user_annotation", load, at, 20.0));
        events.push(on_host("cpu_op", "aten::mm", at + 100.0, 30.0));
        events.extend(launched(place + 1, at + 110.0, "gemm", (at + 130.0, at + 330.0), &json!({})));
    }
    let own = found(&with_gpu(&events), "loader-workers");
    assert_eq!(own["saving_ns"], 30_000_000, "{own}");
    assert!(text(&own, "sentence").contains("The workers of a DataLoader start for 30 ms"), "{own}");
    assert!(text(&own, "advice").contains("persistent_workers=True"), "{own}");
}

/// Collectives of one rank of eight, each of `elements` numbers of 32 bits.
fn exchanging(kernel: &str, operation: &str, elements: u64) -> String {
    let mut events = vec![on_host("cpu_op", "aten::mm", 0.0, 5.0)];
    for id in 0..6_i64 {
        let at = 100.0 + 400.0 * id as f64;
        let more = json!({ "Collective name": operation, "In msg nelems": elements, "Group size": 8, "dtype": "Float",
            "Process Group Name": "0", "Process Group Ranks": "[0, 1, 2, 3, 4, 5, 6, 7]" });
        events.extend(launched(id + 1, at - 50.0, kernel, (at, at + 300.0), &more));
    }
    text(&found(&with_gpu(&events), "exposed-communication"), "advice")
}

#[test]
fn advice_about_communication_goes_by_size_and_kind() {
    let all_to_all = "ncclDevKernel_SendRecv";
    let small = exchanging(all_to_all, "all_to_allv", 2_048);
    assert!(small.contains("messages are small") && !small.contains("quantized"), "{small}");
    let large = exchanging(all_to_all, "all_to_allv", 16 << 20);
    assert!(large.contains("quantized") && !large.contains("messages are small"), "{large}");
    let reduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
    let inference = exchanging(reduce, "allreduce", 32 << 20);
    assert!(inference.contains("bfloat16 in place of float32"), "{inference}");
    assert!(!inference.contains("small tensors"), "{inference}");
    assert!(exchanging(reduce, "allreduce", 4_096).contains("small tensors"));
}

#[test]
fn batches_for_a_cpu_need_no_pinned_memory() {
    let advice = |has_gpu: bool| {
        let mut events = Vec::new();
        for batch in 0..4_i64 {
            let at = 1_000.0 * batch as f64;
            let load = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
            events.push(on_host("cpu_op", load, at, 600.0));
            events.push(on_host("cpu_op", "aten::mm", at + 610.0, 380.0));
            if has_gpu {
                events.extend(launched(batch + 1, at + 700.0, "gemm", (at + 720.0, at + 900.0), &json!({})));
            }
        }
        text(&found(&with_gpu(&events), "input-bound"), "advice")
    };
    assert!(advice(true).contains("pin_memory=True"), "{}", advice(true));
    let of_cpu = advice(false);
    assert!(of_cpu.contains("num_workers") && !of_cpu.contains("pin_memory"), "{of_cpu}");
}
