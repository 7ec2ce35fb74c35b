//! Memory of a GPU that was full: PyTorch's allocator asks the driver for more, fails, gives every block that nothing uses back to the driver, and asks
//! again (`CUDACachingAllocator.cpp`, `release_cached_blocks`). So several calls that free memory come in a row within one operator, and a call that gets
//! memory follows there. Later operators get from the driver, too, what the cache had. A convolution that tries algorithms empties the cache after
//! that, and is none.

use crate::base::order;
use crate::timeline::nesting;
use crate::{Category, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// Fewer calls in a row free what one tensor or one library had.
const LEAST_FREED: usize = 3;

/// The calls that give memory back because it was full, and those that get it again from then on, in order of device, thread and start.
pub(super) fn calls(trace: &Trace) -> Vec<OpId> {
    let mut found = Vec::new();
    let frees = |op: OpId| trace.op_type(op).contains("Free");
    for device in trace.devices().ids().filter(|&device| trace.devices().get(device).nests) {
        let mut own: Vec<OpId> =
            trace.ops_of(device).filter(|&op| trace.category(op) == Category::Allocation).collect();
        if own.iter().filter(|&&op| frees(op)).count() < LEAST_FREED {
            continue;
        }
        let (ops, first) = (trace.ops(), trace.devices().get(device).first_op);
        let within = nesting::operators(trace, device);
        let operator = |op: OpId| within[(op.get() - first) as usize];
        order::by_number(&mut own, |op| (i64::from(ops.thread(op)), ops.start(op).0));
        let mut full: Vec<OpId> = Vec::new();
        for row in own.chunk_by(|&a, &b| ops.thread(a) == ops.thread(b) && operator(a) == operator(b)) {
            let is_known =
                operator(row[0]).is_some_and(|own| !trace.op_name(own).to_ascii_lowercase().contains("conv"));
            let freed = row.iter().take_while(|&&op| frees(op)).count();
            // The call that fails comes first where it was recorded.
            let skipped = usize::from(freed == 0);
            let freed = row[skipped..].iter().take_while(|&&op| frees(op)).count();
            if is_known && freed >= LEAST_FREED && row.len() > skipped + freed {
                full.extend(row);
            }
        }
        let Some(since) = full.iter().map(|&op| ops.start(op)).min() else { continue };
        let retries: HashSet<OpId, FixedState> = full.into_iter().collect();
        let gets = |op: OpId| trace.op_type(op).contains("Malloc") && !trace.op_type(op).contains("Host");
        found
            .extend(own.into_iter().filter(|op| retries.contains(op) || gets(*op) && ops.start(*op) > since));
    }
    found
}
