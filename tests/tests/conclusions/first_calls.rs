//! What only a first step of PyTorch does: calls, operators and launches that take long once, next to what comes again and again.
//! The finding, its saving and the verdict name it, and no later step has it.

use super::made::{findings_of, launched, launched_as, of_torch, said_of_recording, usual};
use serde_json::json;
use steplens_core::Study;
use steplens_core::findings::{Findings, Rule};
use steplens_core::replay::Replay;
use steplens_report::verdict;
use steplens_tests::opened::{
    HOST, TorchEvent, event, found, on_host, open, rows, study, text, torch, torch_study, with_gpu,
};

/// Names and milliseconds of what only a first step does; nothing if no such finding is there.
fn first_step(study: &Study) -> Option<(u64, i64)> {
    let found = findings_of(study);
    let own = found.rows.iter().find(|own| own.rule == Rule::FirstStep)?;
    Some((own.facts.count, own.facts.time.0 / 1_000_000))
}

#[test]
fn a_call_that_launches_nothing_may_be_the_first_in_the_middle_of_others_like_it() {
    let mut events = usual(0, 300);
    for place in 0..200 {
        events.push(("cuda_runtime", "cudaEventCreateWithFlags", 1, place * 100 + 16, 1, 0));
    }
    events.push(("cuda_runtime", "cudaEventCreateWithFlags", 1, 30_000, 70_000, 0));
    events.extend(usual(100_000, 10));
    assert_eq!(first_step(&torch_study(&events)), Some((1, 70)));
}

#[test]
fn the_first_operator_that_takes_a_hundred_times_as_long_as_the_later_ones_began_something() {
    let mut events = vec![("cpu_op", "aten::mm", 1, 0, 60_000, 0)];
    events.extend(usual(60_000, 50));
    assert_eq!(first_step(&torch_study(&events)), Some((1, 60)));
    // One of the later ones did not begin anything.
    let mut events = usual(0, 50);
    events.push(("cpu_op", "aten::mm", 1, 5_000, 60_000, 0));
    events.extend(usual(65_000, 5));
    assert_eq!(first_step(&torch_study(&events)), None);
}

#[test]
fn memory_that_a_program_gives_back_by_itself_is_no_first_step() {
    let free = |is_within: bool| {
        let mut events = usual(0, 50);
        if is_within {
            events.push(("cpu_op", "aten::cudnn_convolution", 1, 5_000, 30_000, 0));
        }
        events.push(("cuda_runtime", "cudaFree", 1, 5_100, 29_000, 0));
        events.extend(usual(35_000, 5));
        first_step(&torch_study(&events))
    };
    assert_eq!((free(false), free(true)), (None, Some((1, 29))));
}

#[test]
fn first_launches_of_kernels_are_a_first_step_wherever_they_come() {
    let names = ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"];
    let mut events = Vec::new();
    let mut at = 0;
    for (place, name) in (0..).zip(names) {
        for again in 0..20 {
            let (id, length) = (place * 20 + again + 1, if again == 0 { 5_000 } else { 5 });
            events.push(("cpu_op", "aten::mm", 1, at, length + 4, 0));
            events.push(("cuda_runtime", "cudaLaunchKernel", 1, at + 2, length, id));
            events.push(("kernel", name, 7, at + 2 + length + 3, 40, id));
            at += length + 60;
        }
    }
    let found = findings_of(&torch_study(&events));
    let own = &found.rows[0];
    assert_eq!((own.rule, own.facts.count, own.facts.time.0), (Rule::FirstStep, 10, 50_000_000), "{found:?}");
}

/// Four marked steps: the first has an operator of 12 ms that takes 20 µs later, and each lasts as long as given.
fn steps(lengths: [i64; 4]) -> Study {
    let names = ["ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#3", "ProfilerStep#4"];
    let (mut events, mut at): (Vec<TorchEvent<'_>>, i64) = (Vec::new(), 0);
    for (name, length) in names.into_iter().zip(lengths) {
        let first = if at == 0 { 12_000 } else { 20 };
        events.push(("user_annotation", name, 1, at, length, 0));
        events.push(("cpu_op", "aten::mm", 1, at, first, 0));
        events.extend((1..8).map(|place| ("cpu_op", "aten::mm", 1, at + 12_000 + place * 30, 20, 0)));
        events.push(("cpu_op", "aten::add", 1, at + 13_000, length - 13_000, 0));
        at += length;
    }
    torch_study(&events)
}

#[test]
fn later_steps_that_are_as_long_refute_a_first_step() {
    let found = |study: &Study| {
        let rows = Findings::found(study, &Replay::of(study), None).rows;
        rows.iter().any(|own| own.rule == Rule::FirstStep)
    };
    assert!(found(&steps([22_000, 14_000, 14_000, 14_000])));
    assert!(!found(&steps([16_000, 16_000, 16_500, 15_000])));
}

/// A step of 20 launches of 10 µs, one of which takes 12 ms, while the GPU waits in a collective for 6 of them.
fn one_long_launch() -> Study {
    let mut events = Vec::new();
    for id in 0..20_i64 {
        let at = 50.0 * id as f64 + if id > 10 { 12_000.0 } else { 0.0 };
        let length = if id == 10 { 12_000.0 } else { 10.0 };
        events.push(on_host("cpu_op", "aten::add", at, length + 20.0));
        let name = if id == 10 { "void clamp_kernel" } else { "void add_kernel" };
        events.extend(launched_as(
            id + 1,
            (at + 5.0, length),
            (name, at + length + 10.0, at + length + 15.0),
        ));
    }
    let args = json!({ "correlation": 99, "stream": 9, "device": 0 });
    events.push(event("kernel", "ncclDevKernel_SendRecv", (0, 9), (600.0, 6_000.0), &args));
    with_gpu(&events)
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
fn torch_compile_that_compiles_happens_once() {
    let mut events = vec![
        on_host("user_annotation", "_compile.compile_inner (dynamo_timed)", 100.0, 80_000.0),
        on_host("user_annotation", "compile_fx_inner (dynamo_timed)", 30_000.0, 40_000.0),
        on_host("cpu_op", "Torch-Compiled Region: 0/0", 80_200.0, 12_000.0),
        on_host("cpu_op", "CompiledFunction", 80_210.0, 11_900.0),
    ];
    for id in 0..20_i64 {
        let at = 80_300.0 + 500.0 * id as f64;
        events.extend(launched(id + 1, (at, 10.0), (at + 20.0, at + 40.0)));
    }
    events.push(on_host("cpu_op", "aten::empty", 0.0, 10.0));
    let own = with_gpu(&events);
    let first = rows(&own).into_iter().next().unwrap_or_default();
    assert_eq!((&first["rule"], &first["saving_ns"]), (&json!("first-step"), &json!(80_000_000)), "{first}");
    assert!(text(&first, "sentence").contains("torch.compile compiles for 80 ms"), "{first}");
    assert!(text(&first, "advice").contains("mark_dynamic"), "{first}");
    for own in rows(&own) {
        assert!(!text(&own, "advice").contains("let torch.compile take it out"), "{own}");
    }
}

#[test]
fn a_first_operator_is_found_by_many_later_ones() {
    let step = |first: f64| {
        let mut events = Vec::new();
        for id in 0..12_i64 {
            let at = if id == 0 { 0.0 } else { first + 300.0 * id as f64 };
            let own = if id == 0 { first } else { 60.0 };
            events.push(on_host("cpu_op", "aten::cudnn_convolution", at, own + 20.0));
            events.extend(launched(id + 1, (at + own, 10.0), (at + own + 20.0, at + own + 200.0)));
        }
        found(&with_gpu(&events), "first-step")
    };
    let own = step(5_000.0);
    assert!(text(&own, "sentence").contains("aten::cudnn_convolution takes 5.0"), "{own}");
    assert!(step(900.0).is_null());
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
    assert_eq!(found(&of_torch(&events), "first-step")["saving_ns"], 110_000_000);
}

#[test]
fn a_part_of_idle_time_has_nothing_that_only_a_first_step_does() {
    let mut events = Vec::new();
    for id in 0..40_i64 {
        let at = if id == 0 { 0.0 } else { 50_000.0 + 400.0 * id as f64 };
        let own = if id == 0 { 50_000.0 } else { 60.0 };
        events.push(on_host("cpu_op", "aten::addmm", at, own + 20.0));
        events.extend(launched(id + 1, (at + own, 10.0), (at + own + 20.0, at + own + 50.0)));
        events.push(on_host("cpu_op", "aten::view", at + own + 30.0, 250.0));
    }
    let own = with_gpu(&events);
    assert!(!found(&own, "first-step").is_null());
    let host = found(&own, "host-bound");
    assert!(!text(&host, "sentence").contains("is one aten::addmm"), "{host}");
}

/// Several steps. The first one takes longer: a call loads a module, and an operator takes `more` µs longer than in later steps.
fn cold(more: f64) -> Study {
    let (mut events, mut at) = (Vec::new(), 0.0);
    for id in 0..6_i64 {
        let (load, more) = if id == 0 { (300_000.0, more) } else { (10.0, 10.0) };
        let length = load + more + 20_000.0;
        events.push(on_host("user_annotation", &format!("ProfilerStep#{id}"), at, length));
        events.push(on_host("cpu_op", "aten::mm", at + 10.0, load + 100.0));
        let start = at + load + 60.0;
        events.extend(launched(id + 1, (at + 20.0, load), (start, start + 10_000.0)));
        let part = more / 40.0;
        let sort = |place: i32| {
            on_host("cpu_op", "aten::sort", at + load + 11_000.0 + part * f64::from(place), part)
        };
        events.extend((0..40).map(sort));
        events.push(on_host("cuda_runtime", "cudaEventSynchronize", at + load + 60.0, 9_990.0));
        at += length + 10.0;
    }
    with_gpu(&events)
}

#[test]
fn a_first_step_is_as_much_longer_as_it_is() {
    let own = cold(100_000.0);
    let first = found(&own, "first-step");
    let saved = first["saving_ns"].as_i64().unwrap_or_default();
    assert!((399_000_000..401_000_000).contains(&saved), "{first}");
    assert!(text(&first, "sentence").contains("the first step is 400 ms longer than the median"), "{first}");
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("400.0 ms, is what only a first step does"), "{said}");
    // What is not known to be of a first step alone has most of it.
    let first = found(&cold(2_000_000.0), "first-step");
    assert!(first["saving_ns"].as_i64().is_none_or(|saved| saved < 1_000_000_000), "{first}");
}

#[test]
fn the_first_of_three_launches_may_be_a_first_call() {
    let mut events = launched_as(1, (0.0, 1_101.0), ("fill", 1_110.0, 1_580.0)).to_vec();
    events.extend(launched_as(2, (1_140.0, 14.0), ("scale", 1_580.0, 1_900.0)));
    events.extend(launched_as(3, (1_200.0, 12.0), ("sum", 1_900.0, 2_080.0)));
    events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 1_250.0, 840.0));
    let own = with_gpu(&events);
    let first = found(&own, "first-step");
    assert_eq!(first["saving_ns"], 1_101_000, "{first}");
    assert_eq!(rows(&own).first().map(|own| own["rule"].clone()), Some(json!("first-step")));
}

#[test]
fn a_kernel_that_another_rank_has_launched_is_new_to_a_process() {
    let rank = |rank: i64, first: f64| {
        let mut events = Vec::new();
        let mut at = 1_000.0 * rank as f64;
        for id in 0..30_i64 {
            let length = if id == 3 { first } else { 20.0 };
            events.push(event("cpu_op", "aten::mm", HOST, (at, length + 30.0), &json!({})));
            let name = format!("gemm{id}");
            let kernel = (name.as_str(), at + length + 15.0, at + length + 25.0);
            events.extend(launched_as(id + 1, (at + 5.0, length), kernel));
            at += length + 40.0;
        }
        torch(
            &events,
            &json!({ "deviceProperties": [{ "id": 0 }], "distributedInfo": { "rank": rank, "world_size": 2 } }),
        )
    };
    // The other rank has launched it already, quickly.
    let (r0, r1) = (rank(0, 20.0), rank(1, 12_000.0));
    let own = study(open(&[("r0.json", &r0), ("r1.json", &r1)]));
    let first = found(&own, "first-step");
    assert!(text(&first, "sentence").contains("cudaLaunchKernel"), "{first}");
    assert!(first["saving_ns"].as_i64().is_some_and(|time| time > 11_000_000), "{first}");
}

/// Operators of a first step: one begins cuDNN, and one in the middle gets memory for `memory` µs.
fn beginning(memory: f64) -> Study {
    let mut events = vec![on_host("cpu_op", "aten::cudnn_convolution", 0.0, 300_000.0)];
    let mut at = 300_010.0;
    for id in 0..200 {
        let length = if id == 120 { memory } else { 5.0 };
        events.push(on_host("cpu_op", "aten::empty", at, length));
        events.push(on_host("cpu_op", "aten::cudnn_convolution", at + length + 1.0, 60.0));
        at += length + 70.0;
    }
    of_torch(&events)
}

#[test]
fn one_call_unlike_all_others_of_its_name_is_of_a_first_step_that_is_known() {
    let first = found(&beginning(200_000.0), "first-step");
    let time = first["saving_ns"].as_i64().unwrap_or_default();
    assert!((495_000_000..501_000_000).contains(&time), "{first}");
}

#[test]
fn a_first_step_with_a_fifth_of_the_time_is_in_the_verdict() {
    let mut events = launched(1, (0.0, 30_000.0), (30_010.0, 30_100.0)).to_vec();
    for id in 0..70_i64 {
        let at = 30_200.0 + 1_000.0 * id as f64;
        events.extend(launched(id + 2, (at, 10.0), (at + 20.0, at + 990.0)));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 12.0, 980.0));
    }
    let said = said_of_recording(&with_gpu(&events));
    assert!(
        said.contains("What happens once: 29.9 % of it, 30.00 ms, is what only a first step does"),
        "{said}"
    );
    assert!(!said.contains("As a whole"), "{said}");
}

/// Where modules are loaded, an operator that loads them begins a library, and a long call that launches what nobody knows is a first one.
#[test]
fn modules_that_are_loaded_prove_a_first_call() {
    let call = |name: &str, at: f64, length: f64| on_host("cuda_runtime", name, at, length);
    let mut events = vec![
        call("hipLaunchKernel", 0.0, 30.0),
        on_host("cpu_op", "aten::mse_loss_backward", 1_000.0, 19_000.0),
        call("hipLaunchKernel", 1_010.0, 18_900.0),
        on_host("cpu_op", "aten::convolution_backward", 20_000.0, 16_000.0),
        call("hipModuleLoadData", 22_000.0, 800.0),
        call("hipModuleLoadData", 26_000.0, 2_600.0),
        call("hipExtModuleLaunchKernel", 35_000.0, 10.0),
        event("kernel", "igemm", (0, 0), (35_020.0, 10.0), &json!({ "device": 0, "stream": 0 })),
        call("hipDeviceSynchronize", 36_100.0, 100.0),
    ];
    events.extend((0..20).map(|ask| call("hipDeviceGetAttribute", 20_100.0 + 10.0 * f64::from(ask), 1.0)));
    let first = found(&with_gpu(&events), "first-step");
    let time = first["saving_ns"].as_i64().unwrap_or_default();
    assert!((34_000_000..35_500_000).contains(&time), "{first}");
}
