//! The output of every command with `--json` follows `schemas/`, for every fixture and every sample; CSV is a well-formed table.
//!
//! The schemas allow further fields, because later versions add some. Here a field is an error if no schema names it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{fixtures, parse_csv, run, steplens};
use crate::places::root;
use jsonschema::Validator;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};
use steplens_report::answers::NAMES;

/// What is printed besides the answers: the command, and the schema of its output.
const OTHERS: [(&[&str], &str); 2] = [
    (&["critical-path", "--steps", "all"], "critical-path-steps"),
    // The limit is so long that every trace passes.
    (&["check", "--max-step", "9000000000s", "--max-exposed-communication", "100%"], "check"),
];

fn commands() -> impl Iterator<Item = (&'static [&'static str], &'static str)> {
    NAMES.iter().map(|name| (std::slice::from_ref(name), *name)).chain(OTHERS)
}

/// The same recordings in other containers, or longer ones of the same kind: one of each is enough.
const LIKE_OTHERS: [&str; 9] = [
    "ps4w-later.pb",
    "ps4w-skewed.pb",
    "ps2w6.pb.gz",
    "lstm-while.pb",
    "ps4w.pickle",
    "ps4w.memory.ctf.json.gz",
    "ps4w-later.ctf.json.gz",
    "ps4w-later.memory.ctf.json.gz",
    "diff-test.json.gz",
];

/// The validators, by the name of the schema.
fn validators() -> BTreeMap<String, Validator> {
    let folder = root().join("schemas");
    let mut found = BTreeMap::new();
    for (_, name) in commands() {
        let text = fs::read_to_string(folder.join(format!("{name}-1.json"))).unwrap();
        let mut schema: Value = serde_json::from_str(&text).unwrap();
        forbid_further_fields(&mut schema);
        found.insert(name.to_owned(), jsonschema::validator_for(&schema).unwrap());
    }
    found
}

fn forbid_further_fields(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(forbid_further_fields);
            // A field may itself be called `properties`; only a schema has a type next to it.
            if fields.get("properties").is_some_and(Value::is_object) && fields.contains_key("type") {
                fields.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        Value::Array(values) => values.iter_mut().for_each(forbid_further_fields),
        _ => {}
    }
}

/// Whether every case is tried: see `steplens_tests::cases`.
pub(crate) fn is_thorough() -> bool {
    std::env::var_os("STEPLENS_THOROUGH").is_some()
}

/// What is printed about each of `traces`, in which form.
#[derive(Clone, Copy, PartialEq)]
enum Forms {
    JsonAndCsv,
    /// The tables are those of the same rows: where every case is tried, they are read, too.
    Json,
}

fn check(traces: &[PathBuf], forms: Forms) {
    let validators = validators();
    let mut faults = Vec::new();
    let mut checked = 0;
    for trace in traces {
        let path = trace.to_str().unwrap();
        if run(&mut steplens(["summary", path])).code != 0 {
            continue;
        }
        for (command, schema) in commands() {
            let said = run(steplens(command).args(["--json", path]));
            assert_eq!(said.code, 0, "{command:?} of {path}: {}", said.err);
            let json: Value = serde_json::from_str(&said.out).unwrap();
            let faults_found = validators[schema].iter_errors(&json).take(3);
            faults.extend(
                faults_found.map(|fault| format!("{command:?} {path}: {}: {fault}", fault.instance_path())),
            );
            checked += 1;
        }
        let has_csv = forms == Forms::JsonAndCsv || is_thorough();
        for (command, _) in commands().filter(|_| has_csv) {
            let said = run(steplens(command).args(["--csv", path]));
            assert_eq!(said.code, 0, "{command:?} --csv of {path}: {}", said.err);
            let columns: BTreeSet<usize> = parse_csv(&said.out).iter().map(Vec::len).collect();
            assert_eq!(columns.len(), 1, "{command:?} of {path} has rows of different lengths");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 0, "found no trace in {traces:?}");
}

/// Every file in a folder and its subfolders, except those that are like others.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            match path.is_dir() {
                true => folders.push(path),
                false if LIKE_OTHERS.contains(&name.as_str()) => {}
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}

/// The samples next to the repository, the large ones only where every case is tried. If there are none, the real standard error says so.
fn samples(folder: &str) -> Option<Vec<PathBuf>> {
    const LARGE: u64 = 130_000;
    let path = root().join("../shared/samples").join(folder);
    if path.is_dir() {
        let is_wanted = |path: &PathBuf| is_thorough() || fs::metadata(path).unwrap().len() < LARGE;
        return Some(files(&path).into_iter().filter(is_wanted).collect());
    }
    let mut stderr = io::stderr();
    writeln!(stderr, "NOT TESTED: schemas of ../shared/samples/{folder}, which is not there").unwrap();
    None
}

// These are several tests, so that they run in parallel.

#[test]
fn output_about_every_run_metadata_is_what_the_schemas_say() {
    let all = files(&fixtures());
    check(
        &all.into_iter().filter(|path| path.parent() == Some(&fixtures())).collect::<Vec<_>>(),
        Forms::JsonAndCsv,
    );
}

#[test]
fn output_about_every_other_fixture_is_what_the_schemas_say() {
    let all = files(&fixtures());
    check(
        &all.into_iter().filter(|path| path.parent() != Some(&fixtures())).collect::<Vec<_>>(),
        Forms::Json,
    );
}

#[test]
fn output_about_every_sample_of_gpus_is_what_the_schemas_say() {
    samples("gpu").iter().for_each(|found| check(found, Forms::JsonAndCsv));
}

#[test]
fn output_about_every_trace_of_others_is_what_the_schemas_say() {
    samples("real").iter().for_each(|found| check(found, Forms::Json));
}

#[test]
fn output_about_two_traces_is_what_the_schema_says() {
    let path = root().join("schemas/compare-1.json");
    let mut schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    forbid_further_fields(&mut schema);
    let schema = jsonschema::validator_for(&schema).unwrap();
    let pairs = [
        ["ps4w.pb", "ps4w-later.pb"],
        ["ps4w.pb", "ps4w-skewed.pb"],
        ["mnist-adam.pb", "multidev.pb"],
        ["containers/mnist-adam.pb.zst", "lstm-while.pb"],
        ["ps2w6.pb.gz", "ps2w6.pb.gz"],
    ];
    for pair in pairs {
        let said = run(steplens(["compare", "--json"]).args(pair));
        assert_eq!(said.code, 0, "{pair:?}: {}", said.err);
        let json: Value = serde_json::from_str(&said.out).unwrap();
        let faults: Vec<String> = schema.iter_errors(&json).take(3).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{pair:?}: {faults:?}");
        let figure = |value: &Value| value.as_i64().unwrap();
        let bars = json["waterfall"].as_array().unwrap();
        let sum: i64 = bars.iter().map(|bar| figure(&bar["difference_ns"])).sum();
        assert_eq!(sum, figure(&json["difference_ns"]), "{pair:?}");
        let passes = ["exact", "retyped", "renumbered", "structural", "edited"];
        let matched: i64 = passes.iter().map(|pass| figure(&json["matches"][pass])).sum();
        for (side, only, list) in [("a", "only_a", "unmatched_a"), ("b", "only_b", "unmatched_b")] {
            let alone = figure(&json["matches"][only]);
            assert_eq!(matched + alone, figure(&json[side]["ops"]), "{pair:?}");
            let listed: i64 = json[list].as_array().unwrap().iter().map(|row| figure(&row["count"])).sum();
            assert_eq!(listed, alone, "{pair:?}");
        }
        let said = run(steplens(["compare", "--csv"]).args(pair));
        assert_eq!(parse_csv(&said.out).len(), bars.len() + 1, "{pair:?}");
    }
    let same = run(&mut steplens(["compare", "--json", "ps4w.pb", "ps4w-later.pb", "--step", "1,1"]));
    assert_eq!(same.code, 0, "{}", same.err);
    for (options, word) in [
        (["--step", "one"], "one"),
        (["--step", "0"], "from 1"),
        (["--step", "3..2"], "from 1"),
        (["--step", "1..2"], "no step 2"),
        (["--align", "nothing"], "no op"),
        (["--devices-a", "("], "devices"),
    ] {
        let bad = run(steplens(["compare", "ps4w.pb", "ps4w-later.pb"]).args(options));
        assert_eq!(bad.code, 2, "{options:?}");
        assert!(bad.err.contains(word), "{}", bad.err);
    }
    let op = "net/mixed_5/b2b/w/read";
    let said = run(&mut steplens(["compare", "--json", "ps4w.pb", "ps4w-later.pb", "--align", op]));
    let json: Value = serde_json::from_str(&said.out).unwrap();
    let [before, after] = ["before", "after"].map(|part| {
        let figure = |side: &str| json["aligned"][format!("{part}_{side}_ns")].as_i64().unwrap();
        figure("b") - figure("a")
    });
    assert_eq!(before + after, json["difference_ns"].as_i64().unwrap());
    assert_eq!(json["aligned"]["op"], op);
    // Two workers of one step: all ops of either are on the one device that is compared.
    let workers = ["--devices-a", "worker.*task:0", "--devices-b", "worker.*task:1"];
    let said = run(steplens(["compare", "--json", "ps4w.pb", "ps4w.pb"]).args(workers));
    let json: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(json["devices"].as_array().unwrap().len(), 1);
    assert!(json["matches"]["renumbered"].as_u64().unwrap() > 300, "{}", json["matches"]);
}

#[test]
fn a_schema_refuses_what_it_does_not_say() {
    let validators = validators();
    let good: Value = serde_json::from_str(&crate::common::output(&["clocks", "--json", "ps4w.pb"])).unwrap();
    assert!(validators["clocks"].is_valid(&good));
    let spoiled = |spoil: &dyn Fn(&mut Value)| {
        let mut json = good.clone();
        spoil(&mut json);
        validators["clocks"].is_valid(&json)
    };
    assert!(!spoiled(&|json| json["schema"] = "steplens.clocks/2".into()));
    assert!(!spoiled(&|json| json["tasks"][0]["offset_ns"] = "1".into()));
    assert!(!spoiled(&|json| json["tasks"][0]["more"] = 1.into()));
    assert!(!spoiled(&|json| json["tasks"][0] = Value::Object(serde_json::Map::default())));
}
