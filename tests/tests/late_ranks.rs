//! Who comes late, and why, next to a reading of the same files.

use steplens_core::Category;
use steplens_core::findings::{Basis, Finding, Findings, Needs, Rule, Subject, Verdict};
use steplens_core::makers::Makers;
use steplens_core::network::stragglers::{CauseKind, stragglers};
use steplens_core::replay::Replay;
use steplens_core::study::step_of_op::StepOfOp;
use steplens_tests::opened::{open, study};
use steplens_tests::samples::sample;

fn found(names: &[String]) -> Option<Findings> {
    let files: Option<Vec<(&str, Vec<u8>)>> =
        names.iter().map(|name| Some((name.as_str(), sample(name)?))).collect();
    let files = files?;
    let study = study(open(&files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>()));
    Some(Findings::found(&study, &Replay::of(&study), None))
}

fn of(found: &Findings, rule: Rule) -> Option<&Finding> {
    found.rows.iter().find(|own| own.rule == rule)
}

#[test]
fn every_rank_with_a_fifth_of_the_waiting_is_named() {
    let ranks: Vec<String> = (0..8).map(|rank| format!("real/megatron-tp8/rank-{rank}.json.gz")).collect();
    let Some(found) = found(&ranks) else { return };
    let own = of(&found, Rule::CollectiveWait).expect("a finding");
    let late: Vec<(u64, i64)> =
        own.facts.late.iter().map(|own| (own.count, (own.waiting.0 + 500_000) / 1_000_000)).collect();
    assert_eq!((late, own.facts.ranks), (vec![(32, 1_533), (28, 1_219)], 8));
}

#[test]
fn ranks_whose_ops_do_not_run_at_one_time_wait_for_nobody_known() {
    let ranks: Vec<String> = (0..2).map(|rank| format!("real/pytorch-ranks/rank-{rank}.json.gz")).collect();
    let Some(found) = found(&ranks) else { return };
    assert!(of(&found, Rule::CollectiveWait).is_none());
    assert!(found.not_judged.contains(&(Rule::CollectiveWait, Needs::Participants)));
}

#[test]
fn a_task_that_began_late_and_tasks_that_compete_are_told_apart() {
    if let Some(found) = found(&["releases/cluster-1.14.0.pb".to_owned()]) {
        let own = of(&found, Rule::Straggler).expect("a finding");
        assert_eq!(
            (own.facts.cause, (own.facts.since.0 + 5_000) / 10_000),
            (Some(CauseKind::StartedLate), 769)
        );
    }
    for file in ["own/ps4w.pb", "own/ps4w-later.pb"] {
        let Some(found) = found(&[file.to_owned()]) else { continue };
        let own = &found.rows[0];
        assert_eq!((own.rule, own.basis, own.saving), (Rule::Straggler, Basis::Path, None), "{file}");
        assert!(own.facts.threads.is_some_and(|own| own.tasks == 5 && own.most == 2), "{file}");
    }
    if let Some(found) = found(&["releases/cluster-2.2.3.pb".to_owned()]) {
        assert!(of(&found, Rule::Straggler).is_none());
    }
}

#[test]
fn no_host_that_waits_for_its_gpu_is_a_cause_and_no_kernel_is_later_than_it_started() {
    for (folder, count) in [("dlrm-8", 8), ("megatron-tp8", 8), ("pytorch-ranks", 2)] {
        let ranks: Vec<String> =
            (0..count).map(|rank| format!("real/{folder}/rank-{rank}.json.gz")).collect();
        let files: Option<Vec<(&str, Vec<u8>)>> =
            ranks.iter().map(|name| Some((name.as_str(), sample(name)?))).collect();
        let Some(files) = files else { continue };
        let study =
            study(open(&files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>()));
        // A batch that a GPU waits for in 0.4 % of the step is no word of the verdict.
        let verdict = Verdict::of(&Subject::of(&study)).expect("a verdict");
        assert!(verdict.waits.is_none_or(|(_, time)| time.0 * 20 >= verdict.length.0), "{folder}");
        let steps = StepOfOp::indexed(&study);
        let found = stragglers(&study, &steps, &Makers::found(study.edges()));
        assert!(!found.is_empty(), "{folder}");
        let trace = study.trace();
        for straggler in found {
            for ended in &straggler.ended {
                let category = trace.category(ended.op);
                assert!(!matches!(category, Category::Waiting | Category::Range), "{folder}: {category:?}");
            }
            let Some(cause) = straggler.cause.filter(|cause| cause.kind == CauseKind::StartedLate) else {
                continue;
            };
            if trace.devices().get(trace.device_of(cause.op)).is_accelerator && cause.input.is_none() {
                let began = steps.span(straggler.step).start;
                assert_eq!(cause.own, trace.ops().start(cause.op) - began, "{folder}");
            }
        }
    }
}
