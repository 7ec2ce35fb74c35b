//! What a stranger found wrong or missing in the fourteenth reading of traces of PyTorch next to their data. Each case is made here.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_report::verdict;
use steplens_tests::opened::{on_host, study, torch};

/// A study without a GPU.
fn on_cpu(events: &[Value]) -> Study {
    study(steplens_tests::opened::open(&[("made.json", &torch(events, &json!({})))]))
}

#[test]
fn a_step_is_called_by_the_number_of_its_file() {
    let step = |number: u32, at: f64, length: f64| {
        let mark = on_host("user_annotation", &format!("ProfilerStep#{number}"), at, length);
        [mark, on_host("cpu_op", "aten::mm", at + 1.0, length - 2.0)]
    };
    let steps = [step(4, 1_000.0, 1_000.0), step(5, 2_000.0, 5_000.0), step(6, 7_000.0, 500.0)];
    let mut events = vec![on_host("cpu_op", "aten::zeros", 900.0, 50.0)];
    events.extend(steps.into_iter().flatten());
    let own = on_cpu(&events);
    assert_eq!([0, 1, 2, 3, 4].map(|row| own.step_called(row)), [None, Some(4), Some(5), Some(6), None]);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("Step 5 alone takes"), "{said}");
}
