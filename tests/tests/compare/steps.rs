//! Two runs of many steps: a run that is slower differs, and two runs that only vary do not; one of few steps says nothing.

use super::{Opened, compared};
use steplens_core::compare::align::NotAligned;
use steplens_core::compare::samples::{StepSamples, typical_step};
use steplens_core::{CategoryRules, Nanos, OpId};
use steplens_formats::{Limits, Opener};
use steplens_tests::random::Random;
use steplens_tests::writer::{Scenario, WORKER, op};

const US: i64 = 1_000;

/// A file for each step: `conv` takes 1 ms or `conv_us` more, `read` 2 ms, both up to 50 µs more or less.
fn run(steps: usize, conv_us: i64, seed: u64) -> Opened {
    let mut random = Random::new(seed);
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for step in 0..steps {
        let mut noise = || random.below(100) as i64 - 50;
        let (conv, read) = ((1_000 + conv_us + noise()) * US, (2_000 + noise()) * US);
        let at = step as i64 * 10_000 * US;
        let ops = [op("read = ReadBatch()", at, read), op("conv = Conv2D(read)", at + read, conv)];
        opener.begin_file(&format!("{step}.pb"));
        opener.push(&Scenario::new().device(WORKER, ops).bytes());
        opener.end_file();
    }
    Opened::of(opener.finish().unwrap().trace)
}

#[test]
fn runs_of_many_steps() {
    let (a, same, slow) = (run(12, 0, 1), run(12, 0, 2), run(12, 200, 3));
    let own = compared(&a, &slow);
    assert!(own.steps.lengths.is_significant, "{:?}", own.steps);
    let [of_a, of_b] = own.steps.lengths.samples.map(Option::unwrap);
    assert_eq!((of_a.count, of_b.count), (12, 12));
    let (low, high) = of_b.interval.unwrap();
    assert!(low <= of_b.median && of_b.median <= high && low > of_a.median);
    let first = &own.steps.op_types[0];
    assert_eq!((&*first.0, first.1.is_significant), ("Conv2D", true));
    assert!(own.steps.op_types.iter().all(|(name, own)| own.is_significant == (&**name == "Conv2D")));
    let own = compared(&a, &same);
    assert!(!own.steps.lengths.is_significant && own.steps.lengths.probability.is_some());
    assert!(own.steps.op_types.iter().all(|(_, own)| !own.is_significant));
}

#[test]
fn too_few_steps_say_nothing() {
    let own_steps = |steps: usize| {
        let (a, b) = (run(steps, 0, 1), run(steps, 900, 2));
        let found = compared(&a, &b).steps.lengths;
        (found.probability.is_some(), found.is_significant, found.samples[0].unwrap().interval.is_some())
    };
    assert_eq!(own_steps(3), (false, false, false));
    assert_eq!(own_steps(4), (true, true, false));
    assert_eq!(own_steps(6), (true, true, true));
}

/// A run whose later half is slower: one group of steps against the other.
#[test]
fn groups_of_steps() {
    let a = run(12, 0, 1);
    let (before, after) = (run(6, 0, 4), run(6, 250, 5));
    let of = |group| StepSamples::of(&a.whole, &a.steps, group);
    assert_eq!(of(None).lengths.len(), 12);
    let part = of(Some(2..7));
    assert_eq!((part.opened, part.lengths.as_slice()), (12, &of(None).lengths[2..7]));
    assert!(part.op_types.values().all(|sums| sums.len() == 5));
    let row = typical_step(&a.steps, Some(&(2..7))).unwrap();
    let mut lengths = part.lengths.clone();
    lengths.sort();
    assert!((2..7).contains(&row));
    assert_eq!(a.steps.rows()[row].span.length(), lengths[2]);
    assert_eq!(typical_step(&a.steps, Some(&(20..21))), None);
    let own = compared(&before, &after);
    assert!(own.steps.lengths.is_significant);
}

/// At every op, the difference before it and the difference after it add up to that of the steps.
#[test]
fn aligned_at_an_op() {
    let (a, b) = (run(1, 0, 1), run(1, 700, 2));
    let own = compared(&a, &b);
    for name in ["read", "conv"] {
        let found = own.aligned_at(name).unwrap();
        let [before, after] = [found.before, found.after].map(|[a, b]| b - a);
        assert_eq!(before + after, own.difference(), "{name}");
    }
    // Reading begins both steps; conv begins when it has ended.
    assert_eq!(own.aligned_at("read").unwrap().before, [Nanos(0); 2]);
    let read = |opened: &Opened| opened.whole.ops().interval(OpId::new(0)).length();
    assert_eq!(own.aligned_at("conv").unwrap().before, [read(&a), read(&b)]);
    assert_eq!(own.aligned_at("none"), Err(NotAligned::NotFound));
}

#[test]
fn the_step_with_the_median_length_stands_for_all() {
    let a = run(5, 0, 7);
    let mut lengths: Vec<Nanos> = a.steps.rows().iter().map(|step| step.span.length()).collect();
    let row = typical_step(&a.steps, None).unwrap();
    let own = lengths[row];
    lengths.sort();
    assert_eq!(own, lengths[2]);
    assert_eq!(typical_step(&run(1, 0, 7).steps, None), None);
}
