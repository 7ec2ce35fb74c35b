//! What reading a RunMetadata may cost in memory, for the shapes that cost most for each of their bytes.

use crate::{PEAK_ALWAYS, PEAK_PER_BYTE, open_in_slices};
use steplens_tests::event_file::field;
use steplens_tests::meter::cost;

const COUNT: usize = 50_000;

/// What messages of a few bytes may take for each of them. An op takes some 70 bytes in columns, old and new, and a step 200,
/// however little the file says about them: those that anyone records have names and times, but a file may be full of others.
const PEAK_PER_BYTE_OF_NOTHING: usize = 50;

/// Copies of `unit` inside nested messages with these field numbers.
fn many(path: &[u32], unit: &[u8]) -> Vec<u8> {
    path.iter().rev().fold(unit.repeat(COUNT), |inner, &number| field(number, &inner))
}

/// The same with another number in each.
fn numbered(path: &[u32], unit: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let units = (0..COUNT).flat_map(|number| unit(format!("{number}/x").as_bytes())).collect();
    path.iter().rev().fold(units, |inner, &number| field(number, &inner))
}

fn text(outer: &str, unit: &str) -> Vec<u8> {
    [outer.as_bytes(), &unit.as_bytes().repeat(COUNT)].concat()
}

#[track_caller]
fn check(what: &str, file: &[u8], per_byte: usize) {
    for slice in [usize::MAX, 1_000] {
        let (_, cost) = cost(|| open_in_slices(file, slice));
        let most = per_byte * file.len() + PEAK_ALWAYS;
        assert!(cost.peak_bytes <= most, "{what}: {} bytes took {cost:?}", file.len());
        // Work is linear: what is allocated in all is a small multiple, too.
        assert!(cost.total_bytes <= 4 * most, "{what}: {} bytes took {cost:?}", file.len());
    }
}

#[test]
fn memory_is_ten_times_the_file_at_most() {
    // Names of a letter, and a start in microseconds of ten bytes.
    let op = field(2, &[&field(1, b"a")[..], b"\x10\xff\xff\xff\xff\xff\xff\xff\xff\x3f"].concat());
    let device = field(1, &[&field(1, b"/device:CPU:0")[..], &op].concat());
    for (what, file) in [
        ("ops", many(&[1, 1], &op)),
        (
            "ops of several names",
            numbered(&[1, 1], |name| field(2, &[&field(1, name)[..], &op[5..]].concat())),
        ),
        ("devices", many(&[1], &device)),
        ("steps", many(&[], &field(1, &device))),
        ("devices without ops", many(&[1], &field(1, &field(1, b"d")))),
        (
            "devices of several names",
            numbered(&[1], |name| field(1, &field(1, &[b"/device:GPU:", name].concat()))),
        ),
        ("empty devices", many(&[1], &[0x0a, 0])),
        ("empty steps", many(&[], &[0x0a, 0])),
        ("empty graphs", many(&[], &[0x1a, 0])),
        ("threads", numbered(&[1, 1], |name| field(3, &field(2, name)))),
        ("nodes", many(&[3], &field(1, &field(1, b"n")))),
        ("nodes of several names", numbered(&[3], |name| field(1, &field(1, name)))),
        ("inputs", numbered(&[3, 1], |name| field(3, name))),
        ("outputs", many(&[1, 1, 2], b"\x3a\x06\x08\x01\x1a\x02\x08\x01")),
        ("allocations", many(&[1, 1, 2, 6], b"\x32\x04\x08\x01\x10\x01")),
        ("reports", many(&[1, 1, 2], b"\x32\x05\x0a\x03cpu")),
        ("unknown fields", many(&[1, 1], &[0x78, 0])),
        ("text: ops", text("step_stats{dev_stats{", "node_stats{}")),
        ("text: devices", text("step_stats{", "dev_stats{}")),
        ("text: steps", text("", "step_stats{}")),
        ("text: nodes", text("partition_graphs{", "node{}")),
        ("text: outputs", text("step_stats{dev_stats{node_stats{", "output{}")),
        ("text: allocations", text("step_stats{dev_stats{node_stats{memory{", "allocation_records{}")),
        ("text: inputs", text("partition_graphs{node{", "input:''")),
        ("text: open graphs", text("", "partition_graphs{")),
        ("text: open unknowns", text("step_stats{", "a{")),
        ("text: a word", text("", "step_stats")),
        ("text: a name", text("step_stats{dev_stats{device:\"", "name")),
    ] {
        check(what, &file, PEAK_PER_BYTE);
    }
}

#[test]
fn nothing_costs_little() {
    for (what, file) in [
        ("empty ops", many(&[1, 1], &[0x12, 0])),
        ("ops with a time", many(&[1, 1], &[0x12, 2, 0x10, 1])),
        ("unnamed devices", many(&[1], &[0x0a, 2, 0x12, 0])),
        ("steps of an empty op", many(&[], &[0x0a, 4, 0x0a, 2, 0x12, 0])),
        ("empty nodes", many(&[3], &[0x0a, 0])),
        ("empty inputs", many(&[3, 1], &[0x1a, 0])),
        ("empty outputs", many(&[1, 1, 2], &[0x3a, 0])),
        ("empty reports", many(&[1, 1, 2], &[0x32, 0])),
        ("empty threads", many(&[1, 1], &[0x1a, 0])),
        ("empty dimensions", many(&[1, 1, 2, 7, 3, 2], &[0x12, 0])),
    ] {
        check(what, &file, PEAK_PER_BYTE_OF_NOTHING);
    }
}
