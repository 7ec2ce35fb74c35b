//! The content of a pickle, and what its containers say about each RunMetadata in it.

use super::heap::{Heap, ObjectKind, Value};
use super::machine::Machine;
use super::pages::Pages;
use super::parts_to_describe::PartsToDescribe;
use super::session::Session;
use hashbrown::HashMap;
use steplens_core::PartId;
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::part::PartRecord;
use steplens_messages::say;

/// How many keys of nested dicts make a name, and how much of each.
const MAX_KEYS: usize = 4;
const MAX_KEY_BYTES: usize = 60;
/// How many sessions of a file are read. Each may name the same runs.
const MAX_SESSIONS: usize = 16;
/// How many classes are listed for a pickle without RunMetadata.
const NAMED_CLASSES: usize = 3;

/// What was found in addition to the RunMetadata.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Description {
    pub(super) is_session: bool,
    /// The number of runs in its sessions.
    pub(super) runs: usize,
}

/// Describes the parts of a file of `bytes` bytes.
pub(super) fn describe(
    machine: &Machine,
    parts: &[PartId],
    bytes: u64,
    builder: &mut TraceBuilder,
) -> Description {
    let heap = &machine.heap;
    let found = Search::of(machine, parts.len()).run();
    let mut parts_to_describe = PartsToDescribe::new(parts, bytes);
    let mut description = Description { is_session: !found.sessions.is_empty(), runs: 0 };
    for session in &found.sessions {
        description.runs += session.describe(heap, &mut parts_to_describe, builder);
    }
    let named = found.runs.iter().filter(|&&(number, _)| parts_to_describe.mark_described(number));
    let named: Vec<(u32, String)> = named.map(|&(number, trail)| (number, found.name(heap, trail))).collect();
    // A single RunMetadata is described like a file of its own, whatever contains it; otherwise parts without a key get a number.
    let is_alone =
        parts.len() == 1 && named.iter().all(|(_, name)| name.is_empty()) && !description.is_session;
    let mut counts: HashMap<&str, (u32, u32), _> =
        HashMap::with_hasher(foldhash::fast::RandomState::default());
    named.iter().for_each(|(_, name)| counts.entry(name).or_default().0 += 1);
    for (number, name) in &named {
        let Some(part) = parts_to_describe.part(*number) else { continue };
        let (all, before) = counts.entry(name).or_default();
        *before += 1;
        let name = match (&**name, *all) {
            _ if is_alone => String::new(),
            ("", _) => say!("pickle-run", before = *before),
            (name, 1) => name.to_owned(),
            (name, _) => format!("{name} {before}"),
        };
        builder.describe_part(part, &PartRecord { name: &name, is_run: !is_alone, ..PartRecord::default() });
    }
    description
}

/// Whether a pickle is a memory snapshot of PyTorch: a dict with the segments of the allocator, and what it did.
pub(super) fn is_memory_snapshot(machine: &Machine) -> bool {
    let heap = &machine.heap;
    let Some(root) = machine.roots.get(0).filter(|&root| heap.kind(root) == Some(ObjectKind::Dict)) else {
        return false;
    };
    let has = |word: &[u8]| {
        heap.entries(root).any(|(key, _)| matches!(key, Value::Text(_)) && heap.bytes_of(key) == word)
    };
    has(b"segments") && has(b"device_traces")
}

/// The content of a pickle without RunMetadata, in words.
pub(super) fn content(machine: &Machine) -> String {
    let mut classes: Vec<String> = Vec::new();
    for (module, name) in machine.heap.classes() {
        let class = format!("{}.{}", shown(module), shown(name));
        if !classes.contains(&class) && classes.len() <= NAMED_CLASSES {
            classes.push(class);
        }
    }
    let has_more = classes.len() > NAMED_CLASSES;
    classes.truncate(NAMED_CLASSES);
    match machine.roots.get(0).map(|root| (root, machine.heap.kind(root))) {
        _ if has_more => say!("pickle-of-classes-and-others", classes = classes.join(", ")),
        _ if !classes.is_empty() => say!("pickle-of-classes", classes = classes.join(", ")),
        Some((_, Some(ObjectKind::List | ObjectKind::Tuple))) => say!("pickle-of-list").to_owned(),
        Some((_, Some(ObjectKind::Dict))) => say!("pickle-of-dict").to_owned(),
        Some((Value::Text(_), _)) => say!("pickle-of-text").to_owned(),
        Some((Value::Int(_) | Value::Other, _)) => say!("pickle-of-number").to_owned(),
        _ => say!("pickle-of-nothing").to_owned(),
    }
}

/// A name from the file, for a sentence.
fn shown(name: &[u8]) -> String {
    let name = &name[..name.len().min(MAX_KEY_BYTES)];
    String::from_utf8_lossy(name).chars().filter(|character| !character.is_control()).collect()
}

/// Visits all objects of the pickles, each once.
struct Search<'a> {
    heap: &'a Heap,
    is_seen: Vec<bool>,
    is_run_seen: Vec<bool>,
    /// The values that are still to be visited, each with the keys that lead to it: an index of `trails`.
    open: Pages<(Value, u32)>,
    found: FoundRuns,
}

#[derive(Default)]
struct FoundRuns {
    /// The number of each RunMetadata, in order, and the keys that lead to it.
    runs: Vec<(u32, u32)>,
    sessions: Vec<Session>,
    /// A key of a dict, and the index of the keys around it.
    trails: Pages<(Value, u32)>,
}

/// No key.
const NOWHERE: u32 = u32::MAX;

impl<'a> Search<'a> {
    fn of(machine: &'a Machine, runs: usize) -> Self {
        let heap = &machine.heap;
        let (is_seen, is_run_seen) = (vec![false; heap.objects()], vec![false; runs]);
        let mut search =
            Self { heap, is_seen, is_run_seen, open: Pages::default(), found: FoundRuns::default() };
        for index in 0..machine.roots.len() {
            search.open(machine.roots.get(index).unwrap_or(Value::None), NOWHERE);
        }
        search.reverse(0);
        search
    }

    fn run(mut self) -> FoundRuns {
        while let Some((value, trail)) = self.open.pop() {
            match value {
                Value::Run(number) => self.found.runs.push((number, trail)),
                _ => self.look_into(value, trail),
            }
        }
        self.found
    }

    /// Adds a value to be visited, unless it was seen before.
    fn open(&mut self, value: Value, trail: u32) {
        if self.see(value) {
            self.open.push((value, trail));
        }
    }

    /// Whether a value is seen for the first time, and may contain others.
    fn see(&mut self, value: Value) -> bool {
        let seen = match value {
            Value::Run(number) => self.is_run_seen.get_mut(number as usize),
            Value::Object(index) if self.heap.items(value).next().is_some() => {
                self.is_seen.get_mut(index as usize)
            }
            _ => None,
        };
        seen.is_some_and(|seen| !std::mem::replace(seen, true))
    }

    fn look_into(&mut self, object: Value, trail: u32) {
        let heap = self.heap;
        let kind = heap.kind(object);
        if kind == Some(ObjectKind::Dict) {
            self.look_for_session(object);
        }
        let before = self.open.len();
        for (key, value) in heap.entries(object) {
            match (key, kind) {
                // The names of attributes say nothing about their content.
                (Value::Mark, Some(ObjectKind::Instance(_)))
                    if heap.kind(value) == Some(ObjectKind::Dict) =>
                {
                    self.look_into_state(value, trail);
                }
                (Value::Text(_) | Value::Int(_), _) if self.see(value) => {
                    self.found.trails.push((key, trail));
                    self.open.push((value, self.found.trails.len() as u32 - 1));
                }
                _ => self.open(value, trail),
            }
        }
        self.reverse(before);
    }

    /// Visits the state of an instance, whose keys are its attributes.
    fn look_into_state(&mut self, state: Value, trail: u32) {
        if self.see(state) {
            self.look_for_session(state);
            for (_, value) in self.heap.entries(state) {
                self.open(value, trail);
            }
        }
    }

    fn look_for_session(&mut self, dict: Value) {
        if self.found.sessions.len() < MAX_SESSIONS {
            self.found.sessions.extend(Session::of(self.heap, dict));
        }
    }

    /// Reverses what was pushed after the first `before` entries, so that it is visited first in, first out.
    fn reverse(&mut self, before: usize) {
        let (mut low, mut high) = (before, self.open.len());
        while low + 1 < high {
            high -= 1;
            if let (Some(first), Some(last)) = (self.open.get(low), self.open.get(high)) {
                self.open.get_mut(low).into_iter().for_each(|place| *place = last);
                self.open.get_mut(high).into_iter().for_each(|place| *place = first);
            }
            low += 1;
        }
    }
}

impl FoundRuns {
    /// The keys that lead to a RunMetadata, from the outermost, as a name.
    fn name(&self, heap: &Heap, mut trail: u32) -> String {
        let mut keys = Vec::new();
        while let Some((key, outer)) = self.trails.get(trail as usize).filter(|_| keys.len() < MAX_KEYS) {
            keys.push(match key {
                Value::Int(number) => number.to_string(),
                key => shown(heap.bytes_of(key)),
            });
            trail = outer;
        }
        keys.reverse();
        keys.join("/")
    }
}
