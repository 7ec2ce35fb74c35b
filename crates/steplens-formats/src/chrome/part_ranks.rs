//! Ranks that threads are called after: `PP rank 0, TP rank 0, compute` in the process `DP rank [0]`. Each rank is a device of its own then. Names of
//! threads may come last in a file, so ops are given to their ranks when the document ends.

use super::processes::Processes;
use super::thread_ranks::ranks_in;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;
use steplens_core::build::builder::{DeviceSlot, Mark, TraceBuilder};

impl Processes {
    /// Gives each rank a block of its own, where all threads of a process with ops since `mark` are called after ranks, and after more than one.
    pub(super) fn part_ranks(&mut self, mark: Mark, builder: &mut TraceBuilder) {
        let mut names: HashMap<(u32, u32), String, FixedState> = HashMap::default();
        for own in &self.threads {
            if let Some(ranks) = ranks_in(self.names.get(own.name)) {
                names.entry((own.process, own.thread)).or_insert(ranks);
            }
        }
        if names.is_empty() {
            return;
        }
        let blocks: BTreeMap<DeviceSlot, u32> = self.blocks().into_iter().collect();
        let place = |builder: &TraceBuilder, row: u32| {
            let process = blocks.get(&builder.block_of(row)).copied()?;
            Some((process, builder.run_of(row).0))
        };
        let mut others: HashSet<u32, FixedState> = HashSet::default();
        for own in builder.rows_since(mark).filter_map(|row| place(builder, row)) {
            if !names.contains_key(&own) {
                others.insert(own.0);
            }
        }
        names.retain(|(process, _), _| !others.contains(process));
        let mut of_process: BTreeMap<u32, BTreeMap<String, Vec<u32>>> = BTreeMap::new();
        for ((process, thread), ranks) in names {
            of_process.entry(process).or_default().entry(ranks).or_default().push(thread);
        }
        of_process.retain(|_, ranks| ranks.len() > 1);
        for (process, ranks) in of_process {
            let own = &self.rows[process as usize];
            let is_only = own.gpu.is_none() && own.frames.is_none();
            let Some(first) = own.slot.filter(|_| is_only) else { continue };
            for (place, (name, threads)) in ranks.into_iter().enumerate() {
                let slot = match place {
                    0 => first,
                    _ if builder.has_room_for_device() => builder.begin_device_like(first),
                    _ => break,
                };
                self.ranks.rows.entry(process).or_default().push((slot, name));
                let of_thread = threads.into_iter().map(|thread| ((process, thread), slot));
                self.ranks.of_thread.extend(of_thread);
            }
        }
        let ranks = &self.ranks;
        builder.move_since(mark, |builder, row| {
            let (process, thread) = place(builder, row)?;
            ranks.of_thread(process, thread)
        });
    }
}
