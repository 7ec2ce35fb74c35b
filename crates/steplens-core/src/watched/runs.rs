//! The runs of a process, in the order of their lines: clocks may jump.

use super::names::TraceName;
use crate::base::units::Nanos;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The most bytes of fetches and feeds that are kept of a process.
const MOST_CALL_BYTES: usize = 16 << 20;

/// What a run fetches and is fed, as a row of [`Runs::calls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u32);

/// What runs fetch and are fed. In lists of the program that trains, and in its order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// The names of what is fetched.
    pub fetches: Arc<[String]>,
    /// The names of what is fed.
    pub feeds: Arc<[String]>,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its number in its process.
    pub number: u64,
    /// When it began, by the clock of its machine, in ns since 1970.
    pub start_unix_ns: i64,
    /// How long it took.
    pub length: Nanos,
    /// The global step, where one is known.
    pub step: Option<i64>,
    /// What it fetched and was fed; `None` where a damaged line before it may have said so.
    pub call: Option<CallId>,
    /// Its trace, where it was traced.
    pub trace: Option<TraceName>,
    /// Which request it was traced for.
    pub request: Option<Box<str>>,
}

/// The runs of a process.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// The oldest first.
    pub runs: VecDeque<Run>,
    /// How many runs before them are no longer listed.
    pub dropped: u64,
    calls: Vec<Call>,
    by_call: BTreeMap<Call, CallId>,
    call_bytes: usize,
}

impl Runs {
    /// What runs fetch and are fed.
    pub fn call(&self, id: CallId) -> Option<&Call> {
        self.calls.get(id.0 as usize)
    }

    /// The row of `call`; `None` where there are too many to keep.
    pub fn row_of(&mut self, call: Call) -> Option<CallId> {
        if let Some(&id) = self.by_call.get(&call) {
            return Some(id);
        }
        // A text costs its bytes and the place that it is kept in.
        let bytes: usize = call.fetches.iter().chain(call.feeds.iter()).map(|name| name.len() + 32).sum();
        let bytes = self.call_bytes.checked_add(bytes + 128).filter(|&bytes| bytes <= MOST_CALL_BYTES)?;
        let id = CallId(u32::try_from(self.calls.len()).ok()?);
        self.call_bytes = bytes;
        self.calls.push(call.clone());
        self.by_call.insert(call, id);
        Some(id)
    }

    /// Adds a run, and drops the oldest where there are more than `most`.
    pub fn push(&mut self, run: Run, most: usize) {
        self.runs.push_back(run);
        while self.runs.len() > most {
            self.runs.pop_front();
            self.dropped = self.dropped.saturating_add(1);
        }
    }
}

impl super::Watched {
    /// The traces of the runs that were traced for a request at a known step, by both: those of several processes show the same step.
    pub fn asked_together(&self) -> BTreeMap<(&str, i64), Vec<&TraceName>> {
        let mut found = BTreeMap::<_, Vec<_>>::new();
        for run in self.processes.values().flat_map(|process| &process.runs) {
            if let (Some(request), Some(step), Some(trace)) = (run.request.as_deref(), run.step, &run.trace) {
                found.entry((request, step)).or_default().push(trace);
            }
        }
        found
    }
}
