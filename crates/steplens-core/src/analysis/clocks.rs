//! Clocks: how far the clocks of tasks are apart, told by the tensors that went between them.
//!
//! No tensor is received before it was made. The producer's end stands on the sender's clock and the receipt on the
//! receiver's, so that with `o` what each clock is ahead by
//!
//! ```text
//! receipt - o[receiver] >= end - o[sender],   or   o[receiver] - o[sender] <= receipt - end
//! ```
//!
//! As in NTP, the fastest tensors of both directions bound the difference of two clocks from both sides; over the graph of
//! all tasks the bounds add up along the shortest paths.
//!
//! A `RecvTensor`'s own start would bound more tightly, since it leaves out the wait for the sending. But it is the sender's
//! clock only where TensorFlow did not replace it by the receiver's (`grpc_remote_worker.cc`), which no single record tells. So
//! the bounds do without it, and only the estimate between them makes use of it: of starts that lie within the bounds.
//!
//! Broken timestamps make bounds that no clock can keep. For every two tasks the difference is sought that breaks the fewest
//! bounds, which is how NTP finds its false tickers (Marzullo's algorithm); what it breaks is left out.

use crate::analysis::transfers::{CLAMPED, Transfer, Transfers};
use crate::device::task_of;
use crate::ids::StringId;
use crate::order;
use crate::units::Nanos;
use crate::{DeviceId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// How often bounds are carried on to the neighbours. Every task of a cluster is a few hops from the others.
const MAX_HOPS: usize = 64;
/// How many pairs of tasks may be left out because their bounds contradict those of the others.
const MAX_CONTRADICTIONS: usize = 64;

/// The clock of one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskClock {
    /// The task.
    pub task: StringId,
    /// By how much it is ahead of the reference: what to subtract from its timestamps. The best estimate
    /// between the bounds; `None` where one is missing.
    pub offset: Option<Nanos>,
    /// What is subtracted where the clocks are set right: the offset; where there is none, what is nearest to 0 and puts no
    /// tensor before its making.
    pub applied: Nanos,
    /// It is ahead by this much at least.
    pub low: Option<Nanos>,
    /// It is ahead by this much at most.
    pub high: Option<Nanos>,
    /// How many transfers of known producers it sent to, or received from, other tasks.
    pub transfers: u64,
}

/// The clocks of all tasks, in the order of the devices.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    /// Whose clock the others are compared with: that of the task with the most transfers.
    pub reference: Option<StringId>,
    /// The tasks that have ops.
    pub tasks: Vec<TaskClock>,
    /// How many tensors were received before they were made, as recorded.
    pub violations_before: u64,
    /// The same with the offsets subtracted.
    pub violations_after: u64,
}

/// A tensor from one task to another: rows of the tasks, the receipt minus the producer's end, and minus the recorded start
/// unless that says nothing.
#[derive(Clone, Copy)]
struct Arrow {
    source: u32,
    destination: u32,
    slack: i64,
    sent: Option<i64>,
}

/// `o[to] - o[from] <= at_most`.
#[derive(Clone, Copy)]
struct Bound {
    from: u32,
    to: u32,
    at_most: i64,
    /// What it most likely is at most, by the recorded starts; no more than `at_most`.
    likely: i64,
    /// Which two tasks it is between.
    pair: u32,
}

impl Clocks {
    /// The clocks of `trace`, in time n log n in its transfers.
    pub fn of(trace: &Trace, transfers: &Transfers) -> Self {
        let mut tasks: Vec<StringId> = Vec::new();
        let mut row_of: HashMap<StringId, u32, FixedState> = HashMap::default();
        for device in trace.devices().ids().map(|device| trace.devices().get(device)) {
            if let Some(task) = device.task.filter(|_| device.op_count > 0) {
                row_of.entry(task).or_insert_with(|| {
                    tasks.push(task);
                    tasks.len() as u32 - 1
                });
            }
        }
        let row = |device: DeviceId| Some(*row_of.get(&trace.devices().get(device).task?)?);
        let arrow = |transfer: &Transfer| {
            let producer = transfer.producer.ok()?;
            let arrow = Arrow {
                source: row(trace.device_of(producer))?,
                destination: row(trace.device_of(transfer.op))?,
                slack: (trace.ops().end(transfer.op) - trace.ops().end(producer)).0,
                sent: Some(trace.ops().interval(transfer.op).length().0).filter(|&wire| wire > CLAMPED.0),
            };
            (arrow.source != arrow.destination).then_some(arrow)
        };
        let mut arrows: Vec<Arrow> = transfers.rows().iter().filter_map(arrow).collect();
        let mut counts = vec![0u64; tasks.len()];
        for arrow in &arrows {
            counts[arrow.source as usize] += 1;
            counts[arrow.destination as usize] += 1;
        }
        // Of equals the first.
        let reference = (0..tasks.len()).rev().max_by_key(|&task| counts[task]);
        let (mut bounds, sizes) = bounds(&mut arrows);
        let (highs, lows, likely) = match reference {
            Some(reference) => reach(tasks.len(), reference as u32, &mut bounds, &sizes),
            None => Default::default(),
        };
        let known: Vec<bool> = highs.iter().zip(&lows).map(|(high, low)| high.and(*low).is_some()).collect();
        let applied = applied(&bounds, &known, &likely);
        let clock = |(row, &task): (usize, &StringId)| {
            let (low, high) = (lows[row].map(|low| -low), highs[row]);
            let middle = low.and(high).and(likely[row]);
            TaskClock {
                task,
                offset: middle.map(Nanos),
                applied: Nanos(applied[row]),
                low: low.map(Nanos),
                high: high.map(Nanos),
                transfers: counts[row],
            }
        };
        let clocks: Vec<TaskClock> = tasks.iter().enumerate().map(clock).collect();
        let offset = |row: u32| applied[row as usize];
        let after = |arrow: &&Arrow| arrow.slack - offset(arrow.destination) + offset(arrow.source) < 0;
        Self {
            reference: reference.map(|row| tasks[row]),
            violations_before: arrows.iter().filter(|arrow| arrow.slack < 0).count() as u64,
            violations_after: arrows.iter().filter(after).count() as u64,
            tasks: clocks,
        }
    }

    /// What to subtract from the timestamps of `device`; 0 where nothing tells.
    pub fn offset_of(&self, trace: &Trace, device: DeviceId) -> Nanos {
        let task = task_of(trace.text(trace.devices().get(device).name));
        let own = self.tasks.iter().find(|clock| task.is_some_and(|task| trace.text(clock.task) == task));
        own.map_or(Nanos(0), |clock| clock.applied)
    }
}

/// For every two tasks that tensors went between, what bounds the difference of their clocks; and how many tensors that were.
fn bounds(arrows: &mut [Arrow]) -> (Vec<Bound>, Vec<usize>) {
    let ends = |arrow: Arrow| {
        let (first, second) = (arrow.source.min(arrow.destination), arrow.source.max(arrow.destination));
        i64::from(first) << 32 | i64::from(second)
    };
    order::by_number(arrows, |arrow| (ends(arrow), arrow.slack));
    let (mut bounds, mut sizes) = (Vec::new(), Vec::new());
    let mut rest = &arrows[..];
    while let Some(&any) = rest.first() {
        let (own, after) = rest.split_at(rest.partition_point(|&arrow| ends(arrow) == ends(any)));
        rest = after;
        let (first, second) = (any.source.min(any.destination), any.source.max(any.destination));
        // With x = o[second] - o[first]: x <= the slack forwards, and x >= minus the slack backwards. Both ascend.
        let forwards = own.iter().filter(|arrow| arrow.source == first);
        let uppers: Vec<i64> = forwards.map(|arrow| arrow.slack).collect();
        let backwards = own.iter().rev().filter(|arrow| arrow.source == second);
        let lowers: Vec<i64> = backwards.map(|arrow| -arrow.slack).collect();
        let (low, high) = kept_by_most(&lowers, &uppers);
        let (likely_low, likely_high) = likely(own, first, low, high);
        let pair = sizes.len() as u32;
        let bound = |from, to, at_most, likely| Bound { from, to, at_most, likely, pair };
        bounds.extend(high.zip(likely_high).map(|(high, likely)| bound(first, second, high, likely)));
        bounds.extend(low.zip(likely_low).map(|(low, likely)| bound(second, first, -low, -likely)));
        sizes.push(own.len());
    }
    (bounds, sizes)
}

/// The interval of x that breaks the fewest of `lowers <= x <= uppers`, both ascending; of several the widest.
fn kept_by_most(lowers: &[i64], uppers: &[i64]) -> (Option<i64>, Option<i64>) {
    let (Some(&highest), Some(&least)) = (lowers.last(), uppers.first()) else {
        return (lowers.last().copied(), uppers.first().copied());
    };
    if highest <= least {
        return (Some(highest), Some(least));
    }
    // x at a lower bound: those after it are broken, and the upper ones before it.
    let at = |place: usize| {
        let low = lowers[place];
        let broken_uppers = uppers.partition_point(|&upper| upper < low);
        let broken_lowers = lowers.len() - lowers.partition_point(|&lower| lower <= low);
        let high = uppers.get(broken_uppers).copied();
        (broken_lowers + broken_uppers, low, high)
    };
    let width = |low: i64, high: Option<i64>| high.map_or(i64::MAX, |high| high.saturating_sub(low));
    let best = (0..lowers.len()).map(at).min_by_key(|&(broken, low, high)| (broken, -width(low, high)));
    // Below all lower bounds only these are broken.
    match best {
        Some((broken, low, high)) if broken < lowers.len() => (Some(low), high),
        _ => (None, Some(least)),
    }
}

/// `low <= x <= high`, drawn together by the recorded starts of `arrows` that lie within, as far as these agree.
fn likely(arrows: &[Arrow], first: u32, low: Option<i64>, high: Option<i64>) -> (Option<i64>, Option<i64>) {
    let (Some(least), Some(most)) = (low, high) else { return (low, high) };
    let starts = |source_is_first: bool| {
        let own = arrows.iter().filter(move |arrow| (arrow.source == first) == source_is_first);
        own.filter_map(move |arrow| arrow.sent.map(|sent| if source_is_first { sent } else { -sent }))
    };
    let within = |x: &i64| (least..=most).contains(x);
    let closer_low = starts(false).filter(within).max().unwrap_or(least);
    let closer_high = starts(true).filter(within).min().unwrap_or(most);
    if closer_low <= closer_high { (Some(closer_low), Some(closer_high)) } else { (low, high) }
}

/// Distances by row of the task; `None` where no path leads.
type Distances = Vec<Option<i64>>;

/// The least upper bounds of `o[task] - o[reference]`, and of `o[reference] - o[task]`, by task; and the likely differences.
///
/// The likely ones keep every bound: the distances from the reference do, those towards it do, and so does their middle.
///
/// Where bounds contradict each other around a circle of tasks, the pair of the fewest tensors in it is left out.
fn reach(
    tasks: usize,
    reference: u32,
    bounds: &mut Vec<Bound>,
    sizes: &[usize],
) -> (Distances, Distances, Distances) {
    let middle = |(high, low): (&Option<i64>, &Option<i64>)| {
        high.zip(*low).map(|(high, low)| high.saturating_sub(low).div_euclid(2))
    };
    for _ in 0..MAX_CONTRADICTIONS {
        let paths = |length: fn(&Bound) -> i64| {
            let highs = distances(tasks, reference, bounds, |bound| (bound.from, bound.to, length(bound)))?;
            let lows = distances(tasks, reference, bounds, |bound| (bound.to, bound.from, length(bound)))?;
            Ok((highs, lows))
        };
        let contradicting: Vec<u32> = match paths(|bound| bound.at_most) {
            Ok((highs, lows)) => {
                // Starts that agree pair by pair may still contradict each other around a circle.
                let (closer_highs, closer_lows) =
                    paths(|bound| bound.likely).unwrap_or_else(|_: Vec<u32>| (highs.clone(), lows.clone()));
                let likely = closer_highs.iter().zip(&closer_lows).map(middle).collect();
                return (highs, lows, likely);
            }
            Err(pairs) => pairs,
        };
        let least = contradicting.into_iter().min_by_key(|&pair| (sizes[pair as usize], pair));
        bounds.retain(|bound| Some(bound.pair) != least);
    }
    (vec![None; tasks], vec![None; tasks], vec![None; tasks])
}

/// The likely offsets of tasks that are `known`; for the others what is nearest to 0 and keeps the bounds, as far as that can be.
fn applied(bounds: &[Bound], known: &[bool], likely: &[Option<i64>]) -> Vec<i64> {
    let offset = |(known, likely): (&bool, &Option<i64>)| if *known { likely.unwrap_or(0) } else { 0 };
    let mut applied: Vec<i64> = known.iter().zip(likely).map(offset).collect();
    for _ in 0..MAX_HOPS {
        let mut is_kept = true;
        for bound in bounds {
            let (from, to) = (bound.from as usize, bound.to as usize);
            let excess = applied[to].saturating_sub(applied[from]).saturating_sub(bound.at_most);
            if excess > 0 && !known[from] {
                applied[from] = applied[from].saturating_add(excess);
            } else if excess > 0 && !known[to] {
                applied[to] = applied[to].saturating_sub(excess);
            }
            is_kept &= excess <= 0 || (known[from] && known[to]);
        }
        if is_kept {
            break;
        }
    }
    applied
}

/// The shortest paths from `reference` (Bellman and Ford); or the pairs of tasks at which they have no end.
fn distances(
    tasks: usize,
    reference: u32,
    bounds: &[Bound],
    edge: impl Fn(&Bound) -> (u32, u32, i64),
) -> Result<Distances, Vec<u32>> {
    let mut reached: Distances = vec![None; tasks];
    reached[reference as usize] = Some(0);
    let mut shortened = Vec::new();
    for _ in 0..=tasks.min(MAX_HOPS) {
        shortened.clear();
        for bound in bounds {
            let (from, to, length) = edge(bound);
            let Some(path) = reached[from as usize] else { continue };
            let path = path.saturating_add(length);
            if reached[to as usize].is_none_or(|known| path < known) {
                reached[to as usize] = Some(path);
                shortened.push(bound.pair);
            }
        }
        if shortened.is_empty() {
            return Ok(reached);
        }
    }
    Err(shortened)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_that_most_keep() {
        assert_eq!(kept_by_most(&[-9, -5], &[3, 8]), (Some(-5), Some(3)));
        assert_eq!(kept_by_most(&[], &[3, 8]), (None, Some(3)));
        assert_eq!(kept_by_most(&[-9], &[]), (Some(-9), None));
        // One upper bound is absurd, then one lower.
        assert_eq!(kept_by_most(&[-9, -6, -5], &[-100, 3, 8]), (Some(-5), Some(3)));
        assert_eq!(kept_by_most(&[-9, -5, 90], &[2, 3, 8]), (Some(-5), Some(2)));
    }

    fn arrow(source: u32, destination: u32, slack: i64) -> Arrow {
        Arrow { source, destination, slack, sent: None }
    }

    #[test]
    fn bounds_add_up_along_paths() {
        // 1 is 10 ahead of 0, and 2 is 5 behind 1; every tensor takes 1 or 2.
        let mut arrows = [arrow(0, 1, 11), arrow(1, 0, -8), arrow(1, 2, -4), arrow(2, 1, 7), arrow(0, 1, 40)];
        let (mut bounds, sizes) = bounds(&mut arrows);
        let (highs, lows, likely) = reach(4, 0, &mut bounds, &sizes);
        assert_eq!(highs, [Some(0), Some(11), Some(7), None]);
        assert_eq!(lows, [Some(0), Some(-8), Some(-1), None]);
        assert_eq!(likely, [Some(0), Some(9), Some(4), None]);
    }

    #[test]
    fn starts_within_the_bounds_draw_them_together() {
        let sent = |source, sent| Arrow { sent: Some(sent), ..arrow(source, 1 - source, 0) };
        let likely = |arrows: &[Arrow]| likely(arrows, 0, Some(-100), Some(300));
        assert_eq!(likely(&[sent(0, 40), sent(0, 20), sent(1, 30)]), (Some(-30), Some(20)));
        // Not the sender's clock: outside of what can be.
        assert_eq!(likely(&[sent(0, -200), sent(1, 150)]), (Some(-100), Some(300)));
        assert_eq!(
            likely(&[sent(0, -50), sent(1, 20)]),
            (Some(-100), Some(300)),
            "they contradict each other"
        );
    }

    #[test]
    fn what_contradicts_the_others_is_left_out() {
        // Around the circle 0, 1, 2 nothing can be right; the single tensor between 2 and 0 is to blame.
        let mut arrows = [
            arrow(0, 1, 1),
            arrow(0, 1, 2),
            arrow(1, 0, 1),
            arrow(1, 2, 1),
            arrow(1, 2, 2),
            arrow(2, 1, 1),
            arrow(2, 0, -50),
        ];
        let (mut bounds, sizes) = bounds(&mut arrows);
        let (highs, lows, _) = reach(3, 0, &mut bounds, &sizes);
        assert_eq!((highs, lows), (vec![Some(0), Some(1), Some(2)], vec![Some(0), Some(1), Some(2)]));
    }
}
