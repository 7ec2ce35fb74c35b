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
    pub(super) fn tell(&self, problems: &mut Problems) {
        let left_out = [
            (
                "unfinished-event",
                self.unfinished,
                "events that begin and never end, or end without having begun",
            ),
            ("unjoined-tensor", self.tensors, "tensors that belong to no op of the file"),
            ("events-not-shown", self.not_shown, "events that are no op (counters, instants, arrows)"),
        ];
        for (code, Count { count, first }, what) in left_out {
            if count > 0 {
                problems.add_many(code, count, first, || format!("{what} are left out"));
            }
        }
        let lost = [
            (
                "lost-in-chrome-json",
                self.ops,
                "ops in whole microseconds, and not their wait in the queue, kernels, threads, allocators and graphs; open the \
                 RunMetadata that it was given to see these",
            ),
            (
                "lost-transfers",
                self.transfers,
                "transfers without their tensor and sender; they are shown as ops, and in no list of transfers",
            ),
            (
                "lost-tensors",
                self.without_tensors,
                "ops without what they made, which it does with show_memory=True; shapes and sizes are not known",
            ),
        ];
        for (code, Count { count, first }, what) in lost {
            if count > 0 {
                problems.add(code, first, || format!("timeline.py wrote {count} {what}"));
            }
        }
    }
}
