//! A trace as a member of a fleet: its tasks, and the numbers of its steps in its run.

use super::date::day;
use std::collections::{BTreeMap, BTreeSet};
use steplens_core::fleet::task;
use steplens_core::fleet::units::{UnitStep, Units};
use steplens_core::steps::figures::is_usual;
use steplens_core::steps::rule::Steps;
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{DeviceId, StringId, Study};

/// What the path of a file says about its trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathSays {
    /// Its task.
    pub task: Option<String>,
    /// The number of its step.
    pub step: Option<i64>,
    /// Whether the user wrote down how paths are to be read: then they decide, and else only where the trace does not say it.
    pub decides: bool,
}

/// The number of what ran outside of the steps, where the trace numbers them. It is in the tables of the export alone.
const OUTSIDE: i64 = -1;

/// A trace of a fleet.
pub struct Member<'a> {
    pub(crate) study: &'a Study,
    pub(crate) file: &'a str,
    pub(crate) path: &'a PathSays,
    pub(super) steps: StepOfOp,
    pub(super) units: Units<'a>,
    /// Of each step that [`StepOfOp`] counts.
    numbers: Vec<i64>,
    /// What says the numbers: `trace`, `path`, `place`.
    pub step_from: &'static str,
    tasks: BTreeMap<&'a str, String>,
    /// The steps and tasks in which an accelerator has ops.
    pub(super) accelerated: BTreeSet<(usize, String)>,
}

impl<'a> Member<'a> {
    /// The trace of `study`, which is from `file`.
    pub fn new(study: &'a Study, file: &'a str, path: &'a PathSays) -> Self {
        let (trace, steps) = (study.trace(), StepOfOp::indexed(study));
        let (numbers, step_from) = numbers(study, &steps, path);
        let units = Units::of(study, &steps);
        let mut own = Self {
            study,
            file,
            path,
            steps,
            units,
            numbers,
            step_from,
            tasks: BTreeMap::new(),
            accelerated: BTreeSet::new(),
        };
        let tasks = trace.devices().ids().map(|id| (trace.text(trace.devices().get(id).name), own.task(id)));
        own.tasks = tasks.collect();
        let unit = |step: &UnitStep| &own.units.rows[step.unit];
        let accelerated = own.units.steps.iter().filter(|step| unit(step).is_accelerator);
        own.accelerated = accelerated.map(|step| (step.step, own.task_called(unit(step).task))).collect();
        own
    }

    /// How many steps it has.
    pub fn step_count(&self) -> usize {
        let own = self.units.steps.iter().map(|own| own.step).filter(|&step| self.counts(step));
        let mut steps: Vec<usize> = own.collect();
        steps.sort_unstable();
        steps.dedup();
        steps.len()
    }

    /// Whether `step` is one: where the trace numbers its steps, what ran outside of them is none.
    pub(super) fn counts(&self, step: usize) -> bool {
        self.steps.is_one() || self.step_from != "trace" || self.number(step) != OUTSIDE
    }

    /// The number of `step` in its run.
    pub(super) fn number(&self, step: usize) -> i64 {
        self.numbers.get(step).copied().unwrap_or(step as i64 + 1)
    }

    /// The number of the step at `place`, which the tables of the export count from 1.
    pub(super) fn number_of_place(&self, place: i64) -> i64 {
        usize::try_from(place - 1).map_or(place, |step| self.number(step))
    }

    /// The task of `device`; empty if nothing says it.
    pub(super) fn task(&self, device: DeviceId) -> String {
        self.task_called(task(self.study.trace(), device))
    }

    /// The task that a trace calls `said`.
    pub(super) fn task_called(&self, said: Option<StringId>) -> String {
        let of_path = self.path.task.as_deref();
        let said = said.map(|task| self.study.trace().text(task));
        let decided = if self.path.decides { of_path.or(said) } else { said.or(of_path) };
        decided.unwrap_or_default().to_owned()
    }

    /// The task of the device called `name`.
    pub(super) fn task_of_device(&self, name: &str) -> Option<&str> {
        self.tasks.get(name).map(String::as_str).filter(|task| !task.is_empty())
    }

    /// The task of a place that a transfer names, which may have no ops here.
    pub(super) fn task_of_place(&self, name: &str) -> String {
        let known = self.tasks.get(name).cloned();
        known.or_else(|| steplens_core::model::device::task_of(name).map(str::to_owned)).unwrap_or_default()
    }

    /// When `step` began, in ns from 1970.
    pub(super) fn start_unix_ns(&self, step: usize) -> i64 {
        self.study.trace().origin_unix_ns().saturating_add(self.steps.span(step).start.0)
    }

    /// The day on which `step` began.
    pub(super) fn day(&self, step: usize) -> String {
        day(self.start_unix_ns(step))
    }
}

/// The task without its number: tasks of one job are peers.
pub(super) fn job(task: &str) -> &str {
    let name = task.trim_end_matches(|c: char| c.is_ascii_digit());
    if name.len() == task.len() {
        return task;
    }
    name.strip_suffix("/task:").unwrap_or(name.trim_end_matches(['-', '_', ' ', ':', '/', '.']))
}

/// The number of each step, and what says it.
fn numbers(study: &Study, steps: &StepOfOp, path: &PathSays) -> (Vec<i64>, &'static str) {
    let trace = study.trace();
    let divided = Steps::divided(trace, study.view().rule);
    let of_row = |row: usize| {
        let first = divided.rows().get(row)?.parts.first()?;
        trace.parts().get(first.index())?.step
    };
    let with_ops = || (0..divided.rows().len()).filter(|&row| divided.rows()[row].ops > 0);
    if steps.is_one() {
        let said = with_ops().find_map(of_row);
        let (number, from) = match (said, path.step) {
            (_, Some(step)) if path.decides => (step, "path"),
            (Some(said), _) => (said, "trace"),
            (None, Some(step)) => (step, "path"),
            (None, None) => (1, "place"),
        };
        return (vec![number; steps.end()], from);
    }
    let usual = is_usual(&divided);
    let counts = |row: usize| usual.get(row) == Some(&true);
    // A number that two steps have is none.
    let mut said: Vec<i64> = with_ops().filter(|&row| counts(row)).filter_map(of_row).collect();
    let count = said.len();
    said.sort_unstable();
    said.dedup();
    let is_number = said.first().is_some_and(|&first| first > OUTSIDE);
    let is_said = is_number && count == with_ops().filter(|&row| counts(row)).count() && said.len() == count;
    let number = |row: usize| match of_row(row) {
        Some(number) if is_said => number,
        _ if is_said => OUTSIDE,
        _ => row as i64 + 1,
    };
    ((0..steps.end()).map(number).collect(), if is_said { "trace" } else { "place" })
}

#[cfg(test)]
mod tests {
    use super::job;

    #[test]
    fn tasks_of_one_job_are_peers() {
        for (task, expected) in [
            ("/job:worker/replica:0/task:12", "/job:worker/replica:0"),
            ("rank 3", "rank"),
            ("worker-07", "worker"),
            ("host", "host"),
            ("", ""),
            ("7", ""),
        ] {
            assert_eq!(job(task), expected, "{task}");
        }
    }
}
