//! `steplens fleet` without a DuckDB: its questions, its SQL, and what it refuses. `python/tests/test_fleet.py` has the answers, and here are those of the
//! one in the program, where it has one (`cargo xtask interop`).

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{folder, run, steplens, timed_run_metadata};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A dataset of one file, with these options.
fn dataset(name: &str, options: &[&str]) -> PathBuf {
    let folder = folder(name);
    let traces = folder.join("traces/it's night");
    fs::create_dir_all(&traces).unwrap();
    let device = "/job:worker/replica:0/task:0/device:CPU:0";
    let bytes = timed_run_metadata(device, 1_700_000_000_000_000, &[("a", "a = Conv2D()", 300)]);
    fs::write(traces.join("worker-0.pb"), bytes).unwrap();
    let dataset = folder.join("fleet");
    let traces = folder.join("traces");
    let said = run(steplens(["index", text(&traces), "-o", text(&dataset)]).args(options));
    assert_eq!(said.code, 0, "{}", said.err);
    dataset
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn questions_are_listed_in_every_form() {
    let dataset = dataset("fleet-listed", &[]);
    let said = run(&mut steplens(["fleet", text(&dataset)]));
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let said_json = run(&mut steplens(["fleet", text(&dataset), "--json"]));
    let answer: Value = serde_json::from_str(&said_json.out).unwrap();
    assert_eq!(answer["schema"], "steplens.fleet/1");
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 11);
    for row in rows {
        assert!(said.out.contains(row[0].as_str().unwrap()), "{row}");
        assert!(said.out.contains(row[1].as_str().unwrap()), "{row}");
    }
    let sheet = run(&mut steplens(["fleet", text(&dataset), "--csv"]));
    assert!(sheet.out.starts_with("question,about\nsplit,"), "{}", sheet.out);
}

#[test]
fn the_sql_has_a_view_for_each_table_and_what_was_chosen() {
    let dataset = dataset("fleet-sql", &[]);
    let options = ["--sql", "--run", "it's night", "--at", "2026-11-26", "--share", "12.5%"];
    let said = run(steplens(["fleet", text(&dataset), "split"]).args(options));
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let chosen = "CAST(1795651200000000000 AS BIGINT) AS at_unix_ns, \
         CAST(concat('', 'it', chr(39), 's night') AS STRING) AS run, CAST(125000 AS BIGINT) AS share_ppm;";
    assert!(said.out.contains(chosen), "{}", said.out);
    assert_eq!(said.out.matches("CREATE OR REPLACE TEMP VIEW").count(), 15);
    assert!(said.out.contains("/split/run=*/*.parquet'"), "{}", said.out);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let whole = dataset("fleet-refused", &[]);
    let few = dataset("fleet-few", &["--tables", "split"]);
    let (whole, few) = (text(&whole), text(&few));
    let other = folder("fleet-none");
    for (words, expected) in [
        (vec![whole, "stragler"], "'stragglers'"),
        (vec![text(&other), "split"], "[not-a-dataset]"),
        (vec![few, "slow-links"], "[table-missing]"),
        (vec![whole, "split", "--run", "nights"], "it's night"),
        (vec![whole, "split", "--day-a", "2026-02-30"], "2026-11-26"),
        (vec![whole, "split", "--at", "noon"], "noon"),
        (vec![whole, "split", "--share", "2"], "10%"),
        (vec![whole, "--query", "none.sql"], "[bad-query]"),
        #[cfg(not(feature = "duckdb-linked"))]
        (vec![whole, "split"], "[no-duckdb]"),
    ] {
        let mut program = steplens([&["fleet"][..], &words].concat());
        let said = run(program.env("PATH", text(&other)).env("STEPLENS_PYTHON", "none"));
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{words:?}");
        assert!(said.err.contains(expected), "{words:?}: {}", said.err);
    }
}

#[cfg(feature = "duckdb-linked")]
#[test]
fn every_question_is_answered_by_the_program_alone() {
    let made = dataset("fleet-within", &[]);
    let nothing = folder("fleet-within-none");
    let ask = |question: &str| {
        let mut program = steplens(["fleet", text(&made), question, "--json"]);
        let said = run(program.env("PATH", text(&nothing)).env("STEPLENS_PYTHON", "none"));
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{question}");
        serde_json::from_str::<Value>(&said.out).unwrap()
    };
    let listed = run(&mut steplens(["fleet", text(&made), "--json"]));
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    for row in listed["rows"].as_array().unwrap() {
        let answer = ask(row[0].as_str().unwrap());
        assert!(!answer["columns"].as_array().unwrap().is_empty(), "{row}");
    }
    // The trace is one op of 300 microseconds.
    let split = ask("split");
    let place = split["columns"].as_array().unwrap().iter().position(|name| name == "compute_ns").unwrap();
    let compute: Vec<&Value> = split["rows"].as_array().unwrap().iter().map(|row| &row[place]).collect();
    assert_eq!(compute, [&Value::from(300_000)]);
}
