//! Ascend's profiler (`trace_view.json` of `torch_npu`): whose calls those of CANN are, and which call launched which task.
//!
//! The calls of CANN are a process of their own in the file, whose threads have the numbers of the program's: they are shown in the program. Its
//! number has the program's in front of five bits for the kind of the rows and five for the device (`pid << 10 | kind << 5 | device`).
//!
//! Two kinds of arrows lead to the moment at which a task starts, on its stream: `HostToDevice` from a moment within the call of CANN that
//! launched it, `async_npu` from the start of the operator of Python that it ran for. The second one counts where CANN was not recorded.

use super::kinds::NpuRows;
use super::processes::Processes;
use steplens_core::StringId;
use steplens_core::base::order;
use steplens_core::build::builder::{DeviceSlot, Mark, TraceBuilder};
use steplens_core::storage::strings::StringTable;

/// How many bits of a process stand behind the number of the program.
const BITS_OF_KIND: u32 = 10;
/// What the process with the calls of CANN is called.
const CALLS: &str = "CANN";
/// What threads with the collectives of a group of ranks are called (`Group 0 Communication`), and those with the tasks of these.
const GROUP: &[u8] = b"Group ";
const PLANE: &[u8] = b"Plane ";
/// What MindSpore's exports call the thread with all collectives, and on the NPU the one with its steps.
const KERNELS: &[u8] = b"Communication Kernel";
const STEPS: &[u8] = b"Step Trace";
/// How tasks are called that only streams of collectives have: a rank tells another one that its data is there, and waits for that.
const NOTIFIES: &[u8] = b"NOTIFY_";

impl Processes {
    /// Which rows of Ascend's profiler a thread of a process has.
    pub(super) fn npu_rows_of(&self, row: usize, thread: u32) -> Option<NpuRows> {
        let rows = self.npu_rows(row)?;
        Some(match rows {
            NpuRows::Hardware if self.step_traces.contains(&(row as u32, thread)) => NpuRows::Steps,
            _ if self.is_plane(row, thread) => NpuRows::Plane,
            _ => rows,
        })
    }

    /// Whether a stream of the NPU runs the tasks of collectives, of which `name` is the next.
    pub(super) fn exchanges(&mut self, row: usize, thread: u32, name: &[u8]) -> bool {
        let stream = (row as u32, thread);
        if name.starts_with(NOTIFIES) && !self.notifying.contains(&stream) {
            self.notifying.insert(stream);
        }
        self.notifying.contains(&stream)
    }

    /// Which rows of Ascend's profiler a process has.
    pub(super) fn npu_rows(&self, row: usize) -> Option<NpuRows> {
        if self.callers.contains_key(&(row as u32)) {
            return Some(NpuRows::Calls);
        }
        let is_npu = |id: StringId| self.names.get(id).starts_with("NPU");
        self.rows[row].labels.filter(|&labels| is_npu(labels))?;
        NpuRows::of(self.names.get(self.rows[row].name?))
    }

    /// The process of the only NPU, if the process `row` has its collectives.
    pub(super) fn row_of_npu(&self, row: usize) -> Option<usize> {
        let only = self.npu.filter(|_| self.npus == 1).map(|npu| npu as usize);
        only.filter(|_| self.npu_rows(row) == Some(NpuRows::Communication))
    }

    /// Whether `thread` of the process `row` has tasks of collectives that are rows of their own, on the thread of their group: then it repeats
    /// parts of these.
    pub(super) fn is_plane(&self, row: usize, thread: u32) -> bool {
        self.planes.contains(&(row as u32, thread)) && self.groups.contains(&(row as u32))
    }

    /// Notes that a thread of `row` is called `name`.
    pub(super) fn find_plane(&mut self, row: usize, thread: u32, name: &[u8]) {
        let process = self.rows[row].name.and_then(|name| NpuRows::of(self.names.get(name)));
        if process == Some(NpuRows::Hardware) && name.starts_with(STEPS) {
            self.step_traces.insert((row as u32, thread));
        }
        if process != Some(NpuRows::Communication) {
            return;
        }
        if name.starts_with(GROUP) || name == KERNELS {
            self.groups.insert(row as u32);
        } else if name.starts_with(PLANE) {
            self.planes.insert((row as u32, thread));
        }
    }

    /// Whether any process is an NPU.
    pub(super) fn has_npu(&self) -> bool {
        self.npu.is_some()
    }

    /// The program whose calls `row` has.
    pub(super) fn caller(&self, row: usize) -> Option<usize> {
        self.callers.get(&(row as u32)).map(|&caller| caller as usize)
    }

    /// Notes that `row` is called `name`: where it has the calls of CANN, they are those of the program whose number its own begins with,
    /// else those of the only program so far.
    pub(super) fn find_caller(&mut self, row: usize, name: &[u8]) {
        if name != CALLS.as_bytes() {
            return;
        }
        let is_program = |&own: &usize| own != row && self.rows.get(own).is_some_and(|process| process.nests);
        let number = super::number::integer(self.pid(row)).map(|number| number >> BITS_OF_KIND);
        let own = number.and_then(|number| self.pids.find(&number.to_string())).map(StringId::index);
        let mut programs = (0..self.rows.len()).filter(is_program);
        let only = programs.next().filter(|_| programs.next().is_none());
        if let Some(caller) = own.filter(is_program).or(only) {
            self.callers.insert(row as u32, caller as u32);
        }
    }
}

/// An end of an arrow, and where it is.
#[derive(Clone, Copy)]
struct End {
    process: u32,
    thread: u32,
    at_ns: i64,
    arrow: StringId,
}

impl End {
    fn place(&self) -> (u32, u32, i64) {
        (self.process, self.thread, self.at_ns)
    }
}

/// The ends of arrows so far.
#[derive(Default)]
pub(super) struct Flows {
    /// What arrows are called: their kind, and their number, which may have more than 64 bits.
    arrows: StringTable,
    begins: Vec<End>,
    ends: Vec<End>,
}

/// The first letters of kinds of arrows in [`Flows::arrows`].
const OF_CALL: &[u8] = b"c";
const OF_OPERATOR: &[u8] = b"o";

impl Flows {
    /// Adds an end of the arrow `id` of the category `kind`.
    pub(super) fn add(
        &mut self,
        begins: bool,
        (kind, id): (&[u8], &[u8]),
        (process, thread): (usize, u32),
        at_ns: i64,
    ) {
        let kind = if kind == b"HostToDevice" { OF_CALL } else { OF_OPERATOR };
        let arrow = self.arrows.intern(&[kind, id].concat());
        let end = End { process: process as u32, thread, at_ns, arrow };
        if begins { &mut self.begins } else { &mut self.ends }.push(end);
    }

    /// Finds (task, call or operator that launched it), by row, among what was read since `mark`, and joins the two. Times were moved by
    /// `moved_ns` after they were added here. `blocks` has the process of each block.
    pub(super) fn join(
        mut self,
        mark: Mark,
        moved_ns: i64,
        blocks: &[(DeviceSlot, u32)],
        builder: &mut TraceBuilder,
    ) -> Vec<(u32, u32)> {
        let mut joined = Vec::new();
        if self.begins.is_empty() || self.ends.is_empty() {
            return joined;
        }
        for list in [&mut self.begins, &mut self.ends] {
            list.iter_mut().for_each(|end| end.at_ns = end.at_ns.saturating_add(moved_ns));
            order::by_number(list, |end| (i64::from(end.arrow.get()), 0));
            order::by_number(list, |end| (i64::from(end.thread), end.at_ns));
            order::by_number(list, |end| (i64::from(end.process), 0));
        }
        let mut blocks = blocks.to_vec();
        blocks.sort_unstable();
        let launchers = self.launchers(mark, &blocks, builder);
        let launcher = |end: &End| *launchers.get(end.arrow.index())?;
        let by_call = |end: &End| self.arrows.get(end.arrow).as_bytes().starts_with(OF_CALL);
        self.ends.retain(|end| launcher(end).is_some());
        // At one place the first that counts: a damaged file may have as many arrows there as tasks.
        self.ends.sort_by_key(|end| (end.place(), !by_call(end)));
        self.ends.dedup_by_key(|end| end.place());
        for (process, row) in rows(mark, &blocks, builder) {
            let (thread, interval) = builder.run_of(row);
            let place = (process, thread, interval.start);
            let first = self.ends.partition_point(|end| end.place() < place);
            let own = self.ends.get(first).filter(|end| end.place() == place);
            joined.extend(own.and_then(launcher).map(|launcher| (row, launcher)));
        }
        joined.iter().for_each(|&(task, launcher)| builder.set_call(task, launcher));
        joined
    }

    /// For each arrow the innermost op that it leads from.
    fn launchers(
        &self,
        mark: Mark,
        blocks: &[(DeviceSlot, u32)],
        builder: &TraceBuilder,
    ) -> Vec<Option<u32>> {
        let mut found = vec![None; self.arrows.len()];
        let has_begin = |process: u32| {
            let first = self.begins.partition_point(|end| end.process < process);
            self.begins.get(first).is_some_and(|end| end.process == process)
        };
        let mut ops: Vec<(u32, u32, i64, i64, u32)> = rows(mark, blocks, builder)
            .filter(|&(process, row)| has_begin(process) && !builder.is_range(row))
            .map(|(process, row)| {
                let (thread, interval) = builder.run_of(row);
                (process, thread, interval.start, interval.end, row)
            })
            .collect();
        // An op before those that it contains.
        order::by_number(&mut ops, |(.., start, end, _)| (start, end.wrapping_neg()));
        order::by_number(&mut ops, |(process, thread, ..)| (i64::from(process), i64::from(thread)));
        let mut open: Vec<(u32, u32, i64, u32)> = Vec::new();
        let mut next = 0;
        for begin in &self.begins {
            while let Some(&(process, thread, start, end, row)) =
                ops.get(next).filter(|own| (own.0, own.1, own.2) <= begin.place())
            {
                next += 1;
                let is_over =
                    |outer: &(u32, u32, i64, u32)| (outer.0, outer.1) != (process, thread) || outer.2 < start;
                while open.last().is_some_and(is_over) {
                    open.pop();
                }
                open.push((process, thread, end, row));
            }
            let is_over = |outer: &(u32, u32, i64, u32)| {
                (outer.0, outer.1) != (begin.process, begin.thread) || outer.2 < begin.at_ns
            };
            while open.last().is_some_and(is_over) {
                open.pop();
            }
            if let Some(own) = found.get_mut(begin.arrow.index()) {
                *own = open.last().map(|&(.., row)| row);
            }
        }
        found
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.arrows.heap_bytes() + (self.begins.capacity() + self.ends.capacity()) * size_of::<End>()
    }
}

/// (process, row) of what was read since `mark` in `blocks`, which are in order.
fn rows<'a>(
    mark: Mark,
    blocks: &'a [(DeviceSlot, u32)],
    builder: &'a TraceBuilder,
) -> impl Iterator<Item = (u32, u32)> + use<'a> {
    let mut last: Option<(DeviceSlot, Option<u32>)> = None;
    builder.rows_since(mark).filter_map(move |row| {
        let slot = builder.block_of(row);
        let process = match last {
            Some((known, process)) if known == slot => process,
            _ => {
                let first = blocks.partition_point(|&(own, _)| own < slot);
                blocks.get(first).filter(|&&(own, _)| own == slot).map(|&(_, process)| process)
            }
        };
        last = Some((slot, process));
        Some((process?, row))
    })
}
