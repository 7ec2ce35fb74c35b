//! The first bar names what was changed: on one thread and on several, one change and two, and what only waits is no cause.

use super::executor::Job;
use super::laws::{hold, mirrored};
use super::{Opened, compared};
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::compare::Comparison;
use steplens_core::compare::joined::Which;
use steplens_core::compare::waterfall::{Bar, Cause};
use steplens_core::{CategoryRules, Nanos, Study, Trace};
use steplens_formats::Opener;
use steplens_report::compare::{Compare, Shown};
use steplens_tests::places::root;
use steplens_tests::samples::{case, sample};

/// The names of the ops of a bar, as B has them, or A.
fn names(own: &Comparison<'_>, bar: usize) -> Vec<String> {
    let title = |&(a, b, _): &(_, _, _)| match (a, b) {
        (_, Some(op)) => own.sides[1].study.title(op).to_owned(),
        (Some(op), None) => own.sides[0].study.title(op).to_owned(),
        (None, None) => String::new(),
    };
    own.waterfall.bars[bar].ops.iter().map(title).collect()
}

fn sentence(own: &Comparison<'_>, bar: usize) -> String {
    Compare::new(own).waterfall[bar].sentence.clone()
}

/// Holds the laws both ways, and that the first bar is about `op` and explains at least nine tenths of the difference.
fn first_is(a: &Opened, b: &Opened, op: &str, growth_us: i64) {
    let (own, back) = (compared(a, b), compared(b, a));
    hold(&own);
    hold(&back);
    mirrored(&own, &back);
    let bar = &own.waterfall.bars[0];
    assert_eq!(names(&own, 0), [op], "{:?}", own.waterfall);
    assert_eq!(bar.lengths[1] - bar.lengths[0], Nanos(growth_us * 1_000));
    assert!(bar.difference.0.abs() * 10 >= own.difference().0.abs() * 9, "{bar:?} of {:?}", own.difference());
    assert!(sentence(&own, 0).starts_with(op), "{}", sentence(&own, 0));
}

#[test]
fn one_op_of_a_fork_on_one_thread_and_on_two() {
    for threads in [1, 2, 4] {
        let job = Job::fork(threads, 4, 4);
        let us = job.ops[job.at("m/b2_1")].3;
        let slow = job.with("m/b2_1", us + 34_500);
        first_is(&job.run(), &slow.run(), "m/b2_1", 34_500);
    }
}

#[test]
fn two_ops_at_once() {
    let job = Job::fork(1, 4, 4);
    let of = |name: &str| job.ops[job.at(name)].3;
    let b = job.with("m/b0_2", of("m/b0_2") + 20_000).with("m/b3_0", of("m/b3_0") - 3_000);
    let (a, b) = (job.run(), b.run());
    let own = compared(&a, &b);
    hold(&own);
    assert_eq!((names(&own, 0), names(&own, 1)), (vec!["m/b0_2".to_owned()], vec!["m/b3_0".to_owned()]));
    let bars = &own.waterfall.bars;
    assert_eq!((bars[0].difference, bars[1].difference), (Nanos(20_000_000), Nanos(-3_000_000)));
    assert_eq!(
        sentence(&own, 0),
        "m/b0_2 (MatMul) takes 20.00 ms longer: 24.93 ms instead of 4.930 ms. The step is 20.00 ms longer."
    );
    assert_eq!((own.waterfall.others, own.waterfall.rest), (Nanos(0), Nanos(0)));
}

#[test]
fn another_number_of_threads_is_the_first_bar() {
    let [one, two] = [1, 2].map(|threads| Job::fork(threads, 6, 2).run());
    let (own, back) = (compared(&one, &two), compared(&two, &one));
    hold(&own);
    hold(&back);
    mirrored(&own, &back);
    let bar = &own.waterfall.bars[0];
    assert_eq!(bar.cause, Cause::Threads([1, 2]), "{:?}", own.waterfall);
    assert!(bar.difference.0 * 10 <= own.difference().0 * 9, "{bar:?} of {:?}", own.difference());
    let said = sentence(&own, 0);
    assert!(
        said.starts_with("Ops of executors that ran at once: at most 2 instead of 1. The step is "),
        "{said}"
    );
    // An op on top of it: both are named.
    let slow = Job::fork(2, 6, 2).with("m/b2_0", 35_000).run();
    let both = compared(&one, &slow);
    hold(&both);
    let named: Vec<String> = (0..2).map(|bar| sentence(&both, bar)).collect();
    assert!(named.iter().any(|own| own.starts_with("Ops of executors that ran at once")), "{named:?}");
    assert!(named.iter().any(|own| own.starts_with("m/b2_0")), "{named:?}");
}

#[test]
fn recordings_with_one_thread_and_with_two_differ_by_the_threads() {
    for length in [1024, 4096, 16384, 32768] {
        let [one, two] = [1, 2].map(|threads| {
            let path = root().join(format!("tests/pairs/executor/fork{threads}-{length}.pb.gz"));
            let bytes = std::fs::read(path).unwrap();
            Opened::of(Opener::open_bytes("fork.pb.gz", &bytes, CategoryRules::default()).unwrap().trace)
        });
        let own = compared(&one, &two);
        hold(&own);
        let bar = &own.waterfall.bars[0];
        assert_eq!(bar.cause, Cause::Threads([1, 2]), "{length}: {:?}", own.waterfall);
        // What is left to the ops, and to what nothing explains, is a fifth at most.
        assert!(bar.difference.0 * 5 <= own.difference().0 * 4, "{length}: {bar:?}");
    }
}

#[test]
fn ops_that_are_all_slower_are_one_bar() {
    let mut job = Job::fork(1, 5, 6);
    let a = job.run();
    job.ops.iter_mut().filter(|own| own.1 == "MatMul").for_each(|own| own.3 += own.3 / 10);
    let b = job.run();
    let own = compared(&a, &b);
    hold(&own);
    assert_eq!((own.waterfall.bars.len(), own.waterfall.bars[0].counts), (1, [30, 30]));
    assert!(sentence(&own, 0).starts_with("MatMul in m takes "), "{}", sentence(&own, 0));
}

#[test]
fn an_op_that_nothing_waits_for_is_no_cause() {
    // Beside the long branch a short one grows, and nothing waits for it.
    let mut job = Job::fork(2, 1, 4);
    job.ops.push(("aside".to_owned(), "Summary", vec![0], 1_000));
    let a = job.run();
    let us = job.ops[job.at("m/b0_1")].3;
    let b = job.with("aside", 9_000).with("m/b0_1", us + 2_000).run();
    let own = compared(&a, &b);
    hold(&own);
    assert_eq!(names(&own, 0), ["m/b0_1"]);
    // It is named as what changed, and that the step takes as long.
    assert_eq!((own.waterfall.bars.len(), own.waterfall.bars[1].difference), (2, Nanos(0)));
    assert!(
        sentence(&own, 1)
            .ends_with("9.000 ms instead of 1.000 ms. The step takes as long with it as without."),
        "{}",
        sentence(&own, 1)
    );
}

#[test]
fn an_op_that_is_new_is_named() {
    for threads in [1, 2] {
        let job = Job::fork(threads, 3, 3);
        let mut more = job.clone();
        let at = more.at("m/b1_1");
        more.ops.push(("m/extra".to_owned(), "Cumsum", vec![at], 12_000));
        let last = more.ops.len() - 1;
        let next = more.at("m/b1_2");
        more.ops[next].2 = vec![last];
        let (a, b) = (job.run(), more.run());
        let own = compared(&a, &b);
        hold(&own);
        mirrored(&own, &compared(&b, &a));
        assert!(matches!(own.waterfall.bars[0].cause, Cause::Only { side: Which::B, .. }));
        assert!(sentence(&own, 0).starts_with("m/extra (Cumsum) is new: 12.00 ms."), "{}", sentence(&own, 0));
        let back = compared(&b, &a);
        assert!(sentence(&back, 0).starts_with("m/extra (Cumsum) is gone: it took 12.00 ms."));
    }
}

fn opened_trace(name: &str, bytes: &[u8]) -> Trace {
    Opener::open_bytes(name, bytes, CategoryRules::default()).unwrap().trace
}

fn opened(name: &str, bytes: &[u8]) -> Opened {
    Opened::of(opened_trace(name, bytes))
}

#[test]
fn names_with_the_number_of_a_run_are_the_same_in_another_run() {
    let (Some(a), Some(b)) = (case("tf115_run3.pb"), case("tf115_run11.pb")) else { return };
    let (a, b) = (opened("a.pb", &a), opened("b.pb", &b));
    let own = compared(&a, &b);
    hold(&own);
    assert_eq!((own.matching.pairs(), own.matching.ops(Which::A), own.matching.ops(Which::B)), (8, 8, 8));
}

#[test]
fn every_two_recordings_of_the_pairs_add_up() {
    let names = ["pair-chain-4096", "pair-fork1-4096", "pair-fork2-4096"];
    let read = |name: &&str| Some(opened(name, &sample(&format!("pairs/{name}.pb"))?));
    let Some(all) = names.iter().map(read).collect::<Option<Vec<_>>>() else { return };
    for a in &all {
        for b in &all {
            let own = compared(a, b);
            hold(&own);
            mirrored(&own, &compared(b, a));
        }
    }
}

/// The steps with the median length of two samples, compared; for each bar the type of its ops, and how much longer they take in B in µs.
fn changes(a: &str, b: &str) -> Option<Vec<(String, i64)>> {
    let shown = |name: &str| {
        let study = Rc::new(Study::new(opened_trace(name, &sample(name)?)));
        let whole = Arc::clone(study.trace());
        Some(Shown::typical(&study, &whole))
    };
    let (a, b) = (shown(a)?, shown(b)?);
    let own = Comparison::made(a.side(), b.side());
    hold(&own);
    let row = |bar: &Bar| {
        let op_type = match bar.cause {
            Cause::Op { op_type, .. } | Cause::Only { op_type, .. } => own.joined.text(op_type).to_owned(),
            _ => String::new(),
        };
        (op_type, (bar.lengths[1] - bar.lengths[0]).0 / 1_000)
    };
    Some(own.waterfall.bars.iter().map(row).collect())
}

/// Whether the bar whose op type contains `part` and that changed most changed by `us`, to a hundredth of a millisecond.
fn has(bars: &[(String, i64)], part: &str, us: i64) -> bool {
    change_of(bars, part).is_some_and(|own| (own - us).abs() <= 10)
}

/// How much that bar changed.
fn change_of(bars: &[(String, i64)], part: &str) -> Option<i64> {
    let own = bars.iter().filter(|(op_type, _)| op_type.contains(part));
    own.map(|&(_, us)| us).max_by_key(|us| us.abs())
}

#[test]
fn real_changes_are_named_with_the_sums_of_trace_diff() {
    let pytorch = ["real/pytorch/diff-control.json.gz", "real/pytorch/diff-test.json.gz"];
    if let Some(bars) = changes(pytorch[0], pytorch[1]) {
        // The copies within the GPU are 765 more.
        assert!(has(&bars, "Memcpy DtoD", 14_685), "{bars:#?}");
        assert!(change_of(&bars, "AllReduce").is_some_and(|us| us > 6_000), "{bars:#?}");
    }
    let ranks = ["real/pytorch-ranks/rank-0.json.gz", "real/pytorch-ranks/rank-1.json.gz"];
    if let Some(bars) = changes(ranks[0], ranks[1]) {
        // Rank 1 is slow in its embeddings, and rank 0 waits for it in the collective.
        assert!(has(&bars, "ncclKernel_SendRecv", -27_300), "{bars:#?}");
        assert!(has(&bars, "split_embedding_backward", 17_060), "{bars:#?}");
        assert!(has(&bars, "split_embedding_codegen_forward", 10_980), "{bars:#?}");
    }
}
