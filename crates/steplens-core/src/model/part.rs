//! Parts: what was recorded together in a file, such as one step, or one record of a container.

use crate::base::ids::StringId;
use crate::base::units::Interval;
use crate::storage::strings::StringTable;

/// A part as a reader found it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartRecord<'a> {
    /// The name in the container: a tag, or the fetches of the run; empty without one.
    pub name: &'a str,
    /// The number of its step, if the container has it.
    pub step: Option<i64>,
    /// When it was recorded, in ns from 1970, if the container has it.
    pub recorded_unix_ns: Option<i64>,
    /// Whether the container says that it is a separate run, as tags and run ids do. Otherwise the times of its ops decide whether
    /// it is a run, or a process of another run.
    pub is_run: bool,
    /// Other facts in the container, as (name, value): `fetches`, `feeds`, `runs`.
    pub facts: &'a [(&'a str, &'a str)],
    /// See [`Part::host`].
    pub host: Option<&'a str>,
    /// See [`Part::is_apart`].
    pub is_apart: bool,
}

/// A part of what was opened.
#[derive(Clone, Debug)]
pub struct Part {
    /// The index of its file, in the order of opening.
    pub file: u32,
    /// The name in the container; empty without one.
    pub name: StringId,
    /// The number of its step, if the container has it.
    pub step: Option<i64>,
    /// When it was recorded, in ns from 1970, if the container has it.
    pub recorded_unix_ns: Option<i64>,
    /// Whether the container says that it is a separate run.
    pub is_run: bool,
    /// Other facts in the container: (name, value).
    pub facts: Vec<(StringId, StringId)>,
    /// The machine or process that its file names. If there are files of other machines, its devices without a task become devices
    /// of this one.
    pub host: Option<StringId>,
    /// Whether its file is of a separate process without a name.
    pub is_apart: bool,
    /// The number of its ops in the trace.
    pub ops: u32,
    /// From the first start to the last end of these ops; empty without ops.
    pub span: Interval,
}

impl Part {
    /// Whether its container says which run it is.
    pub fn is_described(&self, strings: &StringTable) -> bool {
        let has_name = !strings.get(self.name).is_empty();
        has_name || self.step.is_some() || self.recorded_unix_ns.is_some() || !self.facts.is_empty()
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.facts.capacity() * size_of::<(StringId, StringId)>()
    }
}
