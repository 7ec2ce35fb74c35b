//! When each of several ranks began: its first op, or the first range that its program marked. What it did before was not recorded, or was no part
//! of the step.

use crate::base::units::Timestamp;
use crate::model::device::is_of_tensors;
use crate::{DeviceId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// When the tasks of a recording began, in order of their names' ids.
#[derive(Default)]
pub(crate) struct Began(Box<[(StringId, Timestamp)]>);

impl Began {
    /// That of the tasks whose programs were recorded; empty for one task. In a period a GPU also runs what the step before launched, so
    /// a task begins with its host there.
    pub(crate) fn found(trace: &Trace) -> Self {
        let mut began: HashMap<StringId, Timestamp, FixedState> = HashMap::default();
        let runs = |op: &OpId| !is_profiler_span(trace, *op);
        for device in trace.devices().ids() {
            let row = trace.devices().get(device);
            let Some(task) = row.task.filter(|_| !is_of_tensors(trace.text(row.name))) else { continue };
            if trace.is_period() && !row.nests {
                continue;
            }
            if let Some(first) = trace.ops_of(device).filter(runs).map(|op| trace.ops().start(op)).min() {
                began.entry(task).and_modify(|own| *own = first.min(*own)).or_insert(first);
            }
        }
        if began.len() < 2 {
            return Self::default();
        }
        let mut began: Box<[_]> = began.into_iter().collect();
        began.sort_unstable();
        Self(began)
    }

    /// When the task of `device` began.
    pub(crate) fn of(&self, trace: &Trace, device: DeviceId) -> Option<Timestamp> {
        let task = trace.devices().get(device).task?;
        self.0.binary_search_by_key(&task, |&(task, _)| task).ok().map(|place| self.0[place].1)
    }

    /// The first of the tasks.
    pub(crate) fn first(&self) -> Option<(StringId, Timestamp)> {
        self.tasks().min_by_key(|&(task, at)| (at, task))
    }

    /// All tasks.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = (StringId, Timestamp)> + '_ {
        self.0.iter().copied()
    }

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

/// Whether `op` says how long PyTorch's profiler ran, as Kineto writes it down: it begins before the program's first op.
pub fn is_profiler_span(trace: &Trace, op: OpId) -> bool {
    let node = trace.ops().node(op);
    trace.nodes().is_range(node) && trace.text(trace.nodes().name(node)).starts_with("PyTorch Profiler (")
}
