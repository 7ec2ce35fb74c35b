//! `steplens index`: what it says of a folder with traces and other files, as text and as JSON, and what it refuses.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{folder, run, steplens, timed_run_metadata};
use crate::places::root;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Two workers of two steps, an image, and a file that is cut short.
fn traces(name: &str) -> PathBuf {
    let traces = folder(name);
    for worker in 0..2 {
        let below = traces.join(format!("night/worker-{worker}"));
        fs::create_dir_all(&below).unwrap();
        for step in 0..2 {
            let ops = [("a", "a = Conv2D()", 300), ("b", "b = Relu(a)", 100)];
            let device = format!("/job:worker/replica:0/task:{worker}/device:CPU:0");
            let bytes = timed_run_metadata(&device, 1_700_000_000_000_000 + step * 5_000, &ops);
            fs::write(below.join(format!("step-{step}.pb")), &bytes).unwrap();
            fs::write(traces.join("night/cut.pb"), &bytes[..bytes.len() - 9]).unwrap();
        }
    }
    fs::write(traces.join("night/image.png"), b"\x89PNG\r\n\x1a\n0000").unwrap();
    traces
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_folder_is_indexed_once_and_each_fault_is_said() {
    let (traces, dataset) = (traces("index-traces"), folder("index-dataset").join("made"));
    let said = run(&mut steplens(["index", text(&traces), "-o", text(&dataset)]));
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(said.out.starts_with("6 files in 1 run: 9 ops, "), "{}", said.out);
    assert!(said.out.contains("Read now: 6 · "), "{}", said.out);
    assert!(said.out.contains("1 file: damaged, read in part\n"), "{}", said.out);
    assert!(said.out.contains("1 file: no trace\n  night/image.png is a PNG image"), "{}", said.out);

    fs::remove_file(traces.join("night/image.png")).unwrap();
    let said = run(&mut steplens(["index", text(&traces), "-o", text(&dataset), "--json"]));
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    let schema = root().join("schemas/index-1.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    assert!(jsonschema::is_valid(&schema, &answer), "{answer}");
    assert_eq!((&answer["read"], &answer["gone"], &answer["files"]), (&0.into(), &1.into(), &6.into()));
    assert_eq!((&answer["runs"], &answer["ops"]), (&serde_json::json!(["night"]), &9.into()));
    let codes: Vec<_> = answer["faults"].as_array().unwrap().iter().map(|own| &own["code"]).collect();
    assert_eq!(codes, ["truncated", "other-format"]);
    let said = run(&mut steplens(["index", text(&traces), "-o", text(&dataset), "--prune"]));
    assert!(said.out.starts_with("5 files in 1 run: 9 ops, "), "{}", said.out);

    let manifest: Value =
        serde_json::from_str(&fs::read_to_string(dataset.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["schema"], "steplens.dataset/1");
    assert_eq!(manifest["folder"], "../../index-traces");
    let split = manifest["columns"]["split"].as_array().unwrap();
    let own = split.iter().find(|column| column["name"] == "window_ns").unwrap();
    assert_eq!(
        (&own["kind"], &own["unit"], &own["optional"]),
        (&"INT64".into(), &"ns".into(), &false.into())
    );
    assert!(fs::metadata(dataset.join("overview.steplens-fleet")).unwrap().len() > 100);
}

#[test]
fn of_many_faults_five_are_listed_and_the_others_counted() {
    for (count, more) in [(5, None), (6, Some("1 more")), (8, Some("3 more"))] {
        let (traces, dataset) = (traces("index-many"), folder("index-many-dataset").join("made"));
        fs::remove_file(traces.join("night/image.png")).unwrap();
        for image in 0..count {
            fs::write(traces.join(format!("night/image-{image}.png")), b"\x89PNG\r\n\x1a\n0000").unwrap();
        }
        let said = run(&mut steplens(["index", text(&traces), "-o", text(&dataset)]));
        assert_eq!(said.out.matches("is a PNG image").count(), 5, "{}", said.out);
        assert_eq!(said.out.contains(" more"), more.is_some(), "{}", said.out);
        assert!(more.is_none_or(|words| said.out.contains(words)), "{}", said.out);
    }
}

#[test]
fn a_dataset_is_in_english_whatever_the_language() {
    let (traces, dataset) = (traces("index-language"), folder("index-language-dataset"));
    let mut index = steplens(["index", text(&traces), "-o", text(&dataset)]);
    let said = run(index.env("LANGUAGE", "zh_CN"));
    assert!(said.out.contains("个文件"), "{}", said.out);
    assert!(said.out.contains("night/image.png is a PNG image"), "{}", said.out);
}

#[test]
fn what_cannot_be_indexed_is_said() {
    let (traces, other) = (traces("index-refused"), folder("index-refused-other"));
    fs::write(other.join("thesis.txt"), "not to be lost").unwrap();
    let refused = |arguments: &[&str]| {
        let said = run(&mut steplens([&["index"], arguments].concat()));
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{arguments:?}");
        said.err
    };
    let dataset = folder("index-refused-dataset");
    let (traces, dataset, other) = (text(&traces), text(&dataset), text(&other));
    assert!(refused(&[traces, "-o", other]).contains("[not-a-dataset]"));
    assert!(refused(&["nowhere", "-o", dataset]).contains("nowhere is no folder"));
    assert!(
        refused(&[traces, "-o", dataset, "--path", "{name}.pb"])
            .contains("names none of {run}, {task} and {step}")
    );
    assert!(refused(&[traces, "-o", dataset, "--tables", "op"]).contains("no table op"));
    assert!(refused(&[traces, "-o", dataset, "--communication", "("]).contains("--communication"));
    assert!(fs::read_dir(dataset).unwrap().next().is_none(), "nothing was written");
    let said = run(&mut steplens(["index", traces, "-o", dataset, "--tables", "split,op_types"]));
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(refused(&[traces, "-o", dataset]).contains("[other-option]"));
}

/// The only part of `run` in `table`.
fn part(dataset: &Path, table: &str, run: &str) -> PathBuf {
    dataset.join(table).join(format!("run={run}")).join("part-0001.parquet")
}

/// Flips a bit in the middle of a file.
fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_damaged_part_is_named_and_the_others_go_on() {
    for (table, is_checked) in
        [("split", true), ("sources", true), ("ops", true), ("split", false), ("sources", false)]
    {
        let name = format!("index-damaged-{table}-{is_checked}");
        let (traces, dataset) = (traces(&name), folder(&format!("{name}-dataset")));
        let device = "/job:worker/replica:0/task:0/device:CPU:0";
        let add = |file: &str| {
            let bytes = timed_run_metadata(device, 1_700_000_000_000_000, &[("a", "a = Conv2D()", 300)]);
            let path = traces.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        };
        add("day/worker-0.pb");
        let index = || {
            let said = run(&mut steplens(["index", text(&traces), "-o", text(&dataset), "--json"]));
            assert_eq!((said.code, said.err.as_str()), (0, ""), "{name}");
            let answer: Value = serde_json::from_str(&said.out).unwrap();
            answer
        };
        let whole = index();
        let damaged = part(&dataset, table, "night");
        if is_checked {
            flip(&damaged);
        } else {
            fs::remove_dir_all(dataset.join("_checksums")).unwrap();
            let bytes = fs::read(&damaged).unwrap();
            fs::write(&damaged, &bytes[..bytes.len() - 20]).unwrap();
        }
        // A new file of a run whose part is whole is read. One of the other waits while nobody knows what that has.
        add("day/worker-1.pb");
        add("night/late.pb");
        let answer = index();
        let (own, read) = (&answer["faults"].as_array().unwrap(), &answer["read"]);
        let fault = own.iter().find(|own| own["code"] == "part-damaged").unwrap();
        let what = fault["what"].as_str().unwrap();
        assert!(what.contains(text(&damaged)), "{what}");
        let sources = part(&dataset, "sources", "night");
        let advice = format!("Delete {} and run steplens index again", text(&sources));
        assert!(what.contains(&advice), "{what}");
        assert_eq!((&fault["run"], &fault["state"]), (&"night".into(), &"unreadable".into()));
        assert_eq!(*read, if table == "sources" { 1 } else { 2 }, "{name}");
        // Questions leave it out, count it, and say so.
        let asked = run(&mut steplens(["fleet", text(&dataset), "failures", "--sql"]));
        assert_eq!(asked.code, 0);
        assert!(asked.err.contains(text(&damaged)) && asked.err.lines().count() == 1, "{}", asked.err);
        assert!(!asked.out.contains("run=night/part-0001.parquet', '"), "{}", asked.out);
        assert!(asked.out.contains("'part-damaged'") && !asked.out.contains("run=*"), "{}", asked.out);
        // What was advised makes it whole.
        fs::remove_file(&sources).unwrap();
        let answer = index();
        assert_eq!(answer["files"].as_u64().unwrap(), whole["files"].as_u64().unwrap() + 2, "{name}");
        assert!(answer["faults"].as_array().unwrap().iter().all(|own| own["code"] != "part-damaged"));
        let asked = run(&mut steplens(["fleet", text(&dataset), "failures", "--sql"]));
        assert_eq!((asked.code, asked.err.as_str()), (0, ""), "{name}");
    }
}
