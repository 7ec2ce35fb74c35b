//! For each finding its title, what was found, and what its repair does.

use super::limits;
use crate::wording::duration;
use steplens_core::Trace;
use steplens_core::doctor::{Finding, FindingKind};
use steplens_core::host_profile::Counts;
use steplens_messages::{listed, say};

pub(super) fn title(kind: &FindingKind) -> &'static str {
    match kind {
        FindingKind::TimeBases(_) => say!("finding-time-bases-title"),
        FindingKind::FarOps => say!("finding-far-ops-title"),
        FindingKind::SameDevices(_) => say!("finding-same-devices-title"),
        FindingKind::RepeatedOps => say!("finding-repeated-ops-title"),
        FindingKind::ClocksDiffer(..) | FindingKind::RankClocksDiffer(..) => {
            say!("finding-clocks-differ-title")
        }
        FindingKind::AcceleratorClock(..) => say!("finding-accelerator-clock-title"),
        FindingKind::CoarseHostClock(..) => say!("finding-coarse-host-clock-title"),
        FindingKind::ContradictingTimes(..) => say!("finding-contradicting-times-title"),
        FindingKind::MissingTask(_) => say!("finding-missing-task-title"),
        FindingKind::MoreTasksMissing(_) => say!("finding-more-tasks-missing-title"),
        FindingKind::LostTransfers(_) => say!("finding-lost-transfers-title"),
        FindingKind::KernelsNotRecorded => say!("finding-kernels-not-recorded-title"),
        FindingKind::OneNameOfGpus => say!("finding-one-name-of-gpus-title"),
        FindingKind::ImpossibleMemory => say!("finding-impossible-memory-title"),
        FindingKind::Limit(limit) => limits::title(*limit),
        FindingKind::RepeatedStreams => say!("finding-repeated-streams-title"),
        FindingKind::HostProfile(_) => say!("finding-host-profile-title"),
        FindingKind::UnjoinedEvents(_) => say!("finding-host-events-unjoined-title"),
        FindingKind::NoKernels(_) | FindingKind::KernelsLost(_) => say!("finding-no-kernels-title"),
        FindingKind::CoveringKernels => say!("finding-covering-kernels-title"),
        FindingKind::GraphsInPart(_) => say!("finding-graphs-in-part-title"),
        FindingKind::RanksUnnamed => say!("finding-rank-unnamed-title"),
        FindingKind::ZeroLengths => say!("finding-zero-lengths-title"),
    }
}

/// What a repair does; `None` if there is none.
pub(super) fn remedy(kind: &FindingKind) -> Option<&'static str> {
    Some(match kind {
        FindingKind::TimeBases(_) => say!("finding-time-bases-repair"),
        FindingKind::FarOps => say!("finding-far-ops-repair"),
        FindingKind::SameDevices(_) => say!("finding-same-devices-repair"),
        FindingKind::RepeatedOps => say!("finding-repeated-ops-repair"),
        FindingKind::ClocksDiffer(..) | FindingKind::RankClocksDiffer(..) => {
            say!("finding-clocks-differ-repair")
        }
        FindingKind::AcceleratorClock(..)
        | FindingKind::CoarseHostClock(..)
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
        | FindingKind::NoKernels(_)
        | FindingKind::KernelsLost(_)
        | FindingKind::CoveringKernels
        | FindingKind::GraphsInPart(_)
        | FindingKind::RanksUnnamed
        | FindingKind::ZeroLengths => return None,
    })
}

pub(super) fn sentence(whole: &Trace, finding: &Finding) -> String {
    let count = finding.count;
    let name = |device| whole.text(whole.devices().get(device).name);
    let devices = || say!("devices", count = finding.devices.len());
    match &finding.kind {
        FindingKind::TimeBases(groups) => {
            let far = groups.iter().map(|&(_, by)| by.unsigned_abs()).max().unwrap_or(0);
            let first =
                groups.get(1).and_then(|(devices, _)| devices.first()).map_or("", |&device| name(device));
            say!("finding-time-bases", count, devices = devices(), first, far = duration(far))
        }
        FindingKind::FarOps => say!("finding-far-ops", count),
        FindingKind::SameDevices(same) => {
            let (from, to) = same.first().map_or(("", ""), |&(from, to)| (name(from), name(to)));
            say!("finding-same-devices", from, to, count)
        }
        FindingKind::RepeatedOps => say!("finding-repeated-ops", count),
        FindingKind::ClocksDiffer(transfers, most) => {
            let most = duration(most.0.unsigned_abs());
            say!("finding-clocks-differ", count, transfers, most)
        }
        FindingKind::RankClocksDiffer(of, most) => {
            say!("finding-rank-clocks-differ", count, of, most = duration(most.0.unsigned_abs()))
        }
        FindingKind::AcceleratorClock(of, by) => {
            say!("finding-accelerator-clock", count, of, by = duration(by.0.unsigned_abs()))
        }
        FindingKind::CoarseHostClock(of, tick) => {
            say!("finding-coarse-host-clock", count, of, tick = duration(tick.0.unsigned_abs()))
        }
        FindingKind::ContradictingTimes(transfers, most) => match most.0 {
            1.. => {
                let most = duration(most.0.unsigned_abs());
                say!("finding-contradicting-times-early", count, transfers, most)
            }
            _ => say!("finding-contradicting-times", count, transfers),
        },
        FindingKind::MissingTask(task) => match count {
            0 => say!("finding-missing-task-no-transfers", task),
            _ => say!("finding-missing-task", task, count),
        },
        FindingKind::MoreTasksMissing(more) => say!("finding-more-tasks-missing", count = more),
        FindingKind::LostTransfers(of) => say!("finding-lost-transfers", count, of),
        FindingKind::KernelsNotRecorded => say!("finding-kernels-not-recorded", count, devices = devices()),
        FindingKind::OneNameOfGpus => say!("finding-one-name-of-gpus", count, devices = devices()),
        FindingKind::ImpossibleMemory => say!("finding-impossible-memory", count),
        FindingKind::Limit(limit) => limits::sentence(*limit, count),
        FindingKind::RepeatedStreams => say!("finding-repeated-streams", count, devices = devices()),
        FindingKind::HostProfile(counts) => host_profile(counts),
        FindingKind::UnjoinedEvents(named) => say!("finding-host-events-unjoined", count, named),
        FindingKind::NoKernels(calls) => say!("finding-no-kernels", count, calls),
        FindingKind::KernelsLost(calls) => say!("finding-kernels-lost", count, calls),
        FindingKind::CoveringKernels => say!("finding-covering-kernels", count),
        FindingKind::GraphsInPart(time) => {
            say!("finding-graphs-in-part", count, time = duration(time.0.unsigned_abs()))
        }
        FindingKind::RanksUnnamed => say!("finding-rank-unnamed", count),
        FindingKind::ZeroLengths => say!("finding-zero-lengths", count),
    }
}

/// A sentence about the records of TensorFlow's host profiler, which are not counted.
pub(crate) fn host_profile(counts: &Counts) -> String {
    let Counts { joined, unjoined, transfer_nodes, ranges, other_runs, threads, .. } = *counts;
    let named = joined + unjoined;
    let others = [
        (threads > 0).then(|| say!("host-profile-threads").to_owned()),
        (transfer_nodes > 0).then(|| say!("host-profile-nodes", count = transfer_nodes)),
        (ranges > 0).then(|| say!("host-profile-ranges", count = ranges)),
        (other_runs > 0).then(|| say!("host-profile-other-runs", count = other_runs)),
    ];
    let others: Vec<String> = others.into_iter().flatten().collect();
    match others.is_empty() {
        true => say!("finding-host-profile", joined, named),
        false => say!("finding-host-profile-more", joined, named, others = listed(others)),
    }
}
