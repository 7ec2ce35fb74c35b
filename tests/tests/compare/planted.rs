//! Changes planted into a recording of four workers and a parameter server: the first bar names each, and no other bar is above a tenth
//! of it.

use super::laws::hold;
use super::{Opened, compared};
use prost::Message;
use steplens_core::compare::Comparison;
use steplens_core::compare::joined::Which;
use steplens_core::compare::matching::Pass;
use steplens_core::compare::reasons::Reason;
use steplens_core::compare::waterfall::Cause;
use steplens_core::{Nanos, OpId};
use steplens_report::compare::Compare;
use steplens_tests::fixtures::fixture;
use steplens_tests::proto::{NodeExecStats, RunMetadata};
use steplens_tests::writer::{PS, Scenario, op, open, recv};

const MS: i64 = 1_000_000;

fn recorded() -> RunMetadata {
    RunMetadata::decode(fixture("ps4w").bytes.as_slice()).unwrap()
}

fn opened(metadata: &RunMetadata) -> Opened {
    Opened::of(open(&metadata.encode_to_vec()).trace)
}

/// Moves an op by whole microseconds, which all its fields have.
fn later(op: &mut NodeExecStats, by_us: i64) {
    op.all_start_micros += by_us;
    op.scheduled_micros += by_us;
    if op.all_start_nanos != 0 {
        op.all_start_nanos += by_us * 1_000;
    }
    if op.scheduled_nanos != 0 {
        op.scheduled_nanos += by_us * 1_000;
    }
}

fn longer(op: &mut NodeExecStats, by_us: i64) {
    op.all_end_rel_micros += by_us;
    op.op_end_rel_micros += by_us;
    if op.all_end_rel_nanos != 0 {
        op.all_end_rel_nanos += by_us * 1_000;
    }
    if op.op_end_rel_nanos != 0 {
        op.op_end_rel_nanos += by_us * 1_000;
    }
}

/// The longest op on the observed path of which `is_it` holds: its device, name and label.
fn on_path(a: &Opened, is_it: impl Fn(OpId) -> bool) -> (String, String, String) {
    let trace = a.study.trace();
    let segments = a.study.causes().observed.segments.iter();
    let own = segments
        .filter(|own| own.interval.start >= trace.ops().start(own.op) && is_it(own.op))
        .max_by_key(|own| own.interval.length())
        .unwrap();
    let node = trace.ops().node(own.op);
    let device = trace.devices().get(trace.device_of(own.op)).name;
    let texts =
        [device, trace.nodes().name(node), trace.nodes().label(node)].map(|id| trace.text(id).to_owned());
    let [device, name, label] = texts;
    (device, name, label)
}

/// The recording with the op called so longer by `by_us`, and everything later that starts after it ended.
fn stretched(
    metadata: &RunMetadata,
    (device, name, label): &(String, String, String),
    by_us: i64,
) -> RunMetadata {
    let mut changed = metadata.clone();
    let is_it = |op: &NodeExecStats| op.node_name == *name && op.timeline_label == *label;
    let end = metadata
        .ops()
        .find(|(own, op)| own == device && is_it(op))
        .map(|(_, op)| op.start_ns().unwrap() + op.length_ns().unwrap())
        .unwrap();
    for devices in changed.step_stats.iter_mut().flat_map(|step| &mut step.dev_stats) {
        let is_own = devices.device == *device;
        for op in &mut devices.node_stats {
            if is_own && is_it(op) {
                longer(op, by_us);
            } else if op.start_ns().unwrap() >= end {
                later(op, by_us);
            }
        }
    }
    changed
}

/// The first bar, when no other and no rest is above a tenth of it.
fn alone<'c>(own: &'c Comparison<'_>) -> &'c Cause {
    let first = first(own);
    assert!(own.waterfall.rest.0.abs() * 10 <= own.waterfall.bars[0].difference.0.abs());
    first
}

/// The first bar, when no other is above a tenth of it. The rest may be: all that begins later begins so without a recorded cause.
fn first<'c>(own: &'c Comparison<'_>) -> &'c Cause {
    hold(own);
    let bars = &own.waterfall.bars;
    let first = bars[0].difference.0.abs();
    let others = bars[1..].iter().map(|bar| bar.difference.0.abs()).chain([own.waterfall.others.0.abs()]);
    let most = others.max().unwrap_or(0);
    assert!(
        most * 10 <= first,
        "{most} next to {first}: {:#?}",
        bars.iter().map(|bar| (&bar.cause, bar.difference)).collect::<Vec<_>>()
    );
    &bars[0].cause
}

fn first_op(own: &Comparison<'_>, side: Which) -> String {
    let (a, b, _) = own.waterfall.bars[0].ops[0];
    let op = if side == Which::A { a } else { b };
    own.sides[side as usize].study.title(op.unwrap()).to_owned()
}

#[test]
fn an_op_that_is_slower() {
    let metadata = recorded();
    let a = opened(&metadata);
    let trace = a.study.trace();
    let slow = on_path(&a, |op| {
        a.study.transfers().of_op(op).is_none() && trace.ops().interval(op).length() > Nanos(MS)
    });
    let b = opened(&stretched(&metadata, &slow, 20_000));
    let own = compared(&a, &b);
    assert!(own.reasons.is_empty(), "{:?}", own.reasons);
    assert_eq!(own.difference(), Nanos(20 * MS));
    assert!(matches!(first(&own), Cause::Op { .. }), "{:?}", own.waterfall.bars);
    assert_eq!((first_op(&own, Which::A), first_op(&own, Which::B)), (slow.1.clone(), slow.1.clone()));
    let [of_a, of_b] = own.waterfall.bars[0].lengths;
    assert_eq!(of_b - of_a, Nanos(20 * MS));
    // The other way round it is faster by as much.
    let back = compared(&b, &a);
    assert!(matches!(first(&back), Cause::Op { .. }));
    assert_eq!(back.waterfall.bars[0].difference, Nanos(-own.waterfall.bars[0].difference.0));
}

#[test]
fn a_transfer_that_is_slower() {
    let metadata = recorded();
    let a = opened(&metadata);
    let slow = on_path(&a, |op| a.study.transfers().of_op(op).is_some());
    let b = opened(&stretched(&metadata, &slow, 20_000));
    let own = compared(&a, &b);
    assert!(matches!(first(&own), Cause::Link { .. }), "{:?}", own.waterfall.bars);
}

fn task(job: &str, task: usize) -> String {
    format!("/job:{job}/replica:0/task:{task}/device:CPU:0")
}

/// A server that sends a variable to each worker, which loads, computes in three ops, and sends back. All times in microseconds.
#[derive(Clone)]
struct Cluster {
    workers: usize,
    transit: Vec<i64>,
    /// How many bytes the server sends to each worker.
    bytes: Vec<i64>,
    compute: Vec<i64>,
    batch: i64,
    scope: &'static str,
    /// An op more, of this length, between the first two of worker 2.
    more: i64,
    /// How far the clock of worker 1 is ahead.
    ahead: i64,
    /// Of worker 2, an op that nobody waits for: whether it runs before the second op.
    aside: Option<bool>,
}

impl Default for Cluster {
    fn default() -> Self {
        Self {
            workers: 4,
            transit: vec![500; 4],
            bytes: vec![64; 4],
            compute: vec![5_000, 5_100, 5_200, 5_050],
            batch: 32,
            scope: "net",
            more: 0,
            ahead: 0,
            aside: None,
        }
    }
}

impl Cluster {
    fn opened(&self) -> Opened {
        let mut scenario = Scenario::new();
        let mut server = vec![op("v/read = Identity(v)", 0, 10_000).scheduled(0)];
        let scope = self.scope;
        for worker in 0..self.workers {
            let own = task("worker", worker);
            let clock = if worker == 1 { self.ahead } else { 0 };
            let shape = [self.batch, 8];
            let mut ops =
                vec![recv("edge_1_v/read", PS, &own, self.bytes[worker], 10 + clock, self.transit[worker])];
            let mut at = 10 + self.transit[worker];
            let mut last = "v/read/_1".to_owned();
            let mut conv_end = 0;
            let mut put = |at: &mut i64, name: &str, kind: &str, length: i64, input: Option<&str>| {
                let input = input.map_or_else(|| last.clone(), str::to_owned);
                let start = (*at + 2 + clock) * 1_000;
                let label = format!("{scope}{worker}/{name} = {kind}({input})");
                let ready = if name == "relu" { conv_end } else { *at };
                let own = op(&label, start, length * 1_000).scheduled((ready + clock) * 1_000);
                ops.push(own.thread(7).output(0, 1, &shape, 32 * self.batch));
                *at += 2 + length;
                if name == "conv" || name == "cast" {
                    conv_end = *at;
                }
                last = format!("{scope}{worker}/{name}");
            };
            put(&mut at, "conv", "Conv2D", self.compute[worker], None);
            if worker == 2 && self.more > 0 {
                put(&mut at, "cast", "Cast", self.more, None);
            }
            if worker == 2 && self.aside == Some(true) {
                let input = format!("{scope}{worker}/conv");
                put(&mut at, "summary", "Summary", 4_000, Some(&input));
                put(&mut at, "relu", "Relu", 1_000, Some(&input));
            } else {
                put(&mut at, "relu", "Relu", 1_000, None);
            }
            put(&mut at, "grad", "MatMul", 800, Some(&format!("{scope}{worker}/relu")));
            let made = at;
            if worker == 2 && self.aside == Some(false) {
                let input = format!("{scope}{worker}/conv");
                put(&mut at, "summary", "Summary", 4_000, Some(&input));
            }
            let key = format!("edge_2{worker}_{scope}{worker}/grad");
            server.push(recv(&key, &own, PS, 64, made + 1, 300));
            let label = format!("apply{worker} = ApplyAdam({scope}{worker}/grad/_2{worker})");
            server.push(op(&label, (made + 303) * 1_000, 50_000).scheduled((made + 302) * 1_000));
            scenario = scenario.device(&own, ops);
        }
        Opened::of(scenario.device(PS, server).open().trace)
    }
}

#[test]
fn of_several_workers_the_one_that_is_slower_is_named() {
    let a = Cluster::default();
    let mut slow = a.clone();
    // The path leads through worker 2, and now through worker 3.
    slow.compute[3] = 8_000;
    let (a, b) = (a.opened(), slow.opened());
    let own = compared(&a, &b);
    assert_eq!(own.difference(), Nanos(2_800_000));
    let cause = alone(&own).clone();
    let Cause::Op { op_type, device } = cause else { panic!("{cause:?}") };
    let device = a.study.trace().devices().get(own.device(device).1).name;
    assert_eq!(
        (own.joined.text(op_type), a.study.trace().text(device)),
        ("Conv2D", task("worker", 3).as_str())
    );
    let row = &own.tables.op_types[0];
    assert_eq!((own.joined.text(row.op_type), row.own[1] - row.own[0]), ("Conv2D", Nanos(2_950_000)));
    // It takes 2.95 ms longer, and the step 2.80 ms, because worker 2 was slower before.
    let bar = &own.waterfall.bars[0];
    assert_eq!((bar.lengths, bar.difference), ([Nanos(5_050_000), Nanos(8_000_000)], Nanos(2_800_000)));
}

#[test]
fn a_link_that_is_slower() {
    let a = Cluster::default();
    let mut slow = a.clone();
    slow.transit[0] = 6_000;
    let (a, b) = (a.opened(), slow.opened());
    let own = compared(&a, &b);
    let link = Cause::Link {
        source: "/job:ps/replica:0/task:0".into(),
        destination: "/job:worker/replica:0/task:0".into(),
    };
    assert_eq!(*alone(&own), link);
}

#[test]
fn a_link_that_carries_more() {
    let a = Cluster::default();
    let mut more = a.clone();
    (more.transit[0], more.bytes[0]) = (6_000, 4 << 20);
    let (a, b) = (a.opened(), more.opened());
    let own = compared(&a, &b);
    assert!(matches!(alone(&own), Cause::Link { .. }));
    let said = &Compare::new(&own).waterfall[0].sentence;
    let wanted = "Transfers from ps 0 to worker 0 take 5.500 ms longer: 6.000 ms instead of 500.0 µs. They carry 4.00 MiB";
    assert!(said.starts_with(wanted), "{said}");
}

#[test]
fn an_op_that_is_new_and_one_that_is_gone() {
    let (a, b) = (Cluster::default().opened(), Cluster { more: 2_500, ..Cluster::default() }.opened());
    let own = compared(&a, &b);
    assert!(matches!(alone(&own), Cause::Only { side: Which::B, .. }), "{:?}", own.waterfall.bars);
    assert_eq!(first_op(&own, Which::B), "net2/cast");
    let back = compared(&b, &a);
    assert!(matches!(alone(&back), Cause::Only { side: Which::A, .. }));
    assert_eq!(first_op(&back, Which::A), "net2/cast");
    assert_eq!(back.matching.alone(Which::A).count(), 1);
}

#[test]
fn a_scope_with_another_name() {
    let (a, b) = (Cluster::default().opened(), Cluster { scope: "trunk", ..Cluster::default() }.opened());
    let own = compared(&a, &b);
    hold(&own);
    assert!(own.waterfall.bars.is_empty(), "{:?}", own.waterfall.bars);
    assert_eq!(own.matching.alone(Which::A).count(), 0);
    assert!(own.matching.count(Pass::Structural) >= 12, "{:?}", own.matching);
    // Only numbers differ.
    let c = Cluster { scope: "net_1", ..Cluster::default() }.opened();
    let own = compared(&a, &c);
    assert!(own.waterfall.bars.is_empty());
    assert!(own.matching.count(Pass::Renumbered) >= 12, "{:?}", own.matching);
}

#[test]
fn ops_in_another_order() {
    let [a, b] = [false, true].map(|first| Cluster { aside: Some(first), ..Cluster::default() }.opened());
    let own = compared(&a, &b);
    hold(&own);
    // Every op takes as long as before: that another op came first is no length of any.
    assert!(own.waterfall.bars.is_empty(), "{:?}", own.waterfall.bars);
    assert_eq!((own.waterfall.others, own.waterfall.rest), (Nanos(0), own.difference()));
}

#[test]
fn another_batch() {
    let a = Cluster::default();
    let mut large = Cluster { batch: 64, ..a.clone() };
    large.compute.iter_mut().for_each(|length| *length *= 2);
    let (a, b) = (a.opened(), large.opened());
    let own = compared(&a, &b);
    assert_eq!(own.reasons, [Reason::Batch { sizes: [32, 64], pairs: 12 }]);
    assert_eq!(*alone(&own), Cause::Batch);
}

#[test]
fn other_clocks() {
    let (a, b) = (Cluster::default().opened(), Cluster { ahead: -9_000, ..Cluster::default() }.opened());
    let own = compared(&a, &b);
    assert!(matches!(own.reasons[..], [Reason::Clocks { doubts: [None, Some(_)] }]), "{:?}", own.reasons);
    assert_eq!(*alone(&own), Cause::Clocks);
}

#[test]
fn other_devices() {
    let a = Cluster::default();
    let b = Cluster { workers: 3, ..a.clone() };
    let (a, b) = (a.opened(), b.opened());
    let own = compared(&a, &b);
    hold(&own);
    let only = own.reasons.iter().find_map(|reason| match reason {
        Reason::Devices { only_a, only_b } => Some((only_a.len(), only_b.len())),
        _ => None,
    });
    assert_eq!(only, Some((1, 0)));
}

#[test]
fn the_same_name_on_two_workers_is_matched_worker_by_worker() {
    let label = "net/conv = Conv2D(x)";
    let of = |lengths: [i64; 2]| {
        let device = |scenario: Scenario, worker: usize| {
            scenario.device(&task("worker", worker), [op(label, 0, lengths[worker] * MS)])
        };
        Opened::of(device(device(Scenario::new(), 0), 1).open().trace)
    };
    let (a, b) = (of([10, 11]), of([10, 15]));
    let own = compared(&a, &b);
    let pairs: Vec<_> = own.matching.all().map(|(a, b)| (a.get(), b.get())).collect();
    assert_eq!(pairs, [(0, 0), (1, 1)]);
    assert!(matches!(alone(&own), Cause::Op { .. }));
}
