//! Files cut short: everything before the cut is there.

use crate::{cost_of_opening, open};
use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;
use std::io::Write;
use steplens_core::Study;
use steplens_formats::Opened;
use steplens_tests::cases::places;
use steplens_tests::everything::ask_all;
use steplens_tests::fixtures::fixture;
use steplens_tests::proto::{NodeExecStats, RunMetadata};
use steplens_tests::wire::{OPS, fields, messages};

/// What tells ops apart: name, label, start, length.
type Key = (String, String, i64, i64);

fn wanted(op: &NodeExecStats) -> Key {
    (op.node_name.clone(), op.timeline_label.clone(), op.start_ns().unwrap(), op.length_ns().unwrap())
}

fn got(opened: &Opened) -> Vec<Key> {
    let trace = &opened.trace;
    let key = |op| {
        let interval = trace.ops().interval(op);
        let label = trace.text(trace.nodes().label(trace.ops().node(op)));
        let start = interval.start.0 + trace.origin_unix_ns();
        (trace.op_name(op).to_owned(), label.to_owned(), start, interval.length().0)
    };
    let mut keys: Vec<_> = trace.ops().ids().map(key).collect();
    keys.sort();
    keys
}

/// The first `count` ops of the file.
fn prefix(metadata: &RunMetadata, count: usize) -> Vec<Key> {
    let mut keys: Vec<_> = metadata.ops().take(count).map(|(_, op)| wanted(op)).collect();
    keys.sort();
    keys
}

/// Where the fields of all messages of a RunMetadata begin and end, as deep as an op's own.
fn marks(file: &[u8]) -> Vec<usize> {
    let within = |range| {
        fields(file, range).into_iter().flat_map(|field| [field.start, field.value.start, field.value.end])
    };
    let deep = [&[][..], &[1], &[1, 1], &OPS].into_iter().flat_map(|path| messages(file, path));
    deep.flat_map(within).collect()
}

/// Cuts a fixture of `count` ops at each of `cuts`.
fn every_op_before_the_cut_is_kept(name: &str, count: usize, cuts: &[usize]) {
    let file = fixture(name).bytes;
    let metadata = RunMetadata::decode(file.as_slice()).unwrap();
    let op_ends: Vec<usize> = messages(&file, &OPS).into_iter().map(|op| op.end).collect();
    let clean: Vec<usize> = fields(&file, 0..file.len()).into_iter().map(|field| field.value.end).collect();
    let mut asked = 0;
    for &cut in cuts {
        let complete = op_ends.partition_point(|&end| end <= cut);
        match cost_of_opening(&file[..cut]).0 {
            Err(error) => {
                assert_eq!(complete, 0, "cut at {cut}");
                let code = if cut == 0 { "empty-file" } else { "no-ops-readable" };
                assert_eq!(error.kind.code(), code, "cut at {cut}: {error}");
            }
            Ok(opened) => {
                assert_eq!(opened.trace.ops().len(), complete, "cut at {cut}");
                let problems: Vec<_> =
                    opened.files[0].problems.iter().map(|problem| (&*problem.code, problem.count)).collect();
                // A message that ends at the cut, with none around it, is a whole file.
                let wanted: &[_] = if clean.contains(&cut) { &[] } else { &[("truncated", 1)] };
                assert_eq!(problems, wanted, "cut at {cut}");
                // The ops themselves and all analyses: once for each number of ops, and now and then.
                if complete > asked || cut % 997 == 0 {
                    asked = complete;
                    assert_eq!(got(&opened), prefix(&metadata, complete));
                    ask_all(&Study::new(opened.trace));
                }
            }
        }
    }
    assert_eq!(asked, count);
}

#[test]
fn every_truncation_of_a_small_file_keeps_every_op_before_the_cut() {
    let length = fixture("collective").bytes.len();
    every_op_before_the_cut_is_kept("collective", 12, &(0..=length).collect::<Vec<_>>());
}

/// Of the larger file, with all kinds of fields, where a cut tells something that its neighbours do not.
#[test]
fn a_truncation_at_the_edges_of_fields_keeps_every_op_before_the_cut() {
    let file = fixture("mnist-adam").bytes;
    every_op_before_the_cut_is_kept("mnist-adam", 79, &places(file.len(), &marks(&file)));
}

#[test]
fn a_packed_file_cut_short_keeps_what_was_unpacked() {
    let file = fixture("mnist-adam").bytes;
    let metadata = RunMetadata::decode(file.as_slice()).unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&file).unwrap();
    let packed = encoder.finish().unwrap();
    let (mut least, mut most) = (usize::MAX, 0);
    for cut in places(packed.len() - 1, &[]) {
        let Ok(opened) = cost_of_opening(&packed[..cut]).0 else { continue };
        let count = opened.trace.ops().len();
        let codes: Vec<_> = opened.files[0].problems.iter().map(|problem| &*problem.code).collect();
        assert!(codes.contains(&"gzip-damaged"), "cut at {cut}: {codes:?}");
        if count != most {
            assert_eq!(got(&opened), prefix(&metadata, count));
        }
        assert!(count >= most, "more of the file gives no fewer ops");
        (least, most) = (least.min(count), count);
    }
    assert!(least < 79 && most == 79, "{least} to {most}");
}

#[test]
fn damage_to_the_packing_keeps_what_was_unpacked() {
    let file = fixture("mnist-adam").bytes;
    let metadata = RunMetadata::decode(file.as_slice()).unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&file).unwrap();
    let packed = encoder.finish().unwrap();
    for at in (0..packed.len()).step_by(2) {
        let mut damaged = packed.clone();
        damaged[at] ^= 0x10;
        if let Ok(opened) = open(&damaged) {
            // Deflate has no check of its own: wrong bytes may come out until its CRC at the end says so.
            let problems = &opened.files[0].problems;
            let harmless = opened.trace.ops().len() == 79 && got(&opened) == prefix(&metadata, 79);
            assert!(harmless || !problems.is_empty(), "byte {at}");
        }
    }
}
