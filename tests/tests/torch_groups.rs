//! Collectives of PyTorch: which ranks take part in each, and which calls launch what.

use serde_json::{Value, json};

use steplens_core::collectives::Collectives;
use steplens_core::findings::{Findings, Rule};
use steplens_core::gpu::launching::launching;
use steplens_core::replay::Replay;
use steplens_core::{Bytes, Nanos, Study};
use steplens_report::network::Network;
use steplens_tests::opened::{cases, event, open, process, study, torch};

fn collectives(study: &Study) -> Collectives {
    study.collectives()
}

/// How many have all of their participants; the time and the waiting of all, in µs.
fn sums(found: &Collectives) -> (usize, i64, i64) {
    let sum = |of: &dyn Fn(usize) -> Nanos| (0..found.rows.len()).map(|row| of(row).0).sum::<i64>() / 1_000;
    let known = found.rows.iter().filter(|row| row.last.is_some()).count();
    (known, sum(&|row| found.rows[row].time), sum(&|row| found.rows[row].waiting))
}

/// The file of a rank: its collectives as (operation, group, ranks, start and length in µs).
fn rank(rank: i64, calls: &[(&str, &str, &str, f64, f64)]) -> Vec<u8> {
    let mut events = process(rank, &format!("GPU {rank}")).to_vec();
    let size = |ranks: &str| ranks.matches(|letter: char| letter.is_ascii_digit()).count();
    events.extend(calls.iter().map(|&(operation, group, ranks, ts, dur)| {
        let args = json!({ "Collective name": operation, "Process Group Name": group, "Process Group Ranks": ranks,
            "Group size": size(ranks), "In msg nelems": 100, "dtype": "BFloat16", "stream": 20 });
        event("kernel", "ncclDevKernel_SendRecv", (rank, 20), (ts, dur), &args)
    }));
    torch(&events, &json!({ "distributedInfo": { "backend": "nccl", "rank": rank, "world_size": 4 } }))
}

fn ranks(files: &[Vec<u8>]) -> Study {
    let names = ["r0", "r1", "r2", "r3"];
    study(open(&names.into_iter().zip(files.iter().map(Vec::as_slice)).collect::<Vec<_>>()))
}

#[test]
fn groups_wait_for_their_own_ranks() {
    let names = ["groups-r0.json", "groups-r1.json", "groups-r2.json", "groups-r3.json"];
    let Some(opened) = cases(&names) else { return };
    let study = study(opened);
    let found = collectives(&study);
    assert_eq!((found.rows.len(), sums(&found)), (6, (6, 2_310, 30)));
    assert!(found.rows.iter().all(|row| row.participants.len() == 2 && row.bytes == Some(Bytes(4_096))));
    let answer: Value = serde_json::from_str(&Network::of(&study).to_text()).unwrap();
    let row = &answer["collectives"]["rows"][0];
    assert_eq!(
        (&row["operation"], &row["group_size"], &row["without_files"]),
        (&json!("allreduce"), &json!(2), &json!(0))
    );
    assert_eq!(answer["collectives"]["without_files"], 0);
}

#[test]
fn without_the_files_of_others_nobody_knows_who_was_last() {
    let Some(opened) = cases(&["groups-r0.json"]) else { return };
    let study = study(opened);
    let found = collectives(&study);
    assert_eq!((found.rows.len(), sums(&found)), (3, (0, 570, 0)));
    assert!(found.rows.iter().all(|row| row.without_files == 1 && row.group.is_some()));
    let answer: Value = serde_json::from_str(&Network::of(&study).to_text()).unwrap();
    assert_eq!(
        (&answer["collectives"]["waiting_ns"], &answer["collectives"]["without_files"]),
        (&Value::Null, &json!(3))
    );
}

#[test]
fn a_stage_of_a_pipeline_waits_for_its_neighbour_only() {
    // Rank 0 sends to 1, which sends back; 2 and 3 do the same 5 ms later. The groups have one name.
    let pair = |ranks: &'static str, at: f64, is_first: bool| {
        let (to, back) = if is_first { ("send", "recv") } else { ("recv", "send") };
        vec![(to, "7", ranks, at, 50.0), (back, "7", ranks, at + 100.0, 60.0)]
    };
    let files = [
        rank(0, &pair("[0, 1]", 1_000.0, true)),
        rank(1, &pair("[0, 1]", 1_010.0, false)),
        rank(2, &pair("[2, 3]", 6_000.0, true)),
        rank(3, &pair("[2, 3]", 6_030.0, false)),
    ];
    let found = collectives(&ranks(&files));
    // Each waits 10 (30) µs twice.
    assert_eq!((found.rows.len(), sums(&found)), (4, (4, 4 * 110, 2 * 10 + 2 * 30)));
    assert!(found.rows.iter().all(|row| row.bytes == Some(Bytes(200))));
}

#[test]
fn groups_with_unequal_numbers_are_matched_each_for_itself() {
    // Ranks 0 and 1 have a tensor-parallel group and a data-parallel one with 2 and 3.
    let calls = |tensor: &'static str, data: &'static str, tensors: usize, late: f64| {
        let mut calls: Vec<_> = (0..tensors)
            .map(|place| ("allreduce", "1", tensor, 1_000.0 + 100.0 * place as f64 + late, 50.0))
            .collect();
        calls.push(("_allgather_base", "2", data, 2_000.0 + late, 80.0));
        calls
    };
    let files = [
        rank(0, &calls("[0, 1]", "[0, 2]", 3, 0.0)),
        rank(1, &calls("[0, 1]", "[1, 3]", 3, 4.0)),
        rank(2, &calls("[2, 3]", "[0, 2]", 5, 1.0)),
        rank(3, &calls("[2, 3]", "[1, 3]", 5, 7.0)),
    ];
    let found = collectives(&ranks(&files));
    // 3 x 4 µs, 5 x 6 µs; all-gathers of 0 and 2 by 1 µs, of 1 and 3 by 3 µs.
    assert_eq!((found.rows.len(), sums(&found).0, sums(&found).2), (10, 10, 3 * 4 + 5 * 6 + 1 + 3));
}

#[test]
fn a_call_launches_if_a_kernel_has_its_correlation() {
    let Some(opened) = cases(&["launch-count.json"]) else { return };
    let study = study(opened);
    assert_eq!(launching(study.trace()).iter().filter(|&&launches| launches).count(), 10);
    let replay = Replay::of(&study);
    let findings = Findings::found(&study, &replay, None);
    let bound = findings.rows.iter().find(|own| own.rule == Rule::LaunchBound).unwrap();
    assert_eq!((bound.facts.count, bound.saving), (10, Some(Nanos(1_000_000))));
}

#[test]
fn a_call_that_launched_the_same_quickly_is_no_first_call() {
    let Some(opened) = cases(&["queue-full.json"]) else { return };
    let study = study(opened);
    let findings = Findings::found(&study, &Replay::of(&study), None);
    assert!(findings.rows.iter().all(|own| own.rule != Rule::FirstStep));
}
