//! Finds the op of each allocation and free: the innermost op that runs on its thread at that moment; between ops the last one that
//! began before; before all ops the first one.
//!
//! Ops and events are followed side by side, thread by thread in order of time. Readers usually add ops in that order, so only the
//! open ops are kept in memory.

use super::MemoryEvent;
use std::cmp::Reverse;
use steplens_core::base::order;
use steplens_core::build::builder::{DeviceSlot, Mark, TraceBuilder};

/// The op that an event belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holder {
    pub(super) row: u32,
    pub(super) end: i64,
    /// Whether the op runs at that moment.
    pub(super) is_within: bool,
}

/// One run of an op.
#[derive(Clone, Copy)]
struct Run {
    /// A thread as a number, from [`thread`].
    thread: i64,
    start: i64,
    end: i64,
    row: u32,
}

/// A thread of a line, as one number.
fn thread(line: u32, thread: u32) -> i64 {
    i64::from(line) << 32 | i64::from(thread)
}

/// For each event the op since `mark` that it belongs to; `None` if no op ran on its thread. `blocks` are the blocks of the lines.
pub(super) fn holders(
    events: &[MemoryEvent],
    mark: Mark,
    mut blocks: Vec<(DeviceSlot, u32)>,
    builder: &TraceBuilder,
) -> Vec<Option<Holder>> {
    let mut lines: Vec<u32> = events.iter().map(|event| event.line).collect();
    order::by_number(&mut lines, |line| (i64::from(line), 0));
    lines.dedup();
    blocks.retain(|(_, line)| lines.binary_search(line).is_ok());
    blocks.sort();
    let mut turns: Vec<u32> = (0..events.len() as u32).collect();
    order::by_number(&mut turns, |own| {
        let event = &events[own as usize];
        (thread(event.line, event.thread), event.at_unix_ns)
    });
    let blocks = blocks.as_slice();
    let runs = || {
        let mut last = None;
        builder.rows_since(mark).filter_map(move |row| {
            let slot = builder.block_of(row);
            let line = match last {
                Some((other, line)) if other == slot => line,
                _ => {
                    let place = blocks.binary_search_by_key(&slot, |&(slot, _)| slot).ok();
                    place.map(|place| blocks[place].1)
                }
            };
            last = Some((slot, line));
            let (number, times) = builder.run_of(row);
            let run = Run { thread: thread(line?, number), start: times.start, end: times.end, row };
            (!times.is_empty()).then_some(run)
        })
    };
    follow(events, &turns, runs()).unwrap_or_else(|| {
        let mut sorted: Vec<Run> = runs().collect();
        sorted.sort_by_key(|&a| place(&a));
        follow(events, &turns, sorted.into_iter()).unwrap_or_default()
    })
}

/// The order of runs: of runs with the same start, the longest comes first, because it contains the others.
fn place(run: &Run) -> (i64, i64, Reverse<i64>, u32) {
    (run.thread, run.start, Reverse(run.end), run.row)
}

/// The holder of each event; `None` if the runs are not in order. `turns` are the events by thread and time.
fn follow(
    events: &[MemoryEvent],
    turns: &[u32],
    runs: impl Iterator<Item = Run>,
) -> Option<Vec<Option<Holder>>> {
    let mut holders = vec![None; events.len()];
    let mut turns = turns.iter().map(|&own| own as usize).peekable();
    let mut open = OpenRuns::default();
    for run in runs {
        if open.newest.is_some_and(|newest| place(&newest) > place(&run)) {
            return None;
        }
        let is_before = |&own: &usize| {
            let event = &events[own];
            (thread(event.line, event.thread), event.at_unix_ns) < (run.thread, run.start)
        };
        while let Some(own) = turns.next_if(is_before) {
            let first = Holder { row: run.row, end: run.end, is_within: false };
            let is_same = thread(events[own].line, events[own].thread) == run.thread;
            holders[own] = open.at(&events[own]).or(is_same.then_some(first));
        }
        open.push(run);
    }
    turns.for_each(|own| holders[own] = open.at(&events[own]));
    Some(holders)
}

/// The runs of a thread that contain the newest run, the outermost first, and the newest run itself.
#[derive(Default)]
struct OpenRuns {
    open: Vec<Run>,
    newest: Option<Run>,
}

impl OpenRuns {
    fn push(&mut self, run: Run) {
        if self.newest.is_some_and(|newest| newest.thread != run.thread) {
            self.open.clear();
        }
        while self.open.pop_if(|other| other.end < run.end).is_some() {}
        self.open.push(run);
        self.newest = Some(run);
    }

    /// The holder of an event that comes after all runs so far and before all others; `None` if no run of its thread came before.
    fn at(&mut self, event: &MemoryEvent) -> Option<Holder> {
        let newest = self.newest.filter(|newest| newest.thread == thread(event.line, event.thread))?;
        // A run that has ended contains no later event.
        while self.open.pop_if(|run| run.end < event.at_unix_ns).is_some() {}
        let found = self.open.last();
        let run = found.unwrap_or(&newest);
        Some(Holder { row: run.row, end: run.end, is_within: found.is_some() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steplens_core::StringId;

    fn event(line: u32, thread: u32, at_unix_ns: i64) -> MemoryEvent {
        let allocator = StringId::from_usize(0);
        let (bytes, is_free, address, in_use) = (1, false, Some(0), None);
        MemoryEvent { line, thread, at_unix_ns, bytes, is_free, address, allocator, in_use }
    }

    /// A plain definition of the same result, which checks every run of the thread.
    fn plainly(runs: &[Run], event: &MemoryEvent) -> Option<(u32, bool)> {
        let own: Vec<&Run> =
            runs.iter().filter(|run| run.thread == thread(event.line, event.thread)).collect();
        let begun: Vec<&&Run> = own.iter().filter(|run| run.start <= event.at_unix_ns).collect();
        let contains = |run: &&&&Run| run.end >= event.at_unix_ns && run.end >= begun[begun.len() - 1].end;
        let running = begun.iter().rev().find(|run| {
            // A run that ended before a later one did no longer contains that one, nor any later event.
            contains(run)
                && begun.iter().skip_while(|other| other.row != run.row).all(|other| run.end >= other.end)
        });
        let last = begun.last().map(|run| **run).or(own.first().copied());
        running.map(|run| (run.row, true)).or(last.map(|run| (run.row, false)))
    }

    #[test]
    fn events_belong_to_the_innermost_run_of_their_thread() {
        let mut state = 7_u64;
        let mut below = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        for count in [0, 1, 5, 40, 200] {
            let mut runs: Vec<Run> = (0..count)
                .map(|row| {
                    let start = below(100) as i64;
                    let thread = thread(below(3) as u32, below(2) as u32);
                    Run { thread, start, end: start + 1 + below(30) as i64, row }
                })
                .collect();
            let events: Vec<MemoryEvent> =
                (0..100).map(|_| event(below(4) as u32, below(2) as u32, below(140) as i64)).collect();
            let mut turns: Vec<u32> = (0..events.len() as u32).collect();
            turns.sort_by_key(|&own| {
                let event = &events[own as usize];
                (thread(event.line, event.thread), event.at_unix_ns)
            });
            if count > 1 {
                assert!(follow(&events, &turns, runs.iter().copied()).is_none(), "they are in no order");
            }
            runs.sort_by_key(place);
            let found = follow(&events, &turns, runs.iter().copied()).expect("they are in order");
            for (event, found) in events.iter().zip(found) {
                assert_eq!(
                    found.map(|found| (found.row, found.is_within)),
                    plainly(&runs, event),
                    "{event:?}"
                );
            }
        }
    }
}
