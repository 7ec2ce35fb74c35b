//! TensorBoard event files: every RunMetadata in them, against what TensorFlow's own reader counts.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use steplens_core::{CategoryRules, Study, Trace};
use steplens_formats::{Limits, Opened, Opener, ReadError};
use steplens_tests::event_file::{event, field, record, records, summary, tagged};
use steplens_tests::everything::everything;
use steplens_tests::fixtures::{bytes_of, fixture};
use steplens_tests::writer::{Scenario, WORKER, op};

const HOST: &str = "events.out.tfevents.1795196999.host";
const TF2: &str = "events.out.tfevents.1795197000.tf2";

fn open(file: &[u8], slice: usize) -> Result<Opened, ReadError> {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("file");
    file.chunks(slice).for_each(|slice| opener.push(slice));
    opener.end_file();
    opener.finish()
}

fn sample(name: &str) -> Vec<u8> {
    bytes_of(&format!("containers/{name}"))
}

/// Tag and number of ops of every part.
fn parts(trace: &Trace) -> Vec<(&str, Option<i64>, u32)> {
    trace.parts().iter().map(|part| (trace.text(part.name), part.step, part.ops)).collect()
}

fn codes(opened: &Opened) -> Vec<(&str, u64)> {
    opened.files[0].problems.iter().map(|problem| (&*problem.code, problem.count)).collect()
}

/// What TensorFlow's classes count in a sample.
fn figures(name: &str) -> Vec<Value> {
    let figures: Value = serde_json::from_slice(&bytes_of("containers/events.json")).unwrap();
    figures[name]["runs"].as_array().unwrap().clone()
}

#[test]
fn every_run_metadata_is_there_with_its_tag_and_step() {
    for slice in [1, 7, 1_000, usize::MAX] {
        let opened = open(&sample(HOST), slice).unwrap();
        let (file, trace) = (&opened.files[0], &opened.trace);
        assert_eq!((&*file.format, file.problems.as_slice()), ("event-file", &[][..]));
        let wanted = figures(HOST);
        assert_eq!((trace.parts().len(), wanted.len()), (3, 3));
        for (number, (part, wanted)) in trace.parts().iter().zip(&wanted).enumerate() {
            let ops: Vec<_> =
                trace.ops().ids().filter(|&op| trace.ops().part(op).index() == number).collect();
            let summed: i64 = ops.iter().map(|&op| trace.ops().interval(op).length().0).sum();
            let first = ops.iter().map(|&op| trace.ops().start(op).0).min().unwrap();
            assert_eq!(trace.text(part.name), wanted["tag"].as_str().unwrap());
            assert_eq!(part.step, wanted["step"].as_i64());
            assert_eq!(part.recorded_unix_ns, wanted["recorded_unix_ns"].as_i64());
            assert_eq!(Some(ops.len() as i64), wanted["ops"].as_i64());
            assert_eq!(Some(summed), wanted["summed_ns"].as_i64());
            assert_eq!(Some(first + trace.origin_unix_ns()), wanted["first_start_unix_ns"].as_i64());
            assert!(part.is_run && part.ops as usize == ops.len());
        }
    }
}

#[test]
fn graphs_without_times_are_told_as_such() {
    let wanted = &figures(TF2)[0];
    let error = open(&sample(TF2), 100).map(|_| ()).unwrap_err();
    assert_eq!(error.kind.code(), "no-ops");
    let sentence = error.to_string();
    let nodes = format!("1 RunMetadata that hold {} graph nodes and no op", wanted["graph_nodes"]);
    assert!(sentence.contains(&nodes) && sentence.contains("trace_export"), "{sentence}");
}

/// A RunMetadata is the same trace alone and in an event file.
#[test]
fn the_container_changes_nothing() {
    for name in ["mnist-adam", "multidev", "collective", "ps4w"] {
        let file = fixture(name).bytes;
        let alone = everything(&Study::new(open(&file, usize::MAX).unwrap().trace));
        let events =
            [record(&event(0, 1.0, b"")), record(&event(7, 1.7e9, &tagged("a tag", &file)))].concat();
        for slice in [999, usize::MAX] {
            let opened = open(&events, slice).unwrap();
            assert_eq!(codes(&opened), []);
            let part = &opened.trace.parts()[0];
            assert_eq!((opened.trace.text(part.name), part.step), ("a tag", Some(7)));
            assert_eq!(part.recorded_unix_ns, Some(1_700_000_000_000_000_000));
            assert_eq!(everything(&Study::new(opened.trace)), alone, "{name}");
        }
    }
}

fn run(name: &str, start: i64) -> Vec<u8> {
    Scenario::new().device(WORKER, [op(name, start, 10)]).bytes()
}

/// Tags among them: one RunMetadata each, as two writers have it, and summaries that are something else.
fn four_events() -> Vec<Vec<u8>> {
    vec![
        record(&event(1, 1.0, &tagged("first", &run("a", 0)))),
        record(&event(2, 2.0, &summary("second", "graph_run_metadata", &run("b", 100)))),
        record(&event(2, 2.0, &summary("other", "graph_keras_model", &run("x", 100)))),
        record(&event(3, 3.0, &tagged("third", &run("c", 200)))),
    ]
}

#[test]
fn summaries_of_the_graph_plugin_are_run_metadata() {
    let opened = open(&four_events().concat(), 3).unwrap();
    assert_eq!(parts(&opened.trace), [("first", Some(1), 1), ("second", Some(2), 1), ("third", Some(3), 1)]);
    assert_eq!(codes(&opened), []);
}

#[test]
fn a_damaged_record_is_left_out_and_told() {
    let events = four_events();
    // The name of an op, a tag, and the checksum itself.
    for (place, back) in [(0, 30), (0, 1), (1, 40), (3, 2)] {
        let mut damaged = events.clone();
        let at = damaged[place].len() - back;
        damaged[place][at] ^= 1;
        let opened = open(&damaged.concat(), 50).unwrap();
        let wanted: Vec<_> = [("first", 0), ("second", 1), ("third", 3)]
            .into_iter()
            .filter_map(|(tag, own)| (own != place).then_some(tag))
            .collect();
        let tags: Vec<_> = parts(&opened.trace).iter().map(|&(tag, ..)| tag).collect();
        assert_eq!((tags, codes(&opened)), (wanted, vec![("record-damaged", 1)]));
        assert_eq!(opened.trace.ops().len(), 2);
        let problem = &opened.files[0].problems[0];
        assert_eq!(problem.offset, events[..place].concat().len() as u64);
        assert!(problem.detail.contains("does not match its checksum"), "{}", problem.detail);
    }
}

#[test]
fn a_damaged_length_costs_one_record() {
    let events = four_events();
    for byte in 0..12 {
        let mut damaged = events.clone();
        damaged[1][byte] ^= 0x40;
        let opened = open(&damaged.concat(), 64).unwrap();
        assert_eq!(parts(&opened.trace), [("first", Some(1), 1), ("third", Some(3), 1)]);
        assert_eq!(codes(&opened), [("records-lost", 1)]);
        let problem = &opened.files[0].problems[0];
        assert_eq!(problem.offset, events[0].len() as u64);
        assert!(problem.detail.contains(&format!("{} bytes", events[1].len())), "{}", problem.detail);
    }
    // Of the first record, too: what it holds says that it is an event file.
    let mut file = sample(HOST);
    file[3] = 9;
    let opened = open(&file, 100).unwrap();
    assert_eq!((opened.trace.ops().len(), codes(&opened)), (117, vec![("records-lost", 1)]));
}

#[test]
fn what_can_be_read_of_the_last_record_is_shown() {
    let events = four_events();
    let whole = events.concat();
    let last = records(&whole).pop().unwrap();
    for cut in events[..3].concat().len() + 1..whole.len() {
        let opened = open(&whole[..cut], 64).unwrap();
        let codes = codes(&opened);
        assert!(codes.contains(&("truncated", 1)), "cut at {cut}: {codes:?}");
        // A device may be cut off before its name.
        assert!(codes.iter().all(|&(code, _)| matches!(code, "truncated" | "unnamed-device")), "{codes:?}");
        // The op is whole where its RunMetadata is, but for the graph and the like that follow: nothing here.
        let has_op = cut >= last.end;
        assert_eq!(opened.trace.ops().len(), 2 + usize::from(has_op), "cut at {cut}");
        let detail = &opened.files[0].problems.last().unwrap().detail;
        assert!(!has_op || detail.contains("\"third\", before its checksum"), "{detail}");
    }
}

#[test]
fn a_file_without_run_metadata_says_what_it_holds() {
    let scalar =
        |tag: &str| field(5, &field(1, &[field(1, tag.as_bytes()), vec![0x15, 0, 0, 0, 0]].concat()));
    let events: Vec<_> =
        (0..9).map(|step| record(&event(step, 1.0, &scalar(["loss", "rate"][step as usize % 2])))).collect();
    let graph = record(&event(0, 1.0, &field(4, b"graph")));
    let file = [events.concat(), graph].concat();
    let error = open(&file, 10).map(|_| ()).unwrap_err();
    assert_eq!(error.kind.code(), "no-run-metadata");
    let sentence = error.to_string();
    assert!(sentence.contains("10 events (1 with a graph; tags loss, rate)"), "{sentence}");
    // Others' records are not events, and hold no RunMetadata either.
    let error = open(&record(b"\x0a\x03abc").repeat(3), 10).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("3 events (no tag)"), "{error}");
    // All there is is damaged.
    let mut damaged = record(&event(1, 1.0, &tagged("first", &run("a", 0))));
    damaged[40] ^= 1;
    assert_eq!(open(&damaged, 10).map(|_| ()).unwrap_err().kind.code(), "no-ops-readable");
    assert_eq!(open(&damaged[..50], 10).map(|_| ()).unwrap_err().kind.code(), "no-ops-readable");
}

/// An event whose RunMetadata is damaged inside, with a checksum that says it was written so.
#[test]
fn damage_inside_of_a_record_is_local() {
    let broken = [run("a", 0), vec![0x0a, 9]].concat();
    let file = [record(&event(1, 1.0, &tagged("first", &broken))), four_events().concat()].concat();
    let opened = open(&file, 20).unwrap();
    assert_eq!((opened.trace.ops().len(), codes(&opened)), (4, vec![("truncated", 1)]));
    // A field that is longer than its event.
    let file = [record(&event(1, 1.0, &[0x42, 100, 1])), four_events().concat()].concat();
    let opened = open(&file, 20).unwrap();
    assert_eq!((opened.trace.ops().len(), codes(&opened)), (3, vec![("damaged-message", 1)]));
}
