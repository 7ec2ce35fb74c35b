//! `watch` and `request` on folders of two processes, damaged ones and none; `serve` by its first lines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{fixture, folder, output, run, steplens};
use crate::places::root;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

fn line(run: u64, length_ms: u64, more: &str) -> String {
    format!(
        "{{\"run\":{run},\"start_ns\":1796195999000000000,\"length_ns\":{},\"step\":{}{more}}}\n",
        length_ms * 1_000_000,
        100 + run
    )
}

/// Two processes, one of them killed while it wrote; a trace, and one that is gone.
fn watched(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::create_dir_all(folder.join("traces")).unwrap();
    fs::write(
        folder.join("steplens.json"),
        "{\"schema\":\"steplens.watched-folder/1\",\"processes\":[\"ps.0\",\"worker.0\"]}",
    )
    .unwrap();
    let call = ",\"fetches\":[\"train_op\"],\"feeds\":[\"x:0\"]";
    let ps = [
        line(0, 5, call),
        line(1, 7, ""),
        line(2, 40, ",\"trace\":\"traces/2-ps.0.pb\",\"request\":\"a1\""),
        line(3, 60, ",\"trace\":\"traces/3-ps.0.pb\""),
    ];
    fs::write(folder.join("runs-ps.0.jsonl"), ps.concat()).unwrap();
    fs::write(folder.join("traces/2-ps.0.pb"), fixture("mnist-adam.pb")).unwrap();
    let killed = format!("{{\"dropped\":90}}\n{}{{\"run\":91,\"st", line(90, 9, call));
    fs::write(folder.join("runs-worker.0.jsonl"), killed).unwrap();
    folder
}

fn state(folder: &Path) -> Value {
    let state =
        serde_json::from_str(&output(&["watch", "--once", "--json", folder.to_str().unwrap()])).unwrap();
    follows("watch", &state);
    state
}

/// What is printed is what its schema says.
fn follows(schema: &str, value: &Value) {
    let path = root().join(format!("schemas/{schema}-1.json"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let faults: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(value)
        .map(|fault| fault.to_string())
        .collect();
    assert!(faults.is_empty(), "{faults:?}\n{value}");
}

#[test]
fn what_there_is_is_told_once() {
    let folder = watched("watched-once");
    let state = state(&folder);
    let process = |at: usize| &state["processes"][at];
    assert_eq!((&process(0)["runs"], &process(0)["traced"]), (&4.into(), &2.into()));
    let call = &process(0)["calls"][0];
    assert_eq!((&call["mean_ns"], &call["traced_mean_ns"]), (&6_000_000.into(), &50_000_000.into()));
    assert_eq!(process(0)["traces"].as_array().unwrap().len(), 1, "one is gone");
    assert_eq!((&process(1)["runs"], &process(1)["dropped"]), (&1.into(), &90.into()));
    assert_eq!(state["problems"], Value::Array(Vec::new()), "a line that is not whole yet is no fault");
    let text = output(&["watch", "--once", folder.to_str().unwrap()]);
    for words in ["ps.0  4 runs, 2 traced", "worker.0", "90 earlier runs", "train_op", "6.000 ms", "50.00 ms"]
    {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
}

#[test]
fn what_is_new_is_told_a_line_each() {
    let folder = watched("watched-new");
    let mut child =
        steplens(["watch", "--json", folder.to_str().unwrap()]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(next()["schema"], "steplens.watch/1");
    fs::write(folder.join("traces/4-ps.0.pb"), fixture("mnist-adam.pb")).unwrap();
    let mut runs = fs::read_to_string(folder.join("runs-ps.0.jsonl")).unwrap();
    runs += &line(4, 30, ",\"trace\":\"traces/4-ps.0.pb\"");
    // At once: a file that is being written is empty for a moment.
    fs::write(folder.join(".runs"), runs).unwrap();
    fs::rename(folder.join(".runs"), folder.join("runs-ps.0.jsonl")).unwrap();
    let run = next();
    follows("watch-event", &run);
    assert_eq!((&run["run"]["run"], &run["run"]["fetches"][0]), (&4.into(), &"train_op".into()));
    let trace = next();
    follows("watch-event", &trace);
    assert_eq!((&trace["trace"]["path"], &trace["trace"]["ops"]), (&"traces/4-ps.0.pb".into(), &79.into()));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn requests_are_files_with_the_id_that_is_printed() {
    let folder = watched("watched-request");
    let path = folder.to_str().unwrap();
    let cases: [(&[&str], &str, u64, u64); 6] = [
        (&["--now"], "now", 1, 1),
        (&["--now", "--count", "3"], "now", 1, 3),
        (&["--every", "10"], "every", 10, 0),
        (&["--multiple", "100", "--count", "2"], "multiple", 100, 2),
        (&["--at-multiple-of", "7"], "multiple", 7, 1),
        (&["--stop"], "stop", 1, 0),
    ];
    for (options, kind, n, count) in cases {
        let id = output(&[&["request", path][..], options].concat());
        let file = folder.join(format!("requests/{}.json", id.trim()));
        let request: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        assert_eq!(request["id"], id.trim());
        assert_eq!(
            (&request["kind"], &request["n"], &request["count"]),
            (&kind.into(), &n.into(), &count.into())
        );
        assert_eq!(request["processes"], Value::Null);
    }
    let id = output(&["request", path, "--now", "--process", "ps.0", "--process", "worker.0"]);
    let file = folder.join(format!("requests/{}.json", id.trim()));
    let request: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(request["processes"], serde_json::json!(["ps.0", "worker.0"]));
    assert_eq!(state(&folder)["requests"].as_array().unwrap().len(), 7);
    let left = fs::read_dir(folder.join("requests")).unwrap().flatten();
    assert!(left.map(|file| file.file_name()).all(|name| !name.to_string_lossy().starts_with('.')));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let watched = watched("watched-refused");
    let empty = folder("watched-empty");
    let text = |folder: &PathBuf| folder.to_str().unwrap().to_owned();
    let cases: [(String, &[&str], &str); 6] = [
        (text(&empty), &["--now"], "is no watched folder"),
        ("/nowhere".to_owned(), &["--now"], "/nowhere"),
        (text(&watched), &[], "required"),
        (text(&watched), &["--now", "--stop"], "cannot be used with"),
        (text(&watched), &["--every", "0"], "0"),
        (text(&watched), &["--now", "--process", "../x"], "cannot be the name of a process"),
    ];
    for (folder, options, wanted) in cases {
        let said = run(&mut steplens([&["request", folder.as_str()][..], options].concat()));
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{options:?}");
        assert!(said.err.contains(wanted), "{options:?}: {}", said.err);
    }
    assert!(!watched.join("requests").exists());
}

#[test]
fn waiting_ends_with_the_answers() {
    let folder = watched("watched-wait");
    let mut child = steplens(["request", folder.to_str().unwrap(), "--now", "--process", "ps.0", "--wait"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let id = lines.next().unwrap().unwrap();
    fs::create_dir_all(folder.join("answers")).unwrap();
    let answer = format!(
        "{{\"id\":\"{id}\",\"process\":\"ps.0\",\"state\":\"done\",\"runs\":[5],\"reason\":null,\"at_ns\":1}}"
    );
    fs::write(folder.join(format!("answers/{id}-ps.0.json")), answer).unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "ps.0: done: runs 5");
    assert!(child.wait().unwrap().success());
}

#[test]
fn serve_says_where_and_warns_of_other_addresses() {
    let folder = watched("watched-serve");
    let page = folder.join("page.html");
    let head = "<!doctype html><html><head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\"></head></html>";
    fs::write(&page, head).unwrap();
    for (address, warns) in [("127.0.0.1", false), ("0.0.0.0", true)] {
        let mut child = steplens(["serve", folder.to_str().unwrap(), "--port", "0", "--address", address])
            .env("STEPLENS_PAGE", &page)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let said: Vec<String> = lines.by_ref().take(if warns { 3 } else { 4 }).map(Result::unwrap).collect();
        assert!(said[1].trim().starts_with("http://") && said[1].contains("/?token="), "{said:?}");
        if warns {
            let warning = BufReader::new(child.stderr.take().unwrap()).lines().next().unwrap().unwrap();
            assert!(warning.contains("not encrypted"), "{warning}");
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// `steplens serve . | head -2` closes the pipe before all is said.
#[test]
fn serve_goes_on_where_nobody_reads_what_it_says() {
    let folder = watched("watched-unread");
    let page = folder.join("page.html");
    let head = "<!doctype html><html><head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\"></head></html>";
    fs::write(&page, head).unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut child = steplens(["serve", folder.to_str().unwrap(), "--port", "0", "--address", "0.0.0.0"])
        .env("STEPLENS_PAGE", &page)
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The warning comes after all that is said on standard output.
    let warning = BufReader::new(child.stderr.take().unwrap()).lines().next();
    assert!(warning.is_some_and(|line| line.unwrap().contains("not encrypted")));
    assert!(child.try_wait().unwrap().is_none(), "it serves");
    child.kill().unwrap();
    child.wait().unwrap();
}
