//! When each of several ranks began: its first op, or the first range that its program marked. What it did before was not recorded, or was no part
//! of the step.

use crate::base::units::Timestamp;
use crate::model::device::is_of_tensors;
use crate::{DeviceId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// When the tasks of a recording began.
#[derive(Default)]
pub(crate) struct Began(HashMap<StringId, Timestamp, FixedState>);

impl Began {
    /// That of the tasks whose programs were recorded. Empty for one task, and for a period: what a task did before that was recorded.
    pub(crate) fn found(trace: &Trace) -> Self {
        let mut found = Self::default();
        if trace.is_period() {
            return found;
        }
        let runs = |op: &OpId| !is_profiler_span(trace, *op);
        for device in trace.devices().ids() {
            let row = trace.devices().get(device);
            let Some(task) = row.task.filter(|_| !is_of_tensors(trace.text(row.name))) else { continue };
            if let Some(first) = trace.ops_of(device).filter(runs).map(|op| trace.ops().start(op)).min() {
                found.0.entry(task).and_modify(|own| *own = first.min(*own)).or_insert(first);
            }
        }
        if found.0.len() < 2 {
            found.0.clear();
        }
        found
    }

    /// When the task of `device` began.
    pub(crate) fn of(&self, trace: &Trace, device: DeviceId) -> Option<Timestamp> {
        self.0.get(&trace.devices().get(device).task?).copied()
    }

    /// The first of the tasks.
    pub(crate) fn first(&self) -> Option<(StringId, Timestamp)> {
        self.0.iter().map(|(&task, &at)| (task, at)).min_by_key(|&(task, at)| (at, task))
    }

    /// All tasks.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = (StringId, Timestamp)> + '_ {
        self.0.iter().map(|(&task, &at)| (task, at))
    }

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.0.capacity() * size_of::<(StringId, Timestamp)>()
    }
}

/// Whether `op` says how long PyTorch's profiler ran, as Kineto writes it down: it begins before the program's first op.
pub fn is_profiler_span(trace: &Trace, op: OpId) -> bool {
    let node = trace.ops().node(op);
    trace.nodes().is_range(node) && trace.text(trace.nodes().name(node)).starts_with("PyTorch Profiler (")
}
