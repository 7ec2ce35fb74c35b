//! Loading of PyTorch: what a DataLoader is called, how its workers start, what loading costs, and advice that fits the device.

use super::made::{findings_of, launched_as, launched_for, said, usual};
use serde_json::json;
use steplens_core::Study;
use steplens_core::findings::Rule;
use steplens_tests::opened::{event, found, on_host, row, text, torch_study, with_gpu};

#[test]
fn workers_start_before_the_first_batch_where_later_ones_come_sooner() {
    const NEXT: &str = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
    let first = |lengths: &[i64], made: bool| {
        let (mut events, mut at) = (Vec::new(), 0);
        for &length in lengths {
            events.push(("user_annotation", NEXT, 1, at, length, 0));
            events.extend(usual(at + length, 3));
            at += length + 1_000;
        }
        if made {
            events.push(("python_function", "torch/utils/data/dataloader.py(1104): __init__", 1, at, 10, 0));
        }
        let study = torch_study(&events);
        let found = findings_of(&study);
        let own = found.rows.iter().find(|own| own.rule == Rule::InputBound).expect("it waits for batches");
        own.facts.usual.0 / 1_000
    };
    assert_eq!((first(&[50_000, 1_000, 1_000], false), first(&[50_000, 40_000, 40_000], false)), (50_000, 0));
    // Of one batch alone nobody knows, unless the workers were made meanwhile.
    assert_eq!((first(&[50_000], false), first(&[50_000], true)), (0, 50_000));
}

#[test]
fn loading_is_named_after_what_has_half_of_it() {
    let load = |name: &'static str, from: i64, length: i64| ("cpu_op", name, 1, from, length, 0);
    let study = |outer: &'static str| {
        let mut events = Vec::new();
        for step in 0..4 {
            let at = step * 1_000;
            events.push(load(outer, at, 900));
            // The longest piece of one kind is in the middle.
            events.extend((0..8).map(|place| load("aten::to", at + place * 100, 40)));
            events.push(load("aten::_cat", at + 840, 60));
            events.push(load("aten::mm", at + 900, 100));
        }
        torch_study(&events)
    };
    let name = |study: &Study| {
        findings_of(study).rows.into_iter().find(|own| own.rule == Rule::InputBound).map(|own| own.facts.name)
    };
    let loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
    assert_eq!(name(&study(loader)).as_deref(), Some(loader));
}

const LOAD: &str = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";

/// A program that starts workers for 30 ms, goes through 20 batches, waits for 20 ms and launches one kernel more.
fn with_a_loader() -> Study {
    let mut events = vec![on_host("cpu_op", "aten::random_", 0.0, 10.0)];
    for place in 0..20_i64 {
        let at = 30_010.0 + 500.0 * place as f64;
        events.push(on_host("user_annotation", LOAD, at, 20.0));
        events.push(on_host("cpu_op", "aten::mm", at + 100.0, 30.0));
        events.extend(launched_for(place + 1, at + 110.0, at + 120.0, 200.0));
    }
    events.push(on_host("cpu_op", "aten::item", 60_010.0, 30.0));
    events.extend(launched_for(99, 60_020.0, 60_030.0, 1.0));
    with_gpu(&events)
}

#[test]
fn the_start_of_workers_and_what_follows_the_work_are_no_part_of_a_loop() {
    let study = with_a_loader();
    let own = said(&study);
    assert!(
        own.contains(
            "A pause of 30.00 ms (50.0 %) comes before the first batch: the workers of the DataLoader start."
        ),
        "{own}"
    );
    assert!(own.contains(", before aten::item, comes when nearly all work is done."), "{own}");
    // 20 times some 300 µs between two kernels.
    let host = row(&study, Rule::HostBound).expect("a finding");
    let saving = host["saving_ns"].as_i64().unwrap_or_default();
    assert!((4_000_000..7_000_000).contains(&saving), "{host}");
    assert_ne!(host["where"][0]["op"], "aten::item", "{host}");
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
            all.extend(launched_as(batch + 1, (at + 5_100.0, 10.0), ("gemm", at + 5_200.0, at + 5_900.0)));
        }
        all
    };
    let one = found(&with_gpu(&events(1)), "input-bound");
    assert!(text(&one, "advice").contains("cannot be known"), "{one}");
    let several = found(&with_gpu(&events(4)), "input-bound");
    assert!(text(&several, "advice").contains("too slow"), "{several}");
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
        events.extend(launched_as(step + 1, (at + 41_000.0, 10.0), ("gemm", at + 41_020.0, at + 42_000.0)));
    }
    let own = found(&with_gpu(&events), "input-bound");
    assert!(own["saving_ns"].as_i64().is_some_and(|saving| saving > 115_000_000), "{own}");
}

#[test]
fn workers_that_start_before_the_first_batch_are_a_finding() {
    let mut events = vec![on_host("cpu_op", "aten::random_", 0.0, 10.0)];
    for place in 0..20_i64 {
        let at = 30_010.0 + 500.0 * place as f64;
        let load = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
        events.push(on_host("user_annotation", load, at, 20.0));
        events.push(on_host("cpu_op", "aten::mm", at + 100.0, 30.0));
        events.extend(launched_as(place + 1, (at + 110.0, 10.0), ("gemm", at + 130.0, at + 330.0)));
    }
    let own = found(&with_gpu(&events), "loader-workers");
    assert_eq!(own["saving_ns"], 30_000_000, "{own}");
    assert!(text(&own, "sentence").contains("The workers of a DataLoader start for 30 ms"), "{own}");
    assert!(text(&own, "advice").contains("persistent_workers=True"), "{own}");
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
                events.extend(launched_as(batch + 1, (at + 700.0, 10.0), ("gemm", at + 720.0, at + 900.0)));
            }
        }
        text(&found(&with_gpu(&events), "input-bound"), "advice").to_owned()
    };
    assert!(advice(true).contains("pin_memory=True"), "{}", advice(true));
    let of_cpu = advice(false);
    assert!(of_cpu.contains("num_workers") && !of_cpu.contains("pin_memory"), "{of_cpu}");
}
