//! Files of several ranks that do not say so: each names the device GPU 0 of a process, and each means its own.
//!
//! A stream runs one kernel after the other. So if kernels of two files run at one time on one stream, the files are of two processes. What
//! two files have alike to the nanosecond was recorded, or opened, twice.

use super::{DISCARDED, TraceBuilder};
use crate::base::ids::{NodeId, StringId};
use crate::base::order;
use crate::model::device::task_of;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// The device of a timeline of Bluefog. Each of its agents writes a file of its own (`BLUEFOG_TIMELINE`), which says of no other.
const AGENT: &str = "Bluefog";

/// Of this many ops of a device one must run at the time of one of another file.
const LEAST: usize = 20;

/// When an op ran on a stream of a device, and its file.
#[derive(Clone, Copy)]
struct Ran {
    name: StringId,
    thread: u32,
    start: i64,
    end: i64,
    file: u32,
}

impl TraceBuilder {
    /// Marks files as processes of their own if a stream of theirs would else run several kernels at once.
    pub(super) fn tell_files_apart(&mut self) {
        self.tell_agents_apart();
        let Some(names) = self.shared_accelerators() else { return };
        let mut ran: Vec<Ran> = Vec::new();
        for (row, slot) in self.slot_of_op.iter().enumerate() {
            let Some(own) = self.slots.get(slot as usize).filter(|own| own.is_accelerator) else { continue };
            let (Some(name), Some(part)) = (own.name, self.parts.get(own.part as usize)) else { continue };
            let length = self.ops.length_of(row);
            if length > 0
                && names.contains(&name)
                && !self.nodes.is_range_by_field(NodeId::new(self.ops.node_of(row)))
            {
                let start = self.ops.start.get(row);
                let thread = self.ops.thread_of(row);
                ran.push(Ran { name, thread, start, end: start.saturating_add(length), file: part.file });
            }
        }
        order::by_number(&mut ran, |own| (own.start, own.end));
        order::by_number(&mut ran, |own| (i64::from(own.name.get()) << 32 | i64::from(own.thread), 0));
        let files = overlapping(&ran);
        if files.is_empty() {
            return;
        }
        for slot in &mut self.slots {
            let file = self.parts.get(slot.part as usize).map(|part| part.file);
            slot.process = slot.process.or(file.filter(|file| files.contains(file)));
        }
    }

    /// Marks the files of several agents as processes of their own.
    fn tell_agents_apart(&mut self) {
        let Some(agent) = self.strings.find(AGENT) else {
            return;
        };
        let is_agent = |slot: &super::Slot| {
            slot.part != DISCARDED
                && slot.name == Some(agent)
                && slot.host.is_none()
                && slot.process.is_none()
        };
        let own = self.slots.iter().filter(|slot| is_agent(slot));
        let files: HashSet<u32, FixedState> =
            own.filter_map(|slot| Some(self.parts.get(slot.part as usize)?.file)).collect();
        if files.len() < 2 {
            return;
        }
        for slot in &mut self.slots {
            let file = self.parts.get(slot.part as usize).map(|part| part.file);
            slot.process = slot.process.or(file.filter(|file| files.contains(file)));
        }
    }

    /// The names of accelerators that several files have, if no file says which process it is of.
    fn shared_accelerators(&self) -> Option<HashSet<StringId, FixedState>> {
        let mut file_of: HashMap<StringId, u32, FixedState> = HashMap::default();
        let mut names: HashSet<StringId, FixedState> = HashSet::default();
        for slot in self.slots.iter().filter(|slot| slot.part != DISCARDED && slot.is_accelerator) {
            let (Some(name), Some(part)) = (slot.name, self.parts.get(slot.part as usize)) else { continue };
            let is_told = slot.host.is_some() || slot.process.is_some();
            if !is_told
                && task_of(self.strings.get(name)).is_none()
                && *file_of.entry(name).or_insert(part.file) != part.file
            {
                names.insert(name);
            }
        }
        (!names.is_empty()).then_some(names)
    }
}

/// The files with ops that run at the time of ops of other files. `ran` is in order of device, stream and start.
fn overlapping(ran: &[Ran]) -> HashSet<u32, FixedState> {
    let mut found: HashSet<u32, FixedState> = HashSet::default();
    for device in ran.chunk_by(|a, b| a.name == b.name) {
        let mut together: HashSet<u32, FixedState> = HashSet::default();
        let mut count = 0;
        for stream in device.chunk_by(|a, b| a.thread == b.thread) {
            let mut latest = stream[0];
            for &own in &stream[1..] {
                let is_copy = (own.start, own.end) == (latest.start, latest.end);
                if own.file != latest.file && own.start < latest.end && !is_copy {
                    count += 1;
                    together.extend([own.file, latest.file]);
                }
                if own.end > latest.end {
                    latest = own;
                }
            }
        }
        if count * LEAST >= device.len() && count > 0 {
            found.extend(together);
        }
    }
    found
}
