//! Repairs: the trace without the findings.

use super::{FindingKind, Repair, findings, repeats};
use crate::build::rebuilt::Placed;
use crate::doctor::far::Usual;
use crate::{DeviceId, Nanos, OpId, Trace};

/// A repaired trace.
pub struct Repaired {
    /// The trace.
    pub trace: Trace,
    /// For each op its id in the old trace.
    pub old_op: Vec<OpId>,
    /// The devices of the new trace whose figures differ from what was recorded.
    pub touched: Vec<DeviceId>,
}

/// `trace` with `repairs`; `None` if none of them changes anything.
pub fn repaired(trace: &Trace, repairs: &[Repair]) -> Option<Repaired> {
    if repairs.is_empty() {
        return None;
    }
    let found = findings(trace);
    let chosen: Vec<_> = found
        .iter()
        .filter(|finding| finding.kind.repair().is_some_and(|repair| repairs.contains(&repair)))
        .collect();
    if chosen.is_empty() {
        return None;
    }
    let mut shift = vec![0; trace.devices().len()];
    let mut becomes: Vec<DeviceId> = trace.devices().ids().collect();
    let mut leaves_out_far = false;
    let mut leaves_out = Vec::new();
    for finding in &chosen {
        match &finding.kind {
            FindingKind::TimeBases(groups) => {
                for (device, by) in
                    groups.iter().flat_map(|(devices, by)| devices.iter().map(move |device| (device, by)))
                {
                    shift[device.index()] = *by;
                }
            }
            FindingKind::SameDevices(same) => {
                same.iter().for_each(|&(device, kept)| becomes[device.index()] = kept)
            }
            FindingKind::FarOps => leaves_out_far = true,
            FindingKind::RepeatedOps => leaves_out = repeats::all(trace),
            FindingKind::ClocksDiffer(..)
            | FindingKind::ContradictingTimes(..)
            | FindingKind::MissingTask(_)
            | FindingKind::MoreTasksMissing(_)
            | FindingKind::LostTransfers(_)
            | FindingKind::KernelsNotRecorded
            | FindingKind::OneNameOfGpus
            | FindingKind::ImpossibleMemory
            | FindingKind::Limit(_)
            | FindingKind::RepeatedStreams
            | FindingKind::HostProfile(_)
            | FindingKind::UnjoinedEvents(_)
            | FindingKind::RankClocksDiffer(..)
            | FindingKind::NoKernels(_)
            | FindingKind::KernelsLost(_)
            | FindingKind::CoveringKernels
            | FindingKind::GraphsInPart(_)
            | FindingKind::RanksUnnamed
            | FindingKind::AcceleratorClock(..)
            | FindingKind::CoarseHostClock(..)
            | FindingKind::ZeroLengths => {}
        }
    }
    let usual = Usual::of(trace);
    let mut repeats = leaves_out.into_iter().peekable();
    let places = trace.places().filter_map(|place| {
        let is_repeat = repeats.next_if_eq(&place.op).is_some();
        let is_far = leaves_out_far && usual.is_far(trace, place.device, place.op);
        (!is_repeat && !is_far).then(|| Placed {
            shift: Nanos(shift[place.device.index()]),
            device: becomes[place.device.index()],
            ..place
        })
    });
    let places: Vec<Placed> = places.collect();
    let rebuilt = trace.rebuilt(&mut places.into_iter());
    let new = &rebuilt.trace;
    let touched_names: Vec<_> = chosen
        .iter()
        .flat_map(|finding| &finding.devices)
        .map(|device| trace.devices().get(becomes[device.index()]).name)
        .collect();
    let is_touched = |device: &DeviceId| touched_names.contains(&new.devices().get(*device).name);
    let touched = new.devices().ids().filter(is_touched).collect();
    Some(Repaired { trace: rebuilt.trace, old_op: rebuilt.old_op, touched })
}
