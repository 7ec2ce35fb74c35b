//! Runs: the ops of each node, by name, execution and device.
//!
//! A graph gives a name to one node. Only the name in a label counts: what comes before it (the memory in use) differs from run to
//! run.

use super::executions::Executions;
use crate::Trace;
use crate::base::ids::{DeviceId, NodeId, OpId, StringId};
use crate::base::order;
use crate::base::pace::{Pace, strides};
use crate::storage::ranges::range;

/// All ops by name. Built in time linear in the ops; where there are several executions, n log n in the ops of a name.
#[derive(Default)]
pub struct Runs {
    /// The names of nodes, sorted.
    names: Vec<StringId>,
    /// For each node the row of its name.
    name_of_node: Vec<u32>,
    /// The ops of name `i` are `ops[first[i] .. first[i + 1]]`, in order of execution, device and start.
    first: Vec<u32>,
    ops: Vec<OpId>,
}

impl Runs {
    /// Builds the index of `trace`.
    pub(super) async fn indexed(trace: &Trace, executions: &Executions, pace: &Pace) -> Self {
        let nodes = trace.nodes();
        let mut named: Vec<(StringId, NodeId)> = nodes.ids().map(|node| (nodes.name(node), node)).collect();
        order::by_number(&mut named, |(name, _)| (i64::from(name.get()), 0));
        let mut runs = Self { name_of_node: vec![0; nodes.len()], ..Self::default() };
        for (name, node) in named {
            if runs.names.last() != Some(&name) {
                runs.names.push(name);
            }
            runs.name_of_node[node.index()] = runs.names.len() as u32 - 1;
        }
        runs.first = vec![0; runs.names.len() + 1];
        for stride in strides(trace.ops().len()) {
            pace.worked(stride.len()).await;
            for op in stride.map(OpId::from_usize) {
                let name = runs.name_of(trace, op) as usize;
                runs.first[name + 1] += 1;
            }
        }
        for name in 0..runs.names.len() {
            runs.first[name + 1] += runs.first[name];
        }
        let mut next = runs.first.clone();
        runs.ops = vec![OpId::new(0); trace.ops().len()];
        for stride in strides(trace.ops().len()) {
            pace.worked(stride.len()).await;
            for op in stride.map(OpId::from_usize) {
                let place = &mut next[runs.name_of(trace, op) as usize];
                runs.ops[*place as usize] = op;
                *place += 1;
            }
        }
        if executions.len() > 1 {
            for name in 0..runs.names.len() {
                let rows = range(&runs.first, name);
                pace.worked(rows.len()).await;
                order::by_number(&mut runs.ops[rows], |op| {
                    (i64::from(executions.of_op(trace, op)), i64::from(op.get()))
                });
            }
        }
        runs
    }

    /// The row of the name of `op`.
    #[inline]
    pub fn name_of(&self, trace: &Trace, op: OpId) -> u32 {
        self.name_of_node[trace.ops().node(op).index()]
    }

    /// The row of `name`, if any op has this name.
    pub fn row(&self, name: StringId) -> Option<u32> {
        self.names.binary_search(&name).ok().map(|row| row as u32)
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of `row`.
    pub fn name(&self, row: u32) -> StringId {
        self.names[row as usize]
    }

    /// All ops of a name, in order of execution, device and start.
    pub fn of_name(&self, row: u32) -> &[OpId] {
        &self.ops[range(&self.first, row as usize)]
    }

    /// The ops of the name in one execution.
    pub fn of_execution(&self, trace: &Trace, executions: &Executions, row: u32, execution: u32) -> &[OpId] {
        let runs_of_name = self.of_name(row);
        if executions.len() == 1 {
            return runs_of_name;
        }
        let of = |op: &OpId| executions.of_op(trace, *op);
        // Usually each execution has the same number of ops, so the place that follows from that is tried first.
        let (each, rest) = (runs_of_name.len() / executions.len(), runs_of_name.len() % executions.len());
        let guess = execution as usize * each;
        if rest == 0 && each > 0 && runs_of_name.get(guess).is_some_and(|first| of(first) == execution) {
            let last = guess + each - 1;
            let is_first = guess == 0 || of(&runs_of_name[guess - 1]) < execution;
            let is_last = runs_of_name.get(last + 1).is_none_or(|op| of(op) > execution);
            if is_first && is_last && of(&runs_of_name[last]) == execution {
                return &runs_of_name[guess..=last];
            }
        }
        let first = runs_of_name.partition_point(|op| of(op) < execution);
        let count = runs_of_name[first..].partition_point(|op| of(op) == execution);
        &runs_of_name[first..first + count]
    }

    /// The ops of the name in one execution and on one device, in order of start.
    pub fn on(&self, trace: &Trace, executions: &Executions, row: u32, at: ExecutionDevice) -> &[OpId] {
        let runs_of_name = self.of_execution(trace, executions, row, at.execution);
        let device = trace.devices().get(at.device);
        let (from, until) = (device.first_op, device.end_op());
        let is_own = |op: &OpId| (from..until).contains(&op.get());
        if runs_of_name.first().is_none_or(is_own) && runs_of_name.last().is_none_or(is_own) {
            return runs_of_name;
        }
        let first = runs_of_name.partition_point(|op| op.get() < from);
        let count = runs_of_name[first..].partition_point(|op| op.get() < until);
        &runs_of_name[first..first + count]
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.names.capacity() + self.name_of_node.capacity() + self.first.capacity() + self.ops.capacity())
            * 4
    }
}

/// A place: here ops exchange tensors without a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExecutionDevice {
    /// The execution.
    pub execution: u32,
    /// The device.
    pub device: DeviceId,
}
