//! Timelines of Horovod and BytePS: which rank was ready last, what tensors wait for, and what a program does as it starts.

use super::made::{MS, advice, ms, number, said, spent};
use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::Rule;
use steplens_core::findings::rounds::Rounds;
use steplens_core::network::ready::ready;
use steplens_report::verdict;
use steplens_tests::opened::{horovod, open, row, study, text};
use steplens_tests::tensorflow::{list, named};

fn of_json(events: &[Value]) -> Study {
    let text = json!(events).to_string();
    study(open(&[("timeline.json", text.as_bytes())]))
}

/// A phase of a row, in µs.
fn phase(row: i64, name: &str, from: i64, to: i64) -> [Value; 2] {
    [json!({ "ph": "B", "name": name, "ts": from, "pid": row }), json!({ "ph": "E", "ts": to, "pid": row })]
}

/// Eight tensors that two ranks negotiate: rank 0 is ready at 0, rank 1 at `last`. Rank 0's first tensor is reduced from 1 ms on, for as long as
/// `busy`, in `phases` (name, begin, end) in µs.
fn negotiated(last: i64, phases: &[(&str, i64, i64)]) -> Study {
    let mut marks: Vec<(i64, i64, Value)> = Vec::new();
    let mut put = |row: i64, name: &str, from: i64, to: i64| {
        let [begin, end] = phase(row, name, from, to);
        marks.push((from, from - to, begin));
        marks.push((to, from - to, end));
    };
    for &(name, from, to) in phases {
        put(0, name, from, to);
    }
    for row in 1..9 {
        put(row, "NEGOTIATE_ALLREDUCE", row, last + row + 1);
    }
    for row in 1..9 {
        for (rank, at) in [("0", row), ("1", last + row)] {
            marks.push((at, 0, json!({ "ph": "X", "name": rank, "ts": at, "pid": row, "dur": 0 })));
        }
    }
    marks.sort_by_key(|(at, order, _)| (*at, *order));
    of_json(&marks.into_iter().map(|(.., event)| event).collect::<Vec<_>>())
}

#[test]
fn while_a_response_runs_nobody_knows_when_a_rank_was_ready() {
    let reduced = [
        ("ALLREDUCE", 1_000, 500_000),
        ("INIT_NCCL", 200_000, 499_000),
        ("NCCL_ALLREDUCE", 499_100, 499_900),
    ];
    // The messages of rank 1 were read when INIT_NCCL had ended.
    let blocked = negotiated(499_200, &reduced);
    assert_eq!(ready(&blocked), None);
    assert!(row(&blocked, Rule::LastRank).is_none());
    assert!(row(&blocked, Rule::FirstStep).is_some());
    // Read long after it: rank 1 was late by itself.
    let late = negotiated(900_000, &reduced);
    let found = ready(&late).expect("negotiations");
    assert_eq!((found.negotiations, found.ranks[0].rank, found.ranks[0].times), (8, 1, 8));
    assert!(row(&late, Rule::LastRank).is_some());
    // What NCCL does alone keeps nobody from reading.
    let alone = negotiated(499_200, &[("ALLREDUCE", 1_000, 500_000), ("NCCL_ALLREDUCE", 1_100, 499_900)]);
    assert_eq!(ready(&alone).map(|own| own.negotiations), Some(8));
    // With MPI the thread does all of it.
    let of_mpi = negotiated(499_200, &[("ALLREDUCE", 1_000, 499_000), ("MPI_ALLREDUCE", 1_100, 498_900)]);
    assert_eq!(ready(&of_mpi), None);
}

#[test]
fn marks_outside_of_the_ops_are_no_part_of_the_verdict() {
    let mut events = phase(1, "NEGOTIATE_ALLREDUCE", 1_000, 2_000).to_vec();
    events.extend(phase(1, "ALLREDUCE", 2_000, 9_000));
    let within = verdict::of(&of_json(&events), true).sentence;
    events.push(json!({ "ph": "i", "name": "CYCLE_START", "ts": 90_000, "s": "g" }));
    assert!(within.starts_with("Recording 8.000 ms"), "{within}");
    assert_eq!(verdict::of(&of_json(&events), true).sentence, within);
}

#[test]
fn what_tensors_wait_for_while_nccl_begins_is_that() {
    let mut phases = vec![
        (1, "NEGOTIATE_ALLREDUCE", 0, 900),
        (1, "ALLREDUCE", 1_000, 511_000),
        (1, "INIT_NCCL", 1_100, 500_000),
        (1, "NCCL_ALLREDUCE", 510_000, 510_900),
    ];
    let mut ticks = vec![(1, 0, 10), (1, 1, 900)];
    for row in 2..9 {
        phases.push((row, "NEGOTIATE_ALLREDUCE", 1_000 + row, 511_100 + row));
        phases.push((row, "ALLREDUCE", 511_200 + row, 600_000));
        phases.push((row, "NCCL_ALLREDUCE", 511_300 + row, 511_900));
        ticks.extend([(row, 0, 1_000 + row), (row, 1, 511_050 + row)]);
    }
    let own = horovod(&phases, &ticks);
    assert!(said(&own).contains("INIT_NCCL"), "{}", said(&own));
    // Rank 1 was last by 0.89 ms once; of the others nobody knows.
    let late = ready(&own).map(|own| own.ranks.iter().map(|rank| rank.late.0).max());
    assert_eq!(late, Some(Some(890_000)));
}

#[test]
fn much_communication_of_tensors_is_a_finding() {
    let mut phases = Vec::new();
    let mut ticks = Vec::new();
    for step in 0..10 {
        let at = step * 100_000;
        phases.extend([
            (1, "NEGOTIATE_ALLREDUCE", at, at + 30_000),
            (1, "ALLREDUCE", at + 30_000, at + 46_000),
        ]);
        phases.push((1, "MPI_ALLREDUCE", at + 30_000, at + 46_000));
        // No rank is last more often than the others.
        ticks.extend((0..3).map(|rank| (1, rank, if rank == step % 3 { at + 30_000 } else { at })));
    }
    let found = row(&horovod(&phases, &ticks), Rule::ExposedCommunication).expect("a finding");
    assert!(
        text(&found, "sentence").contains("160 ms") && text(&found, "sentence").contains("300 ms"),
        "{found}"
    );
    assert!(text(&found, "advice").contains("HOROVOD_FUSION_THRESHOLD"), "{found}");
    assert_eq!(found["saving_ns"], 460_000_000);
}

#[test]
fn a_timeline_that_only_broadcasts_says_so_first() {
    let broadcast = [
        (1, "NEGOTIATE_BROADCAST", 0, 5_000),
        (1, "BROADCAST", 6_000, 7_000),
        (2, "NEGOTIATE_BROADCAST", 0, 5_000),
        (2, "BROADCAST", 7_000, 8_000),
    ];
    let own = horovod(&broadcast, &[]);
    assert!(said(&own).contains("ms: no tensor was reduced, only 2 were broadcast"), "{}", said(&own));
    let reduced = [&broadcast[..], &[(3, "ALLREDUCE", 9_000, 9_500)]].concat();
    assert!(!said(&horovod(&reduced, &[])).contains("no tensor was reduced"));
}

#[test]
fn where_hardly_anything_is_sent_no_advice_is_to_send_less() {
    let of = |reducing: i64| {
        let mut marks = vec![named("process_name", 1, 0, "dense/kernel")];
        let mut add = |name: &str, from: i64, to: i64| {
            marks.push(json!({ "ph": "B", "name": name, "ts": from, "pid": 1 }));
            marks.push(json!({ "ph": "E", "ts": to, "pid": 1 }));
        };
        for step in 0..10 {
            let at = step * 100_000;
            add("NEGOTIATE_ALLREDUCE", at, at + 90_000);
            add("ALLREDUCE", at + 90_000, at + 90_000 + reducing);
        }
        let own = study(open(&[("timeline.json", Value::from(marks).to_string().as_bytes())]));
        let found = row(&own, Rule::ExposedCommunication).unwrap_or_else(|| panic!("{}", list(&own)));
        text(&found, "advice").to_owned()
    };
    assert!(!of(100).contains("Compression") && of(100).contains("the last one is ready"), "{}", of(100));
    assert!(of(9_000).contains("Compression"), "{}", of(9_000));
}

/// A timeline of tensors: (row, phase, from, to) in µs.
fn tensors(phases: &[(i64, &str, i64, i64)]) -> Study {
    let mut marks: Vec<(i64, i64, Value)> = Vec::new();
    for &(row, name, from, to) in phases {
        marks.push((from, from - to, json!({ "ph": "B", "name": name, "ts": from, "pid": row, "tid": 1 })));
        marks.push((to, from - to, json!({ "ph": "E", "ts": to, "pid": row, "tid": 1 })));
    }
    marks.sort_by_key(|(at, order, _)| (*at, *order));
    let mut all: Vec<Value> = (1..=3).map(|row| named("process_name", row, 0, &format!("t{row}"))).collect();
    all.extend(marks.into_iter().map(|(.., event)| event));
    study(open(&[("timeline.json", json!(all).to_string().as_bytes())]))
}

/// Steps of 100 ms. The first tensor is ready after 10 ms, and the last one after 80 ms. All are reduced at 95 ms: sending them takes 10 ms of that.
fn rounds(count: i64) -> Vec<(i64, &'static str, i64, i64)> {
    let one = |step: i64| {
        let at = step * 100_000;
        let turn = |row: i64, ready: i64, sent: i64, done: i64| {
            [
                (row, "NEGOTIATE_ALLREDUCE", at + ready, at + sent),
                (row, "MPI_ALLREDUCE", at + sent, at + done),
            ]
        };
        [turn(1, 10_000, 30_000, 40_000), turn(2, 50_000, 60_000, 70_000), turn(3, 80_000, 85_000, 95_000)]
            .concat()
    };
    (0..count).flat_map(one).collect()
}

#[test]
fn tensors_that_come_again_are_steps_that_wait_for_the_last_one() {
    let own = tensors(&rounds(10));
    let found = Rounds::of(own.trace());
    assert_eq!((found.as_slice().len(), found.median().0), (10, 100_000_000));
    let finding = row(&own, Rule::ExposedCommunication).expect("a finding");
    let said = text(&finding, "sentence");
    assert!(said.contains("The same tensors come 10 times"), "{said}");
    // 15 ms in each, of 985 ms.
    assert_eq!(finding["saving_ns"], 150_000_000, "{finding}");
    // One that waits for a rank is said, and what to do about it.
    let mut one = rounds(10);
    one[5 * 6 + 5] = (3, "MPI_ALLREDUCE", 585_000, 599_000);
    one.iter_mut().skip(6 * 6).for_each(|own| (own.2, own.3) = (own.2 + 500_000, own.3 + 500_000));
    one[5 * 6 + 5].3 += 500_000;
    let finding = row(&tensors(&one), Rule::ExposedCommunication).expect("a finding");
    assert!(text(&finding, "sentence").contains("One step waits for 519 ms then"), "{finding}");
    assert!(text(&finding, "advice").contains("Most of it is one step"), "{finding}");
    // Two are no habit.
    assert!(Rounds::of(tensors(&rounds(2)).trace()).as_slice().is_empty());
}

#[test]
fn what_a_model_computes_is_no_wait_for_tensors() {
    let phases: Vec<_> = (0..5)
        .flat_map(|step| {
            let at = step * 100_000;
            [
                (1, "GRADIENT COMPT.", at, at + 60_000),
                (1, "ENQUEUE_ALLREDUCE", at + 60_000, at + 60_010),
                (2, "ENQUEUE_ALLREDUCE", at + 61_000, at + 61_010),
                (3, "GRADIENT COMPT.", at + 61_500, at + 70_000),
                (1, "MPI_ALLREDUCE", at + 62_000, at + 75_000),
                (2, "MPI_ALLREDUCE", at + 75_000, at + 90_000),
            ]
        })
        .collect();
    let own = tensors(&phases);
    let tails: Vec<i64> = Rounds::of(own.trace()).as_slice().iter().map(|own| own.tail.length().0).collect();
    assert_eq!(tails, [20_000_000; 5]);
    let found = list(&own);
    assert!(!text(&found, "sentence").contains("several steps"), "{found}");
}

/// Five tensors that rank 1 is ready with at 0, and rank 0 after 3 s; then each is reduced, for 10 ms after 10 ms of negotiation.
fn late_at(operation: &str) -> Study {
    let (negotiates, sends) = (format!("NEGOTIATE_{operation}"), operation.to_owned());
    let (mut phases, mut ticks) = (Vec::new(), Vec::new());
    for tensor in 1..=5 {
        phases.push((tensor, negotiates.as_str(), tensor, 3_000_000 + tensor));
        phases.push((tensor, sends.as_str(), 3_000_100 + tensor, 3_001_000 + tensor));
        ticks.extend([(tensor, 1, tensor), (tensor, 0, 3_000_000 + tensor)]);
        let start = 3_500_000 + tensor * 100;
        phases.push((tensor, "NEGOTIATE_ALLREDUCE", start, start + 10_000));
        phases.push((tensor, "ALLREDUCE", start + 10_000, start + 20_000));
        ticks.extend([(tensor, tensor % 2, start + 1), (tensor, 1 - tensor % 2, start + 10_000)]);
    }
    horovod(&phases, &ticks)
}

#[test]
fn what_programs_broadcast_as_they_start_is_no_habit_of_their_steps() {
    let own = late_at("BROADCAST");
    let late = row(&own, Rule::LastRank).expect("a finding");
    let what = text(&late, "what");
    assert!(what.starts_with("As the program starts, rank 0 is ready last in 5 of 5"), "{what}");
    assert_eq!(number(&late, "saving_ns"), 3_000_004_000);
    assert!(text(&late, "advice").contains("before its first broadcast"), "{late}");
    // What is left is from the first reduction on.
    let rest = row(&own, Rule::ExposedCommunication);
    assert!(rest.is_none_or(|own| number(&own, "saving_ns") <= 20_500_000));
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("are the start of the program"), "{said}");
    // Without a broadcast, nothing is a start.
    let own = late_at("ALLREDUCE");
    assert!(!verdict::of(&own, true).sentence.contains("start of the program"));
    assert!(row(&own, Rule::LastRank).is_none_or(|own| !text(&own, "what").starts_with("As the program")));
}

/// Ten tensors of two ranks, one after the other. Rank 1 is last in those of `late`, by 1 ms each; rank 0 in all others, by 10 µs.
fn late_in(late: std::ops::Range<i64>) -> Study {
    let (mut phases, mut ticks) = (Vec::new(), Vec::new());
    for tensor in 0..10 {
        let start = tensor * 2_000;
        let (last, by) = if late.contains(&tensor) { (1, 1_000) } else { (0, 10) };
        phases.push((tensor + 1, "NEGOTIATE_ALLREDUCE", start, start + by + 1));
        phases.push((tensor + 1, "ALLREDUCE", start + by + 1, start + by + 11));
        ticks.extend([(tensor + 1, 1 - last, start), (tensor + 1, last, start + by)]);
    }
    horovod(&phases, &ticks)
}

#[test]
fn a_rank_that_is_rarely_last_is_not_the_late_one_however_long_it_takes() {
    let often = row(&late_in(0..6), Rule::LastRank).expect("rank 1 is last in 6 of 10");
    assert_eq!(number(&often, "saving_ns"), 6_000_000, "{often}");
    // Four of ten are not half of them, though they are nearly all of the time.
    assert_eq!(row(&late_in(0..4), Rule::LastRank), None);
}

/// Tensors of Horovod that are negotiated for 40 ms, and reduced for 40 ms by this.
fn reduced_by(name: &str) -> Study {
    let mut phases = Vec::new();
    for tensor in 1..=3 {
        phases.push((tensor, "NEGOTIATE_ALLREDUCE", tensor * 100_000, tensor * 100_000 + 40_000));
        phases.push((tensor, "ALLREDUCE", tensor * 100_000 + 40_000, tensor * 100_000 + 80_100));
        phases.push((tensor, name, tensor * 100_000 + 40_050, tensor * 100_000 + 80_000));
    }
    horovod(&phases, &[])
}

#[test]
fn advice_names_no_library_that_runs_already() {
    let own = advice(&reduced_by("MPI_ALLREDUCE"), "exposed-communication");
    assert!(own.contains("NCCL in place of MPI"), "{own}");
    let own = advice(&reduced_by("NCCL_ALLREDUCE"), "exposed-communication");
    assert!(own.contains("HOROVOD_FUSION_THRESHOLD") && !own.contains("NCCL"), "{own}");
}

#[test]
fn a_tensor_of_byteps_that_waits_for_its_turn_waits_for_the_one_that_is_sent() {
    let rows: i64 = 5;
    let events = (0..rows).flat_map(|row| {
        let name = json!({ "ph": "M", "args": { "name": format!("conv{row}_weight") }, "pid": row, "name": "process_name" });
        let sent = (row * 100_000 + 100_000, row * 100_000 + 200_000);
        let own = [phase(row, "PUSH_PULLQUEUE", 0, sent.0), phase(row, "PUSH_PULLCOMMUNICATION", sent.0, sent.1)];
        std::iter::once(name).chain(own.into_iter().flatten()).collect::<Vec<_>>()
    });
    let own = of_json(&events.collect::<Vec<_>>());
    // Nothing was sent for 100 ms, then one tensor after the other.
    assert_eq!((ms(&own, SegmentKind::Transit), ms(&own, SegmentKind::Producer)), (500, 100));
    assert!(spent(&own, MS).iter().all(|&(what, _)| !what.contains("producer")), "{:?}", spent(&own, MS));
}

#[test]
fn stages_of_byteps_are_what_they_do() {
    let tensor = "Comm.byteps.gradient_0";
    let event = |stage: &str, tid: &str, ts: i64, dur: i64| {
        let name = if stage.is_empty() { tensor.to_owned() } else { format!("{tensor}.{stage}") };
        json!({ "ph": "X", "args": { "name": tensor }, "pid": tensor, "name": name, "ts": ts, "dur": dur, "tid": tid, "cat": "Comm" })
    };
    let events = [
        event("", "total", 0, 100_000),
        event("COORDINATE_REDUCE", "1", 10_000, 1_000),
        event("REDUCE", "1", 20_000, 10_000),
        event("COMPRESS", "1", 40_000, 5_000),
        event("PUSH", "1", 50_000, 20_000),
    ];
    let text = json!({ "traceEvents": events }).to_string();
    let own = study(open(&[("comm.json", text.as_bytes())]));
    let split = own.step_split(own.trace().span());
    let parts = [split.compute, split.exposed_communication, split.exposed_waiting, split.idle];
    assert_eq!(parts.map(|own| own.0 / 1_000_000), [5, 30, 65, 0]);
    assert_eq!(spent(&own, MS).first().map(|own| own.1), Some(65), "{:?}", spent(&own, MS));
}
