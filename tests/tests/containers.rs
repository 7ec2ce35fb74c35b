//! Other containers of the same step: text, and StepStats without a RunMetadata around them, packed or not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Limits, Opened, Opener};
use steplens_tests::everything::everything;
use steplens_tests::fixtures::{bytes_of, fixture};

fn open(bytes: &[u8], slice: usize) -> Opened {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("same step");
    bytes.chunks(slice).for_each(|slice| opener.push(slice));
    opener.end_file();
    opener.finish().unwrap()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Packed by another encoder than that of the fixtures.
fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

#[test]
fn zstd_is_taken_off_everything() {
    let binary = fixture("mnist-adam").bytes;
    let wanted = everything(&Study::new(open(&binary, usize::MAX).trace));
    let frames = bytes_of("containers/mnist-adam.frames.zst");
    let one = bytes_of("containers/mnist-adam.pb.zst");
    let text = zstd(&text());
    let files = [
        (frames, "run-metadata"),
        (one, "run-metadata"),
        (zstd(&binary), "run-metadata"),
        (text, "run-metadata-text"),
    ];
    for (bytes, format) in files {
        for slice in [1, 1000, usize::MAX] {
            let opened = open(&bytes, slice);
            let file = &opened.files[0];
            assert_eq!((&*file.format, file.problems.as_slice()), (&*format!("{format}.zst"), &[][..]));
            assert_eq!(everything(&Study::new(opened.trace)), wanted, "slices of {slice} bytes");
        }
    }
    let chrome = open(&zstd(&bytes_of("chrome/timeline-hook.json")), 999);
    assert_eq!(&*chrome.files[0].format, "chrome-trace.zst");
    let events = open(&zstd(&bytes_of("containers/events.out.tfevents.1795196999.host")), 999);
    assert_eq!((&*events.files[0].format, events.trace.ops().len()), ("event-file.zst", 117));
    // As large as several blocks and windows.
    let large = fixture("ps4w").bytes;
    let wanted = everything(&Study::new(open(&large, usize::MAX).trace));
    assert_eq!(everything(&Study::new(open(&zstd(&large), 5_000).trace)), wanted);
}

fn text() -> Vec<u8> {
    bytes_of("containers/mnist-adam.pbtxt")
}

#[test]
fn text_is_the_same_trace_as_binary() {
    let binary = everything(&Study::new(open(&fixture("mnist-adam").bytes, usize::MAX).trace));
    for (bytes, format) in [(text(), "run-metadata-text"), (packed(&text()), "run-metadata-text.gz")] {
        for slice in [1, 7, 1000, usize::MAX] {
            let opened = open(&bytes, slice);
            let file = &opened.files[0];
            assert_eq!((&*file.format, file.problems.as_slice(), file.ops), (format, &[][..], 79));
            assert_eq!(everything(&Study::new(opened.trace)), binary, "slices of {slice} bytes");
        }
    }
}

/// The step's stats alone: everything but the graphs, of which a step of one process needs none.
#[test]
fn bare_step_stats_are_the_same_ops() {
    let summary = |opened: Opened| steplens_report::summary::of(&Study::new(opened.trace), &[]).to_text();
    let whole = summary(open(&fixture("mnist-adam").bytes, usize::MAX));
    let bare = bytes_of("containers/mnist-adam.step_stats.pb");
    for (bytes, format) in [(bare.clone(), "step-stats"), (packed(&bare), "step-stats.gz")] {
        for slice in [1, 1000, usize::MAX] {
            let opened = open(&bytes, slice);
            assert_eq!((&*opened.files[0].format, opened.files[0].problems.len()), (format, 0));
            assert_eq!(summary(opened), whole);
        }
    }
}

#[test]
fn text_may_be_written_in_other_ways() {
    let other = br#"
        # by hand
        dev_stats < device: '/job:a/replica:0/task:0' "/device:CPU:0", node_stats: {
            node_name: "\x61\142" 'c'; all_start_micros: 0x10 all_end_rel_micros: 010
            unknown_thing { nested: [1, 2.5e3, "x"] more < deep: -inf > } [some.extension/name] { x: 1 }
            timeline_label: "abc = Mul(x)"
            output { slot: 1 tensor_description { dtype: DT_HALF shape { dim { size: 3 } dim { size: -1 } } } }
        } >"#;
    let opened = open(other, 5);
    let trace = &opened.trace;
    let op = trace.ops().ids().next().unwrap();
    assert_eq!((trace.op_name(op), trace.ops().interval(op).length().0), ("abc", 8_000));
    assert_eq!(trace.origin_unix_ns(), 16_000);
    let output = trace.outputs().of(op).next().unwrap();
    assert_eq!((output.slot, output.dtype, output.shape), (1, 19, Some(&[3, -1][..])));
    let device = trace.devices().get(trace.device_of(op));
    assert_eq!(trace.text(device.name), "/job:a/replica:0/task:0/device:CPU:0");
    assert_eq!(opened.files[0].problems, []);
}

/// Where ops end in the text: the line that closes each `node_stats`.
fn op_ends(text: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if line == b"    }\n" && !text[..at].ends_with(b"thread_names {\n") {
            ends.push(at + b"    }".len());
        }
        at += line.len();
    }
    ends
}

#[test]
fn text_cut_anywhere_keeps_every_op_before_the_cut() {
    let text = text();
    let text = &text[..9_000];
    let ends = op_ends(text);
    assert!(ends.len() > 5, "{ends:?}");
    for cut in 0..=text.len() {
        let complete = ends.partition_point(|&end| end <= cut);
        let mut opener = Opener::new(CategoryRules::default(), Limits::default());
        opener.begin_file("cut");
        opener.push(&text[..cut]);
        match opener.finish() {
            Ok(opened) => {
                assert_eq!(opened.trace.ops().len(), complete, "cut at {cut}");
                let codes: Vec<_> = opened.files[0].problems.iter().map(|problem| &*problem.code).collect();
                assert!(codes.contains(&"truncated"), "cut at {cut}: {codes:?}");
            }
            Err(_) => assert_eq!(complete, 0, "cut at {cut}"),
        }
    }
}
