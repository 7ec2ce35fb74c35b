//! Steps: which parts of the files are one step, and which are separate steps.
//!
//! If a container names its runs (tags, run ids, step numbers), the names decide; runs of several files with the same step at the
//! same time are processes of that step. For all other parts the ops decide: parts that run at the same time are one step, and so
//! are parts of different devices, which are processes whose clocks may differ. A part that runs a device again, later, is the next
//! step.
//!
//! Runs of another graph than most of the time is spent on are listed, and are no steps: see [`kinds`](super::kinds).
//!
//! A step that a program marked is a period: see [`period`](super::period).

use super::kinds;
use super::period::Periods;
pub use super::step::Step;
use super::step::StepOfPart;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::build::rebuilt::{Placed, Rebuilt};
use crate::gpu::accelerators::has_any;
use crate::model::part::Part;
use crate::{Category, DeviceId, OpId, PartId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// The rule that divides a trace into steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepRule {
    /// By the containers; where they say nothing, by the devices and times of the ops.
    #[default]
    Content,
    /// Every file is a step.
    File,
    /// Every part is a step.
    Part,
    /// Everything is one step: the files are its processes.
    Together,
}

impl StepRule {
    /// All values.
    pub const ALL: [Self; 4] = [Self::Content, Self::File, Self::Part, Self::Together];

    /// Its word on the command line and in the address of the page.
    pub fn word(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::File => "file",
            Self::Part => "part",
            Self::Together => "together",
        }
    }

    /// The rule that `word` stands for.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.word() == word)
    }
}

/// Why one step is shown first, and not all steps on one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// The files list several runs.
    Listed,
    /// More than half of the axis is between the steps.
    Far,
}

impl Apart {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Far => "far",
        }
    }
}

/// When the first numbered step of each file starts; later than all where none is numbered.
fn first_numbered(trace: &Trace) -> Vec<i64> {
    let files = trace.parts().iter().map(|part| part.file as usize + 1).max().unwrap_or(0);
    let mut first = vec![i64::MAX; files];
    for part in trace.parts().iter().filter(|part| part.ops > 0 && part.step.is_some()) {
        let own = &mut first[part.file as usize];
        *own = part.span.start.0.min(*own);
    }
    first
}

/// The steps of a trace, in order of time; steps without ops come last.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    rows: Vec<Step>,
    step_of_part: StepOfPart,
    periods: Periods,
}

impl Steps {
    /// Divides `trace` into steps by `rule`.
    pub fn divided(trace: &Trace, rule: StepRule) -> Self {
        let part = |id: PartId| &trace.parts()[id.index()];
        let mut order: Vec<PartId> = (0..trace.parts().len()).map(PartId::from_usize).collect();
        order.retain(|&id| part(id).ops > 0 || part(id).is_run);
        let first = first_numbered(trace);
        order::by_number(&mut order, |id| match (part(id).ops, part(id).step) {
            (0, _) => (i64::MAX, i64::from(id.get())),
            // What was launched before the first step may run while its host is in that one.
            (_, None) => match first.get(part(id).file as usize) {
                Some(&first) if first <= part(id).span.start.0 => (first, -1),
                _ => (part(id).span.start.0, i64::from(id.get())),
            },
            _ => (part(id).span.start.0, i64::from(id.get())),
        });
        let step_of_part = StepOfPart::none(trace.parts().len());
        let mut steps = Self { rows: Vec::new(), step_of_part, periods: Periods::default() };
        if trace.is_period() {
            // The marked part names the step.
            let is_marked = |id: PartId| trace.marks().binary_search_by_key(&id, |&(part, _)| part).is_ok();
            order::by_number(&mut order, |id| (i64::from(!is_marked(id)), part(id).span.start.0));
            order
                .into_iter()
                .for_each(|id| _ = steps.put((!steps.rows.is_empty()).then_some(0), id, part(id)));
            if let Some(only) = steps.rows.first_mut() {
                (only.span, only.is_period) = (trace.span(), true);
            }
            steps.call(trace);
            return steps;
        }
        match rule {
            StepRule::Content => {
                let mut assembly = Assembly::new(trace);
                for id in order {
                    let row = assembly.step_for(trace, &steps.rows, id, part(id));
                    let row = steps.put(row, id, part(id));
                    assembly.put(row, id, part(id));
                }
            }
            StepRule::Part => order.into_iter().for_each(|id| _ = steps.put(None, id, part(id))),
            StepRule::Together => {
                for id in order {
                    steps.put((!steps.rows.is_empty()).then_some(0), id, part(id));
                }
            }
            StepRule::File => {
                let files = trace.parts().iter().map(|part| part.file as usize + 1).max().unwrap_or(0);
                let mut step_of_file = vec![None; files];
                for id in order {
                    let step = &mut step_of_file[part(id).file as usize];
                    *step = Some(steps.put(*step, id, part(id)));
                }
            }
        }
        if matches!(rule, StepRule::Content | StepRule::Part) {
            steps.periods = Periods::found(trace, &mut steps.rows, &steps.step_of_part);
        }
        steps.leave_out_host_events(trace);
        steps.find_before(trace);
        if matches!(rule, StepRule::Content | StepRule::Part)
            && !steps.has_periods()
            && trace.marks().is_empty()
        {
            for row in kinds::other_runs(trace, &steps.rows, |part| steps.of_part(part)) {
                let row = &mut steps.rows[row];
                (row.is_before, row.runs_other_graph) = (true, true);
            }
        }
        steps.call(trace);
        steps
    }

    /// Finds what texts call the steps: by the numbers of their files, if each has one of its own, else by their places.
    fn call(&mut self, trace: &Trace) {
        let number = |step: &Step| trace.parts().get(step.parts.first()?.index())?.step;
        let numbers: Option<Vec<i64>> = self.rows.iter().filter(|step| !step.is_before).map(number).collect();
        let numbers = numbers.filter(|own| own.iter().collect::<HashSet<_, FixedState>>().len() == own.len());
        let numbers: Vec<i64> = numbers.unwrap_or_else(|| (1..=self.count() as i64).collect());
        let counted = self.rows.iter_mut().filter(|step| !step.is_before);
        counted.zip(numbers).for_each(|(step, number)| step.called = Some(number));
    }

    /// Finds what ran before the first step that a file numbers: it is listed, and is no step.
    fn find_before(&mut self, trace: &Trace) {
        let part = |step: &Step| step.parts.first().and_then(|part| trace.parts().get(part.index()));
        let files = trace.parts().iter().map(|part| part.file as usize + 1).max().unwrap_or(0);
        let mut is_numbered = vec![false; files];
        // A step of several ranks has a part in the file of each.
        let all =
            self.rows.iter().flat_map(|step| &step.parts).filter_map(|id| trace.parts().get(id.index()));
        for own in all.filter(|own| own.step.is_some()) {
            is_numbered[own.file as usize] = true;
        }
        for step in &mut self.rows {
            step.is_before =
                part(step).is_some_and(|own| own.step.is_none() && is_numbered[own.file as usize]);
        }
    }

    /// Takes away the records of a host profiler from the ops of steps: they are counted nowhere.
    fn leave_out_host_events(&mut self, trace: &Trace) {
        for op in trace.ops().ids().skip(trace.counted_ops()) {
            let step = self.of_part(trace.ops().part(op)).and_then(|row| self.rows.get_mut(row));
            step.into_iter().for_each(|step| step.ops = step.ops.saturating_sub(1));
        }
    }

    /// Why one step is to be shown first; `None` if all steps are shown on one axis, or there is only one. Steps that a program marked are
    /// on the axis of its recording.
    pub fn apart(&self, trace: &Trace) -> Option<Apart> {
        if self.rows.len() < 2 {
            return None;
        }
        let mut first_parts =
            self.rows.iter().filter_map(|step| trace.parts().get(step.parts.first()?.index()));
        if self.periods.is_empty() && first_parts.any(|part| part.is_described(trace.strings())) {
            return Some(Apart::Listed);
        }
        let covered: i128 = self.rows.iter().map(|step| i128::from(step.span.length().0)).sum();
        (covered * 2 < i128::from(trace.span().length().0)).then_some(Apart::Far)
    }

    /// Steps without parts, for tests.
    #[cfg(test)]
    pub(crate) fn with_rows(rows: Vec<Step>) -> Self {
        Self { rows, step_of_part: StepOfPart::default(), periods: Periods::default() }
    }

    /// Puts a part into step `row`, or into a new one. Returns the row of the step.
    fn put(&mut self, row: Option<usize>, id: PartId, part: &Part) -> usize {
        let row = row.unwrap_or_else(|| {
            self.rows.push(Step {
                parts: Vec::new(),
                span: part.span,
                ops: 0,
                is_period: false,
                pause_before: Nanos(0),
                is_before: false,
                runs_other_graph: false,
                called: None,
            });
            self.rows.len() - 1
        });
        let step = &mut self.rows[row];
        if part.ops > 0 {
            step.span = match step.ops {
                0 => part.span,
                _ => Interval {
                    start: step.span.start.min(part.span.start),
                    end: step.span.end.max(part.span.end),
                },
            };
        }
        step.parts.push(id);
        step.ops += u64::from(part.ops);
        self.step_of_part.set(id, row);
        row
    }

    /// The same steps, with the times that their parts have in `trace`.
    #[must_use]
    pub fn measured_in(mut self, trace: &Trace) -> Self {
        for step in &mut self.rows {
            let parts = step.parts.iter().filter_map(|part| trace.parts().get(part.index()));
            let spans = parts.filter(|part| part.ops > 0).map(|part| part.span);
            let span = spans.reduce(|a, b| Interval { start: a.start.min(b.start), end: a.end.max(b.end) });
            step.span = span.unwrap_or_default();
        }
        if !self.periods.is_empty() {
            for step in &mut self.rows {
                let parts = step.parts.iter().filter_map(|part| trace.parts().get(part.index()));
                step.ops = parts.map(|part| u64::from(part.ops)).sum();
            }
            self.periods = Periods::found(trace, &mut self.rows, &self.step_of_part);
        }
        self
    }

    /// Whether the only step is a period of another length than what was recorded, and nothing but calls that wait for a device begins outside of it.
    pub(crate) fn is_all_work(&self, trace: &Trace) -> bool {
        let [only] = self.rows.as_slice() else { return false };
        let ops = trace.ops();
        let is_longer = trace.span().start < only.span.start || trace.span().end > only.span.end;
        // A replay does not reach the end of a mark at which a GPU has long been done.
        let is_other = is_longer || trace.span() != only.span && !has_any(trace);
        let begins_within = |op: OpId| (only.span.start..only.span.end).contains(&ops.start(op));
        let waits = |op: OpId| trace.category(op) == Category::Waiting && trace.is_call(op);
        let is_no_work = |op: OpId| trace.nodes().is_range(ops.node(op)) || waits(op);
        only.is_period && is_other && ops.ids().all(|op| begins_within(op) || is_no_work(op))
    }

    /// Whether any step is a period.
    pub fn has_periods(&self) -> bool {
        !self.periods.is_empty()
    }

    /// For each step how many ops of other steps `devices`, which are accelerators, worked on in its period.
    pub(crate) fn work_of_others(&self, trace: &Trace, devices: &[DeviceId]) -> Vec<u64> {
        self.periods.work_of_others(trace, &self.rows, &self.step_of_part, devices)
    }

    pub(super) fn periods(&self) -> &Periods {
        &self.periods
    }

    /// The steps, in order of time; also what ran before the first of them.
    pub fn rows(&self) -> &[Step] {
        &self.rows
    }

    /// How many steps there are.
    pub fn count(&self) -> usize {
        self.rows.iter().filter(|step| !step.is_before).count()
    }

    /// The step of a part; `None` for a part without ops that is no run.
    pub fn of_part(&self, part: PartId) -> Option<usize> {
        self.step_of_part.get(part)
    }

    /// The trace with only the step in `row`, in time linear in the ops of `trace`. If it is a period, the trace shows that period, and
    /// has what devices did in it for other steps, too.
    ///
    /// Its graphs are those of its parts. A run records its graphs once: a part without graphs uses those of the part before it in
    /// its file, otherwise of the first part after it; and if no part of its file has any, those of the other files.
    pub fn alone(&self, trace: &Trace, row: usize) -> Rebuilt {
        self.alone_with(trace, row, |_| true)
    }

    /// The only step, without what begins after it.
    pub(crate) fn only(&self, trace: &Trace) -> Rebuilt {
        let end = self.rows.first().map_or(trace.span().end, |only| only.span.end);
        self.alone_with(trace, 0, |op| trace.ops().start(op) < end)
    }

    fn alone_with(&self, trace: &Trace, row: usize, is_shown: impl Fn(OpId) -> bool) -> Rebuilt {
        let is_own = |part: PartId| self.of_part(part) == Some(row);
        let beside = self.rows.get(row).and_then(|step| self.periods.beside(trace, step));
        let is_beside =
            |at: &Placed| beside.as_ref().is_some_and(|all| all.has(trace, &self.periods, at.device, at.op));
        let is_of_step = |at: &Placed| is_own(trace.ops().part(at.op)) || is_beside(at);
        let mut places = trace.places().filter(|at| is_of_step(at) && is_shown(at.op));
        let mut rebuilt = match (&beside, self.rows.get(row)) {
            (Some(_), Some(Step { span, .. })) => {
                let period = [span.start, span.end].map(|time| trace.unix_ns(time));
                trace.rebuilt_in(Some(period), &mut places)
            }
            _ => trace.rebuilt(&mut places),
        };
        rebuilt.trace.keep_samples_of_ops();
        let parts = self.rows.get(row).map_or(&[][..], |step| &step.parts);
        let graphs = graphs_of_parts(trace);
        let mut graphs: Vec<PartId> = parts.iter().filter_map(|&part| graphs[part.index()]).collect();
        order::by_number(&mut graphs, |part| (i64::from(part.get()), 0));
        graphs.dedup();
        let with_graph = (0..trace.parts().len()).map(PartId::from_usize);
        let all = with_graph.filter(|&part| !trace.graph().of_part(part).is_empty()).count();
        if graphs.len() != all {
            rebuilt.trace.graph = Arc::new(trace.graph().picked(&graphs));
        }
        rebuilt
    }
}

/// For each part the part whose graphs belong to it, if both are of the same model.
pub(crate) fn graphs_of_parts(trace: &Trace) -> Vec<Option<PartId>> {
    let parts = trace.parts();
    let ids = || (0..parts.len()).map(PartId::from_usize);
    let mut graphs: Vec<Option<PartId>> =
        ids().map(|part| (!trace.graph().of_part(part).is_empty()).then_some(part)).collect();
    // First within each file, then from one file to the next.
    for is_any_file in [false, true] {
        let may_lend = |a: usize, b: usize| is_any_file || parts[a].file == parts[b].file;
        for part in 1..parts.len() {
            if may_lend(part - 1, part) {
                graphs[part] = graphs[part].or(graphs[part - 1]);
            }
        }
        for part in (1..parts.len()).rev() {
            if may_lend(part - 1, part) {
                graphs[part - 1] = graphs[part - 1].or(graphs[part]);
            }
        }
    }
    graphs
}

/// Decides by devices and times which parts are one step.
struct Assembly {
    /// (part, device) for every device on which a part has ops, in order.
    devices: Vec<(PartId, DeviceId)>,
    /// The newest step that was made from devices and times, and for each device the newest step that has it.
    newest: Option<usize>,
    newest_on: Vec<Option<usize>>,
    /// For each name and step number, the newest step made of such runs, and its newest file.
    numbered: HashMap<(StringId, i64), (usize, u32), FixedState>,
}

impl Assembly {
    fn new(trace: &Trace) -> Self {
        let mut devices = Vec::new();
        let mut newest: Vec<Option<DeviceId>> = vec![None; trace.parts().len()];
        if trace.parts().len() > 1 {
            for device in trace.devices().ids() {
                for op in trace.ops_of(device) {
                    let part = trace.ops().part(op);
                    let Some(newest) = newest.get_mut(part.index()) else { continue };
                    if newest.replace(device) != Some(device) {
                        devices.push((part, device));
                    }
                }
            }
        }
        order::by_number(&mut devices, |(part, device)| (i64::from(part.get()), i64::from(device.get())));
        Self {
            devices,
            newest: None,
            newest_on: vec![None; trace.devices().len()],
            numbered: HashMap::default(),
        }
    }

    fn devices_of(&self, part: PartId) -> &[(PartId, DeviceId)] {
        let first = self.devices.partition_point(|&(other, _)| other < part);
        let count = self.devices[first..].partition_point(|&(other, _)| other == part);
        &self.devices[first..first + count]
    }

    /// The existing step that `part` belongs to.
    fn step_for(&self, trace: &Trace, steps: &[Step], id: PartId, part: &Part) -> Option<usize> {
        let host = |id: PartId| trace.parts().get(id.index()).and_then(|part| part.host);
        if part.is_run {
            let &(row, file) = self.numbered.get(&(part.name, part.step?))?;
            // Ranks and machines have clocks of their own: their steps have the same numbers, whatever the clocks say.
            let is_of_other =
                part.host.is_some() && steps[row].parts.iter().all(|&other| host(other) != part.host);
            let is_together = is_of_other || is_at_the_time_of(part.span, steps[row].span);
            return (file != part.file && is_together).then_some(row);
        }
        let newest = self.newest?;
        let runs_again =
            self.devices_of(id).iter().any(|(_, device)| self.newest_on[device.index()] == Some(newest));
        (!runs_again || is_at_the_time_of(part.span, steps[newest].span)).then_some(newest)
    }

    fn put(&mut self, step: usize, id: PartId, part: &Part) {
        if part.is_run {
            let key = part.step.map(|number| (part.name, number));
            key.into_iter().for_each(|key| _ = self.numbered.insert(key, (step, part.file)));
            return;
        }
        self.newest = Some(step);
        let first = self.devices.partition_point(|&(other, _)| other < id);
        for &(_, device) in self.devices[first..].iter().take_while(|&&(other, _)| other == id) {
            self.newest_on[device.index()] = Some(step);
        }
    }
}

/// Whether `part`, which starts no earlier than `step`, runs at the same time: they overlap for at least half of the shorter one.
/// Consecutive steps overlap only a little; the messages of one step overlap much.
fn is_at_the_time_of(part: Interval, step: Interval) -> bool {
    let shorter = part.length().min(step.length());
    let shared = step.end.min(part.end) - part.start;
    part.start < step.end && shared.0 >= shorter.0 / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TraceBuilder;
    use crate::build::builder::OpRecord;
    use crate::model::graph::GraphNodeRecord;
    use crate::model::op::OpTimes;
    use crate::model::part::PartRecord;

    /// (file, whether it is a run, (device, start, end) of its ops).
    type Recorded<'a> = (u32, bool, &'a [(&'a str, i64, i64)]);

    fn trace(parts: &[Recorded<'_>]) -> Trace {
        let mut builder = TraceBuilder::default();
        let mut newest_file = None;
        for &(file, is_run, ops) in parts {
            if newest_file.replace(file) != Some(file) {
                builder.begin_file(file);
            }
            builder.begin_part(&PartRecord { is_run, ..PartRecord::default() });
            for &(device, start, end) in ops {
                let slot = builder.begin_device();
                builder.name_device(slot, device.as_bytes());
                let times = OpTimes { start_unix_ns: start, length_ns: end - start, ..OpTimes::default() };
                builder.op(slot, &OpRecord { name: device.as_bytes(), label: b"", times }).unwrap();
            }
        }
        builder.finish(&Default::default())
    }

    fn spans(trace: &Trace, rule: StepRule) -> Vec<(i64, i64, u64)> {
        let steps = Steps::divided(trace, rule);
        steps.rows().iter().map(|step| (step.span.start.0, step.span.end.0, step.ops)).collect()
    }

    #[test]
    fn steps_far_apart_or_listed_are_shown_one_by_one() {
        let apart = |trace: &Trace| Steps::divided(trace, StepRule::Content).apart(trace);
        let at = |start| [("w0", start, start + 100)];
        assert_eq!(apart(&trace(&[(0, false, &at(0))])), None);
        assert_eq!(apart(&trace(&[(0, false, &at(0)), (0, false, &at(300))])), None);
        assert_eq!(apart(&trace(&[(0, false, &at(0)), (0, false, &at(301))])), Some(Apart::Far));
        let mut builder = TraceBuilder::default();
        for start in [0, 100] {
            builder.begin_part(&PartRecord { step: Some(7), is_run: true, ..PartRecord::default() });
            let slot = builder.begin_device();
            builder.name_device(slot, b"w0");
            let times = OpTimes { start_unix_ns: start, length_ns: 100, ..OpTimes::default() };
            builder.op(slot, &OpRecord { name: b"a", label: b"", times }).unwrap();
        }
        assert_eq!(apart(&builder.finish(&Default::default())), Some(Apart::Listed));
    }

    #[test]
    fn a_device_that_runs_again_begins_the_next_step() {
        // The ops and the transfers of a step in two messages, then the same once more, and a process with another clock.
        let two = trace(&[
            (0, false, &[("w0", 0, 90), ("ps", 10, 95)]),
            (0, false, &[("w0", 5, 80)]),
            (0, false, &[("w0", 100, 190), ("ps", 94, 180)]),
            (1, false, &[("w1", 400, 500)]),
        ]);
        assert_eq!(spans(&two, StepRule::Content), [(0, 95, 3), (94, 500, 3)]);
        assert_eq!(spans(&two, StepRule::File), [(0, 190, 5), (400, 500, 1)]);
        assert_eq!(spans(&two, StepRule::Together), [(0, 500, 6)]);
        assert_eq!(spans(&two, StepRule::Part).len(), 4);
    }

    #[test]
    fn what_containers_call_a_run_is_one() {
        let runs = trace(&[(0, true, &[("w", 0, 50)]), (0, true, &[]), (0, true, &[("w", 10, 60)])]);
        assert_eq!(spans(&runs, StepRule::Content), [(0, 50, 1), (10, 60, 1), (0, 0, 0)]);
        let steps = Steps::divided(&runs, StepRule::Content);
        assert_eq!([0, 1, 2].map(|part| steps.of_part(PartId::new(part))), [Some(0), Some(2), Some(1)]);
    }

    #[test]
    fn a_step_alone_has_its_own_ops_and_graphs() {
        let mut builder = TraceBuilder::default();
        for (step, graph) in [(0, Some("a")), (1, None), (2, Some("c"))] {
            builder.begin_part(&PartRecord { is_run: true, ..PartRecord::default() });
            let slot = builder.begin_device();
            builder.name_device(slot, b"w");
            let times = OpTimes { start_unix_ns: step * 100, length_ns: 10, ..OpTimes::default() };
            let name = format!("op{step}");
            builder.op(slot, &OpRecord { name: name.as_bytes(), label: b"", times }).unwrap();
            if let Some(name) = graph {
                builder.graph_node(&GraphNodeRecord { name: name.as_bytes(), ..Default::default() });
            }
        }
        let whole = builder.finish(&Default::default());
        let steps = Steps::divided(&whole, StepRule::Content);
        let actual = |row| {
            let own = steps.alone(&whole, row).trace;
            let ops: Vec<_> = own.ops().ids().map(|op| own.op_name(op).to_owned()).collect();
            let nodes: Vec<_> =
                own.graph().ids().map(|node| own.text(own.graph().name(node)).to_owned()).collect();
            (ops.join(" "), nodes.join(" "), own.origin_unix_ns())
        };
        let own = |op: &str, node: &str, origin| (op.to_owned(), node.to_owned(), origin);
        assert_eq!([0, 1, 2].map(actual), [own("op0", "a", 0), own("op1", "a", 100), own("op2", "c", 200)]);
    }
}
