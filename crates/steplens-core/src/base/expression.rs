//! Regular expressions of users: searches, categories and devices. Letters of an ASCII expression mean bytes, so that `\w` and `.` take
//! some bytes of automaton rather than tables of all scripts.

use regex::bytes::{Regex, RegexBuilder};

/// How large an automaton may be, in bytes, where no less is asked for.
pub(crate) const MOST_BYTES: usize = 4 << 20;

/// `pattern` as an automaton of `most_bytes` at most.
///
/// The error says in a line what is wrong with it.
pub(crate) fn compile(pattern: &str, ignores_case: bool, most_bytes: usize) -> Result<Regex, String> {
    RegexBuilder::new(pattern)
        .case_insensitive(ignores_case)
        .unicode(!pattern.is_ascii())
        .size_limit(most_bytes)
        .build()
        .map_err(|why| reason(&why.to_string()))
}

/// An error of syntax has a picture of the expression in front of its reason.
fn reason(error: &str) -> String {
    let last = error.lines().last().unwrap_or(error);
    last.strip_prefix("error: ").unwrap_or(last).trim_end_matches('.').to_owned()
}
