//! Whether the times of one task can be compared with those of another, as a trace is shown.
//!
//! Tensors that arrive before they are sent say that they cannot. Every figure that takes a time of one task from a time of another
//! is wrong by what the clocks differ by then, and is withheld until they are aligned.

use super::{Ahead, ClockSetting, Clocks, count, ends};
use crate::base::units::Nanos;
use crate::transfers::Transfers;
use crate::{DeviceId, Trace};
use std::sync::Arc;

/// A receipt may be recorded in whole microseconds: a tensor that is early by less is not counted.
const ROUNDING: Nanos = Nanos(1_000);
/// One tensor of so many with times that no clocks explain are taken for faults of their own; more of them say that clocks jump.
const MOST_CONTRADICTING: usize = 10;

/// Why times of different tasks cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The clocks differ, and aligning them puts every tensor right.
    Differ,
    /// The clocks differ, and no offsets were found that put every tensor right: there are too many tasks and tensors.
    NotFound,
    /// Many times contradict each other however the clocks are set.
    Contradict,
}

/// That the times of different tasks cannot be compared, and by how much they are off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Why.
    pub why: Why,
    /// How far the clocks differ: by the estimate, and by no less than a tensor is early.
    pub by: Nanos,
    /// How many tensors arrive before they are sent, or contradict the others.
    pub tensors: u64,
    /// Of how many between tasks.
    pub of: u64,
}

impl Doubt {
    /// What is in doubt by `clocks`, which are set as `setting` says, or as recorded.
    pub fn of(clocks: &Clocks, trace: &Trace, setting: Option<&ClockSetting>) -> Option<Self> {
        let ahead = |row: usize| setting.map_or(Ahead::default(), |setting| setting.ahead(trace, row));
        let pairs = clocks.violations(&ahead);
        let most = pairs.iter().map(|pair| pair.most).max().unwrap_or_default();
        let of = clocks.transfers();
        if most > ROUNDING {
            let aligned = clocks.violations(&|row| clocks.tasks[row].applied);
            let is_put_right = aligned.iter().all(|pair| pair.most <= ROUNDING);
            let why = if is_put_right { Why::Differ } else { Why::NotFound };
            let moved = || {
                let known = clocks.tasks.iter().enumerate().filter(|(_, clock)| clock.transfers > 0);
                known.map(|(row, clock)| clock.applied.at_middle - ahead(row).at_middle)
            };
            let spread = moved().max().unwrap_or_default() - moved().min().unwrap_or_default();
            let by = if is_put_right { spread.max(most) } else { most };
            return Some(Self { why, by, tensors: count(&pairs), of });
        }
        let contradicting = clocks.contradicting().len();
        let are_many = contradicting.saturating_mul(MOST_CONTRADICTING) >= of as usize;
        let most = clocks.most_contradicting();
        (contradicting > 0 && are_many && most > ROUNDING).then_some(Self {
            why: Why::Contradict,
            by: most,
            tensors: contradicting as u64,
            of,
        })
    }
}

/// The clocks of `trace` where they say more than nothing: those that it was set by, or where a tensor from one task to another
/// is received before it was made. In time linear in transfers where there is none.
pub(crate) fn clocks_in_question(
    trace: &Trace,
    transfers: &Transfers,
    setting: Option<&ClockSetting>,
) -> Option<Arc<Clocks>> {
    match setting {
        Some(setting) => Some(Arc::clone(&setting.clocks)),
        None => is_any_early(trace, transfers).then(|| Arc::new(Clocks::of(trace, transfers))),
    }
}

fn is_any_early(trace: &Trace, transfers: &Transfers) -> bool {
    let task = |device: DeviceId| trace.devices().get(device).task;
    transfers.rows().iter().filter_map(|transfer| ends(&transfer)).any(|(producer, op)| {
        let [from, to] = [producer, op].map(|op| task(trace.device_of(op)));
        let early = trace.ops().end(producer) - trace.ops().end(op);
        from != to && from.is_some() && to.is_some() && early > ROUNDING
    })
}
