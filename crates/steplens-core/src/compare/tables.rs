//! What both traces have of the same kind, side by side: op types, links, devices, memory.

use super::devices::Devices;
use super::joined::Joined;
use super::{Side, joined::Which};
use crate::base::units::{Bytes, Interval, Nanos};
use crate::memory::Reading;
use crate::model::category::Category;
use crate::questions::op_types::{Place, op_types};
use crate::questions::range::{Range, RangeQuery};
use crate::transfers::links::{Between, Matrix};
use crate::{DeviceId, Study};
use std::collections::BTreeMap;

/// One figure of A and of B.
pub type Both<T> = [T; 2];

/// The ops of one type, category and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpTypes {
    /// The number of the op type in [`Joined`].
    pub op_type: u32,
    /// Its category.
    pub category: Category,
    /// On an accelerator, or on a host.
    pub place: Place,
    /// How many ops.
    pub count: Both<u64>,
    /// Their self time.
    pub own: Both<Nanos>,
    /// The median of their durations.
    pub p50: Both<Option<Nanos>>,
}

/// The transfers from one task to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links {
    /// The task that sent, and the one that received.
    pub ends: (String, String),
    /// How many transfers.
    pub count: Both<u64>,
    /// Their sizes together.
    pub bytes: Both<Bytes>,
    /// The time during which at least one was in transit.
    pub busy: Both<Nanos>,
    /// The median of their times in transit.
    pub p50: Both<Option<Nanos>>,
}

/// A device and its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceRow {
    /// The device in A, and in B.
    pub device: Both<Option<DeviceId>>,
    /// How many ops it ran.
    pub ops: Both<u64>,
    /// The time when anything ran.
    pub busy: Both<Nanos>,
    /// The time when a compute op ran.
    pub compute: Both<Nanos>,
    /// The time when communication ran, and nothing of the categories before.
    pub exposed_communication: Both<Nanos>,
}

/// The memory that one allocator held of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRow {
    /// The device in A, and in B; `None` for an allocator of all devices.
    pub device: Both<Option<DeviceId>>,
    /// The allocator.
    pub allocator: String,
    /// The most bytes alive at once.
    pub peak: Both<Option<Bytes>>,
}

/// All tables.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// By how much the self time differs.
    pub op_types: Vec<OpTypes>,
    /// By how much the busy time differs.
    pub links: Vec<Links>,
    /// By how much the busy time differs.
    pub devices: Vec<DeviceRow>,
    /// By how much the peaks differ; empty if the traces do not have the same reading of memory.
    pub memory: Vec<MemoryRow>,
    /// The reading of memory in A, and in B.
    pub reading: Both<Option<Reading>>,
}

impl Tables {
    pub(super) fn of(sides: [&Side<'_>; 2], joined: &Joined<'_>, devices: &Devices) -> Self {
        let studies = sides.map(|side| side.study);
        let readings = studies.map(|study| study.best_memory().map(|(reading, _)| reading));
        Self {
            op_types: of_op_types(studies, joined),
            links: of_links(studies, devices),
            devices: of_devices(studies, devices),
            memory: if readings[0] == readings[1] { of_memory(studies, devices) } else { Vec::new() },
            reading: readings,
        }
    }
}

fn difference(both: Both<Nanos>) -> u64 {
    (both[1] - both[0]).0.unsigned_abs()
}

fn of_op_types(studies: [&Study; 2], joined: &Joined<'_>) -> Vec<OpTypes> {
    let mut rows: BTreeMap<(u32, Category, Place), OpTypes> = BTreeMap::new();
    for side in Which::BOTH {
        let study = studies[side as usize];
        let all = Range::of(study, &RangeQuery::of(study.trace().span()));
        for own in op_types(study, &all) {
            let key = (joined.number(side, own.op_type), own.category, own.place);
            let row = rows.entry(key).or_insert(OpTypes {
                op_type: key.0,
                category: own.category,
                place: own.place,
                count: [0; 2],
                own: [Nanos(0); 2],
                p50: [None; 2],
            });
            let at = side as usize;
            (row.count[at], row.own[at], row.p50[at]) = (own.count, own.own, Some(own.p50));
        }
    }
    let mut rows: Vec<OpTypes> = rows.into_values().collect();
    let text = |row: &OpTypes| joined.text(row.op_type);
    rows.sort_by(|a, b| difference(b.own).cmp(&difference(a.own)).then_with(|| text(a).cmp(text(b))));
    rows
}

fn of_links(studies: [&Study; 2], devices: &Devices) -> Vec<Links> {
    // A task of B by the name that its partner in A has.
    let [a, b] = studies.map(|study| study.trace());
    let mut name_in_a: BTreeMap<&str, &str> = BTreeMap::new();
    for id in b.devices().ids() {
        let partner = devices.of_b(id).and_then(|partner| a.devices().get(partner).task);
        if let (Some(own), Some(partner)) = (b.devices().get(id).task, partner) {
            name_in_a.insert(b.text(own), a.text(partner));
        }
    }
    let mut rows: BTreeMap<(String, String), Links> = BTreeMap::new();
    for side in Which::BOTH {
        let study = studies[side as usize];
        let matrix = Matrix::summed(study.trace(), study.transfers(), Between::Tasks);
        let name = |place: u32| {
            let own = matrix.places[place as usize];
            let own = if side == Which::B { name_in_a.get(own).copied().unwrap_or(own) } else { own };
            own.to_owned()
        };
        for link in &matrix.links {
            let ends = (name(link.source), name(link.destination));
            let row = rows.entry(ends.clone()).or_insert_with(|| Links {
                ends,
                count: [0; 2],
                bytes: [Bytes(0); 2],
                busy: [Nanos(0); 2],
                p50: [None; 2],
            });
            let at = side as usize;
            (row.count[at], row.bytes[at]) = (link.load.count, link.load.bytes);
            (row.busy[at], row.p50[at]) = (link.load.busy, link.load.p50);
        }
    }
    let mut rows: Vec<Links> = rows.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(difference(row.busy)));
    rows
}

/// Devices and their partners; then those that only B has.
fn pairs(studies: [&Study; 2], devices: &Devices) -> Vec<Both<Option<DeviceId>>> {
    let [a, b] = studies.map(|study| study.trace().devices());
    let mut pairs: Vec<Both<Option<DeviceId>>> = a.ids().map(|id| [Some(id), devices.of_a(id)]).collect();
    pairs.extend(b.ids().filter(|&id| devices.of_b(id).is_none()).map(|id| [None, Some(id)]));
    pairs
}

fn of_devices(studies: [&Study; 2], devices: &Devices) -> Vec<DeviceRow> {
    let both = |pair: Both<Option<DeviceId>>| {
        let split = [0, 1].map(|side: usize| {
            let study = studies[side];
            let window: Interval = study.trace().span();
            pair[side].map(|id| study.split(Some(id), window)).unwrap_or_default()
        });
        let ops = [0, 1].map(|side: usize| {
            pair[side].map_or(0, |id| u64::from(studies[side].trace().devices().get(id).op_count))
        });
        DeviceRow {
            device: pair,
            ops,
            busy: split.map(|own| own.busy),
            compute: split.map(|own| own.compute),
            exposed_communication: split.map(|own| own.exposed_communication),
        }
    };
    let mut rows: Vec<DeviceRow> = pairs(studies, devices).into_iter().map(both).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(difference(row.busy)));
    rows
}

fn of_memory(studies: [&Study; 2], devices: &Devices) -> Vec<MemoryRow> {
    let mut rows: BTreeMap<(Option<u32>, String), MemoryRow> = BTreeMap::new();
    for side in Which::BOTH {
        let study = studies[side as usize];
        for account in study.best_memory().into_iter().flat_map(|(_, memory)| &memory.accounts) {
            let number = account.device.map(|id| match side {
                Which::A => id.get(),
                Which::B => devices.number_of_b(id),
            });
            let allocator = study.trace().text(account.allocator).to_owned();
            let row = rows.entry((number, allocator.clone())).or_insert_with(|| MemoryRow {
                device: [None; 2],
                allocator,
                peak: [None; 2],
            });
            let at = side as usize;
            (row.device[at], row.peak[at]) = (account.device, Some(account.peak().0));
        }
    }
    let mut rows: Vec<MemoryRow> = rows.into_values().collect();
    let bytes = |peak: Option<Bytes>| peak.map_or(0, |peak| peak.0);
    rows.sort_by_key(|row| std::cmp::Reverse(bytes(row.peak[1]).abs_diff(bytes(row.peak[0]))));
    rows
}
