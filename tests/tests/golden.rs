//! What the analyses say about each fixture, word for word: tests/golden holds what it was when someone last read it.
//!
//! `STEPLENS_BLESS=1 cargo test --package steplens-tests --test all golden::` writes the files anew; read the difference
//! before committing it. Rows stand on lines of their own, so that it can be read. Of a text longer than
//! [`WHOLE_BYTES`] every list keeps its first [`ROWS`] rows, and how many more there are; tests/web/wasm.test.mjs compares all of it
//! with what the wasm says.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};
use steplens_core::clocks::Clocks;
use steplens_core::questions::range::RangeQuery;
use steplens_core::search::matches::Matches;
use steplens_core::search::pattern::Pattern;
use steplens_core::{Interval, OpId, Study, Timestamp, View};
use steplens_report as report;
use steplens_tests::fixtures::{Fixture, chrome_trace, fixtures};
use steplens_tests::places::root;
use steplens_tests::writer::open;

/// The longest text that is kept whole.
const WHOLE_BYTES: usize = 64 << 10;
/// How many rows of each list are kept of a longer one.
const ROWS: usize = 20;
/// The Chrome traces whose texts are kept: the others equal what a RunMetadata says (chrome.rs).
const CHROME_TRACES: [&str; 4] =
    ["collective.memory.ctf", "mnist-adam.memory.ctf", "ps4w.ctf", "timeline-concat.ctf"];

#[test]
fn fixtures_give_the_golden_output() {
    let bless = env::var_os("STEPLENS_BLESS").is_some();
    let mut faults = Vec::new();
    // GPU samples are not ours to republish, their names included.
    let all = [fixtures(), CHROME_TRACES.map(chrome_trace).to_vec()].concat();
    for fixture in all.iter().filter(|fixture| !fixture.name.starts_with("gpu-")) {
        for (command, text) in commands(fixture) {
            let path = path(&fixture.name, command);
            let got = golden(&text);
            if bless {
                fs::write(&path, &got).unwrap();
            } else if let Some(fault) = difference(&path, &got) {
                faults.push(fault);
            }
        }
    }
    assert!(
        faults.is_empty(),
        "\n{}\nSTEPLENS_BLESS=1 takes the new text, if it is right\n",
        faults.join("\n")
    );
}

/// What each command prints about `fixture` with `--json`; and of what the page alone asks the figures of the step without its first and
/// last quarter, some ops, where the data of some of them came from and went to, and what searches find.
fn commands(fixture: &Fixture) -> [(&'static str, String); 14] {
    let mut opened = open(&fixture.bytes);
    opened.files[0].name = fixture.file.clone();
    let whole = Arc::new(opened.trace);
    let study = Study::of_view(&whole, View::default());
    let (trace, steps) = study.view().steps(&whole);
    let mut ops = Vec::new();
    report::ops::write_json(&study, &mut ops).unwrap();
    let end = study.trace().span().end.0;
    let middle = RangeQuery::of(Interval::new(Timestamp(end / 4), Timestamp(end - end / 4)));
    [
        ("summary", report::summary::of(&study, &opened.files).to_text()),
        ("transfers", report::transfers::json(&study)),
        ("ops", String::from_utf8(ops).unwrap()),
        ("critical-path", report::causality::json(&study)),
        ("scheduling", report::scheduling::json(&study, report::scheduling::Choice::default())),
        ("network", report::network::Network::of(&study).to_text()),
        ("findings", report::findings::json(&study, &opened.files, None)),
        ("steps", report::steps::json(&trace, &steps, study.view().rule, &opened.files)),
        ("clocks", report::clocks::json(study.trace(), &Clocks::estimated(study.trace(), study.transfers()))),
        ("doctor", report::doctor::json(&whole, &study)),
        (
            "range",
            format!("{}\n{}", report::range::json(&study, &middle), report::ops::types(&study, &middle)),
        ),
        ("op", of_ops(&study, 6, &|op| report::ops::details(&study, op))),
        ("flow", of_ops(&study, 3, &|op| report::ops::flow(&study, op, 2))),
        ("search", SEARCHES.map(|(query, is_regex)| search(&study, query, is_regex)).join("\n")),
    ]
}

/// A part of a name, an op type, nothing, patterns, and one that is none.
const SEARCHES: [(&str, bool); 5] =
    [("grad", false), ("RecvTensor", false), ("", false), ("^.*(Mul|Add)", true), ("(", true)];

/// What is said of `count` ops, as far apart from one another as can be.
fn of_ops(study: &Study, count: usize, say: &dyn Fn(OpId) -> Option<String>) -> String {
    let ops = study.trace().ops().len();
    let texts = (0..count).map(|at| say(OpId::from_usize(ops * at / count)).unwrap());
    texts.collect::<Vec<_>>().join("\n")
}

/// The counts of a search, and the ops that it lists.
fn search(study: &Study, query: &str, is_regex: bool) -> String {
    let found =
        Pattern::new(query, is_regex).and_then(|pattern| Matches::of(study.trace(), study.lanes(), &pattern));
    let problem = found.as_ref().err().cloned();
    let matches = found.unwrap_or_default();
    let counts = report::search::json(study.trace(), query, is_regex, &matches, problem.as_deref());
    let rows = report::ops::rows(study, &matches.listed(study.trace()));
    format!("{counts}\n{rows}")
}

fn path(fixture: &str, command: &str) -> PathBuf {
    root().join(format!("tests/golden/{fixture}.{command}.json"))
}

/// `text` as it is kept.
fn golden(text: &str) -> String {
    let text = text.trim_end();
    let rows = |text: &str| text.replace("},{", "},\n{").replace(":[{", ":[\n{") + "\n";
    let whole = rows(text);
    if whole.len() <= WHOLE_BYTES { whole } else { rows(&shortened(text)) }
}

/// JSON of which every list has its first [`ROWS`] rows, and a text that says how many more there are.
fn shortened(json: &str) -> String {
    let mut kept = String::new();
    // By depth: how many rows there were so far, if it is a list.
    let mut open: Vec<Option<usize>> = Vec::new();
    // The depth of the list whose rows are passed over.
    let mut passed: Option<usize> = None;
    let (mut is_text, mut is_escaped) = (false, false);
    for char in json.chars() {
        let is_closing = !is_text && matches!(char, ']' | '}');
        if is_closing && passed == Some(open.len()) {
            let rows = open.last().copied().flatten().unwrap_or(0);
            kept += &format!(",\"... and {} more\"", rows + 1 - ROWS);
            passed = None;
        }
        match char {
            '"' if !is_escaped => is_text = !is_text,
            '[' | '{' if !is_text => open.push((char == '[').then_some(0)),
            ']' | '}' if !is_text => drop(open.pop()),
            ',' if !is_text => {
                if let Some(Some(rows)) = open.last_mut() {
                    *rows += 1;
                    if *rows == ROWS && passed.is_none() {
                        passed = Some(open.len());
                    }
                }
            }
            _ => {}
        }
        is_escaped = is_text && char == '\\' && !is_escaped;
        if passed.is_none() {
            kept.push(char);
        }
    }
    kept
}

#[test]
fn long_lists_are_kept_in_part() {
    let numbers = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>().join(",");
    let json = format!(r#"{{"a":[{}],"b":[[{}],"],[",{{}}],"c":1}}"#, numbers(23), numbers(21));
    let kept = format!(
        r#"{{"a":[{0},"... and 3 more"],"b":[[{0},"... and 1 more"],"],[",{{}}],"c":1}}"#,
        numbers(ROWS)
    );
    assert_eq!(shortened(&json), kept);
    assert_eq!(shortened(&format!("[{}]", numbers(ROWS))), format!("[{}]", numbers(ROWS)));
}

fn difference(path: &Path, got: &str) -> Option<String> {
    let wanted = fs::read_to_string(path).unwrap_or_default();
    let (line, (got, wanted)) = got
        .lines()
        .map(Some)
        .chain([None])
        .zip(wanted.lines().map(Some).chain([None]))
        .enumerate()
        .find(|(_, (got, wanted))| got != wanted)?;
    let text = |line: Option<&str>| line.unwrap_or("the end").to_owned();
    Some(format!("{} line {}: got\n{}\nwant\n{}", path.display(), line + 1, text(got), text(wanted)))
}
