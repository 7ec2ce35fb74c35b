//! `steplens check`: limits that steps keep or exceed, as exit code, text, JSON and CSV.

use crate::common::{Said, parse_csv, run, steplens};
use serde_json::{Value, json};

const STEPS: [&str; 2] = ["ps4w.pb", "ps4w-later.pb"];

fn check(options: &[&str]) -> Said {
    run(&mut steplens(["check"].iter().chain(&STEPS).chain(options)))
}

/// The figures are those of `steplens steps`: two steps of 339.0 ms and 372.2 ms, with 53.20 ms and 39.22 ms of exposed communication.
#[test]
fn limits_are_kept_or_exceeded() {
    let said = run(&mut steplens(["steps", STEPS[0], STEPS[1], "--json"]));
    let steps: Value = serde_json::from_str(&said.out).unwrap();
    let figure = |row: usize, name: &str| steps["steps"][row][name].as_f64().unwrap();
    let share = |row| figure(row, "exposed_communication_ns") / figure(row, "window_ns");
    for (options, code, over) in [
        (&["--max-step", "373ms"][..], 0, json!([[]])),
        (&["--max-step", "372ms"], 1, json!([[2]])),
        (&["--max-step", "0ms"], 1, json!([[1, 2]])),
        (&["--max-exposed-communication", "16%"], 0, json!([[]])),
        (&["--max-exposed-communication", "15.5%"], 1, json!([[1]])),
        (&["--max-exposed-communication", "100%", "--max-step", "340ms"], 1, json!([[2], []])),
        (&["--max-step", "340ms", "--step", "1"], 0, json!([[]])),
        (&["--max-step", "340ms", "--step", "2"], 1, json!([[2]])),
    ] {
        let text = check(options);
        assert_eq!((text.code, text.err.as_str()), (code, ""), "{options:?}: {}", text.out);
        let sentence = if code == 0 { "every step keeps the limits" } else { "a limit is exceeded" };
        assert!(text.out.contains(sentence), "{}", text.out);
        let said = check(&[options, &["--json"]].concat());
        assert_eq!(said.code, code);
        let found: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(found["passed"], json!(code == 0), "{options:?}");
        let limits = found["limits"].as_array().unwrap();
        let found_over: Vec<&Value> = limits.iter().map(|row| &row["over"]).collect();
        assert_eq!(json!(found_over), over, "{options:?}");
        for row in limits.iter().filter(|_| !options.contains(&"--step")) {
            let (worst, step) = match row["limit"].as_str().unwrap() {
                "max-step" => (figure(1, "window_ns"), 2),
                _ => (share(0), 1),
            };
            assert_eq!((row["worst"].as_f64(), &row["worst_step"]), (Some(worst), &json!(step)));
        }
        let said = check(&[options, &["--csv"]].concat());
        assert_eq!((said.code, parse_csv(&said.out).len()), (code, 1 + limits.len()));
    }
}

#[test]
fn a_figure_that_is_nothing_in_every_step_has_a_worst_step() {
    let said = run(&mut steplens(["check", "mnist-adam.pb", "--max-exposed-communication", "1%", "--json"]));
    let found: Value = serde_json::from_str(&said.out).unwrap();
    let [limit] = &found["limits"].as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!((&limit["worst"], &limit["worst_step"], &limit["over"]), (&json!(0.0), &json!(1), &json!([])));
}

#[test]
fn wrong_limits_are_explained() {
    for (options, sentence) in [
        (&[][..], "nothing to check. Give --max-step LENGTH"),
        (&["--max-step", "300"], "`300` is no length of time"),
        (&["--max-exposed-communication", "0.2"], "`0.2` is no share"),
    ] {
        let said = check(options);
        assert_eq!((said.code, said.out.as_str()), (2, ""));
        assert!(said.err.contains(sentence), "{}", said.err);
    }
    let missing = run(&mut steplens(["check", "no-such.pb", "--max-step", "1s"]));
    assert_eq!(missing.code, 2, "{}", missing.err);
}
