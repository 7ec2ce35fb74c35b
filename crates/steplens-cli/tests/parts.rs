//! Opening a subset on the command line: some devices, a window of time, or as much as fits into memory.

#![allow(clippy::unwrap_used, reason = "a test that cannot run the program fails")]

use crate::common::{output, parse_csv, run, steplens};

/// The number of ops in a summary of a subset of `ps4w.pb`, and the text on standard error.
fn part(arguments: &[&str]) -> (u64, String) {
    let all = ["summary", "ps4w.pb", "--csv"].iter().chain(arguments);
    let said = run(&mut steplens(all));
    assert_eq!(said.code, 0, "{}", said.err);
    let json = output(&[&["summary", "ps4w.pb", "--json"], arguments].concat());
    let ops = json.split("\"ops\":").nth(2).unwrap();
    (ops.split(',').next().unwrap().parse().unwrap(), said.err)
}

#[test]
fn some_devices() {
    let (ops, said) = part(&["--devices", "/job:ps/|worker.*task:3/"]);
    assert_eq!(ops, 1_188 + 746);
    assert!(
        said.contains(
            "2,241 × left-out-devices: ops of devices that `/job:ps/|worker.*task:3/` does not match"
        ),
        "{said}"
    );
}

#[test]
fn a_window_counts_from_the_first_start_of_all_devices() {
    let (ops, said) = part(&["--window", "100ms..150ms"]);
    let starts = output(&["ops", "ps4w.pb", "--csv"]);
    let mut rows = starts.lines();
    let head: Vec<&str> = rows.next().unwrap().split(',').collect();
    let column = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let (start, end) = (column("start_ns"), column("end_ns"));
    let wanted = rows.filter(|row| {
        let time = |column: usize| row.split(',').nth(column).unwrap().parse::<i64>().unwrap();
        time(start) < 150_000_000 && (time(end) > 100_000_000 || time(start) == 100_000_000)
    });
    assert_eq!(ops, wanted.count() as u64);
    assert!(said.contains("× left-out-window: "), "{said}");
    assert_eq!(part(&["--window", ".."]), (4_175, String::new()));
    assert_eq!(part(&["--window", "0s..339.1ms"]), (4_175, String::new()));
}

#[test]
fn what_does_not_fit_is_told_with_what_to_do() {
    let (ops, said) = part(&["--memory", "0"]);
    assert!((1..4_175).contains(&ops));
    assert!(said.contains(&format!("{} × memory-limit: ", 4_175 - ops)), "{said}");
    assert!(said.contains("--devices REGEX opens some of the devices, --window START..END a window of time"));
}

/// The rows of a sheet without their places among the steps of the files, which are all `step`.
fn without_steps(csv: &str, step: &str) -> Vec<Vec<String>> {
    let mut rows = parse_csv(csv);
    if let Some(column) = rows[0].iter().position(|name| name == "step") {
        let steps: Vec<_> = rows.iter_mut().map(|row| row.remove(column)).collect();
        assert!(steps[1..].iter().all(|own| own == step));
    }
    rows
}

#[test]
fn a_step_alone_is_the_file_that_holds_only_it() {
    for (command, step, alone) in
        [("ops", "1", "ps4w.pb"), ("ops", "2", "ps4w-later.pb"), ("transfers", "2", "ps4w-later.pb")]
    {
        let of_both = output(&[command, "--csv", "ps4w.pb", "ps4w-later.pb", "--step", step]);
        let of_both = without_steps(&of_both, step);
        assert!(of_both == without_steps(&output(&[command, "--csv", alone]), "1"), "{command} {alone}");
    }
    let csv = output(&["steps", "--csv", "ps4w.pb", "ps4w-later.pb"]);
    let json: serde_json::Value =
        serde_json::from_str(&output(&["steps", "--json", "ps4w.pb", "ps4w-later.pb"])).unwrap();
    assert_eq!(csv.lines().count(), 3);
    let steps = json["steps"].as_array().unwrap();
    assert_eq!(steps.iter().map(|step| step["ops"].as_u64().unwrap()).collect::<Vec<_>>(), [4_175, 4_027]);
    assert_eq!((&json["schema"], &json["rule"]), (&"steplens.steps/1".into(), &"content".into()));
}

#[test]
fn what_cannot_be_selected_is_told() {
    let said = |arguments: &[&str]| {
        let said = run(&mut steplens(["summary", "ps4w.pb"].iter().chain(arguments)));
        assert_eq!((said.code, said.out.as_str()), (2, ""));
        said.err
    };
    assert!(said(&["--devices", "("]).contains("--devices: the pattern `(` is not a regular expression"));
    assert!(
        said(&["--window", "5..9"])
            .contains("`5..9` is no window of time. Give START..END such as 10ms..20ms")
    );
    assert!(said(&["--window", "9ms..9ms"]).contains("Give an end after the start"));
    assert!(said(&["--devices", "tpu"]).contains("ps4w.pb: none of its 4175 ops is on the devices"));
    let said = run(&mut steplens(["summary", "-", "--window", "1ms.."]));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("standard input can be read only once"));
}
