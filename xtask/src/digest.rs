//! What a long run's output says of its failures, to say again at the end: whoever reads only the last lines of a log finds them there.

use std::collections::VecDeque;

/// Lines of failures that are kept.
const MOST_FAILURES: usize = 200;
/// Last lines that are kept, whatever they say.
const MOST_LAST: usize = 25;

/// Takes the lines of one program, and keeps those that a failure is understood by.
#[derive(Default)]
pub(crate) struct Digest {
    failures: Vec<String>,
    last: VecDeque<String>,
    in_failures: bool,
    left_out: usize,
}

impl Digest {
    pub(crate) fn take(&mut self, line: &str) {
        let trimmed = line.trim();
        // cargo's tests, and Node's, begin what failed with these words.
        self.in_failures |= trimmed == "failures:" || trimmed.contains("failing tests:");
        if self.in_failures || trimmed.starts_with("error") {
            if self.failures.len() < MOST_FAILURES {
                self.failures.push(line.to_owned());
            } else {
                self.left_out += 1;
            }
        } else {
            if self.last.len() == MOST_LAST {
                self.last.pop_front();
            }
            self.last.push_back(line.to_owned());
        }
        self.in_failures &= !trimmed.starts_with("test result:");
    }

    /// What failed; if no line says so, how the output ended.
    pub(crate) fn finish(self) -> Vec<String> {
        if self.failures.is_empty() {
            return self.last.into();
        }
        let mut lines = self.failures;
        if self.left_out > 0 {
            lines.push(format!("({} more lines about failures above)", self.left_out));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(lines: &[&str]) -> Vec<String> {
        let mut digest = Digest::default();
        lines.iter().for_each(|line| digest.take(line));
        digest.finish()
    }

    #[test]
    fn failures_of_both_test_runners_are_kept_and_nothing_else() {
        let cargo = [
            "running 2 tests",
            "failures:",
            "---- a::b stdout ----",
            "test result: FAILED. 1 passed",
            "running 3 tests",
        ];
        assert_eq!(digest(&cargo), cargo[1..4]);
        let node = ["✔ opens", "ℹ fail 1", "✖ failing tests:", "✖ closes", "  AssertionError"];
        assert_eq!(digest(&node), node[2..]);
    }

    #[test]
    fn without_a_failure_the_end_is_kept_and_a_flood_is_counted() {
        let lines: Vec<String> = (0..300).map(|line| line.to_string()).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(digest(&lines), lines[275..]);
        let flood = [&["failures:"], lines.as_slice()].concat();
        let kept = digest(&flood);
        assert_eq!((kept.len(), kept[200].as_str()), (201, "(101 more lines about failures above)"));
    }
}
