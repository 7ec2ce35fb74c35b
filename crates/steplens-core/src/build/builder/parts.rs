//! Files, processes and parts, and which of them the next ops belong to.

use super::{DISCARDED, Slot, TraceBuilder, push_sparingly};
use crate::base::ids::PartId;
use crate::base::units::Interval;
use crate::model::part::{Part, PartRecord};
use crate::model::process::task_of_process;

impl TraceBuilder {
    /// Starts the next file.
    pub fn begin_file(&mut self, file: u32) {
        self.divide_runs();
        self.unfold();
        self.file_mark = self.mark();
        self.file = file;
        self.has_part = false;
        self.process = None;
        self.is_apart = false;
        self.host = None;
        self.end_block();
    }

    /// Sets the user's name for the process of the file. Its devices that belong to no task of a cluster become devices of that
    /// process, so that devices of several files stay apart.
    pub fn name_process(&mut self, name: &str) {
        self.process = Some(task_of_process(name));
    }

    /// Marks the file as a separate process, though its devices have the names of other devices. If there are several such files,
    /// and the user did not name them, they are named by their order: `process0`.
    pub fn separate_process(&mut self) {
        self.is_apart = self.process.is_none();
    }

    /// Sets the machine that recorded the file. If the files are of several machines, devices that belong to no task of a cluster
    /// become devices of their machine, unless the user named the file.
    pub fn set_host(&mut self, host: &str) {
        self.host = self.process.is_none().then(|| self.strings.intern(host.as_bytes()));
    }

    /// The files that are named by their order.
    pub fn unnamed_processes(&self) -> Vec<u32> {
        let mut files: Vec<u32> =
            self.slots.iter().filter(|slot| slot.part != DISCARDED).filter_map(|slot| slot.process).collect();
        files.dedup();
        if files.len() > 1 { files } else { Vec::new() }
    }

    /// Adds a part of a file, counted from the current one. Ops and nodes must be added to it explicitly.
    pub fn add_part(&mut self, file: u32, record: &PartRecord<'_>) -> PartId {
        let part = self.new_part(self.file.saturating_add(file), record);
        self.parts.push(part);
        self.has_part = true;
        PartId::from_usize(self.parts.len() - 1)
    }

    /// The following graph nodes belong to `part`, which must be the current one or a later one.
    pub fn continue_graphs(&mut self, part: PartId) {
        self.graph.continue_part(part);
    }

    /// Starts a part of the file: everything that follows was recorded together. A file without parts is one part.
    pub fn begin_part(&mut self, record: &PartRecord<'_>) -> PartId {
        let part = self.new_part(self.file, record);
        // Drop an empty part that no container declared as a run.
        if self.has_part && self.parts.last().is_some_and(|last| !last.is_run) && !self.part_has_content() {
            self.parts.pop();
        }
        push_sparingly(&mut self.parts, part);
        let part = PartId::from_usize(self.parts.len() - 1);
        self.graph.begin_part(part);
        self.has_part = true;
        part
    }

    /// Describes a part that was begun before its description was known.
    pub fn describe_part(&mut self, part: PartId, record: &PartRecord<'_>) {
        let Some(file) = self.parts.get(part.index()).map(|part| part.file) else { return };
        self.parts[part.index()] = self.new_part(file, record);
    }

    /// The start of the first op of each part, in ns from 1970.
    pub fn starts_of_parts(&self) -> Vec<Option<i64>> {
        let mut starts: Vec<Option<i64>> = vec![None; self.parts.len()];
        for slot in self.slots.iter().filter(|slot| slot.first_start <= slot.last_end) {
            if let Some(start) = starts.get_mut(slot.part as usize) {
                *start = Some(start.map_or(slot.first_start, |start| start.min(slot.first_start)));
            }
        }
        starts
    }

    /// The number of parts so far.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Takes back all parts after the first `count`, with their ops and graphs; returns the number of these ops. Their rows stay,
    /// like those of devices that are not selected, but do not get into the trace.
    pub fn discard_parts(&mut self, count: usize) -> u64 {
        let mut ops = 0;
        let is_part_of = |slot: &&mut Slot| slot.part != DISCARDED && slot.part as usize >= count;
        for slot in self.slots.iter_mut().rev().take_while(is_part_of) {
            ops += slot.ops;
            (slot.ops, slot.taken, slot.outside_window, slot.part) = (0, 0, 0, DISCARDED);
        }
        self.parts.truncate(count);
        self.marks.retain(|(part, _)| part.index() < count);
        self.graph.discard_parts(PartId::from_usize(count));
        self.has_part = false;
        ops
    }

    fn new_part(&mut self, file: u32, record: &PartRecord<'_>) -> Part {
        let strings = &mut self.strings;
        let facts = record.facts.iter();
        let facts =
            facts.map(|(what, value)| (strings.intern(what.as_bytes()), strings.intern(value.as_bytes())));
        Part {
            file,
            facts: facts.collect(),
            name: strings.intern(record.name.as_bytes()),
            step: record.step,
            recorded_unix_ns: record.recorded_unix_ns,
            is_run: record.is_run,
            host: record.host.map(|host| strings.intern(host.as_bytes())),
            is_apart: record.is_apart,
            ops: 0,
            span: Interval::default(),
        }
    }

    /// Whether the newest part has any ops or graph nodes.
    fn part_has_content(&self) -> bool {
        let newest = self.parts.len() as u32 - 1;
        self.slots.last().is_some_and(|slot| slot.part == newest) || self.graph.newest_part_has_nodes()
    }

    /// Ends a part: if no other is begun, the rest of the file is a new part.
    pub fn end_part(&mut self) {
        self.has_part = false;
    }

    pub(super) fn need_part(&mut self) {
        if !self.has_part {
            self.begin_part(&PartRecord::default());
        }
    }
}
