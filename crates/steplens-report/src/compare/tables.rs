//! What both traces have of one kind, side by side.

use super::ratio;
use serde::Serialize;
use steplens_core::compare::Comparison;
use steplens_core::compare::joined::Which;
use steplens_core::{DeviceId, Nanos};

/// The ops of one type.
#[derive(Serialize)]
pub struct OpTypeBoth<'a> {
    /// The op type.
    pub op_type: &'a str,
    /// Its category.
    pub category: &'static str,
    /// `accelerator` or `host`.
    pub place: &'static str,
    /// How many ops of A.
    pub count_a: u64,
    /// How many ops of B.
    pub count_b: u64,
    /// Their self time in A: without the ops nested in them.
    pub self_a_ns: i64,
    /// Their self time in B.
    pub self_b_ns: i64,
    /// The median of their durations in A; null without any.
    pub p50_a_ns: Option<i64>,
    /// The median in B.
    pub p50_b_ns: Option<i64>,
    /// The self time in B minus that in A.
    pub difference_ns: i64,
    /// The self time in B divided by that in A; null where A has none.
    pub ratio: Option<f64>,
}

/// The transfers from one task to another.
#[derive(Serialize)]
pub struct LinkBoth {
    /// The task that sent, as A calls it.
    pub source: String,
    /// The task that received.
    pub destination: String,
    /// How many transfers of A.
    pub count_a: u64,
    /// How many transfers of B.
    pub count_b: u64,
    /// Their sizes in A together.
    pub bytes_a: u64,
    /// Their sizes in B together.
    pub bytes_b: u64,
    /// The time in A during which at least one was in transit.
    pub busy_a_ns: i64,
    /// The time in B.
    pub busy_b_ns: i64,
    /// The median of their times in transit in A; null where none was recorded.
    pub p50_a_ns: Option<i64>,
    /// The median in B.
    pub p50_b_ns: Option<i64>,
    /// The busy time in B minus that in A.
    pub difference_ns: i64,
    /// The busy time in B divided by that in A; null where A has none.
    pub ratio: Option<f64>,
}

/// A device.
#[derive(Serialize)]
pub struct DeviceBoth<'a> {
    /// The device in A; null if only B has it.
    pub device_a: Option<&'a str>,
    /// The device in B; null if only A has it.
    pub device_b: Option<&'a str>,
    /// How many ops it ran in A.
    pub ops_a: u64,
    /// How many ops it ran in B.
    pub ops_b: u64,
    /// The time in A when anything ran.
    pub busy_a_ns: i64,
    /// The time in B.
    pub busy_b_ns: i64,
    /// The time in A when a compute op ran.
    pub compute_a_ns: i64,
    /// The time in B.
    pub compute_b_ns: i64,
    /// The time in A when communication ran, and nothing of the categories before it.
    pub exposed_communication_a_ns: i64,
    /// The time in B.
    pub exposed_communication_b_ns: i64,
    /// The busy time in B minus that in A.
    pub difference_ns: i64,
    /// The busy time in B divided by that in A; null where A has none.
    pub ratio: Option<f64>,
}

/// The memory that an allocator held.
#[derive(Serialize)]
pub struct MemoryBoth<'a> {
    /// The device, as A calls it, or B where only B has it; null for an allocator of all devices.
    pub device: Option<&'a str>,
    /// The allocator.
    pub allocator: &'a str,
    /// The most bytes alive at once in A; null if only B has it.
    pub peak_a_bytes: Option<u64>,
    /// The most bytes alive at once in B; null if only A has it.
    pub peak_b_bytes: Option<u64>,
    /// The peak in B minus that in A; null where one has none.
    pub difference_bytes: Option<i64>,
    /// The peak in B divided by that in A; null where one has none.
    pub ratio: Option<f64>,
}

pub(super) fn op_types<'a>(found: &'a Comparison<'a>) -> Vec<OpTypeBoth<'a>> {
    let row = |own: &steplens_core::compare::tables::OpTypes| {
        let [a, b] = own.own.map(|own| own.0);
        OpTypeBoth {
            op_type: found.joined.text(own.op_type),
            category: own.category.word(),
            place: own.place.word(),
            count_a: own.count[0],
            count_b: own.count[1],
            self_a_ns: a,
            self_b_ns: b,
            p50_a_ns: own.p50[0].map(|own| own.0),
            p50_b_ns: own.p50[1].map(|own| own.0),
            difference_ns: b.saturating_sub(a),
            ratio: ratio(a, b),
        }
    };
    found.tables.op_types.iter().map(row).collect()
}

pub(super) fn links(found: &Comparison<'_>) -> Vec<LinkBoth> {
    let row = |own: &steplens_core::compare::tables::Links| {
        let [a, b] = own.busy.map(|own| own.0);
        LinkBoth {
            source: own.ends.0.clone(),
            destination: own.ends.1.clone(),
            count_a: own.count[0],
            count_b: own.count[1],
            bytes_a: own.bytes[0].0,
            bytes_b: own.bytes[1].0,
            busy_a_ns: a,
            busy_b_ns: b,
            p50_a_ns: own.p50[0].map(|own| own.0),
            p50_b_ns: own.p50[1].map(|own| own.0),
            difference_ns: b.saturating_sub(a),
            ratio: ratio(a, b),
        }
    };
    found.tables.links.iter().map(row).collect()
}

fn device<'a>(found: &'a Comparison<'a>, side: Which, id: Option<DeviceId>) -> Option<&'a str> {
    let trace = found.sides[side as usize].study.trace();
    id.map(|id| trace.text(trace.devices().get(id).name))
}

pub(super) fn devices<'a>(found: &'a Comparison<'a>) -> Vec<DeviceBoth<'a>> {
    let row = |own: &steplens_core::compare::tables::DeviceRow| {
        let ns = |both: [Nanos; 2]| both.map(|own| own.0);
        let ([a, b], compute, exposed) = (ns(own.busy), ns(own.compute), ns(own.exposed_communication));
        DeviceBoth {
            device_a: device(found, Which::A, own.device[0]),
            device_b: device(found, Which::B, own.device[1]),
            ops_a: own.ops[0],
            ops_b: own.ops[1],
            busy_a_ns: a,
            busy_b_ns: b,
            compute_a_ns: compute[0],
            compute_b_ns: compute[1],
            exposed_communication_a_ns: exposed[0],
            exposed_communication_b_ns: exposed[1],
            difference_ns: b.saturating_sub(a),
            ratio: ratio(a, b),
        }
    };
    found.tables.devices.iter().map(row).collect()
}

pub(super) fn memory<'a>(found: &'a Comparison<'a>) -> Vec<MemoryBoth<'a>> {
    let row = |own: &'a steplens_core::compare::tables::MemoryRow| {
        let [a, b] = own.peak.map(|peak| peak.map(|peak| peak.0));
        let both = a.zip(b).map(|(a, b)| {
            let of = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
            (of(a), of(b))
        });
        let name = device(found, Which::A, own.device[0]);
        MemoryBoth {
            device: name.or_else(|| device(found, Which::B, own.device[1])),
            allocator: &own.allocator,
            peak_a_bytes: a,
            peak_b_bytes: b,
            difference_bytes: both.map(|(a, b)| b.saturating_sub(a)),
            ratio: both.and_then(|(a, b)| ratio(a, b)),
        }
    };
    found.tables.memory.iter().map(row).collect()
}
