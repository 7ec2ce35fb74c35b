//! `steplens.doctor/1`: what is wrong with a trace that reads well, in plain sentences, and what can be done about it.

use super::{limits, text};
use serde::Serialize;
use steplens_core::doctor::{self, Finding, FindingKind};
use steplens_core::questions::clock_finding;
use steplens_core::{OpId, Study, Trace};

/// The object that `steplens doctor --json` prints.
#[derive(Serialize)]
struct Doctor {
    schema: &'static str,
    /// What matters most comes first.
    findings: Vec<FindingJson>,
}

/// One finding.
#[derive(Clone, Debug, Serialize)]
pub struct FindingJson {
    /// Stable; documented in `docs/problems.md`.
    pub code: &'static str,
    /// Whether it is only to be known, and nothing is wrong.
    pub is_note: bool,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What was found, in a sentence or two.
    pub sentence: String,
    /// How many ops are concerned, or of what was left out.
    pub count: u64,
    /// What they are: `op`, `task`, or of what an analysis left out `tensor`, `transfer`, `straggler` or `device`.
    pub counted: &'static str,
    /// The devices concerned.
    pub devices: Vec<String>,
    /// The first of the ops.
    pub ops: Vec<FoundOp>,
    /// What a repair would do; null where there is none.
    pub repair: Option<&'static str>,
    /// Whether it is repaired in what is looked at.
    pub repaired: bool,
}

/// An op of a finding.
#[derive(Clone, Debug, Serialize)]
pub struct FoundOp {
    /// Its id in what is looked at; null if it is not there: left out by a repair, or of another step.
    pub op: Option<u32>,
    name: String,
    device: String,
    /// From the origin of the opened trace, as it was recorded.
    start_ns: i64,
    end_ns: i64,
}

/// What is found in `whole`, of which `study` shows a view.
pub fn doctor(whole: &Trace, study: &Study) -> String {
    text(&Doctor { schema: "steplens.doctor/1", findings: findings(whole, study) })
}

/// The same, as values.
pub fn findings(whole: &Trace, study: &Study) -> Vec<FindingJson> {
    let mut found = doctor::findings(whole);
    let stretches =
        |finding: &&Finding| matches!(finding.kind, FindingKind::TimeBases(_) | FindingKind::FarOps);
    let place = found.iter().take_while(stretches).count();
    found.splice(place..place, clock_finding::clocks(study));
    let notes = found.iter().take_while(|finding| !finding.kind.is_note()).count();
    found.splice(notes..notes, steplens_core::questions::limits::findings(study));
    let seen = seen_ops(&found, study);
    let told = found.iter().map(|finding| {
        let kind = &finding.kind;
        let is_repaired = |repair| study.view().repairs.contains(&repair);
        let name = |device| whole.text(whole.devices().get(device).name);
        FindingJson {
            code: kind.code(),
            is_note: kind.is_note(),
            title: title(kind),
            sentence: sentence(whole, finding),
            count: finding.count,
            counted: match kind {
                FindingKind::Limit(limit) => limits::counted(*limit),
                FindingKind::MoreTasksMissing(_) => "task",
                _ => "op",
            },
            devices: finding.devices.iter().map(|&device| name(device).to_owned()).collect(),
            ops: finding.ops.iter().map(|&op| found_op(whole, op, &seen)).collect(),
            repair: remedy(kind),
            repaired: match kind {
                FindingKind::ClocksDiffer(..) => study.view().clocks.is_some(),
                _ => kind.repair().is_some_and(is_repaired),
            },
        }
    });
    told.collect()
}

/// (op of the opened trace, op of the view), sorted, for the ops of the findings that the view shows.
fn seen_ops(found: &[Finding], study: &Study) -> Vec<(OpId, OpId)> {
    let mut wanted: Vec<OpId> = found.iter().flat_map(|finding| finding.ops.iter().copied()).collect();
    steplens_core::base::order::by_number(&mut wanted, |op| (i64::from(op.get()), 0));
    wanted.dedup();
    let Some(old_op) = &study.old_op() else {
        return wanted.into_iter().map(|op| (op, op)).collect();
    };
    let new = old_op.iter().enumerate().filter(|(_, old)| wanted.binary_search(old).is_ok());
    let mut seen: Vec<(OpId, OpId)> = new.map(|(new, &old)| (old, OpId::from_usize(new))).collect();
    steplens_core::base::order::by_number(&mut seen, |(old, _)| (i64::from(old.get()), 0));
    seen
}

fn found_op(whole: &Trace, op: OpId, seen: &[(OpId, OpId)]) -> FoundOp {
    let own = whole.ops().interval(op);
    let place = seen.binary_search_by_key(&op, |&(old, _)| old).ok();
    FoundOp {
        op: place.map(|place| seen[place].1.get()),
        name: whole.op_name(op).to_owned(),
        device: whole.text(whole.devices().get(whole.device_of(op)).name).to_owned(),
        start_ns: own.start.0,
        end_ns: own.end.0,
    }
}

fn title(kind: &FindingKind) -> &'static str {
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
fn remedy(kind: &FindingKind) -> Option<&'static str> {
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

fn sentence(whole: &Trace, finding: &Finding) -> String {
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
            "{count} of {transfers} tensors between tasks are received before they were made, by up to {}: what one task did cannot be \
             compared with what another did",
            duration(most.0.unsigned_abs()),
        ),
        FindingKind::ContradictingTimes(transfers, most) => format!(
            "{count} of {transfers} tensors between tasks have times that contradict the others' however the clocks are set{}: \
             they say nothing of the clocks, and are left out when clocks are aligned",
            match most.0 {
                1.. => format!(" (one is received {} before it was made)", duration(most.0.unsigned_abs())),
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

pub(super) fn plural(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// A length of time in the largest unit that it has two of.
pub(super) fn duration(ns: u64) -> String {
    const UNITS: [(&str, u64); 7] = [
        ("years", 31_536_000_000_000_000),
        ("days", 86_400_000_000_000),
        ("hours", 3_600_000_000_000),
        ("minutes", 60_000_000_000),
        ("s", 1_000_000_000),
        ("ms", 1_000_000),
        ("µs", 1_000),
    ];
    let unit = UNITS.into_iter().find(|&(_, unit)| ns >= 2 * unit);
    unit.map_or_else(|| format!("{ns} ns"), |(word, unit)| format!("{} {word}", ns / unit))
}
