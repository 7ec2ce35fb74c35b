//! `steplens index`: what it says of a folder with traces and other files, as text and as JSON, and what it refuses.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{folder, run, steplens, timed_run_metadata};
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
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/index-1.json");
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
