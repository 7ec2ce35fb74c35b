//! Event files that are cut short, damaged or hostile.

use crate::{PEAK_ALWAYS, PEAK_PER_BYTE, open_in_slices, survive};
use steplens_core::Study;
use steplens_formats::Opened;
use steplens_tests::cases::{either, percent_of_seeds};
use steplens_tests::event_file::{event, record, records, summary, tagged};
use steplens_tests::everything::ask_all;
use steplens_tests::fixtures::bytes_of;
use steplens_tests::meter::cost;
use steplens_tests::random::{Mutant, Random, mutants};
use steplens_tests::writer::{Scenario, WORKER, op};

const HOST: &str = "containers/events.out.tfevents.1795196999.host";

/// Opens a file; returns how many ops are shown.
fn shown(file: &[u8], what: &str) -> usize {
    open(file, what).map_or(0, |opened| opened.trace.ops().len())
}

fn open(file: &[u8], what: &str) -> Option<Opened> {
    let (opened, cost) = cost(|| open_in_slices(file, usize::MAX));
    let most = PEAK_PER_BYTE * file.len() + PEAK_ALWAYS;
    assert!(cost.peak_bytes <= most, "{what}: {} bytes took {cost:?}", file.len());
    opened.ok()
}

/// An event file of three RunMetadata and a graph of TensorFlow 2's, of less than 2 KB.
fn small() -> Vec<u8> {
    let run = |name: &str, start| {
        let op = op(&format!("{name} = Mul(x, y)"), start, 10).output(0, 1, &[2, 3], 24);
        Scenario::new().device(WORKER, [op]).bytes()
    };
    [
        record(&event(0, 1.7e9, b"\x1a\x0dbrain.Event:2")),
        record(&event(1, 1.7e9, &tagged("first", &run("a", 0)))),
        record(&event(2, 1.7e9, &summary("second", "graph_run_metadata", &run("b", 100)))),
        record(&event(2, 1.7e9, &summary("text", "text", b"some words"))),
        record(&event(3, 1.7e9, &tagged("third", &run("c", 200)))),
    ]
    .concat()
}

#[test]
fn every_truncation_keeps_what_came_before() {
    for (file, ops, whole) in [(small(), 1, 3), (bytes_of(HOST), 39, 117)] {
        let ends: Vec<_> = records(&file).into_iter().map(|data| data.end).collect();
        let mut most = 0;
        // Graphs that nobody reads make up half of the recorded file.
        let first = if file.len() > 10_000 { ends[2] } else { 0 };
        for cut in first..=file.len() {
            let shown = shown(&file[..cut], &format!("cut at {cut}"));
            let complete = ends.partition_point(|&end| end <= cut);
            let at_least = match ops {
                1 => [0, 0, 1, 2, 2, 3][complete],
                _ => most / ops * ops,
            };
            assert!(shown >= at_least && shown >= most, "cut at {cut}: {shown} shown after {most}");
            if shown > most {
                survive(&file[..cut]);
            }
            most = shown;
        }
        assert_eq!(most, whole);
    }
}

#[test]
fn seeded_mutations_of_event_files() {
    let host = bytes_of(HOST);
    let tf2 = bytes_of("containers/events.out.tfevents.1795197000.tf2");
    let runs = records(&host);
    // Without the graphs before the first scalar.
    let host = [&host[..runs[0].end + 4], &host[runs[2].end + 4..]].concat();
    let (files, ops) = ([small(), host, tf2], [3, 117, 0]);
    let (mut opened, mut left_out) = (0, 0);
    for Mutant { seed, own, file } in mutants(&files) {
        let result = open(&file, &format!("seed {seed}"));
        let shown = result.map_or(0, |opened| {
            let study = Study::new(opened.trace);
            ask_all(&study);
            study.trace().ops().len()
        });
        opened += usize::from(shown > 0);
        left_out += usize::from(shown < ops[own]);
    }
    // A damaged record is left out whole, and the others are shown.
    assert!(
        opened > percent_of_seeds(50) && left_out > percent_of_seeds(50),
        "{opened} opened, {left_out} without some of their ops"
    );
}

/// Damage with a checksum that agrees with it: the records are intact, and what they hold is not.
#[test]
fn damage_that_was_written_so() {
    let file = small();
    for seed in 0..either(400, 3_000) {
        let mut random = Random::new(seed);
        let mut damaged = Vec::new();
        for data in records(&file) {
            let mut event = file[data].to_vec();
            random.damage(&mut event, &file);
            damaged.extend(record(&event));
        }
        shown(&damaged, &format!("seed {seed}"));
        survive(&damaged);
    }
}

/// The shapes that cost most for each of their bytes.
#[test]
fn memory_is_ten_times_the_file_at_most() {
    let many = |data: &[u8]| record(data).repeat(20_000);
    let long = "t".repeat(60_000);
    // A device with a name of one letter, and an op with such a name, that starts after one microsecond.
    let run: &[u8] = b"\x0a\x0c\x0a\x0a\x0a\x01d\x12\x05\x0a\x01a\x10\x01";
    for (what, file) in [
        ("no data", many(b"")),
        ("no run", many(&event(1, 1.0, b""))),
        ("runs of no byte", many(&tagged("", b""))),
        ("runs of no device", many(&tagged("", b"\x0a\x00"))),
        ("runs of one op", many(&tagged("", run))),
        ("runs of one node", many(&tagged("", b"\x1a\x02\x0a\x00"))),
        ("damaged runs", {
            let mut record = record(&tagged("", run));
            *record.last_mut().unwrap() ^= 1;
            record.repeat(20_000)
        }),
        ("graphs", many(&summary("", "graph_run_metadata", b""))),
        ("long tags", record(&tagged(&long, run)).repeat(20)),
        (
            "many tags",
            (0..20_000).flat_map(|n| record(&event(n, 1.0, &summary(&n.to_string(), "", b"")))).collect(),
        ),
        ("nested", many(&[0x2a, 6, 0x0a, 4, 0x42, 2, 0x42, 0])),
    ] {
        for slice in [usize::MAX, 1_000] {
            let (_, cost) = cost(|| open_in_slices(&file, slice));
            let most = PEAK_PER_BYTE * file.len() + PEAK_ALWAYS;
            assert!(cost.peak_bytes <= most, "{what}: {} bytes took {cost:?}", file.len());
            assert!(cost.total_bytes <= 4 * most, "{what}: {} bytes took {cost:?}", file.len());
        }
    }
}

/// Lengths that promise more than there is, with a checksum that agrees.
#[test]
fn lengths_past_the_end_take_no_memory() {
    let run = Scenario::new().device(WORKER, [op("a", 0, 10)]).bytes();
    for length in [1_u64 << 20, 1 << 40, u64::MAX] {
        // The head of a record is its length and that one's checksum, which does not depend on what follows.
        let head = |length: u64| record(&length.to_le_bytes());
        let checksum = &head(length)[20..];
        let file = [&length.to_le_bytes()[..], checksum, &event(1, 1.0, &tagged("t", &run))].concat();
        assert_eq!(shown(&file, "a length"), 1);
    }
    for text in [&b"\x42\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"[..], b"\x0a\xff\xff\xff\xff\x0f"] {
        assert_eq!(shown(&record(&event(1, 1.0, text)), "a field"), 0);
    }
}
