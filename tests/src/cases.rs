//! How many random cases a property is tried on, always the same ones: a test that fails now and then tells nothing.

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
