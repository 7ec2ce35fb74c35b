//! A step as a period: from its mark, or the end of the step before it, to the end of the work that it launched.
//!
//! A program that marks its steps runs ahead of its devices: it launches the work of step 5 while they still work on step 1. So a
//! step ends when its mark on the host and the last work launched in it have ended, and starts with its mark or at the end of the
//! step before, whichever is later. Steps of the same files do not overlap, and their lengths add up to the time that the run took.
//! Where an optimizer's step marks the end of each step, the first op on that thread is the start.
//! The rule is from TensorBoard's plugin for PyTorch (pytorch/kineto#325).
//!
//! Work is done in a period, whatever step launched it: a device is idle only when it does nothing at all.

use super::step::{Step, StepOfPart};
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::accelerators::accelerators;
use crate::{Category, DeviceId, OpId, Trace};

/// Which steps are periods. Files with steps in common are one run, in which steps follow one another.
#[derive(Clone, Debug, Default)]
pub(super) struct Periods {
    /// The run of each file; empty if no step is a period.
    run_of_file: Vec<u32>,
    /// The rows of the periods, by run and time.
    in_order: Vec<(u32, usize)>,
}

/// What the marks of a step say.
#[derive(Clone, Copy)]
struct Marked {
    start: Timestamp,
    end: Timestamp,
    /// The end of the step as devices mark it: it says which work without a recorded launch is of the step, and no more, because a device
    /// marks its steps until the next one.
    on_devices: Option<Timestamp>,
    /// Whether only devices mark it: then it is the time from the first to the last work that they did for it and began before the mark
    /// ended.
    is_by_devices: bool,
}

impl Periods {
    /// Finds the periods of `steps`, and sets their spans.
    pub(super) fn found(trace: &Trace, rows: &mut [Step], steps: &StepOfPart) -> Self {
        if trace.marks().is_empty() {
            return Self::default();
        }
        let marked = marks_of_rows(trace, rows.len(), steps);
        let mut own = Self { run_of_file: runs_of_files(trace, rows), in_order: Vec::new() };
        let is_marked = |&row: &usize| marked[row].is_some();
        let in_run = |row: usize| Some((own.run_of(trace, &rows[row])?, row));
        own.in_order = (0..rows.len()).filter(is_marked).filter_map(in_run).collect();
        let start_of = |row: usize| marked[row].map_or(i64::MAX, |own| own.start.0);
        order::by_number(&mut own.in_order, |(_, row)| (start_of(row), row as i64));
        order::by_number(&mut own.in_order, |(run, _)| (i64::from(run), 0));
        let mut ends = vec![Timestamp(i64::MIN); rows.len()];
        let mut first_launched = vec![Timestamp(i64::MAX); rows.len()];
        each_launched(trace, &working_devices(trace), |op, launched| {
            let Some(row) = steps.get(trace.ops().part(op)) else { return };
            let Some(mark) = marked[row] else { return };
            if launched.is_some() {
                first_launched[row] = first_launched[row].min(trace.ops().start(op));
            }
            // What was launched after the step, and before the next one, is of neither.
            let is_own = match launched {
                _ if mark.is_by_devices => mark.on_devices.is_none_or(|end| trace.ops().start(op) < end),
                Some(at) => at < mark.end,
                None => trace.ops().start(op) < mark.on_devices.map_or(mark.end, |end| end.max(mark.end)),
            };
            if is_own {
                ends[row] = ends[row].max(trace.ops().end(op));
            }
        });
        let left = own.left_of_earlier_steps(trace, &first_launched);
        let mut before: Option<(u32, Timestamp)> = None;
        for &(run, row) in &own.in_order {
            let Some(mark) = marked[row] else { continue };
            let last = before.filter(|&(other, _)| other == run).map(|(_, end)| end);
            let left = left.get(run as usize).copied().filter(|_| last.is_none());
            let start = mark.start.max(last.or(left).unwrap_or(mark.start));
            let end = mark.end.max(ends[row]).max(start);
            let step = &mut rows[row];
            step.span = Interval { start, end };
            step.pause_before = last.map_or(Nanos(0), |last| start - last);
            step.is_period = true;
            before = Some((run, end));
        }
        own.end_earlier_steps(trace, rows);
        let others = own.work_of_others(trace, rows, steps, &working_devices(trace));
        rows.iter_mut().zip(others).for_each(|(step, others)| step.ops += others);
        own
    }

    /// For each run when its devices had done what was launched before the recording began: work without a recorded launch that started before
    /// any work of the first step. The first step starts then, as later ones do when the step before them ends.
    fn left_of_earlier_steps(&self, trace: &Trace, first_launched: &[Timestamp]) -> Vec<Timestamp> {
        let runs = self.in_order.last().map_or(0, |&(run, _)| run as usize + 1);
        let mut left = vec![Timestamp(i64::MIN); runs];
        let first = |run: u32| self.rows_of_run(run).first().map(|&(_, row)| first_launched[row]);
        let firsts: Vec<Option<Timestamp>> = (0..runs as u32).map(first).collect();
        each_launched(trace, &working_devices(trace), |op, launched| {
            let file = trace.parts().get(trace.ops().part(op).index()).map(|part| part.file as usize);
            let Some(run) = file.and_then(|file| self.run_of_file.get(file)).map(|&run| run as usize) else {
                return;
            };
            let is_early = |first: Timestamp| first < Timestamp(i64::MAX) && trace.ops().start(op) < first;
            if launched.is_none() && firsts.get(run).copied().flatten().is_some_and(is_early) {
                left[run] = left[run].max(trace.ops().end(op));
            }
        });
        left
    }

    /// Whether no step is a period.
    pub(super) fn is_empty(&self) -> bool {
        self.in_order.is_empty()
    }

    /// What ran before the first marked step of a run is no step: it is shown until that step starts.
    fn end_earlier_steps(&self, trace: &Trace, rows: &mut [Step]) {
        for row in 0..rows.len() {
            let first = self.run_of(trace, &rows[row]).and_then(|run| self.rows_of_run(run).first());
            let Some(first) = first.map(|&(_, first)| rows[first].span.start) else { continue };
            let step = &mut rows[row];
            if !step.is_period && step.ops > 0 && step.span.start < first {
                step.span.end = step.span.end.min(first);
            }
        }
    }

    /// For each step how many ops `devices`, which are accelerators, worked on for other steps in its period; 0 for others.
    pub(super) fn work_of_others(
        &self,
        trace: &Trace,
        rows: &[Step],
        steps: &StepOfPart,
        devices: &[DeviceId],
    ) -> Vec<u64> {
        let mut place_of_row = vec![usize::MAX; rows.len()];
        self.in_order.iter().enumerate().for_each(|(place, &(_, row))| place_of_row[row] = place);
        let mut changes = vec![0_i64; self.in_order.len() + 1];
        each_launched(trace, devices, |op, _| {
            let Some((first, end)) = self.rows_during(trace, rows, op) else { return };
            changes[first] += 1;
            changes[end] -= 1;
            let own = steps.get(trace.ops().part(op)).map(|row| place_of_row[row]);
            if let Some(place) = own.filter(|place| (first..end).contains(place)) {
                changes[place] -= 1;
                changes[place + 1] += 1;
            }
        });
        let mut others = 0;
        let mut found = vec![0; rows.len()];
        for (change, &(_, row)) in changes.into_iter().zip(&self.in_order) {
            others += change;
            found[row] = others.max(0) as u64;
        }
        found
    }

    /// The places in `in_order` of the periods in which `op` ran.
    fn rows_during(&self, trace: &Trace, all: &[Step], op: OpId) -> Option<(usize, usize)> {
        let part = trace.parts().get(trace.ops().part(op).index())?;
        let run = *self.run_of_file.get(part.file as usize)?;
        let Interval { start, end } = trace.ops().interval(op);
        let begun = self.in_order.partition_point(|&(other, _)| other < run);
        let rows = self.rows_of_run(run);
        let span = |&(_, row): &(u32, usize)| all[row].span;
        let first = rows.partition_point(|row| span(row).end <= start);
        let last = rows.partition_point(|row| span(row).start < end);
        (first < last).then_some((begun + first, begun + last))
    }

    /// The rows of a run's periods, in order of time.
    fn rows_of_run(&self, run: u32) -> &[(u32, usize)] {
        let first = self.in_order.partition_point(|&(other, _)| other < run);
        let count = self.in_order[first..].partition_point(|&(other, _)| other == run);
        &self.in_order[first..first + count]
    }

    /// The run of a step.
    fn run_of(&self, trace: &Trace, step: &Step) -> Option<u32> {
        let part = trace.parts().get(step.parts.first()?.index())?;
        self.run_of_file.get(part.file as usize).copied()
    }

    /// The run of `op`, if any step is a period.
    pub(super) fn run_of_op(&self, trace: &Trace, op: OpId) -> Option<u32> {
        let part = trace.parts().get(trace.ops().part(op).index())?;
        self.run_of_file.get(part.file as usize).copied()
    }

    /// The rows of the periods of `run`, in order of time.
    pub(super) fn of_run(&self, run: u32) -> impl Iterator<Item = usize> {
        self.rows_of_run(run).iter().map(|&(_, row)| row)
    }

    /// The work of other steps in the period of `step`; `None` if it is no period.
    pub(super) fn beside(&self, trace: &Trace, step: &Step) -> Option<Beside> {
        let run = self.run_of(trace, step).filter(|_| step.is_period)?;
        let mut is_counted = vec![false; trace.devices().len()];
        working_devices(trace).into_iter().for_each(|id| is_counted[id.index()] = true);
        Some(Beside { run, is_counted, window: step.span })
    }
}

/// The work of other steps in one period.
pub(super) struct Beside {
    run: u32,
    is_counted: Vec<bool>,
    window: Interval,
}

impl Beside {
    /// Whether `op` of `device` is work of any step in the period.
    pub(super) fn has(&self, trace: &Trace, periods: &Periods, device: DeviceId, op: OpId) -> bool {
        let interval = trace.ops().interval(op);
        let is_within = interval.start < self.window.end && interval.end > self.window.start;
        is_within
            && self.is_counted.get(device.index()) == Some(&true)
            && is_work(trace, op)
            && periods.run_of_op(trace, op) == Some(self.run)
    }
}

/// What marks each row: a program, or only devices.
fn marks_of_rows(trace: &Trace, count: usize, steps: &StepOfPart) -> Vec<Option<Marked>> {
    let mut is_of_device = vec![false; trace.devices().len()];
    working_devices(trace).into_iter().for_each(|id| is_of_device[id.index()] = true);
    let mut rows: Vec<Option<Marked>> = vec![None; count];
    let mut on_devices: Vec<Option<Timestamp>> = vec![None; count];
    for &(part, op) in trace.marks() {
        let Some(row) = steps.get(part) else { continue };
        let Interval { start, end } = trace.ops().interval(op);
        if is_of_device[trace.device_of(op).index()] {
            on_devices[row] = on_devices[row].max(Some(end));
            continue;
        }
        let mark = rows[row].get_or_insert(Marked { start, end, on_devices: None, is_by_devices: false });
        (mark.start, mark.end) = (mark.start.min(start), mark.end.max(end));
    }
    begin_with_first(trace, &mut rows, steps);
    let mut first: Vec<Option<Timestamp>> = vec![None; count];
    if rows.iter().zip(&on_devices).any(|(row, end)| row.is_none() && end.is_some()) {
        each_launched(trace, &working_devices(trace), |op, _| {
            if let Some(row) = steps.get(trace.ops().part(op)) {
                let start = trace.ops().start(op);
                first[row] = Some(first[row].map_or(start, |first| first.min(start)));
            }
        });
    }
    for ((row, end), first) in rows.iter_mut().zip(on_devices).zip(first) {
        match row {
            Some(mark) => mark.on_devices = end,
            None => {
                let by_devices = |start| Marked { start, end: start, on_devices: end, is_by_devices: true };
                *row = first.filter(|_| end.is_some()).map(by_devices);
            }
        }
    }
    rows
}

/// Lets steps begin with the first op of theirs on the thread that marks them: a mark may be what a step ends with.
fn begin_with_first(trace: &Trace, rows: &mut [Option<Marked>], steps: &StepOfPart) {
    let mut threads: Vec<(DeviceId, u32)> =
        trace.marks_of_hosts().map(|op| (trace.device_of(op), trace.ops().thread(op))).collect();
    threads.sort_unstable();
    threads.dedup();
    for (device, thread) in threads {
        for op in trace.ops_of(device).filter(|&op| trace.ops().thread(op) == thread) {
            let row = steps.get(trace.ops().part(op)).and_then(|row| rows.get_mut(row)?.as_mut());
            row.into_iter().for_each(|mark| mark.start = mark.start.min(trace.ops().start(op)));
        }
    }
}

/// The run of each file: files of one step are of one run.
fn runs_of_files(trace: &Trace, rows: &[Step]) -> Vec<u32> {
    let count = trace.parts().iter().map(|part| part.file as usize + 1).max().unwrap_or(0);
    let mut run_of_file: Vec<u32> = (0..count as u32).collect();
    fn root(runs: &mut [u32], mut file: u32) -> u32 {
        while runs[file as usize] != file {
            runs[file as usize] = runs[runs[file as usize] as usize];
            file = runs[file as usize];
        }
        file
    }
    for step in rows {
        let mut files = step.parts.iter().filter_map(|part| Some(trace.parts().get(part.index())?.file));
        let Some(first) = files.next() else { continue };
        for other in files {
            let [a, b] = [first, other].map(|file| root(&mut run_of_file, file));
            run_of_file[a.max(b) as usize] = a.min(b);
        }
    }
    (0..count as u32).for_each(|file| run_of_file[file as usize] = root(&mut run_of_file, file));
    run_of_file
}

/// The devices of all accelerators.
fn working_devices(trace: &Trace) -> Vec<DeviceId> {
    accelerators(trace).into_iter().flat_map(|one| one.devices).collect()
}

/// Calls `each` with the work of `devices`, and when it was launched, if that is recorded.
fn each_launched(trace: &Trace, devices: &[DeviceId], mut each: impl FnMut(OpId, Option<Timestamp>)) {
    for &device in devices {
        let row = trace.devices().get(device);
        let first = trace.calls().partition_point(|(kernel, _)| kernel.get() < row.first_op);
        let mut calls = trace.calls()[first..].iter().copied().peekable();
        for op in trace.ops_of(device) {
            let call = calls.next_if(|&(kernel, _)| kernel == op).map(|(_, call)| call);
            if is_work(trace, op) {
                let ops = trace.ops();
                each(op, call.map(|call| ops.start(call)).or_else(|| ops.scheduled(op)));
            }
        }
    }
}

/// Whether `op`, of an accelerator, is work: no range, and no waiting.
fn is_work(trace: &Trace, op: OpId) -> bool {
    !matches!(trace.category(op), Category::Range | Category::Waiting)
}
