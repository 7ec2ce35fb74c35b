//! Reports hide texts unless `--include` says otherwise, and every figure is that of the original.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::shared_page::{element, read_page, session, write_page};
use crate::common::{fixture, folder, run, run_metadata, steplens};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use steplens_core::CategoryRules;
use steplens_formats::Opener;

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

/// Who has the same trace, and so every word that was hidden, cannot find out which hash is whose by trying keys that a lazy program may have
/// taken, and finds no key in the file.
#[test]
fn a_dictionary_finds_no_hidden_word() {
    let folder = folder("redaction-dictionary");
    fs::write(folder.join("own.pb"), fixture("ps4w.pb")).unwrap();
    let strings = |key: Option<&str>| -> BTreeSet<String> {
        assert_eq!(report(&folder, key, &["own.pb"]).code, 0);
        let (_, session) = read(&folder);
        let opened = Opener::open_bytes("r.steplens", &session, CategoryRules::default()).unwrap();
        let texts = opened.trace.nodes().ids().map(|node| opened.trace.text(opened.trace.nodes().name(node)));
        texts
            .flat_map(|text| text.split(['/', '_', ':']))
            .filter(|word| is_hash(word))
            .map(str::to_owned)
            .collect()
    };
    let hidden = strings(None);
    assert!(hidden.len() > 50, "{hidden:?}");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let numbers =
        [0, 1, u128::MAX, u128::from(now.as_secs()), now.as_millis(), u128::from(std::process::id())];
    let guesses = numbers.map(|number| format!("{number:032x}"));
    // Which words the format has itself is no secret: they are in both of two files with other keys.
    let [first, second] = [KEY, &guesses[1]].map(|key| strings(Some(key)));
    let public: BTreeSet<&String> = first.intersection(&second).collect();
    for guess in guesses.iter().map(String::as_str).chain([KEY]) {
        let tried = strings(Some(guess));
        let found: Vec<_> = hidden.intersection(&tried).filter(|word| !public.contains(word)).collect();
        // Of 300 million hashes of six letters, two that are equal by chance are rare.
        assert!(found.len() < 3, "{guess}: {found:?}");
    }
    // The key that made a file is not in it, in no order of its bytes.
    assert_eq!(report(&folder, Some(KEY), &["own.pb"]).code, 0);
    let (note, session) = read(&folder);
    let page = read_page(&folder.join("out.html"));
    let key: Vec<u8> = (0..16).map(|at| u8::from_str_radix(&KEY[2 * at..2 * at + 2], 16).unwrap()).collect();
    let turned: Vec<u8> = key.iter().rev().copied().collect();
    let halves = [key[..8].to_vec(), key[8..].to_vec(), turned[..8].to_vec(), turned[8..].to_vec()];
    for half in &halves {
        assert!(!session.windows(8).any(|bytes| bytes == half), "{half:?}");
    }
    assert!(!page.contains(KEY) && !note.to_string().contains(KEY));
}

/// Whether `word` may be a hash: six small letters.
fn is_hash(word: &str) -> bool {
    word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_lowercase())
}
