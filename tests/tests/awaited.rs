//! What devices wait for that no field of a format names: input that a program marks, functions of Python in a pipeline, reads of values, and
//! ops of other threads. Each case is made here, and its figures follow from its numbers.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value, json};
use steplens_core::findings::{Finding, Findings, Rule};
use steplens_core::replay::Replay;
use steplens_core::scheduling::host_idle::{HostIdle, HostPart, host_idle};
use steplens_core::{Category, Nanos, Study};
use steplens_report::network::Network;
use steplens_report::summary;
use steplens_tests::opened::{open, study, torch_study};

const GPU: i64 = 1;
const HOST: i64 = 7;

fn named(what: &str, pid: i64, tid: i64, name: &str) -> Value {
    json!({ "ph": "M", "name": what, "pid": pid, "tid": tid, "args": { "name": name } })
}

/// An event of TensorFlow's or JAX's profiler: on process and thread, from a time on for so long, in µs.
fn event(name: &str, (pid, tid): (i64, i64), (ts, dur): (i64, i64), args: &Value) -> Value {
    json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": 1_000 + ts, "dur": dur, "args": args })
}

/// A trace of XLA's profiler with one GPU, if `has_gpu`, and a host with three threads.
fn xla(has_gpu: bool, events: Vec<Value>) -> Study {
    let mut all = vec![named("process_name", HOST, 0, "/host:CPU"), named("thread_name", HOST, 5, "python")];
    all.extend([named("thread_name", HOST, 6, "launcher"), named("thread_name", HOST, 8, "loader")]);
    if has_gpu {
        all.extend([
            named("process_name", GPU, 0, "/device:GPU:0"),
            named("thread_name", GPU, 13, "Stream #13(Compute)"),
        ]);
    }
    all.extend(events);
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    study(open(&[("host.trace.json", text.as_bytes())]))
}

/// A launch on the launching thread, and its kernel.
fn launch(id: i64, at: i64, (start, length): (i64, i64)) -> [Value; 2] {
    let call = json!({ "correlation_id": id.to_string() });
    let kernel = json!({ "correlation_id": id.to_string(), "hlo_op": "dot.1" });
    [event("cuLaunchKernel", (HOST, 6), (at, 10), &call), event("gemm", (GPU, 13), (start, length), &kernel)]
}

fn idle(study: &Study) -> HostIdle {
    host_idle(study.edges(), study.kernels()).remove(0)
}

fn us(time: Nanos) -> i64 {
    time.0 / 1_000
}

fn found(study: &Study) -> Vec<Finding> {
    Findings::found(study, &Replay::of(study), None).rows
}

/// Four steps of JAX: the program does `what` for 700 µs on the thread `tid`, then a thread of its own launches a kernel of 300 µs.
fn steps_of_jax(what: &str, tid: i64) -> Study {
    let mut events = Vec::new();
    for step in 0..4 {
        let at = step * 1_100;
        events.push(event("train", (HOST, 5), (at, 1_050), &json!({})));
        events.push(event(what, (HOST, tid), (at + 20, 700), &json!({})));
        events.extend(launch(step + 1, at + 740, (at + 755, 300)));
    }
    xla(true, events)
}

#[test]
fn a_gpu_waits_for_a_batch_that_its_program_loads_beside_the_launching_thread() {
    let study = steps_of_jax("load_batch", 5);
    let own = idle(&study);
    // Before the first kernel 735 µs: from the load on, which is the first work, to its launch.
    assert_eq!(us(own.part(HostPart::Input)), 700 + 3 * 700);
    let first = &found(&study)[0];
    assert_eq!((first.rule, first.facts.name.as_str()), (Rule::InputBound, "load_batch"));
    // The same without a name that says so.
    let own = idle(&steps_of_jax("prepare", 5));
    assert_eq!(us(own.part(HostPart::Input)), 0);
}

#[test]
fn a_thread_that_only_loads_runs_ahead() {
    let study = steps_of_jax("load_batch", 8);
    assert_eq!(us(idle(&study).part(HostPart::Input)), 0);
    assert!(found(&study).iter().all(|own| own.rule != Rule::InputBound));
}

#[test]
fn a_batch_that_is_still_loaded_when_the_kernel_is_launched_is_for_a_later_one() {
    let mut events = vec![event("train", (HOST, 5), (0, 3_000), &json!({}))];
    events.extend(launch(1, 0, (15, 100)));
    events.push(event("load_batch", (HOST, 5), (200, 2_000), &json!({})));
    events.extend(launch(2, 1_000, (1_015, 100)));
    let study = xla(true, events);
    assert_eq!(us(idle(&study).part(HostPart::Input)), 0);
    assert!(found(&study).iter().all(|own| own.rule != Rule::InputBound));
}

#[test]
fn a_program_of_pytorch_marks_its_input() {
    let of = |mark: &str| {
        let mut events = Vec::new();
        for step in 0..4 {
            let at = step * 1_000;
            events.extend([
                ("user_annotation", mark, 5, at, 600, 0),
                ("cpu_op", "aten::stack", 5, at + 100, 300, 0),
                ("cpu_op", "aten::mm", 5, at + 610, 40, 0),
                ("cuda_runtime", "cudaLaunchKernel", 5, at + 620, 20, step + 1),
                ("kernel", "gemm", 7, at + 650, 300, step + 1),
            ]);
        }
        torch_study(&events)
    };
    let study = of("## load_batch ##");
    assert_eq!(us(idle(&study).part(HostPart::Input)), 4 * 600);
    let first = &found(&study)[0];
    assert_eq!((first.rule, first.facts.name.as_str()), (Rule::InputBound, "## load_batch ##"));
    assert_eq!(us(idle(&of("## forward ##")).part(HostPart::Input)), 0);
}

#[test]
fn calls_that_move_the_batch_stay_calls() {
    let events = [
        ("user_annotation", "data_loading", 5, 0, 600, 0),
        ("cpu_op", "aten::to", 5, 100, 300, 0),
        ("cuda_runtime", "cudaMemcpyAsync", 5, 150, 200, 1),
        ("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 7, 300, 40, 1),
    ];
    let study = torch_study(&events);
    let trace = study.trace();
    let of = |name: &str| {
        let op = trace.ops().ids().find(|&op| trace.op_name(op) == name).unwrap();
        trace.category(op)
    };
    assert_eq!(
        [of("data_loading"), of("aten::to"), of("cudaMemcpyAsync")],
        [Category::Input, Category::Input, Category::Launch]
    );
}

#[test]
fn python_of_a_pipeline_is_input_and_python_of_a_model_is_not() {
    let of = |iterator: (i64, i64)| {
        let op = |name: &str, op_type: &str| json!({ "long_name": format!("{name}:{op_type}") });
        let events = vec![
            event("Iterator::Root::FlatMap[0]::Generator", (HOST, 8), iterator, &json!({})),
            event("PyFunc", (HOST, 6), (100, 500), &op("PyFunc", "PyFunc")),
            event("MatMul", (HOST, 5), (700, 200), &op("net/MatMul", "MatMul")),
        ];
        let study = xla(false, events);
        let trace = study.trace();
        let op = trace.ops().ids().find(|&op| trace.op_type(op) == "PyFunc").unwrap();
        trace.category(op)
    };
    assert_eq!(of((50, 600)), Category::Input);
    assert_eq!(of((50, 100)), Category::Compute);
}

/// A program of XLA on a CPU: a thread waits for 1,000 µs, others run an op each for `ops` µs of them.
fn thunks(ops: i64) -> Study {
    let op = json!({ "hlo_op": "dot.1", "hlo_module": "jit_f" });
    let wait = "ThunkExecutor::Execute (wait for completion)";
    let events = vec![
        event(wait, (HOST, 5), (0, 1_000), &json!({})),
        event("dot.1", (HOST, 6), (0, ops / 2), &op),
        event("dot.2", (HOST, 8), (ops / 2, ops - ops / 2), &op),
        event("dot.3", (HOST, 5), (1_100, 50), &op),
    ];
    xla(false, events)
}

#[test]
fn a_thread_that_waits_for_recorded_ops_does_not_compute() {
    let split = |study: &Study| study.step_split(study.trace().span());
    let own = split(&thunks(900));
    assert_eq!([us(own.compute), us(own.exposed_waiting), us(own.idle)], [950, 100, 100]);
    // Where less than three quarters of it are ops, they end later than their events.
    let own = split(&thunks(700));
    assert_eq!([us(own.compute), us(own.exposed_waiting), us(own.idle)], [1_050, 0, 100]);
}

#[test]
fn a_program_that_reads_a_value_in_each_step_cannot_run_ahead() {
    let of = |reads: bool| {
        let mut events = Vec::new();
        for step in 0..5 {
            let at = step * 1_000;
            events.extend(launch(step + 1, at, (at + 20, 400)));
            if reads {
                events.push(event("np.asarray(jax.Array)", (HOST, 5), (at + 10, 420), &json!({})));
            }
        }
        xla(true, events)
    };
    let found_of = |reads: bool| found(&of(reads)).into_iter().find(|own| own.rule == Rule::Synchronising);
    let own = found_of(true).unwrap();
    // After four of the five kernels 580 µs until the next launch has returned, 10 µs before it starts; the waits took 420 µs each.
    assert_eq!((own.facts.count, us(own.facts.time), us(own.facts.usual)), (4, 4 * 590, 4 * 420));
    assert_eq!(own.saving.map(us), Some(4 * 420));
    assert!(found_of(false).is_none());
}

#[test]
fn a_program_that_waits_on_when_its_gpu_is_done_waits_for_something_else() {
    let mut events = Vec::new();
    for step in 0..5 {
        let at = step * 5_000;
        events.extend(launch(step + 1, at, (at + 20, 400)));
        events.push(event("np.asarray(jax.Array)", (HOST, 5), (at + 10, 4_000), &json!({})));
    }
    assert!(found(&xla(true, events)).iter().all(|own| own.rule != Rule::Synchronising));
}

#[test]
fn an_all_reduce_on_the_row_of_the_executor_is_one_figure() {
    let mut events = Vec::new();
    let names =
        [(1, "/job:localhost/replica:0/task:0/device:GPU:0 Compute"), (3, "/device:GPU:0/stream:13 Compute")];
    events.extend(names.map(|(pid, name)| named("process_name", pid, 0, name)));
    let op = |pid: i64, name: &str, op_type: &str, ts: i64, dur: i64| {
        json!({ "cat": "Op", "ph": "X", "name": op_type, "pid": pid, "tid": 0, "ts": 1_000_000 + ts, "dur": dur,
            "args": { "name": name, "op": op_type } })
    };
    for step in 0..4 {
        let at = step * 4_000;
        events.push(op(1, &format!("m{step}"), "MatMul", at, 20));
        events.push(op(3, &format!("m{step}"), "MatMul", at, 1_000));
        // The first 300 µs are behind the kernel.
        events.push(op(1, &format!("h{step}"), "HorovodAllreduce", at + 700, 3_000));
    }
    let text = json!({ "traceEvents": events }).to_string();
    let study = study(open(&[("timeline.json", text.as_bytes())]));
    let split = study.step_split(study.trace().span());
    assert_eq!(
        [us(split.compute), us(split.exposed_communication), us(split.idle)],
        [4_000, 4 * 2_700, 3 * 300]
    );
    let own = serde_json::to_value(Network::of(&study)).unwrap();
    let exposed: Vec<&Value> =
        own["devices"].as_array().unwrap().iter().map(|row| &row["exposed_ns"]).collect();
    assert_eq!(exposed, [&json!(4 * 2_700_000)]);
    assert_eq!(found(&study)[0].rule, Rule::ExposedCommunication);
}

/// A timeline of one agent of Bluefog, which begins with what the model computes.
fn agent(late: i64) -> Vec<u8> {
    let phases = [("FORWARD", 0, 30), ("ENQUEUE_NEIGHBOR_ALLREDUCE", 30, 34), ("COMMUNICATE", 34, 50)];
    let mut events = Vec::new();
    for (name, begin, end) in phases {
        events.push(json!({ "ph": "B", "name": name, "ts": late + begin, "pid": 1, "tid": 1 }));
        events.push(json!({ "ph": "E", "ts": late + end, "pid": 1, "tid": 1 }));
    }
    serde_json::to_vec(&events).unwrap()
}

#[test]
fn agents_of_bluefog_in_several_files_are_several_and_forward_is_theirs() {
    let devices = |files: &[(&str, &[u8])]| {
        let study = study(open(files));
        let summary = serde_json::to_value(summary::of(&study, &[])).unwrap();
        let rows = summary["devices"].as_array().unwrap().clone();
        rows.iter().map(|own| json!([own["compute_ns"], own["communication_ns"]])).collect::<Vec<_>>()
    };
    let one = json!([30_000, 16_000]);
    assert_eq!(devices(&[("a0.json", &agent(0))]), std::slice::from_ref(&one));
    assert_eq!(devices(&[("a0.json", &agent(0)), ("a1.json", &agent(7))]), [one.clone(), one]);
}

#[test]
fn of_several_gpus_a_finding_names_the_one_that_waits_least() {
    let kernels = |pid: i64, busy: i64| {
        let mut events = Vec::new();
        for step in 0..5 {
            let at = step * 1_000;
            let id = pid * 100 + step + 1;
            let call = json!({ "correlation_id": id.to_string() });
            events.push(event("cuLaunchKernel", (HOST, 6 + pid), (at + 10 * pid, 10), &call));
            events.push(event("gemm", (pid, 13), (at + 50, busy), &call));
        }
        events
    };
    let mut events = vec![named("process_name", HOST, 0, "/host:CPU")];
    for (pid, busy) in [(1, 200), (2, 600)] {
        events.push(named("process_name", pid, 0, &format!("/device:GPU:{}", pid - 1)));
        events.push(named("thread_name", pid, 13, "Stream #13(Compute)"));
        events.extend(kernels(pid, busy));
    }
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": events }).to_string();
    let study = study(open(&[("host.trace.json", text.as_bytes())]));
    let own = found(&study).into_iter().find(|own| own.rule == Rule::HostBound).unwrap();
    assert_eq!((own.facts.other.as_str(), own.facts.ranks), ("/device:GPU:1", 2));
}
