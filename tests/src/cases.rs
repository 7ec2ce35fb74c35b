//! How many cases a test tries, always the same ones: a test that fails now and then tells nothing.

use std::ops::Range;

use proptest::test_runner::{Config, RngSeed};

/// Tries `count` cases, or as many as PROPTEST_CASES says, grown from PROPTEST_RNG_SEED or else from a fixed seed.
pub fn cases(count: u32) -> Config {
    let from_environment = Config::default();
    let rng_seed = match from_environment.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0x5354_4550),
        fixed => fixed,
    };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { from_environment.cases } else { count };
    Config { cases, rng_seed, failure_persistence: None, ..from_environment }
}

/// Whether every case is tried, which takes half an hour and more: `cargo xtask test thorough` asks for that. Else those that tell something
/// of their own. What is left out stands in tests/README.md.
pub fn is_thorough() -> bool {
    std::env::var_os("STEPLENS_THOROUGH").is_some()
}

/// `quick` in every run, `thorough` in the one that is asked for by its name.
pub fn either<T>(quick: T, thorough: T) -> T {
    if is_thorough() { thorough } else { quick }
}

/// The seeds of damage. A reader that trusts a byte falls over within the first hundreds; the others are for what is rare.
pub fn seeds() -> Range<u64> {
    0..either(1_200, 10_000)
}

/// How many of [`seeds`] a share of them is, in percent.
pub fn percent_of_seeds(percent: usize) -> usize {
    seeds().end as usize * percent / 100
}

/// Of `0..=length`, at which a file of that length may be cut or damaged, all; or else those next to `marks`, where its parts begin and end,
/// and some between them.
pub fn places(length: usize, marks: &[usize]) -> Vec<usize> {
    const BETWEEN: usize = 61;
    if is_thorough() {
        return (0..=length).collect();
    }
    let around = marks.iter().flat_map(|&mark| mark.saturating_sub(1)..=mark + 1);
    let mut places: Vec<usize> =
        around.chain((0..=length).step_by(BETWEEN)).chain([length]).filter(|&at| at <= length).collect();
    places.sort_unstable();
    places.dedup();
    places
}
