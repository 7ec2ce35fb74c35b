//! For how long at least one op of a type ran. This is shown next to a sum over ops that is longer than the range.

use super::op_types::{AcceleratorDevices, OpTypeRow, Place, counted_ops};
use super::range::Range;
use crate::base::ids::StringId;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::{Category, Study};

/// The key of a row of op types.
pub type TypeKey = (StringId, Category, Place);

fn key(row: &OpTypeRow) -> TypeKey {
    (row.op_type, row.category, row.place)
}

/// For each type whose sum over ops is longer than the range: how long at least one op of it ran.
pub struct AnyRunning {
    types: Vec<TypeKey>,
    lengths: Vec<Nanos>,
}

impl AnyRunning {
    /// Computes the times for `rows`, which are the op types of `range`.
    pub fn of(study: &Study, range: Range<'_>, rows: &[OpTypeRow]) -> Self {
        let span = range.window().length().min(study.trace().span().length());
        let is_long = |row: &&OpTypeRow| row.own.max(row.total) > span;
        let types: Vec<_> = rows.iter().filter(is_long).map(key).collect();
        let lengths = any_running(study, &[range], &types);
        Self { types, lengths }
    }

    /// How long at least one op of the type of `row` ran; `None` if the sum is not longer than the range.
    pub fn of_type(&self, row: &OpTypeRow) -> Option<Nanos> {
        let place = self.types.iter().position(|&of| of == key(row))?;
        Some(self.lengths[place])
    }
}

/// For each of `types` how long at least one op of it runs in any of `ranges`, in time n log n in these ops.
pub fn any_running(study: &Study, ranges: &[Range<'_>], types: &[TypeKey]) -> Vec<Nanos> {
    let mut lengths = vec![Nanos(0); types.len()];
    if types.is_empty() {
        return lengths;
    }
    let (trace, nodes) = (study.trace(), study.trace().nodes());
    let row_of_node = Place::ALL.map(|place| -> Vec<Option<u32>> {
        let row = |node| {
            let own = (nodes.op_type(node), nodes.category(node), place);
            types.iter().position(|&of| of == own).map(|row| row as u32)
        };
        nodes.ids().map(row).collect()
    });
    let accelerators = AcceleratorDevices::of(trace);
    let mut ran: Vec<(u32, Interval)> = Vec::new();
    for range in ranges {
        let within = |op| {
            let place = accelerators.place(trace.device_of(op));
            let row = row_of_node[place as usize][trace.ops().node(op).index()]?;
            Some((row, trace.ops().interval(op).clamp_to(range.window())))
        };
        counted_ops(study, range, |op| ran.extend(within(op)));
    }
    order::by_number(&mut ran, |(row, interval)| (i64::from(row), interval.start.0));
    for own in ran.chunk_by(|a, b| a.0 == b.0) {
        let mut until = own[0].1.start;
        for &(row, interval) in own {
            let start = interval.start.max(until);
            until = until.max(interval.end);
            lengths[row as usize] += (until - start).max(Nanos(0));
        }
    }
    lengths
}
