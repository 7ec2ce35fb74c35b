//! Every command on every recording: the text for people, against golden files. `schemas.rs` checks JSON and CSV.
//!
//! A golden file holds what all commands print about one recording, with tables cut to a few rows by the program's `--limit`.
//! `STEPLENS_BLESS=1` writes the golden files again; read the difference before you commit it. The same recording in another
//! container has no golden file: all commands must print the same for it as for the recording.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{fixtures, folder, run, steplens};
use crate::places::root;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};
use steplens_report::answers::NAMES;

/// Answers that are short: of all others a few rows of each table are printed.
const SHORT: [&str; 4] = ["summary", "clocks", "doctor", "findings"];
const COLUMNS: &str = "120";

/// Fixtures that are not traces: figures and lists to compare with.
const NO_TRACES: [&str; 11] = [
    "README.md",
    "metrics.json",
    "lstm-while.edges.json",
    "ps4w-skewed.truth.json",
    "containers/events.json",
    "containers/paddle.json",
    "containers/pickles.json.gz",
    "containers/tracing-session.json",
    "containers/xplane.json",
    "gpu/kernels.json",
    "chrome/README.md",
];

/// The same recordings in other containers: container, recording, and the name that `summary` gives to the container's format.
const CONTAINERS: [(&str, &str, &str); 7] = [
    ("containers/mnist-adam.frames.zst", "mnist-adam.pb", "run-metadata.zst"),
    ("containers/mnist-adam.p0.pickle", "mnist-adam.pb", "pickle"),
    ("containers/mnist-adam.p2.pickle", "mnist-adam.pb", "pickle"),
    ("containers/mnist-adam.p5.pickle", "mnist-adam.pb", "pickle"),
    ("containers/mnist-adam.pb.zst", "mnist-adam.pb", "run-metadata.zst"),
    ("containers/mnist-adam.pbtxt", "mnist-adam.pb", "run-metadata-text"),
    ("containers/tf2.1.trace", "containers/tf2.1.tensorboard.json", "trace-events"),
];

/// Output of `timeline.py` for recordings that have a golden file. `tests/tests/chrome.rs` compares the traces of both; other files
/// of `timeline.py` have golden files.
const FROM_TIMELINE_PY: [&str; 8] = [
    "chrome/collective.ctf.json.gz",
    "chrome/lstm-while.ctf.json.gz",
    "chrome/mnist-adam.ctf.json.gz",
    "chrome/multidev.ctf.json.gz",
    "chrome/multidev.memory.ctf.json.gz",
    "chrome/multidev-nograph.ctf.json.gz",
    "chrome/multidev-nograph.memory.ctf.json.gz",
    "chrome/ps4w-later.ctf.json.gz",
];

/// Every trace with a golden file, by its path in the fixtures folder.
fn traces() -> Vec<String> {
    let mut found = BTreeSet::new();
    for folder in ["", "chrome", "containers", "gpu"] {
        for entry in fs::read_dir(fixtures().join(folder)).unwrap().flatten() {
            let path = Path::new(folder).join(entry.file_name()).to_str().unwrap().to_owned();
            if entry.path().is_file() && !NO_TRACES.contains(&path.as_str()) {
                found.insert(path);
            }
        }
    }
    let has_no_golden = |trace: &String| {
        FROM_TIMELINE_PY.contains(&trace.as_str()) || CONTAINERS.iter().any(|(own, ..)| own == trace)
    };
    found.retain(|trace| !has_no_golden(trace));
    found.into_iter().collect()
}

/// The output of all commands about the file `trace` in `folder`.
fn texts(folder: &Path, trace: &str) -> String {
    let mut text = String::new();
    for command in NAMES.iter().copied() {
        let options: &[&str] = if SHORT.contains(&command) { &[] } else { &["--limit", "5"] };
        let said = run(steplens([command, trace]).current_dir(folder).args(options).env("COLUMNS", COLUMNS));
        let words = [&[command, trace], options].concat().join(" ");
        text += &format!("$ COLUMNS={COLUMNS} steplens {words}\n{}{}", said.out, said.err);
        if said.code != 0 {
            text += &format!("exit code {}\n", said.code);
        }
        text += "\n";
        assert!(!said.out.lines().any(|line| line.ends_with(' ')), "{words}: spaces at the end of a line");
        let is_wide = |line: &&str| line.chars().count() > 120;
        assert_eq!(said.out.lines().find(is_wide), None, "{words} is wider than {COLUMNS} columns");
    }
    text
}

fn golden(trace: &str) -> PathBuf {
    let name = trace.replace('/', "_");
    root().join(format!("crates/steplens-cli/tests/golden/commands/{name}.txt"))
}

fn check(traces: &[String]) {
    let is_blessed = env::var_os("STEPLENS_BLESS").is_some();
    let mut faults = Vec::new();
    for trace in traces {
        let (path, got) = (golden(trace), texts(&fixtures(), trace));
        if is_blessed {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &got).unwrap();
            continue;
        }
        let want = fs::read_to_string(&path).unwrap_or_default();
        let mut lines =
            got.lines().map(Some).chain([None]).zip(want.lines().map(Some).chain([None])).zip(1..);
        if let Some(((got, want), line)) = lines.find(|((got, want), _)| got != want) {
            faults.push(format!("{trace}, line {line}: got\n{got:?}\nwant\n{want:?}"));
        }
    }
    assert!(
        faults.is_empty(),
        "\n{}\nSTEPLENS_BLESS=1 takes the new texts, if they are right\n",
        faults.join("\n")
    );
}

fn all_of(wanted: impl Fn(&str) -> bool) -> Vec<String> {
    traces().into_iter().filter(|trace| wanted(trace)).collect()
}

// These are three tests, so that they run in parallel.

#[test]
fn every_command_on_every_run_metadata() {
    check(&all_of(|trace| !trace.contains('/')));
}

#[test]
fn every_command_on_every_chrome_trace() {
    check(&all_of(|trace| trace.starts_with("chrome/")));
}

#[test]
fn every_command_on_every_container() {
    check(&all_of(|trace| trace.starts_with("containers/") || trace.starts_with("gpu/")));
}

#[test]
fn every_container_says_what_its_recording_says() {
    let folder = folder("containers");
    for (container, recording, format) in CONTAINERS {
        // The copy has the recording's name, so that only the line with format and size differs.
        let (place, name) = recording.rsplit_once('/').unwrap_or(("", recording));
        fs::copy(fixtures().join(container), folder.join(name)).unwrap();
        let (wanted, got) = (texts(&fixtures().join(place), name), texts(&folder, name));
        let of_file = |line: &&str| line.starts_with(&format!("{name}  "));
        let without = |text: &str| -> Vec<String> {
            text.lines().filter(|line| !of_file(line)).map(str::to_owned).collect()
        };
        let difference = without(&got).into_iter().zip(without(&wanted)).find(|(got, wanted)| got != wanted);
        assert_eq!(difference, None, "{container}: got, and what the recording says");
        assert_eq!(without(&got).len(), without(&wanted).len(), "{container}");
        let said: BTreeSet<&str> = got.lines().filter(of_file).collect();
        assert_eq!(said.len(), 1, "{container}: {said:?}");
        assert!(said.iter().all(|line| line.contains(&format!("  {format}, "))), "{container}: {said:?}");
    }
}

#[test]
fn golden_files_are_of_fixtures() {
    if env::var_os("STEPLENS_BLESS").is_some() {
        return; // They are being written.
    }
    let folder = root().join("crates/steplens-cli/tests/golden/commands");
    let wanted: BTreeSet<PathBuf> = traces().iter().map(|trace| golden(trace)).collect();
    let found: BTreeSet<PathBuf> =
        fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    assert_eq!(found, wanted);
}
