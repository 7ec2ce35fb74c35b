//! Laws of colours on random small traces: who has which, what each sums to in a window, and lengths in bins; by plain definitions.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use steplens_core::questions::coloring::{color_sums, colors};
use steplens_core::questions::lengths::lengths;
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::timeline::colors::{COLORS, ColorBy, HUES, REST};
use steplens_core::{Category, Nanos, OpId, Study};
use steplens_tests::cases::cases;
use steplens_tests::fixtures::{bytes_of, fixtures_and_samples};
use steplens_tests::steps::{step, window};
use steplens_tests::writer::{PS, Scenario, op, open};

fn op_type(study: &Study, op: OpId) -> &str {
    study.trace().text(study.trace().nodes().op_type(study.trace().ops().node(op)))
}

/// By op: its colour.
fn colored(study: &mut Study, by: ColorBy) -> Vec<u8> {
    let colors = colors(study, by);
    study.color(colors);
    study.trace().ops().ids().map(|op| study.colors().of(study.trace(), op)).collect()
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn sums_are_what_adding_says(step in step(), window in window()) {
        let mut study = step.study();
        for by in ColorBy::ALL {
            let colors = colored(&mut study, by);
            let mut wanted = [(0_u64, 0_i64); COLORS];
            for op in study.trace().ops().ids() {
                let interval = study.trace().ops().interval(op);
                if interval.start < window.end && (interval.end > window.start || interval.start >= window.start) {
                    let sum = &mut wanted[usize::from(colors[op.index()])];
                    sum.0 += 1;
                    sum.1 += interval.end.0.min(window.end.0) - interval.start.0.max(window.start.0);
                }
            }
            let got = color_sums(&study, &Range::of(&study, &RangeQuery::of(window)));
            prop_assert_eq!(got.map(|sum| (sum.ops, sum.own.0)), wanted);
        }
    }

    #[test]
    fn lengths_are_what_counting_says(step in step(), least in 0_i64..30) {
        let study = step.study();
        let length = |op: OpId| study.trace().ops().interval(op).length();
        let ops = || study.trace().ops().ids().filter(|&op| length(op).0 >= least);
        let bins = lengths(study.trace(), ops);
        prop_assert!(bins.windows(2).all(|pair| pair[0].to == pair[1].from));
        prop_assert!(bins.first().is_none_or(|bin| bin.count > 0) && bins.last().is_none_or(|bin| bin.count > 0));
        for bin in &bins {
            let own: Vec<OpId> = ops().filter(|&op| bin.from <= length(op) && length(op) < bin.to).collect();
            let total = own.iter().map(|&op| length(op).0).sum();
            prop_assert_eq!((bin.count as usize, bin.total), (own.len(), Nanos(total)));
        }
        prop_assert_eq!(bins.iter().map(|bin| bin.count as usize).sum::<usize>(), ops().count());
    }
}

#[test]
fn the_op_types_with_most_time_have_colours_of_their_own() {
    for fixture in fixtures_and_samples() {
        let mut study = Study::new(open(&fixture.bytes).trace);
        if study.trace().devices().ids().any(|id| study.trace().devices().repeats_streams(id)) {
            continue;
        }
        let colors = colored(&mut study, ColorBy::OpType);
        let mut totals: BTreeMap<&str, i64> = BTreeMap::new();
        let mut of_type: BTreeMap<&str, BTreeSet<u8>> = BTreeMap::new();
        for op in study.trace().ops().ids().filter(|&op| study.trace().category(op) != Category::Range) {
            *totals.entry(op_type(&study, op)).or_default() += study.trace().ops().interval(op).length().0;
            of_type.entry(op_type(&study, op)).or_default().insert(colors[op.index()]);
        }
        let name = &fixture.name;
        assert!(of_type.values().all(|colors| colors.len() == 1), "{name}: a type has two colours");
        let least_with =
            totals.iter().filter(|(own, _)| !of_type[*own].contains(&REST)).map(|(_, &time)| time).min();
        let most_without =
            totals.iter().filter(|(own, _)| of_type[*own].contains(&REST)).map(|(_, &time)| time).max();
        assert!(most_without <= least_with, "{name}: {most_without:?} has no colour, {least_with:?} has one");
        assert_eq!(study.colors().others(), totals.len().saturating_sub(HUES), "{name}");
        let hues: Vec<&BTreeSet<u8>> = of_type.values().filter(|own| !own.contains(&REST)).collect();
        assert_eq!(
            hues.len(),
            hues.iter().collect::<BTreeSet<_>>().len(),
            "{name}: two types have one colour"
        );
    }
}

#[test]
fn steps_take_turns_and_lengths_are_powers_of_ten() {
    let ops = [999, 1_000, 9_999, 10_000, 2_000_000_000].map(|length| op("a = Mul(b)", length, length));
    let mut study = Scenario::new().device(PS, ops.to_vec()).study();
    assert_eq!(colored(&mut study, ColorBy::Duration), [0, 1, 1, 2, 7]);
    assert_eq!(colored(&mut study, ColorBy::Step), [0; 5]);
    assert_eq!(study.colors().names()[..2], ["1".to_owned(), String::new()]);
    assert_eq!(colored(&mut study, ColorBy::Device).iter().collect::<BTreeSet<_>>().len(), 1);
}

#[test]
fn slack_is_none_on_a_longest_path() {
    let mut study = Study::new(open(&bytes_of("ps4w.pb")).trace);
    let colors = colored(&mut study, ColorBy::Slack);
    let causes = study.causes();
    for op in study.trace().ops().ids() {
        let slack = causes.floor.slack_of(&causes.graph, op).map(|slack| slack.0);
        let wanted = match slack {
            None => REST,
            Some(0) => 0,
            // Each further colour begins at a power of ten microseconds, the first of them at one nanosecond.
            Some(slack) => (slack as f64 / 1_000.0).log10().floor().clamp(0.0, 6.0).max(0.0) as u8 + 1,
        };
        assert_eq!(colors[op.index()], wanted, "a slack of {slack:?}");
    }
    assert!(colors.contains(&0));
}
