//! Random small steps of three devices, and windows around them, for laws that are checked by plain definitions.

use crate::writer::{PS, Scenario, WORKER, op};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use steplens_core::timeline::split::Split;
use steplens_core::{Category, Interval, Nanos, OpId, Study, Timestamp};

const GPU: &str = "/device:GPU:0/stream:13";
/// Labels of each category; the nodes use each other's outputs.
pub const LABELS: [&str; 7] = [
    "a = Mul(b, c)",
    "b = Add(a, ^c)",
    "c = _Send(a)",
    "d = MEMCPYDtoH(b:1)",
    "a = Sub(d, a)",
    "net/e = Add(net/w/f, a)",
    "net/w/f = Mul(b)",
];

/// Label, start and length of an op.
type Row = (&'static str, i64, i64);

/// The ops of three devices.
#[derive(Clone, Debug)]
pub struct Step([Vec<Row>; 3]);

impl Step {
    /// The step, opened and analysed.
    ///
    /// # Panics
    /// Never: there is an op.
    pub fn study(&self) -> Study {
        let ops = |rows: &[Row]| {
            let op = |&(label, start, length): &Row| op(label, start, length).thread(start as u32 % 3);
            rows.iter().map(op).collect::<Vec<_>>()
        };
        let [ps, worker, gpu] = self.0.each_ref();
        // Two entries of one device are one device.
        let (early, late) = gpu.split_at(gpu.len() / 2);
        let scenario = Scenario::new().device(GPU, ops(late)).device(WORKER, ops(worker)).device(PS, ops(ps));
        scenario.device(GPU, ops(early)).study()
    }
}

/// A step with ops on at least one device, within 100 ns.
pub fn step() -> impl Strategy<Value = Step> {
    let row = || (select(&LABELS[..]), 0_i64..60, prop_oneof![1 => Just(0_i64), 4 => 1_i64..25]);
    [vec(row(), 0..30), vec(row(), 0..10), vec(row(), 1..40)].prop_map(Step)
}

/// A window around or within a step.
pub fn window() -> impl Strategy<Value = Interval> {
    (-10_i64..100, 0_i64..100)
        .prop_map(|(start, length)| Interval::new(Timestamp(start), Timestamp(start + length)))
}

/// The split of `ops` by its definition, nanosecond by nanosecond.
pub fn count_nanoseconds(study: &Study, ops: &[OpId], window: Interval) -> Split {
    let trace = study.trace();
    let mut split = Split { window: window.length(), ..Split::default() };
    for now in window.start.0..window.end.0 {
        let runs = |category| {
            ops.iter().any(|&op| {
                let interval = trace.ops().interval(op);
                trace.category(op) == category && interval.start.0 <= now && now < interval.end.0
            })
        };
        let [compute, input, copy, communication, launch, allocation, waiting, _] = Category::ALL.map(runs);
        let hidden_by = |before: &[bool]| before.contains(&true);
        let mut before = Vec::new();
        for (part, runs) in [
            (&mut split.compute, compute),
            (&mut split.exposed_input, input),
            (&mut split.exposed_copy, copy),
            (&mut split.exposed_communication, communication),
            (&mut split.exposed_launch, launch),
            (&mut split.exposed_allocation, allocation),
            (&mut split.exposed_waiting, waiting),
        ] {
            *part += Nanos(i64::from(runs && !hidden_by(&before)));
            before.push(runs);
        }
        split.busy += Nanos(i64::from(hidden_by(&before)));
        split.idle += Nanos(i64::from(!hidden_by(&before)));
        split.communication += Nanos(i64::from(communication));
        split.overlapped_communication += Nanos(i64::from(communication && compute));
    }
    split
}
