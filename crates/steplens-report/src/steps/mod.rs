//! `steplens.steps/1`: the steps and runs in the files, each with its figures, and the usual figures.

mod csv;

pub use csv::write_csv;

use crate::summary::Split;
use crate::text;
use serde::Serialize;
use steplens_core::Trace;
use steplens_core::model::file::FileReport;
use steplens_core::model::part::Part;
use steplens_core::steps::figures::{self, StepFigures, is_usual, step_figures};
use steplens_core::steps::first::first_shown;
use steplens_core::steps::rule::{self, Apart, StepRule, Steps};

/// `steplens.steps/1`: the steps in order of time; steps without ops come last.
#[derive(Serialize)]
struct StepList<'a> {
    schema: &'static str,
    /// The rule for steps: `content`, `file`, `part` or `together`.
    rule: &'static str,
    /// Why one step is shown first: `listed` or `far`; left out if all are shown on one axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<&'static str>,
    /// The row of `steps` with a usual step, which is shown first if only one is shown; null if no step has ops.
    first: Option<usize>,
    steps: Vec<Step<'a>>,
    usual: UsualFigures,
}

/// A step or run in the files. The split is that of all its devices together.
#[derive(Serialize)]
struct Step<'a> {
    /// The file of its first part.
    file: &'a str,
    /// The name in the container; empty without one.
    name: &'a str,
    /// The number in the container.
    number: Option<i64>,
    /// When it was recorded, in ns from 1970 as decimal text, because it does not fit in a double.
    recorded_unix_ns: Option<String>,
    /// Other facts in the container, as (name, value).
    facts: Vec<(&'a str, &'a str)>,
    /// The number of its parts (messages, records, documents).
    parts: usize,
    ops: u64,
    /// Whether it is no step: what ran before the first one that its file numbers.
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
pub fn answer<'a>(
    trace: &'a Trace,
    steps: &Steps,
    rule: StepRule,
    files: &'a [FileReport],
) -> impl Serialize + use<'a> {
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
            file: part.and_then(|part| files.get(part.file as usize)).map_or("", |file| &file.name),
            name: part.map_or("", |part| trace.text(part.name)),
            number: part.and_then(|part| part.step),
            recorded_unix_ns: part.and_then(|part| part.recorded_unix_ns).map(|at| at.to_string()),
            facts: facts.iter().map(|&(what, value)| (trace.text(what), trace.text(value))).collect(),
            parts: step.parts.len(),
            ops: step.ops,
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
