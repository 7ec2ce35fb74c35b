//! `steplens check`: whether every step keeps within the given limits, and takes no longer than those of a baseline. Its exit code is
//! meant for continuous integration, and so are the forms in other files here.

mod annotations;
mod junit;
mod markdown;

use super::{Loaded, Out, Print, headline};
use crate::args;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::ffi::OsString;
use std::io::{self, Write};
use steplens_core::Nanos;
use steplens_core::compare::Comparison;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_host::failure::Failure;
use steplens_host::judged::findings;
use steplens_host::outputs::{self, Output};
use steplens_host::reading::input::inputs;
use steplens_host::reading::memory_limit;
use steplens_host::reading::opening::duration_ns;
use steplens_host::sides::Compared;
use steplens_messages::{listed, message, say};
use steplens_report::check::{self, Check, GrowthLimits, LimitRow, Limits, Past, Regression, Verdict};
use steplens_report::compare::Compare;

/// How many of the steps that exceed a limit are named.
const MOST_NAMED: usize = 5;
/// How much longer steps may take than the baseline's, if nobody says.
const MAX_REGRESSION: f64 = 0.05;

pub(super) fn run(args: &args::Check) -> Result<(), Failure> {
    let limits = limits(args)?;
    let inputs = inputs(&args.files.files.iter().chain(&args.baseline).cloned().collect::<Vec<_>>())?;
    let reports = Reports {
        junit: args.junit.as_deref().map(|path| Output::at(path, &inputs)).transpose()?,
        markdown: args.markdown.as_deref().map(|path| Output::at(path, &inputs)).transpose()?,
    };
    let mut files = args.files.clone();
    if args.baseline.is_some() {
        memory_limit::share_of_two(&mut files.reading);
    }
    let loaded = Loaded::read(&files)?;
    let check = of_limits(&loaded, limits);
    match &args.baseline {
        None => finish(args, reports, &loaded, &check),
        Some(base) => against(args, reports, base, loaded, check),
    }
}

/// The files that the check is also written to.
struct Reports<'a> {
    junit: Option<Output<'a>>,
    markdown: Option<Output<'a>>,
}

fn of_limits<'a>(loaded: &Loaded, limits: Limits) -> Check<'a> {
    let view = loaded.study.view();
    match view.step {
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
    }
}

/// Adds what the baseline `base` says.
fn against(
    args: &args::Check,
    reports: Reports<'_>,
    base: &OsString,
    loaded: Loaded,
    check: Check<'_>,
) -> Result<(), Failure> {
    let most_allowed = match args.max_regression.as_deref() {
        None => MAX_REGRESSION,
        Some(text) => share(text)
            .ok_or_else(|| Failure::Option("max-regression", say!("option-max-regression", text)))?,
    };
    let growth = growth_limits(args)?;
    let mut reading = args.files.reading.clone();
    memory_limit::share_of_two(&mut reading);
    let base = args::Files { files: vec![base.clone()], reading, window: None, step: None };
    let mut a = Compared::with_use(&base, Loaded::read(&base)?)?;
    let b = Compared::with_use(&args.files, loaded)?;
    let kept = a.past.take();
    let found = Comparison::made(a.side(), b.side());
    let past = kept.unwrap_or_else(|| Past::of(&a.steps, &a.step_use, &findings(&a.loaded)));
    let now = findings(&b.loaded);
    let limits = (most_allowed, growth);
    let check = check.against(Regression::judged(Compare::new(&found), limits, (&past, &b.step_use), &now));
    a.loaded.report_problems(args.form.json)?;
    finish(args, reports, &b.loaded, &check)
}

/// Says it in every form that is wanted.
fn finish(
    args: &args::Check,
    reports: Reports<'_>,
    loaded: &Loaded,
    check: &Check<'_>,
) -> Result<(), Failure> {
    outputs::remove_when_stopped();
    if let Some(output) = reports.junit {
        output.write_bytes(junit::written(check).as_bytes())?;
    }
    if let Some(output) = reports.markdown {
        output.write_bytes(markdown::written(check).as_bytes())?;
    }
    loaded.print(&args.form, |out| {
        if args.form.json {
            return writeln!(out, "{}", check.to_text());
        } else if args.form.csv {
            return check.write_csv(out);
        }
        let screen = Screen::new(args.form.color);
        headline::write(out, screen, loaded)?;
        write(out, screen, check)?;
        if args.github { annotations::write(out, check) } else { Ok(()) }
    })?;
    match check.verdict() {
        Verdict::Passed => Ok(()),
        Verdict::Failed => Err(Failure::OverLimit),
        // The output says so. A check that cannot be made must not pass unseen.
        Verdict::NotJudged => Err(Failure::Reported),
    }
}

fn title(check: &Check<'_>) -> &'static str {
    match check.verdict() {
        Verdict::Passed => say!("check-passed"),
        Verdict::Failed => say!("check-failed"),
        Verdict::NotJudged => say!("check-unjudged"),
    }
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
    if limits.step.is_none() && limits.exposed_communication.is_none() && args.baseline.is_none() {
        return Err(Failure::Sentence(say!("check-without-limit").to_owned()));
    }
    Ok(limits)
}

/// What may grow besides the length of steps.
fn growth_limits(args: &args::Check) -> Result<GrowthLimits, Failure> {
    let part = |option: &'static str, text: &Option<String>| {
        let read = |text: &str| {
            grown_share(text).ok_or_else(|| Failure::Option(option, say!("option-max-growth", text)))
        };
        text.as_deref().map(read).transpose()
    };
    Ok(GrowthLimits {
        op_type: part("max-op-type-growth", &args.max_op_type_growth)?,
        exposed_communication: part("max-exposed-growth", &args.max_exposed_growth)?,
        transfers: part("max-transfer-growth", &args.max_transfer_growth)?,
        memory: part("max-memory-growth", &args.max_memory_growth)?,
        new_findings: args.max_new_findings,
    })
}

/// A share such as `20%`, which may be more than all: `150%`.
fn grown_share(text: &str) -> Option<f64> {
    let percent: f64 = text.trim().strip_suffix('%')?.trim().parse().ok()?;
    (0.0..=1e6).contains(&percent).then_some(percent / 100.0)
}

/// A share such as `20%` or `12.5 %`, at most 100 %.
pub(super) fn share(text: &str) -> Option<f64> {
    let percent: f64 = text.trim().strip_suffix('%')?.trim().parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}

fn write(out: &mut Out, screen: Screen, check: &Check<'_>) -> io::Result<()> {
    let steps = units::plural(check.steps, message!("program-steps", count));
    writeln!(out, "{}", screen.title(title(check), &steps))?;
    if !check.limits.is_empty() {
        write_limits(out, screen, check)?;
    }
    check.baseline.as_ref().map_or(Ok(()), |own| write_regression(out, screen, own))
}

fn write_limits(out: &mut Out, screen: Screen, check: &Check<'_>) -> io::Result<()> {
    let mut table = Table::default()
        .column("", ColumnKind::Text, ALWAYS)
        .column(say!("title-allowed"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-most"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-in-step"), ColumnKind::Figure, 1)
        .column(say!("title-steps-over"), ColumnKind::Text, ALWAYS);
    for row in &check.limits {
        let said = Said::of(row);
        table.row([
            said.name.to_owned().into(),
            said.allowed.into(),
            said.worst.into(),
            row.worst_step.to_string().into(),
            said.over.into(),
        ]);
    }
    table.write(out, screen)
}

/// A limit in words.
struct Said {
    name: &'static str,
    allowed: String,
    worst: String,
    /// The steps that exceed it.
    over: String,
}

impl Said {
    fn of(row: &LimitRow) -> Self {
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
        Self { name, allowed: figure(row.most_allowed), worst: figure(row.worst), over }
    }
}

fn write_regression(out: &mut Out, screen: Screen, own: &Regression<'_>) -> io::Result<()> {
    writeln!(out, "{}", screen.sentence(&own.sentence, ""))?;
    for row in &own.not_comparable {
        writeln!(out, "{}", screen.sentence(&row.sentence, ""))?;
        writeln!(out, "{}", screen.note(&format!("  {}", row.still)))?;
    }
    for row in &own.growths {
        let sentence = visible(&row.sentence);
        match row.verdict {
            "over" => writeln!(out, "{}", screen.strong_sentence(&sentence))?,
            _ => writeln!(out, "{}", screen.sentence(&sentence, ""))?,
        }
    }
    if !own.waterfall.is_empty() {
        writeln!(out, "\n{}", screen.title(say!("compare-waterfall-title"), say!("check-waterfall-about")))?;
        for row in &own.waterfall {
            writeln!(out, "{}", screen.sentence(&visible(&row.sentence), "  "))?;
        }
    }
    if !own.new_findings.is_empty() {
        writeln!(out, "\n{}", screen.title(say!("check-new-findings"), say!("check-new-findings-about")))?;
        for row in &own.new_findings {
            writeln!(out, "{}", screen.sentence(&visible(&row.sentence), "  "))?;
            writeln!(out, "{}", screen.sentence(&row.advice, "  "))?;
        }
    }
    Ok(())
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
