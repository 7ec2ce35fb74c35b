//! Transfers whose order makes no sense: ops that wait for one another in a circle, and ops with very many inputs.

use steplens_core::makers::Makers;
use steplens_core::network::arrival_order::{NoOrder, arrival_order};
use steplens_core::study::step_of_op::StepOfOp;
use steplens_tests::meter::cost;
use steplens_tests::writer::{PS, Scenario, WORKER, op, recv};

#[test]
fn circles_come_to_an_end() {
    // A server and a worker that each wait for what the other makes of it, and ops that name one another and themselves.
    let study = Scenario::new()
        .device(
            PS,
            [
                recv("edge_1_a", WORKER, PS, 8, 1, 9),
                op("w = Mul(a/_1, w, v)", 5_000, 100),
                op("v = Mul(w)", 0, 9_000),
            ],
        )
        .device(
            WORKER,
            [
                recv("edge_2_w", PS, WORKER, 8, 1, 9),
                recv("edge_3_v", PS, WORKER, 8, 1, 7),
                op("a = Mul(w/_2, b)", 3_000, 0),
                op("b = Mul(a, v/_3)", 3_000, 0),
            ],
        )
        .study();
    let devices = arrival_order(&study, &StepOfOp::indexed(&study), &Makers::found(study.edges()));
    assert_eq!(devices.len(), 2);
    assert!(devices.iter().all(|own| own.inversions <= own.pairs && own.lost.0 >= 0));
    assert!(devices[0].worst.is_err(), "the worker had a part in all that comes to the server");
}

/// All that is allocated stands for work: it grows with the inputs, not with their square.
#[test]
fn very_many_inputs_cost_what_they_are() {
    let of = |count: i64| {
        let read = |k| op(&format!("v{k} = Variable()"), k, 1);
        let transfer = |k| recv(&format!("edge_{k}_v{k}"), PS, WORKER, 8, 1_000, count - k + 1);
        let inputs: Vec<_> = (0..count).map(|k| format!("v{k}/_{k}")).collect();
        let sum = format!("sum = AddN({})", inputs.join(", "));
        let start = (count + 2_000) * 1_000;
        let sums = (0..4).map(|k| op(&sum.replace("sum =", &format!("sum{k} =")), start + k, 10));
        let study = Scenario::new()
            .device(PS, (0..count).map(read))
            .device(WORKER, (0..count).map(transfer).chain(sums))
            .study();
        let (devices, cost) =
            cost(|| arrival_order(&study, &StepOfOp::indexed(&study), &Makers::found(study.edges())));
        assert!(devices.iter().all(|own| own.inversions == 0), "they are needed at once");
        cost.total_bytes
    };
    let (few, many) = (of(10_000), of(100_000));
    assert!(many < 15 * few, "ten times the inputs took {many} instead of {few} bytes");
}

/// Tasks that only receive had no part in what they receive: that takes one look at the ops, not one for every 63 tasks.
#[test]
fn tasks_that_send_nothing_cost_what_they_are() {
    let of = |count: usize| {
        let mut scenario = Scenario::new().device(PS, [op("w = Variable()", 0, 1_000)]);
        for at in 0..count {
            let own = format!("/job:worker/replica:0/task:{at}/device:CPU:0");
            scenario = scenario.device(&own, [recv(&format!("edge_{at}_w"), PS, &own, 8, 5, 20)]);
        }
        let study = scenario.study();
        let (devices, cost) =
            cost(|| arrival_order(&study, &StepOfOp::indexed(&study), &Makers::found(study.edges())));
        assert_eq!(devices.len(), count);
        assert!(
            devices.iter().all(|own| !matches!(own.worst, Err(NoOrder::TooManyTasks))),
            "none is left out"
        );
        cost.total_bytes
    };
    let (few, many) = (of(5_000), of(20_000));
    assert!(many < 5 * few, "four times the tasks took {many} instead of {few} bytes");
}
