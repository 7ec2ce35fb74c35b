//! What a stranger found wrong in the fifteenth reading of TensorFlow's, JAX's and SageMaker's traces next to their data. Each case is made here, and
//! its figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::findings::Rule;
use steplens_core::{Category, Study};
use steplens_report::verdict;
use steplens_tests::opened::{open, study};
use steplens_tests::tensorflow::{list, named, profiled, row, text};

/// A step of Keras of 20 ms: an upload of 5 ms, then kernels for 6 ms; and callbacks until 7 s, which write for 160 ms.
const ONE_STEP: [(i64, &str, i64, i64, i64, &str); 7] = [
    (2, "train_function", 0, 20_000, 0, ""),
    (2, "cuMemcpyHtoDAsync", 1_000, 6_000, 1, ""),
    (13, "MemcpyH2D", 1_500, 5_000, 1, ""),
    (2, "cuLaunchKernel", 12_000, 100, 2, ""),
    (13, "gemm", 12_200, 6_000, 2, "a"),
    (2, "LogicalAnd:LogicalAnd", 2_000_000, 10, 0, ""),
    (2, "FlushSummaryWriter:FlushSummaryWriter", 6_840_000, 160_000, 0, ""),
];

#[test]
fn findings_are_about_the_step_that_the_verdict_is_about() {
    let own = profiled(&ONE_STEP);
    let said = verdict::of(&own, true);
    assert!(
        said.main.starts_with("The step (train_function), 20.00 ms of a recording of 7.000 s"),
        "{}",
        said.main
    );
    assert!(
        said.sentence.contains("The longest op there is FlushSummaryWriter (160.0 ms)."),
        "{}",
        said.sentence
    );
    let found = list(&own);
    assert_eq!(found["step_ns"], 20_000_000, "{found}");
    // Two percent of the step, and not of the recording.
    let copies = row(&own, Rule::Copies).expect("a finding");
    let number = |field: &str| copies[field].as_i64().expect("a number");
    assert_eq!(number("share_ppm"), number("saving_ns") / 20, "{copies}");
    assert!(text(&copies, "sentence").contains("of the step can be saved"), "{copies}");
    // What to look at is in the step, by its row in the whole.
    let rows = found["findings"].as_array().expect("findings");
    let places: Vec<&Value> =
        rows.iter().flat_map(|row| row["where"].as_array().into_iter().flatten()).collect();
    assert!(
        !places.is_empty() && places.iter().all(|own| own["end_ns"].as_i64() <= Some(20_000_000)),
        "{found}"
    );
    for place in places {
        let op =
            own.trace().ops().ids().nth(place["op_row"].as_u64().expect("a row") as usize).expect("an op");
        assert_eq!(own.trace().op_name(op), text(place, "op"));
        assert_eq!(own.trace().ops().start(op).0, place["start_ns"].as_i64().expect("a time"));
    }
}

#[test]
fn copies_that_nothing_hides_are_said_and_get_the_advice_for_copies() {
    let own = profiled(&ONE_STEP);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("Copies that no compute hides take 25.0 % of the time."), "{said}");
    let mut held = ONE_STEP;
    (held[1].2, held[1].3, held[3].2, held[4].2) = (100, 11_000, 11_200, 11_400);
    (held[2].2, held[2].3) = (10_000, 1_000);
    let waits = row(&profiled(&held), Rule::HostBound);
    assert!(waits.is_none_or(|own| !text(&own, "advice").contains("larger batches")));
}

/// What TensorFlow 2.1 writes of a CPU, of the thread that calls alone.
fn host(events: &[(&str, i64, i64)]) -> Study {
    let mut all = vec![named("process_name", 7, 0, "/host:CPU"), named("thread_name", 7, 1, "python3")];
    all.extend(events.iter().map(|&(name, ts, dur)| {
        json!({ "ph": "X", "name": name, "pid": 7, "tid": 1, "ts": ts, "dur": dur, "args": {} })
    }));
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    study(open(&[("host.trace.json", text.as_bytes())]))
}

#[test]
fn a_function_whose_ops_were_not_recorded_runs_in_other_threads() {
    let own = host(&[
        ("EagerExecute: __inference_distributed_function_7", 0, 9_000),
        ("FunctionRun", 100, 8_800),
        ("LogicalAnd:LogicalAnd", 9_500, 100),
        ("WriteSummary:WriteSummary", 10_000, 9_000),
    ]);
    let said = verdict::of(&own, true);
    let main = "The step (distributed_function), 9.000 ms of a recording of 19.00 ms: for 8.800 ms of it the function runs (FunctionRun)";
    assert!(said.main.starts_with(main), "{}", said.main);
    assert!(!said.sentence.contains('%') && !said.sentence.contains("prepares"), "{}", said.sentence);
    assert!(!text(&list(&own), "sentence").contains('%'), "{}", list(&own));
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

#[test]
fn a_tpu_that_a_program_used_is_missing() {
    let events: Vec<(&str, i64, i64)> = (0..20)
        .flat_map(|at| {
            [
                ("tpu::System::TransferToDevice", at * 100_000, 200),
                ("XlaLinearize", at * 100_000 + 300, 2_000),
            ]
        })
        .collect();
    let own = host(&events);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("What its TPU did was not recorded.") && !said.contains("compute"), "{said}");
}

#[test]
fn compiling_is_no_compute_of_a_program_that_otherwise_rests() {
    let own =
        host(&[("TfrtCpuClient::Compile", 0, 27_300), ("TfrtCpuExecutable::ExecuteHelper", 273_500, 40)]);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("what only a first call does takes 10.0 % of the time"), "{said}");
    let found = row(&own, Rule::FirstStep).expect("a finding");
    assert_eq!(found["saving_ns"], 27_300_000, "{found}");
}

#[test]
fn taking_a_batch_that_is_there_is_no_wait() {
    let of = |length: i64| {
        let events: Vec<(&str, i64, i64)> = (0..4)
            .flat_map(|at| {
                [
                    ("IteratorGetNext:IteratorGetNext", at * 1_000, length),
                    ("a:MatMul", at * 1_000 + length, 400),
                ]
            })
            .collect();
        row(&host(&events), Rule::InputBound)
    };
    assert!(of(300).is_some());
    assert_eq!(of(60), None);
}
