//! `steplens.check/1`: whether every step keeps limits that a user sets, and whether steps take longer than those of a baseline, for
//! continuous integration. The figures of a step are those of `steplens.steps/1`, those against a baseline of `steplens.compare/1`.

mod growth;
mod past;
mod regression;

pub use growth::{GrowthLimits, GrowthRow};
pub use past::{MOST_STEPS, Past};
pub use regression::{NewFinding, Regression};

use crate::csv::Sheet;
use crate::text;
use serde::Serialize;
use std::io::{self, Write};
use steplens_core::steps::figures::{StepFigures, step_figures};
use steplens_core::steps::rule::Steps;
use steplens_core::{Nanos, Trace};

/// The limits for every step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The longest time of a step.
    pub step: Option<Nanos>,
    /// The largest share of exposed communication in a step: 1 is all of it.
    pub exposed_communication: Option<f64>,
}

/// The result of the check.
#[derive(Serialize)]
pub struct Check<'a> {
    schema: &'static str,
    /// Whether every step keeps every limit, and all together take no longer than the baseline allows.
    pub passed: bool,
    /// The number of steps with ops.
    pub steps: usize,
    /// Each limit that was set.
    pub limits: Vec<LimitRow>,
    /// How the steps compare with those of a baseline; null without one.
    pub baseline: Option<Regression<'a>>,
}

/// A limit, and the step that is nearest to it or exceeds it most.
#[derive(Serialize)]
pub struct LimitRow {
    /// The option that sets it: `max-step` or `max-exposed-communication`.
    pub limit: &'static str,
    /// The unit of the limit and of the worst figure: `ns`, or a `share` of the step.
    pub unit: &'static str,
    /// The limit.
    pub most_allowed: f64,
    /// The largest figure of any step.
    pub worst: f64,
    /// The step with that figure: its number in the list of `steplens steps`, from 1.
    pub worst_step: usize,
    /// The numbers of the steps that exceed the limit.
    pub over: Vec<usize>,
}

/// What the check comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every limit is kept.
    Passed,
    /// A limit is exceeded.
    Failed,
    /// No limit is exceeded, but too few steps were recorded to compare them with a baseline.
    NotJudged,
}

/// Compares the `steps` of `trace` with `limits`.
pub fn of<'a>(trace: &Trace, steps: &Steps, limits: Limits) -> Check<'a> {
    let figures = step_figures(trace, steps);
    let counted: Vec<(usize, &StepFigures)> =
        (1..).zip(&figures).zip(steps.rows()).filter(|(_, step)| step.ops > 0).map(|(own, _)| own).collect();
    let row = |limit, unit, most_allowed: f64, figure: &dyn Fn(&StepFigures) -> f64| {
        let mut row = LimitRow { limit, unit, most_allowed, worst: 0.0, worst_step: 0, over: Vec::new() };
        for &(step, own) in &counted {
            let figure = figure(own);
            if row.worst_step == 0 || figure > row.worst {
                (row.worst, row.worst_step) = (figure, step);
            }
            row.over.extend((figure > most_allowed).then_some(step));
        }
        row
    };
    let length =
        limits.step.map(|most| row("max-step", "ns", most.0 as f64, &|own| own.split.window.0 as f64));
    let exposed = limits.exposed_communication.map(|most| {
        row("max-exposed-communication", "share", most, &|own| {
            own.split.exposed_communication.0 as f64 / own.split.window.0.max(1) as f64
        })
    });
    let limits: Vec<LimitRow> = length.into_iter().chain(exposed).collect();
    Check {
        schema: "steplens.check/1",
        passed: limits.iter().all(|row| row.over.is_empty()),
        steps: counted.len(),
        limits,
        baseline: None,
    }
}

impl<'a> Check<'a> {
    /// Adds how the steps compare with a baseline.
    #[must_use]
    pub fn against(mut self, regression: Regression<'a>) -> Self {
        self.passed &= regression.is_passed();
        self.baseline = Some(regression);
        self
    }

    /// What all limits come to.
    pub fn verdict(&self) -> Verdict {
        let is_over = self.limits.iter().any(|row| !row.over.is_empty());
        match &self.baseline {
            _ if self.passed => Verdict::Passed,
            Some(own) if !own.is_over() && !is_over => Verdict::NotJudged,
            _ => Verdict::Failed,
        }
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }

    /// Writes one limit per row. `over` is the number of steps that exceed it. With a baseline, `max-regression` follows: how
    /// much longer the median may be, and is; then what else may grow.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut sheet =
            Sheet::new(out, &["limit", "unit", "most_allowed", "worst", "worst_step", "over", "passed"])?;
        for row in &self.limits {
            sheet.text(row.limit)?;
            sheet.text(row.unit)?;
            sheet.figures([row.most_allowed, row.worst])?;
            sheet.figures([row.worst_step, row.over.len()])?;
            sheet.figures([row.over.is_empty()])?;
            sheet.end()?;
        }
        if let Some(own) = &self.baseline {
            sheet.text("max-regression")?;
            sheet.text("share")?;
            sheet.figures([own.most_allowed])?;
            sheet.maybe(own.growth)?;
            sheet.text("")?;
            sheet.figures([usize::from(own.verdict == "over")])?;
            sheet.figures([own.verdict == "within"])?;
            sheet.end()?;
            for row in own.with_limit() {
                sheet.text(row.limit)?;
                sheet.text(if row.limit == "max-new-findings" { "count" } else { "share" })?;
                sheet.maybe(row.most_allowed)?;
                sheet.maybe(row.growth)?;
                sheet.text("")?;
                sheet.figures([usize::from(row.verdict == "over")])?;
                sheet.figures([row.is_kept()])?;
                sheet.end()?;
            }
        }
        sheet.finish()
    }
}
