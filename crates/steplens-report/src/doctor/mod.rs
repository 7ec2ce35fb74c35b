//! `steplens.doctor/1`: what is wrong with a trace that can be read, as sentences, and what can be done about it.

mod limits;
mod sentences;

pub(crate) use sentences::host_profile;

use crate::csv::sheet;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::text;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use steplens_core::doctor::{self, FindingKind, Limit};
use steplens_core::questions::clock_finding;
use steplens_core::questions::lost_transfers::lost_transfers;
use steplens_core::transfers::title_by_label;
use steplens_core::{OpId, Study, Trace};

/// What is wrong with a trace that reads well, and what repairs it.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {}

impl Question for Options {
    const NAME: &'static str = "doctor";
    type Answer<'a> = Doctor;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(answer(shown.whole, shown.study))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(shown.whole, shown.study, out)?)
    }
}

/// One finding per row, its devices in one cell, one per line.
fn write_csv(whole: &Trace, study: &Study, out: &mut impl Write) -> io::Result<()> {
    sheet!(out, finding in findings(whole, study), {
        code: finding.code,
        is_note: finding.is_note,
        title: finding.title,
        sentence: finding.sentence,
        count: finding.count,
        counted: finding.counted,
        devices: finding.devices.join("\n"),
        repair: finding.repair,
        repaired: finding.repaired,
    })
}

/// The object that `steplens doctor --json` prints.
#[derive(Serialize)]
pub struct Doctor {
    schema: &'static str,
    /// The findings, the most important first.
    findings: Vec<Finding>,
}

/// One finding.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Stable; documented in `docs/problems.md`.
    pub code: &'static str,
    /// Whether it is a note, and nothing is wrong.
    pub is_note: bool,
    /// The finding in a few words.
    pub title: &'static str,
    /// What was found, in one or two sentences.
    pub sentence: String,
    /// The number of ops, or of what was left out.
    pub count: u64,
    /// What is counted: `op`, `task`, or, for what an analysis left out, `tensor`, `transfer`, `straggler` or `device`.
    pub counted: &'static str,
    /// The devices that the finding is about.
    pub devices: Vec<String>,
    /// The first ops that the finding is about.
    pub ops: Vec<FoundOp>,
    /// What a repair would do; null if there is none.
    pub repair: Option<&'static str>,
    /// Whether the view has the repair.
    pub repaired: bool,
}

/// Something wrong with what is shown.
#[derive(Clone, Debug, Serialize)]
pub struct DoctorFinding {
    /// Stable; documented in `docs/problems.md`.
    pub code: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// What was found, in one or two sentences.
    pub sentence: String,
    /// What a repair would do; left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<&'static str>,
}

/// An op of a finding.
#[derive(Clone, Debug, Serialize)]
pub struct FoundOp {
    /// Its id in the view; null if the view does not have it: a repair left it out, or it is in another step.
    pub op: Option<u32>,
    name: String,
    /// The title on the page: the name, or for a transfer the tensor.
    title: String,
    device: String,
    /// Relative to the origin of the opened trace, as it was recorded.
    start_ns: i64,
    end_ns: i64,
}

/// `steplens.doctor/1`: the findings in `whole`, of which `study` shows a view.
pub fn json(whole: &Trace, study: &Study) -> String {
    text(&answer(whole, study))
}

/// The object as a value.
pub fn answer(whole: &Trace, study: &Study) -> Doctor {
    Doctor { schema: "steplens.doctor/1", findings: findings(whole, study) }
}

/// The findings in `whole`, of which `study` shows a view.
pub fn findings(whole: &Trace, study: &Study) -> Vec<Finding> {
    let mut found = doctor::findings(whole);
    let stretches =
        |finding: &&doctor::Finding| matches!(finding.kind, FindingKind::TimeBases(_) | FindingKind::FarOps);
    let place = found.iter().take_while(stretches).count();
    found.splice(place..place, clock_finding::clocks(study));
    let notes = found.iter().take_while(|finding| !finding.kind.is_note()).count();
    found.splice(notes..notes, lost_transfers(study));
    let notes = found.iter().take_while(|finding| !finding.kind.is_note()).count();
    found.splice(notes..notes, steplens_core::questions::limits::findings(study));
    let seen = seen_ops(&found, study);
    let found_rows = found.iter().map(|finding| {
        let kind = &finding.kind;
        let is_repaired = |repair| study.view().repairs.contains(&repair);
        let name = |device| whole.text(whole.devices().get(device).name);
        Finding {
            code: kind.code(),
            is_note: kind.is_note(),
            title: sentences::title(kind),
            sentence: sentences::sentence(whole, finding),
            count: finding.count,
            counted: counted(kind),
            devices: finding.devices.iter().map(|&device| name(device).to_owned()).collect(),
            ops: finding.ops.iter().map(|&op| found_op(whole, op, &seen)).collect(),
            repair: sentences::remedy(kind),
            repaired: match kind {
                FindingKind::ClocksDiffer(..) | FindingKind::RankClocksDiffer(..) => {
                    study.view().clocks.is_some()
                }
                _ => kind.repair().is_some_and(is_repaired),
            },
        }
    });
    found_rows.collect()
}

/// What is wrong with what `study` shows, so that its figures are not what they seem: no notes, and nothing that only some analysis
/// left out.
pub fn of_figures(study: &Study) -> Vec<DoctorFinding> {
    let trace = study.trace();
    let found = doctor::findings(trace).into_iter().filter(|finding| !finding.kind.is_note());
    let of_study = clock_finding::clocks(study).into_iter().chain(lost_transfers(study));
    let of_study = of_study.filter(|finding| !matches!(finding.kind, FindingKind::Limit(_)));
    let of = |finding: doctor::Finding| DoctorFinding {
        code: finding.kind.code(),
        title: sentences::title(&finding.kind),
        sentence: sentences::sentence(trace, &finding),
        repair: sentences::remedy(&finding.kind),
    };
    found.chain(of_study).map(of).collect()
}

/// The word for what a finding counts.
fn counted(kind: &FindingKind) -> &'static str {
    match kind {
        FindingKind::Limit(Limit::UnrecordedTransfers) => "tensor",
        FindingKind::Limit(Limit::Consumers | Limit::Variables) => "transfer",
        FindingKind::Limit(Limit::Stragglers) => "straggler",
        FindingKind::Limit(Limit::TransferOrder) => "device",
        FindingKind::Limit(Limit::Clocks) | FindingKind::MoreTasksMissing(_) => "task",
        _ => "op",
    }
}

/// (op of the opened trace, op of the view), sorted, for the ops of findings that the view shows.
fn seen_ops(found: &[doctor::Finding], study: &Study) -> Vec<(OpId, OpId)> {
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
        title: title_by_label(whole, op).to_owned(),
        device: whole.text(whole.devices().get(whole.device_of(op)).name).to_owned(),
        start_ns: own.start.0,
        end_ns: own.end.0,
    }
}
