//! `--clocks`: everything is shown with aligned clocks, or with clocks set by hand; what cannot be set is reported.

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

/// The first line says that the clocks differ, and another line says what helps. With that option, no line says it any more.
#[test]
fn clocks_that_differ_are_said_first_until_they_are_aligned() {
    for command in ["summary", "findings", "network", "critical-path"] {
        let text = output(&[command, SKEWED]);
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("Clocks differ by 29 ms: align them."), "{command}: {first}");
        assert!(text.contains("the option --clocks estimated aligns them"), "{command}: {text}");
        for compares in
            ["came last", "waited for", "were in transit", "queued behind", "What binds", "any device at all"]
        {
            assert!(!text.contains(compares), "{command} compares tasks: {compares}\n{text}");
        }
        let value = json(&[command, "--json", SKEWED]);
        assert_eq!(value["clocks"]["sentence"], "Clocks differ by 29 ms: align them", "{command}");
        assert_eq!(
            (value["clocks"]["tensors"].as_u64(), value["clocks"]["of_tensors"].as_u64()),
            (Some(241), Some(991))
        );
        let aligned = output(&[command, "--clocks", "estimated", SKEWED]);
        assert!(!aligned.contains("Clocks differ") && !aligned.contains("withheld"), "{command}: {aligned}");
        assert_eq!(json(&[command, "--json", "--clocks", "estimated", SKEWED])["clocks"], Value::Null);
        assert_eq!(json(&[command, "--json", "ps4w.pb"])["clocks"], Value::Null);
    }
    assert!(output(&["doctor", SKEWED]).contains("clocks-differ"));
    assert!(!output(&["doctor", "--clocks", "estimated", SKEWED]).contains("clocks-differ"));
    assert!(output(&["network", "--clocks", "estimated", SKEWED]).contains("came last"));
}
