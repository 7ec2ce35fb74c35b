//! What the format did not keep of what was recorded, counted and put in words.

use steplens_core::Problems;

/// Counts of one file.
#[derive(Default)]
pub(super) struct Lost {
    /// Ops that `timeline.py` wrote.
    pub(super) ops: Count,
    /// RecvTensors among them: it writes neither their tensor nor their sender.
    pub(super) transfers: Count,
    /// Ops of documents without any tensor: they were written without `show_memory`.
    pub(super) without_tensors: Count,
    /// Tensors that belong to no op.
    pub(super) tensors: Count,
    /// Beginnings without an end, and ends without a beginning.
    pub(super) unfinished: Count,
    /// Counters, instants, flows and other events that are no op.
    pub(super) not_shown: Count,
}

/// How many there are, and where the first is.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    count: u64,
    first: u64,
}

impl Count {
    /// Counts `count` more, met at the byte `at`.
    pub(super) fn add(&mut self, count: u64, at: u64) {
        if self.count == 0 {
            self.first = at;
        }
        self.count += count;
    }

    /// How many there are.
    pub(super) fn count(self) -> u64 {
        self.count
    }
}

impl Lost {
    /// Says everything that there is to say. What the format itself cannot hold is one problem of the file, however many
    /// ops it concerns.
    pub(super) fn report(&self, problems: &mut Problems) {
        const LEFT_OUT: &str = "";
        const LOST: &str = "timeline.py wrote ";
        let Count { count, first } = self.not_shown;
        if count > 0 {
            problems.note("events-not-shown", first, || {
                format!("{count} events that are no op (counters, instants, arrows) are left out")
            });
        }
        let all = [
            (
                "unfinished-event",
                self.unfinished,
                LEFT_OUT,
                "events that begin and never end, or end without having begun, are left out",
            ),
            (
                "unjoined-tensor",
                self.tensors,
                LEFT_OUT,
                "tensors that belong to no op of the file are left out",
            ),
            (
                "lost-in-chrome-json",
                self.ops,
                LOST,
                "ops in whole microseconds, and not their wait in the queue, kernels, threads, allocators and graphs; open the \
                 RunMetadata that it was given to see these",
            ),
            (
                "lost-transfers",
                self.transfers,
                LOST,
                "transfers without their tensor and sender; they are shown as ops, and in no list of transfers",
            ),
            (
                "lost-tensors",
                self.without_tensors,
                LOST,
                "ops without what they made, which it does with show_memory=True; shapes and sizes are not known",
            ),
        ];
        for (code, Count { count, first }, kind, what) in all {
            if count > 0 {
                let times = if kind == LOST { 1 } else { count };
                problems.add_many(code, times, first, || format!("{kind}{count} {what}"));
            }
        }
    }
}
