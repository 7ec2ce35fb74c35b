//! TensorFlow’s executors: their beginning and end, the time between their ops, and the path through tensors whose sender or name was not recorded.

use super::made::{CPU, GPU, MS, STREAM, STREAM_13, document, ms, of_devices, said, spent, us};
use prost::Message;
use serde_json::{Value, json};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::causality::sums::{Bound, bounds};
use steplens_core::findings::Rule;
use steplens_core::scheduling::host_idle::{HostPart, host_idle};
use steplens_core::{Nanos, Study};
use steplens_report::{causality, verdict};
use steplens_tests::opened::{found, open, row, study, text};
use steplens_tests::proto::RunMetadata;
use steplens_tests::samples::sample;
use steplens_tests::tensorflow::{named, profiled};
use steplens_tests::writer::{PS, Scenario, WORKER, op, recv};

/// An op of an executor that takes 80 of 100 µs, and its kernels, which run for 50 µs of these.
#[test]
fn while_kernels_of_an_op_run_that_waits_for_them_the_path_is_on_the_gpu() {
    let study = |kernels: &[(i64, i64)]| {
        let stream = kernels.iter().map(|&(at, length)| op("c = Conv2D(a)", at * 1_000, length * 1_000));
        Scenario::new()
            .device(CPU, [op("a = _Arg()", 0, 5_000)])
            .device(GPU, [op("c = Conv2D(a)", 5_000, 85_000), op("d = Identity(c)", 90_000, 10_000)])
            .device("/device:GPU:0/stream:all", stream)
            .study()
    };
    // 20 to 40 and 30 to 45 overlap: 25 µs, and 30 µs more.
    let own = verdict::of(&study(&[(20, 20), (30, 15), (50, 30)]), false);
    let figures = own.figures.map(|own| (own.path_part, own.path_ns));
    assert_eq!(figures, Some((Some("compute"), Some(55_000))), "{}", own.sentence);
    // 85 - 20 µs, and 10 µs of the next op: what came before the first is not known.
    let own = verdict::of(&study(&[(20, 20)]), false);
    let figures = own.figures.map(|own| (own.path_part, own.path_ns));
    assert_eq!(figures, Some((Some("host"), Some(75_000))), "{}", own.sentence);
}

#[test]
fn what_an_executor_begins_with_is_not_called_compute_alone() {
    let begins = |source: i64| {
        let rest = 100_000 - source;
        let ops = [op("_SOURCE = NoOp()", 0, source), op("m = MatMul(a)", source, rest)];
        verdict::of(&Scenario::new().device(CPU, ops).study(), false).sentence
    };
    let said = begins(57_000);
    assert!(said.contains("57.0") && said.contains("the executor only began (_SOURCE"), "{said}");
    assert!(!said.contains("mostly NoOp"), "{said}");
    assert!(!begins(9_000).contains("_SOURCE"));
}

#[test]
fn what_an_executor_begins_with_is_taken_from_the_figure_of_compute() {
    let of = |source: i64| {
        let ops = [op("_SOURCE = NoOp()", 0, source), op("m = MatMul(a)", source, 34_100)];
        let end = op("e = NoOp()", 99_990, 10);
        said(&Scenario::new().device(CPU, ops.into_iter().chain([end])).study())
    };
    let own = of(57_000);
    assert!(own.contains("compute on the CPU takes 34.1") && own.contains("for 57.0"), "{own}");
    assert!(!own.contains("91.1"), "{own}");
    // Too little to be said is not taken away, either.
    assert!(of(9_000).contains("43.1"), "{}", of(9_000));
}

#[test]
fn the_beginning_of_an_executor_is_no_work_of_the_host() {
    let study = Scenario::new()
        .device(CPU, [op("_SOURCE = NoOp()", 0, 180_000), op("a = _Arg()", 180_000, 4_000)])
        .device(GPU, [op("m = MatMul(a)", 184_000, 5_000)])
        .device(STREAM, [op("m = MatMul(a)", 186_000, 10_000)])
        .study();
    let hosts = host_idle(study.edges(), study.kernels());
    let [own] = hosts.as_slice() else { panic!("{hosts:?}") };
    assert!(own.part(HostPart::Operators) <= Nanos(9_000), "{own:?}");
    assert!(own.part(HostPart::Beginning) >= Nanos(180_000), "{own:?}");
}

/// What `timeline.py` writes of one thread of a CPU: name, type, start and length in µs, input.
fn timeline_py(ops: &[(&str, &str, i64, i64, &str)]) -> Study {
    let name = format!("{CPU} Compute");
    let mut events = vec![json!({ "ph": "M", "name": "process_name", "pid": 1, "args": { "name": name } })];
    events.extend(ops.iter().map(|&(name, kind, ts, dur, input)| {
        let mut args = json!({ "name": name, "op": kind });
        if !input.is_empty() {
            args["input0"] = input.into();
        }
        json!({ "ph": "X", "cat": "Op", "name": kind, "pid": 1, "tid": 0, "ts": ts, "dur": dur, "args": args })
    }));
    let text = json!({ "traceEvents": events }).to_string();
    Study::new(open(&[("timeline.json", text.as_bytes())]).trace)
}

#[test]
fn an_op_whose_input_was_not_recorded_is_not_known_to_have_been_ready() {
    let threads = |input: &str| {
        let study = timeline_py(&[
            ("c", "Const", 0, 10, ""),
            ("next", "IteratorGetNext", 20, 50_000, ""),
            ("x", "Add", 50_030, 10_000, input),
        ]);
        bounds(study.trace(), study.causes()).into_iter().find(|own| own.0 == Bound::Threads).map(|own| own.1)
    };
    // Its only input was there after 10 µs: it waited until the thread was free. With a second thread the step takes as long as `next`.
    assert_eq!(threads("c"), Some(Nanos(10_030_000)));
    // What a GPU sent came at a time that nobody wrote down.
    assert_eq!(threads("Cast/_245"), Some(Nanos(0)));
}

#[test]
fn the_beginning_of_an_executor_has_one_name_everywhere() {
    let own = Scenario::new()
        .device(CPU, [op("_SOURCE = NoOp()", 0, 12_000_000), op("a = _Arg()", 12_000_000, 2_000_000)])
        .device(GPU, [op("m = MatMul(a)", 14_000_000, 3_000_000)])
        .device(STREAM, [op("m = MatMul(a)", 16_000_000, 1_000_000)])
        .study();
    let hosts = host_idle(own.edges(), own.kernels());
    assert_eq!(hosts[0].part(HostPart::Beginning), Nanos(12_000_000));
    assert!(said(&own).contains("the executor’s beginning"), "{}", said(&own));
    let found = row(&own, Rule::HostBound).expect("a finding");
    let sentence = found["sentence"].as_str().unwrap_or_default();
    assert!(sentence.contains("12 ms in the executor’s beginning"), "{sentence}");
    assert!(!found["evidence"].to_string().contains("_SOURCE"), "{found}");
    assert!(found["advice"].as_str().is_some_and(|own| own.contains("later step")), "{found}");
    assert!(spent(&own, MS).contains(&("the executor’s beginning (_SOURCE)", 12)), "{:?}", spent(&own, MS));
}

#[test]
fn an_executor_that_ends_waits_for_its_gpu() {
    let of = |kernel: i64| {
        Scenario::new()
            .device(GPU, [op("m = MatMul(a)", 0, 1_000_000), op("_SINK = NoOp()", 1_000_000, 9_000_000)])
            .device(STREAM, [op("m = MatMul(a)", 1_000_000, kernel)])
            .study()
    };
    let busy = of(8_950_000);
    let figures = verdict::of(&busy, false).figures.expect("figures");
    assert_eq!((figures.decided_by, figures.split_part), ("split", "compute"), "{figures:?}");
    assert!(!verdict::of(&busy, false).sentence.contains("host"), "{}", verdict::of(&busy, false).sentence);
    // A GPU that did little of it is no reason.
    let idle = of(1_000_000);
    assert_eq!(verdict::of(&idle, false).figures.and_then(|own| own.path_part), Some("host"));
}

#[test]
fn a_copy_comes_after_what_its_executor_ran_before_it() {
    let ops = (0..30).map(|place| op(&format!("n{place} = Neg(c)"), 100_000 + place * 40_000, 38_000));
    let own = Scenario::new()
        .device(
            GPU,
            [op("c = Const()", 0, 100_000)].into_iter().chain(ops).chain([op(
                "x = Cast(c)",
                1_320_000,
                50_000,
            )]),
        )
        .device("/device:GPU:0/stream:19", [op("edge_168_c:MEMCPYHtoD", 1_302_000, 2_000)])
        .device("/device:GPU:0/stream:18", [op("x = Cast(c)", 1_340_000, 3_000)])
        .study();
    let observed = &own.causes().observed;
    assert!(observed.by_kind()[SegmentKind::Launching as usize] < Nanos(200_000), "{:?}", observed.by_kind());
    assert!(observed.by_kind()[SegmentKind::Compute as usize] > Nanos(1_100_000), "{:?}", observed.by_kind());
}

#[test]
fn the_path_goes_on_along_the_gpu_that_an_op_waited_for() {
    // Without stamps, as `timeline.py` writes it; (row, op, name, inputs, from, length) in µs.
    let of = |kernel: i64| {
        let rows = [CPU, GPU, STREAM_13].into_iter().zip(0..).map(
            |(name, pid)| json!({ "ph": "M", "name": "process_name", "pid": pid, "args": { "name": format!("{name} Compute") } }),
        );
        let ops = [
            (0, "Identity", "s", json!({}), 0, 1),
            (1, "MatMul", "m", json!({ "input0": "s" }), 1, 1_000),
            (2, "MatMul", "m", json!({}), 1_000, kernel),
            (0, "Identity", "u/_169", json!({ "input0": "u/_168" }), 30_000, 10),
        ];
        let ops = ops.into_iter().map(|(pid, kind, name, mut args, ts, dur)| {
            args["name"] = json!(name);
            args["op"] = json!(kind);
            json!({ "ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args })
        });
        let text = json!({ "traceEvents": rows.chain(ops).collect::<Vec<Value>>() }).to_string();
        study(open(&[("timeline.json", text.as_bytes())]))
    };
    // 0.35 ms after the GPU's end.
    let own = of(28_650);
    assert!(ms(&own, SegmentKind::Compute) >= 28, "{:?}", own.causes().observed.by_kind());
    assert!(ms(&own, SegmentKind::Gap) < 2, "{:?}", own.causes().observed.by_kind());
    // A GPU that rested for most of that time is no reason.
    assert!(ms(&of(4_000), SegmentKind::Gap) >= 20);
}

#[test]
fn dependencies_that_are_not_all_there_give_a_least_length() {
    let of = |input: &str| {
        let last = op(&format!("b = MatMul({input})"), 2_000_000, 1_000_000);
        Scenario::new().device(CPU, [op("a = Const()", 0, 1_000_000), last]).study()
    };
    assert!(causality::sentence(&of("a")).contains("Dependencies alone allow"));
    assert!(causality::sentence(&of("x")).contains("at least"));
}

/// What an executor did between calls that launch, whose ops the profiler leaves out.
#[test]
fn the_time_of_executors_between_calls_is_said_and_none_before_ops() {
    let of = |has_op: bool| {
        let mut events = vec![(1, "ExecutorState::Process", 0, 1_000, 0, "")];
        for place in 0..9 {
            let at = 50 + 100 * place;
            events.extend(has_op.then_some((1, "MatMul:MatMul", at - 40, 60, 0, "")));
            events.push((1, "cuLaunchKernel", at, 10, place + 1, ""));
            events.push((13, "gemm", at + 12, 2, place + 1, "MatMul:MatMul"));
        }
        verdict::of(&profiled(&events), true).sentence
    };
    let says = "executors of TensorFlow are at work between two calls";
    assert!(of(false).contains(says), "{}", of(false));
    assert!(!of(true).contains(says), "{}", of(true));
    let Some(bytes) = sample("real/xspace/tf2-gpu-20210617.xplane.pb") else { return };
    let own = study(open(&[("gpu.xplane.pb", &bytes)]));
    let said = verdict::of(&own, true).sentence;
    let Some((_, said)) = said.split_once(says) else {
        panic!("{said}");
    };
    // Each pause ends with a call that a run of an executor contains.
    let trace = own.trace();
    let ops = trace.ops();
    let runs: Vec<_> = ops.ids().filter(|&op| trace.op_name(op) == "ExecutorState::Process").collect();
    let is_pause =
        |kind: SegmentKind| matches!(kind, SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps);
    let pauses =
        own.causes().observed.segments.iter().filter(|own| is_pause(own.kind) && trace.is_call(own.op));
    let mut times: Vec<i64> = pauses
        .map(|pause| {
            let around = runs.iter().filter(|&&run| {
                trace.device_of(run) == trace.device_of(pause.op) && ops.thread(run) == ops.thread(pause.op)
            });
            around.map(|&run| ops.interval(run).clamp_to(pause.interval).length().0.max(0)).sum()
        })
        .filter(|&time: &i64| time > 0)
        .collect();
    times.sort_unstable();
    let median = steplens_report::figures::duration(times[times.len() / 2]);
    assert!(
        said.contains(&format!("({} pauses, half of them shorter than {median})", times.len())),
        "{said}"
    );
}

const OTHER: &str = "/job:worker/replica:0/task:1/device:CPU:0";

/// An op: device, name, type, inputs, start and length in µs.
type Row<'a> = (&'a str, &'a str, &'a str, &'a [&'a str], i64, i64);

/// What `timeline.py` writes of these ops.
fn timeline_of_tasks(ops: &[Row<'_>]) -> Study {
    let devices = [PS, WORKER, OTHER];
    let names = (0..).zip(devices).filter(|(_, device)| ops.iter().any(|own| own.0 == *device));
    let mut all: Vec<Value> =
        names.map(|(pid, device)| named("process_name", pid, 0, &format!("{device} Compute"))).collect();
    for &(device, name, kind, inputs, ts, dur) in ops {
        let pid = devices.iter().position(|own| *own == device);
        let mut args = json!({ "name": name, "op": kind });
        for (place, input) in inputs.iter().enumerate() {
            args[format!("input{place}")] = json!(input);
        }
        all.push(json!({ "ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args }));
    }
    let text = json!({ "traceEvents": all }).to_string();
    study(open(&[("timeline.json", text.as_bytes())]))
}

#[test]
fn the_path_goes_through_tensors_without_a_name_to_what_made_them() {
    let own = timeline_of_tasks(&[
        (PS, "w/read", "Identity", &[], 0, 100),
        (WORKER, "RecvTensor", "RecvTensor", &[], 150, 50),
        (WORKER, "MatMul", "MatMul", &["x", "w/read_S1"], 210, 1_000),
        (PS, "RecvTensor", "RecvTensor", &[], 1_220, 300),
        // It came before what this path waits for.
        (PS, "RecvTensor", "RecvTensor", &[], 120, 10),
        (PS, "concat", "ConcatV2", &["axis", "MatMul_S3", "w/read"], 1_530, 20),
        // What was fetched.
        (OTHER, "RecvTensor", "RecvTensor", &[], 1_555, 45),
    ]);
    let parts =
        [SegmentKind::Compute, SegmentKind::Transit, SegmentKind::SenderQueue, SegmentKind::Launching];
    assert_eq!(parts.map(|kind| us(&own, kind)), [1_120, 395, 65, 20]);
    assert_eq!(own.causes().observed.unexplained(), Nanos(0));
    let edges: Vec<bool> =
        own.causes().observed.segments.iter().filter_map(|own| own.edge).map(|own| own.1).collect();
    assert!(edges.iter().all(|is_inferred| *is_inferred), "no file says which tensor it was: {edges:?}");
}

#[test]
fn a_tensor_without_a_name_whose_maker_is_not_there_is_waited_for() {
    let own = timeline_of_tasks(&[
        (WORKER, "x", "Const", &[], 0, 10),
        (WORKER, "RecvTensor", "RecvTensor", &[], 800, 50),
        (WORKER, "MatMul", "MatMul", &["x", "w/read_S1"], 860, 140),
    ]);
    assert_eq!((us(&own, SegmentKind::Producer), us(&own, SegmentKind::Transit)), (800, 50));
    let said = verdict::of(&own, false).main;
    assert!(said.contains("waiting for tensors whose sender was not recorded is 80.0 %"), "{said}");
    // Nothing says that this one came from another task.
    let own = timeline_of_tasks(&[
        (WORKER, "x", "Const", &[], 0, 10),
        (WORKER, "RecvTensor", "RecvTensor", &[], 800, 50),
        (WORKER, "MatMul", "MatMul", &["x"], 860, 140),
    ]);
    assert_eq!(us(&own, SegmentKind::Transit), 0);
}

#[test]
fn a_server_that_was_not_traced_is_named() {
    let of = |is_traced: bool| {
        let read = [op("w/read = Identity(w)", 0, 700_000)];
        let worker = [
            recv("edge_1_w/read", PS, WORKER, 100, 800, 50),
            op("MatMul = MatMul(x, w/read_S1)", 860_000, 140_000),
            op("x = Const()", 0, 10_000),
        ];
        let study = Scenario::new().device(WORKER, worker);
        verdict::of(&if is_traced { study.device(PS, read) } else { study }.study(), false).main
    };
    let said = of(false);
    assert!(
        said.contains("waiting for tensors of ps 0 CPU:0, of which nothing was recorded, is 80.0 %"),
        "{said}"
    );
    assert!(!of(true).contains("of which nothing was recorded"), "{}", of(true));
}

/// The path of a cluster is the same whether its tensors have names, as in `RunMetadata`, or none, as `timeline.py` writes it.
#[test]
fn a_cluster_without_names_of_tensors_has_the_path_of_the_one_with_names() {
    let Some(bytes) = sample("releases/cluster-1.14.0.pb") else { return };
    let run = RunMetadata::decode(bytes.as_slice()).expect("a RunMetadata");
    let mut all = Vec::new();
    for (pid, device) in (0..).zip(run.step_stats.iter().flat_map(|own| &own.dev_stats)) {
        if device.device.contains("/host:CPU") {
            continue;
        }
        all.push(named("process_name", pid, 0, &format!("{} Compute", device.device)));
        for own in &device.node_stats {
            let label = own.timeline_label.split_once(" = ").filter(|_| own.node_name != "RecvTensor");
            let (name, (kind, inputs)) = match label {
                Some((name, rest)) => (name, rest.split_once('(').unwrap_or((rest, ")"))),
                None => (own.node_name.as_str(), (own.node_name.as_str(), ")")),
            };
            let mut args = json!({ "name": name, "op": kind });
            let inputs = inputs.trim_end_matches(')').split(", ").filter(|own| !own.is_empty());
            inputs.enumerate().for_each(|(place, input)| args[format!("input{place}")] = json!(input));
            let (ts, dur) = (own.all_start_micros, own.all_end_rel_micros.max(1));
            all.push(json!({ "ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args }));
        }
    }
    let text = json!({ "traceEvents": all }).to_string();
    let without = study(open(&[("timeline.json", text.as_bytes())]));
    let with = study(open(&[("cluster.pb", &bytes)]));
    let network = |own: &Study| us(own, SegmentKind::SenderQueue) + us(own, SegmentKind::Transit);
    let length = with.trace().span().length().0 / 1_000;
    for sum in [network, |own: &Study| us(own, SegmentKind::Compute)] {
        let (with, without) = (sum(&with), sum(&without));
        assert!((with - without).abs() * 50 <= length, "{with} {without} of {length}");
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

/// `timeline.py`: process, op type, name, start and length in µs. Process 1 is the CPU, 2 the GPU as the executor sees it, 3 a stream.
fn timeline(ops: &[(i64, &str, &str, i64, i64)]) -> Study {
    let task = "/job:localhost/replica:0/task:0/device";
    let names = [
        (1, format!("{task}:CPU:0 Compute")),
        (2, format!("{task}:GPU:0 Compute")),
        (3, "/device:GPU:0/stream:13 Compute".to_owned()),
    ];
    let used = names.iter().filter(|(pid, _)| ops.iter().any(|op| op.0 == *pid));
    let mut all: Vec<Value> = used.map(|(pid, name)| named("process_name", *pid, 0, name)).collect();
    all.extend(ops.iter().map(|&(pid, op, name, ts, dur)| {
        let args = json!({ "name": name, "op": op });
        json!({ "ph": "X", "cat": "Op", "name": op, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args })
    }));
    study(document(&all))
}

#[test]
fn what_an_executor_ends_with_is_no_operator() {
    let of = |name: &str| {
        let ops = [
            (2, "MatMul", "a", 0, 400),
            (2, "Conv2D", "b", 400, 300),
            (2, "Relu", "c", 700, 120),
            (2, "NoOp", name, 820, 180),
        ];
        verdict::of(&timeline(&ops), false).sentence
    };
    assert!(of("group_deps").contains("NoOp 18.0 %"), "{}", of("group_deps"));
    assert!(!of("_SINK").contains("NoOp"), "{}", of("_SINK"));
}

#[test]
fn what_an_executor_begins_with_is_a_part_of_a_first_step() {
    // An op of 100 ms whose kernel takes 0.1 ms, next to ten others of 0.2 ms, after a beginning.
    let of = |beginning: i64| {
        let mut ops = vec![
            (1, "NoOp", "_SOURCE", 0, beginning),
            (2, "RandomStandardNormal", "r", beginning, 100_000),
            (3, "RandomStandardNormal", "r:RandomStandardNormal", beginning + 99_800, 100),
        ];
        for place in 0..10 {
            let at = beginning + 100_000 + place * 200;
            ops.push((2, "MatMul", ["m0", "m1"][(place % 2) as usize], at, 200));
            ops.push((3, "MatMul", ["m0:MatMul", "m1:MatMul"][(place % 2) as usize], at + 50, 100));
        }
        found(&timeline(&ops), "first-step")["saving_ns"].as_i64().unwrap_or_default()
    };
    // A beginning of 5 ms is no long one.
    assert_eq!(of(20_000) - of(5_000), 20_000_000);
}
