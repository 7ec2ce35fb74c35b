//! What holds for every two traces: each op has at most one partner, and it is mutual; the counts add up; the waterfall adds up to the
//! difference, to the nanosecond; and the other way round every bar changes its sign.

use super::{Opened, compared};
use proptest::prelude::*;
use std::collections::BTreeSet;
use steplens_core::compare::Comparison;
use steplens_core::compare::joined::Which;
use steplens_core::compare::matching::Pass;
use steplens_core::compare::waterfall::{Bar, Cause, MOST_BARS};
use steplens_core::{Nanos, OpId};
use steplens_tests::cases::cases;
use steplens_tests::writer::{PS, Scenario, WORKER, op, recv};

const PASSES: [Pass; 4] = [Pass::Exact, Pass::Renumbered, Pass::Structural, Pass::Edited];

/// The laws of one comparison.
pub(super) fn hold(own: &Comparison<'_>) {
    let matching = &own.matching;
    let mut seen = [BTreeSet::new(), BTreeSet::new()];
    for (a, b) in matching.all() {
        assert_eq!((matching.partner(Which::A, a), matching.partner(Which::B, b)), (Some(b), Some(a)));
        assert!(matching.pass(a).is_some());
        assert!(seen[0].insert(a) && seen[1].insert(b), "{a:?} and {b:?} are matched once");
        let [of_a, of_b] =
            [(0, a), (1, b)].map(|(side, op): (usize, OpId)| own.sides[side].study.trace().device_of(op));
        assert_eq!(own.devices.of_a(of_a), Some(of_b));
    }
    for side in Which::BOTH {
        let count = own.sides[side as usize].study.trace().counted_ops() as u64;
        let alone = matching.alone(side).count() as u64;
        assert_eq!((matching.ops(side), matching.pairs() + alone), (count, count));
    }
    assert_eq!(PASSES.map(|pass| matching.count(pass)).iter().sum::<u64>(), matching.pairs());
    for row in &own.tables.devices {
        for (side, device) in row.device.iter().enumerate() {
            let study = own.sides[side].study;
            let split = device.map(|id| study.split(Some(id), study.trace().span())).unwrap_or_default();
            let figures = (row.busy[side], row.compute[side], row.exposed_communication[side]);
            assert_eq!(figures, (split.busy, split.compute, split.exposed_communication));
        }
    }
    let waterfall = &own.waterfall;
    assert_eq!(waterfall.difference(), own.difference());
    assert!(waterfall.bars.len() <= MOST_BARS);
    let longest = own.lengths[0].max(own.lengths[1]).0;
    let is_large = |bar: &Bar| (bar.lengths[1] - bar.lengths[0]).0.abs() >= longest / 200;
    assert!(waterfall.bars.iter().all(|bar| bar.difference != Nanos(0) || is_large(bar)));
    assert!(waterfall.bars.is_sorted_by_key(|bar| std::cmp::Reverse(bar.difference.0.abs())));
    for bar in &waterfall.bars {
        let [a, b] = bar.lengths;
        let (more, less) = bar.ops.iter().fold((Nanos(0), Nanos(0)), |(more, less), own| match own.2.0 {
            0.. => (more + own.2, less),
            _ => (more, less - own.2),
        });
        let is_known = !matches!(bar.cause, Cause::Clocks);
        assert!(!is_known || (bar.more, bar.less, more - less) == (more, less, b - a), "{bar:?}");
        let count = |side: usize| bar.ops.iter().filter(|own| [own.0, own.1][side].is_some()).count();
        assert_eq!([count(0), count(1)], bar.counts, "{bar:?}");
    }
}

/// The other way round every bar changes its sign.
pub(super) fn mirrored(there: &Comparison<'_>, back: &Comparison<'_>) {
    let sizes = |own: &Comparison<'_>, sign: i64| {
        let bars = own.waterfall.bars.iter().map(|bar| bar.difference.0 * sign);
        bars.chain([own.waterfall.others.0 * sign, own.waterfall.rest.0 * sign]).collect::<Vec<_>>()
    };
    let [mut one, mut other] = [sizes(there, 1), sizes(back, -1)];
    one.sort_unstable();
    other.sort_unstable();
    assert_eq!(one, other);
}

/// Names, some of which differ only in numbers, with types that differ from them.
const LABELS: [&str; 8] = [
    "net/a = Mul(x)",
    "net/b = Add(net/a)",
    "net/b_1 = Add(net/b)",
    "net_1/c = MatMul(net/b, net/a)",
    "net_2/c = MatMul(net/b, net/a)",
    "other/d = Mul(net_1/c)",
    "other/e = Neg(other/d)",
    "f = Neg(other/e)",
];

type Op = (usize, i64, i64, i64);

fn ops() -> impl Strategy<Value = Vec<Op>> {
    proptest::collection::vec((0..LABELS.len(), 0_i64..400, 0_i64..60, 1_i64..4), 1..24)
}

fn scenario(worker: &[Op], server: &[Op], sent_us: i64, transit_us: i64) -> Opened {
    let of = |own: &[Op]| {
        own.iter()
            .map(|&(label, start, length, size)| {
                op(LABELS[label], start * 1_000, length * 1_000).output(0, 1, &[size, 4], 16 * size)
            })
            .collect::<Vec<_>>()
    };
    let mut at_worker = of(worker);
    at_worker.push(recv("edge_3_net/a", PS, WORKER, 64, sent_us, transit_us));
    Opened::of(Scenario::new().device(WORKER, at_worker).device(PS, of(server)).open().trace)
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn the_laws_hold_for_random_traces(
        (worker_a, server_a, worker_b, server_b) in (ops(), ops(), ops(), ops()),
        (sent_a, sent_b) in (0_i64..300, 0_i64..300),
        (transit_a, transit_b) in (1_i64..80, 1_i64..80),
    ) {
        let a = scenario(&worker_a, &server_a, sent_a, transit_a);
        let b = scenario(&worker_b, &server_b, sent_b, transit_b);
        let (there, back) = (compared(&a, &b), compared(&b, &a));
        hold(&there);
        hold(&back);
        prop_assert_eq!(there.difference(), Nanos(-back.difference().0));
        // Of two steps of one length, none is the longer one; and the ops of another batch are those that read it in A.
        let has_batch = there.reasons.iter().any(|reason| reason.word() == "batch");
        if there.difference() != Nanos(0) && !has_batch {
            mirrored(&there, &back);
        }
        prop_assert_eq!(there.matching.pairs(), back.matching.pairs());
        let own = compared(&a, &a);
        hold(&own);
        prop_assert_eq!(own.waterfall.bars.len(), 0);
        prop_assert_eq!((own.waterfall.others, own.waterfall.rest), (Nanos(0), Nanos(0)));
        prop_assert_eq!(own.matching.count(Pass::Exact), own.matching.ops(Which::A));
        prop_assert!(own.reasons.iter().all(|reason| reason.word() == "clocks"), "{:?}", own.reasons);
    }
}
