//! `steplens check`: whether every step keeps within the given limits. Its exit code is meant for continuous integration.

use super::{Loaded, Out, headline};
use crate::args;
use crate::failure::Failure;
use crate::opening::duration_ns;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{Screen, units};
use std::io::{self, Write};
use steplens_core::Nanos;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_messages::{listed, message, say};
use steplens_report::check::{self, Check, Limits};

/// How many of the steps that exceed a limit are named.
const MOST_NAMED: usize = 5;

pub(super) fn run(args: &args::Check) -> Result<(), Failure> {
    let limits = limits(args)?;
    let loaded = Loaded::read(&args.files)?;
    let view = loaded.study.view();
    let check = match view.step {
        // With one chosen step, the trace holds only this step, so the rule does not matter.
        Some(row) => {
            let steps = Steps::divided(loaded.study.trace(), StepRule::Together);
            let mut check = check::of(loaded.study.trace(), &steps, limits);
            for limit in &mut check.limits {
                limit.worst_step = row + 1;
                limit.over.iter_mut().for_each(|over| *over = row + 1);
            }
            check
        }
        None => {
            let (trace, steps) = view.steps(&loaded.whole);
            check::of(&trace, &steps, limits)
        }
    };
    loaded.print(&args.form, |out| {
        if args.form.json {
            return writeln!(out, "{}", check.to_text());
        } else if args.form.csv {
            return check.write_csv(out);
        }
        let screen = Screen::new(args.form.color);
        headline::write(out, screen, &loaded)?;
        write(out, screen, &check)
    })?;
    if check.passed { Ok(()) } else { Err(Failure::OverLimit) }
}

fn limits(args: &args::Check) -> Result<Limits, Failure> {
    let step = args.max_step.as_deref().map(|text| {
        duration_ns(text).map(Nanos).ok_or_else(|| Failure::Option("max-step", say!("option-max-step", text)))
    });
    let exposed = args.max_exposed_communication.as_deref().map(|text| {
        share(text).ok_or_else(|| {
            Failure::Option("max-exposed-communication", say!("option-max-exposed-communication", text))
        })
    });
    let limits = Limits { step: step.transpose()?, exposed_communication: exposed.transpose()? };
    if limits.step.is_none() && limits.exposed_communication.is_none() {
        return Err(Failure::Sentence(say!("check-without-limit").to_owned()));
    }
    Ok(limits)
}

/// A share such as `20%` or `12.5 %`, at most 100 %.
fn share(text: &str) -> Option<f64> {
    let percent: f64 = text.trim().strip_suffix('%')?.trim().parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}

fn write(out: &mut Out, screen: Screen, check: &Check) -> io::Result<()> {
    let title = if check.passed { say!("check-passed") } else { say!("check-failed") };
    let steps = units::plural(check.steps, message!("program-steps", count));
    writeln!(out, "{}", screen.title(title, &steps))?;
    let mut table = Table::default()
        .column("", ColumnKind::Text, ALWAYS)
        .column(say!("title-allowed"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-most"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-in-step"), ColumnKind::Figure, 1)
        .column(say!("title-steps-over"), ColumnKind::Text, ALWAYS);
    for row in &check.limits {
        let (name, figure): (_, fn(f64) -> String) = match row.unit {
            "ns" => (say!("check-step-length"), |ns| units::duration(ns as i64)),
            _ => (say!("check-exposed-communication"), percent),
        };
        let named = row.over.iter().take(MOST_NAMED).map(ToString::to_string);
        let over = match row.over.len() {
            0 => say!("check-no-step").to_owned(),
            count if count > MOST_NAMED => {
                say!("check-steps-and-more", steps = listed(named), more = count - MOST_NAMED)
            }
            _ => listed(named),
        };
        table.row([
            name.to_owned().into(),
            figure(row.most_allowed).into(),
            figure(row.worst).into(),
            row.worst_step.to_string().into(),
            over.into(),
        ]);
    }
    table.write(out, screen)
}

/// A share with one decimal, so that a share just over a limit does not look equal to it.
fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percent() {
        assert_eq!(
            ["20%", "12.5 %", " 0% ", "100%"].map(share),
            [Some(0.2), Some(0.125), Some(0.0), Some(1.0)]
        );
        for text in ["20", "0.2", "%", "", "-1%", "101%", "nan%", "inf%"] {
            assert_eq!(share(text), None, "{text}");
        }
    }
}
