//! Stragglers of generated clusters, in which one thing was made late on one worker; collectives; tensorflow-tracer's figures.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;
use steplens_core::makers::Makers;
use steplens_core::network::stragglers::{CauseKind, Straggler, stragglers};
use steplens_core::network::tracer_figures::tracer_figures;
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{Nanos, Study};
use steplens_tests::cases::cases;
use steplens_tests::fixtures::{fixture, fixtures, metrics};
use steplens_tests::opened;
use steplens_tests::writer::{PS, Scenario, op, open, recv};

const US: i64 = 1_000;

fn worker(task: usize) -> String {
    format!("/job:worker/replica:0/task:{task}/device:CPU:0")
}

/// What was made late, where and by how much.
#[derive(Clone, Copy, Debug)]
struct Planted {
    kind: CauseKind,
    worker: usize,
    /// Which of its ops.
    place: usize,
    late_us: i64,
}

/// Workers that fetch a variable and run the same ops one after another, of these lengths in ns.
fn cluster(lengths: &[Vec<i64>], planted: Planted) -> Study {
    let mut scenario = Scenario::new().device(PS, [op("v/read = Identity(v)", 0, 20 * US)]);
    for (task, lengths) in lengths.iter().enumerate() {
        let (device, tower) = (worker(task), format!("net_{task}/tower_{task}"));
        let late_ns = |kind: CauseKind, place: usize| {
            let is_it = planted.worker == task && planted.kind == kind && planted.place == place;
            if is_it { planted.late_us * US } else { 0 }
        };
        let anywhere = planted.place;
        let received_us = 40 + late_ns(CauseKind::InputLate, anywhere) / US;
        let began = US + late_ns(CauseKind::StartedLate, anywhere);
        let mut ops = vec![
            op(&format!("{tower}/init = Const()"), began, US),
            recv(&format!("edge_{task}_v/read"), PS, &device, 64, 25, received_us - 25),
        ];
        let mut ready = (received_us * US).max(began + US);
        let mut input = format!("v/read/_{task}, {tower}/init");
        for (place, length) in lengths.iter().enumerate() {
            let start = ready + 100 + late_ns(CauseKind::RanLate, place);
            let length = length + late_ns(CauseKind::TookLong, place);
            ops.push(op(&format!("{tower}/op_{place} = Mul({input})"), start, length).scheduled(ready));
            input = format!("{tower}/op_{place}");
            ready = start + length;
        }
        scenario = scenario.device(&device, ops);
    }
    scenario.study()
}

fn stragglers_of(study: &Study) -> Vec<Straggler> {
    stragglers(study, &StepOfOp::indexed(study), &Makers::found(study.edges()))
}

/// Clusters of two to six workers with two to nine ops each.
fn clusters() -> impl Strategy<Value = (Vec<Vec<i64>>, Planted)> {
    let kinds = [CauseKind::RanLate, CauseKind::TookLong, CauseKind::InputLate, CauseKind::StartedLate];
    (2_usize..7, 2_usize..10).prop_flat_map(move |(workers, ops)| {
        let planted = (0..kinds.len(), 0..workers, 0..ops, 60_i64..300);
        let planted = planted.prop_map(move |(kind, worker, place, late_us)| Planted {
            kind: kinds[kind],
            worker,
            place,
            late_us,
        });
        (vec(vec(10 * US..12 * US, ops), workers), planted)
    })
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn what_was_planted_is_found((lengths, planted) in clusters()) {
        let study = cluster(&lengths, planted);
        let found = stragglers_of(&study);
        prop_assert_eq!(found.len(), 1);
        let only = &found[0];
        let named = study.trace().text(only.ended[0].unit);
        prop_assert_eq!(named, format!("/job:worker/replica:0/task:{}", planted.worker));
        prop_assert_eq!(only.ended.len(), lengths.len());
        let ends: Vec<i64> = only.ended.iter().map(|ended| ended.at.0).collect();
        prop_assert!(ends.is_sorted_by(|a, b| a >= b));
        prop_assert_eq!(only.after_next.0, ends[0] - ends[1]);
        let times = only.times;
        let all = [times.before, times.running, times.waiting, times.queued, times.wire];
        prop_assert_eq!(all.iter().map(|part| part.0).sum::<i64>(), ends[0]);
        let cause = only.cause.unwrap();
        prop_assert_eq!(cause.kind, planted.kind, "{:?}", cause);
        let name = study.trace().op_name(cause.op);
        let wanted = match planted.kind {
            CauseKind::RanLate | CauseKind::TookLong => format!("op_{}", planted.place),
            CauseKind::InputLate => "op_0".to_owned(),
            CauseKind::StartedLate => "init".to_owned(),
        };
        prop_assert!(name.ends_with(&wanted), "{} is not {}", name, wanted);
        let late = cause.own.0 - cause.usual.unwrap().0;
        // Ops differ by up to 2 us of themselves.
        prop_assert!((late - planted.late_us * US).abs() <= 20 * US, "{} for {}", late, planted.late_us);
        if planted.kind == CauseKind::InputLate {
            prop_assert_eq!(study.title(cause.input.unwrap()), "v/read");
        }
    }
}

#[test]
fn tasks_that_were_last_equally_often_are_in_natural_order() {
    let step = |late: usize, begin: i64| {
        let device = |scenario: Scenario, task: usize| {
            let length = if task == late { 900 * US } else { 500 * US };
            scenario.device(&worker(task), [op("net/mul = Mul(x)", begin, length)])
        };
        (0..12).fold(Scenario::new(), device).bytes()
    };
    let files = [("first.pb", step(10, 0)), ("second.pb", step(9, 20_000 * US))];
    let study = opened::study(opened::open(&files.each_ref().map(|(name, bytes)| (*name, bytes.as_slice()))));
    let said: Value = serde_json::to_value(steplens_report::network::Network::of(&study)).expect("JSON");
    let often = said["stragglers"]["often"].as_array().expect("tasks");
    let wanted = [9, 10].map(|task| serde_json::json!([worker(task).replace("/device:CPU:0", ""), 1]));
    assert_eq!(often[..], wanted);
}

#[test]
fn servers_are_no_stragglers_of_workers() {
    let late = Scenario::new()
        .device(PS, [op("apply = Assign(g)", 0, 900 * US)])
        .device("/job:chief/replica:0/task:0/device:CPU:0", [op("a = Mul(b)", 0, 50 * US)])
        .device(&worker(0), [op("a = Mul(b)", 0, 60 * US)])
        .study();
    let found = stragglers_of(&late);
    let [only] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(late.trace().text(only.ended[0].unit), "/job:worker/replica:0/task:0");
    assert_eq!((only.after_next, only.ended.len()), (Nanos(10 * US), 2));
    // The chief does what the workers do, also where there are several.
    let chief = Scenario::new()
        .device("/job:chief/replica:0/task:0/device:CPU:0", [op("a = Mul(b)", 0, 90 * US)])
        .device(&worker(0), [op("a = Mul(b)", 0, 60 * US)])
        .device(&worker(1), [op("a = Mul(b)", 0, 50 * US)])
        .study();
    let found = stragglers_of(&chief);
    let [only] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(chief.trace().text(only.ended[0].unit), "/job:chief/replica:0/task:0");
    assert_eq!((only.after_next, only.ended.len()), (Nanos(30 * US), 3));
    let alone =
        Scenario::new().device(PS, [op("a = Mul(b)", 0, 9)]).device(&worker(0), [op("a = Mul(b)", 0, 5)]);
    assert!(stragglers_of(&alone.study()).is_empty());
}

#[test]
fn names_that_lead_in_circles_end() {
    // Clocks that differ let two workers make each other's input.
    let [a, b] = [worker(0), worker(1)];
    let study = Scenario::new()
        .device(&a, [op("x = Mul(y/_1)", 50 * US, 10 * US), recv("edge_1_y", &b, &a, 8, 10, 30)])
        .device(&b, [op("y = Mul(x/_2)", 20 * US, 10 * US), recv("edge_2_x", &a, &b, 8, 5, 10)])
        .study();
    let found = stragglers_of(&study);
    let [only] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(only.links, 4);
    let times = only.times;
    assert_eq!(
        times.before.0 + times.running.0 + times.waiting.0 + times.queued.0 + times.wire.0,
        only.ended[0].at.0
    );
}

#[test]
fn collectives_wait_for_the_last_to_come() {
    let study = Study::new(open(&fixture("collective").bytes).trace);
    let found = study.collectives();
    let [only] = found.rows.as_slice() else { panic!("{found:?}") };
    let (op, by) = only.last.unwrap();
    let starts: Vec<i64> = found.participants.iter().map(|own| study.trace().ops().start(own.op).0).collect();
    assert_eq!((study.trace().op_name(op), by.0), ("CollectiveReduce_1", starts[1] - starts[0]));
    assert_eq!(found.participants.iter().map(|own| own.waiting.unwrap().0).collect::<Vec<_>>(), [by.0, 0]);
    assert_eq!(only.waiting, by);
}

#[test]
fn collectives_are_matched_by_role_and_run() {
    let gpu = |of: usize| format!("/job:worker/replica:0/task:0/device:GPU:{of}");
    // Two all-reduces each, twice: on the second device numbered on, and later each time.
    let ops = |of: usize| {
        (0..4_i64).map(move |at| {
            let name = format!("r/NcclAllReduce_{}", (at % 2) * 3 + of as i64);
            op(&format!("{name} = NcclAllReduce(g)"), at * 100 + of as i64 * 10, 40)
        })
    };
    let scenario = (0..3).fold(Scenario::new(), |scenario, of| scenario.device(&gpu(of), ops(of)));
    let study = scenario.study();
    let found = study.collectives();
    assert_eq!(found.rows.len(), 4);
    for row in &found.rows {
        let own = &found.participants[row.participants.clone()];
        assert_eq!(own.iter().map(|own| own.waiting.unwrap().0).collect::<Vec<_>>(), [20, 10, 0]);
        assert_eq!((row.last.unwrap().1, row.time, row.waiting), (Nanos(10), Nanos(120), Nanos(30)));
        assert_eq!(study.trace().device_of(row.last.unwrap().0).get(), 2);
    }
}

#[test]
fn participants_that_were_not_traced_are_not_known() {
    for label in ["h = HorovodAllreduce(g)", "d = DDLAllReduce(g)", "b = BytepsPushPull(g)"] {
        let study = Scenario::new().device(&worker(0), [op(label, 0, 50)]).study();
        let found = study.collectives();
        let [only] = found.rows.as_slice() else { panic!("{found:?}") };
        assert_eq!((only.last, only.time), (None, Nanos(50)), "{label}");
        assert_eq!(found.participants[0].waiting, None);
    }
}

#[test]
fn figures_are_those_of_tensorflow_tracer() {
    let metrics: Value = serde_json::from_str(&metrics()).unwrap();
    for fixture in fixtures() {
        let Some(wanted) = metrics.get(&fixture.name) else { continue };
        let trace = open(&fixture.bytes).trace;
        let named = tracer_figures(&trace);
        let wanted =
            ["step_us", "recvtensor_us", "recvtensor_elapsed_us"].map(|name| wanted[name].as_i64().unwrap());
        assert_eq!(
            [named.step_us, named.communication_us, named.communication_elapsed_us],
            wanted,
            "{}",
            fixture.name
        );
    }
}

#[test]
fn tensorflow_tracer_counts_allreduces_of_horovod() {
    let ops = [
        op("h = HorovodAllreduce(g)", 1_500, 2_000),
        op("c = Mul(h)", 0, 9_000),
        op("k = CollectiveReduce(c)", 0, 1),
    ];
    let figures = tracer_figures(Scenario::new().device(&worker(0), ops).study().trace());
    // Starts and ends are cut to microseconds.
    assert_eq!((figures.step_us, figures.communication_us, figures.communication_elapsed_us), (9, 2, 2));
}
