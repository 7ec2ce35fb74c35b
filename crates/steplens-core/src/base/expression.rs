//! Regular expressions of users: searches, categories and devices. If an expression is ASCII, its letters match bytes, so that `\w`
//! and `.` need only some bytes of automaton and no tables of all scripts.

use regex::bytes::{Regex, RegexBuilder};

/// The largest automaton in bytes, unless a smaller one is requested.
pub(crate) const MOST_BYTES: usize = 4 << 20;

/// Compiles `pattern` to an automaton of at most `most_bytes`.
///
/// The error says in one line what is wrong with the pattern.
pub(crate) fn compile(pattern: &str, ignores_case: bool, most_bytes: usize) -> Result<Regex, String> {
    RegexBuilder::new(pattern)
        .case_insensitive(ignores_case)
        .unicode(!pattern.is_ascii())
        .size_limit(most_bytes)
        .build()
        .map_err(|why| reason(&why.to_string()))
}

/// The reason of a syntax error, without the picture of the expression in front of it.
fn reason(error: &str) -> String {
    let last = error.lines().last().unwrap_or(error);
    last.strip_prefix("error: ").unwrap_or(last).trim_end_matches('.').to_owned()
}
