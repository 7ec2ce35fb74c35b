//! Laws of the analyses, on random small traces, against definitions that are slow and plain.

use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use steplens_core::label::{self, InputRef};
use steplens_core::{Category, OpId, Study, natural};
use steplens_tests::cases::cases;
use steplens_tests::steps::{count_nanoseconds, step, window};

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn splits_add_up_and_are_what_each_nanosecond_says(step in step(), window in window()) {
        let study = step.study();
        for device in study.trace.devices().ids().map(Some).chain([None]) {
            let split = study.split(device, window);
            let parts = [split.compute, split.exposed_copy, split.exposed_communication, split.idle];
            prop_assert_eq!(parts.iter().map(|part| part.0).sum::<i64>(), window.length().0);
            let is_own = |op: &OpId| device.is_none_or(|device| study.trace.device_of(*op) == device);
            let own: Vec<OpId> = study.trace.ops().ids().filter(is_own).collect();
            prop_assert_eq!(split, count_nanoseconds(&study, &own, window));
        }
    }

    #[test]
    fn shares_of_slices_add_up_to_the_split(step in step(), window in window(), bins in 1_usize..70) {
        let study = step.study();
        for coverage in study.coverage.iter().chain([&study.together]) {
            let (shares, split) = (coverage.shares(window, bins), coverage.split(window));
            prop_assert_eq!(shares.len(), bins);
            let width = window.length().0 as f64 / bins as f64;
            let total = |category: Category| shares.iter().map(|share| f64::from(share[category as usize])).sum::<f64>() * width;
            let wanted = [
                (Category::Compute, split.compute),
                (Category::Copy, split.exposed_copy),
                (Category::Communication, split.exposed_communication),
            ];
            for (category, part) in wanted {
                prop_assert!((total(category) - part.0 as f64).abs() < 1e-3);
            }
            prop_assert!(shares.iter().all(|share| share.iter().all(|&part| part >= 0.0) && share.iter().sum::<f32>() < 1.0001));
        }
    }

    #[test]
    fn inputs_come_from_the_last_run_that_was_over(step in step()) {
        let study = step.study();
        let (trace, flow) = (&study.trace, &study.flow);
        let inputs = |op: OpId| {
            let label = trace.text(trace.nodes().label(trace.ops().node(op))).to_owned();
            label::inputs(&label).map(|input| input.name.to_owned()).collect::<Vec<_>>()
        };
        let mut wanted: BTreeMap<OpId, Vec<OpId>> = BTreeMap::new();
        for op in trace.ops().ids() {
            for name in inputs(op) {
                let producer = last_run(&study, op, &name).filter(|&producer| producer != op);
                prop_assert_eq!(flow.producer(trace, op, InputRef { name: &name, slot: 0, control: false }), producer);
                if let Some(producer) = producer {
                    wanted.entry(producer).or_default().push(op);
                }
            }
        }
        for op in trace.ops().ids() {
            prop_assert_eq!(flow.consumers(trace, op), wanted.remove(&op).unwrap_or_default());
        }
    }
}

/// Of the runs of `name` on the device of `op`: the last that ended by its start, else the last that started by then.
fn last_run(study: &Study, op: OpId, name: &str) -> Option<OpId> {
    let trace = &study.trace;
    let start = trace.ops().start(op);
    let runs: Vec<OpId> =
        trace.ops_of(trace.device_of(op)).filter(|&run| trace.op_name(run) == name).collect();
    let last = |wanted: &dyn Fn(OpId) -> bool| {
        runs.iter().copied().filter(|&run| wanted(run)).max_by_key(|&run| (trace.ops().start(run), run))
    };
    last(&|run| trace.ops().end(run) <= start).or_else(|| last(&|run| trace.ops().start(run) <= start))
}

fn name() -> impl Strategy<Value = String> {
    "[a-b/0-2é]{0,6}"
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn natural_order_is_total(a in name(), b in name(), c in name()) {
        let order = natural::compare(&a, &b);
        prop_assert_eq!(order == Ordering::Equal, a == b);
        prop_assert_eq!(natural::compare(&b, &a), order.reverse());
        if order.is_le() && natural::compare(&b, &c).is_le() {
            prop_assert!(natural::compare(&a, &c).is_le());
        }
    }

    #[test]
    fn natural_order_is_that_of_numbers(prefix in "[a-z/:]{0,4}", a in 0_u32..2_000, b in 0_u32..2_000, suffix in "[a-z]{0,2}") {
        let name = |number| format!("{prefix}{number}{suffix}");
        prop_assert_eq!(natural::compare(&name(a), &name(b)), a.cmp(&b));
    }
}
