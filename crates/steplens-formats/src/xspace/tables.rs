//! Planes, lines and their metadata: data that the file has once for many events.

use super::dictionaries::{Dictionaries, Dictionary, EventMetadata, StatMetadata};
use super::numbers::NumberList;
use super::shapes::{Key, Stat, StatValue};
use super::{rows::Rows, shapes::Shapes};
use crate::mangled;
use crate::wire::{Damaged, Message, Value};
use std::borrow::Cow;
use std::ops::Range;
use steplens_core::model::capability::Capability;
use steplens_core::storage::strings::StringTable;
use steplens_core::{Flops, StringId};
use steplens_proto::fields::{entry, xevent_metadata, xstat_metadata};

/// A device, a host, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    pub(super) name: StringId,
    /// Its rows of `lines`.
    pub(super) lines: Range<usize>,
    /// The meaning of its ids, once it is kept.
    pub(super) dictionary: Dictionary,
    /// The compute capability of its GPU, if it has one of NVIDIA.
    pub(super) capability: Option<Capability>,
    /// How much its accelerator calculates in a second at most.
    pub(super) peak_flops: Option<Flops>,
}

/// A thread or a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) id: i64,
    pub(super) name: StringId,
    pub(super) timestamp_ns: i64,
    /// The offset of its start in the file.
    pub(super) at: u64,
    /// The number of rows with its events.
    pub(super) rows: usize,
    /// The number of further events, for which there was no memory.
    pub(super) lost: u64,
}

/// The empty text, which is the first one.
const NOTHING: StringId = StringId::new(0);

/// All data of the file except events.
pub(super) struct Tables {
    pub(super) texts: StringTable,
    pub(super) planes: Vec<Plane>,
    pub(super) lines: Vec<Line>,
    pub(super) rows: Rows,
    pub(super) shapes: Shapes,
    /// The numbers of all events in finished planes, in the order of their rows.
    pub(super) numbers: NumberList,
    dictionaries: Dictionaries,
    /// The last text that was read as a name.
    newest_name: StringId,
    /// Reused for each metadata.
    key: Key,
}

/// The bytes that an op will take in the columns of a trace.
const OP_BYTES: usize = 48;
/// The bytes that a line takes as a block of ops.
const BLOCK_BYTES: usize = 96;

impl Tables {
    /// Empty tables.
    pub(super) fn new() -> Self {
        let mut texts = StringTable::default();
        let nothing = texts.intern(b"");
        debug_assert_eq!(nothing, NOTHING);
        Self {
            texts,
            planes: Vec::new(),
            lines: Vec::new(),
            rows: Rows::default(),
            shapes: Shapes::default(),
            numbers: NumberList::default(),
            dictionaries: Dictionaries::default(),
            newest_name: NOTHING,
            key: Key::default(),
        }
    }

    /// Starts a plane without a name.
    pub(super) fn begin_plane(&mut self) {
        let plane = Plane {
            name: NOTHING,
            lines: self.lines.len()..self.lines.len(),
            dictionary: Dictionary::default(),
            capability: None,
            peak_flops: None,
        };
        self.dictionaries.begin();
        self.planes.push(plane);
    }

    /// Names the newest plane.
    pub(super) fn name_plane(&mut self, name: &[u8]) {
        let name = self.texts.intern(name);
        if let Some(plane) = self.planes.last_mut() {
            plane.name = name;
        }
    }

    /// Starts a line of the newest plane.
    pub(super) fn begin_line(&mut self, at: u64) {
        let name = NOTHING;
        self.lines.push(Line { id: 0, name, timestamp_ns: 0, at, rows: 0, lost: 0 });
    }

    /// Names the newest line.
    pub(super) fn name_line(&mut self, name: &[u8]) {
        let name = self.texts.intern(name);
        if let Some(line) = self.lines.last_mut() {
            line.name = name;
        }
    }

    /// Ends the newest line; a line without events is removed.
    pub(super) fn end_line(&mut self) {
        if self.lines.last().is_some_and(|line| line.rows == 0 && line.lost == 0) {
            self.lines.pop();
        }
    }

    /// Adds an entry of `event_metadata` to the newest plane.
    pub(super) fn push_event_metadata(&mut self, entry: Message<'_>) -> Result<(), Damaged> {
        let (id, message) = entry_of(entry)?;
        let (mut name, mut display_name) = (&[][..], &[][..]);
        self.key.begin();
        self.key.set_metadata(u64::MAX);
        let mut fields = message.fields();
        while let Some((field, value)) = fields.next()? {
            match (field, value) {
                (xevent_metadata::NAME, Value::Bytes(text)) => name = text,
                (xevent_metadata::DISPLAY_NAME, Value::Bytes(text)) => display_name = text,
                (xevent_metadata::STATS, Value::Bytes(stat)) => {
                    self.key.push_common_stat(fields.message(stat))?;
                }
                _ => {}
            }
        }
        let plain = mangled::plain(name);
        let name = plain.as_deref().map_or(name, str::as_bytes);
        let [name, display_name] = [name, display_name].map(|text| self.name(text));
        let stats = self.shapes.intern(&self.key);
        self.dictionaries.push_event(EventMetadata { id, name, display_name, stats });
        Ok(())
    }

    /// Adds an entry of `stat_metadata` to the newest plane.
    pub(super) fn push_stat_metadata(&mut self, entry: Message<'_>) -> Result<(), Damaged> {
        let (id, message) = entry_of(entry)?;
        let mut name = &[][..];
        let mut fields = message.fields();
        while let Some((field, value)) = fields.next()? {
            if let (xstat_metadata::NAME, Value::Bytes(text)) = (field, value) {
                name = text;
            }
        }
        let name = self.name(name);
        self.dictionaries.push_stat(StatMetadata { id, name });
        Ok(())
    }

    fn name(&mut self, name: &[u8]) -> StringId {
        if name.is_empty() {
            return NOTHING;
        }
        self.newest_name = self.texts.intern_after(self.newest_name, name);
        self.newest_name
    }

    /// Ends the newest plane: its names can be looked up from now on.
    pub(super) fn end_plane(&mut self) {
        let Some(plane) = self.planes.last_mut() else { return };
        plane.lines.end = self.lines.len();
    }

    /// Keeps the names of the newest plane, which has ended.
    pub(super) fn keep_plane(&mut self) {
        if let Some(plane) = self.planes.last_mut() {
            plane.dictionary = self.dictionaries.keep();
        }
    }

    /// Removes the newest plane, which has no events.
    pub(super) fn drop_plane(&mut self) {
        self.planes.pop();
    }

    /// The name and the display name of the events of `shape`, if the plane has them.
    pub(super) fn event_names(&self, plane: &Plane, shape: u32) -> Option<(&str, &str)> {
        let event = self.event(plane, shape)?;
        Some((self.texts.get(event.name), self.texts.get(event.display_name)))
    }

    /// The stats of events of `shape` that are texts, as (name, text), followed by those that all events of their name share.
    pub(super) fn texts_of<'a>(
        &'a self,
        plane: &'a Plane,
        shape: u32,
    ) -> impl Iterator<Item = (&'a str, Cow<'a, [u8]>)> {
        self.all_stats(plane, shape).filter_map(|stat| {
            let text = match stat.value {
                StatValue::Number { .. } | StatValue::Whole { .. } | StatValue::Fraction(_) => return None,
                StatValue::Ref(id) => Cow::Borrowed(self.stat_name(plane, id)?.as_bytes()),
                StatValue::Text(text) => Cow::Owned(text),
            };
            Some((self.stat_name(plane, stat.id)?, text))
        })
    }

    /// The stats of events of `shape`, followed by those that all events of their name share.
    pub(super) fn all_stats<'a>(&'a self, plane: &Plane, shape: u32) -> impl Iterator<Item = Stat> + use<'a> {
        let common = self.event(plane, shape).map(|event| event.stats);
        [Some(shape), common].into_iter().flatten().flat_map(|shape| self.shapes.stats(shape))
    }

    /// Whether any stat of `plane` has one of these names.
    pub(super) fn has_stat_named(&self, plane: &Plane, names: &[&str]) -> bool {
        let names: Vec<_> = names.iter().filter_map(|name| self.texts.find(name)).collect();
        self.dictionaries.has_stat(&plane.dictionary, &names)
    }

    /// The name of a stat of `plane`, which must be kept already.
    pub(super) fn stat_name(&self, plane: &Plane, id: u64) -> Option<&str> {
        self.dictionaries.stat(&plane.dictionary, id as i64).map(|name| self.texts.get(name))
    }

    /// Whether the events of `shape` have a number that is called `name`.
    pub(super) fn has_number(&self, plane: &Plane, shape: u32, name: &str) -> bool {
        let is_it = |stat: Stat| {
            matches!(stat.value, StatValue::Number { .. }) && self.stat_name(plane, stat.id) == Some(name)
        };
        self.shapes.stats(shape).any(is_it)
    }

    /// The name of a stat of the newest plane, which is not kept yet.
    pub(super) fn newest_stat_name(&self, id: u64) -> Option<&str> {
        self.dictionaries.newest_stat(id as i64).map(|name| self.texts.get(name))
    }

    fn event(&self, plane: &Plane, shape: u32) -> Option<&EventMetadata> {
        self.dictionaries.event(&plane.dictionary, self.shapes.metadata(shape) as i64)
    }

    /// Heap memory in use, plus what is needed once rows are ops, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.texts.heap_bytes()
            + self.shapes.heap_bytes()
            + self.rows.heap_bytes()
            + self.numbers.heap_bytes()
            + self.rows.len() * OP_BYTES
            + self.planes.capacity() * size_of::<Plane>()
            + self.lines.capacity() * (size_of::<Line>() + BLOCK_BYTES)
            + self.dictionaries.heap_bytes()
    }
}

/// Key and value of an entry of a map.
fn entry_of(entry: Message<'_>) -> Result<(i64, Message<'_>), Damaged> {
    let (mut key, mut value) = (0, Message::of(&[]));
    let mut fields = entry.fields();
    while let Some((field, found)) = fields.next()? {
        match (field, found) {
            (entry::KEY, Value::Varint(id)) => key = id as i64,
            (entry::VALUE, Value::Bytes(message)) => value = fields.message(message),
            _ => {}
        }
    }
    Ok((key, value))
}
