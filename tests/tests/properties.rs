//! Laws of the analyses, on random small traces, against definitions that are slow and plain.

use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use steplens_core::base::natural;
use steplens_core::dataflow::Certainty;
use steplens_core::makers::Source;
use steplens_core::{Category, OpId, Study};
use steplens_tests::cases::cases;
use steplens_tests::steps::{count_nanoseconds, step, window};

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn splits_add_up_and_are_what_each_nanosecond_says(step in step(), window in window()) {
        let study = step.study();
        for device in study.trace().devices().ids().map(Some).chain([None]) {
            let split = study.split(device, window);
            let parts = [split.compute, split.exposed_copy, split.exposed_communication, split.idle];
            prop_assert_eq!(parts.iter().map(|part| part.0).sum::<i64>(), window.length().0);
            let is_own = |op: &OpId| device.is_none_or(|device| study.trace().device_of(*op) == device);
            let own: Vec<OpId> = study.trace().ops().ids().filter(is_own).collect();
            prop_assert_eq!(split, count_nanoseconds(&study, &own, window));
        }
    }

    #[test]
    fn shares_of_slices_add_up_to_the_split(step in step(), window in window(), bins in 1_usize..70) {
        let study = step.study();
        for coverage in study.coverage().iter().chain([study.together()]) {
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
    fn runs_pair_in_order_and_by_time_where_that_decides(step in step()) {
        let study = step.study();
        let trace = study.trace();
        let mut wanted: BTreeMap<OpId, Vec<OpId>> = BTreeMap::new();
        for op in trace.ops().ids() {
            for edge in study.edges().inputs(op, usize::MAX) {
                let (source, certainty) = taken(&study, op, edge.input.name);
                prop_assert_eq!((edge.source, edge.certainty), (source, certainty));
                if let Source::Op(producer) = source {
                    wanted.entry(producer).or_default().push(op);
                }
            }
        }
        for op in trace.ops().ids() {
            let mut wanted = wanted.remove(&op).unwrap_or_default();
            wanted.dedup();
            prop_assert_eq!(study.edges().consumers(op), wanted);
        }
    }
}

/// The run of `name` that `op` took, one of those on its device, as the labels tell.
fn taken(study: &Study, op: OpId, name: &str) -> (Source, Certainty) {
    let trace = study.trace();
    let runs = |name: &str| -> Vec<OpId> {
        trace.ops_of(trace.device_of(op)).filter(|&run| trace.op_name(run) == name).collect()
    };
    let (users, makers) = (runs(trace.op_name(op)), runs(name));
    let run = users.iter().take_while(|&&user| user != op).count() as i64;
    let (used, made) = (users.len() as i64, makers.len() as i64);
    if made == 0 {
        return (Source::NotRecorded, Certainty::Inferred);
    }
    // In order, counted from the first run of both, or from the last.
    let ends = [run, run + made - used].map(|place| place.clamp(0, made - 1));
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let start = trace.ops().start(op);
    let ended = (0..made).rev().find(|&place| trace.ops().end(makers[place as usize]) <= start);
    let high = if low == high { high } else { ended.map_or(low, |ended| ended.clamp(low, high)) };
    let maker = makers[high as usize];
    let is_backwards = made > 1 && trace.ops().start(maker) > start;
    let certainty = match if is_backwards { made } else { high - low + 1 } {
        1 => Certainty::Inferred,
        candidates => Certainty::Ambiguous(candidates as u32),
    };
    // No op feeds itself, whatever names say.
    if maker == op { (Source::NotTaken, Certainty::Inferred) } else { (Source::Op(maker), certainty) }
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
