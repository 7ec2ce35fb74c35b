//! Op types: where the time of a window went.

use crate::ids::{DeviceId, OpId, StringId};
use crate::order;
use crate::units::{Interval, Nanos};
use crate::{Category, Trace};
use hashbrown::HashMap;

/// The ops of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpTypeRow {
    /// The type.
    pub op_type: StringId,
    /// Its category.
    pub category: Category,
    /// How many ops.
    pub count: u64,
    /// The sum of their lengths. Sums over parallel ops exceed the window.
    pub total: Nanos,
    /// The longest of them.
    pub longest: OpId,
}

/// The ops that start in `window`, by type, the largest total first. `device` restricts to one.
///
/// Over all devices, what repeats the numbered streams (`stream:all`, `memcpy`) is left out.
pub fn op_types(trace: &Trace, window: Interval, device: Option<DeviceId>) -> Vec<OpTypeRow> {
    let devices: Vec<DeviceId> = match device {
        Some(device) => vec![device],
        None => trace.devices().ids().filter(|&device| !trace.devices().repeats_streams(device)).collect(),
    };
    let mut rows: HashMap<(StringId, Category), OpTypeRow, foldhash::fast::FixedState> = HashMap::default();
    for op in devices.into_iter().flat_map(|device| trace.ops_of(device)) {
        let start = trace.ops().start(op);
        if start < window.start || start >= window.end {
            continue;
        }
        let length = trace.ops().interval(op).length();
        let node = trace.ops().node(op);
        let (op_type, category) = (trace.nodes().op_type(node), trace.nodes().category(node));
        let row = rows.entry((op_type, category)).or_insert(OpTypeRow {
            op_type,
            category,
            count: 0,
            total: Nanos(0),
            longest: op,
        });
        row.count += 1;
        row.total += length;
        if length > trace.ops().interval(row.longest).length() {
            row.longest = op;
        }
    }
    let mut rows: Vec<_> = rows.into_values().collect();
    order::by(&mut rows, |a, b| {
        let tie = || trace.text(a.op_type).cmp(trace.text(b.op_type)).then(a.category.cmp(&b.category));
        b.total.cmp(&a.total).then_with(tie)
    });
    rows
}
