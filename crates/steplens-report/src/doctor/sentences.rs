//! What each finding is called, what was found, and what its repair does.

use super::limits;
use crate::wording::{duration, plural};
use steplens_core::Trace;
use steplens_core::doctor::{Finding, FindingKind};

pub(super) fn title(kind: &FindingKind) -> &'static str {
    match kind {
        FindingKind::TimeBases(_) => "Clocks count from different moments",
        FindingKind::FarOps => "Times that cannot be",
        FindingKind::SameDevices(_) => "One device under several names",
        FindingKind::RepeatedOps => "Recorded or opened twice",
        FindingKind::ClocksDiffer(..) => "The clocks of tasks differ",
        FindingKind::ContradictingTimes(..) => "Times that contradict each other",
        FindingKind::MissingTask(_) => "A task is missing",
        FindingKind::MoreTasksMissing(_) => "More tasks are missing",
        FindingKind::Limit(limit) => limits::title(*limit),
        FindingKind::RepeatedStreams => "Streams are listed twice",
        FindingKind::ZeroLengths => "Ops without a length",
    }
}

/// What a repair does; `None` where there is none.
pub(super) fn remedy(kind: &FindingKind) -> Option<&'static str> {
    Some(match kind {
        FindingKind::TimeBases(_) => {
            "move these devices so that each group starts when the first does; within a group nothing changes"
        }
        FindingKind::FarOps => "leave these ops out",
        FindingKind::SameDevices(_) => "show them as one device, under the name that has more ops",
        FindingKind::RepeatedOps => "leave out what an earlier recording holds already",
        FindingKind::ClocksDiffer(..) => "subtract from the times of each task what its clock is ahead by",
        FindingKind::ContradictingTimes(..)
        | FindingKind::MissingTask(_)
        | FindingKind::MoreTasksMissing(_)
        | FindingKind::Limit(_)
        | FindingKind::RepeatedStreams
        | FindingKind::ZeroLengths => return None,
    })
}

pub(super) fn sentence(whole: &Trace, finding: &Finding) -> String {
    let count = finding.count;
    let name = |device| whole.text(whole.devices().get(device).name);
    match &finding.kind {
        FindingKind::TimeBases(groups) => {
            let far = groups.iter().map(|&(_, by)| by.unsigned_abs()).max().unwrap_or(0);
            let first =
                groups.get(1).and_then(|(devices, _)| devices.first()).map_or("", |&device| name(device));
            format!(
                "{count} ops of {} (the first: {first}) lie up to {} away from the others: their clocks count from another \
                 moment, so that nothing between the groups can be compared",
                plural(finding.devices.len(), "device"),
                duration(far),
            )
        }
        FindingKind::FarOps => format!(
            "{} so far from all others, or for so long, that the times must be wrong; they stretch the axis and every figure of \
             the whole step",
            if count == 1 { "1 op runs".to_owned() } else { format!("{count} ops run") },
        ),
        FindingKind::SameDevices(same) => {
            let (from, to) = same.first().map_or(("", ""), |&(from, to)| (name(from), name(to)));
            format!(
                "{from} and {to} are names of one device in different manners; its {count} ops there are counted as another's"
            )
        }
        FindingKind::RepeatedOps => format!(
            "{count} ops are there twice: one file or record holds (nearly) all that another does, so that work and bytes \
             count double"
        ),
        FindingKind::ClocksDiffer(transfers, most) => format!(
            "{count} of {transfers} tensors between tasks arrive before they are sent, by up to {}: what one task did cannot be \
             compared with what another did",
            duration(most.0.unsigned_abs()),
        ),
        FindingKind::ContradictingTimes(transfers, most) => format!(
            "{count} of {transfers} tensors between tasks have times that contradict the others' however the clocks are set{}: \
             they say nothing of the clocks, and are left out when clocks are aligned",
            match most.0 {
                1.. => format!(" (one arrives {} before it is sent)", duration(most.0.unsigned_abs())),
                _ => String::new(),
            },
        ),
        FindingKind::MissingTask(task) => match count {
            0 => format!(
                "no op of {task} is here, though graphs or the numbers of the other tasks speak of it: its file is missing, \
                          it recorded nothing, or it was left out"
            ),
            _ => format!(
                "no op of {task} is here, though {count} transfers name it: its file is missing, it recorded nothing, or it \
                          was left out"
            ),
        },
        FindingKind::MoreTasksMissing(more) => format!(
            "{} without an op here beyond those that are listed: transfers, graphs or the numbers of the other tasks speak of them",
            if *more == 1 { "1 more task is".to_owned() } else { format!("{more} more tasks are") },
        ),
        FindingKind::Limit(limit) => limits::sentence(*limit, count),
        FindingKind::RepeatedStreams => format!(
            "{count} ops of {} stand on the numbered streams, too; they are shown, and counted once",
            plural(finding.devices.len(), "device"),
        ),
        FindingKind::ZeroLengths => format!(
            "{count} ops have no length, as control ops and ops shorter than the clock's tick have: they are counted, and add no time"
        ),
    }
}
