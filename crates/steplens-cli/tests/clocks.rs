//! `--clocks`: everything is shown with clocks set right or by hand, and what cannot be set is said.

use crate::common::{output, run, steplens};
use serde_json::Value;

const SKEWED: &str = "ps4w-skewed.pb";

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&output(arguments)).unwrap_or_default()
}

#[test]
fn clocks_are_set_on_every_command() {
    let span = |clocks: &str| {
        let summary = json(&["summary", "--json", "--clocks", clocks, SKEWED]);
        (summary["view"]["clocks"].clone(), summary["span_ns"].as_i64().unwrap_or_default())
    };
    let one_clock = json(&["summary", "--json", "ps4w.pb"])["span_ns"].as_i64().unwrap_or_default();
    let (recorded, skewed) = span("recorded");
    assert_eq!((recorded, skewed - one_clock > 15_000_000), (Value::Null, true));
    let (estimated, set) = span("estimated");
    assert_eq!(estimated, serde_json::json!(["estimated"]));
    assert!((set - one_clock).abs() < 2_000_000);
    let by_hand = "/job:worker/replica:0/task:1=8.3ms,/job:worker/replica:0/task:2=-21ms,/job:worker/replica:0/task:3=150us";
    assert_eq!(span(by_hand).1, one_clock);
    let text = output(&["clocks", "--clocks", by_hand, SKEWED]);
    assert!(text.contains("clocks set by hand, of 3 tasks"), "{text}");
    assert!(
        text.contains("241 tensors arrive before they are sent, 0 with these offsets subtracted"),
        "{text}"
    );
    let early = |clocks: &str| {
        let json = json(&["transfers", "--json", "--clocks", clocks, SKEWED]);
        let rows = json["transfers"].as_array().cloned().unwrap_or_default();
        let is_early = |row: &&Value| row["received_ns"].as_i64() < row["producer_end_ns"].as_i64();
        (rows.len(), rows.iter().filter(is_early).count())
    };
    assert_eq!([early("recorded"), early("estimated")], [(991, 241), (991, 0)]);
}

#[test]
fn what_cannot_be_set_is_said() {
    for (clocks, wanted) in [
        ("later", "--clocks: `later` is no setting. Give recorded, estimated or TASK=OFFSET"),
        ("/job:worker/replica:0/task:1=7", "--clocks: `/job:worker/replica:0/task:1=7` is no setting"),
        ("/job:other/replica:0/task:1=7ms", "has no ops. Give one that `steplens clocks` lists"),
    ] {
        let said = run(&mut steplens(["summary", "--clocks", clocks, SKEWED]));
        assert_eq!(said.code, 2);
        assert!(said.err.contains(wanted), "{}", said.err);
    }
}
