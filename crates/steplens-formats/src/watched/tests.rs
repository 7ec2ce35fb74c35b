//! Folders as they grow, are damaged, and are rewritten.

use super::{Entry, Reader};
use std::collections::BTreeMap;
use steplens_core::watched::calls::figures;
use steplens_core::watched::names::ProcessName;
use steplens_core::watched::runs::Runs;
use steplens_core::watched::{Fault, FaultKind, Place};

/// A folder in memory, and its reader.
#[derive(Default)]
struct Folder {
    files: BTreeMap<String, (Vec<u8>, i64)>,
    clock: i64,
    reader: Reader,
    /// How many bytes were read.
    read: u64,
}

impl Folder {
    fn write(&mut self, path: &str, content: impl AsRef<[u8]>) {
        self.clock += 1;
        self.files.insert(path.to_owned(), (content.as_ref().to_vec(), self.clock));
    }

    fn append(&mut self, path: &str, content: &str) {
        self.clock += 1;
        let (bytes, changed) = self.files.entry(path.to_owned()).or_default();
        bytes.extend_from_slice(content.as_bytes());
        *changed = self.clock;
    }

    fn look(&mut self) {
        let entries = self.files.iter().map(|(path, (bytes, changed))| Entry {
            path: path.clone(),
            bytes: bytes.len() as u64,
            changed: *changed,
        });
        self.reader.begin(entries.collect());
        for round in 0.. {
            assert!(round < 100, "it wants something without end");
            let wants = self.reader.wants();
            if wants.is_empty() {
                return;
            }
            for want in wants {
                let (bytes, _) = &self.files[&want.path];
                let range = (want.from as usize).min(bytes.len())..(want.to as usize).min(bytes.len());
                self.read += range.len() as u64;
                self.reader.read(&want.path, want.from, &bytes[range]);
            }
        }
    }

    fn runs(&self, process: &str) -> &Runs {
        &self.reader.watched().processes[&ProcessName::new(process).unwrap()]
    }

    fn numbers(&self, process: &str) -> Vec<u64> {
        self.runs(process).runs.iter().map(|run| run.number).collect()
    }

    fn fault(&self, kind: FaultKind) -> Option<&Fault> {
        self.reader.watched().faults.get(&kind)
    }
}

fn line(run: u64, more: &str) -> String {
    format!("{{\"run\":{run},\"start_ns\":{},\"length_ns\":{}{more}}}\n", 1_000 + run, 10 * (run + 1))
}

const CALL: &str = ",\"fetches\":[\"a\"],\"feeds\":[]";

#[test]
fn only_what_was_added_is_read_again() {
    let mut folder = Folder::default();
    let name = "runs-w.jsonl";
    folder.append(name, &line(0, CALL));
    for run in 1..1_000 {
        folder.append(name, &line(run, ""));
    }
    folder.look();
    let all = folder.read;
    folder.look();
    assert_eq!(folder.read, all, "nothing is new");
    folder.append(name, &line(1_000, ""));
    folder.look();
    assert!(folder.read - all < 400, "{} bytes for one line", folder.read - all);
    assert_eq!(folder.numbers("w"), (0..=1_000).collect::<Vec<_>>());
    let rows = figures(folder.runs("w"));
    let [(Some(_), own)] = rows.as_slice() else { panic!("{rows:?}") };
    let lengths: Vec<i64> = (0..=1_000).map(|run| 10 * (run + 1)).collect();
    let mean = lengths.iter().sum::<i64>() / lengths.len() as i64;
    assert_eq!(own.untraced.mean().map(|mean| mean.0), Some(mean));
    assert_eq!((own.untraced.least().unwrap().0, own.untraced.most().unwrap().0), (10, 10_010));
}

#[test]
fn a_line_without_its_end_is_no_run_until_that_comes() {
    let mut folder = Folder::default();
    let (whole, next) = (line(0, CALL), line(1, ""));
    for cut in 0..next.len() {
        folder.write("runs-w.jsonl", format!("{whole}{}", &next[..cut]));
        folder.look();
        assert_eq!(folder.numbers("w"), [0], "{cut}");
        assert_eq!(folder.fault(FaultKind::Line), None);
    }
    folder.write("runs-w.jsonl", format!("{whole}{next}"));
    folder.look();
    assert_eq!(folder.numbers("w"), [0, 1]);
}

#[test]
fn a_damaged_line_is_left_out_and_hides_what_the_next_ones_fetch() {
    let cut = "{\"run\":1,\"sta\n";
    for damaged in [
        cut,
        "[]\n",
        "null\n",
        "{}\n",
        "{\"run\":-1,\"start_ns\":0,\"length_ns\":0}\n",
        "{\"run\":1,\"start_ns\":0,\"length_ns\":-1}\n",
        "{\"run\":1,\"start_ns\":1e40,\"length_ns\":1}\n",
        "{\"run\":1,\"run\":2,\"start_ns\":0,\"length_ns\":1}\n",
        "{\"dropped\":5}\n",
        "\u{0}\u{1}\n",
        &format!("{}\n", "[".repeat(100_000)),
    ] {
        let mut folder = Folder::default();
        let text = line(0, CALL) + damaged + &line(2, "") + &line(3, CALL);
        folder.write("runs-w.jsonl", text);
        folder.look();
        assert_eq!(folder.numbers("w"), [0, 2, 3], "{damaged:.40}");
        let calls: Vec<bool> = folder.runs("w").runs.iter().map(|run| run.call.is_some()).collect();
        assert_eq!(calls, [true, false, true], "{damaged:.40}");
        let at = line(0, CALL).len() as u64;
        let wanted = Fault { count: 1, file: "runs-w.jsonl".to_owned(), place: Place::Byte(at) };
        assert_eq!(folder.fault(FaultKind::Line), Some(&wanted), "{damaged:.40}");
    }
}

#[test]
fn bytes_that_are_no_text_and_lines_without_end_cost_only_themselves() {
    let mut folder = Folder::default();
    let mut bytes = line(0, CALL).into_bytes();
    bytes.extend([0xff, 0xfe, b'\n']);
    bytes.extend(vec![b'x'; 9 << 20]);
    folder.write("runs-w.jsonl", &bytes);
    folder.look();
    folder.append("runs-w.jsonl", "\n");
    folder.append("runs-w.jsonl", &line(1, CALL));
    folder.look();
    assert_eq!(folder.numbers("w"), [0, 1]);
    assert_eq!(folder.fault(FaultKind::Line).unwrap().count, 1);
    assert_eq!(folder.fault(FaultKind::LongLine).unwrap().count, 1);
}

#[test]
fn a_line_that_is_too_long_hides_what_the_next_ones_fetch() {
    for is_seen_growing in [false, true] {
        let mut folder = Folder::default();
        folder.write("runs-w.jsonl", line(0, CALL) + &"x".repeat(3 << 20));
        if is_seen_growing {
            folder.look();
        }
        folder.append("runs-w.jsonl", &("\n".to_owned() + &line(1, "") + &line(2, CALL)));
        folder.look();
        let calls: Vec<bool> = folder.runs("w").runs.iter().map(|run| run.call.is_some()).collect();
        assert_eq!(calls, [true, false, true], "{is_seen_growing}");
    }
}

#[test]
fn a_file_that_is_written_anew_is_read_anew_whatever_its_length() {
    for later in [3_u64, 900, 3_000] {
        let mut folder = Folder::default();
        folder.append("runs-w.jsonl", &line(0, CALL));
        (1..1_000).for_each(|run| folder.append("runs-w.jsonl", &line(run, "")));
        folder.look();
        let mut anew = "{\"dropped\":500}\n".to_owned() + &line(500, CALL);
        (501..500 + later).for_each(|run| anew += &line(run, ""));
        folder.write("runs-w.jsonl", anew);
        folder.look();
        assert_eq!(folder.numbers("w"), (500..500 + later).collect::<Vec<_>>());
        assert_eq!(folder.runs("w").dropped, 500);
        assert!(folder.runs("w").runs.iter().all(|run| run.call.is_some()));
        assert_eq!(folder.reader.watched().faults.len(), 0);
    }
}

#[test]
fn traces_that_a_run_cannot_have_are_none() {
    let mut folder = Folder::default();
    for (run, trace) in
        ["../../etc/passwd", "traces/1-other.pb", "traces/7-w.pb", "traces/3-w.pb", "traces/4-w.exe"]
            .iter()
            .enumerate()
    {
        let of = if run == 0 { CALL } else { "" };
        folder.append("runs-w.jsonl", &line(run as u64, &format!("{of},\"trace\":{trace:?}")));
    }
    folder.write("traces/3-w.pb", "x");
    folder.write("traces/..\\evil.pb", "x");
    folder.look();
    let named: Vec<bool> = folder.runs("w").runs.iter().map(|run| run.trace.is_some()).collect();
    assert_eq!(named, [false, false, false, true, false]);
    assert_eq!(folder.fault(FaultKind::TraceName).unwrap().count, 4);
    assert_eq!(folder.reader.watched().traces.keys().collect::<Vec<_>>(), ["traces/3-w.pb"]);
}

#[test]
fn processes_are_those_of_the_list_and_of_the_files() {
    let mut folder = Folder::default();
    folder.write(
        "steplens.json",
        "{\"schema\":\"steplens.watched-folder/1\",\"processes\":[\"a\",\"b.1\"],\"more\":1}",
    );
    folder.write("runs-c.jsonl", line(0, CALL));
    folder.write("runs-d-e.jsonl", line(0, CALL));
    folder.look();
    let names = |folder: &Folder| {
        folder.reader.watched().processes.keys().map(|name| name.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&folder), ["a", "b.1", "c"]);
    folder.files.remove("runs-c.jsonl");
    folder.write("steplens.json", "{\"schema\":\"steplens.watched-folder/2\",\"processes\":[]}");
    folder.look();
    assert_eq!(names(&folder), [""; 0]);
    assert_eq!(folder.fault(FaultKind::File).unwrap().file, "steplens.json");
}

#[test]
fn answers_are_read_until_they_are_final() {
    let mut folder = Folder::default();
    let request = "{\"id\":\"a1\",\"kind\":\"now\",\"n\":1,\"count\":1,\"processes\":null,\"expires_ns\":5}";
    folder.write("requests/a1.json", request);
    let answer = |state: &str| {
        format!(
            "{{\"id\":\"a1\",\"process\":\"w\",\"state\":\"{state}\",\"runs\":[],\"reason\":null,\"at_ns\":1}}"
        )
    };
    folder.write("answers/a1-w.json", answer("tracing"));
    folder.look();
    // As long as before, and within the resolution of the clock.
    let changed = folder.files["answers/a1-w.json"].1;
    folder.files.insert("answers/a1-w.json".to_owned(), (answer("stopped").into_bytes(), changed));
    folder.look();
    let states: Vec<&str> =
        folder.reader.watched().answers.values().map(|answer| answer.state.word()).collect();
    assert_eq!(states, ["stopped"]);
    let read = folder.read;
    folder.look();
    assert_eq!(folder.read, read, "a final one is not read again");
}

#[test]
fn damaged_small_files_are_problems_and_empty_ones_are_not_there_yet() {
    let mut folder = Folder::default();
    folder.write("requests/empty.json", "");
    folder.write("requests/a.json", "{");
    folder.write("requests/b.json", "{\"id\":\"c\",\"kind\":\"now\",\"count\":1,\"expires_ns\":1}");
    folder.write("requests/d.json", "{\"id\":\"d\",\"kind\":\"later\",\"count\":1,\"expires_ns\":1}");
    folder.write("requests/large.json", " ".repeat(100_000));
    folder.write(
        "answers/a-w.json",
        "{\"id\":\"a\",\"process\":\"w\",\"state\":\"sleeping\",\"runs\":[],\"at_ns\":1}",
    );
    folder.look();
    assert!(folder.reader.watched().requests.is_empty() && folder.reader.watched().answers.is_empty());
    assert_eq!(folder.fault(FaultKind::File).unwrap().count, 5);
    folder.write(
        "requests/a.json",
        "{\"id\":\"a\",\"kind\":\"every\",\"n\":3,\"count\":0,\"expires_ns\":1,\"processes\":[\"w\"]}",
    );
    folder.look();
    assert_eq!(folder.fault(FaultKind::File).unwrap().count, 4, "mended ones are no problem any more");
    assert_eq!(folder.reader.watched().requests.len(), 1);
}

#[test]
fn what_cannot_be_read_is_a_problem_until_it_can() {
    let mut folder = Folder::default();
    folder.write("runs-w.jsonl", line(0, CALL));
    folder.reader.begin(vec![Entry { path: "runs-w.jsonl".to_owned(), bytes: 50, changed: 1 }]);
    assert_eq!(folder.reader.wants().len(), 1);
    folder.reader.unread("runs-w.jsonl", Some("no permission"));
    assert!(folder.reader.wants().is_empty(), "not again in this look");
    assert_eq!(folder.fault(FaultKind::NotRead).unwrap().place, Place::Why("no permission".to_owned()));
    folder.look();
    assert_eq!((folder.numbers("w").len(), folder.fault(FaultKind::NotRead)), (1, None));
}

#[test]
fn what_could_not_be_read_is_read_by_the_next_look_though_it_did_not_change() {
    let request = "{\"id\":\"a\",\"kind\":\"now\",\"count\":1,\"expires_ns\":1}".to_owned();
    for (path, text) in [("runs-w.jsonl", line(0, CALL)), ("requests/a.json", request)] {
        for why in [Some("no permission"), None] {
            let mut folder = Folder::default();
            folder.write(path, &text);
            folder.reader.begin(vec![Entry { path: path.to_owned(), bytes: text.len() as u64, changed: 1 }]);
            assert_eq!(folder.reader.wants().len(), 1, "{path}");
            folder.reader.unread(path, why);
            folder.look();
            let watched = folder.reader.watched();
            let read =
                watched.requests.len() + watched.processes.values().map(|own| own.runs.len()).sum::<usize>();
            assert_eq!((read, folder.fault(FaultKind::NotRead)), (1, None), "{path} {why:?}");
        }
    }
}

#[test]
fn more_than_is_watched_is_counted_and_the_newest_stay() {
    let mut folder = Folder::default();
    for number in 0..1_200 {
        let text = format!("{{\"id\":\"r{number}\",\"kind\":\"now\",\"count\":1,\"expires_ns\":1}}");
        folder.write(&format!("requests/r{number}.json"), text);
    }
    folder.look();
    assert_eq!(folder.fault(FaultKind::ManyFiles).unwrap().count, 200);
    assert_eq!(folder.reader.watched().requests.len(), 1_000);
    assert!(folder.reader.watched().requests.keys().any(|id| id.as_str() == "r1199"));
}

#[test]
fn any_cut_and_any_flipped_byte_ends_well() {
    let mut text = String::new();
    for run in 0..20 {
        text += &line(run, CALL);
    }
    for at in 0..text.len() {
        let mut folder = Folder::default();
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 0x55;
        folder.write("runs-w.jsonl", &bytes[..]);
        folder.look();
        assert!(folder.numbers("w").len() >= 18, "{at}");
        folder.write("runs-w.jsonl", &bytes[..at]);
        folder.look();
        folder.write("runs-w.jsonl", &text);
        folder.look();
        assert_eq!(folder.numbers("w").len(), 20, "{at}");
    }
}
