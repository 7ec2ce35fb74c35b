//! Programs that were recorded again with one thing changed (`tests/pairs`): what the replay of one predicts, next to what the other took.
//!
//! `tests/interop/pairs/record.py` recorded them; `truth.json` has the median length of each program's steps, which vary by some percent,
//! and how long the op took that differs.

use super::laws::opened;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use steplens_core::Study;
use steplens_core::replay::Replay;
use steplens_core::replay::change::Change;
use steplens_tests::places::root;

/// Of each kind the name of its recordings, the op that differs, and the errors that were measured, in thousandths of what the other took:
/// the median and the worst. `docs/what-if.md` has them.
const KINDS: [(&str, &str, &str, i64, i64); 5] = [
    ("executor", ".pb.gz", "heavy$", 30, 235),
    ("loop", ".pb.gz", "heavy$", 8, 49),
    ("pipeline", ".pb.gz", "heavy$", 57, 59),
    ("cluster", ".pb.gz", "heavy$", 43, 49),
    ("torch", ".json.gz", "^(aten::)?addmm$", 73, 132),
];

struct Program {
    study: Study,
    /// The median length of its steps, and that of the op that differs; in microseconds.
    length: f64,
    heavy: f64,
    /// How long that op took in the recorded step.
    recorded_heavy: f64,
}

fn folder() -> PathBuf {
    root().join("tests/pairs")
}

fn programs(kind: &str, suffix: &str) -> BTreeMap<String, Program> {
    let truth = fs::read_to_string(folder().join(kind).join("truth.json")).unwrap();
    let truth: BTreeMap<String, Value> = serde_json::from_str(&truth).unwrap();
    let read = |(name, own): (String, Value)| {
        let file = format!("{name}{suffix}");
        let bytes = fs::read(folder().join(kind).join(&file)).unwrap();
        let figure = |key: &str| own[key].as_f64().unwrap();
        let program = Program {
            study: opened(&file, &bytes).unwrap(),
            length: figure("span_us"),
            heavy: figure("heavy_us"),
            recorded_heavy: figure("kept_heavy_us"),
        };
        (name, program)
    };
    truth.into_iter().map(read).collect()
}

/// What makes `from` the program `to`, if that is one thing: names are SHAPE-LENGTH, and shapes of executors end with their threads.
fn change(op: &str, from: (&str, &Program), to: (&str, &Program)) -> Option<String> {
    let ((from_shape, from_length), (to_shape, to_length)) =
        (from.0.rsplit_once('-')?, to.0.rsplit_once('-')?);
    if from_shape == to_shape && from_length != to_length {
        return Some(format!("op={op}={}", to.1.heavy / from.1.recorded_heavy));
    }
    let (from_kind, to_kind) = (&from_shape[..from_shape.len() - 1], &to_shape[..to_shape.len() - 1]);
    let differs_by_threads = from_shape != to_shape && from_length == to_length && from_kind == to_kind;
    differs_by_threads.then(|| format!("threads={}", &to_shape[to_shape.len() - 1..]))
}

#[test]
fn programs_that_were_recorded_again_are_predicted_as_well_as_the_documents_say() {
    let mut found = Vec::new();
    for (kind, suffix, op, ..) in KINDS {
        let programs = programs(kind, suffix);
        let mut errors = Vec::new();
        for (name, from) in &programs {
            let replay = Replay::of(&from.study);
            for (other, to) in &programs {
                let Some(change) = change(op, (name, from), (other, to)) else { continue };
                let scenario = replay.scenario(&from.study, &[Change::parse(&change).unwrap()]).unwrap();
                let got = replay.run(&scenario).length().0 as f64 / 1e3;
                errors.push(((got - to.length).abs() * 1_000.0 / to.length) as i64);
            }
        }
        errors.sort_unstable();
        found.push((kind, suffix, op, errors[errors.len() / 2], errors[errors.len() - 1]));
    }
    assert_eq!(found, KINDS, "in thousandths");
}

/// A step in which some op is faster takes no longer, whatever order its threads then take: the recorded order is one that they can take.
#[test]
fn a_faster_op_makes_no_step_longer() {
    let mut worst = Vec::new();
    for (name, program) in programs("executor", ".pb.gz") {
        let replay = Replay::of(&program.study);
        let before = replay.unchanged().length().0;
        for op in ["Const", "Identity", "VariableV2", "RandomUniform", "MatMul", "Tanh", "AddV2", "Sub"] {
            for factor in [0.9, 0.5, 0.0] {
                let change = Change::parse(&format!("op=type:^{op}$={factor}")).unwrap();
                let Ok(scenario) = replay.scenario(&program.study, &[change]) else { continue };
                let longer = replay.run(&scenario).length().0 - before;
                worst.push((longer * 1_000 / before, format!("{name}: {op}={factor}")));
            }
        }
    }
    let worst = worst.iter().max().unwrap();
    assert!(worst.0 <= 0, "{worst:?} thousandths longer");
}

/// Recordings of one program have ops that become ready together in different orders; the step is then another one, and the range says so.
#[test]
fn a_range_holds_the_other_orders_of_ops_that_are_ready_together() {
    let programs = programs("executor", ".pb.gz");
    let (from, to) = (&programs["fork2-16384"], &programs["fork2-32768"]);
    let replay = Replay::of(&from.study);
    let change = change("heavy$", ("fork2-16384", from), ("fork2-32768", to)).unwrap();
    let scenario = replay.scenario(&from.study, &[Change::parse(&change).unwrap()]).unwrap();
    let after = replay.run(&scenario);
    let (low, high) = replay.range(&scenario, &after, replay.frozen(&from.study), None);
    let [low, high] = [low, high].map(|own| own.0 as f64 / 1e3);
    assert!(low <= to.length * 1.02 && to.length <= high, "{low} to {high}, and it took {}", to.length);
}
