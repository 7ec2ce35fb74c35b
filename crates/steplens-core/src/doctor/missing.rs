//! Tasks without ops that the trace refers to: workers whose file is missing.

use super::{Finding, FindingKind, MAX_OPS};
use crate::Trace;
use crate::model::device::task_of;
use crate::model::label;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The most missing tasks with a finding of their own.
const MAX_TASKS: usize = 32;

/// Tasks without an op, in the order in which they are met.
#[derive(Default)]
struct Tasks<'a> {
    /// For each task `None` if it has ops, otherwise its place among the missing.
    known: HashMap<&'a str, Option<u32>, FixedState>,
    missing: Vec<String>,
    /// The number of further missing tasks.
    more: u64,
}

impl<'a> Tasks<'a> {
    /// The place of the task of `device` among the missing; `None` if it has ops, or if there are too many missing tasks.
    fn missing(&mut self, device: &'a str) -> Option<u32> {
        let task = task_of(device)?;
        let next = self.missing.len();
        let (missing, more) = (&mut self.missing, &mut self.more);
        *self.known.entry(task).or_insert_with(|| {
            if next >= MAX_TASKS {
                *more += 1;
                return None;
            }
            missing.push(task.to_owned());
            Some(next as u32)
        })
    }

    /// For every job in `present`, which must be in natural order: adds the tasks before the last one that nothing refers to.
    fn gaps(&mut self, present: &[&'a str]) {
        let mut numbers: HashMap<&str, Vec<u32>, FixedState> = HashMap::default();
        for (job, number) in self.known.keys().filter_map(|task| numbered(task)) {
            numbers.entry(job).or_default().push(number);
        }
        for (place, task) in present.iter().enumerate() {
            let Some((job, last)) = numbered(task) else { continue };
            let next = present.get(place + 1).and_then(|next| numbered(next));
            if next.is_some_and(|(next, _)| next == job) {
                continue;
            }
            let known =
                numbers.get(job).map_or(0, |numbers| numbers.iter().filter(|&&own| own < last).count());
            let absent = (0..last).map(|number| format!("{job}{number}"));
            let room = MAX_TASKS.saturating_sub(self.missing.len());
            let before = self.missing.len();
            self.missing.extend(absent.filter(|task| !self.known.contains_key(task.as_str())).take(room));
            // A number may be large, so only tasks with a finding are created.
            let named = known + self.missing.len() - before;
            self.more += u64::from(last).saturating_sub(named as u64);
        }
    }
}

/// Splits `/job:w/replica:0/task:7` into `/job:w/replica:0/task:` and the number.
fn numbered(task: &str) -> Option<(&str, u32)> {
    let start = task.rfind(':')? + 1;
    Some((&task[..start], task[start..].parse().ok()?))
}

pub(super) fn find(trace: &Trace) -> Vec<Finding> {
    let mut tasks = Tasks::default();
    let mut present = Vec::new();
    for device in trace.devices().ids().map(|device| trace.devices().get(device)) {
        if let Some(task) = device.task.filter(|_| device.op_count > 0) {
            tasks.known.insert(trace.text(task), None);
            present.push(trace.text(task));
        }
    }
    // For each node the missing tasks at the ends of its transfer.
    let nodes = trace.nodes();
    let mut named = Vec::with_capacity(nodes.len());
    for node in nodes.ids() {
        named.push(label::transfer(trace.text(nodes.label(node))).map_or([None; 2], |transfer| {
            [tasks.missing(transfer.source), tasks.missing(transfer.destination)]
        }));
    }
    for node in trace.graph().ids() {
        tasks.missing(trace.text(trace.graph().device(node)));
    }
    tasks.gaps(&present);
    let mut found: Vec<Finding> = tasks
        .missing
        .into_iter()
        .map(|task| Finding {
            kind: FindingKind::MissingTask(task),
            count: 0,
            ops: Vec::new(),
            devices: Vec::new(),
        })
        .collect();
    if tasks.more > 0 {
        let kind = FindingKind::MoreTasksMissing(tasks.more);
        found.push(Finding { kind, count: tasks.more, ops: Vec::new(), devices: Vec::new() });
    }
    if found.is_empty() {
        return found;
    }
    for op in trace.ops().ids() {
        for place in named[trace.ops().node(op).index()].into_iter().flatten() {
            let finding = &mut found[place as usize];
            finding.count += 1;
            if finding.ops.len() < MAX_OPS {
                finding.ops.push(op);
            }
        }
    }
    found
}
