//! Where clocks of tasks differ that is said first, what compares tasks is withheld, and nothing is left of it once they are aligned.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use prost::Message;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use steplens_core::clocks::{ClockChoice, ClockSetting};
use steplens_core::{CategoryRules, Study, Trace, View};
use steplens_formats::{Limits, Opener};
use steplens_report as report;
use steplens_report::causality::{CriticalPath, PathOverSteps};
use steplens_report::clocks::ClockNote;
use steplens_report::findings;
use steplens_report::network::Network;
use steplens_tests::cluster::Cluster;
use steplens_tests::fixtures::{bytes_of, fixture};
use steplens_tests::proto::RunMetadata;
use steplens_tests::random::Random;
use steplens_tests::scale::scale;
use steplens_tests::skew::{Offsets, move_by, skew, tasks};

const MS: i64 = 1_000_000;

fn open(files: &[Vec<u8>]) -> Arc<Trace> {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for (row, bytes) in files.iter().enumerate() {
        opener.begin_file(&format!("{row}.pb"));
        opener.push(bytes);
        opener.end_file();
    }
    Arc::new(opener.finish().unwrap().trace)
}

fn set(whole: &Arc<Trace>, choice: ClockChoice) -> Study {
    let clocks = Arc::new(View::default().clocks_of(whole));
    Study::of_view(whole, View { clocks: Some(ClockSetting { choice, clocks }), ..View::default() })
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Whether `value` or anything in it is a number of `field` that is not 0.
fn has_figure(value: &Value, field: &str) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| has_figure(item, field)),
        Value::Object(fields) => fields.iter().any(|(name, own)| {
            (name == field && own.as_f64().is_some_and(|figure| figure != 0.0)) || has_figure(own, field)
        }),
        _ => false,
    }
}

fn doctor_codes(whole: &Trace, study: &Study) -> Vec<&'static str> {
    report::doctor::findings(whole, study).iter().map(|finding| finding.code).collect()
}

/// Nothing that compares tasks is said of `study`, and all of it says why.
fn assert_withheld(study: &Study, why: &str) -> ClockNote {
    let note = ClockNote::of(study).unwrap();
    assert_eq!(note.why, why, "{}", note.sentence);
    let found = json(&findings::json(study, &[], None));
    assert_eq!(found["clocks"]["sentence"], note.sentence);
    let rows = found["findings"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["basis"] == "figure" && row["saving_ns"].is_null()), "{rows:?}");
    assert!(rows.iter().any(|row| row["rule"] == "skewed-clocks"));
    let network = json(&Network::of(study).to_text());
    assert_eq!(network["clocks"]["why"], why);
    for field in ["stragglers", "waits", "waits_by_tensor", "tensors", "collectives"] {
        assert_eq!(
            (&network[field]["total"], network[field]["rows"].as_array().unwrap().len()),
            (&0.into(), 0)
        );
    }
    assert_eq!((&network["devices"], &network["peaks"]), (&json("[]"), &Value::Null));
    for field in ["p50_ns", "p99_ns", "busy_ns", "bytes_per_second", "timed"] {
        assert!(
            !has_figure(&network["task_links"], field) && !has_figure(&network["links"], field),
            "{field}"
        );
    }
    assert!(has_figure(&network["task_links"], "count") && has_figure(&network["task_links"], "bytes"));
    let path = json(&CriticalPath::of(study).to_text());
    assert_eq!(path["clocks"]["why"], why);
    assert!(path["sentence"].as_str().unwrap().starts_with(&note.sentence));
    for field in ["segments", "by_category", "by_bound", "by_op_type", "by_scope", "by_device"] {
        assert_eq!(path[field], json("[]"), "{field}");
    }
    assert!(
        !has_figure(&path["static"], "length_ns")
            && path["slack"].as_array().unwrap().iter().all(Value::is_null)
    );
    let totals = json(&report::summary::totals_json(study));
    assert_eq!(totals["clocks"]["sentence"], note.sentence);
    note
}

fn assert_compared(whole: &Trace, study: &Study) {
    assert!(ClockNote::of(study).is_none());
    assert!(!doctor_codes(whole, study).contains(&"clocks-differ"));
    let found = json(&findings::json(study, &[], None));
    assert!(found.get("clocks").is_none());
    assert!(found["findings"].as_array().unwrap().iter().all(|row| row["rule"] != "skewed-clocks"));
    let network = json(&Network::of(study).to_text());
    assert!(network.get("clocks").is_none() && has_figure(&network["task_links"], "p50_ns"));
    let path = CriticalPath::of(study);
    assert!(path.clocks.is_none() && !path.segments.is_empty());
}

fn spread(offsets: &Offsets) -> i64 {
    offsets.values().max().unwrap().max(&0) - offsets.values().min().unwrap().min(&0)
}

/// Every kind of step, one worker ahead or more: how far clocks differ is what they were set apart by, as far as the tensors tell.
#[test]
fn how_far_clocks_differ_comes_first_and_goes_once_they_are_aligned() {
    let step = RunMetadata::decode(&fixture("ps4w").bytes[..]).unwrap();
    let all: Vec<String> = tasks(&step).into_iter().collect();
    for ahead_us in [&[0, 0, 78_000, 0, 0][..], &[0, -40_000, 38_000, 0, 0], &[55_000, 0, 0, 0, -9_000]] {
        let offsets: Offsets = all.iter().cloned().zip(ahead_us.iter().copied()).collect();
        let mut skewed = step.clone();
        skew(&mut skewed, &offsets);
        let whole = open(&[skewed.encode_to_vec()]);
        let study = Study::new(Arc::clone(&whole));
        let note = assert_withheld(&study, "differ");
        assert!((note.differ_by_ns - spread(&offsets) * 1_000).abs() < 12 * MS, "{}", note.sentence);
        assert!(note.can_align && note.sentence.starts_with("Clocks differ by "), "{}", note.sentence);
        assert!(note.sentence.ends_with(": align them"));
        assert_eq!(doctor_codes(&whole, &study).first(), Some(&"clocks-differ"));
        assert_compared(&whole, &set(&whole, ClockChoice::estimated()));
        // Taken back, it is as before.
        assert_withheld(&set(&whole, ClockChoice::default()), "differ");
    }
    let whole = open(&[fixture("ps4w").bytes.clone()]);
    assert_compared(&whole, &Study::new(Arc::clone(&whole)));
}

#[test]
fn clocks_set_wrongly_by_hand_differ_too() {
    let whole = open(&[fixture("ps4w").bytes.clone()]);
    let by_hand = ClockChoice {
        by_hand: vec![("/job:worker/replica:0/task:1".into(), steplens_core::Nanos(60 * MS))],
        ..ClockChoice::default()
    };
    let study = set(&whole, by_hand);
    let note = assert_withheld(&study, "differ");
    assert!((note.differ_by_ns - 60 * MS).abs() < 5 * MS, "{}", note.sentence);
    assert_eq!(doctor_codes(&whole, &study).first(), Some(&"clocks-differ"));
}

#[test]
fn clocks_of_several_steps_and_of_a_file_for_each_task() {
    let mut file = Vec::new();
    scale(&fixture("ps4w-skewed").bytes, 3, &mut file).unwrap();
    let whole = open(&[file]);
    let all = assert_withheld(&Study::new(Arc::clone(&whole)), "differ");
    let one = Study::of_view(&whole, View { step: Some(1), ..View::default() });
    let one = assert_withheld(&one, "differ");
    assert!((one.differ_by_ns - all.differ_by_ns).abs() < MS);
    let over = PathOverSteps::of(&whole, &View::default(), 0..3);
    assert!(over.clocks.is_some() && over.steps.is_empty() && over.ops.is_empty());
    let right = set(&whole, ClockChoice::estimated());
    assert_compared(&whole, &right);
    let over = PathOverSteps::of(&whole, right.view(), 0..3);
    assert!(over.clocks.is_none() && over.steps.len() == 3);

    // A file for each task, as its own process wrote it.
    let step = RunMetadata::decode(&fixture("ps4w-skewed").bytes[..]).unwrap();
    let mut files: BTreeMap<String, RunMetadata> = BTreeMap::new();
    for device in step.step_stats.iter().flat_map(|stats| &stats.dev_stats) {
        let task = steplens_core::model::device::task_of(&device.device).unwrap_or_default().to_owned();
        let own = files.entry(task).or_default();
        own.partition_graphs.clone_from(&step.partition_graphs);
        own.step_stats.get_or_insert_default().dev_stats.push(device.clone());
    }
    let files: Vec<Vec<u8>> = files.values().map(Message::encode_to_vec).collect();
    assert_eq!(files.len(), 5);
    let whole = open(&files);
    let note = assert_withheld(&Study::new(Arc::clone(&whole)), "differ");
    assert_eq!(note.differ_by_ns, all.differ_by_ns);
    assert_compared(&whole, &set(&whole, ClockChoice::estimated()));
}

#[test]
fn clocks_that_drift_are_aligned_too() {
    let mut random = Random::new(6);
    let cluster = Cluster { steps: 60, drift_ppm: 40, ..Cluster::default() };
    let whole = open(&[cluster.record(&mut random).scenario.bytes()]);
    assert_withheld(&Study::new(Arc::clone(&whole)), "differ");
    let right = set(&whole, ClockChoice::estimated());
    assert!(ClockNote::of(&right).is_none());
    assert!(!doctor_codes(&whole, &right).contains(&"clocks-differ"));
}

/// In the second of three steps the clocks of the workers jump: no offsets and no drift put that right, and none are offered.
#[test]
fn clocks_that_jump_are_not_said_to_be_alignable() {
    let recorded = RunMetadata::decode(&fixture("ps4w").bytes[..]).unwrap();
    let workers = tasks(&recorded).into_iter().filter(|task| task.contains("worker"));
    let jumps: Offsets = workers.zip([300_000, -300_000, 200_000, -200_000]).collect();
    assert_eq!(jumps.len(), 4);
    let mut file = Vec::new();
    for step in 0..3 {
        let mut own = recorded.clone();
        if step == 1 {
            skew(&mut own, &jumps);
        }
        own.ops_mut().for_each(|op| move_by(op, step * 2_000_000));
        if step > 0 {
            own.partition_graphs.clear();
        }
        file.extend(own.encode_to_vec());
    }
    let whole = open(&[file]);
    let right = set(&whole, ClockChoice::estimated());
    let note = assert_withheld(&right, "contradict");
    assert!(!note.can_align && note.tensors * 10 >= note.of_tensors, "{}", note.sentence);
    assert!(!note.sentence.contains("align"), "{}", note.sentence);
    assert!(!doctor_codes(&whole, &right).contains(&"clocks-differ"));
    assert!(doctor_codes(&whole, &right).contains(&"contradicting-times"));
}

/// One task and one clock: nothing to say.
#[test]
fn where_nothing_tells_nothing_is_said() {
    for name in ["mnist-adam", "multidev", "ps4w-later"] {
        let study = Study::new(open(&[fixture(name).bytes.clone()]));
        assert!(ClockNote::of(&study).is_none(), "{name}");
    }
    let study = Study::new(open(&[bytes_of("ps2w6.pb.gz")]));
    assert!(ClockNote::of(&study).is_none());
}
