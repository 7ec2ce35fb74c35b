//! Parts: what of the files was recorded at once, such as one step, or one record of a container.

use crate::Trace;
use crate::base::ids::StringId;
use crate::base::units::Interval;

/// A part as a reader met it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartRecord<'a> {
    /// What the container calls it: a tag, or what the run fetched; empty if it says nothing.
    pub name: &'a str,
    /// The number of its step, if the container says it.
    pub step: Option<i64>,
    /// When it was recorded, in ns from 1970, if the container says it.
    pub recorded_unix_ns: Option<i64>,
    /// Whether the container says that it is a run of its own, as tags and run ids do. Otherwise the times of its ops
    /// tell whether it is one, or a process of another.
    pub is_run: bool,
    /// What else the container says of it, as (what, value): `fetches`, `feeds`, `runs`.
    pub facts: &'a [(&'a str, &'a str)],
    /// See [`Part::host`].
    pub host: Option<&'a str>,
    /// See [`Part::is_apart`].
    pub is_apart: bool,
}

/// A part of what was opened.
#[derive(Clone, Debug)]
pub struct Part {
    /// In which file it is: an index in the order of opening.
    pub file: u32,
    /// What the container calls it; empty if it says nothing.
    pub name: StringId,
    /// The number of its step, if the container says it.
    pub step: Option<i64>,
    /// When it was recorded, in ns from 1970, if the container says it.
    pub recorded_unix_ns: Option<i64>,
    /// Whether the container says that it is a run of its own.
    pub is_run: bool,
    /// What else the container says of it: (what, value).
    pub facts: Vec<(StringId, StringId)>,
    /// The machine or process that its file says it is of: next to a file of another, its devices without a task are devices of that one.
    pub host: Option<StringId>,
    /// Whether its file is of a process of its own, which it does not name.
    pub is_apart: bool,
    /// How many ops of it are in the trace.
    pub ops: u32,
    /// From the first start to the last end of them; empty if there is none.
    pub span: Interval,
}

impl Part {
    /// Whether its container says which run it is.
    pub fn is_described(&self, trace: &Trace) -> bool {
        let has_name = !trace.text(self.name).is_empty();
        has_name || self.step.is_some() || self.recorded_unix_ns.is_some() || !self.facts.is_empty()
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.facts.capacity() * size_of::<(StringId, StringId)>()
    }
}
