//! Clocks: the offsets that were put into a recorded step are found again.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use prost::Message;
use std::collections::BTreeSet;
use steplens_core::analysis::clocks::Clocks;
use steplens_core::analysis::dataflow::DataFlow;
use steplens_core::analysis::transfers::Transfers;
use steplens_core::{CategoryRules, OpId, Trace};
use steplens_formats::Opener;
use steplens_tests::fixtures::{bytes_of, fixture};
use steplens_tests::proto::RunMetadata;
use steplens_tests::random::Random;
use steplens_tests::skew::{Offsets, corrupt, skew, tasks};

const MS: i64 = 1_000_000;

/// A trace with its clocks.
struct Told {
    trace: Trace,
    transfers: Transfers,
    clocks: Clocks,
}

impl Told {
    fn of(file: &[u8]) -> Self {
        let trace = Opener::open_bytes("skewed.pb", file, CategoryRules::default()).unwrap().trace;
        let flow = DataFlow::of(&trace);
        let transfers = Transfers::of(&trace, &flow);
        let clocks = Clocks::of(&trace, &transfers);
        Self { trace, transfers, clocks }
    }

    /// Every offset of `truth`, in microseconds, lies within the bounds and near the estimate.
    fn check(&self, truth: &Offsets) {
        let ahead = |task| truth.get(self.trace.text(task)).copied().unwrap_or(0) * 1_000;
        let reference = ahead(self.clocks.reference.unwrap());
        for clock in &self.clocks.tasks {
            let truth = ahead(clock.task) - reference;
            let (low, high, offset) = (clock.low.unwrap().0, clock.high.unwrap().0, clock.offset.unwrap().0);
            let task = self.trace.text(clock.task);
            assert!((low..=high).contains(&truth), "{task}: {truth} is not within {low}..={high}");
            assert!((offset - truth).abs() <= 2 * MS, "{task}: {offset} is far from {truth}");
            assert!((low..=high).contains(&offset));
        }
    }

    /// The transfers that are received before they were made, with the offsets subtracted; each with its producer.
    fn violated(&self) -> Vec<[OpId; 2]> {
        let at = |op: OpId| {
            self.trace.ops().end(op) - self.clocks.offset_of(&self.trace, self.trace.device_of(op))
        };
        let rows = self.transfers.rows().iter();
        rows.filter_map(|transfer| Some([transfer.op, transfer.producer.ok()?]))
            .filter(|&[received, made]| at(received) < at(made))
            .collect()
    }
}

#[test]
fn clocks_that_agree_are_found_to_agree() {
    let told = Told::of(&fixture("ps4w").bytes);
    told.check(&Offsets::new());
    assert_eq!((told.clocks.violations_before, told.clocks.violations_after), (0, 0));
}

#[test]
fn the_skewed_sample() {
    let told = Told::of(&fixture("ps4w-skewed").bytes);
    told.check(&serde_json::from_slice(&bytes_of("ps4w-skewed.truth.json")).unwrap());
    assert!(told.clocks.violations_before > 200);
    assert_eq!((told.clocks.violations_after, told.violated()), (0, vec![]));
}

#[test]
fn a_hundred_random_skews() {
    let step = RunMetadata::decode(&fixture("ps4w").bytes[..]).unwrap();
    let mut random = Random::new(1);
    for _ in 0..100 {
        let offsets: Offsets =
            tasks(&step).into_iter().map(|task| (task, random.below(100_001) as i64 - 50_000)).collect();
        let mut skewed = step.clone();
        skew(&mut skewed, &offsets);
        let told = Told::of(&skewed.encode_to_vec());
        told.check(&offsets);
        assert_eq!((told.clocks.violations_after, told.violated()), (0, vec![]), "{offsets:?}");
    }
}

#[test]
fn broken_timestamps_spoil_only_their_own_arrows() {
    let step = RunMetadata::decode(&fixture("ps4w").bytes[..]).unwrap();
    let mut random = Random::new(2);
    for _ in 0..20 {
        let offsets: Offsets =
            tasks(&step).into_iter().map(|task| (task, random.below(100_001) as i64 - 50_000)).collect();
        let mut broken = step.clone();
        skew(&mut broken, &offsets);
        let corrupted = corrupt(&mut broken, &mut random);
        // By what no two ops of this step share, wherever they are moved to: device, name and label.
        let key = |device: &str, name: &str, label: &str| format!("{device} {name} {label}");
        let keys: Vec<_> =
            broken.ops().map(|(device, op)| key(device, &op.node_name, &op.timeline_label)).collect();
        let corrupted: BTreeSet<&String> = corrupted.iter().map(|&place| &keys[place]).collect();
        let told = Told::of(&broken.encode_to_vec());
        let trace = &told.trace;
        for ends in told.violated() {
            let is_corrupted = |op: OpId| {
                let device = trace.text(trace.devices().get(trace.device_of(op)).name);
                let label = trace.text(trace.nodes().label(trace.ops().node(op)));
                corrupted.contains(&key(device, trace.op_name(op), label))
            };
            assert!(ends.into_iter().any(is_corrupted), "{ends:?} of {offsets:?}");
        }
    }
}
