//! Joins the events of a document: kernels with the calls that launched them, and all events with the program's steps.

use super::number::integer;
use super::{numbered_steps, optimizer_steps};
use crate::step_marks::{Mark as StepMark, Steps};
use steplens_core::base::order;
use steplens_core::build::builder::{Mark, TraceBuilder};
use steplens_core::model::part::PartRecord;
use steplens_messages::say;

/// What was read of a document so far, by row of the file.
#[derive(Default)]
pub(super) struct Launches {
    /// (correlation, row).
    kernels: Vec<(i64, u32)>,
    calls: Vec<(i64, u32)>,
    /// The marks of steps, each with the row of its range unless that was left out.
    marks: Vec<(StepMark, Option<u32>)>,
    /// The rows of the ranges around the steps of optimizers.
    optimizers: Vec<u32>,
    /// (row, step) of each op that names its step.
    numbers: Vec<(u32, i64)>,
    /// (first row, process): which processes of devices the rows are of, in documents whose devices mark steps.
    processes: Vec<(u32, u32)>,
}

impl Launches {
    /// Adds the correlation of the op in `row`, which is a call, or was launched by a call.
    pub(super) fn add(&mut self, correlation: &[u8], row: u32, is_call: bool) {
        // TensorFlow's JSON writes large numbers as `$$1`, which are not correlations.
        let Some(number) = integer(correlation).filter(|&number| number != 0) else { return };
        if is_call { &mut self.calls } else { &mut self.kernels }.push((number, row));
    }

    /// Adds a mark of the step `number` that starts at `start_unix_ns`, on the device of the process `device` or on a host. `row` is the
    /// row of its range, unless it was left out.
    pub(super) fn add_step(
        &mut self,
        number: i64,
        start_unix_ns: i64,
        device: Option<u32>,
        row: Option<u32>,
    ) {
        self.marks.push((StepMark { number, start_unix_ns, length_ns: 0, device }, row));
    }

    /// Says that the op in `row` is of the step `number`.
    pub(super) fn add_number(&mut self, row: u32, number: i64) {
        self.numbers.push((row, number));
    }

    /// Adds the range around a step of an optimizer.
    pub(super) fn add_optimizer(&mut self, row: u32) {
        self.optimizers.push(row);
    }

    /// Says that the op in `row` is of the device of `process`.
    pub(super) fn add_row(&mut self, row: u32, process: u32) {
        if self.processes.last().is_none_or(|&(_, last)| last != process) {
            self.processes.push((row, process));
        }
    }

    /// Joins everything since `mark`. Times were moved by `moved_ns` after they were added here. `others` are (kernel, call) that are joined
    /// already.
    pub(super) fn join(
        mut self,
        mark: Mark,
        moved_ns: i64,
        others: Vec<(u32, u32)>,
        builder: &mut TraceBuilder,
    ) {
        order::by_number(&mut self.calls, |(correlation, row)| (correlation, i64::from(row)));
        self.calls.dedup_by_key(|(correlation, _)| *correlation);
        let call_of = |correlation: i64| {
            let place = self.calls.binary_search_by_key(&correlation, |&(known, _)| known).ok()?;
            Some(self.calls[place].1)
        };
        let mut joined: Vec<(u32, u32)> = self
            .kernels
            .iter()
            .filter_map(|&(correlation, row)| Some((row, call_of(correlation)?)))
            .collect();
        joined.iter().for_each(|&(kernel, call)| builder.set_call(kernel, call));
        joined.extend(others);
        self.marks.iter_mut().for_each(|(mark, _)| {
            mark.start_unix_ns = mark.start_unix_ns.saturating_add(moved_ns);
        });
        if self.marks.is_empty() {
            self.marks = ended_by(&optimizer_steps::ends(mark, &self.optimizers, builder), builder);
        }
        let numbered = match self.marks.is_empty() {
            true => numbered_steps::marks(mark, &self.numbers, builder),
            false => Vec::new(),
        };
        let says_itself = !numbered.is_empty();
        self.marks.extend(numbered.into_iter().map(|mark| (mark, None)));
        if self.marks.is_empty() {
            return;
        }
        let mut steps = Steps::of(self.marks.iter().map(|(mark, _)| *mark).collect());
        let is_work =
            |row: u32| !builder.is_range(row) && !builder.is_discarded(row) && !waits(builder.name_of(row));
        order::by_number(&mut joined, |(kernel, _)| (i64::from(kernel), 0));
        let call_of = |row: u32| {
            joined.binary_search_by_key(&row, |&(kernel, _)| kernel).ok().map(|place| joined[place].1)
        };
        let start = |row: u32| builder.start_of(call_of(row).unwrap_or(row));
        let last = steps.as_slice().last().map_or(i64::MAX, |&(start, _)| start);
        if !builder.rows_since(mark).any(|row| is_work(row) && start(row) >= last) {
            steps.drop_last();
        }
        let run = PartRecord { is_run: true, ..PartRecord::default() };
        let parts: Vec<_> = steps
            .as_slice()
            .iter()
            .map(|&(_, number)| builder.add_part(0, &PartRecord { step: Some(number), ..run }))
            .collect();
        let process_of = |row: u32| {
            let place = self.processes.partition_point(|&(first, _)| first <= row).checked_sub(1)?;
            self.processes.get(place).map(|&(_, process)| process)
        };
        // Work without a recorded launch, before any that has one, was launched before the recording began: it is of no step of it.
        let first_launched = joined.iter().map(|&(kernel, _)| builder.start_of(kernel)).min();
        let is_earlier = |row: &u32| {
            let is_early = first_launched.is_some_and(|first| builder.start_of(*row) < first);
            is_early && call_of(*row).is_none() && !builder.is_range(*row)
        };
        let mut earlier: Vec<u32> = self.kernels.iter().map(|&(_, row)| row).filter(is_earlier).collect();
        earlier.sort_unstable();
        let number_of = |step: usize| steps.as_slice().get(step).map(|&(_, number)| number);
        // Such steps begin in the order of their numbers.
        let own_step = |row: u32| {
            let place = self.numbers.binary_search_by_key(&row, |&(own, _)| own).ok()?;
            let &(_, number) = self.numbers.get(place)?;
            let step = self.marks.binary_search_by_key(&number, |(mark, _)| mark.number).ok()?;
            Some(step).filter(|&step| number_of(step) == Some(number))
        };
        // A kernel belongs to the step that launched it, other work of a device to the one that the device marks.
        let step_of = |builder: &TraceBuilder, row: u32| {
            if earlier.binary_search(&row).is_ok() {
                return None;
            }
            if let Some(step) = says_itself.then(|| own_step(row)).flatten() {
                return Some(step);
            }
            let call = call_of(row).filter(|_| !steps.is_of_devices());
            let start = builder.start_of(call.unwrap_or(row));
            let by_device = process_of(row).filter(|_| call.is_none());
            by_device.and_then(|process| steps.on_device_at(process, start)).or_else(|| steps.at(start))
        };
        for (mark, row) in &self.marks {
            let of_device = mark.device.and_then(|process| steps.on_device_at(process, mark.start_unix_ns));
            let step = of_device.or_else(|| steps.at(mark.start_unix_ns));
            let step = step.filter(|&step| number_of(step) == Some(mark.number));
            step.zip(*row).into_iter().for_each(|(step, row)| builder.mark_step(parts[step], row));
        }
        let counts = |row: u32| !builder.is_range(row) && !builder.is_discarded(row);
        let is_before = |row: u32| step_of(builder, row).is_none() && counts(row);
        let has_before = builder.rows_since(mark).any(is_before);
        let name = say!("step-before-first");
        let before = has_before.then(|| builder.add_part(0, &PartRecord { name, ..run }));
        builder.divide_since(mark, |builder, row| {
            match step_of(builder, row) {
                Some(step) => parts.get(step).copied(),
                // Ranges before the first step do not make a separate step.
                None if builder.is_range(row) => parts.first().copied(),
                None => before,
            }
        });
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        (self.kernels.capacity() + self.calls.capacity()) * 16
            + self.optimizers.capacity() * 4
            + self.numbers.capacity() * 16
            + self.marks.capacity() * size_of::<(StepMark, Option<u32>)>()
            + self.processes.capacity() * 8
    }
}

/// The marks of the steps that end where these ranges do: each begins where the one before it ends.
fn ended_by(ends: &[u32], builder: &TraceBuilder) -> Vec<(StepMark, Option<u32>)> {
    let mut start_unix_ns = i64::MIN;
    let mut marks = Vec::with_capacity(ends.len());
    for (number, &row) in (1..).zip(ends) {
        marks.push((StepMark { number, start_unix_ns, length_ns: 0, device: None }, Some(row)));
        start_unix_ns = builder.run_of(row).1.end;
    }
    marks
}

/// Whether a call of this name only waits: the profiler itself ends so.
fn waits(call: &str) -> bool {
    (call.starts_with("cuda") || call.starts_with("hip")) && call.ends_with("Synchronize")
}
