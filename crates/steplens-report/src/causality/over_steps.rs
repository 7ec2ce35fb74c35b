//! `steplens.critical-path-steps/1`: how often each op is on the observed path of several steps.

use crate::clocks::ClockNote;
use crate::csv::sheet;
use crate::text;
use crate::wording::duration;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::questions::over_steps::{OnPath, OverSteps, StepPath};
use steplens_core::{Nanos, Trace, View};
use steplens_messages::{say, sentences};

/// The critical paths of several steps.
#[derive(Serialize)]
pub struct PathOverSteps {
    schema: &'static str,
    /// What was found, as a sentence.
    pub sentence: String,
    /// Why times of tasks cannot be compared. If it is not null, there are no paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockNote>,
    /// The length of all steps together.
    pub length_ns: i64,
    /// The length of their static paths together, as with a barrier between steps.
    pub static_ns: i64,
    /// Each step with ops, in order of time.
    pub steps: Vec<StepPathRow>,
    /// All observed paths together: the time of each kind that occurs.
    pub by_category: Vec<KindRow>,
    /// The ops on any of the paths: those on most paths first, then by time.
    pub ops: Vec<OnPathRow>,
}

/// The paths of a step.
#[derive(Serialize)]
pub struct StepPathRow {
    /// The number of the step, from 1.
    pub step: usize,
    /// The length of the observed path.
    pub length_ns: i64,
    /// The length of the static path.
    pub static_ns: i64,
    /// The kind with the most time on the observed path.
    pub most: &'static str,
    /// The time of that kind.
    pub most_ns: i64,
    /// How much of the observed path has no recorded cause.
    pub unexplained_ns: i64,
}

/// The time of one kind on all paths.
#[derive(Serialize)]
pub struct KindRow {
    /// The kind.
    pub key: &'static str,
    /// The time.
    pub length_ns: i64,
}

/// An op on the paths.
#[derive(Serialize)]
pub struct OnPathRow {
    /// The name of the op.
    pub op: String,
    /// Its device.
    pub device: String,
    /// The number of steps whose path it is on.
    pub steps: u32,
    /// Its share of a step (1 is the whole step): the median over the steps whose path it is on.
    pub median_share: f64,
    /// Its time on all these paths.
    pub length_ns: i64,
    /// Its time in the step in which it has most.
    pub longest_ns: i64,
    /// The number of that step, from 1.
    pub longest_step: usize,
}

impl PathOverSteps {
    /// The paths of the steps `rows` of `whole`, with the settings of `view`.
    pub fn of(whole: &Arc<Trace>, view: &View, rows: Range<usize>) -> Self {
        let found = OverSteps::of(whole, view, rows);
        let kinds = SegmentKind::ALL.into_iter().zip(found.by_kind());
        let mut by_category: Vec<KindRow> = kinds
            .filter(|(_, length)| length.0 > 0)
            .map(|(kind, length)| KindRow { key: kind.word(), length_ns: length.0 })
            .collect();
        by_category.sort_by_key(|row| row.length_ns.wrapping_neg());
        let clocks = found.doubt.map(ClockNote::of_doubt);
        Self {
            schema: "steplens.critical-path-steps/1",
            sentence: match &clocks {
                Some(note) => sentences([&note.first(), &note.withheld]),
                None => sentence(&found),
            },
            clocks,
            length_ns: found.length().0,
            static_ns: found.floor().0,
            steps: found.steps.iter().map(step_row).collect(),
            by_category,
            ops: found.ops.into_iter().map(op_row).collect(),
        }
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }

    /// Writes the ops on the paths, one per row.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        sheet!(out, own in &self.ops, {
            op: &own.op,
            device: &own.device,
            steps: own.steps,
            of_steps: self.steps.len(),
            median_share: own.median_share,
            length_ns: own.length_ns,
            longest_ns: own.longest_ns,
            longest_step: own.longest_step,
        })
    }
}

fn step_row(own: &StepPath) -> StepPathRow {
    let kinds = SegmentKind::ALL.into_iter().zip(own.by_kind);
    let (most, length) = kinds.max_by_key(|(_, length)| *length).unwrap_or((SegmentKind::Gap, Nanos(0)));
    StepPathRow {
        step: own.step + 1,
        length_ns: own.length.0,
        static_ns: own.floor.0,
        most: most.word(),
        most_ns: length.0,
        unexplained_ns: own.by_kind[SegmentKind::Gap as usize].0,
    }
}

fn op_row(own: OnPath) -> OnPathRow {
    OnPathRow {
        op: own.op,
        device: own.device,
        steps: own.steps,
        median_share: f64::from(own.median_share) / 1e6,
        length_ns: own.length.0,
        longest_ns: own.longest.1.0,
        longest_step: own.longest.0 + 1,
    }
}

fn sentence(found: &OverSteps) -> String {
    let own = |length: Nanos| duration(length.0.unsigned_abs());
    let allowed = say!(
        "path-steps-allowed",
        least = own(found.floor()),
        length = own(found.length()),
        count = found.steps.len()
    );
    let always = found.ops.iter().filter(|op| op.steps as usize == found.steps.len()).count();
    match found.steps.len() {
        0 => say!("path-steps-no-ops").to_owned(),
        1 => allowed,
        _ => sentences([allowed, say!("path-steps-always", count = always)]),
    }
}
