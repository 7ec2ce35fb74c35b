//! Communication that the step waits for: how much of it is waiting for ranks, what it moves, and the advice by size and kind.

use super::made::{GPU, STREAM_13, advice, launched_as, launched_with, number};
use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::findings::Rule;
use steplens_tests::opened::{HOST, event, found, on_host, row, rows, study_of, text, torch, with_gpu};
use steplens_tests::writer::{Scenario, op};

#[test]
fn one_gpu_communicates_with_no_other() {
    let own = Scenario::new()
        .device(GPU, [op("m = MatMul(a)", 0, 1_000_000), op("r = NcclAllReduce(m)", 1_000_000, 9_000_000)])
        .device(STREAM_13, [op("m = MatMul(a)", 500_000, 1_000_000)])
        .study();
    assert!(row(&own, Rule::ExposedCommunication).is_none());
}

/// A step of one rank of eight with all-reduces of these lengths in µs, each of `elements` numbers of the type `dtype`.
fn all_reduces(lengths: &[f64], elements: u64, dtype: &str) -> Vec<Value> {
    let mut events = vec![on_host("cpu_op", "autograd::engine::evaluate_function: MulBackward0", 0.0, 5.0)];
    let mut at = 100.0;
    for (id, &length) in (1..).zip(lengths) {
        let more = json!({ "Collective name": "allreduce", "In msg nelems": elements, "Group size": 8, "dtype": dtype,
            "Process Group Name": "0", "Process Group Ranks": "[0, 1, 2, 3, 4, 5, 6, 7]" });
        let ends = (at, at + length);
        events.extend(launched_with(
            id,
            (at - 50.0, 5.0),
            ("ncclDevKernel_AllReduce_Sum_bf16_RING", ends.0, ends.1),
            &more,
        ));
        at += length + 100.0;
    }
    events
}

#[test]
fn where_most_is_waiting_advice_is_about_the_late_rank() {
    let own = found(
        &with_gpu(&all_reduces(&[100.0, 9_000.0, 110.0, 100.0, 5_000.0], 2_048, "Float")),
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
    let own = found(
        &with_gpu(&all_reduces(&[8_700.0, 9_200.0, 8_900.0], 8_816_192, "BFloat16")),
        "exposed-communication",
    );
    let (sentence, advice) = (text(&own, "sentence"), text(&own, "advice"));
    assert!(
        sentence.contains("The quickest of 3 that move 16.8 MiB for each rank takes 8.70 ms (2.0 GB/s)"),
        "{sentence}"
    );
    assert!(advice.contains("far below what links") && advice.contains("bucket_cap_mb"), "{advice}");
    assert!(!advice.contains("fp16_compress_hook"), "{advice}");
    // The same bytes in 0.3 ms are 59 GB/s.
    let own =
        found(&with_gpu(&all_reduces(&[300.0, 310.0, 320.0], 4_408_096, "Float")), "exposed-communication");
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
        events.extend(launched_as(id, (at - 50.0, 5.0), (kernel, at, at + length)));
        at += length + 100.0;
    }
    let own = found(&with_gpu(&events), "exposed-communication");
    let sentence = text(&own, "sentence");
    assert!(
        sentence.contains("reduce_scatter_tensor_coalesced; 4 collectives in all (512 MiB)"),
        "{sentence}"
    );
    // 45.6 + 0.1 + 10.6 ms.
    assert!(sentence.contains("Probably 56 ms of it is waiting"), "{sentence}");
}

/// Collectives of one rank of eight, each of `elements` numbers of 32 bits.
fn exchanging(kernel: &str, operation: &str, elements: u64) -> String {
    let mut events = vec![on_host("cpu_op", "aten::mm", 0.0, 5.0)];
    for id in 0..6_i64 {
        let at = 100.0 + 400.0 * id as f64;
        let more = json!({ "Collective name": operation, "In msg nelems": elements, "Group size": 8, "dtype": "Float",
            "Process Group Name": "0", "Process Group Ranks": "[0, 1, 2, 3, 4, 5, 6, 7]" });
        events.extend(launched_with(id + 1, (at - 50.0, 10.0), (kernel, at, at + 300.0), &more));
    }
    advice(&with_gpu(&events), "exposed-communication")
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
fn what_the_replay_does_not_confirm_is_not_to_be_tried() {
    // The host is busy all the time: without communication the step is as long.
    let mut events = Vec::new();
    for id in 0..20_i64 {
        let at = 1_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::mm", at, 990.0));
        let args = json!({ "correlation": id + 1, "stream": 20, "device": 0 });
        events.push(event("cuda_runtime", "cudaLaunchKernel", HOST, (at + 10.0, 10.0), &args));
        events.push(event("kernel", "ncclDevKernel_AllReduce_Sum_f32", (0, 20), (at + 30.0, 900.0), &args));
    }
    let own = with_gpu(&events);
    for own in rows(&own).iter().filter(|own| own["rule"] == "exposed-communication") {
        assert!(own["change"].is_null(), "{own}");
    }
}

#[test]
fn a_few_collectives_that_take_very_long_send_more_or_wait_for_a_rank_that_was_not_opened() {
    let mut events = Vec::new();
    for id in 0..13_i64 {
        let at = 1_100_000.0 * id as f64;
        let length = if id % 4 == 1 { 1_000_000.0 } else { 5_000.0 };
        events.push(on_host("cpu_op", "aten::mm", at, 50.0));
        let args = json!({ "correlation": id + 1, "stream": 20, "device": 0 });
        events.push(event("cuda_runtime", "cudaLaunchKernel", HOST, (at + 10.0, 10.0), &args));
        let sent =
            json!({ "correlation": id + 1, "stream": 20, "device": 0, "Collective name": "all_to_all" });
        events.push(event("kernel", "ncclDevKernel_SendRecv", (0, 20), (at + 30.0, length), &sent));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 60.0, length));
    }
    let own = found(&with_gpu(&events), "exposed-communication");
    let sentence = text(&own, "sentence");
    assert!(!sentence.contains("Probably") && sentence.contains("take 2.98 s longer than is usual"), "{own}");
    assert!(text(&own, "advice").to_lowercase().contains("rank"), "{own}");
}

#[test]
fn what_has_a_few_bytes_waits_for_all_that_is_longer_than_a_start() {
    let gather = json!({ "Collective name": "_allgather_base", "In msg nelems": 8, "dtype": "Long", "Group size": 2,
        "Process Group Name": "0", "Process Group Ranks": "[0, 1]" });
    let mut events = Vec::new();
    for id in 0..10_i64 {
        let at = 1_000.0 * id as f64;
        let kernel = ("ncclDevKernel_AllGather_RING_LL", at + 30.0, at + 430.0);
        events.extend(launched_with(id + 1, (at, 10.0), kernel, &gather));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 15.0, 416.0));
    }
    let own = found(&with_gpu(&events), "exposed-communication");
    assert!(text(&own, "sentence").contains("Probably 3.50 ms of it is waiting for ranks"), "{own}");
}

#[test]
fn a_finding_says_what_the_replay_says_where_that_is_less_than_half() {
    // The host is busy all the time: without communication the step is as long.
    let mut events = Vec::new();
    for id in 0..20_i64 {
        let at = 1_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::mm", at, 990.0));
        let kernel = ("ncclDevKernel_AllReduce_Sum_f32", at + 30.0, at + 930.0);
        events.extend(launched_as(id + 1, (at + 10.0, 10.0), kernel));
    }
    let own = found(&with_gpu(&events), "exposed-communication");
    assert!(own["saving_ns"].as_i64().is_some_and(|saving| saving < 2_000_000), "{own}");
    assert!(own["change"].is_null() && text(&own, "sentence").contains("A replay without it"), "{own}");
    assert!(!text(&own, "sentence").contains("can be saved"), "{own}");
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
        events.extend(launched_as(
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
        events.extend(launched_as(2 * step + 1, (at + 5.0, 10.0), ("gemm", at + 30.0, at + 130.0)));
        let kernel = ("ncclDevKernel_AllReduce_Sum_f32_RING_LL", at + 130.0, at + 990.0);
        events.extend(launched_as(2 * step + 2, (at + 25.0, 10.0), kernel));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 40.0, 955.0));
    }
    let own = found(&with_gpu(&events), "exposed-communication");
    // 2 x 860 µs, of the 1,995 µs until the last call of two steps ends.
    assert!(text(&own, "sentence").contains("(86.2 %) of the steps"), "{own}");
}

/// Two steps of 999 µs that communicate for 860 µs each; before them the GPU computes for 1 ms that was launched before, or does nothing.
fn steps_that_reduce(has_before: bool) -> Study {
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
        events.extend(launched_as(2 * step + 1, (at + 5.0, 5.0), ("gemm", at + 30.0, at + 130.0)));
        let name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
        events.extend(launched_as(2 * step + 2, (at + 25.0, 5.0), (name, at + 130.0, at + 990.0)));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 40.0, 955.0));
    }
    with_gpu(&events)
}

#[test]
fn the_share_of_a_finding_is_the_one_that_its_sentence_says() {
    for has_before in [true, false] {
        let own = found(&steps_that_reduce(has_before), "exposed-communication");
        // Until the last call ends.
        let (saving, whole) = (2 * 860_000, 1_995_000 + if has_before { 0 } else { 4_000 });
        assert_eq!(number(&own, "saving_ns"), saving, "{own}");
        let share = number(&own, "share_ppm");
        assert!((share - saving * 1_000_000 / whole).abs() < 2_500, "{own}");
        let words = format!("({:.1} %)", share as f64 / 1e4);
        assert!(text(&own, "sentence").contains(&words), "{words} {own}");
    }
}
