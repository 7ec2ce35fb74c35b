//! Annotations of GitHub Actions: lines of standard output that it shows next to the changed code.
//! <https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands>

use super::Said;
use std::io::{self, Write};
use steplens_messages::say;
use steplens_report::check::Check;

/// The most bars of the waterfall that are said.
const MOST_BARS: usize = 3;

pub(super) fn write(out: &mut impl Write, check: &Check<'_>) -> io::Result<()> {
    for row in check.limits.iter().filter(|row| !row.over.is_empty()) {
        let Said { name, allowed, worst, over } = Said::of(row);
        annotation(out, "error", &say!("check-limit-exceeded", name, allowed, worst, over))?;
    }
    let Some(own) = &check.baseline else { return Ok(()) };
    let level = if own.verdict == "within" { "notice" } else { "error" };
    let bars = own.waterfall.iter().take(MOST_BARS).map(|row| row.sentence.as_str());
    let lines: Vec<&str> = std::iter::once(own.sentence.as_str()).chain(bars).collect();
    annotation(out, level, &lines.join("\n"))?;
    for row in own.with_limit().filter(|row| !row.is_kept()) {
        annotation(out, "error", &row.sentence)?;
    }
    own.not_comparable.iter().try_for_each(|row| annotation(out, "warning", &row.sentence))?;
    own.new_findings
        .iter()
        .try_for_each(|row| annotation(out, "warning", &format!("{}\n{}", row.sentence, row.advice)))
}

fn annotation(out: &mut impl Write, level: &str, text: &str) -> io::Result<()> {
    writeln!(out, "::{level} title={}::{}", property(say!("check-title")), data(text))
}

/// A message, whose line ends must be escaped: a name in a trace could otherwise begin a command of its own.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_no_command() {
        assert_eq!(data("100 %\r\n::set-env name=A::b"), "100 %25%0D%0A::set-env name=A::b");
        assert_eq!(property("a:b,c\n"), "a%3Ab%2Cc%0A");
    }
}
