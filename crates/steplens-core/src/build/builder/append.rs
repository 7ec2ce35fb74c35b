//! What another builder has read of other files, as if this one had read them: the same rows, texts and numbers in the same order. So files can be
//! read on several threads, and the trace does not tell.

use super::{DISCARDED, Slot, TraceBuilder};
use crate::base::ids::{PartId, StringId};
use crate::model::arguments::MAX_FORM_BYTES;
use crate::model::memory::LateRecord;
use crate::model::part::Part;

impl TraceBuilder {
    /// Whether all of `other` can be appended, with a trace as if one builder had read it. It cannot where one builder would have come to a limit
    /// (`memory_bytes` is that of the trace) or where one of the two keeps the order of its files.
    pub fn has_room_for(&self, other: &Self, memory_bytes: usize) -> bool {
        let is_free = |own: &Self| !own.is_full && own.file_order.is_none();
        let rows = self.slot_of_op.len().saturating_add(other.slot_of_op.len());
        let bytes = self.heap_bytes().saturating_add(other.heap_bytes());
        let forms = self.arguments.form_bytes().saturating_add(other.arguments.form_bytes());
        // One builder may grow its tables by more than two do.
        let is_room = bytes <= memory_bytes / 2 && forms <= MAX_FORM_BYTES / 2;
        is_free(self) && is_free(other) && rows < (u32::MAX - 1) as usize && is_room
    }

    /// Appends what `other` has read: files that come from number `first_file` on.
    pub fn append(&mut self, mut other: Self, first_file: u32) {
        self.begin_file(first_file);
        if let Some(whole) = other.whole.take() {
            self.take_trace(*whole);
            return;
        }
        other.divide_runs();
        let texts = self.strings.append(&other.strings);
        let text = |old: StringId| texts[old.index()];
        let nodes = self.nodes.append(&mut self.strings, &other.nodes, &other.strings);
        let first_part = PartId::from_usize(self.parts.len());
        self.graph.append(&other.graph, &texts, first_part);
        let (first_row, first_slot) = (self.slot_of_op.len(), self.slots.len() as u32);
        let (row, file) = (|old: u32| first_row as u32 + old, |old: u32| first_file.saturating_add(old));
        self.parts.extend(other.parts.into_iter().map(|own| Part {
            file: file(own.file),
            name: text(own.name),
            facts: own.facts.iter().map(|&(what, value)| (text(what), text(value))).collect(),
            host: own.host.map(text),
            ..own
        }));
        self.slots.extend(other.slots.into_iter().map(|own| Slot {
            name: own.name.map(text),
            host: own.host.map(text),
            process: own.process.map(file),
            part: if own.part == DISCARDED { DISCARDED } else { first_part.get() + own.part },
            ..own
        }));
        let of_name = other.slot_of_name.into_iter();
        self.slot_of_name.extend(of_name.map(|(name, slot)| (text(name), first_slot + slot)));
        other.slot_of_op.iter().for_each(|slot| self.slot_of_op.push(first_slot + slot));
        self.ops.append(&other.ops, &nodes);
        self.outputs.append(&other.outputs, &texts, first_row);
        self.memory.append(&other.memory, &texts);
        self.arguments.append(&other.arguments, first_row);
        self.samples.append(other.samples, &texts, first_slot, first_file);
        self.late_memory.extend(other.late_memory.into_iter().map(|own| LateRecord {
            row: row(own.row),
            allocator: text(own.allocator),
            ..own
        }));
        let threads = other.threads.into_iter();
        self.threads.extend(threads.map(|(slot, thread, name)| (first_slot + slot, thread, text(name))));
        self.calls.extend(other.calls.into_iter().map(|(kernel, call)| (row(kernel), row(call))));
        self.marks.extend(other.marks.into_iter().map(|(part, own)| (part.after(first_part), row(own))));
        self.has_host |= other.has_host;
        self.has_part = other.has_part;
        // The runs of these files are divided.
        self.file_mark = self.mark();
    }
}
