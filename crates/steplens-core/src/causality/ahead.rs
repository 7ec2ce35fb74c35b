//! What a pipeline of input does ahead of the steps: it makes batches that nobody has asked for yet (`prefetch`, `map` in parallel), and hands nothing
//! to a step but through the op that takes a batch. Its threads do that, and its functions on threads that the step uses, too.
//!
//! TensorFlow writes one number, `id`, at each run of a function and at what the threads of an executor do for it
//! (`InstantiatedCapturedFunction::Run`, `FunctionRun`, `ExecutorState::Process`). A function that such a run calls has a number of its own.

use crate::base::units::{Interval, Timestamp};
use crate::host_profile::PROCESS;
use crate::{DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// How the threads are called on which iterators make batches ahead.
const ITERATORS: &str = "tf_data_iterator_resource";
/// How TensorFlow calls the run of a function of a pipeline, and that of any function.
pub(crate) const CAPTURED: &str = "InstantiatedCapturedFunction::Run";
const FUNCTION: &str = "FunctionRun";

/// What runs ahead on one device.
#[derive(Default)]
pub(super) struct Ahead {
    threads: HashSet<u32, FixedState>,
    /// For each other thread when it ran functions of the pipeline, in order.
    runs: HashMap<u32, Vec<Interval>, FixedState>,
}

impl Ahead {
    /// Finds it, in time linear in the ops of `device`.
    pub(super) fn found(trace: &Trace, device: DeviceId) -> Self {
        let first = trace.threads().partition_point(|&(own, ..)| own < device);
        let named = trace.threads()[first..].iter().take_while(|&&(own, ..)| own == device);
        let is_ahead = |name: &str| name.split(['/', ' ']).any(|word| word == ITERATORS);
        let threads = named.filter(|&&(.., name)| is_ahead(trace.text(name))).map(|&(_, thread, _)| thread);
        let mut found = Self { threads: threads.collect(), runs: HashMap::default() };
        if !found.threads.is_empty() && !trace.arguments().is_empty() {
            found.follow(trace, device);
        }
        found
    }

    /// Follows the functions that run ahead to the threads that run them.
    fn follow(&mut self, trace: &Trace, device: DeviceId) {
        let (nodes, ops) = (trace.nodes(), trace.ops());
        let kinds: Vec<Option<bool>> = nodes
            .ids()
            .map(|node| match trace.text(nodes.name(node)) {
                PROCESS => Some(true),
                name => (name == FUNCTION || name.starts_with(CAPTURED)).then_some(false),
            })
            .collect();
        let mut ids: HashSet<Cow<'_, str>, FixedState> = HashSet::default();
        for op in trace.ops_of(device) {
            let Some(is_process) = kinds[ops.node(op).index()] else { continue };
            let id = trace.arguments().of(op).find(|own| own.name == "id").map(|own| own.value.shown());
            let Some(id) = id else { continue };
            if !is_process {
                if self.has(trace, op) {
                    ids.insert(id);
                }
            } else if ids.contains(&id) {
                self.runs.entry(ops.thread(op)).or_default().push(ops.interval(op));
            }
        }
    }

    /// Whether nothing runs ahead.
    pub(super) fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        let runs = self.runs.values().map(|own| own.capacity() * size_of::<Interval>());
        self.threads.capacity() * size_of::<u32>() + runs.sum::<usize>()
    }

    /// Whether `op`, of the device, runs ahead.
    pub(super) fn has(&self, trace: &Trace, op: OpId) -> bool {
        let (thread, start) = (trace.ops().thread(op), trace.ops().start(op));
        self.threads.contains(&thread) || self.runs.get(&thread).is_some_and(|own| is_within(own, start))
    }
}

/// Whether `at` is in one of these intervals, which follow one another.
fn is_within(intervals: &[Interval], at: Timestamp) -> bool {
    let before = intervals.partition_point(|own| own.start <= at).checked_sub(1);
    before.is_some_and(|before| at < intervals[before].end)
}
