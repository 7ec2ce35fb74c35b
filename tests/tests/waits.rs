//! What devices waited for, against plain definitions, on random small steps and on recorded ones.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use std::sync::Arc;
use steplens_core::makers::Makers;
use steplens_core::network::chain::ChainTimes;
use steplens_core::network::stragglers::{CauseKind, stragglers};
use steplens_core::network::tensors::{TensorRow, waits_by_tensor};
use steplens_core::network::waits::{Wait, waits};
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{Category, DeviceId, Nanos, OpId, Study, View};
use steplens_tests::cases::cases;
use steplens_tests::fixtures::{fixture, fixtures};
use steplens_tests::steps::step;
use steplens_tests::writer::{PS, Scenario, WORKER, op, open, recv};

fn waits_of(study: &Study) -> Vec<Wait> {
    waits(study, &StepOfOp::indexed(study))
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn every_exposed_nanosecond_is_blamed_by_the_rule(step in step()) {
        let study = step.study();
        let found = waits_of(&study);
        for device in study.trace().devices().ids() {
            let mut wanted = blamed_by_nanoseconds(&study, device);
            wanted.retain(|&(_, waited)| waited > 0);
            let own = found.iter().filter(|wait| wait.device == device && wait.waited > Nanos(0));
            prop_assert_eq!(own.map(|wait| (wait.op, wait.waited.0)).collect::<Vec<_>>(), wanted);
        }
        check_sums(&study, &found);
    }
}

/// What is blamed adds up to what the split says, and idle time before receipts is idle time.
fn check_sums(study: &Study, found: &[Wait]) {
    for device in study.trace().devices().ids() {
        let own = || found.iter().filter(|wait| wait.device == device);
        let split = study.split(Some(device), study.trace().span());
        assert_eq!(own().map(|wait| wait.waited.0).sum::<i64>(), split.exposed_communication.0);
        assert!(own().all(|wait| wait.idle_before >= Nanos(0)));
        assert!(own().map(|wait| wait.idle_before.0).sum::<i64>() <= split.idle.0);
    }
}

/// The rule, moment by moment: of those in flight, the one that ended last by the end of the stretch, else the one that ends first.
fn blamed_by_nanoseconds(study: &Study, device: DeviceId) -> Vec<(OpId, i64)> {
    let trace = study.trace();
    let ops: Vec<OpId> = trace.ops_of(device).collect();
    let at = |now: i64, wanted: &dyn Fn(Category) -> bool| -> Vec<OpId> {
        let runs = |&op: &OpId| {
            let own = trace.ops().interval(op);
            own.start.0 <= now && now < own.end.0 && wanted(trace.category(op))
        };
        ops.iter().copied().filter(runs).collect()
    };
    let is_exposed = |now: i64| {
        at(now, &|category| category != Category::Communication).is_empty()
            && !at(now, &|category| category == Category::Communication).is_empty()
    };
    let mut blamed: Vec<(OpId, i64)> = ops.iter().map(|&op| (op, 0)).collect();
    for now in (0..trace.span().end.0).filter(|&now| is_exposed(now)) {
        let goes_on = (now..).find(|&later| !is_exposed(later)).unwrap();
        let in_flight = at(now, &|category| category == Category::Communication);
        let end = |op: OpId| trace.ops().end(op).0;
        let start = |op: OpId| trace.ops().start(op).0;
        let landed = in_flight.iter().copied().filter(|&op| end(op) <= goes_on);
        let to_blame = landed
            .max_by_key(|&op| (end(op), start(op), op))
            .or_else(|| in_flight.iter().copied().min_by_key(|&op| (end(op), op)))
            .unwrap();
        blamed.iter_mut().find(|(op, _)| *op == to_blame).unwrap().1 += 1;
    }
    blamed
}

#[test]
fn recorded_steps_are_blamed_to_the_nanosecond() {
    for fixture in fixtures() {
        let study = Study::new(open(&fixture.bytes).trace);
        check_sums(&study, &waits_of(&study));
    }
}

/// The main example, as an independent reading of its ops and inputs has it.
#[test]
fn the_main_example_names_its_straggler_and_waits() {
    let study = Study::new(open(&fixture("ps4w").bytes).trace);
    let steps = StepOfOp::indexed(&study);
    let found = stragglers(&study, &steps, &Makers::found(study.edges()));
    let [only] = found.as_slice() else { panic!("{found:?}") };
    let ended: Vec<_> = only.ended.iter().map(|ended| (study.trace().text(ended.unit), ended.at.0)).collect();
    let worker = |task: u32| format!("/job:worker/replica:0/task:{task}");
    let wanted = [(0, 337_711_424), (1, 321_858_375), (3, 195_477_290), (2, 179_078_798)];
    assert_eq!(
        ended,
        wanted.map(|(task, at)| (worker(task), at)).each_ref().map(|(task, at)| (task.as_str(), *at))
    );
    assert_eq!((only.after_next, only.behind), (Nanos(15_853_049), Nanos(142_234_134)));
    let cause = only.cause.unwrap();
    assert_eq!((cause.kind, study.title(cause.op)), (CauseKind::RanLate, "net/tower_0/Relu"));
    assert_eq!(cause.input.map(|input| study.title(input)), Some("net/c0/w/read"));
    assert_eq!(cause.own, Nanos(134_745_233));
    assert!(cause.usual.unwrap() < Nanos(100_000));
    let ChainTimes { before, running, waiting, queued, wire } = only.times;
    assert_eq!(before.0 + running.0 + waiting.0 + queued.0 + wire.0, 337_711_424);

    let by_tensor = waits_by_tensor(&study, &waits(&study, &steps));
    let longest = |task: u32| {
        let is_own = |row: &&TensorRow| {
            let device = study.trace().devices().get(row.device.unwrap());
            device.task.map(|own| study.trace().text(own)) == Some(&worker(task))
        };
        let row = by_tensor.iter().find(is_own).unwrap();
        (study.trace().text(row.name), study.trace().text(row.source.unwrap()), row.waited.0 / 1_000)
    };
    assert_eq!(longest(0), ("net/mixed_4/b1a/w", PS, 7_396));
    assert_eq!(longest(3), ("net/mixed_7/b2b/w", PS, 12_408));
}

#[test]
fn idle_time_before_a_receipt_is_told_beside() {
    // The worker runs until 10, idles until `a` is sent at 30, sits waiting for it until 40, and runs on at 41. Then it idles
    // again: `b` came meanwhile, but what runs at 80 was ready at 55 already.
    let worker = Scenario::new().device(PS, [op("v = Read()", 0, 5_000)]).device(
        WORKER,
        [
            op("x = Mul(y)", 0, 10_000),
            op("z = Mul(v/_1)", 41_000, 9_000).scheduled(40_500),
            op("w = Mul(z)", 80_000, 5_000).scheduled(55_000),
            recv("edge_1_v", PS, WORKER, 8, 30, 10),
            recv("edge_2_b", PS, WORKER, 8, 60, 5),
        ],
    );
    let study = worker.study();
    let found = waits_of(&study);
    let found_rows: Vec<_> =
        found.iter().map(|wait| (study.title(wait.op), wait.waited.0, wait.idle_before.0)).collect();
    assert_eq!(found_rows, [("v", 10_000, 20_000), ("b", 5_000, 0)]);
    check_sums(&study, &found);
}

#[test]
fn steps_that_are_looked_at_together_are_told_apart() {
    let step = |start: i64| {
        Scenario::new()
            .device(
                WORKER,
                [
                    op("x = Mul(y)", start, 5_000),
                    recv("edge_1_v", PS, WORKER, 8, start / 1_000 + 5, 10),
                    op("z = Mul(v/_1)", start + 15_000, 5_000),
                ],
            )
            .bytes()
    };
    let bytes: Vec<u8> = (0..3).flat_map(|at| step(at * 100_000)).collect();
    let whole = Arc::new(open(&bytes).trace);
    let found_rows =
        |study: &Study| waits_of(study).iter().map(|wait| (wait.step, wait.waited.0)).collect::<Vec<_>>();
    assert_eq!(found_rows(&Study::of_view(&whole, View::default())), [(0, 10_000), (1, 10_000), (2, 10_000)]);
    let second = View { step: Some(1), ..View::default() };
    assert_eq!(found_rows(&Study::of_view(&whole, second)), [(1, 10_000)]);
}
