//! Memory that a program itself gives back to the driver: a call outside of all operators, after the first launch.
//! `torch.cuda.empty_cache()` does that, and waits for the kernels that use the memory. Drivers and libraries free memory when they begin,
//! which is before the first launch, or within an operator.

use crate::base::units::Timestamp;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The threads whose calls may give memory back.
pub(super) struct GivenBack {
    /// For each thread its operators in order of start, each with the last end so far.
    operators: HashMap<(DeviceId, u32), Vec<(Timestamp, Timestamp)>, FixedState>,
    /// For each device the first call that launched.
    launched: HashMap<DeviceId, Timestamp, FixedState>,
}

impl GivenBack {
    pub(super) fn of(trace: &Trace) -> Self {
        let ops = trace.ops();
        let mut found = Self { operators: HashMap::default(), launched: HashMap::default() };
        for device in trace.devices().ids().filter(|&device| trace.devices().get(device).nests) {
            for op in trace.ops_of(device) {
                if trace.category(op) == Category::Launch {
                    let first = found.launched.entry(device).or_insert(ops.start(op));
                    *first = ops.start(op).min(*first);
                } else if trace.category(op) == Category::Compute && !trace.is_call(op) {
                    found
                        .operators
                        .entry((device, ops.thread(op)))
                        .or_default()
                        .push((ops.start(op), ops.end(op)));
                }
            }
        }
        for rows in found.operators.values_mut() {
            rows.sort_unstable();
            let mut last = Timestamp(i64::MIN);
            for row in rows {
                last = last.max(row.1);
                row.1 = last;
            }
        }
        found
    }

    /// Whether `op`, which frees memory, is such a call.
    pub(super) fn has(&self, trace: &Trace, op: OpId) -> bool {
        let (ops, device) = (trace.ops(), trace.device_of(op));
        let is_within = self.operators.get(&(device, ops.thread(op))).is_some_and(|rows| {
            let before = rows.partition_point(|&(start, _)| start <= ops.start(op));
            before > 0 && rows[before - 1].1 >= ops.end(op)
        });
        !is_within && self.launched.get(&device).is_some_and(|&first| first < ops.start(op))
    }
}
