//! What binds a GPU that a program feeds: planted causes on the observed path and in the idle time, and a second, plain reading of
//! a real trace.

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::io::Read;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::scheduling::idle::Idle;
use steplens_core::{Nanos, Study};
use steplens_report::causality::CriticalPath;
use steplens_tests::fixtures::fixtures_and_samples;
use steplens_tests::samples::sample;
use steplens_tests::writer::open;

const US: i64 = 1_000;

/// Events of PyTorch, in microseconds.
struct Program {
    events: Vec<Value>,
    correlation: i64,
}

impl Program {
    fn called(process: &str) -> Self {
        let name = json!({ "ph": "M", "name": "process_name", "pid": 4711, "args": { "name": process } });
        Self { events: vec![name], correlation: 0 }
    }

    fn on_host(mut self, cat: &str, name: &str, from: i64, until: i64) -> Self {
        self.events.push(json!({
            "ph": "X", "cat": cat, "name": name, "pid": 4711, "tid": 4711, "ts": from, "dur": until - from,
            "args": { "correlation": 0 },
        }));
        self
    }

    fn op(self, name: &str, from: i64, until: i64) -> Self {
        self.on_host("cpu_op", name, from, until)
    }

    /// A kernel and the call that launched it.
    fn kernel(mut self, name: &str, stream: i64, call: (i64, i64), ran: (i64, i64)) -> Self {
        self.correlation += 1;
        let correlation = self.correlation;
        self.events.push(json!({
            "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 4711, "tid": 4711, "ts": call.0,
            "dur": call.1 - call.0, "args": { "correlation": correlation },
        }));
        self.events.push(json!({
            "ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": ran.0, "dur": ran.1 - ran.0,
            "args": { "correlation": correlation, "device": 0, "stream": stream },
        }));
        self
    }

    fn study(&self) -> Study {
        let devices = json!([{ "id": 0, "name": "H100" }]);
        let trace = json!({ "schemaVersion": 1, "deviceProperties": devices, "traceEvents": self.events });
        Study::new(open(trace.to_string().as_bytes()).trace)
    }
}

/// How long the observed path is of `kind`, in microseconds.
fn on_path(study: &Study, kind: SegmentKind) -> i64 {
    study.causes().observed.by_kind()[kind as usize].0 / US
}

/// The idle time of the only GPU.
fn idle(study: &Study) -> Idle {
    let [own] = &study.scheduling().gpus[..] else { panic!("one GPU") };
    assert_eq!(own.busy + own.idle.length(), study.trace().span().length());
    own.idle
}

fn us(length: i64) -> Nanos {
    Nanos(length * US)
}

/// Two kernels, and 900 us between the two ops that launched them.
fn with_pause(process: &str, ops: [&str; 2]) -> Program {
    Program::called(process)
        .op(ops[0], 0, 100)
        .kernel("gemm", 7, (10, 20), (25, 60))
        .op(ops[1], 1_000, 1_100)
        .kernel("gemm", 7, (1_010, 1_020), (1_025, 1_200))
}

const OPS: [&str; 2] = ["aten::mm", "aten::add"];

#[test]
fn a_pause_of_the_thread_that_feeds_a_gpu_is_python_between_ops() {
    let study = with_pause("python3", OPS).study();
    assert_eq!(on_path(&study, SegmentKind::PythonBetweenOps), 900);
    assert_eq!(study.causes().observed.unexplained(), Nanos(0));
    let wanted = Idle {
        host_between_ops: us(900),
        host_launching: us(20 + 40 + 20),
        starting: us(5 + 5),
        ..Idle::default()
    };
    assert_eq!(idle(&study), wanted);
}

#[test]
fn python_is_named_only_where_a_program_of_python_feeds_a_gpu() {
    let of = |study: &Study| {
        [SegmentKind::PythonBetweenOps, SegmentKind::HostBetweenOps].map(|kind| on_path(study, kind))
    };
    assert_eq!(of(&with_pause("server", OPS).study()), [0, 900]);
    let engine = [
        "autograd::engine::evaluate_function: AddBackward0",
        "autograd::engine::evaluate_function: MmBackward0",
    ];
    assert_eq!(of(&with_pause("python3", engine).study()), [0, 900], "PyTorch's engine is no Python");
    let of_calls = Program::called("python3").kernel("gemm", 7, (0, 20), (25, 60)).kernel(
        "gemm",
        7,
        (920, 930),
        (935, 1_000),
    );
    assert_eq!(of(&of_calls.study()), [0, 900], "without operators, an operator may be between two calls");
    let without_gpu = Program::called("python3").op("aten::mm", 0, 100).op("aten::add", 1_000, 1_100);
    assert_eq!(of(&without_gpu.study()), [0, 900]);
}

#[test]
fn the_innermost_python_frame_is_named_at_every_moment() {
    let program = with_pause("server", OPS)
        .on_host("python_function", "train.py(1): main", 0, 1_150)
        .on_host("python_function", "train.py(9): next_batch", 300, 700)
        .on_host("python_function", "queue.py(2): get", 400, 450);
    let study = program.study();
    assert_eq!(on_path(&study, SegmentKind::PythonBetweenOps), 900, "frames are a sign of Python, too");
    let path = CriticalPath::of(&study);
    let frames: Vec<(&str, i64)> = path.by_frame.iter().map(|part| (part.key, part.length_ns / US)).collect();
    let wanted =
        [("train.py(1): main", 200 + 300), ("train.py(9): next_batch", 350), ("queue.py(2): get", 50)];
    assert_eq!(frames, wanted);
    let between = path.segments.iter().filter(|own| own.category == "python-between-ops");
    let between: Vec<(i64, Option<&str>)> = between.map(|own| (own.start_ns / US, own.frame)).collect();
    let at = |from: i64, frame: usize| (from, Some(wanted[frame].0));
    assert_eq!(between, [at(100, 0), at(300, 1), at(400, 2), at(450, 1), at(700, 0)]);
}

#[test]
fn a_call_that_comes_after_the_kernel_before_is_launching_late() {
    let program = Program::called("python3")
        .op("aten::mm", 0, 1_100)
        .kernel("gemm", 7, (10, 20), (25, 60))
        .kernel("gemm", 7, (1_010, 1_020), (1_025, 1_200));
    let wanted = Idle { host_launching: us(20 + 960), starting: us(5 + 5), ..Idle::default() };
    assert_eq!(idle(&program.study()), wanted);
}

#[test]
fn a_kernel_waits_for_an_event_or_a_kernel_of_another_stream() {
    let study = Program::called("python3")
        .op("aten::mm", 0, 1_000)
        .kernel("copy", 20, (1, 2), (3, 45))
        .kernel("gemm", 7, (10, 20), (25, 498))
        .kernel("gemm", 20, (30, 40), (500, 1_000))
        .study();
    let streams = &study.scheduling().streams;
    let gaps = streams.iter().find(|own| own.thread == 20).unwrap().gaps.idle;
    assert_eq!(gaps, Idle { other_stream: us(453), starting: us(2), ..Idle::default() });

    let of_event = Program::called("python3")
        .op("aten::mm", 0, 1_100)
        .kernel("gemm", 7, (10, 20), (20, 100))
        .on_host("cuda_runtime", "cudaStreamWaitEvent", 60, 65)
        .kernel("gemm", 7, (70, 80), (1_000, 1_100));
    let wanted = Idle { host_launching: us(20), other_stream: us(900), ..Idle::default() };
    assert_eq!(idle(&of_event.study()), wanted);
    // Without the event nothing says what the kernel waited for.
    let without = Program::called("python3")
        .op("aten::mm", 0, 1_100)
        .kernel("gemm", 7, (10, 20), (20, 100))
        .kernel("gemm", 7, (70, 80), (1_000, 1_100));
    let wanted = Idle { host_launching: us(20), unexplained: us(900), ..Idle::default() };
    assert_eq!(idle(&without.study()), wanted);
}

#[test]
fn a_kernel_after_a_collective_waits_for_other_ranks() {
    let study = Program::called("python3")
        .op("aten::mm", 0, 1_100)
        .kernel("gemm", 7, (10, 20), (20, 100))
        .kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, (30, 40), (90, 997))
        .kernel("gemm", 7, (50, 60), (1_000, 1_100))
        .study();
    let wanted = Idle { host_launching: us(20), other_rank: us(897), starting: us(3), ..Idle::default() };
    assert_eq!(idle(&study), wanted);
    assert_eq!(study.scheduling().gpus[0].in_collective, us(897));
}

#[test]
fn after_the_last_kernel_nothing_is_queued() {
    let program = Program::called("python3").op("aten::mm", 0, 2_000).kernel("gemm", 7, (0, 20), (20, 100));
    let wanted = Idle { host_launching: us(20), nothing_queued: us(1_900), ..Idle::default() };
    assert_eq!(idle(&program.study()), wanted);
}

#[test]
fn busy_and_idle_parts_of_every_gpu_add_up_to_what_is_shown() {
    let mut gpus = 0;
    for one in fixtures_and_samples() {
        let study = Study::new(open(&one.bytes).trace);
        for own in &study.scheduling().gpus {
            assert_eq!(own.busy + own.idle.length(), study.trace().span().length(), "{}", one.name);
            assert!(own.in_collective <= own.idle.length(), "{}", one.name);
            gpus += 1;
        }
    }
    assert!(gpus > 0);
}

/// Looks at every microsecond of a real trace, all of whose times are whole microseconds.
#[test]
fn a_look_at_every_microsecond_of_a_real_trace_says_the_same() {
    let Some(bytes) = sample("real/pytorch/event-sync-multi-stream.json.gz") else { return };
    let mut text = Vec::new();
    GzDecoder::new(bytes.as_slice()).read_to_end(&mut text).unwrap();
    let whole: Value = serde_json::from_slice(&text).unwrap();
    let number = |value: &Value| value.as_i64().or_else(|| value.as_str()?.parse().ok());
    let rows = whole["traceEvents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["ph"] == "X" && event["cat"] != "Trace");
    // Category, start, end, correlation.
    let rows: Vec<(&str, i64, i64, Option<i64>)> = rows
        .map(|event| {
            let start = number(&event["ts"]).unwrap();
            let end = start + number(&event["dur"]).unwrap();
            (event["cat"].as_str().unwrap(), start, end, number(&event["args"]["correlation"]))
        })
        .collect();
    let of = |cats: &'static [&str]| rows.iter().filter(move |own| cats.contains(&own.0));
    let (kernels, host) = (["kernel", "gpu_memset"].as_slice(), ["cpu_op", "cuda_runtime"].as_slice());
    let (kernels, host) = (|| of(kernels), || of(host));
    let runs = |at: i64| move |own: &&(&str, i64, i64, Option<i64>)| own.1 <= at && at < own.2;
    let (from, until) =
        (rows.iter().map(|own| own.1).min().unwrap(), rows.iter().map(|own| own.2).max().unwrap());
    let mut wanted = Idle::default();
    for at in from..until {
        if kernels().any(|own| runs(at)(&own)) {
            continue;
        }
        let next = kernels().filter(|own| own.1 > at).min_by_key(|own| own.1);
        let launched =
            next.map(|next| rows.iter().find(|own| own.0 == "cuda_runtime" && own.3 == next.3).unwrap().2);
        let part = match launched {
            None => &mut wanted.nothing_queued,
            // Every kernel of this trace starts within 10 us of its launch.
            Some(launched) if at >= launched => &mut wanted.starting,
            Some(_) if host().any(|own| runs(at)(&own)) => &mut wanted.host_launching,
            Some(_) => &mut wanted.host_between_ops,
        };
        *part += us(1);
    }
    let study = Study::new(open(&text).trace);
    assert_eq!(idle(&study), wanted);
    // The last call waits for the last kernel; before that kernel the path is on the host all the time.
    let last_kernel = kernels().map(|own| own.1).max().unwrap();
    let between = (from..last_kernel).filter(|&at| !host().any(|own| runs(at)(&own))).count();
    assert_eq!(on_path(&study, SegmentKind::PythonBetweenOps), between as i64);
    assert!(between as i64 * 10 > 9 * (until - from));
}
