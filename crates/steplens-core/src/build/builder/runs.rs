//! Runs of an executor that one document or message holds together: each becomes a part of its own, and so a step.
//!
//! `TimeLiner` and `MergeFrom` put several calls of `Session.run` into one. An executor begins each run with the node `_SOURCE`, on
//! every device. Where a device has it again, and nothing of its task is under way then, everything runs again, one after the
//! other. A function that an op calls begins with `_SOURCE`, too, but then that op is under way.

use super::{DISCARDED, Slot, TraceBuilder};
use crate::base::ids::{NodeId, PartId, StringId};
use crate::base::order;
use crate::model::category::SOURCE;
use crate::model::device::{is_of_executor, task_of};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// A task of a part; `None` for devices of none.
type Task = (u32, Option<StringId>);

/// What an executor did in one task of a part.
#[derive(Default)]
struct Executed {
    /// (start, device) of each `_SOURCE`.
    sources: Vec<(i64, StringId)>,
    /// (start, end) of all ops.
    ops: Vec<(i64, i64)>,
    /// When each run after the first begins.
    runs: Vec<i64>,
}

impl Executed {
    /// Finds where runs begin.
    fn divide(&mut self) {
        order::by_number(&mut self.sources, |(start, device)| (start, i64::from(device.get())));
        order::by_number(&mut self.ops, |op| op);
        let mut ops = self.ops.iter().peekable();
        let mut last_end = i64::MIN;
        let mut begun: Vec<StringId> = Vec::new();
        for &(at, device) in &self.sources {
            while let Some(&(_, end)) = ops.next_if(|&&(start, _)| start < at) {
                last_end = last_end.max(end);
            }
            if begun.contains(&device) && last_end <= at {
                self.runs.push(at);
                begun.clear();
            }
            if !begun.contains(&device) {
                begun.push(device);
            }
        }
    }
}

impl TraceBuilder {
    /// Divides the parts of the file that was read last, where they hold several runs of an executor.
    pub(super) fn divide_runs(&mut self) {
        let mark = self.file_mark;
        self.file_mark = self.mark();
        let Some(source) = self.strings.find(SOURCE) else { return };
        let is_source = |row: u32| self.nodes.name(NodeId::new(self.ops.node_of(row as usize))) == source;
        // Most files have thousands of parts of one run each: only for those that repeat anything lists are made.
        let mut begun: HashSet<(u32, StringId), FixedState> = HashSet::default();
        let mut repeating: HashSet<u32, FixedState> = HashSet::default();
        for row in self.rows_since(mark).filter(|&row| is_source(row)) {
            let slot = &self.slots[self.slot_of_op.get(row as usize) as usize];
            let Some(device) = slot.name.filter(|_| slot.part != DISCARDED) else { continue };
            if !begun.insert((slot.part, device)) {
                repeating.insert(slot.part);
            }
        }
        if repeating.is_empty() {
            return;
        }
        let tasks: Vec<Option<Task>> = self.slots.iter().map(|slot| self.task_of_slot(slot)).collect();
        let mut done: HashMap<Task, Executed, FixedState> = HashMap::default();
        for row in self.rows_since(mark) {
            let slot = self.slot_of_op.get(row as usize) as usize;
            let (Some(task), Some(device)) = (tasks[slot], self.slots[slot].name) else { continue };
            if !repeating.contains(&task.0) {
                continue;
            }
            let (_, run) = self.run_of(row);
            let own = done.entry(task).or_default();
            own.ops.push((run.start, run.end));
            if is_source(row) {
                own.sources.push((self.start_of(row), device));
            }
        }
        done.retain(|_, own| !own.sources.is_empty());
        done.values_mut().for_each(Executed::divide);
        let new_parts = self.parts_of_runs(&done);
        let begins_of = |slot: usize, slots: &[Slot]| -> Option<Begins<'_>> {
            let (first, reference) = new_parts.get(&slots[slot].part)?;
            let own = tasks[slot].and_then(|task| done.get(&task)).filter(|own| !own.runs.is_empty());
            Some(Begins { first: *first, at: own.map_or(reference, |own| &own.runs) })
        };
        let begins: Vec<Option<Begins<'_>>> =
            (0..self.slots.len()).map(|slot| begins_of(slot, &self.slots)).collect();
        self.divide_since(mark, |builder, row| {
            let own = begins.get(builder.block_of(row).0 as usize)?.as_ref()?;
            let run = own.at.partition_point(|&at| at <= builder.start_of(row));
            let later = u32::try_from(run.checked_sub(1)?).ok()?;
            Some(PartId::new(own.first.get() + later))
        });
    }

    /// Adds the parts of all runs but the first. For each part that is divided: the first of its new parts, and when the runs of a
    /// task begin, for devices without a task.
    fn parts_of_runs(
        &mut self,
        done: &HashMap<Task, Executed, FixedState>,
    ) -> HashMap<u32, (PartId, Vec<i64>), FixedState> {
        let mut rows: Vec<(u32, &Vec<i64>)> = done.iter().map(|(task, own)| (task.0, &own.runs)).collect();
        // The order of a hash table must not decide which task is the reference: it is the one that begins first.
        rows.sort_by_key(|&(part, runs)| (part, runs.is_empty(), runs.first().copied()));
        let mut new_parts: HashMap<u32, (PartId, Vec<i64>), FixedState> = HashMap::default();
        for of_part in rows.chunk_by(|a, b| a.0 == b.0) {
            let (part, runs) = of_part[0];
            // Tasks that ran unequally often are one step: which of their runs belong together is not known.
            let is_equal = of_part.iter().all(|(_, other)| other.is_empty() || other.len() == runs.len());
            let Some(old) = self.parts.get(part as usize).cloned().filter(|_| is_equal && !runs.is_empty())
            else {
                continue;
            };
            new_parts.insert(part, (PartId::from_usize(self.parts.len()), runs.clone()));
            runs.iter().for_each(|_| self.parts.push(old.clone()));
        }
        new_parts
    }

    /// The part of a block, and its task; `None` if no executor ran its ops.
    fn task_of_slot(&self, slot: &Slot) -> Option<Task> {
        let name = self.strings.get(slot.name.filter(|_| slot.part != DISCARDED)?);
        let task = task_of(name).and_then(|task| self.strings.find(task));
        is_of_executor(name).then_some((slot.part, task))
    }
}

/// When the runs after the first begin, for the ops of a block, and the part of the first of them.
struct Begins<'a> {
    first: PartId,
    at: &'a [i64],
}

#[cfg(test)]
mod tests {
    use crate::build::builder::{OpRecord, TraceBuilder};
    use crate::model::op::OpTimes;

    const CPU: &str = "/job:w/replica:0/task:0/device:CPU:0";
    const GPU: &str = "/job:w/replica:0/task:0/device:GPU:0";
    const STREAM: &str = "/device:GPU:0/stream:13";

    /// The number of ops of each part.
    fn parts(ops: &[(&str, &str, i64, i64)]) -> Vec<u32> {
        let mut builder = TraceBuilder::default();
        for &(device, name, start_unix_ns, end) in ops {
            let slot = builder.device(device.as_bytes()).unwrap();
            let times = OpTimes { start_unix_ns, length_ns: end - start_unix_ns, ..OpTimes::default() };
            builder.op(slot, &OpRecord { name: name.as_bytes(), label: b"", times }).unwrap();
        }
        let trace = builder.finish(&Default::default());
        trace.parts().iter().map(|part| part.ops).collect()
    }

    #[test]
    fn each_run_of_an_executor_is_a_part() {
        let run = |at: i64| {
            [
                (CPU, "_SOURCE", at, at + 1),
                (GPU, "_SOURCE", at + 1, at + 2),
                (GPU, "a", at + 3, at + 9),
                (STREAM, "a:Mul", at + 5, at + 20),
                (CPU, "b", at + 20, at + 25),
            ]
        };
        assert_eq!(parts(&[run(0), run(100), run(200)].concat()), [5, 5, 5]);
        // The order of a file is not that of time.
        let mut sorted = [run(0), run(100)].concat();
        sorted.sort_by_key(|op| op.0);
        assert_eq!(parts(&sorted), [5, 5]);
    }

    #[test]
    fn a_function_is_no_run() {
        let called = [
            (CPU, "_SOURCE", 0, 1),
            (GPU, "_SOURCE", 0, 1),
            (CPU, "call", 2, 50),
            (GPU, "_SOURCE", 5, 6),
            (GPU, "x", 7, 20),
            (CPU, "_SOURCE", 30, 31),
        ];
        assert_eq!(parts(&called), [6]);
    }
}
