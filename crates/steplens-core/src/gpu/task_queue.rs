//! Queues of tasks: a thread of a program puts a task into a queue, and another thread takes it from there and launches it, as `torch_npu` does
//! unless `TASK_QUEUE_ENABLE=0`. Both ops have the same number (`correlation_id`), which otherwise only calls and kernels have.

use crate::base::order;
use crate::{Category, DeviceId, OpId, Trace};

/// The number that both have.
const NUMBER: &str = "correlation_id";

/// The ops that put tasks into queues, and those that took them.
#[derive(Default)]
pub(crate) struct TaskQueue {
    /// (what took a task, what had put it), in order.
    taken: Vec<(OpId, OpId)>,
}

impl TaskQueue {
    /// Finds them, in time n log n; without cost for a trace whose ops have no such number.
    pub(crate) fn found(trace: &Trace) -> Self {
        let mut found = Self::default();
        let arguments = trace.arguments();
        let is_numbered = |form: usize| arguments.forms().of(form).any(|(name, ..)| name == NUMBER);
        let forms: Vec<bool> = (0..arguments.forms().len()).map(is_numbered).collect();
        if !forms.contains(&true) {
            return found;
        }
        let is_program = |device: &DeviceId| {
            let row = trace.devices().get(*device);
            row.nests && !row.is_accelerator
        };
        for device in trace.devices().ids().filter(is_program) {
            let is_task = |op: &OpId| {
                let has_form = arguments.form(*op).is_some_and(|form| forms[form]);
                has_form && trace.category(*op) == Category::Compute && !trace.is_call(*op)
            };
            let number = |op: OpId| arguments.of(op).find(|own| own.name == NUMBER)?.value.count();
            let mut own: Vec<(i64, OpId)> = trace
                .ops_of(device)
                .filter(is_task)
                .filter_map(|op| Some((i64::try_from(number(op)?).ok()?, op)))
                .collect();
            order::by_number(&mut own, |(number, op)| (number, trace.ops().start(op).0));
            for pair in own.chunk_by(|a, b| a.0 == b.0) {
                let &[(_, put), (_, took)] = pair else { continue };
                if trace.ops().thread(put) != trace.ops().thread(took) {
                    found.taken.push((took, put));
                }
            }
        }
        order::by_number(&mut found.taken, |(took, _)| (i64::from(took.get()), 0));
        found
    }

    /// (what took a task, what had put it), in order.
    pub(crate) fn taken(&self) -> &[(OpId, OpId)] {
        &self.taken
    }

    /// What had put the task that `op` took.
    pub(crate) fn put(&self, op: OpId) -> Option<OpId> {
        let place = self.taken.binary_search_by_key(&op, |&(took, _)| took).ok()?;
        self.taken.get(place).map(|&(_, put)| put)
    }
}
