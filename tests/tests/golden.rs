//! What the analyses say about each fixture, word for word: tests/golden holds what it was when someone last read it.
//!
//! `STEPLENS_BLESS=1 cargo test --package steplens-tests --test golden` writes the files anew; read the difference
//! before committing it. Rows stand on lines of their own, so that it can be read. Of a text longer than
//! [`WHOLE_BYTES`] only the first [`LINES`] lines are kept, and its length and CRC-32 (gzip's).

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::Crc;
use std::path::{Path, PathBuf};
use std::{env, fs};
use steplens_core::analysis::range::RangeQuery;
use steplens_core::{Interval, Study, Timestamp};
use steplens_formats::json;
use steplens_tests::fixtures::{Fixture, chrome_trace, fixtures};
use steplens_tests::writer::open;

/// The longest text that is kept whole.
const WHOLE_BYTES: usize = 64 << 10;
/// How much is kept of a longer one.
const LINES: usize = 24;
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

/// What each command prints about `fixture` with `--json`, and the page's figures of the step without its first and last
/// quarter.
fn commands(fixture: &Fixture) -> [(&'static str, String); 4] {
    let mut opened = open(&fixture.bytes);
    opened.files[0].name = fixture.file.clone();
    let study = Study::of(opened.trace);
    let mut ops = Vec::new();
    json::write_ops(&study, &mut ops).unwrap();
    let end = study.trace().span().end.0;
    let middle = RangeQuery::of(Interval::new(Timestamp(end / 4), Timestamp(end - end / 4)));
    [
        ("summary", json::summary(&study, &opened.files).to_text()),
        ("transfers", json::transfers(&study)),
        ("ops", String::from_utf8(ops).unwrap()),
        ("range", format!("{}\n{}", json::range(&study, &middle), json::op_types(&study, &middle))),
    ]
}

fn path(fixture: &str, command: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("golden/{fixture}.{command}.json"))
}

/// `text` as it is kept.
fn golden(text: &str) -> String {
    let rows = text.trim_end().replace("},{", "},\n{").replace(":[{", ":[\n{");
    if rows.len() <= WHOLE_BYTES {
        return rows + "\n";
    }
    let mut crc = Crc::new();
    crc.update(text.trim_end().as_bytes());
    let head: Vec<_> = rows.lines().take(LINES).collect();
    format!("{}\n... {} bytes in all, CRC-32 {:08x}\n", head.join("\n"), text.trim_end().len(), crc.sum())
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
