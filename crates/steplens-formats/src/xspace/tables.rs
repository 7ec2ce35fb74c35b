//! Planes, lines and their metadata: what the file says once for many events.

use super::shapes::{Key, StatValue};
use super::{rows::Rows, shapes::Shapes};
use crate::fields::{entry, xevent_metadata, xstat_metadata};
use crate::wire::{Damaged, Message, Value};
use std::borrow::Cow;
use std::ops::Range;
use steplens_core::StringId;
use steplens_core::base::order;
use steplens_core::storage::strings::StringTable;

/// A device, a host, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    pub(super) name: StringId,
    /// Its rows of `lines`.
    pub(super) lines: Range<usize>,
    /// Its rows of `events`, by id.
    events: Range<usize>,
    /// Its rows of `stats`, by id.
    stats: Range<usize>,
}

/// A thread or a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) id: i64,
    pub(super) name: StringId,
    pub(super) timestamp_ns: i64,
    /// Where it begins in the file.
    pub(super) at: u64,
    /// How many rows its events have.
    pub(super) rows: usize,
    /// How many events it has beyond these: the memory was full.
    pub(super) lost: u64,
}

/// The name of events.
#[derive(Clone, Copy, Debug)]
struct EventMetadata {
    id: i64,
    name: StringId,
    display_name: StringId,
    /// Stats that all of its events have: a shape.
    stats: u32,
}

/// The name of stats, or a text that stats refer to.
#[derive(Clone, Copy, Debug)]
struct StatMetadata {
    id: i64,
    name: StringId,
}

/// Everything that was read of the file.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) texts: StringTable,
    pub(super) planes: Vec<Plane>,
    pub(super) lines: Vec<Line>,
    pub(super) rows: Rows,
    pub(super) shapes: Shapes,
    events: Vec<EventMetadata>,
    stats: Vec<StatMetadata>,
    /// Used again for each metadata.
    key: Key,
}

/// What an op costs once its row is one, in the columns of a trace.
const OP_BYTES: usize = 48;
/// What a line costs as a block of ops of a device.
const BLOCK_BYTES: usize = 96;

impl Tables {
    /// Starts a plane without a name.
    pub(super) fn begin_plane(&mut self) {
        let plane = Plane {
            name: self.texts.intern(b""),
            lines: self.lines.len()..self.lines.len(),
            events: self.events.len()..self.events.len(),
            stats: self.stats.len()..self.stats.len(),
        };
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
        let name = self.texts.intern(b"");
        self.lines.push(Line { id: 0, name, timestamp_ns: 0, at, rows: 0, lost: 0 });
    }

    /// Names the newest line.
    pub(super) fn name_line(&mut self, name: &[u8]) {
        let name = self.texts.intern(name);
        if let Some(line) = self.lines.last_mut() {
            line.name = name;
        }
    }

    /// Ends the newest line: one without events was never there.
    pub(super) fn end_line(&mut self) {
        if self.lines.last().is_some_and(|line| line.rows == 0 && line.lost == 0) {
            self.lines.pop();
        }
    }

    /// Adds an entry of `event_metadata` to the newest plane.
    pub(super) fn push_event_metadata(&mut self, entry: Message<'_>) -> Result<(), Damaged> {
        let (id, message) = entry_of(entry)?;
        let (mut name, mut display_name) = (&[][..], &[][..]);
        // The numbers of all events of a name are of no use here.
        let mut numbers = Vec::new();
        self.key.begin(self.planes.len() as u32 - 1);
        self.key.set_metadata(u64::MAX);
        let mut fields = message.fields();
        while let Some((field, value)) = fields.next()? {
            match (field, value) {
                (xevent_metadata::NAME, Value::Bytes(text)) => name = text,
                (xevent_metadata::DISPLAY_NAME, Value::Bytes(text)) => display_name = text,
                (xevent_metadata::STATS, Value::Bytes(stat)) => {
                    self.key.push_stat(fields.message(stat), &mut numbers)?;
                }
                _ => {}
            }
        }
        let [name, display_name] = [name, display_name].map(|text| self.texts.intern(text));
        self.events.push(EventMetadata { id, name, display_name, stats: self.shapes.intern(&self.key) });
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
        self.stats.push(StatMetadata { id, name: self.texts.intern(name) });
        Ok(())
    }

    /// Ends the newest plane: its names can be looked up from now on.
    pub(super) fn end_plane(&mut self) {
        let Some(plane) = self.planes.last_mut() else { return };
        plane.lines.end = self.lines.len();
        plane.events.end = self.events.len();
        plane.stats.end = self.stats.len();
        // Of two with one id the last counts, as in any map.
        order::by_number(&mut self.events[plane.events.clone()], |event| (event.id, 0));
        order::by_number(&mut self.stats[plane.stats.clone()], |stat| (stat.id, 0));
    }

    /// Forgets the newest plane, which has no event.
    pub(super) fn drop_plane(&mut self) {
        if let Some(plane) = self.planes.pop() {
            self.events.truncate(plane.events.start);
            self.stats.truncate(plane.stats.start);
        }
    }

    /// The name and the display name of the events of `shape`, if the plane has them.
    pub(super) fn event_names(&self, plane: &Plane, shape: u32) -> Option<(&str, &str)> {
        let event = self.event(plane, shape)?;
        Some((self.texts.get(event.name), self.texts.get(event.display_name)))
    }

    /// The stats of events of `shape` that are texts, as (name, text), and then those of all events of their name.
    pub(super) fn texts_of<'a>(
        &'a self,
        plane: &'a Plane,
        shape: u32,
    ) -> impl Iterator<Item = (&'a str, Cow<'a, [u8]>)> {
        let common = self.event(plane, shape).map(|event| event.stats);
        let stats = [Some(shape), common].into_iter().flatten().flat_map(|shape| self.shapes.stats(shape));
        stats.filter_map(|stat| {
            let text = match stat.value {
                StatValue::Number => return None,
                StatValue::Ref(id) => Cow::Borrowed(self.stat_name(plane, id)?.as_bytes()),
                StatValue::Text(text) => Cow::Owned(text),
            };
            Some((self.stat_name(plane, stat.id)?, text))
        })
    }

    /// What a stat of `plane` is called.
    pub(super) fn stat_name(&self, plane: &Plane, id: u64) -> Option<&str> {
        let stats = self.stats.get(plane.stats.clone())?;
        let stat = stats[..stats.partition_point(|stat| stat.id <= id as i64)].last()?;
        (stat.id == id as i64).then(|| self.texts.get(stat.name))
    }

    fn event(&self, plane: &Plane, shape: u32) -> Option<&EventMetadata> {
        let id = self.shapes.metadata(shape) as i64;
        let events = self.events.get(plane.events.clone())?;
        let event = events[..events.partition_point(|event| event.id <= id)].last()?;
        (event.id == id).then_some(event)
    }

    /// Memory it holds, and will hold once rows are ops, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.texts.heap_bytes()
            + self.shapes.heap_bytes()
            + self.rows.heap_bytes()
            + self.rows.len() * OP_BYTES
            + self.planes.capacity() * size_of::<Plane>()
            + self.lines.capacity() * (size_of::<Line>() + BLOCK_BYTES)
            + self.events.capacity() * size_of::<EventMetadata>()
            + self.stats.capacity() * size_of::<StatMetadata>()
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
