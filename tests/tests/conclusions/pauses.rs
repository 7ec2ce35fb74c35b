//! Time in which no op was recorded on a host, and threads that stand still: how often, before what, and who takes the time.

use super::made::{
    in_turn, launched, launched_as, launched_for, of_torch, said, said_of_recording, with_gpus,
};
use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::findings::{Rule, Subject, Verdict};
use steplens_report::causality::CriticalPath;
use steplens_report::verdict;
use steplens_tests::opened::{HOST, event, found, on_host, row, study_of, text, torch, with_gpu};
use steplens_tests::tensorflow::profiled;

/// 200 operators of 5 µs, 95 µs apart, and 100 ms after half of them; what else ran.
fn with_a_pause(others: &[Value]) -> Study {
    let at = |place: i32| f64::from(place) * 100.0 + if place < 100 { 0.0 } else { 100_000.0 };
    let mut events: Vec<Value> =
        (0..200).map(|place| on_host("cpu_op", "aten::add", at(place), 5.0)).collect();
    events.extend_from_slice(others);
    with_gpu(&events)
}

#[test]
fn a_long_pause_is_not_many_small_calls() {
    let own = said(&with_a_pause(&[]));
    assert!(!own.contains("many small calls"), "{own}");
    // The last op before it ended at 9,905 µs, the next began at 110,000.
    assert!(
        own.contains("The longest pause between its ops takes 100.1 ms (83.5 %), before aten::add."),
        "{own}"
    );
}

#[test]
fn a_pause_in_the_profiler_is_the_profilers() {
    let frame = |name: &str| on_host("python_function", name, 9_950.0, 100_000.0);
    let of_program = said(&with_a_pause(&[frame("train.py(3): save")]));
    assert!(of_program.contains("before aten::add: train.py(3): save ran."), "{of_program}");
    let study = with_a_pause(&[frame("torch/profiler/profiler.py(797): step"), frame("<built-in method>")]);
    let own = said(&study);
    assert!(
        own.contains("is the profiler’s, not the program’s: torch/profiler/profiler.py(797): step ran."),
        "{own}"
    );
    let tracing = row(&study, Rule::Tracing).expect("a finding");
    assert!(tracing["what"].as_str().unwrap_or_default().contains("100 ms"), "{tracing}");
}

#[test]
fn a_time_between_ops_is_no_time_of_the_next_one() {
    let study = with_a_pause(&[]);
    let path = CriticalPath::of(&study);
    let of = |key: &str| path.by_op_type.iter().find(|own| own.key == key).map(|own| own.length_ns / 1_000);
    assert_eq!(of("aten::add"), Some(1_000));
    assert_eq!(of("between ops"), Some(119_905 - 1_000));
}

const WATCHDOG: (i64, i64) = (100, 200);

/// Three steps of 100 ms. In each, the program records nothing for 80 ms while another thread polls.
fn pauses() -> Study {
    let mut events = Vec::new();
    for step in 0..3_i64 {
        let at = step as f64 * 100_000.0;
        events.push(on_host("user_annotation", &format!("ProfilerStep#{step}"), at, 100_000.0));
        events.push(on_host("user_annotation", "sparse arch", at + 5.0, 90_000.0));
        events.push(on_host("cpu_op", "aten::mul", at + 10.0, 9_000.0));
        events.push(on_host("cpu_op", "exchange", at + 89_010.0, 500.0));
        events.push(on_host("cpu_op", "aten::add", at + 89_600.0, 10_000.0));
        events.extend(launched_for(step + 1, at + 89_100.0, at + 89_200.0, 9_000.0));
        for poll in 0..10 {
            events.push(event(
                "cuda_runtime",
                "cudaEventQuery",
                WATCHDOG,
                (at + 10_000.0 * f64::from(poll) + 2_500.0, 3.0),
                &json!({}),
            ));
        }
    }
    with_gpu(&events)
}

#[test]
fn pauses_of_one_length_are_one_sentence_and_no_thread_that_polls_cuts_them() {
    let own = pauses();
    let said = verdict::of(&own, false).sentence;
    assert!(said.contains("3 pauses, one in each step, of 80.00 ms"), "{said}");
    assert!(said.contains("before exchange") && said.contains("in sparse arch"), "{said}");
    let path = &own.causes().observed.segments;
    assert!(path.iter().all(|own_segment| own.trace().op_name(own_segment.op) != "cudaEventQuery"));
}

#[test]
fn a_host_that_rests_while_its_gpu_works_makes_no_pause() {
    let of = |work: i64| {
        let mut events = Vec::new();
        for place in 0..10 {
            let at = 1_000 + place * 100;
            events.push((1, "cuLaunchKernel", at, 10, place + 1, ""));
            events.push((13, "gemm", 1_050 + place * work, work, place + 1, "a:MatMul"));
        }
        // It launches again 80 ms later.
        events.push((1, "cuLaunchKernel", 82_000, 10, 20, ""));
        events.push((13, "add", 82_100, 5, 20, "b:Add"));
        profiled(&events)
    };
    let pauses = |study: &Study| Verdict::of(&Subject::of(study)).map(|own| own.pauses.len());
    assert_eq!(pauses(&of(8_000)), Some(0));
    assert_eq!(pauses(&of(100)), Some(1));
}

#[test]
fn a_long_pause_before_kernels_of_a_compiler_may_compile_them() {
    let first = |kernel: &str| {
        let mut events = launched_as(1, (0.0, 10.0), (kernel, 20.0, 40.0)).to_vec();
        events.extend(launched_as(2, (900_000.0, 10.0), (kernel, 900_020.0, 900_040.0)));
        events.push(event(
            "kernel",
            "at::native::fill",
            (0, 7),
            (900_050.0, 10.0),
            &json!({ "device": 0, "stream": 7 }),
        ));
        text(&found(&with_gpu(&events), "host-bound"), "advice").to_owned()
    };
    assert!(
        first("triton_poi_fused_0").contains("it compiles in that pause"),
        "{}",
        first("triton_poi_fused_0")
    );
    assert!(!first("gemm").contains("compiles in that pause"), "{}", first("gemm"));
}

/// Programs whose threads stand still in operators that do nothing, in turn.
fn crowded(ranks: i64, names: [&str; 3]) -> Study {
    let files = (0..ranks).map(|rank| {
        let mut events = Vec::new();
        let mut at = 0.0;
        for id in 0..120_i64 {
            let name = names[(id % 3) as usize];
            let length = if (id + rank * 5) % 10 < 2 && id > 10 { 10_000.0 } else { 8.0 };
            events.push(on_host("cpu_op", name, at, length));
            events.extend(launched(id + 1, (at + length + 1.0, 8.0), (at + length + 15.0, at + length + 25.0)));
            at += length + 30.0;
        }
        let said = json!({ "deviceProperties": [{ "id": 0 }], "distributedInfo": { "rank": rank, "world_size": ranks } });
        (format!("r{rank}.json"), torch(&events, &said))
    });
    study_of(files)
}

#[test]
fn a_thread_that_stood_still_ran_no_operator_for_long() {
    let own = crowded(1, ["aten::view", "aten::expand", "aten::empty"]);
    let verdict = said_of_recording(&own);
    assert!(
        verdict.contains("The thread of the program stands still 21 times, for 210.0 ms in all"),
        "{verdict}"
    );
    let host = found(&own, "host-bound");
    assert!(text(&host, "advice").contains("cores of its own"), "{host}");
    assert!(!text(&host, "advice").contains("torch.compile"), "{host}");
    // Operators that compute may take longer than others.
    let verdict = said_of_recording(&crowded(1, ["aten::mm", "aten::sort", "aten::unique"]));
    assert!(!verdict.contains("stands still"), "{verdict}");
}

#[test]
fn programs_that_stand_still_in_turn_share_cores() {
    let verdict = said_of_recording(&crowded(4, ["aten::view", "aten::expand", "aten::empty"]));
    assert!(verdict.contains("The threads of 4 programs stand still"), "{verdict}");
}

/// Views that take 8 µs, and six that take 10 ms; after each a product of 100 µs, and after six of them one of `longest`.
fn views_and_products(longest: f64) -> Study {
    let names = ["aten::view", "aten::expand", "aten::t"];
    let ops: Vec<(&str, f64)> = (0..90)
        .flat_map(|id| {
            let is_long = id % 15 == id / 15;
            let view = (names[id % 3], if is_long { 10_000.0 } else { 8.0 });
            [view, ("aten::addmm", if is_long { longest } else { 100.0 })]
        })
        .collect();
    of_torch(&in_turn(&ops))
}

#[test]
fn an_operator_that_computes_for_long_does_not_stand_still() {
    let short = said_of_recording(&views_and_products(100.0));
    assert!(short.contains("stands still 6 times, for 60.00 ms in all"), "{short}");
    // 60 ms are less than a tenth of 1.27 s, whatever the products take.
    let long = said_of_recording(&views_and_products(200_000.0));
    assert!(!long.contains("stands still"), "{long}");
}

/// Ten calls with the same shapes, of which the eighth takes `length` µs and the others 8 ms.
fn calls(length: f64) -> Option<Value> {
    let args = json!({ "Input Dims": [[5, 3, 224, 224], [64, 3, 7, 7]] });
    let mut at = 0.0;
    let events: Vec<Value> = (0..10)
        .map(|place| {
            let length = if place == 7 { length } else { 8_000.0 };
            let own = event("cpu_op", "aten::mkldnn_convolution", HOST, (at, length), &args);
            at += length + 10.0;
            own
        })
        .collect();
    row(&with_gpus(&events), Rule::DominantWork)
}

#[test]
fn a_process_that_was_held_up_once_needs_no_smaller_op() {
    let own = calls(7_400_000.0).expect("a finding");
    let sentence = own["sentence"].as_str().unwrap_or_default();
    assert!(
        sentence.starts_with(
            "One call of aten::mkldnn_convolution takes 7.40 s; the median of 9 others with the same shapes takes 8.00 ms: the process was held up once."
        ),
        "{sentence}"
    );
    assert!(!own["advice"].as_str().unwrap_or_default().contains("smaller"), "{own}");
    // Name and type are one word: it is said once.
    let longer = calls(70_000.0).expect("a finding");
    let sentence = longer["sentence"].as_str().unwrap_or_default();
    assert!(
        sentence.starts_with("aten::mkldnn_convolution takes 70 ms; the median of 9 others"),
        "{sentence}"
    );
}
