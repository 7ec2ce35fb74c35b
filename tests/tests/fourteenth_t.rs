//! What a stranger found wrong in the fourteenth reading of TensorFlow's, JAX's and Horovod's traces next to their data. Each case is made here, and its
//! figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::findings::rounds::Rounds;
use steplens_core::findings::{Rule, Subject, Verdict};
use steplens_core::{Category, Study};
use steplens_report::verdict;
use steplens_tests::opened::{open, study};
use steplens_tests::tensorflow::{list, named, profiled, row, text};

/// A call of JAX, of 1 ms, which prepares its program for 0.6 ms and launches it as a graph by one call; its kernels run for 40 µs.
const ONE_CALL: [(i64, &str, i64, i64, i64, &str); 8] = [
    (2, "$profiler.py:106 start_trace", -20_000, 19_900, 0, ""),
    (2, "PjitFunction(f)", 0, 1_000, 0, ""),
    (2, "PjRtStreamExecutorLoadedExecutable::ExecuteHelper", 20, 900, 0, ""),
    (2, "command_buffer::update", 100, 600, 0, ""),
    (2, "cuGraphLaunch", 710, 150, 1, ""),
    (13, "fusion", 870, 20, 1, "a"),
    (13, "fusion_1", 900, 20, 1, "a"),
    (2, "$profiler.py:218 stop_trace", 1_100, 30_000, 0, ""),
];

#[test]
fn a_step_of_jax_begins_with_its_call() {
    let own = profiled(&ONE_CALL);
    let said = verdict::of(&own, true).sentence;
    assert_eq!(own.trace().span().length().0, 1_000_000);
    assert!(said.contains("compute on the GPU takes 4.0 % of the time"), "{said}");
    // The profiler's own start and stop are no part of the recording.
    assert!(!said.contains("ranges and marks around"), "{said}");
    let found = row(&own, Rule::HostBound).expect("a finding");
    assert_eq!(text(&found, "subject"), "command_buffer::update");
    // ROCm's calls have threads of their own: what a host did before them is not known to be around them.
    let apart = ONE_CALL
        .map(|own| if own.4 == 1 && own.0 == 2 { (1, own.1, own.2, own.3, own.4, own.5) } else { own });
    assert_eq!(profiled(&apart).trace().span().length().0, 210_000);
}

#[test]
fn one_program_that_is_compiled_is_not_told_to_be() {
    let own = profiled(&ONE_CALL);
    // One launch cannot be fewer.
    assert_eq!(row(&own, Rule::LaunchBound), None);
    let advice = row(&own, Rule::HostBound).expect("a finding");
    assert!(!text(&advice, "advice").contains("under one jax.jit"), "{advice}");
    assert!(text(&advice, "advice").contains("xla_gpu_enable_command_buffer"), "{advice}");
    // A second program is what could be one with it.
    let mut two = ONE_CALL.to_vec();
    two.retain(|own| !own.1.starts_with("command_buffer"));
    let advice = row(&profiled(&two), Rule::HostBound).expect("a finding");
    assert!(text(&advice, "advice").contains("one compiled program already"), "{advice}");
    two.extend([
        (2, "PjitFunction(g)", 1_050, 1_000, 0, ""),
        (2, "cuLaunchKernel", 1_800, 100, 2, ""),
        (13, "fusion_2", 1_950, 20, 2, "a"),
    ]);
    let advice = row(&profiled(&two), Rule::HostBound).expect("a finding");
    assert!(text(&advice, "advice").contains("under one jax.jit"), "{advice}");
}

/// A timeline of tensors: (row, phase, from, to) in µs.
fn tensors(phases: &[(i64, &str, i64, i64)]) -> Study {
    let mut marks: Vec<(i64, i64, Value)> = Vec::new();
    for &(row, name, from, to) in phases {
        marks.push((from, from - to, json!({ "ph": "B", "name": name, "ts": from, "pid": row, "tid": 1 })));
        marks.push((to, from - to, json!({ "ph": "E", "ts": to, "pid": row, "tid": 1 })));
    }
    marks.sort_by_key(|(at, order, _)| (*at, *order));
    let mut all: Vec<Value> = (1..=3).map(|row| named("process_name", row, 0, &format!("t{row}"))).collect();
    all.extend(marks.into_iter().map(|(.., event)| event));
    study(open(&[("timeline.json", json!(all).to_string().as_bytes())]))
}

/// Steps of 100 ms. The first tensor is ready after 10 ms, and the last one after 80 ms. All are reduced at 95 ms: sending them takes 10 ms of that.
fn rounds(count: i64) -> Vec<(i64, &'static str, i64, i64)> {
    let one = |step: i64| {
        let at = step * 100_000;
        let turn = |row: i64, ready: i64, sent: i64, done: i64| {
            [
                (row, "NEGOTIATE_ALLREDUCE", at + ready, at + sent),
                (row, "MPI_ALLREDUCE", at + sent, at + done),
            ]
        };
        [turn(1, 10_000, 30_000, 40_000), turn(2, 50_000, 60_000, 70_000), turn(3, 80_000, 85_000, 95_000)]
            .concat()
    };
    (0..count).flat_map(one).collect()
}

#[test]
fn tensors_that_come_again_are_steps_that_wait_for_the_last_one() {
    let own = tensors(&rounds(10));
    let found = Rounds::of(own.trace());
    assert_eq!((found.as_slice().len(), found.median().0), (10, 100_000_000));
    let finding = row(&own, Rule::ExposedCommunication).expect("a finding");
    let said = text(&finding, "sentence");
    assert!(said.contains("The same tensors come 10 times"), "{said}");
    // 15 ms in each, of 985 ms.
    assert_eq!(finding["saving_ns"], 150_000_000, "{finding}");
    // One that waits for a rank is said, and what to do about it.
    let mut one = rounds(10);
    one[5 * 6 + 5] = (3, "MPI_ALLREDUCE", 585_000, 599_000);
    one.iter_mut().skip(6 * 6).for_each(|own| (own.2, own.3) = (own.2 + 500_000, own.3 + 500_000));
    one[5 * 6 + 5].3 += 500_000;
    let finding = row(&tensors(&one), Rule::ExposedCommunication).expect("a finding");
    assert!(text(&finding, "sentence").contains("One step waits for 519 ms then"), "{finding}");
    assert!(text(&finding, "advice").contains("Most of it is one step"), "{finding}");
    // Two are no habit.
    assert!(Rounds::of(tensors(&rounds(2)).trace()).as_slice().is_empty());
}

#[test]
fn what_a_model_computes_is_no_wait_for_tensors() {
    let phases: Vec<_> = (0..5)
        .flat_map(|step| {
            let at = step * 100_000;
            [
                (1, "GRADIENT COMPT.", at, at + 60_000),
                (1, "ENQUEUE_ALLREDUCE", at + 60_000, at + 60_010),
                (2, "ENQUEUE_ALLREDUCE", at + 61_000, at + 61_010),
                (3, "GRADIENT COMPT.", at + 61_500, at + 70_000),
                (1, "MPI_ALLREDUCE", at + 62_000, at + 75_000),
                (2, "MPI_ALLREDUCE", at + 75_000, at + 90_000),
            ]
        })
        .collect();
    let own = tensors(&phases);
    let tails: Vec<i64> = Rounds::of(own.trace()).as_slice().iter().map(|own| own.tail.length().0).collect();
    assert_eq!(tails, [20_000_000; 5]);
    let found = list(&own);
    assert!(!text(&found, "sentence").contains("several steps"), "{found}");
}

#[test]
fn what_loads_batches_after_a_call_of_keras_is_no_part_of_its_step() {
    let of = |more: (i64, &str, i64, i64)| {
        let mut all = vec![
            named("process_name", 7, 0, "/host:CPU"),
            named("thread_name", 7, 1, "python3"),
            named("thread_name", 7, 2, "tf_Compute/2"),
        ];
        let events = [
            (1, "train_function", 0, 10_000),
            (1, "EagerExecute: __inference_train_function_7", 10, 9_900),
            (2, "a:MatMul", 100, 9_000),
            more,
            (1, "FlushSummaryWriter:FlushSummaryWriter", 30_000, 10),
        ];
        all.extend(events.map(|(tid, name, ts, dur)| {
            json!({ "ph": "X", "name": name, "pid": 7, "tid": tid, "ts": ts, "dur": dur, "args": {} })
        }));
        let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
        let own = study(open(&[("host.trace.json", text.as_bytes())]));
        Verdict::of(&Subject::of(&own)).and_then(|own| own.in_steps).map(|own| own.span.length().0)
    };
    assert_eq!(of((2, "b:DecodeImage", 12_000, 15_000)), Some(10_000_000));
    // The program itself may compute.
    assert_eq!(of((1, "b:MatMul", 12_000, 15_000)), None);
}

#[test]
fn a_pipeline_is_input_in_the_files_of_other_profilers_too() {
    let events: Vec<Value> = (0..3)
        .map(|at| {
            json!({ "ph": "X", "name": "dataset::GetNext", "pid": 1, "tid": 1, "ts": at * 1_000, "dur": 900 })
        })
        .collect();
    let own = study(open(&[("made.json", json!(events).to_string().as_bytes())]));
    assert!(own.trace().ops().ids().all(|op| own.trace().category(op) == Category::Input));
}

#[test]
fn gpus_that_ran_nothing_are_no_problem_where_one_was_recorded() {
    let of = |runs: bool| {
        let mut all = vec![
            named("process_name", 1, 0, "/device:GPU:0"),
            named("process_name", 2, 0, "/device:GPU:1"),
            named("process_name", 7, 0, "/host:CPU"),
            json!({ "ph": "X", "name": "a:MatMul", "pid": 7, "tid": 1, "ts": 0, "dur": 10 }),
            json!({ "ph": "X", "name": "b:_Send", "pid": 7, "tid": 1, "ts": 20, "dur": 10 }),
        ];
        if runs {
            all.push(json!({ "ph": "X", "name": "gemm", "pid": 1, "tid": 13, "ts": 5, "dur": 10 }));
        }
        let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
        let opened = open(&[("host.trace.json", text.as_bytes())]);
        opened
            .files
            .iter()
            .flat_map(|file| &file.problems)
            .map(|own| own.code.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(true), [""; 0]);
    assert_eq!(of(false), ["gpu-without-events"]);
}
