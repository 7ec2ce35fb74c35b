//! How each op got its thread, from the executor's two stamps.
//!
//! A thread that has run an op stamps the time, then ends the op, and then takes the next op from its own queue, which gets that stamp
//! (`ExecutorState::Process` in TensorFlow's `executor.cc`): such an op was *kept*, and was scheduled just before the end of the op before
//! it on its thread. Ops that the thread gives to the pool are stamped after that end (`NodeDone`, then `ScheduleReady`): they were *sent*.
//! An asynchronous op leaves its thread at once, and the next op in the queue gets the same stamp as it.
//!
//! The two ends of an op's stamp differ by some hundred nanoseconds, so releases that stamp whole microseconds do not tell.

use crate::base::order;
use crate::base::units::{Nanos, Timestamp};
use crate::causality::pools::MAX_DISPATCH;
use crate::{DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// How an op got its thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// The recording does not tell.
    #[default]
    Unknown,
    /// The thread that made it ready kept it.
    Kept,
    /// The same, and the thread went on before the op had ended: an asynchronous op.
    Left,
    /// It was given to the pool.
    Sent,
}

/// The longest time from the stamp to the end of the op before. Usually it is that of two readings of the clock, 20 to 300 ns.
const STAMPED_BEFORE: Nanos = Nanos(1_500);

/// How many times the usual time from a stamp to the end of the op before may pass. Where ops take a microsecond, another thread often ends
/// one within [`STAMPED_BEFORE`].
const USUAL_TIMES: i64 = 3;

/// Shorter times are not told apart: clocks of some machines tick every 100 ns.
const SHORTEST: Nanos = Nanos(100);

/// The search looks at this many ends after a stamp: any number of ops without length may end at once.
const MOST_NEAR: usize = 16;

/// Of this number of ops at least one was kept, where stamps tell: a thread keeps the last op that becomes ready, whatever it costs.
const ONE_KEPT_OF: usize = 20;

/// No op.
const NONE: u32 = u32::MAX;

/// How each of a list of ops got its thread, by place in the list.
pub(super) struct Stamps {
    turn: Vec<Turn>,
    /// The op before on the same thread, for ops that were kept.
    before: Vec<u32>,
    /// When the thread has run this op and all that it kept after it.
    row_end: Vec<Timestamp>,
}

impl Stamps {
    /// Reads the stamps of `executor_ops`, in order of start; `device_of` has the device of each.
    pub(super) fn read(trace: &Trace, executor_ops: &[OpId], device_of: &[DeviceId]) -> Self {
        let (ops, count) = (trace.ops(), executor_ops.len());
        let mut found =
            Self { turn: vec![Turn::Unknown; count], before: vec![NONE; count], row_end: Vec::new() };
        let is_stamped = |place: &usize| ops.scheduled(executor_ops[*place]).is_some();
        let has_ns = |at: Timestamp| trace.origin_unix_ns().wrapping_add(at.0) % 1_000 != 0;
        let told = |place: usize| ops.scheduled(executor_ops[place]).is_some_and(has_ns);
        if !(0..count).any(told) {
            return found;
        }
        let mut ends: Vec<(DeviceId, Timestamp, u32)> =
            (0..count).map(|place| (device_of[place], ops.end(executor_ops[place]), place as u32)).collect();
        order::by_number(&mut ends, |(device, end, _)| (end.0, i64::from(device.get())));
        order::by_number(&mut ends, |(device, ..)| (i64::from(device.get()), 0));
        let longest = longest(trace, executor_ops, device_of, &ends);
        let mut is_followed = vec![false; count];
        let mut last_with: HashMap<(DeviceId, i64), u32, FixedState> = HashMap::default();
        for place in (0..count).filter(is_stamped) {
            let (op, device) = (executor_ops[place], device_of[place]);
            let (Some(stamp), start) = (ops.scheduled(op), ops.start(op)) else { continue };
            if stamp > start {
                continue;
            }
            let first = ends.partition_point(|&(own, end, _)| (own, end) < (device, stamp));
            // An op that was sent is stamped soon after the end of the op that made it ready.
            let since = first.checked_sub(1).map(|at| ends[at]).filter(|&(own, ..)| own == device);
            let most = since.map_or(longest, |(_, end, _)| longest.min(stamp - end));
            let near = ends[first..].iter().take(MOST_NEAR);
            let mut near = near.take_while(|&&(own, end, _)| own == device && end - stamp <= most);
            let is_before = |before: u32| {
                let other = executor_ops[before as usize];
                before as usize != place
                    && !is_followed[before as usize]
                    && ops.start(other) <= stamp
                    && ops.end(other) <= start
                    && start - ops.end(other) <= MAX_DISPATCH
            };
            let by_end = near.find(|&&(.., before)| is_before(before)).map(|&(.., before)| before);
            let mate =
                || last_with.get(&(device, stamp.0)).copied().filter(|&mate| !is_followed[mate as usize]);
            let before = by_end.or_else(mate);
            found.turn[place] = if before.is_some() { Turn::Kept } else { Turn::Sent };
            if let Some(before) = before {
                is_followed[before as usize] = true;
                found.before[place] = before;
                if ops.end(executor_ops[before as usize]) > start {
                    found.turn[before as usize] = Turn::Left;
                }
                last_with.insert((device, stamp.0), place as u32);
            }
        }
        let is = |own: Turn| found.turn.iter().filter(|&&turn| turn == own).count();
        let (kept, sent) = (is(Turn::Kept) + is(Turn::Left), is(Turn::Sent));
        if kept.saturating_mul(ONE_KEPT_OF) < kept + sent {
            // A release that stamps in another order.
            found.turn.fill(Turn::Unknown);
            found.before.fill(NONE);
            return found;
        }
        found.row_end = executor_ops.iter().map(|&op| ops.end(op)).collect();
        for place in (0..count).rev() {
            if let Some(before) = found.before(place) {
                let end = found.row_end[place];
                let own = &mut found.row_end[before];
                // The thread left an asynchronous op before it ended.
                *own = if found.turn[before] == Turn::Left { end } else { end.max(*own) };
            }
        }
        found
    }

    pub(super) fn turn(&self, place: usize) -> Turn {
        self.turn[place]
    }

    /// The op before it on its thread, for an op that was kept.
    pub(super) fn before(&self, place: usize) -> Option<usize> {
        Some(self.before[place]).filter(|&before| before != NONE).map(|before| before as usize)
    }

    /// When the thread had run the op, which ended at `end`, and all that it kept after it.
    pub(super) fn row_end(&self, place: usize, end: Timestamp) -> Timestamp {
        self.row_end.get(place).copied().unwrap_or(end)
    }
}

/// The longest time from a stamp to the end of the op before it on its thread: a few times the median of what follows each stamp. `ends`
/// has (device, end, place), sorted.
fn longest(
    trace: &Trace,
    executor_ops: &[OpId],
    device_of: &[DeviceId],
    ends: &[(DeviceId, Timestamp, u32)],
) -> Nanos {
    let next = |(&op, &device): (&OpId, &DeviceId)| {
        let stamp = trace.ops().scheduled(op)?;
        let first = ends.partition_point(|&(own, end, _)| (own, end) < (device, stamp));
        let &(own, end, _) = ends.get(first)?;
        Some(end - stamp).filter(|&time| own == device && time <= STAMPED_BEFORE)
    };
    let mut times: Vec<Nanos> = executor_ops.iter().zip(device_of).filter_map(next).collect();
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or(STAMPED_BEFORE);
    Nanos(median.0.saturating_mul(USUAL_TIMES)).clamp(SHORTEST, STAMPED_BEFORE)
}
