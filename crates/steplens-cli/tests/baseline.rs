//! `steplens baseline`, and `steplens check` against it: steps that are slower, and steps that only vary, as exit code, text, JSON, CSV,
//! annotations, JUnit's XML and Markdown; and the workflow of `docs/check.md`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{Said, folder, parse_csv, run, steplens, timed_run_metadata};
use crate::places::root;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lengths of steps in µs before what changes: no two are equal, and none stands out.
const VARIES: [u64; 8] = [0, 31, 7, 19, 44, 12, 26, 38];

/// A folder of `steps` traces. `conv` takes 2 ms and `conv_us` more, and is called as the name says.
fn traces(name: &str, steps: usize, conv_us: u64, conv: &str) -> PathBuf {
    let folder = folder(name);
    for (place, varies) in VARIES.iter().take(steps).enumerate() {
        let read = ("read", "read = ReadBatch()", 3_000 + varies);
        let conv = (conv, format!("{conv} = Conv2D(read)"), 2_000 + conv_us + varies / 3);
        let ops = [read, (conv.0, &conv.1, conv.2)];
        let device = "/job:worker/replica:0/task:0/device:CPU:0";
        let start_us = 1_700_000_000_000_000 + place as u64 * 20_000;
        fs::write(folder.join(format!("{place}.pb")), timed_run_metadata(device, start_us, &ops)).unwrap();
    }
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The baseline of a run of eight steps.
fn baseline(name: &str) -> PathBuf {
    let base = folder(name).join("main.baseline");
    let from = traces(&format!("{name}-traces"), 8, 0, "conv");
    let said = run(&mut steplens(["baseline", text(&from), "-o", text(&base)]));
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(said.out.contains("of 8 steps"), "{}", said.out);
    base
}

fn check(traces: &Path, base: &Path, options: &[&str]) -> Said {
    run(&mut steplens([&["check", text(traces), "--baseline", text(base)], options].concat()))
}

#[test]
fn slower_steps_fail_and_others_pass() {
    let base = baseline("baseline-verdicts");
    assert!(fs::metadata(&base).unwrap().len() < 4_096, "it is small");
    let median = |own: &Value, side: &str| own["baseline"][side]["median_ns"].as_i64().unwrap();
    for (name, conv_us, options, code, verdict) in [
        ("same", 0, &[][..], 0, "within"),
        // 260 µs of some 5,030 µs are 5.2 %.
        ("slower", 260, &[], 1, "over"),
        ("allowed", 260, &["--max-regression", "6%"], 0, "within"),
        ("any", 20, &["--max-regression", "0%"], 0, "within"),
    ] {
        let own = traces(&format!("baseline-{name}"), 8, conv_us, "conv");
        let said = check(&own, &base, &[options, &["--json"]].concat());
        assert_eq!((said.code, said.err.as_str()), (code, ""), "{name}: {}", said.out);
        let json: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(json["baseline"]["verdict"], verdict, "{name}");
        assert_eq!(json["passed"], code == 0);
        // Read, and conv with a third of what varies; the median of eight is the mean of the two in the middle.
        let lengths = |more: u64| {
            let mut all: Vec<u64> = VARIES.iter().map(|own| 5_000 + own + own / 3 + more).collect();
            all.sort_unstable();
            (all[3] + all[4]) as i64 * 1_000 / 2
        };
        assert_eq!((median(&json, "a"), median(&json, "b")), (lengths(0), lengths(conv_us)), "{name}");
        let csv = check(&own, &base, &[options, &["--csv"]].concat());
        let rows = parse_csv(&csv.out);
        assert_eq!(rows[1][0], "max-regression");
        assert_eq!(rows[1][6], (code == 0).to_string());
        let growth: f64 = rows[1][3].parse().unwrap();
        let wanted = lengths(conv_us) as f64 / lengths(0) as f64 - 1.0;
        assert!((growth - wanted).abs() < 1e-9, "{name}: {growth} {wanted}");
        let bars = json["baseline"]["waterfall"].as_array().unwrap();
        let sum: i64 = bars.iter().map(|bar| bar["difference_ns"].as_i64().unwrap()).sum();
        assert_eq!(sum, json["baseline"]["difference_ns"].as_i64().unwrap());
        if conv_us == 260 {
            assert_eq!((&bars[0]["op_type"], &bars[0]["difference_ns"]), (&"Conv2D".into(), &260_000.into()));
            let types = json["baseline"]["op_types"].as_array().unwrap();
            assert_eq!(types.iter().map(|row| &row["op_type"]).collect::<Vec<_>>(), ["Conv2D"]);
        }
    }
}

#[test]
fn a_baseline_is_a_trace_and_a_trace_is_a_baseline() {
    let base = baseline("baseline-as-trace");
    let said = run(&mut steplens(["summary", text(&base), "--json"]));
    assert_eq!(said.code, 0, "{}", said.err);
    let json: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(json["ops"], 2);
    let (own, before) = (traces("baseline-own", 8, 300, "conv"), traces("baseline-before", 8, 0, "conv"));
    let by_file = check(&own, &base, &["--json"]);
    let by_traces = check(&own, &before, &["--json"]);
    assert_eq!(by_file.out, by_traces.out);
    // It keeps the figures of all eight steps, and the ops of one.
    let compared = run(&mut steplens(["compare", text(&base), text(&own), "--json"]));
    let json: Value = serde_json::from_str(&compared.out).unwrap();
    assert_eq!((&json["a"]["steps"], &json["a"]["ops"]), (&8.into(), &2.into()));
    assert_eq!(json["steps"]["significant"], true);
}

#[test]
fn each_limit_is_judged_and_what_is_not_known_is_said() {
    let base = baseline("baseline-growth");
    let judged = |said: &Said, limit: &str| {
        let json: Value = serde_json::from_str(&said.out).unwrap();
        let rows = json["baseline"]["growths"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["limit"] == limit).unwrap()
    };
    // 200 µs of a step of some 5,030 µs are 4.0 %.
    let slower = traces("baseline-growth-slower", 8, 200, "conv");
    for (options, code, verdict) in [
        (&[][..], 0, "no-limit"),
        (&["--max-op-type-growth", "5%"], 0, "within"),
        (&["--max-op-type-growth", "3%"], 1, "over"),
    ] {
        let said = check(&slower, &base, &[options, &["--json"]].concat());
        let row = judged(&said, "max-op-type-growth");
        assert_eq!((said.code, row["verdict"].as_str()), (code, Some(verdict)), "{row}");
        assert!((row["growth"].as_f64().unwrap() - 0.04).abs() < 0.001, "{row}");
        let sentence = row["sentence"].as_str().unwrap();
        assert!(sentence.starts_with("Conv2D takes 200.0 µs longer in a step: "), "{sentence}");
        assert_eq!(sentence.contains("At most 3.0 % of the step may be more."), code == 1, "{sentence}");
    }
    // Neither has memory: that is said, and nothing grew.
    let said = check(&slower, &base, &["--json", "--max-memory-growth", "0%", "--max-new-findings", "0"]);
    assert_eq!(
        (said.code, judged(&said, "max-memory-growth")["verdict"].as_str()),
        (0, Some("not-recorded"))
    );
    assert_eq!(judged(&said, "max-new-findings")["verdict"], "within");
    // A baseline of before does not have these figures. It is read, and a limit for them cannot be judged.
    let mut unpacked = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*fs::read(&base).unwrap()), &mut unpacked)
        .unwrap();
    let place = unpacked.windows(11).position(|own| own == b"\"step_use\":").unwrap();
    unpacked[place + 1..place + 9].copy_from_slice(b"stepping");
    let before = base.with_extension("before");
    fs::write(&before, &unpacked).unwrap();
    assert_eq!(check(&slower, &before, &[]).code, 0);
    let said = check(&slower, &before, &["--json", "--max-transfer-growth", "10%"]);
    let row = judged(&said, "max-transfer-growth");
    assert_eq!((said.code, row["verdict"].as_str()), (2, Some("not-judged")));
    assert!(row["sentence"].as_str().unwrap().contains("write it again"), "{row}");
    // Every form has a row for each limit.
    let junit = base.with_extension("growth.xml");
    let options =
        ["--max-op-type-growth", "3%", "--max-exposed-growth", "2%", "--github", "--junit", text(&junit)];
    let said = check(&slower, &base, &options);
    assert!(
        said.out.lines().any(|line| line.starts_with("::error ") && line.contains("Conv2D takes")),
        "{}",
        said.out
    );
    let xml = fs::read_to_string(&junit).unwrap();
    assert!(
        xml.contains("tests=\"3\" failures=\"1\"") && xml.contains("name=\"max-exposed-growth\""),
        "{xml}"
    );
    let csv = parse_csv(&check(&slower, &base, &["--csv", "--max-op-type-growth", "3%"]).out);
    assert_eq!((csv[2][0].as_str(), csv[2][6].as_str()), ("max-op-type-growth", "false"));
}

#[test]
fn few_steps_are_not_judged() {
    let base = baseline("baseline-few");
    let few = traces("baseline-few-own", 3, 900, "conv");
    let said = check(&few, &base, &[]);
    assert_eq!(said.code, 2);
    assert!(said.out.contains("Not judged") && said.out.contains("cannot be judged"), "{}", said.out);
    // Nobody is to take it for a pass.
    let annotated = check(&few, &base, &["--github"]);
    assert!(annotated.out.lines().any(|line| line.starts_with("::error ")), "{}", annotated.out);
    assert!(!annotated.out.contains("::notice "), "{}", annotated.out);
    // Whatever can be judged is: a limit that is exceeded fails.
    assert_eq!(check(&few, &base, &["--max-step", "1ms"]).code, 1);
    let short = folder("baseline-short").join("short.baseline");
    let said = run(&mut steplens(["baseline", text(&few), "-o", text(&short)]));
    assert_eq!(said.code, 0);
    assert!(said.err.contains("Record at least 4"), "{}", said.err);
    assert_eq!(check(&base, &short, &[]).code, 2);
}

#[test]
fn every_form_says_it() {
    let base = baseline("baseline-forms");
    let hostile = "conv<b>@all|x";
    let own = traces("baseline-forms-own", 8, 500, hostile);
    let (junit, markdown) = (base.with_extension("xml"), base.with_extension("md"));
    let said = check(&own, &base, &["--github", "--junit", text(&junit), "--markdown", text(&markdown)]);
    assert_eq!((said.code, said.err.as_str()), (1, ""));
    let first = said.out.lines().find(|line| line.starts_with("::error ")).unwrap();
    assert!(first.contains("The steps take 9.9 %25 longer") && first.contains("%0A"), "{first}");
    let xml = fs::read_to_string(&junit).unwrap();
    let xml = roxmltree::Document::parse(&xml).unwrap();
    let suite = xml.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    assert_eq!((suite.attribute("tests"), suite.attribute("failures")), (Some("1"), Some("1")));
    let failure = xml.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    assert!(failure.attribute("message").unwrap().contains("9.9 %"));
    assert!(failure.text().unwrap().contains(hostile), "{:?}", failure.text());
    let markdown = fs::read_to_string(&markdown).unwrap();
    assert!(markdown.contains("a limit is exceeded") && markdown.contains("- "), "{markdown}");
    assert!(markdown.contains("conv&lt;b>&#64;all\\|x") && !markdown.contains("<b>"), "{markdown}");
    let both = check(&own, &base, &["--github", "--json"]);
    assert_eq!(both.code, 2, "annotations are no JSON");
    let passed = check(&traces("baseline-forms-same", 8, 0, "conv"), &base, &["--junit", "-"]);
    assert_eq!(passed.code, 0);
    assert!(passed.out.contains("failures=\"0\""), "{}", passed.out);
}

#[test]
fn up_to_five_steps_over_a_limit_are_named() {
    for (steps, words) in [(5, "1, 2, 3, 4, 5"), (6, "1, 2, 3, 4, 5 and 1 more")] {
        let own = traces(&format!("baseline-over-{steps}"), steps, 0, "conv");
        let said = run(&mut steplens(["check", text(&own), "--max-step", "0ms"]));
        assert!(said.out.lines().any(|line| line.ends_with(words)), "{}", said.out);
    }
}

#[test]
fn what_cannot_be_used_is_said() {
    let base = baseline("baseline-bad");
    let own = traces("baseline-bad-own", 8, 0, "conv");
    for (options, word) in [(&["--max-regression", "5"][..], "5%"), (&["--max-regression", "101%"], "share")]
    {
        let said = check(&own, &base, options);
        assert_eq!(said.code, 2);
        assert!(said.err.contains(word), "{}", said.err);
    }
    let none = run(&mut steplens(["check", text(&own), "--max-regression", "5%"]));
    assert_eq!(none.code, 2);
    assert!(none.err.contains("--baseline"), "{}", none.err);
    let missing = check(&own, &base.with_extension("gone"), &[]);
    assert_eq!(missing.code, 2);
    let over = run(&mut steplens(["baseline", text(&base), "-o", text(&base)]));
    assert_eq!(over.code, 2);
    // Figures that are not there any more.
    let mut unpacked = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*fs::read(&base).unwrap()), &mut unpacked)
        .unwrap();
    let place = unpacked.windows(14).position(|own| own == b"steplens.past/").unwrap();
    unpacked[place] = b'X';
    let damaged = base.with_extension("damaged");
    fs::write(&damaged, &unpacked).unwrap();
    let said = check(&own, &damaged, &[]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("baseline-damaged") && said.err.contains("Make the baseline again"),
        "{}",
        said.err
    );
    // Its step is there all the same.
    assert_eq!(run(&mut steplens(["summary", text(&damaged)])).code, 0);
}

/// Runs what the workflow in the documentation runs, with traces from a script in place of the training.
#[test]
#[cfg(unix)]
fn the_workflow_of_the_documentation_runs() {
    use std::os::unix::fs::PermissionsExt;
    let document = fs::read_to_string(root().join("docs/check.md")).unwrap();
    let workflow = document.split("```yaml").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let commands = commands_of(workflow);
    assert_eq!(commands.len(), 3, "{commands:?}");
    let desk = folder("baseline-workflow");
    let tools = desk.join("tools");
    fs::create_dir_all(&tools).unwrap();
    let python = tools.join("python");
    fs::write(&python, "#!/bin/sh\ntest \"$1 $2\" = 'train.py --traces' && cp -r recorded \"$3\"\n").unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    fs::copy(baseline("baseline-workflow-base"), desk.join("main.baseline")).unwrap();
    let program = crate::places::program("steplens");
    let path = format!(
        "{}:{}:{}",
        tools.display(),
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    for (name, conv_us, fails) in [("same", 0, false), ("slower", 700, true)] {
        let _ = fs::remove_dir_all(desk.join("traces"));
        let _ = fs::remove_dir_all(desk.join("recorded"));
        fs::rename(traces(&format!("baseline-workflow-{name}"), 8, conv_us, "conv"), desk.join("recorded"))
            .unwrap();
        let codes = commands.iter().map(|command| {
            let mut shell = Command::new("bash");
            shell.args(["-eo", "pipefail", "-c", command]).current_dir(&desk).env("PATH", &path);
            shell.env("GITHUB_STEP_SUMMARY", desk.join("summary.md")).status().unwrap().success()
        });
        assert_eq!(codes.collect::<Vec<_>>(), [true, !fails, true], "{name}");
    }
    let summary = fs::read_to_string(desk.join("summary.md")).unwrap();
    assert!(
        summary.contains("every step keeps the limits") && summary.contains("a limit is exceeded"),
        "{summary}"
    );
}

/// The commands of a workflow: `run: command`, or `run: >` and indented lines that make one.
fn commands_of(workflow: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut lines = workflow.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(command) = line.trim_start().strip_prefix("run: ") else { continue };
        if command != ">" {
            commands.push(command.to_owned());
            continue;
        }
        let indent = |line: &str| line.len() - line.trim_start().len();
        let mut folded = Vec::new();
        while let Some(more) = lines.next_if(|more| indent(more) > indent(line)) {
            folded.push(more.trim());
        }
        commands.push(folded.join(" "));
    }
    commands
}
