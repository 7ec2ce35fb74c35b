//! Copies by where they go, next to a reading of the same files by name.

use steplens_core::Study;
use steplens_core::findings::{CopiedBy, Direction, Facts, Findings, Rule};
use steplens_core::replay::Replay;
use steplens_tests::opened::{open, study};
use steplens_tests::samples::sample;

fn of(file: &str) -> Option<Study> {
    let bytes = sample(file)?;
    Some(study(open(&[(file, bytes.as_slice())])))
}

fn copies(study: &Study) -> Option<Facts> {
    let found = Findings::found(study, &Replay::of(study), None);
    found.rows.into_iter().find(|own| own.rule == Rule::Copies).map(|own| own.facts)
}

/// (direction, how many, their time in ms).
fn rows(facts: &Facts) -> Vec<(Direction, u64, i64)> {
    facts.copies.iter().map(|own| (own.direction, own.count, own.time.0 / 1_000_000)).collect()
}

#[test]
fn each_direction_has_its_own_figures_and_setting_memory_is_no_copy() {
    if let Some(study) = of("real/pytorch/diff-test.json.gz") {
        let facts = copies(&study).expect("a finding");
        let wanted = [
            (Direction::OnDevice, 4_645, 92),
            (Direction::ToDevice, 151, 66),
            (Direction::FromDevice, 60, 0),
        ];
        assert_eq!((rows(&facts), facts.copied_by), (wanted.to_vec(), None));
    }
    // A GPU of which only memory was set, and one without any copy, lack nothing and have no finding.
    for file in ["real/pytorch/run-ahead-gpu-bound.json.gz", "real/pytorch/t4-resnet50.json.gz"] {
        let Some(study) = of(file) else { continue };
        let found = Findings::found(&study, &Replay::of(&study), None);
        assert!(!found.rows.iter().any(|own| own.rule == Rule::Copies), "{file}");
        assert!(!found.not_judged.iter().any(|&(rule, _)| rule == Rule::Copies), "{file}");
    }
}

#[test]
fn who_asked_for_copies_is_said() {
    if let Some(study) = of("real/xspace/tpu-inference.xplane.pb") {
        assert_eq!(copies(&study).expect("a finding").copied_by, Some(CopiedBy::HostMemory));
    }
    if let Some(study) = of("real/timeline-py/memory-swapping.json.gz") {
        let facts = copies(&study).expect("a finding");
        assert_eq!(facts.copied_by, Some(CopiedBy::MemoryOptimizer));
        // The rows of /memcpy, 278.6 ms, and the ops that ask for them.
        assert_eq!(facts.time.0 / 100_000, 7_727);
    }
}
