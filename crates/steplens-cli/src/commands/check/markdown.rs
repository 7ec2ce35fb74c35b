//! The check as Markdown, for a comment on a pull request or the summary of a job.

use super::{Said, percent, title};
use crate::render::{units, visible};
use std::fmt::Write;
use steplens_messages::say;
use steplens_report::check::{Check, Regression};

/// The most op types that are listed.
const MOST_TYPES: usize = 5;

pub(super) fn written(check: &Check<'_>) -> String {
    let mut out = String::new();
    line(&mut out, format_args!("### {}: {}\n", say!("check-title"), plain(title(check))));
    if !check.limits.is_empty() {
        let titles =
            ["", say!("title-allowed"), say!("title-most"), say!("title-in-step"), say!("title-steps-over")];
        line(&mut out, format_args!("| {} |\n|---|---:|---:|---:|---|", titles.join(" | ")));
        for row in &check.limits {
            let said = Said::of(row);
            let cells = [said.name, &said.allowed, &said.worst, &row.worst_step.to_string(), &said.over];
            line(&mut out, format_args!("| {} |", cells.map(plain).join(" | ")));
        }
        out.push('\n');
    }
    if let Some(own) = &check.baseline {
        write_regression(&mut out, own);
    }
    out
}

fn write_regression(out: &mut String, own: &Regression<'_>) {
    line(out, format_args!("{}\n", plain(&own.sentence)));
    for row in &own.not_comparable {
        line(out, format_args!("> {} {}\n", plain(&row.sentence), plain(row.still)));
    }
    for row in &own.growths {
        match row.verdict {
            "over" | "not-judged" => line(out, format_args!("- **{}**", plain(&row.sentence))),
            _ => line(out, format_args!("- {}", plain(&row.sentence))),
        }
    }
    if !own.growths.is_empty() {
        out.push('\n');
    }
    if !own.waterfall.is_empty() {
        line(
            out,
            format_args!("**{}** ({})\n", say!("compare-waterfall-title"), say!("check-waterfall-about")),
        );
        own.waterfall.iter().for_each(|row| line(out, format_args!("- {}", plain(&row.sentence))));
        out.push('\n');
    }
    if !own.op_types.is_empty() {
        let titles =
            [say!("title-compare-type"), say!("check-baseline"), say!("check-now"), say!("check-growth")];
        line(out, format_args!("| {} |\n|---|---:|---:|---:|", titles.join(" | ")));
        for row in own.op_types.iter().take(MOST_TYPES) {
            let median =
                |own: &Option<steplens_report::compare::SampleRow>| own.as_ref().map(|own| own.median_ns);
            let (a, b) = (median(&row.a), median(&row.b));
            let said = |own: Option<i64>| own.map_or_else(|| units::UNKNOWN.to_owned(), units::duration);
            let growth = a.zip(b).filter(|&(a, _)| a > 0).map(|(a, b)| percent((b - a) as f64 / a as f64));
            let growth = growth.unwrap_or_else(|| units::UNKNOWN.to_owned());
            let cells = [plain(row.op_type), said(a), said(b), growth];
            line(out, format_args!("| {} |", cells.join(" | ")));
        }
        out.push('\n');
    }
    if !own.new_findings.is_empty() {
        line(
            out,
            format_args!("**{}** ({})\n", say!("check-new-findings"), say!("check-new-findings-about")),
        );
        for row in &own.new_findings {
            line(out, format_args!("- {} {}", plain(&row.sentence), plain(&row.advice)));
        }
        out.push('\n');
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

/// A text as it is: names in a trace must neither format, link, nor mention anybody.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in visible(text).chars() {
        match char {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '$' => out.extend(['\\', char]),
            _ => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_format_nothing() {
        assert_eq!(plain("<img> @all a_b | [x](y) #1"), "&lt;img> &#64;all a\\_b \\| \\[x\\](y) \\#1");
    }
}
