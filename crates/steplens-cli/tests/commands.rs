//! Every command on every fixture: what people read, against golden files. `schemas.rs` checks JSON and CSV.
//!
//! A golden file holds what all commands print about one fixture, tables cut to a few rows by the program's own `--limit`.
//! `STEPLENS_BLESS=1` writes them anew; read the difference before you commit it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{fixtures, run, steplens};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The commands, as text of a width that terminals have; with a few rows where there are tables.
const COMMANDS: [(&str, &[&str]); 11] = [
    ("summary", &[]),
    ("ops", &["--limit", "5"]),
    ("transfers", &["--limit", "5"]),
    ("network", &["--limit", "5"]),
    ("memory", &["--limit", "5"]),
    ("critical-path", &["--limit", "5"]),
    ("scheduling", &["--limit", "5"]),
    ("steps", &["--limit", "5"]),
    ("clocks", &[]),
    ("doctor", &[]),
    ("highlights", &[]),
];
const COLUMNS: &str = "120";

/// What lies among the fixtures and is no trace: figures and lists to compare with.
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

/// Every trace, by its path in the folder of the fixtures.
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
    found.into_iter().collect()
}

/// All commands about `trace`, and what they print.
fn texts(trace: &str) -> String {
    let mut text = String::new();
    for (command, options) in COMMANDS {
        let said = run(steplens([command, trace]).args(options).env("COLUMNS", COLUMNS));
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
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/commands/{name}.txt"))
}

fn check(traces: &[String]) {
    let is_blessed = env::var_os("STEPLENS_BLESS").is_some();
    let mut faults = Vec::new();
    for trace in traces {
        let (path, got) = (golden(trace), texts(trace));
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

// Three tests, because they run side by side.

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
fn golden_files_are_of_fixtures() {
    if env::var_os("STEPLENS_BLESS").is_some() {
        return; // They are being written.
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/commands");
    let wanted: BTreeSet<PathBuf> = traces().iter().map(|trace| golden(trace)).collect();
    let found: BTreeSet<PathBuf> =
        fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    assert_eq!(found, wanted);
}
