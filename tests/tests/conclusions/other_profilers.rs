//! Files of MXNet, of SageMaker’s debugger, of Ray, and of writers that say little: what their rows, names and numbers of steps are.

use super::made::{complete, document, of_events, plain_events, read, said};
use serde_json::{Value, json};
use steplens_core::findings::Rule;
use steplens_core::{Category, Study};
use steplens_formats::Opened;
use steplens_report::verdict;
use steplens_tests::opened::{open, row, study, text};
use steplens_tests::tensorflow::named;

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

/// What SageMaker's debugger writes: (process, name, start, length) in µs.
fn sagemaker(processes: &[&str], events: &[(usize, &str, i64, i64)]) -> Study {
    let meta =
        |name: &str, pid: usize, args: Value| json!({ "name": name, "ph": "M", "pid": pid, "args": args });
    let mut all = vec![meta(
        "process_name",
        0,
        json!({ "start_time_since_epoch_in_micros": 1_590_461_107_892_211_i64 }),
    )];
    for (pid, name) in (1..).zip(processes) {
        all.push(meta("process_name", pid, json!({ "name": name })));
        all.push(meta("process_sort_index", pid, json!({ "sort_index": pid })));
    }
    all.extend(
        events.iter().map(
            |&(pid, name, ts, dur)| json!({ "ph": "X", "name": name, "ts": ts, "pid": pid, "dur": dur }),
        ),
    );
    study(open(&[("timeline.json", json!(all).to_string().as_bytes())]))
}

#[test]
fn what_sagemaker_calls_processes_are_lanes_and_nccl_manager_communicates() {
    let mut events: Vec<(usize, &str, i64, i64)> =
        (0..7).map(|rank| (1, "kAllReduce", rank, 130_000)).collect();
    events.push((1, "kAllReduce", 130_050, 500));
    events.extend((0..9).map(|at| (2, "dataset::GetNext", 131_000 + at * 100, 20)));
    let own = sagemaker(&["NcclManager", "DataIterator"], &events);
    let trace = own.trace();
    assert_eq!(trace.devices().len(), 1);
    let device = trace.devices().ids().next().expect("a device");
    let threads: Vec<_> =
        trace.ops().ids().filter_map(|op| trace.thread_name(device, trace.ops().thread(op))).collect();
    assert!(threads.contains(&"NcclManager") && threads.contains(&"DataIterator"), "{threads:?}");
    let is_collective = |op| trace.op_name(op) == "kAllReduce";
    let of = |op| trace.category(op) == Category::Communication;
    assert!(trace.ops().ids().all(|op| is_collective(op) == of(op)));
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("(mostly kAllReduce)"), "{said}");
    assert!(!said.contains("compute on") && !said.contains("devices"), "{said}");
    // They run at the same time, and take as long as one another.
    assert_eq!(row(&own, Rule::DominantWork), None);
}

#[test]
fn rows_that_overlap_without_threads_are_compared_by_all_of_their_time() {
    let events: Vec<(usize, &str, i64, i64)> = (0..9).map(|at| (1, "work", at, 100_000)).collect();
    assert_eq!(row(&sagemaker(&["Steps"], &events), Rule::DominantWork), None);
}

#[test]
fn later_steps_that_are_there_need_not_be_recorded() {
    let mut events = vec![(1, "Step:TRAIN", 0, 9_000_000)];
    events.extend((0..29).map(|at| (1, "Step:TRAIN", 9_000_000 + at * 90_000, 84_000)));
    let own = sagemaker(&["Step:TRAIN"], &events);
    let found = row(&own, Rule::FirstStep).expect("a finding");
    let advice = text(&found, "advice");
    assert!(advice.starts_with("The first Step:TRAIN takes 9"), "{advice}");
    assert!(advice.contains("29 later ones 84 ms"), "{advice}");
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

#[test]
fn names_with_hyphens_say_what_communicates_by_whole_words() {
    let communicates = |name: &str| {
        let own = plain_events(&[(name, 0, 100), ("compute", 200, 100)]);
        let trace = own.trace();
        let op = trace.ops().ids().find(|&op| trace.op_name(op) == name).expect("an op");
        trace.category(op) == Category::Communication
    };
    for name in [
        "grads-reduce-scatter",
        "params-all-gather",
        "layernorm-grads-all-reduce",
        "forward-send",
        "backward-recv",
    ] {
        assert!(communicates(name), "{name}");
    }
    for name in ["forward-compute", "optimizer-clip-main-grad", "resend", "small-reduce", "send-buffer-size"]
    {
        assert!(!communicates(name), "{name}");
    }
}

#[test]
fn a_worker_of_ray_that_is_idle_computes_nothing() {
    let event = |cat: &str, name: &str, ts: i64, dur: i64| json!({ "ph": "X", "cat": cat, "name": name, "pid": "", "tid": "worker:1", "ts": ts, "dur": dur, "args": {} });
    let events = [event("worker_idle", "worker_idle", 0, 900), event("task", "update", 1_000, 100)];
    let own = study(open(&[("ray.json", json!(events).to_string().as_bytes())]));
    // The task runs for 100 of 1,100 µs.
    let sentence = said(&own);
    assert!(!sentence.contains("mostly worker_idle") || sentence.contains("waiting"), "{sentence}");
    assert!(!sentence.contains("compute on the device takes 9"), "{sentence}");
}

/// What `torch.compile` writes of itself: name, compilation, start and end in µs.
fn log(spans: &[(&str, &str, i64, i64)], category: &str) -> Opened {
    let mut all: Vec<(i64, i64, Value)> = Vec::new();
    for &(name, id, from, to) in spans {
        let of = |phase: &str, ts: i64| json!({ "ph": phase, "cat": category, "name": name, "pid": 0, "tid": 0, "ts": ts, "args": { "compile_id": id } });
        all.push((from, from - to, of("B", from)));
        all.push((to, to - from, of("E", to)));
    }
    all.sort_by_key(|&(at, order, _)| (at, order));
    let all: Vec<Value> = all.into_iter().map(|(.., event)| event).collect();
    open(&[("chromium_events.json", json!(all).to_string().as_bytes())])
}

#[test]
fn a_log_of_compiling_is_no_work_of_a_device() {
    let spans = [
        ("dynamo", "0/0", 0, 1_000),
        ("compile_file", "0/0", 100, 900),
        ("dynamo", "1/0", 1_000, 1_300),
        ("dynamo", "1/1", 1_300, 1_500),
    ];
    let (sentence, first) = read(log(&spans, "dynamo_timed"));
    assert!(
        sentence.contains("torch.compile compiles for 1.500 ms of it, on the host (3 graphs)"),
        "{sentence}"
    );
    // 800 of 1,500 µs.
    assert!(sentence.contains("compile_file takes most of that, 53.3 %"), "{sentence}");
    assert!(sentence.contains("Frame 1 was compiled 2 times"), "{sentence}");
    assert!(!sentence.contains("device") && first.is_null(), "{sentence} {first}");
    let (other, _) = read(log(&spans, "mine"));
    assert!(!other.contains("torch.compile"), "{other}");
}

/// An export of MindSpore: an NPU with a stream that computes, one that carries out a collective, and its steps; and a call that waits for all.
fn of_mindspore(copies_on: i64) -> Study {
    let (cann, npu, hccl, overlap) = (1_002, 3, 1_011, 1_012);
    let mut all = Vec::new();
    // It names a process as often as it has rows of it.
    for (pid, name, label) in [
        (npu, "Ascend Hardware", "NPU"),
        (cann, "CANN", "CPU"),
        (npu, "Ascend Hardware", "NPU"),
        (hccl, "HCCL", "NPU"),
        (overlap, "Overlap Analysis", "NPU"),
    ] {
        all.push(named("process_name", pid, 0, name));
        all.push(
            json!({ "ph": "M", "name": "process_labels", "pid": pid, "tid": 0, "args": { "labels": label } }),
        );
    }
    all.push(named("thread_name", npu, 10, "Step Trace(Model ID:2)"));
    all.push(named("thread_name", npu, 2, "Stream 2"));
    all.push(named("thread_name", npu, 4, "Stream 4"));
    all.push(named("thread_name", hccl, 0, "Plane 0"));
    all.push(named("thread_name", hccl, 7, "Communication Kernel"));
    for (pid, tid, name, from, length) in [
        (cann, 1, "GE@Infer", 0, 1_000),
        (npu, 10, "Iteration 1", 0, 1_000),
        (npu, 10, "Iteration Refresh 1", 100, 900),
        (npu, 2, "Default/Conv2D-op8", 0, 150),
        (npu, 4, "NOTIFY_WAIT", 150, 700),
        (npu, copies_on, "MEMCPY_ASYNC", 850, 100),
        (npu, 4, "REDUCE_ASYNC_V2", 950, 50),
        (hccl, 0, "Notify_Wait", 150, 700),
        (hccl, 0, "Memcpy", 850, 100),
        (hccl, 7, "Default/AllReduce-op534_0", 150, 850),
        (overlap, 0, "Computing", 0, 150),
    ] {
        all.push(complete(name, (pid, tid), (from, length)));
    }
    study(document(&all))
}

#[test]
fn an_npu_of_mindspore_is_one_and_its_collectives_communicate() {
    let own = of_mindspore(4);
    let sentence = verdict::of(&own, false).sentence;
    let split = own.step_split(own.trace().span());
    // 150 µs compute, and then 850 of communication.
    let figures = (split.compute.0, split.exposed_communication.0, split.exposed_copy.0);
    assert_eq!(figures, (150_000, 850_000, 0), "{split:?} {sentence}");
    assert!(sentence.contains("85.0 %") && !sentence.contains("accelerators"), "{sentence}");
    assert!(!sentence.contains("GE@Infer"), "{sentence}");
    let trace = own.trace();
    let of = |name: &str| {
        trace.ops().ids().filter(|&op| trace.op_name(op) == name).map(|op| trace.category(op)).next()
    };
    assert_eq!(of("GE@Infer"), Some(Category::Waiting));
    assert_eq!(of("Iteration 1"), Some(Category::Range));
    // A copy of a stream that tells nobody anything is one between host and NPU.
    let other = of_mindspore(2);
    assert_eq!(other.step_split(other.trace().span()).exposed_copy.0, 100_000);
}
