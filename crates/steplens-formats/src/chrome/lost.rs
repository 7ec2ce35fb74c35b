//! What the format did not keep of the recording, counted and reported.

use crate::memory_events::Unclear;
use steplens_core::Problems;
use steplens_messages::say;

/// Counts of one file.
#[derive(Default)]
pub(super) struct Lost {
    /// Ops that `timeline.py` wrote.
    pub(super) ops: Count,
    /// RecvTensors among them: `timeline.py` writes neither their tensor nor their sender.
    pub(super) transfers: Count,
    /// Ops of documents without any tensor: they were written without `show_memory`.
    pub(super) without_tensors: Count,
    /// Events without a time, among others that have a date.
    pub(super) unset: Count,
    /// Tensors that belong to no op.
    pub(super) tensors: Count,
    /// Beginnings without an end, and ends without a beginning.
    pub(super) unfinished: Count,
    /// Arrows, asynchronous events and others that are neither ops nor counters nor instants.
    pub(super) not_shown: Count,
    /// Asynchronous events among these.
    pub(super) asynchronous: Count,
    /// How long any of these lasts, and the time in which they do; of all documents.
    lasting_ns: (i64, i64),
    /// GPUs with a name and without an event.
    pub(super) gpus: Count,
    /// Those of documents in which nothing shows that they were used.
    pub(super) unused_gpus: Count,
    /// Those that documents of PyTorch name.
    pub(super) gpus_of_torch: Count,
    /// Documents of `timeline.py`, known by its process of allocators.
    pub(super) timelines: u64,
    /// Values of counters that are no finite numbers.
    pub(super) values: Count,
    /// Values of counters, and instants, for which no memory was left.
    pub(super) samples: Count,
    /// What is unclear about allocations.
    pub(super) memory: Unclear,
}

/// A count, and the place of the first one.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    count: u64,
    first: u64,
}

impl Count {
    /// Adds `count`, found at byte `at`.
    pub(super) fn add(&mut self, count: u64, at: u64) {
        if self.count == 0 {
            self.first = at;
        }
        self.count += count;
    }

    /// The place of the first one.
    pub(super) fn first(self) -> u64 {
        self.first
    }

    /// The count.
    pub(super) fn count(self) -> u64 {
        self.count
    }
}

impl Lost {
    /// Adds how long asynchronous events of a document last, and its time.
    pub(super) fn lasts(&mut self, document: Option<(i64, i64)>) {
        let Some((lasts, all)) = document else { return };
        let (sum, of) = self.lasting_ns;
        self.lasting_ns = (sum.saturating_add(lasts), of.saturating_add(all));
    }

    /// Adds all problems. What the format itself cannot store is one problem of the file, for any number of ops.
    pub(super) fn report(&self, problems: &mut Problems) {
        let Count { count, first } = self.not_shown;
        if count > 0 {
            let (lasts, all) = self.lasting_ns;
            let percent = i128::from(lasts) * 100 / i128::from(all.max(1));
            problems.note("events-not-shown", first, || match u64::try_from(percent) {
                Ok(percent) if percent > 0 => say!("events-not-shown-lasting", count, percent),
                _ => say!("events-not-shown", count),
            });
        }
        self.memory.report(problems);
        let mut add = |code, Count { count, first }: Count, times: u64, said: fn(u64) -> String| {
            if count > 0 {
                problems.add_many(code, times, first, || said(count));
            }
        };
        add("unfinished-event", self.unfinished, self.unfinished.count, |count| {
            say!("events-unfinished", count)
        });
        add("time-unset", self.unset, self.unset.count, |count| say!("events-time-unset", count));
        add("counter-value", self.values, self.values.count, |count| say!("counter-values-lost", count));
        add("samples-left-out", self.samples, self.samples.count, |count| say!("samples-left-out", count));
        add("unjoined-tensor", self.tensors, self.tensors.count, |count| say!("tensors-unjoined", count));
        add("gpu-without-events", self.gpus, self.gpus.count, |count| say!("gpu-without-events", count));
        add("gpu-unused", self.unused_gpus, self.unused_gpus.count, |count| say!("gpu-unused", count));
        let count = self.gpus_of_torch.count;
        add("gpu-unused", self.gpus_of_torch, count, |count| say!("gpu-unused-pytorch", count));
        add("lost-in-chrome-json", self.ops, 1, |count| say!("timeline-lost-figures", count));
        add("lost-transfers", self.transfers, 1, |count| say!("timeline-lost-transfers", count));
        add("lost-tensors", self.without_tensors, 1, |count| say!("timeline-lost-tensors", count));
    }
}
