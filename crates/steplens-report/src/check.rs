//! `steplens.check/1`: whether every step keeps the limits that somebody set, for continuous integration.
//!
//! The figures of a step are those of `steplens.steps/1`.

use crate::csv::Sheet;
use crate::text;
use serde::Serialize;
use std::io::{self, Write};
use steplens_core::steps::figures::{StepFigures, step_figures};
use steplens_core::steps::rule::Steps;
use steplens_core::{Nanos, Trace};

/// What no step may exceed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// How long a step may be.
    pub step: Option<Nanos>,
    /// Which share of a step its exposed communication may be: 1 is all of it.
    pub exposed_communication: Option<f64>,
}

/// What came of the limits.
#[derive(Serialize)]
pub struct Check {
    schema: &'static str,
    /// Whether every step keeps every limit.
    pub passed: bool,
    /// How many steps with ops there are.
    pub steps: usize,
    /// Each limit that was set.
    pub limits: Vec<LimitRow>,
}

/// A limit, and how near the steps come to it.
#[derive(Serialize)]
pub struct LimitRow {
    /// The option that sets it: `max-step` or `max-exposed-communication`.
    pub limit: &'static str,
    /// What it and the worst figure are in: `ns`, or a `share` of the step.
    pub unit: &'static str,
    /// What no step may exceed.
    pub most_allowed: f64,
    /// The largest figure of any step.
    pub worst: f64,
    /// The step that has it: its place in the list of `steplens steps`, from 1.
    pub worst_step: usize,
    /// The steps that exceed the limit.
    pub over: Vec<usize>,
}

/// Sets `limits` against the steps of `trace`, which are `steps`.
pub fn of(trace: &Trace, steps: &Steps, limits: Limits) -> Check {
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
    }
}

impl Check {
    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }

    /// One limit in a row; `over` says how many steps exceed it.
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
        sheet.finish()
    }
}
