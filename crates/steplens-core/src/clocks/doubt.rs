//! Whether the times of one task can be compared with those of another, as the trace is shown.
//!
//! They cannot if tensors arrive before they are sent. Every figure that subtracts a time of one task from a time of another is
//! then wrong by the difference of the clocks, and is withheld until the clocks are aligned.

use super::{Ahead, ClockSetting, Clocks, count, ends};
use crate::base::units::Nanos;
use crate::transfers::Transfers;
use crate::{DeviceId, StringId, Trace};
use std::sync::Arc;

/// An arrival may be recorded in whole microseconds: a tensor that is early by less than this is not counted.
const ROUNDING: Nanos = Nanos(1_000);
/// If at most one tensor in this many has times that no clocks explain, these are taken as single faults. If there are more, clocks
/// jump.
const MOST_CONTRADICTING: usize = 10;

/// Why times of different tasks cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The clocks differ, and aligning them corrects every tensor.
    Differ,
    /// The clocks differ, and no offsets were found that correct every tensor: there are too many tasks and tensors.
    NotFound,
    /// Many times contradict each other, however the clocks are aligned.
    Contradict,
    /// Programs end on an accelerator before its host asked for them.
    Accelerator,
    /// The clock of a host counts in long ticks, and that of its accelerator does not.
    CoarseHost,
}

impl Why {
    /// Whether an accelerator's times are to be read by its own clock alone.
    pub fn is_of_accelerator(self) -> bool {
        matches!(self, Self::Accelerator | Self::CoarseHost)
    }
}

/// That the times of different tasks cannot be compared, and by how much they are off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The reason.
    pub why: Why,
    /// How far the clocks of tasks differ: the estimate, or the largest time by which a tensor is early, if that is more. For an accelerator: how far its
    /// clock differs from its host's at least; of a coarse clock its tick.
    pub by: Nanos,
    /// How many tensors arrive before they are sent, or contradict the others; of an accelerator how many programs end too early; of a coarse clock
    /// how many ops of the host have no length.
    pub tensors: u64,
    /// The number of tensors between tasks; of an accelerator the number of programs; of a coarse clock that of the host's ops.
    pub of: u64,
    /// Whether only collectives say it: then the numbers are of two ranks in one collective.
    pub is_by_collectives: bool,
}

impl Doubt {
    /// The doubt for clocks that are aligned by `setting`, or as recorded without one. `None` if there is no doubt.
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
            let is_by_collectives = clocks.is_by_collectives();
            return Some(Self { why, by, tensors: count(&pairs), of, is_by_collectives });
        }
        let contradicting = clocks.contradicting().len();
        let are_many = contradicting.saturating_mul(MOST_CONTRADICTING) >= of as usize;
        let most = clocks.most_contradicting();
        (contradicting > 0 && are_many && most > ROUNDING).then_some(Self {
            why: Why::Contradict,
            by: most,
            tensors: contradicting as u64,
            of,
            is_by_collectives: clocks.is_by_collectives(),
        })
    }
}

/// The clocks of `trace`, if it was aligned by them, or if a tensor from one task to another arrives before it was made. Takes
/// linear time in the transfers if there is no such tensor.
pub(crate) fn clocks_in_question(
    trace: &Trace,
    transfers: &Transfers,
    setting: Option<&ClockSetting>,
) -> Option<Arc<Clocks>> {
    match setting {
        Some(setting) => Some(Arc::clone(&setting.clocks)),
        None => is_any_early(trace, transfers).then(|| Arc::new(Clocks::estimated(trace, transfers))),
    }
}

fn is_any_early(trace: &Trace, transfers: &Transfers) -> bool {
    let task = |device: DeviceId| trace.devices().get(device).task;
    if super::together::is_any_early(trace, &|device| task(device).map(StringId::get)) {
        return true;
    }
    transfers.rows().iter().filter_map(|transfer| ends(&transfer)).any(|(producer, op)| {
        let [from, to] = [producer, op].map(|op| task(trace.device_of(op)));
        let early = trace.ops().end(producer) - trace.ops().end(op);
        from != to && from.is_some() && to.is_some() && early > ROUNDING
    })
}
