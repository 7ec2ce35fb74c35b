//! Joins the events of a document: kernels with the calls that launched them, and all events with the program's steps.

use super::number::integer;
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
    /// (start, number) of the steps.
    steps: Vec<(i64, i64)>,
    /// (start, number, row) of the ranges that mark them.
    marks: Vec<(i64, i64, u32)>,
}

impl Launches {
    /// Adds the correlation of the op in `row`, which is a call, or was launched by a call.
    pub(super) fn add(&mut self, correlation: &[u8], row: u32, is_call: bool) {
        // TensorFlow's JSON writes large numbers as `$$1`, which are not correlations.
        let Some(number) = integer(correlation).filter(|&number| number != 0) else { return };
        if is_call { &mut self.calls } else { &mut self.kernels }.push((number, row));
    }

    /// Adds a step called `ProfilerStep#12` that starts at `start_unix_ns`. `row` is the row of its op, unless it was left out.
    pub(super) fn add_step(&mut self, name: &[u8], start_unix_ns: i64, row: Option<u32>) {
        let Some(number) = name.strip_prefix(b"ProfilerStep#").and_then(integer) else { return };
        self.steps.push((start_unix_ns, number));
        self.marks.extend(row.map(|row| (start_unix_ns, number, row)));
    }

    /// Joins everything since `mark`. Times were moved by `moved_ns` after they were added here.
    pub(super) fn join(mut self, mark: Mark, moved_ns: i64, builder: &mut TraceBuilder) {
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
        let mut steps = self.steps;
        if steps.is_empty() {
            return;
        }
        steps.iter_mut().for_each(|(start, _)| *start = start.saturating_add(moved_ns));
        order::by_number(&mut steps, |step| step);
        // Several threads may mark the same step; the same number later is a step of another run.
        steps.dedup_by_key(|step| step.1);
        let run = PartRecord { is_run: true, ..PartRecord::default() };
        let parts: Vec<_> = steps
            .iter()
            .map(|&(_, number)| builder.add_part(0, &PartRecord { step: Some(number), ..run }))
            .collect();
        order::by_number(&mut joined, |(kernel, _)| (i64::from(kernel), 0));
        // A kernel belongs to the step that launched it.
        let begun = |builder: &TraceBuilder, row: u32| {
            let call =
                joined.binary_search_by_key(&row, |&(kernel, _)| kernel).ok().map(|place| joined[place].1);
            builder.start_of(call.unwrap_or(row))
        };
        let step_at = |at: i64| steps.partition_point(|&(start, _)| start <= at).checked_sub(1);
        for (start, number, row) in self.marks {
            let step = step_at(start.saturating_add(moved_ns)).filter(|&step| steps[step].1 == number);
            step.into_iter().for_each(|step| builder.mark_step(parts[step], row));
        }
        let counts = |row: u32| !builder.is_range(row) && !builder.is_discarded(row);
        let is_before = |row: u32| step_at(begun(builder, row)).is_none() && counts(row);
        let has_before = builder.rows_since(mark).any(is_before);
        let name = say!("step-before-first");
        let before = has_before.then(|| builder.add_part(0, &PartRecord { name, ..run }));
        builder.divide_since(mark, |builder, row| {
            match step_at(begun(builder, row)) {
                Some(step) => parts.get(step).copied(),
                // Ranges before the first step do not make a separate step.
                None if builder.is_range(row) => parts.first().copied(),
                None => before,
            }
        });
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        (self.kernels.capacity() + self.calls.capacity() + self.steps.capacity()) * 16
            + self.marks.capacity() * size_of::<(i64, i64, u32)>()
    }
}
