//! The clock of a host that counts in long ticks, next to an accelerator's that does not: what the host did in a tick, and whether it came before or
//! after a kernel, is not recorded. Files of TensorFlow 1 have such a clock, which ticks once a millisecond.

use super::doubt::{Doubt, Why};
use crate::base::units::Nanos;
use crate::{DeviceId, OpId, Trace};

/// A tick is long from here on.
const LEAST_TICK: i64 = 100_000;
/// The least number of ops of the host: a few may begin at whole milliseconds by chance.
const LEAST_OPS: u64 = 32;
/// What is shorter than a tick mostly has no length: this part of the ops of the host, as its divisor.
const LEAST_WITHOUT_LENGTH: u64 = 4;

/// The doubt about the clock of the hosts in `trace`; `None` if none has one, or if an accelerator's ticks are as long.
/// `accelerators` says of each device whether it is one.
pub(crate) fn coarse_host_doubt(trace: &Trace, accelerators: &[bool]) -> Option<Doubt> {
    let is_accelerator = |id: DeviceId| accelerators.get(id.index()).is_some_and(|&own| own);
    if !accelerators.contains(&true) {
        return None;
    }
    let devices = || trace.devices().ids().filter(|&id| !trace.devices().is_host_profiler(id));
    let of_host = || devices().filter(|&id| !is_accelerator(id)).flat_map(|id| trace.ops_of(id));
    let tick = tick(trace, of_host());
    if tick < LEAST_TICK {
        return None;
    }
    let (mut all, mut without) = (0, 0);
    for op in of_host() {
        all += 1;
        without += u64::from(trace.ops().interval(op).length() == Nanos(0));
    }
    if all < LEAST_OPS || without.saturating_mul(LEAST_WITHOUT_LENGTH) < all {
        return None;
    }
    let of_accelerators = devices().filter(|&id| is_accelerator(id)).flat_map(|id| trace.ops_of(id));
    let is_fine = self::tick(trace, of_accelerators);
    (is_fine > 0 && is_fine < LEAST_TICK).then_some(Doubt {
        why: Why::CoarseHost,
        by: Nanos(tick),
        tensors: without,
        of: all,
        is_by_collectives: false,
    })
}

/// The longest tick that all starts and ends of `ops` can have been counted in, or any that is shorter than [`LEAST_TICK`]; 0 if there are fewer
/// than two moments.
fn tick(trace: &Trace, ops: impl Iterator<Item = OpId>) -> i64 {
    let (mut first, mut tick) = (None, 0_i64);
    for op in ops {
        let own = trace.ops().interval(op);
        for at in [own.start.0, own.end.0] {
            tick = common(tick, at.wrapping_sub(*first.get_or_insert(at)).saturating_abs());
        }
        // It can only become shorter.
        if (1..LEAST_TICK).contains(&tick) {
            break;
        }
    }
    tick
}

/// The largest number that divides both.
fn common(mut one: i64, mut other: i64) -> i64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
