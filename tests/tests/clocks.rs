//! Clocks: the offsets that were put into a step are found again, and nothing points back in time once they are subtracted.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use prost::Message;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use steplens_core::clocks::{Ahead, ClockChoice, ClockSetting, Clocks, NoDrift};
use steplens_core::transfers::Transfer;
use steplens_core::{CategoryRules, Nanos, OpId, Study, Trace, TransferId, View};
use steplens_formats::Opener;
use steplens_report as report;
use steplens_tests::cases::either;
use steplens_tests::cluster::{Cluster, Recorded, STEP_NS};
use steplens_tests::fixtures::{bytes_of, fixture};
use steplens_tests::least::{Slacks, is_kept, least_sum, margin};
use steplens_tests::proto::RunMetadata;
use steplens_tests::random::Random;
use steplens_tests::scale::scale;
use steplens_tests::skew::{Offsets, corrupt, skew, tasks};

const MS: i64 = 1_000_000;

/// A trace with its clocks, and what a view shows with these set right.
struct Aligned {
    whole: Arc<Trace>,
    clocks: Arc<Clocks>,
    right: Study,
}

fn set(whole: &Arc<Trace>, clocks: &Arc<Clocks>, choice: ClockChoice) -> Study {
    let clocks = Some(ClockSetting { choice, clocks: Arc::clone(clocks) });
    Study::of_view(whole, View { clocks, ..View::default() })
}

impl Aligned {
    fn of(file: &[u8]) -> Self {
        let whole = Arc::new(Opener::open_bytes("skewed.pb", file, CategoryRules::default()).unwrap().trace);
        let clocks = Arc::new(View::default().clocks_of(&whole));
        let right = set(&whole, &clocks, ClockChoice::estimated());
        Self { whole, clocks, right }
    }

    /// Every offset of `truth`, in ns, lies within the bounds and near the estimate.
    fn check(&self, truth: &dyn Fn(&str) -> i64, near_ns: i64) {
        let ahead = |task| truth(self.whole.text(task));
        let reference = ahead(self.clocks.reference.unwrap());
        for clock in &self.clocks.tasks {
            let truth = ahead(clock.task) - reference;
            let (low, high, offset) =
                (clock.low.unwrap().0, clock.high.unwrap().0, clock.applied.at_middle.0);
            let task = self.whole.text(clock.task);
            assert!((low..=high).contains(&truth), "{task}: {truth} is not within {low}..={high}");
            assert!((offset - truth).abs() <= near_ns, "{task}: {offset} is far from {truth}");
            assert!((low..=high).contains(&offset));
        }
    }

    fn check_offsets(&self, truth: &Offsets, near_ns: i64) {
        self.check(&|task| truth.get(task).copied().unwrap_or(0) * 1_000, near_ns);
    }

    /// By tasks, the least time from a making to its receipt, as recorded.
    fn slacks(&self) -> Slacks {
        let trace = &self.whole;
        let row = |op: OpId| {
            let task = trace.devices().get(trace.device_of(op)).task;
            self.clocks.tasks.iter().position(|clock| Some(clock.task) == task).unwrap()
        };
        let mut slacks = Slacks::new();
        for transfer in Study::new(Arc::clone(trace)).transfers().rows() {
            let (Ok(made), Some(received)) = (transfer.producer, transfer.op) else { continue };
            let slack = (trace.ops().end(received) - trace.ops().end(made)).0;
            let least = slacks.entry((row(made), row(received))).or_insert(slack);
            *least = slack.min(*least);
        }
        slacks
    }

    fn offsets(&self) -> Vec<i64> {
        self.clocks.tasks.iter().map(|clock| clock.applied.at_middle.0).collect()
    }

    /// No correction is smaller, by trying all there are.
    fn assert_least(&self) {
        let (slacks, offsets) = (self.slacks(), self.offsets());
        assert!(is_kept(&offsets, &slacks, margin(offsets.len(), &slacks)), "{offsets:?}");
        let sum: i64 = offsets.iter().map(|offset| offset.abs()).sum();
        assert_eq!(sum, least_sum(offsets.len(), &slacks), "{offsets:?}");
    }

    /// What points back in time where clocks are set right, as ops of the opened trace: receipt and producer, or sending.
    fn violated(&self) -> Vec<[OpId; 2]> {
        let (trace, transfers) = (self.right.trace(), self.right.transfers());
        let old = |op: OpId| self.right.old_op().map_or(op, |old_op| old_op[op.index()]);
        let is_early = |&(id, transfer): &(TransferId, Transfer)| {
            let Ok(producer) = transfer.producer else { return false };
            let made = trace.ops().end(producer);
            let times = self.right.times(id);
            let received = times.received.unwrap();
            received < made || times.sent.is_some_and(|sent| sent < made || sent > received)
        };
        let early = transfers.all().filter(is_early);
        early.map(|(_, transfer)| [old(transfer.op.unwrap()), old(transfer.producer.unwrap())]).collect()
    }

    /// Nothing points back in time, and the page's count says so.
    fn assert_right(&self) {
        assert_eq!((self.clocks.violated_after(), self.violated()), (0, vec![]));
    }

    /// Whatever points back in time has an end among `corrupted`, which are places among the ops of `metadata`.
    fn assert_right_but_for(&self, metadata: &RunMetadata, corrupted: &BTreeSet<usize>) {
        // By what no two ops of a step share, wherever they are moved to: device, name and label.
        let key = |device: &str, name: &str, label: &str| format!("{device} {name} {label}");
        let keys = metadata.ops().map(|(device, op)| key(device, &op.node_name, &op.timeline_label));
        let keys: Vec<_> = keys.collect();
        let corrupted: BTreeSet<&String> = corrupted.iter().map(|&place| &keys[place]).collect();
        let trace = &self.whole;
        for ends in self.violated() {
            let is_corrupted = |op: OpId| {
                let device = trace.text(trace.devices().get(trace.device_of(op)).name);
                let label = trace.text(trace.nodes().label(trace.ops().node(op)));
                corrupted.contains(&key(device, trace.op_name(op), label))
            };
            assert!(ends.into_iter().any(is_corrupted), "{ends:?}");
        }
    }
}

fn of_cluster(Recorded { scenario, clocks }: &Recorded, middle_ns: i64) -> (Aligned, BTreeMap<String, i64>) {
    let truth = clocks.iter().map(|(task, clock)| (task.clone(), clock.says(middle_ns) - middle_ns));
    (Aligned::of(&scenario.bytes()), truth.collect())
}

fn random_offsets(step: &RunMetadata, random: &mut Random) -> Offsets {
    tasks(step).into_iter().map(|task| (task, random.below(100_001) as i64 - 50_000)).collect()
}

#[test]
fn clocks_that_agree_are_found_to_agree() {
    Aligned::of(&fixture("ps4w").bytes).check_offsets(&Offsets::new(), 0);
    for name in ["ps4w", "ps4w-later"] {
        let aligned = Aligned::of(&fixture(name).bytes);
        assert!(aligned.offsets().iter().all(|&offset| offset == 0));
        assert_eq!(aligned.clocks.violated_before(), 0);
        aligned.assert_right();
        assert!(aligned.right.old_op().is_none(), "nothing moves");
    }
}

/// Of two servers and six workers: to most of these no parameter came within 2 ms, and to one within 24.
#[test]
fn a_recorded_cluster_of_slow_parameters() {
    let file = bytes_of("ps2w6.pb.gz");
    let aligned = Aligned::of(&file);
    assert_eq!((aligned.clocks.violated_before(), aligned.offsets()), (0, vec![0; 8]));
    aligned.check_offsets(&Offsets::new(), 0);
    assert!(aligned.clocks.tasks.iter().any(|clock| clock.high.unwrap().0 > 20 * MS));
    let mut step = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&file[..]), &mut step).unwrap();
    let step = RunMetadata::decode(&step[..]).unwrap();
    let mut random = Random::new(7);
    for count in [1, 2, 3, 8, 8] {
        let mut offsets = random_offsets(&step, &mut random);
        let first = random.below(8);
        let stays = |place: usize| (place + 8 - first) % 8 >= count;
        offsets
            .values_mut()
            .enumerate()
            .filter(|(place, _)| stays(*place))
            .for_each(|(_, offset)| *offset = 0);
        let mut skewed = step.clone();
        skew(&mut skewed, &offsets);
        let aligned = Aligned::of(&skewed.encode_to_vec());
        // It is within the bounds, as the truth is.
        aligned.check_offsets(&offsets, 100 * MS);
        aligned.assert_right();
        let (slacks, corrected) = (aligned.slacks(), aligned.offsets());
        assert!(is_kept(&corrected, &slacks, margin(8, &slacks)), "{corrected:?}");
    }
}

#[test]
fn the_skewed_sample() {
    let aligned = Aligned::of(&fixture("ps4w-skewed").bytes);
    aligned.check_offsets(&serde_json::from_slice(&bytes_of("ps4w-skewed.truth.json")).unwrap(), MS);
    aligned.assert_least();
    assert!(aligned.clocks.violated_before() > 200);
    aligned.assert_right();
    // One step is too short for a drift.
    assert!(aligned.clocks.tasks.iter().skip(1).all(|clock| clock.drift == Err(NoDrift::TooShort)));
}

#[test]
fn set_right_the_skewed_sample_is_nearly_the_one_with_one_clock() {
    let (aligned, one_clock) =
        (Aligned::of(&fixture("ps4w-skewed").bytes), Study::new(Aligned::of(&fixture("ps4w").bytes).whole));
    let rows = |study: &Study| -> BTreeMap<String, (i64, Option<i64>)> {
        let row = |(id, transfer): (TransferId, Transfer)| {
            let times = study.times(id);
            let key =
                [transfer.tensor, transfer.source, transfer.destination].map(|id| study.trace().text(id));
            (key.join(" "), (times.received.unwrap().0, times.wire.map(|wire| wire.0)))
        };
        study.transfers().all().map(row).collect()
    };
    let (right, wanted) = (rows(&aligned.right), rows(&one_clock));
    let mut known = 0;
    for (key, (received, wire)) in &right {
        let (true_received, true_wire) = wanted[key];
        assert!((received - true_received).abs() < 2 * MS, "{key}");
        // A recorded sending is late by what the offsets are off, at most: or it was the request.
        if let (Some(wire), Some(true_wire)) = (wire, true_wire) {
            known += 1;
            assert!(*wire <= true_wire + 2 * MS, "{key}: {wire} of {true_wire}");
        }
    }
    assert!(known > 300, "{known}");
    assert_eq!(right.len(), wanted.len());
}

#[test]
fn random_skews() {
    let step = RunMetadata::decode(&fixture("ps4w").bytes[..]).unwrap();
    let mut random = Random::new(1);
    for round in 0..either(25, 100) {
        let offsets = random_offsets(&step, &mut random);
        let mut skewed = step.clone();
        skew(&mut skewed, &offsets);
        let aligned = Aligned::of(&skewed.encode_to_vec());
        // Worker 1 got nothing within 3.4 ms: a clock that is behind by more is behind by that much more than tensors demand.
        aligned.check_offsets(&offsets, 4 * MS);
        aligned.assert_right();
        // To try all corrections takes a while.
        if round < either(5, 20) {
            aligned.assert_least();
        }
    }
}

#[test]
fn one_clock_that_is_wrong_is_the_one_that_is_moved() {
    let step = RunMetadata::decode(&fixture("ps4w").bytes[..]).unwrap();
    let sound = Aligned::of(&fixture("ps4w").bytes);
    let slacks = sound.slacks();
    let margin = margin(sound.clocks.tasks.len(), &slacks);
    for (row, clock) in sound.clocks.tasks.iter().enumerate() {
        for ahead_us in [-50_000, -5_000, 5_000, 50_000] {
            let task = sound.whole.text(clock.task).to_owned();
            let mut skewed = step.clone();
            skew(&mut skewed, &Offsets::from([(task, ahead_us)]));
            let aligned = Aligned::of(&skewed.encode_to_vec());
            aligned.assert_right();
            aligned.assert_least();
            // What it sent tells a clock that is ahead, and what it received one that is behind: the fastest tensor is what is missing.
            let is_told = |&(&(from, to), _): &(&(usize, usize), &i64)| {
                if ahead_us > 0 { from == row } else { to == row }
            };
            let fastest = slacks.iter().filter(is_told).map(|(_, &slack)| slack).min().unwrap();
            let missing = fastest - margin;
            let wanted = ahead_us * 1_000 - ahead_us.signum() * missing;
            // A server has tensors of several tasks, and some of these may have to move by less than a ms.
            let offsets = aligned.offsets();
            assert!((offsets[row] - wanted).abs() <= margin, "{offsets:?}, not {wanted}");
            assert!(
                offsets.iter().enumerate().all(|(other, offset)| other == row || offset.abs() < MS),
                "{offsets:?}"
            );
        }
    }
}

#[test]
fn broken_timestamps_spoil_only_their_own_arrows() {
    let step = RunMetadata::decode(&fixture("ps4w").bytes[..]).unwrap();
    let mut random = Random::new(2);
    for _ in 0..20 {
        let mut broken = step.clone();
        skew(&mut broken, &random_offsets(&step, &mut random));
        let corrupted = corrupt(&mut broken, &mut random);
        let aligned = Aligned::of(&broken.encode_to_vec());
        aligned.assert_right_but_for(&broken, &corrupted);
        // They are reported, and are no violations.
        assert!(aligned.clocks.contradicting().len() > 0);
        assert_eq!(aligned.clocks.violated_after(), 0);
    }
}

#[test]
fn clusters_of_any_size() {
    let mut random = Random::new(3);
    for (servers, workers, parameters) in
        [(1, 1, 8), (1, 8, 12), (3, 2, 10), (4, 12, 6), (2, 40, 8), (8, 16, 3), (16, 3, 4)]
    {
        for _ in 0..4 {
            let cluster = Cluster { servers, workers, parameters, ..Cluster::default() };
            let (aligned, truth) = of_cluster(&cluster.record(&mut random), 0);
            aligned.check(&|task| truth[task], 2 * MS);
            aligned.assert_right();
        }
    }
}

#[test]
fn clusters_with_broken_timestamps() {
    let mut random = Random::new(4);
    // With few tensors between two tasks these do not tell which of them is broken: the other tasks do.
    for (servers, workers, parameters) in [(1, 8, 40), (4, 12, 8), (8, 16, 2), (6, 6, 3), (3, 30, 5)] {
        for _ in 0..4 {
            let cluster = Cluster { servers, workers, parameters, ..Cluster::default() };
            let mut recorded = cluster.record(&mut random);
            let corrupted = corrupt(&mut recorded.scenario.0, &mut random);
            let (aligned, _) = of_cluster(&recorded, 0);
            aligned.assert_right_but_for(&recorded.scenario.0, &corrupted);
        }
    }
}

#[test]
fn what_the_tensors_cannot_tell_is_said() {
    let mut random = Random::new(5);
    let one_way = Cluster { sends_back: false, ..Cluster::default() };
    let mut recorded = one_way.record(&mut random);
    // A task of another cluster: nothing goes there.
    let alone = Cluster { servers: 0, workers: 1, ..Cluster::default() }.record(&mut random);
    assert!(alone.scenario.0.step_stats.is_none());
    let op = steplens_tests::writer::op("alone", 0, 10);
    recorded.scenario = recorded.scenario.device("/job:other/replica:0/task:0/device:CPU:0", [op]);
    let (aligned, truth) = of_cluster(&recorded, 0);
    aligned.assert_right();
    let reference = aligned.clocks.reference.unwrap();
    for clock in aligned.clocks.tasks.iter().filter(|clock| clock.task != reference) {
        let task = aligned.whole.text(clock.task);
        let why = report::clocks::unknown_because(clock);
        assert_eq!(clock.low.and(clock.high), None);
        let is_alone = task.contains("other");
        assert_eq!(why, Some(if is_alone { "unconnected" } else { "one-way" }), "{task}");
        let ahead = truth.get(task).map(|ahead| ahead - truth[aligned.whole.text(reference)]);
        let within = |ahead: i64| {
            clock.low.is_none_or(|low| low.0 <= ahead) && clock.high.is_none_or(|high| ahead <= high.0)
        };
        assert!(ahead.is_none_or(within));
        assert_eq!(clock.drift, Err(NoDrift::NotConnected));
        assert!(!is_alone || clock.applied == Ahead::default());
    }
    let aligned = Aligned::of(&fixture("mnist-adam").bytes);
    assert!(report::clocks::sentence(&aligned.clocks).contains("one clock"));
    assert!(aligned.right.old_op().is_none(), "nothing moves");
}

#[test]
fn drift_is_found_where_there_is_some_and_only_there() {
    let mut random = Random::new(6);
    const STEPS: i64 = 60;
    for drift_ppm in [0, 0, 40, 40] {
        let cluster = Cluster { steps: STEPS as usize, drift_ppm, ..Cluster::default() };
        let recorded = cluster.record(&mut random);
        let (aligned, truth) = of_cluster(&recorded, STEPS * STEP_NS / 2);
        aligned.assert_right();
        aligned.check(&|task| truth[task], MS / 2);
        let reference = recorded.clocks[aligned.whole.text(aligned.clocks.reference.unwrap())];
        for clock in &aligned.clocks.tasks {
            let drift = clock.drift.unwrap();
            let truth =
                (recorded.clocks[aligned.whole.text(clock.task)].drift_ppm - reference.drift_ppm) * 1_000;
            assert!((drift.low_ppb..=drift.high_ppb).contains(&truth), "{truth}: {drift:?}");
            assert!((2 * drift.best_ppb - drift.low_ppb - drift.high_ppb).abs() <= 1, "{drift:?}");
            assert_eq!(drift.is_applied, !(drift.low_ppb..=drift.high_ppb).contains(&0));
            assert!((drift.best_ppb - truth).abs() < 12_000, "{truth}: {drift:?}");
        }
    }
    // A recorded step many times over: its clocks agree.
    let mut file = Vec::new();
    scale(&fixture("ps4w").bytes, 60, &mut file).unwrap();
    let aligned = Aligned::of(&file);
    aligned.check_offsets(&Offsets::new(), 0);
    assert!(aligned.clocks.tasks.iter().filter(|clock| clock.drift.is_ok()).count() >= 4);
    for clock in &aligned.clocks.tasks {
        // Worker 1 got no tensor within 3 ms, which 20 s are too short for.
        let Ok(drift) = clock.drift else { continue };
        assert!(drift.low_ppb <= 0 && drift.high_ppb >= 0 && !drift.is_applied, "{drift:?}");
    }
}

#[test]
fn every_step_is_moved_by_the_same() {
    let mut file = Vec::new();
    scale(&fixture("ps4w-skewed").bytes, 3, &mut file).unwrap();
    let aligned = Aligned::of(&file);
    aligned.assert_right();
    let clocks = Some(ClockSetting { choice: ClockChoice::estimated(), clocks: Arc::clone(&aligned.clocks) });
    let view = View { clocks, ..View::default() };
    let (_, steps) = view.steps(&aligned.whole);
    assert_eq!(steps.rows().len(), 3);
    for (row, step) in steps.rows().iter().enumerate() {
        let seen = view_of_step(&view, row).of(&aligned.whole);
        assert_eq!(seen.trace.span().length(), step.span.length());
        let unix = |trace: &Trace, op: OpId| trace.unix_ns(trace.ops().end(op));
        let all: BTreeMap<OpId, i64> =
            (aligned.right.old_op().unwrap().iter().zip(aligned.right.trace().ops().ids()))
                .map(|(&old, op)| (old, unix(aligned.right.trace(), op)))
                .collect();
        for (op, old) in seen.trace.ops().ids().zip(seen.old_op.unwrap()) {
            assert_eq!(unix(&seen.trace, op), all[&old]);
        }
    }
}

fn view_of_step(view: &View, row: usize) -> View {
    View { step: Some(row), ..view.clone() }
}

#[test]
fn clocks_are_set_by_hand() {
    let aligned = Aligned::of(&fixture("ps4w-skewed").bytes);
    let (whole, clocks) = (&aligned.whole, &aligned.clocks);
    let truth: Offsets = serde_json::from_slice(&bytes_of("ps4w-skewed.truth.json")).unwrap();
    let words: Vec<String> = truth.iter().map(|(task, us)| format!("{task}={}", us * 1_000)).collect();
    let choice = ClockChoice::of_words(words.iter().map(String::as_str)).unwrap();
    assert_eq!(choice.words(), words);
    let setting = ClockSetting { choice: choice.clone(), clocks: Arc::clone(clocks) };
    let told_pairs: serde_json::Value =
        serde_json::from_str(&report::clocks::violations(whole, &setting)).unwrap();
    let sum = |field: &str| {
        told_pairs.as_array().unwrap().iter().map(|pair| pair[field].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(
        (sum("transfers"), sum("violations_before"), sum("violations_after")),
        (991, clocks.violated_before(), 0)
    );
    // As it was before the clocks were put wrong, to the nanosecond but for what only TensorFlow knew.
    let (right, wanted) = (set(whole, clocks, choice), Study::new(Aligned::of(&fixture("ps4w").bytes).whole));
    let ends = |study: &Study| -> Vec<(String, i64)> {
        let ops = study.trace().ops().ids();
        let mut ends: Vec<_> = ops
            .map(|op| (study.title(op).to_owned(), study.trace().unix_ns(study.trace().ops().end(op))))
            .collect();
        ends.sort();
        ends
    };
    assert_eq!(ends(&right), ends(&wanted));
    // What is not named stays as it is, or as it is estimated.
    let task = "/job:worker/replica:0/task:2";
    let row = clocks.tasks.iter().position(|clock| whole.text(clock.task) == task).unwrap();
    for (words, rest) in [(vec![], false), (vec!["estimated"], true)] {
        // Of two offsets of one task the later one counts.
        let own = [format!("{task}=3"), format!("{task}=-7")];
        let words = words.into_iter().chain(own.iter().map(String::as_str));
        let setting =
            ClockSetting { choice: ClockChoice::of_words(words).unwrap(), clocks: Arc::clone(clocks) };
        for (other, clock) in clocks.tasks.iter().enumerate() {
            let wanted = match other == row {
                true => Ahead { at_middle: Nanos(-7), drift_ppb: 0 },
                false if rest => clock.applied,
                false => Ahead::default(),
            };
            assert_eq!(setting.ahead(whole, other), wanted);
        }
    }
    assert_eq!(ClockChoice::of_words(["/job:a/task:0=x"]), None);
    assert_eq!(ClockChoice::of_words(["later"]), None);
}
