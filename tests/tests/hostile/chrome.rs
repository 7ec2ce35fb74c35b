//! Chrome traces that are cut short, damaged or hostile.

use crate::{Alike, PEAK_ALWAYS, PEAK_PER_BYTE, cost_of_opening, open};
use flate2::read::MultiGzDecoder;
use std::io::Read;
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Limits, Opened, Opener};
use steplens_tests::cases::{either, percent_of_seeds};
use steplens_tests::everything::{ask_all, everything};
use steplens_tests::fixtures::{chrome_trace, chrome_traces};
use steplens_tests::meter::cost;
use steplens_tests::random::{Mutant, mutants};

/// What other writers' events look like.
const OTHERS: &[u8] = br#"[{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}},
{"ph":"B","name":"a","pid":1,"tid":2,"ts":1},{"ph":"X","cat":"kernel","name":"k<4>(int)","pid":1,"tid":"s","ts":1.5,"dur":2e0,"args":{"a":[1,{"b":[]}]}},
{"ph":"E","pid":1,"tid":2,"ts":7},{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"main\u0041"}},{"ph":"C","name":"c","pid":1,"ts":2}]"#;

fn text(name: &str) -> Vec<u8> {
    let file = chrome_trace(name).bytes;
    let mut text = Vec::new();
    MultiGzDecoder::new(file.as_slice()).read_to_end(&mut text).unwrap();
    text
}

/// Where the objects end that lie `depth` brackets deep, and hold `part`.
fn ends_of_objects(file: &[u8], depth: usize, part: &str) -> Vec<usize> {
    let (mut open, mut ends, mut in_text, mut escaped) = (Vec::new(), Vec::new(), false, false);
    for (at, &byte) in file.iter().enumerate() {
        match byte {
            _ if std::mem::take(&mut escaped) => {}
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => open.push(at),
            b'}' | b']' if !in_text => {
                let start = open.pop().unwrap();
                let object = String::from_utf8_lossy(&file[start..=at]);
                if open.len() == depth && object.contains(part) {
                    ends.push(at + 1);
                }
            }
            _ => {}
        }
    }
    ends
}

fn codes(opened: &Opened) -> Vec<(&str, u64)> {
    let problems = opened.files[0].problems.iter().map(|problem| (&*problem.code, problem.count));
    problems.filter(|(code, _)| !code.starts_with("lost-") && !code.starts_with("un")).collect()
}

#[test]
fn every_truncation_keeps_every_op_before_the_cut() {
    for name in ["collective.ctf", "collective.memory.ctf"] {
        let file = text(name);
        let ends = ends_of_objects(&file, 2, r#""ph": "X""#);
        assert_eq!(ends.len(), 12);
        let end = *ends_of_objects(&file, 0, "").last().unwrap();
        let mut asked = 0;
        for cut in 0..=file.len() {
            let complete = ends.partition_point(|&end| end <= cut);
            match cost_of_opening(&file[..cut]).0 {
                Err(error) => {
                    assert_eq!(complete, 0, "cut at {cut}");
                    let code = if cut == 0 { "empty-file" } else { "no-ops-readable" };
                    assert_eq!(error.kind.code(), code, "cut at {cut}: {error}");
                }
                Ok(opened) => {
                    assert_eq!(opened.trace.ops().len(), complete, "cut at {cut}");
                    let wanted: &[_] = if cut >= end { &[] } else { &[("truncated", 1)] };
                    assert_eq!(codes(&opened), wanted, "cut at {cut}");
                    if complete > asked {
                        asked = complete;
                        ask_all(&Study::new(opened.trace));
                    }
                }
            }
        }
        assert_eq!(asked, 12);
    }
}

#[test]
fn a_list_needs_no_end() {
    let ends = ends_of_objects(OTHERS, 1, "");
    for cut in 0..OTHERS.len() {
        let Ok(opened) = open(&OTHERS[..cut]) else { continue };
        let cut_text = OTHERS[..cut].trim_ascii_end();
        let is_between = ends.contains(&cut_text.strip_suffix(b",").unwrap_or(cut_text).len());
        assert_eq!(codes(&opened).contains(&("truncated", 1)), !is_between, "cut at {cut}");
    }
}

#[test]
fn seeded_mutations_of_chrome_traces() {
    let texts = ["collective.ctf", "collective.memory.ctf", "multidev-nograph.ctf"].map(text);
    let files: Vec<Vec<u8>> = texts.into_iter().chain([OTHERS.to_vec()]).collect();
    let (mut opened, mut most) = (0, 0);
    for Mutant { seed, own, file } in mutants(&files) {
        let (result, cost) = cost_of_opening(&file);
        assert!(
            cost.peak_bytes <= PEAK_PER_BYTE * file.len() + PEAK_ALWAYS,
            "seed {seed}: {} bytes took {cost:?}",
            file.len()
        );
        let shown = result.map_or(0, |opened| {
            let study = Study::new(opened.trace);
            ask_all(&study);
            study.trace().ops().len()
        });
        opened += usize::from(shown > 0);
        most += usize::from(shown + 3 >= [12, 12, 67, 2][own]);
    }
    // Damage is local: what can be read is shown.
    assert!(
        opened > percent_of_seeds(85) && most > percent_of_seeds(70),
        "{opened} opened, {most} with all their ops but three at most"
    );
}

/// One byte wrong somewhere costs the event that it is in, and the next one at most.
#[test]
fn damage_is_local() {
    let file = text("collective.ctf");
    // The first bytes tell the format, and where events are.
    let first = file.iter().position(|&byte| byte == b'[').unwrap() + 1;
    for at in first..file.len() {
        for byte in [b'"', b'{', b'}', b']', b'\\', 0, b'x'] {
            let mut damaged = file.clone();
            damaged[at] = byte;
            let opened = open(&damaged).unwrap_or_else(|why| panic!("byte {at}: {why}"));
            assert!(
                opened.trace.ops().len() >= 10,
                "byte {at} is {}: {}",
                char::from(byte),
                opened.trace.ops().len()
            );
        }
    }
}

/// Events that lie whole in a slice are read in another way than those that its end cuts.
#[test]
fn what_is_odd_is_as_odd_byte_by_byte() {
    let file = br#"{"traceEvents":[{"ph":"X","name":"a \"b\" \u0041","pid":1,"tid":"s","ts":1795196106012383,"dur":2.5,
        "args":{"input1":"x","snapshot":{"tensor_description":"dtype\n"},"z":[1,{"k":null}],},"x":{"y":"]"}}, ,
        {"ph":"X","cat":"Op","name":"M","pid":-2,"ts":"7","args":{"name":"n","op":"M","input10":"b","input2":"a\\"}} ] }"#;
    let outcome = |slice: usize, file: &[u8]| {
        let mut opener = Opener::new(CategoryRules::default(), Limits::default());
        opener.begin_file("trace.json");
        file.chunks(slice).for_each(|slice| opener.push(slice));
        opener.end_file();
        match opener.finish() {
            Ok(opened) => format!("{:?} {}", opened.files, everything(&Study::new(opened.trace))),
            Err(why) => format!("{why:?}"),
        }
    };
    assert!(outcome(file.len(), file).contains("a \\\"b\\\" A"), "{}", outcome(file.len(), file));
    for at in 0..file.len() {
        for byte in *b"\"{}[],:\\ \n\x0017e-.x\xef" {
            let mut damaged = file.to_vec();
            damaged[at] = byte;
            assert_eq!(
                outcome(file.len(), &damaged),
                outcome(1, &damaged),
                "byte {at} is {}",
                char::from(byte)
            );
        }
        let mut shorter = file.to_vec();
        shorter.remove(at);
        assert_eq!(outcome(file.len(), &shorter), outcome(1, &shorter), "without byte {at}");
    }
}

/// What reading takes for large files of the shapes that cost most.
#[test]
fn memory_is_ten_times_the_file_at_most() {
    let many = |event: &str| format!("[{}]", vec![event; 20_000].join(","));
    let numbered = |event: &str| {
        let events: Vec<_> = (0..20_000).map(|n| event.replace('N', &n.to_string())).collect();
        format!("[{}]", events.join(","))
    };
    let long = "é\\n".repeat(400_000);
    let mut files = vec![
        many(r#"{"ph":"X","ts":1}"#),
        many(r#"{"ph":"B","ts":1,"tid":"a"}"#),
        numbered(r#"{"ph":"B","ts":N,"tid":"N","pid":N,"name":"N"}"#),
        numbered(r#"{"ph":"X","ts":N,"tid":"x N","pid":N,"name":"op N"}"#),
        numbered(r#"{"ph":"M","name":"thread_name","tid":"tN","args":{"name":"N"}}"#)
            + r#"{"ph":"X","ts":1}"#,
        format!(r#"[{{"ph":"X","ts":1,"name":"{long}"}}]"#),
        format!(r#"[{{"ph":"X","ts":1,"args":{{"x":"{long}"}}}}]"#),
        format!(r#"[{{"ph":"X","ts":1,"cat":"Op","args":{{"name":"a","op":"b","input0":"{long}"}}}}]"#),
        format!(
            r#"{{"a":{}{},"traceEvents":[{{"ph":"X","ts":1}}]}}"#,
            "[".repeat(400_000),
            "]".repeat(400_000)
        ),
        "{\"traceEvents\":[".repeat(100_000),
        "[".repeat(1_000_000),
        "{\"a\":".repeat(300_000),
        "\"".repeat(1_000_000),
        "{".repeat(1_000_000),
        format!("[{}", "1".repeat(1_000_000)),
    ];
    files.extend(
        ["collective.memory.ctf", "mnist-adam.memory.ctf", "ps4w.ctf"]
            .map(|name| String::from_utf8(text(name)).unwrap()),
    );
    for file in files {
        for slice in [usize::MAX, 1_000] {
            let (_, cost) = cost(|| crate::open_in_slices(file.as_bytes(), slice));
            let most = PEAK_PER_BYTE * file.len() + PEAK_ALWAYS;
            assert!(cost.peak_bytes <= most, "{}…: {} bytes took {cost:?}", &file[..40], file.len());
            // Work is linear: what is allocated in all is a small multiple, too.
            assert!(cost.total_bytes <= 4 * most, "{}…: {} bytes took {cost:?}", &file[..40], file.len());
        }
    }
}

#[test]
fn other_json_is_refused() {
    for (file, code) in [
        ("{}", "other-json"),
        ("[]", "other-json"),
        ("[1, 2, 3]", "other-json"),
        (r#"{"a": [{"b": 1}], "c": "traceEvents"}"#, "other-json"),
        (r#"[{"name": "a"}, {"name": "b"}]"#, "other-json"),
        ("{ broken }", "other-json"),
        (r#"{"traceEvents": []}"#, "no-ops"),
        (r#"{"traceEvents": [{"ph": "i", "ts": 1}]}"#, "no-ops"),
        (r#"{"traceEvents": [{"ph": "X", "ts": "never"}]}"#, "no-ops-readable"),
        (r#"{"traceEvents": [{"ph": "X", "ts": 1"#, "no-ops-readable"),
        ("{", "no-ops-readable"),
        ("                     ", "other-json"),
    ] {
        let error = open(file.as_bytes()).map(|_| ()).unwrap_err();
        assert_eq!(error.kind.code(), code, "{file}: {error}");
        assert!(error.to_string().ends_with('.'), "{error}");
    }
}

#[test]
fn every_packed_trace_survives_a_wrong_byte() {
    for trace in chrome_traces().iter().filter(|trace| trace.bytes.len() < 5_000) {
        let mut mutants = Alike::default();
        for at in (0..trace.bytes.len()).step_by(either(4, 1)) {
            let mut damaged = trace.bytes.clone();
            damaged[at] ^= 0x55;
            mutants.survive(&damaged);
        }
    }
}
