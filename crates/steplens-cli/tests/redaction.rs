//! Reports hide texts unless `--include` says otherwise, and every figure is that of the original.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::shared_page::{element, read_page, session, write_page};
use crate::common::{fixture, folder, run, run_metadata, steplens};
use serde_json::Value;
use std::fs;
use std::path::Path;

const TEMPLATE: &str =
    "<!doctype html><title>Steplens</title><!--steplens:data--><script id=\"app\">1</script>";
const KEY: &str = "00112233445566778899aabbccddeeff";

fn report(folder: &Path, key: Option<&str>, arguments: &[&str]) -> crate::common::Said {
    write_page(&folder.join("page.html"), TEMPLATE);
    let mut command = steplens(["report", "-o", "out.html"]);
    command.args(arguments).env("STEPLENS_PAGE", folder.join("page.html")).current_dir(folder);
    match key {
        Some(key) => command.env("STEPLENS_REDACTION_KEY", key),
        None => command.env_remove("STEPLENS_REDACTION_KEY"),
    };
    run(&mut command)
}

/// The note and the session of `out.html`.
fn read(folder: &Path) -> (Value, Vec<u8>) {
    let page = read_page(&folder.join("out.html"));
    (serde_json::from_str(element(&page, r#"id="steplens-export">"#)).unwrap(), session(&page))
}

/// The output of `summary` for `file` without texts, and whether it says that the file is redacted.
fn summary(folder: &Path, file: &str) -> (Value, bool) {
    fn blank(value: &mut Value) {
        match value {
            Value::String(text) => text.clear(),
            Value::Array(rows) => rows.iter_mut().for_each(blank),
            Value::Object(fields) => fields.values_mut().for_each(blank),
            _ => {}
        }
    }
    let said = run(steplens(["summary", "--json", file]).current_dir(folder));
    let is_redacted = said.out.contains("This file is redacted");
    let mut value: Value = serde_json::from_str(&said.out).unwrap();
    value.as_object_mut().unwrap().remove("files");
    blank(&mut value);
    (value, is_redacted)
}

#[test]
fn a_report_hides_texts_and_keeps_figures() {
    let folder = folder("redaction");
    fs::write(folder.join("secret-project.pb"), fixture("ps4w.pb")).unwrap();
    let view =
        "k=1.2&q=acme%20layer&n=0,5,my%20finding&clocks=%2Fjob:worker%2Freplica:0%2Ftask:1=7&tab=memory";
    let said =
        report(&folder, Some(KEY), &["secret-project.pb", "--view", view, "--communication", "MatMul"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let (note, session) = read(&folder);
    let note = note.to_string();
    for hidden in ["secret", "acme", "finding", "%3Aworker", "MatMul"] {
        assert!(!note.contains(hidden), "{note}");
    }
    // What the tasks of a job do stays in its name: figures rest on it.
    assert!(note.contains("_worker%2Freplica"), "{note}");
    assert!(note.contains("&n=0,5,&clocks=%2Fjob%3A") && note.contains("&tab=memory"), "{note}");
    fs::write(folder.join("shared.steplens"), session).unwrap();
    let original = run(steplens(["summary", "--json", "--communication", "MatMul", "secret-project.pb"])
        .current_dir(&folder));
    let mut original: Value = serde_json::from_str(&original.out).unwrap();
    original.as_object_mut().unwrap().remove("files");
    let (shared, is_redacted) = summary(&folder, "shared.steplens");
    assert!(is_redacted);
    assert_eq!(shared["step"], original["step"]);
    assert_eq!(shared["transfers"], original["transfers"]);
    // The same key gives the same file, and another key gives another file.
    let first = fs::read(folder.join("out.html")).unwrap();
    let again = |key| {
        assert_eq!(
            report(&folder, key, &["secret-project.pb", "--view", view, "--communication", "MatMul"]).code,
            0
        );
        fs::read(folder.join("out.html")).unwrap() == first
    };
    assert!(again(Some(KEY)));
    assert!(!again(None));
}

#[test]
fn what_is_included_is_there() {
    let folder = folder("redaction_included");
    let ops = [
        ("acme_net/MatMul", "acme_net/MatMul = MatMul(x, y)"),
        ("acme_net/own", "acme_net/own = AcmeFuse(z)"),
    ];
    fs::write(folder.join("secret.pb"), run_metadata("/job:gpu-farm/replica:0/task:0/device:CPU:0", &ops))
        .unwrap();
    let ops_of = |arguments: &[&str]| {
        let said = report(&folder, Some(KEY), &[&["secret.pb"], arguments].concat());
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        fs::write(folder.join("shared.steplens"), read(&folder).1).unwrap();
        let say = |what| run(steplens([what, "--json", "shared.steplens"]).current_dir(&folder)).out;
        [say("ops"), say("summary")].concat()
    };
    for (include, there, hidden) in [
        ("names", &["acme_net/MatMul"][..], &["gpu-farm", "AcmeFuse", "secret.pb"][..]),
        ("hosts,files", &["gpu-farm", "secret.pb"], &["acme_net", "AcmeFuse"]),
        ("op-types", &["AcmeFuse", "MatMul"], &["acme_net", "gpu-farm", "secret.pb"]),
        ("all", &["acme_net/MatMul", "gpu-farm", "AcmeFuse", "secret.pb"], &[]),
    ] {
        let said = ops_of(&["--include", include]);
        there.iter().for_each(|text| assert!(said.contains(text), "{include}: {text} in {said}"));
        hidden.iter().for_each(|text| assert!(!said.contains(text), "{include}: {text} in {said}"));
    }
    assert_eq!(report(&folder, None, &["secret.pb", "--include", "everything"]).code, 2);
    let said = report(&folder, Some("0011"), &["secret.pb"]);
    assert!(said.code == 2 && said.err.contains("STEPLENS_REDACTION_KEY"), "{}", said.err);
}
