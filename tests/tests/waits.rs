//! What devices waited for, against plain definitions, on random small steps and on recorded ones.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use steplens_core::analysis::step_of_op::StepOfOp;
use steplens_core::analysis::waits::{Wait, waits};
use steplens_core::{Category, DeviceId, Nanos, OpId, Study};
use steplens_tests::cases::cases;
use steplens_tests::fixtures::{fixture, fixtures};
use steplens_tests::steps::step;
use steplens_tests::writer::{PS, Scenario, WORKER, op, open, recv};

fn waits_of(study: &Study) -> Vec<Wait> {
    waits(study, &StepOfOp::of(study))
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn every_exposed_nanosecond_is_blamed_by_the_rule(step in step()) {
        let study = step.study();
        let found = waits_of(&study);
        for device in study.trace.devices().ids() {
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
    for device in study.trace.devices().ids() {
        let own = || found.iter().filter(|wait| wait.device == device);
        let split = study.split(Some(device), study.trace.span());
        assert_eq!(own().map(|wait| wait.waited.0).sum::<i64>(), split.exposed_communication.0);
        assert!(own().all(|wait| wait.idle_before >= Nanos(0)));
        assert!(own().map(|wait| wait.idle_before.0).sum::<i64>() <= split.idle.0);
    }
}

/// The rule, moment by moment: of those in flight, the one that ended last by the end of the stretch, else the one that ends first.
fn blamed_by_nanoseconds(study: &Study, device: DeviceId) -> Vec<(OpId, i64)> {
    let trace = &study.trace;
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
        let study = Study::of(open(&fixture.bytes).trace);
        check_sums(&study, &waits_of(&study));
    }
}

#[test]
fn look() {
    let study = Study::of(open(&fixture("ps4w").bytes).trace);
    let mut found = waits_of(&study);
    found.sort_by_key(|wait| -wait.waited.0);
    for device in study.trace.devices().ids() {
        let own: Vec<_> = found.iter().filter(|w| w.device == device).collect();
        println!(
            "{} exposed {} idle before {}",
            study.trace.text(study.trace.devices().get(device).name),
            own.iter().map(|w| w.waited.0).sum::<i64>() as f64 / 1e6,
            own.iter().map(|w| w.idle_before.0).sum::<i64>() as f64 / 1e6
        );
        for w in own.iter().take(8) {
            println!(
                "   {:.3} ms idle {:.3} {} {:?}",
                w.waited.0 as f64 / 1e6,
                w.idle_before.0 as f64 / 1e6,
                study.title(w.op),
                study.trace.ops().interval(w.op)
            );
        }
        for w in own.iter().filter(|w| w.idle_before.0 > 500_000) {
            println!(
                "   IDLE {:.3} ms waited {:.3} {} {:?}",
                w.idle_before.0 as f64 / 1e6,
                w.waited.0 as f64 / 1e6,
                study.title(w.op),
                study.trace.ops().interval(w.op)
            );
        }
    }
    let steps = StepOfOp::of(&study);
    for s in steplens_core::analysis::stragglers::stragglers(&study, &steps) {
        println!("{:?}", s.ended.iter().map(|e| (study.trace.text(e.unit), e.at.0)).collect::<Vec<_>>());
        println!("after {:?} behind {:?} links {} {:?}", s.after_next, s.behind, s.links, s.times);
        if let Some(c) = s.cause {
            println!(
                "{:?} {} at {:?} input {:?}",
                c,
                study.title(c.op),
                study.trace.ops().interval(c.op),
                c.input.map(|i| study.title(i))
            );
        }
    }
}
