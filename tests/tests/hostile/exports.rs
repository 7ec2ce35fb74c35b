//! Damaged files in every format of `steplens export`: no panic, and what is written can be parsed.

use super::open;
use steplens_tests::exports::check_all;
use steplens_tests::proto::RunMetadata;
use steplens_tests::random::mutants;
use steplens_tests::writer::{PS, Scenario, WORKER, node, op, recv};

/// A step of two tasks with a graph, a transfer, memory and names that no format likes.
fn small() -> Scenario {
    let tensor = "edge_8_w";
    Scenario::new()
        .device(PS, [op("w = VariableV2()", 0, 5_000).output(0, 1, &[2, 3], 24).memory("cpu", &[(0, 64)])])
        .device(
            WORKER,
            [
                recv(tensor, PS, WORKER, 24, 10, 20),
                op("=\"a\",\n</script>\u{202e} = MatMul(w, w)", 40_000, 9_000).output(0, 1, &[], 8),
                op("AllReduce = CollectiveReduce(a)", 50_000, 100)
                    .memory("cpu", &[(50_000, 8), (50_100, -8)]),
            ],
        )
        .graph([
            node("w", "VariableV2", PS, &[]),
            node("w/_1", "_Send", PS, &["w"]).meets(tensor, PS, WORKER),
            node("w/_2", "_Recv", WORKER, &[]).meets(tensor, PS, WORKER),
            node("a", "MatMul", WORKER, &["w/_2", "w/_2"]),
        ])
}

/// Exports what can be opened; whether it could be.
fn hold(file: &[u8], what: &str) -> bool {
    let Ok(opened) = open(file) else { return false };
    if let Err(why) = check_all(opened) {
        panic!("{what}: {why}");
    }
    true
}

#[test]
fn every_truncation_is_exported() {
    let file = small().bytes();
    let opened = (0..=file.len()).filter(|&length| hold(&file[..length], &format!("{length} bytes"))).count();
    assert!(opened > file.len() / 4, "{opened} of {} truncations had an op", file.len());
}

#[test]
fn damaged_files_are_exported() {
    let small = small().bytes();
    let mut opened = 0;
    for mutant in mutants(&[small]).take(600) {
        opened += usize::from(hold(&mutant.file, &format!("mutant {}", mutant.seed)));
    }
    assert!(opened > 150, "{opened} mutants had an op");
}

/// Numbers at the ends of what a field holds, in each field of times and sizes.
#[test]
fn extreme_numbers_are_exported() {
    use prost::Message;
    let extremes =
        [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::from(u32::MAX), i64::MAX / 1_000, i64::MAX - 1, i64::MAX];
    for extreme in extremes {
        for field in 0..6 {
            let mut metadata = RunMetadata::decode(small().bytes().as_slice()).unwrap();
            for (place, op) in metadata.ops_mut().enumerate() {
                if place % 2 == 1 {
                    continue;
                }
                match field {
                    0 => (op.all_start_micros, op.all_start_nanos) = (extreme, 0),
                    1 => op.all_start_nanos = extreme,
                    2 => op.all_end_rel_nanos = extreme,
                    3 => op.scheduled_nanos = extreme,
                    4 => op.op_end_rel_micros = extreme,
                    _ => op.thread_id = extreme as u32,
                }
            }
            hold(&metadata.encode_to_vec(), &format!("field {field} is {extreme}"));
        }
    }
}
