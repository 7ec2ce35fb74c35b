//! Findings next to an independent reading of what was recorded: true where they speak, silent where they must be, and never outside of
//! what a GPU allows.

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Read;
use steplens_core::findings::{Basis, FactPart, Finding, Findings, Rule};
use steplens_core::replay::Replay;
use steplens_core::scheduling::host_idle::{HostPart, host_idle};
use steplens_core::{Nanos, Study};
use steplens_tests::opened::{cases, event, open, study, torch};
use steplens_tests::samples::{sample, sample_folder};

fn found(study: &Study) -> Findings {
    Findings::found(study, &Replay::of(study), None)
}

fn rules(study: &Study) -> Vec<Rule> {
    found(study).rows.iter().map(|own| own.rule).collect()
}

fn samples(names: &[&str]) -> Option<Study> {
    let files: Option<Vec<(&str, Vec<u8>)>> = names.iter().map(|&name| Some((name, sample(name)?))).collect();
    let files = files?;
    Some(study(open(&files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>())))
}

/// What a file of PyTorch's profiler says: how long nothing of its only GPU ran before the call that launched what came next had
/// returned; and how long nothing of it ran at all. In ns.
fn host_idle_of(bytes: &[u8]) -> (i64, i64) {
    let mut text = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut text).expect("a gzip file");
    let document: Value = serde_json::from_slice(&text).expect("JSON");
    let ns = |value: &Value| {
        (value.as_f64().unwrap_or_else(|| value.as_str().unwrap_or("0").parse().unwrap_or(0.0)) * 1_000.0)
            .round() as i64
    };
    let mut calls: HashMap<i64, i64> = HashMap::new();
    let mut work: Vec<(i64, i64, Option<i64>)> = Vec::new();
    for event in document["traceEvents"].as_array().expect("events") {
        let (cat, start, length) = (event["cat"].as_str().unwrap_or(""), ns(&event["ts"]), ns(&event["dur"]));
        let correlation = event["args"]["correlation"].as_i64();
        match cat {
            "cuda_runtime" | "cuda_driver" => {
                correlation.into_iter().for_each(|id| _ = calls.insert(id, start + length));
            }
            "kernel" | "gpu_memcpy" | "gpu_memset" => work.push((start, start + length, correlation)),
            _ => {}
        }
    }
    work.sort_unstable();
    let (mut now, mut host, mut idle) = (work[0].0, 0, 0);
    for (start, end, correlation) in work {
        if start > now {
            idle += start - now;
            let returned = correlation.and_then(|id| calls.get(&id)).copied();
            host += returned.map_or(0, |returned| (returned.min(start) - now).max(0));
        }
        now = now.max(end);
    }
    (host, idle)
}

#[test]
fn what_the_host_costs_is_what_the_file_says() {
    for name in ["ddp-nccl", "b200-eager", "diff-control", "h100-bert-small", "t4-resnet50", "ns-resolution"]
    {
        let file = format!("real/pytorch/{name}.json.gz");
        let (Some(bytes), Some(study)) = (sample(&file), samples(&[&file])) else { return };
        let own = host_idle(study.edges(), study.kernels());
        let [own] = own.as_slice() else { panic!("{name} has one GPU") };
        let (host, idle) = host_idle_of(&bytes);
        // Before the first kernel the file's own reading has nothing; a step begins before it.
        let before = own.idle.0 - idle;
        assert!(
            before >= 0 && (own.host.0 - host) <= before + 2_000 && own.host.0 >= host - 2_000,
            "{name}: {own:?}, {host}, {idle}"
        );
        assert_eq!(own.parts.iter().map(|own| own.0).sum::<i64>(), own.host.0, "{name}: the parts add up");
        assert_eq!(own.busy + own.idle + own.unknown, study.trace().span().length(), "{name}");
    }
}

#[test]
fn what_a_gpu_was_idle_for_is_not_saved_twice() {
    let Some(folder) = sample_folder("real/pytorch") else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("it is readable") {
        let path = entry.expect("an entry").path();
        let name = path.display().to_string();
        let study = study(open(&[(&name, &std::fs::read(&path).expect("it is readable"))]));
        let found = found(&study);
        let step = study.step_split(study.trace().span());
        let saving = |rule: Rule| {
            let own = found.rows.iter().find(|own| own.rule == rule);
            own.and_then(|own| own.saving).unwrap_or_default()
        };
        let host =
            host_idle(study.edges(), study.kernels()).iter().map(|own| own.host).min().unwrap_or_default();
        for rule in [Rule::HostBound, Rule::LaunchBound, Rule::Synchronising, Rule::Allocator] {
            assert!(saving(rule) <= host, "{name}: {rule:?} saves more than the GPU waits for its host");
        }
        assert!(
            saving(Rule::ExposedCommunication) + saving(Rule::CollectiveWait) <= step.exposed_communication,
            "{name}"
        );
        assert!(saving(Rule::Copies) + saving(Rule::PageableCopies) <= step.exposed_copy, "{name}");
        for own in found.rows.iter().filter(|own| own.basis != Basis::Figure) {
            let (low, high) = own.range.unwrap_or_default();
            let saving = own.saving.unwrap_or_default();
            assert!(own.basis == Basis::Path || low <= saving && saving <= high, "{name}: {own:?}");
            assert!(high <= study.trace().span().length(), "{name}: {own:?}");
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn a_first_step_is_one_only_where_the_gpu_waits_for_what_does_not_come_again() {
    let first = |study: &Study| rules(study).first() == Some(&Rule::FirstStep);
    let never = |study: &Study| !rules(study).contains(&Rule::FirstStep);
    for name in ["alexnet", "simple-add", "mi250-minitoy"] {
        let Some(study) = samples(&[&format!("real/pytorch/{name}.json.gz")]) else { return };
        assert!(first(&study), "{name}: {:?}", rules(&study));
    }
    // Synchronous copies and full queues wait for a GPU that is busy; what a copy waits for may not be recorded at all.
    for name in [
        "diff-control",
        "diff-test",
        "run-ahead-gpu-bound",
        "mtia-inference",
        "sglang-decode",
        "v100-resnet50",
    ] {
        let Some(study) = samples(&[&format!("real/pytorch/{name}.json.gz")]) else { return };
        assert!(never(&study), "{name}: {:?}", rules(&study));
    }
    let Some(tensorflow) = samples(&["real/timeline-py/gpu-matmul-fetched.json"]) else { return };
    assert!(first(&tensorflow), "{:?}", rules(&tensorflow));
    let Some(opened) = cases(&["warmup_gpu.pb"]) else { return };
    assert!(first(&study(opened)));
    let Some(opened) = cases(&["queue-full.json"]) else { return };
    assert_eq!(rules(&study(opened)), [], "the GPU is busy all the time");
}

#[test]
fn ranks_that_come_late_are_what_a_collective_costs() {
    let names: Vec<String> = (0..8).map(|rank| format!("real/megatron-tp8/rank-{rank}.json.gz")).collect();
    let Some(study) = samples(&names.iter().map(String::as_str).collect::<Vec<_>>()) else { return };
    let found = found(&study);
    let row = &found.rows[0];
    assert_eq!((row.rule, row.facts.count, row.facts.of), (Rule::CollectiveWait, 32, 84), "{:?}", found.rows);
    let ms = row.facts.time.0 / 1_000_000;
    assert_eq!(ms, 2_939, "2.939 of 3.340 s are waiting");
    // One rank alone does not know who was late, but that nothing hides it.
    let Some(alone) = samples(&["real/megatron-tp8/rank-1.json.gz"]) else { return };
    assert_eq!(rules(&alone).first(), Some(&Rule::ExposedCommunication));
}

#[test]
fn the_last_rank_of_horovod_is_found_where_one_is_last() {
    let Some(opened) = cases(&["hvd_ranks.json"]) else { return };
    let found = found(&study(opened));
    let facts = &found.rows[0].facts;
    assert_eq!(found.rows[0].rule, Rule::LastRank, "{:?}", found.rows);
    assert_eq!((facts.name.as_str(), facts.count, facts.of, facts.time), ("3", 10, 10, Nanos(90_000_000)));
    let Some(study) = samples(&["real/horovod/resnet-horovod-timeline.json"]) else { return };
    // From the first reduction on: 13 broadcasts come before it.
    let found = self::found(&study);
    assert_eq!((found.rows[0].rule, found.rows[0].facts.count), (Rule::LastRank, 649));
    let Some(twelve) = samples(&["real/horovod/twelve-broadcasts.json"]) else { return };
    assert!(!rules(&twelve).contains(&Rule::LastRank));
}

#[test]
fn copies_count_once() {
    for (case, count, ms) in
        [("copies_counted_twice.pb", 2, 99.4), ("dtod.pb", 1, 6.0), ("dtod.json", 1, 6.0)]
    {
        let Some(opened) = cases(&[case]) else { return };
        let study = study(opened);
        let found = found(&study);
        let row = found.rows.iter().find(|own| own.rule == Rule::Copies).unwrap_or_else(|| panic!("{case}"));
        assert_eq!((row.facts.count, row.facts.time.0 as f64 / 1e6), (count, ms), "{case}");
        assert_eq!(row.saving, Some(study.step_split(study.trace().span()).exposed_copy), "{case}");
    }
}

#[test]
fn tiny_ops_cost_no_more_than_they_take() {
    for case in ["ps_gap.pb", "mergefrom.pb", "tiny_after_gap.pb"] {
        let Some(opened) = cases(&[case]) else { return };
        assert!(!rules(&study(opened)).contains(&Rule::TinyOps), "{case}");
    }
}

const US: f64 = 1.0;

/// A step of PyTorch on one thread and one GPU: `work` adds the events from a moment on and returns when the host goes on.
fn step(steps: usize, mut work: impl FnMut(&mut Vec<Value>, f64, i64) -> f64) -> Study {
    let (mut events, mut at) = (Vec::new(), 0.0);
    for number in 0..steps {
        let end = work(&mut events, at, number as i64 * 1_000 + 1);
        let mark = format!("ProfilerStep#{number}");
        events.push(event("user_annotation", &mark, (100, 1), (at, end - at), &json!({})));
        at = end;
    }
    study(open(&[("made.json", &torch(&events, &json!({ "deviceProperties": [{ "id": 0 }] })))]))
}

/// An operator that launches a kernel or copy, which begins when it was launched and the one before has ended.
fn launch(events: &mut Vec<Value>, at: f64, id: i64, (cat, name): (&str, &str), length: f64) -> f64 {
    let args = json!({ "correlation": id, "stream": 7, "device": 0 });
    let call = if cat == "kernel" { "cudaLaunchKernel" } else { "cudaMemcpyAsync" };
    events.push(event("cpu_op", "aten::op", (100, 1), (at, 10.0 * US), &json!({})));
    events.push(event("cuda_runtime", call, (100, 1), (at + 2.0, 5.0 * US), &args));
    events.push(event(cat, name, (0, 7), (at + 8.0, length), &args));
    at + 8.0 + length
}

#[test]
fn reading_a_value_of_the_gpu_in_every_step_is_synchronising() {
    let study = step(6, |events, at, id| {
        let mut now = at;
        for place in 0..10 {
            // The host reads the value: it waits for the kernel, and the GPU then for the host.
            let end = launch(events, now, id + place, ("kernel", "gemm"), 90.0 * US);
            let read = json!({});
            events.push(event("cpu_op", "aten::item", (100, 1), (now + 12.0, end + 2.0 - now - 12.0), &read));
            events.push(event(
                "cuda_runtime",
                "cudaStreamSynchronize",
                (100, 1),
                (now + 14.0, end + 1.0 - now - 14.0),
                &read,
            ));
            now = end + 20.0;
        }
        now
    });
    let found = found(&study);
    let row = found
        .rows
        .iter()
        .find(|own| own.rule == Rule::Synchronising)
        .unwrap_or_else(|| panic!("{:?}", found.rows));
    assert_eq!(row.facts.name, "aten::item");
    // 27 µs after each of the 59 kernels that another one follows: the read returns, 20 µs, and the launch has returned after 7.
    let idle = row.saving.unwrap_or_default().0;
    assert!((59 * 26_000..=60 * 28_000).contains(&idle), "{idle}");
    let host = found.rows.iter().find(|own| own.rule == Rule::HostBound).map(|own| own.saving);
    assert!(host.flatten().is_some_and(|saving| saving.0 >= idle) && row.is_part, "{:?}", found.rows);
}

#[test]
fn copies_from_memory_that_is_not_pinned_have_their_own_advice() {
    let of = |name: &str| {
        step(5, |events, at, id| {
            let copied = launch(events, at, id, ("gpu_memcpy", name), 300.0 * US);
            launch(events, copied, id + 1, ("kernel", "gemm"), 500.0 * US)
        })
    };
    let pageable = of("Memcpy HtoD (Pageable -> Device)");
    let row =
        found(&pageable).rows.into_iter().find(|own| own.rule == Rule::PageableCopies).expect("it is found");
    assert_eq!((row.facts.count, row.facts.of, row.saving), (5, 5, Some(Nanos(1_500_000))));
    assert!(!rules(&pageable).contains(&Rule::Copies));
    let pinned = of("Memcpy HtoD (Pinned -> Device)");
    assert!(rules(&pinned).contains(&Rule::Copies) && !rules(&pinned).contains(&Rule::PageableCopies));
}

#[test]
fn memory_of_the_driver_is_a_finding_if_every_step_gets_it() {
    let with_memory_in = |wanted: fn(i64) -> bool| {
        step(6, move |events, at, id| {
            let mut now = at;
            if wanted(id / 1_000) {
                events.push(event("cuda_runtime", "cudaMalloc", (100, 1), (at, 400.0 * US), &json!({})));
                now += 400.0;
            }
            launch(events, now, id, ("kernel", "gemm"), 500.0 * US)
        })
    };
    let always = with_memory_in(|_| true);
    assert!(rules(&always).contains(&Rule::Allocator), "{:?}", rules(&always));
    let once = with_memory_in(|step| step == 0);
    assert!(!rules(&once).contains(&Rule::Allocator), "{:?}", rules(&once));
}

#[test]
fn kernels_that_no_compiler_fused_are_most_of_the_path() {
    // The host is far ahead: a launch each 20 µs, a kernel each 100 µs.
    let of = |name: &str| {
        step(1, |events, at, _| {
            (0..60).fold((at, at), |(host, gpu), place| {
                let kind = match place % 4 {
                    0 => name.to_owned(),
                    2 => name.replace("Add", "Mul"),
                    _ => "ampere_gemm".to_owned(),
                };
                let kind = kind.as_str();
                let args = json!({ "correlation": place + 1, "stream": 7, "device": 0 });
                let begin = gpu.max(host + 8.0);
                events.push(event("cpu_op", "aten::op", (100, 1), (host, 10.0 * US), &json!({})));
                events.push(event(
                    "cuda_runtime",
                    "cudaLaunchKernel",
                    (100, 1),
                    (host + 2.0, 5.0 * US),
                    &args,
                ));
                events.push(event("kernel", kind, (0, 7), (begin, 100.0 * US), &args));
                (host + 20.0, begin + 100.0)
            });
            at + 60.0 * 20.0
        })
    };
    let eager = of("void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor>");
    let found = found(&eager);
    let row =
        found.rows.iter().find(|own| own.rule == Rule::DominantWork).unwrap_or_else(|| panic!("{found:?}"));
    // Half of thirty kernels of 100 µs.
    assert_eq!((row.facts.count, row.saving), (30, Some(Nanos(30 * 50_000))));
    // The same kernel again and again is no chain.
    let same = of("void at::native::vectorized_elementwise_kernel<4, at::native::Functor>");
    assert!(!rules(&same).contains(&Rule::DominantWork), "{:?}", rules(&same));
    let fused = of("triton_poi_fused_add_relu_0");
    assert!(!rules(&fused).contains(&Rule::DominantWork), "{:?}", rules(&fused));
}

#[test]
fn idle_time_of_a_gpu_is_divided_by_what_its_host_did() {
    let study = step(4, |events, at, id| {
        // 50 µs between ops, an operator of 100 µs with a launch of 5 in it, and then the kernel.
        let start = at + 50.0;
        let args = json!({ "correlation": id, "stream": 7, "device": 0 });
        events.push(event("cpu_op", "aten::slow", (100, 1), (start, 100.0 * US), &json!({})));
        events.push(event("cuda_runtime", "cudaLaunchKernel", (100, 1), (start + 95.0, 5.0 * US), &args));
        events.push(event("kernel", "gemm", (0, 7), (start + 100.0, 20.0 * US), &args));
        start + 120.0
    });
    let own = &host_idle(study.edges(), study.kernels())[0];
    assert_eq!(own.part(HostPart::Operators), Nanos(4 * 95_000));
    assert_eq!(own.part(HostPart::Launching), Nanos(4 * 5_000));
    // What comes before the first op of the recording is not recorded.
    assert!([3 * 50_000, 4 * 50_000].contains(&own.part(HostPart::Between).0), "{own:?}");
    let found = found(&study);
    assert_eq!(found.rows[0].rule, Rule::HostBound);
    assert_eq!(found.rows[0].facts.parts[0].0, FactPart::Host(HostPart::Operators));
}

#[test]
fn an_iterator_of_tensorflow_that_keeps_the_gpu_waiting_is_input() {
    // IteratorGetNext while no stream ran anything, in µs, by a reading of the same files.
    for (file, wanted) in [("real/timeline-py/gpu-pytq.json", 2_015_183), ("gpu/gpu-mnist.pb", 16_857)] {
        let Some(study) = samples(&[file]) else { return };
        let found = found(&study);
        let row = &found.rows[0];
        assert_eq!(
            (row.rule, first_type(&study, row)),
            (Rule::InputBound, "IteratorGetNext"),
            "{file}: {found:?}"
        );
        let saving = row.saving.unwrap_or_default().0 / 1_000;
        assert!((wanted * 99 / 100..=wanted + 200).contains(&saving), "{file}: {saving}");
    }
    // Two LookupTableFindV2 and Unique, the longest of them, run on the host for 8.3 of 20.3 ms, while the streams are empty.
    let Some(study) = samples(&["gpu/gpu-feeddict.pb"]) else { return };
    let found = found(&study);
    let row = &found.rows[0];
    assert_eq!((row.rule, first_type(&study, row)), (Rule::HostOpBetween, "Unique"), "{found:?}");
    assert_eq!(found.rows[1].rule, Rule::HostBound);
    assert!(
        row.saving.is_some_and(|saving| saving.0 >= 8_300_000 && saving.0 <= 8_500_000),
        "{:?}",
        row.saving
    );
}

/// The op type of the first op of the evidence.
fn first_type<'a>(study: &'a Study, row: &Finding) -> &'a str {
    let (trace, op) = (study.trace(), row.evidence[0]);
    trace.text(trace.nodes().op_type(trace.ops().node(op)))
}
