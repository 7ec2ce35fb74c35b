//! Counters and instants while they are read.

use super::{DISCARDED, DeviceSlot, TraceBuilder};
use crate::base::ids::{DeviceId, StringId};
use crate::base::units::{MAX_UNIX_NS, Timestamp};
use crate::model::counters::{CounterRow, Counters, Point, Value};
use crate::model::device::Device;
use crate::model::instants::{Instant, Instants, Scope};
use crate::model::op::OpTimes;
use crate::model::owner::Owner;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::sync::Arc;

use super::Refused;

/// A counter of the file being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterSlot(u32);

/// One instant as a reader found it.
#[derive(Clone, Copy, Debug)]
pub struct InstantRecord<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// When it was, in ns from 1970.
    pub at_unix_ns: i64,
    /// What it is about.
    pub scope: Scope,
    /// Its arguments as one object in JSON; empty if it has none.
    pub arguments: &'a [u8],
}

/// A counter, and the value that holds at the start of the window that is opened.
struct Row {
    slot: u32,
    name: StringId,
    series: StringId,
    file: u32,
    before_window: Option<(i64, Value)>,
}

struct RawPoint {
    row: u32,
    at_unix_ns: i64,
    value: Value,
}

struct RawInstant {
    slot: u32,
    scope: Scope,
    name: StringId,
    at_unix_ns: i64,
    arguments: Option<StringId>,
    file: u32,
}

/// All counters and instants so far.
#[derive(Default)]
pub(super) struct SamplesBuilder {
    rows: Vec<Row>,
    row_of: HashMap<(u32, StringId, StringId), u32, FixedState>,
    points: Vec<RawPoint>,
    instants: Vec<RawInstant>,
}

/// How many counters and instants there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SamplesMark {
    points: usize,
    instants: usize,
    rows: usize,
}

impl SamplesBuilder {
    pub(super) fn mark(&self) -> SamplesMark {
        SamplesMark { points: self.points.len(), instants: self.instants.len(), rows: self.rows.len() }
    }

    /// Moves everything since `mark`. Times that would be out of range stay at the limits.
    pub(super) fn shift_since(&mut self, mark: SamplesMark, by_ns: i64) {
        let points = self.points.iter_mut().skip(mark.points).map(|point| &mut point.at_unix_ns);
        let instants = self.instants.iter_mut().skip(mark.instants).map(|own| &mut own.at_unix_ns);
        let before = self.rows.iter_mut().skip(mark.rows);
        let before = before.filter_map(|row| row.before_window.as_mut().map(|(at, _)| at));
        for at in points.chain(instants).chain(before) {
            *at = at.saturating_add(by_ns).clamp(-MAX_UNIX_NS, MAX_UNIX_NS - 1);
        }
    }

    /// Appends those of `other`, whose blocks come from `first_slot` on and whose files from `first_file` on; `texts` has the new id of each of its
    /// strings.
    pub(super) fn append(&mut self, other: Self, texts: &[StringId], first_slot: u32, first_file: u32) {
        let text = |old: StringId| texts[old.index()];
        let first_row = self.rows.len() as u32;
        for (row, own) in (first_row..).zip(other.rows) {
            let (slot, name, series) = (first_slot + own.slot, text(own.name), text(own.series));
            self.row_of.insert((slot, name, series), row);
            self.rows.push(Row { slot, name, series, file: first_file + own.file, ..own });
        }
        self.points.extend(other.points.into_iter().map(|own| RawPoint { row: first_row + own.row, ..own }));
        self.instants.extend(other.instants.into_iter().map(|own| RawInstant {
            slot: first_slot + own.slot,
            name: text(own.name),
            arguments: own.arguments.map(text),
            file: first_file + own.file,
            ..own
        }));
    }

    /// The counters and instants, for a trace whose time 0 is `origin_unix_ns`. Those of blocks without an owner are left out.
    pub(super) fn finish(
        self,
        origin_unix_ns: i64,
        owner_of_slot: &[Option<Owner>],
    ) -> (Arc<Counters>, Arc<Instants>) {
        let owner = |slot: u32| owner_of_slot.get(slot as usize).copied().flatten();
        let since = |at_unix_ns: i64| Timestamp(at_unix_ns.saturating_sub(origin_unix_ns));
        let (mut rows, mut number) =
            (Vec::with_capacity(self.rows.len()), Vec::with_capacity(self.rows.len()));
        let mut points = Vec::with_capacity(self.points.len());
        for row in &self.rows {
            let Some(owner) = owner(row.slot) else {
                number.push(None);
                continue;
            };
            let own = rows.len() as u32;
            number.push(Some(own));
            let (name, series, file) = (row.name, row.series, row.file);
            rows.push(CounterRow { owner, name, series, file });
            points.extend(row.before_window.map(|(at, value)| Point { row: own, at: since(at), value }));
        }
        points.extend(self.points.iter().filter_map(|point| {
            let row = number[point.row as usize]?;
            Some(Point { row, at: since(point.at_unix_ns), value: point.value })
        }));
        drop(self.points);
        let instants = self.instants.iter().filter_map(|own| {
            let RawInstant { slot, scope, name, at_unix_ns, arguments, file } = *own;
            Some((Instant { owner: owner(slot)?, scope, name, at: since(at_unix_ns), arguments }, file))
        });
        let instants = Instants::new(instants.collect());
        (Arc::new(Counters::new(&rows, points)), Arc::new(instants))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Row>()
            + self.row_of.capacity() * 17
            + self.points.capacity() * size_of::<RawPoint>()
            + self.instants.capacity() * size_of::<RawInstant>()
    }
}

impl TraceBuilder {
    /// Starts a block of a process that may have no op: its counters and instants belong to the device of its name, if ops make one,
    /// and otherwise to the process. `None` if there is no room for it.
    pub fn begin_process(&mut self) -> Option<DeviceSlot> {
        if !self.has_room_for_device() {
            return None;
        }
        let slot = self.begin_device();
        if let Some(slot) = self.slots.get_mut(slot.0 as usize) {
            slot.is_process = true;
        }
        Some(slot)
    }

    /// Gives the block `slot` the name of the device of `other`.
    pub fn name_like(&mut self, slot: DeviceSlot, other: DeviceSlot) {
        let Some(like) = self.slots.get(other.0 as usize) else { return };
        let (name, is_selected) = (like.name, like.is_selected);
        if let Some(slot) = self.slots.get_mut(slot.0 as usize) {
            (slot.name, slot.is_selected) = (name, is_selected);
        }
    }

    /// The counter of a block with this name and series.
    pub fn counter(&mut self, slot: DeviceSlot, name: &[u8], series: &[u8]) -> CounterSlot {
        let [name, series] = [name, series].map(|text| self.strings.intern(text));
        let next = self.samples.rows.len() as u32;
        let row = *self.samples.row_of.entry((slot.0, name, series)).or_insert(next);
        if row == next {
            let row = Row { slot: slot.0, name, series, file: self.file, before_window: None };
            self.samples.rows.push(row);
        }
        CounterSlot(row)
    }

    /// Adds a value of a counter, from `at_unix_ns` on. Outside of the window that is opened only the last one before it is kept.
    pub fn point(&mut self, counter: CounterSlot, at_unix_ns: i64, value: Value) -> Result<(), Refused> {
        self.admit_sample(self.samples.points.len(), at_unix_ns)?;
        if self.is_in_window(at_unix_ns) {
            self.samples.points.push(RawPoint { row: counter.0, at_unix_ns, value });
        } else if self.selection.starts_after(at_unix_ns)
            && let Some(row) = self.samples.rows.get_mut(counter.0 as usize)
            && row.before_window.is_none_or(|(before, _)| before <= at_unix_ns)
        {
            row.before_window = Some((at_unix_ns, value));
        }
        Ok(())
    }

    /// Adds an instant of a block.
    pub fn instant(&mut self, slot: DeviceSlot, record: &InstantRecord<'_>) -> Result<(), Refused> {
        self.admit_sample(self.samples.instants.len(), record.at_unix_ns)?;
        if self.is_in_window(record.at_unix_ns) {
            let name = self.strings.intern(record.name);
            let has_arguments = !record.arguments.is_empty();
            let arguments = has_arguments.then(|| self.strings.intern(record.arguments));
            let (scope, at_unix_ns, file) = (record.scope, record.at_unix_ns, self.file);
            self.samples.instants.push(RawInstant { slot: slot.0, scope, name, at_unix_ns, arguments, file });
        }
        Ok(())
    }

    fn admit_sample(&self, rows: usize, at_unix_ns: i64) -> Result<(), Refused> {
        if !(-MAX_UNIX_NS..MAX_UNIX_NS).contains(&at_unix_ns) {
            return Err(Refused::TimeOutOfRange);
        }
        // Ids are four bytes.
        if self.is_full || rows >= (u32::MAX - 1) as usize { Err(Refused::LeftOut) } else { Ok(()) }
    }

    fn is_in_window(&self, at_unix_ns: i64) -> bool {
        self.selection.has_times(&OpTimes { start_unix_ns: at_unix_ns, ..OpTimes::default() })
    }

    /// For each block the owner of its counters and instants; `None` if they are left out.
    pub(super) fn owners_of_slots(
        &mut self,
        device_of_slot: &[Option<DeviceId>],
        devices: &[Device],
    ) -> Vec<Option<Owner>> {
        if self.samples.rows.is_empty() && self.samples.instants.is_empty() {
            return Vec::new();
        }
        let ids = (0..devices.len()).map(DeviceId::from_usize);
        let of_name: HashMap<StringId, DeviceId, FixedState> =
            devices.iter().map(|device| device.name).zip(ids).collect();
        let names = self.names_of_slots();
        let owner = |((slot, name), device): ((&super::Slot, StringId), &Option<DeviceId>)| {
            let device = device.or_else(|| of_name.get(&name).copied());
            let is_taken = slot.part != DISCARDED && slot.is_selected;
            is_taken.then(|| device.map_or(Owner::Process(name), Owner::Device))
        };
        self.slots.iter().zip(names).zip(device_of_slot).map(owner).collect()
    }
}
