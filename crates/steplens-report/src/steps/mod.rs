//! `steplens.steps/1`: the steps and runs in the files, each with its figures, and the usual figures.

use crate::csv::sheet;
use crate::options::{self, BadOption};
use crate::question::{NoSheet, Question, Shown};
use crate::summary::Split;
use crate::text;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::sync::Arc;
use steplens_core::model::file::FileReport;
use steplens_core::model::part::Part;
use steplens_core::steps::ended_by::ended_by;
use steplens_core::steps::figures::{self, StepFigures, is_usual, step_figures};
use steplens_core::steps::first::first_shown;
use steplens_core::steps::rule::{self, Apart, StepRule, Steps};
use steplens_core::{Category, Trace, View};

/// The steps and runs in the files.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// What makes a step: `content`, `file`, `part` or `together`; as what is shown was divided if it is not chosen.
    #[cfg_attr(feature = "program", arg(skip))]
    pub rule: Option<String>,
}

impl Question for Options {
    const NAME: &'static str = "steps";
    type Answer<'a> = StepList;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        let (trace, steps, rule) = self.divided(shown)?;
        Ok(answer(&trace, &steps, rule, shown.files))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        let (trace, steps, _) = self.divided(shown)?;
        Ok(write_csv(&trace, &steps, shown.files, out)?)
    }
}

/// One step per row.
fn write_csv(trace: &Trace, steps: &Steps, files: &[FileReport], out: &mut impl Write) -> io::Result<()> {
    let rows = steps.rows().iter().zip(step_figures(trace, steps)).map(|(step, own)| {
        let part = step.parts.first().and_then(|part| trace.parts().get(part.index()));
        (step, own.split, own.transferred, part)
    });
    sheet!(out, (step, split, transferred, part) in rows, {
        file: part.and_then(|part| files.get(part.file as usize)).map(|file| &*file.name),
        name: part.map(|part| trace.text(part.name)),
        number: part.and_then(|part| part.step),
        recorded_unix_ns: part.and_then(|part| part.recorded_unix_ns),
        parts: step.parts.len(),
        ops: step.ops,
        start_ns: step.span.start.0,
        window_ns: split.window.0,
        compute_ns: split.part(Category::Compute).0,
        exposed_input_ns: split.part(Category::Input).0,
        exposed_copy_ns: split.part(Category::Copy).0,
        exposed_communication_ns: split.part(Category::Communication).0,
        exposed_launch_ns: split.part(Category::Launch).0,
        exposed_allocation_ns: split.part(Category::Allocation).0,
        exposed_waiting_ns: split.part(Category::Waiting).0,
        idle_ns: split.idle.0,
        transferred_bytes: transferred.0,
        pause_before_ns: step.pause_before.0,
    })
}

impl Options {
    /// The steps by the rule, and the trace that they belong to, with the repairs and aligned clocks of what is shown.
    fn divided(&self, shown: &Shown<'_>) -> Result<(Arc<Trace>, Steps, StepRule), BadOption> {
        let view = shown.study.view();
        let rule = self.rule.as_deref().map_or(Ok(view.rule), options::step_rule)?;
        let (trace, steps) = View { step: None, rule, ..view.clone() }.steps(shown.whole);
        Ok((trace, steps, rule))
    }
}

/// `steplens.steps/1`: the steps in order of time; steps without ops come last.
#[derive(Serialize)]
pub struct StepList {
    schema: &'static str,
    /// The rule for steps: `content`, `file`, `part` or `together`.
    rule: &'static str,
    /// Why one step is shown first: `listed` or `far`; left out if all are shown on one axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<&'static str>,
    /// The name of the range with which each step ends, if that marks the steps; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_by: Option<String>,
    /// The row of `steps` with a usual step, which is shown first if only one is shown; null if no step has ops.
    first: Option<usize>,
    steps: Vec<Step>,
    usual: UsualFigures,
}

/// A step or run in the files. The split is that of all its devices together.
#[derive(Serialize)]
struct Step {
    /// The file of its first part.
    file: String,
    /// The name in the container; empty without one.
    name: String,
    /// The number in the container.
    number: Option<i64>,
    /// When it was recorded, in ns from 1970 as decimal text, because it does not fit in a double.
    recorded_unix_ns: Option<String>,
    /// Other facts in the container, as (name, value).
    facts: Vec<(String, String)>,
    /// The number of its parts (messages, records, documents).
    parts: usize,
    ops: u64,
    /// What texts call it: `number`, if each step has one of its own, else its place among the steps, from 1; null if it is no step.
    called: Option<i64>,
    /// Whether it is no step: what ran before the first one that its file numbers, or a run of another graph than the steps are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_before: bool,
    /// Relative to the trace's origin.
    start_ns: i64,
    /// How long before it the step before it had ended, where a program marks its steps; otherwise 0.
    pause_before_ns: i64,
    #[serde(flatten)]
    split: Split,
    transferred_bytes: u64,
    /// Whether its length stands out among the others.
    stands_out: bool,
}

#[derive(Serialize)]
struct UsualFigures {
    window_ns: Option<Usual>,
    compute_ns: Option<Usual>,
    exposed_input_ns: Option<Usual>,
    exposed_copy_ns: Option<Usual>,
    exposed_communication_ns: Option<Usual>,
    exposed_launch_ns: Option<Usual>,
    exposed_allocation_ns: Option<Usual>,
    exposed_waiting_ns: Option<Usual>,
    idle_ns: Option<Usual>,
    transferred_bytes: Option<Usual>,
    ops: Option<Usual>,
}

/// The usual values of a figure, over the steps with ops.
#[derive(Serialize)]
struct Usual {
    mean: f64,
    deviation: f64,
    min: i64,
    p50: i64,
    p99: i64,
    max: i64,
}

/// `steplens.steps/1`: the steps of `trace`, read from `files`, and the usual figures.
pub fn json(trace: &Trace, steps: &Steps, rule: StepRule, files: &[FileReport]) -> String {
    text(&answer(trace, steps, rule, files))
}

/// The object as a value.
pub fn answer(trace: &Trace, steps: &Steps, rule: StepRule, files: &[FileReport]) -> StepList {
    let figures = step_figures(trace, steps);
    let is_usual = is_usual(steps);
    let first = first_shown(steps, &figures, &is_usual);
    let all = || steps.rows().iter().zip(&figures).zip(&is_usual);
    let counted = || all().filter(|(_, is_usual)| **is_usual).map(|(step, _)| step);
    let usual = |figure: &dyn Fn(&rule::Step, &StepFigures) -> i64| {
        figures::Usual::computed(counted().map(|(step, figures)| figure(step, figures)))
    };
    let windows = usual(&|_, own| own.split.window.0);
    let rows = all().map(|((step, own), is_usual)| {
        let part: Option<&Part> = step.parts.first().and_then(|part| trace.parts().get(part.index()));
        let facts = part.map_or(&[][..], |part| &part.facts);
        Step {
            file: part
                .and_then(|part| files.get(part.file as usize))
                .map_or("", |file| &file.name)
                .to_owned(),
            name: part.map_or("", |part| trace.text(part.name)).to_owned(),
            number: part.and_then(|part| part.step),
            recorded_unix_ns: part.and_then(|part| part.recorded_unix_ns).map(|at| at.to_string()),
            facts: facts
                .iter()
                .map(|&fact| <[_; 2]>::from(fact).map(|text| trace.text(text).to_owned()).into())
                .collect(),
            parts: step.parts.len(),
            ops: step.ops,
            called: step.called,
            is_before: step.is_before,
            start_ns: step.span.start.0,
            pause_before_ns: step.pause_before.0,
            split: own.split.into(),
            transferred_bytes: own.transferred.0,
            stands_out: *is_usual && windows.is_some_and(|usual| usual.stands_out(own.split.window.0)),
        }
    });
    let rows = rows.collect();
    StepList {
        schema: "steplens.steps/1",
        rule: rule.word(),
        apart: steps.apart(trace).map(Apart::word),
        ended_by: ended_by(trace, steps).map(str::to_owned),
        first,
        steps: rows,
        usual: UsualFigures {
            compute_ns: usual_ns(usual(&|_, own| own.split.compute.0)),
            exposed_input_ns: usual_ns(usual(&|_, own| own.split.exposed_input.0)),
            exposed_copy_ns: usual_ns(usual(&|_, own| own.split.exposed_copy.0)),
            exposed_communication_ns: usual_ns(usual(&|_, own| own.split.exposed_communication.0)),
            exposed_launch_ns: usual_ns(usual(&|_, own| own.split.exposed_launch.0)),
            exposed_allocation_ns: usual_ns(usual(&|_, own| own.split.exposed_allocation.0)),
            exposed_waiting_ns: usual_ns(usual(&|_, own| own.split.exposed_waiting.0)),
            idle_ns: usual_ns(usual(&|_, own| own.split.idle.0)),
            transferred_bytes: usual_ns(usual(&|_, own| own.transferred.0 as i64)),
            ops: usual_ns(usual(&|step, _| step.ops as i64)),
            window_ns: usual_ns(windows),
        },
    }
}

fn usual_ns(usual: Option<figures::Usual>) -> Option<Usual> {
    usual.map(|figures::Usual { mean, deviation, min, p50, p99, max, .. }| Usual {
        mean,
        deviation,
        min,
        p50,
        p99,
        max,
    })
}
