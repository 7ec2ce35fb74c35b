//! `steplens.what-if/1`: how long the step would take if something were different, and how far to trust that.

mod mirrored;
mod page;
mod sentence;
mod table;

pub use mirrored::{MirroredDevice, MirroredTimeline};
pub use page::{longest_first, page, rows};
pub use table::{SavingRow, candidates, row_of};

use crate::clocks::ClockNote;
use crate::csv::sheet;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::text;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::causality::spent::{Spending, Spent};
use steplens_core::replay::change::{BadChange, Change};
use steplens_core::replay::frozen::MOST_FROZEN_PPM;
use steplens_core::replay::schedule::{ReplayedSegment, Schedule};
use steplens_core::replay::{Replay, parts_per_million};
use steplens_core::{Nanos, Study};

/// How long the step would take if something were different; without changes, what would help.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Each written as the option of `steplens what-if` without its hyphens: `op=type:Conv2D=0.5`.
    #[cfg_attr(feature = "program", arg(skip))]
    pub changes: Vec<String>,
}

impl Question for Options {
    const NAME: &'static str = "what-if";
    type Answer<'a> = WhatIf<'a>;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        let bad = |BadChange(why)| BadOption(why);
        let changes: Result<Vec<Change>, _> = self.changes.iter().map(|text| Change::parse(text)).collect();
        let (changes, study) = (changes.map_err(bad)?, shown.study);
        WhatIf::new(study, &Replay::of(study), shown.variation(), &changes).map_err(bad)
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(&self.answer(shown)?, out)?)
    }
}

/// Without changes the table, with changes what the step waits for before and after, by category.
pub fn write_csv(answer: &WhatIf<'_>, out: &mut impl Write) -> io::Result<()> {
    if answer.changes.is_empty() {
        return sheet!(out, row in &answer.table, {
            kind: row.kind,
            name: &row.name,
            on_path_ns: row.on_path_ns,
            saving_10_ns: row.saving_ns[0],
            saving_25_ns: row.saving_ns[1],
            saving_50_ns: row.saving_ns[2],
            saving_100_ns: row.saving_ns[3],
            flat_from: row.flat_from,
        });
    }
    let (before, after) = (&answer.critical_before, &answer.critical_after);
    let length = |rows: &[ReplayedPart], category: &str| {
        rows.iter().find(|row| row.category == category).map_or(0, |row| row.length_ns)
    };
    let mut categories: Vec<&str> = before.iter().map(|row| row.category).collect();
    for row in after {
        if !categories.contains(&row.category) {
            categories.push(row.category);
        }
    }
    sheet!(out, category in categories, {
        category: category,
        before_ns: length(before, category),
        after_ns: length(after, category),
    })
}

/// What a change of the step would do.
#[derive(Serialize)]
pub struct WhatIf<'a> {
    schema: &'static str,
    /// The answer as a sentence.
    pub sentence: String,
    /// Why times of tasks cannot be compared; then nothing is predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockNote>,
    /// The length of the recorded step.
    pub baseline_ns: i64,
    /// The length of the step when it is replayed without any change.
    pub replayed_ns: i64,
    /// How far the replayed length is from the recorded one, as a part of it: 0.013 is 1.3 %.
    pub replay_error: f64,
    /// The part of the ops that start in the replay within one percent of the step of when they started.
    pub started_near: f64,
    /// What remains of the step when nothing takes any time, beyond launches, gaps and queues at senders that were recorded as such:
    /// no change moves it.
    pub frozen_ns: i64,
    /// How much the lengths of the steps vary: the median of their distances from their median. Null with less than two steps.
    pub variation_ns: Option<i64>,
    /// How the transfers of this step share their links, as it fits the recording best. Null without transfers.
    pub lines: Option<LinesRow>,
    /// The changes, with the number of ops that each of them meets.
    pub changes: Vec<ChangeRow>,
    /// The length of the step with all changes. Null without changes, or where the replay is too far from the recording, or too much of
    /// the step is frozen.
    pub predicted_ns: Option<i64>,
    /// The least that the step would take: threads wake up sooner or later, steps vary, the replay is off, and frozen time may move, too.
    pub low_ns: Option<i64>,
    /// The most that the step would take.
    pub high_ns: Option<i64>,
    /// How much shorter that is than the replay without changes; negative where the step gets longer.
    pub saving_ns: Option<i64>,
    /// What the prediction is worth: `predicted`, `within-error`, `within-variation`, `no-effect`, `refused` (the replay is too
    /// far from the recording), `frozen` (too much of the step is frozen), or `no-changes`.
    pub judgement: &'static str,
    /// What the replayed step waits for without changes, the longest first.
    pub critical_before: Vec<ReplayedPart>,
    /// What the step waits for with all changes, the longest first.
    pub critical_after: Vec<ReplayedPart>,
    /// `critical_before` for people: with what compute and waiting are.
    #[serde(skip)]
    pub spent_before: Vec<(Spent, Nanos)>,
    /// `critical_after` for people.
    #[serde(skip)]
    pub spent_after: Vec<(Spent, Nanos)>,
    /// Of the critical path with all changes: the op types on it, the longest first, at most twenty.
    pub op_types_after: Vec<OpTypePart<'a>>,
    /// Without changes: what is worth changing, and what each would save.
    pub table: Vec<SavingRow>,
}

/// How transfers share links.
#[derive(Serialize)]
pub struct LinesRow {
    /// `fair-share` or `in-order`.
    pub sharing: &'static str,
    /// What is shared: `link`, `sender` or `receiver`.
    pub spread: &'static str,
}

/// A change.
#[derive(Serialize)]
pub struct ChangeRow {
    /// Its word: `op`, `link`, and so on.
    pub change: &'static str,
    /// What stands behind the word.
    pub text: String,
    /// The number of ops and transfers that it meets.
    pub ops: u64,
}

/// A part of a replayed critical path.
#[derive(Serialize)]
pub struct ReplayedPart {
    /// What the time was spent on, as in `steplens.critical-path/1`.
    pub category: &'static str,
    /// The time.
    pub length_ns: i64,
    /// The part of the step in millionths.
    pub share_ppm: i64,
}

/// An op type on a replayed critical path.
#[derive(Serialize)]
pub struct OpTypePart<'a> {
    /// The op type.
    pub op_type: &'a str,
    /// Its time on the path.
    pub length_ns: i64,
}

/// The most op types of a path that are listed.
const MOST_OP_TYPES: usize = 20;

impl<'a> WhatIf<'a> {
    /// What `changes` would do to the step that `study` shows. `replay` must be the replay of it, `variation` how much the lengths
    /// of the opened steps vary.
    ///
    /// # Errors
    ///
    /// If a change names nothing that the trace has.
    pub fn new(
        study: &'a Study,
        replay: &Replay,
        variation: Option<Nanos>,
        changes: &[Change],
    ) -> Result<Self, BadChange> {
        let (mut all, _) = Self::without_table(study, replay, variation, changes)?;
        if all.judgement == "no-changes" {
            all.table = candidates(study, replay).iter().map(|own| row_of(study, replay, own)).collect();
        }
        Ok(all)
    }

    /// Like `new`, but without the table; also returns the replay with all changes.
    fn without_table(
        study: &'a Study,
        replay: &Replay,
        variation: Option<Nanos>,
        changes: &[Change],
    ) -> Result<(Self, Option<Schedule>), BadChange> {
        let scenario = replay.scenario(study, changes)?;
        let clocks = ClockNote::of(study);
        let error = replay.error_with(&scenario);
        let may_replay = error.may_predict() && clocks.is_none();
        let frozen = if may_replay { replay.frozen(study) } else { Nanos(0) };
        let is_frozen = parts_per_million(frozen, error.recorded) > MOST_FROZEN_PPM;
        let may = may_replay && !is_frozen;
        let after = (may && !changes.is_empty()).then(|| replay.run(&scenario));
        let path = after.as_ref().map(|after| after.path(study, replay)).unwrap_or_default();
        let before = replay.unchanged().path(study, replay);
        let saving = after.as_ref().map(|after| replay.unchanged().length() - after.length());
        let range = after.as_ref().map(|after| replay.range(&scenario, after, frozen, variation));
        let mut rows = Vec::with_capacity(changes.len());
        for change in changes {
            let (word, text) = change.written();
            let alone = replay.scenario(study, std::slice::from_ref(change))?;
            rows.push(ChangeRow { change: word, text, ops: alone.changed });
        }
        let judgement = match saving {
            None if !may_replay => "refused",
            None if is_frozen => "frozen",
            None => "no-changes",
            Some(Nanos(0)) => "no-effect",
            Some(saving) if saving.0.abs() <= error.difference().0 => "within-error",
            Some(saving) if variation.is_some_and(|variation| saving.0.abs() <= variation.0) => {
                "within-variation"
            }
            Some(_) => "predicted",
        };
        let mut all = Self {
            schema: "steplens.what-if/1",
            sentence: String::new(),
            baseline_ns: error.recorded.0,
            replayed_ns: error.replayed.0,
            replay_error: fraction(error.ppm()),
            started_near: fraction(parts_per_million(Nanos(error.near as i64), Nanos(error.nodes as i64))),
            frozen_ns: frozen.0,
            variation_ns: variation.map(|variation| variation.0),
            lines: replay
                .sharing()
                .map(|(sharing, spread)| LinesRow { sharing: sharing.word(), spread: spread.word() }),
            changes: rows,
            predicted_ns: after.as_ref().map(|after| after.length().0),
            low_ns: range.map(|(low, _)| low.0),
            high_ns: range.map(|(_, high)| high.0),
            saving_ns: saving.map(|saving| saving.0),
            judgement,
            critical_before: parts(&before),
            critical_after: parts(&path),
            spent_before: spent(study, &before),
            spent_after: spent(study, &path),
            op_types_after: op_types(study, &path),
            table: Vec::new(),
            clocks,
        };
        all.sentence = sentence::sentence(study, &all);
        Ok((all, after))
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

fn fraction(ppm: i64) -> f64 {
    ppm as f64 / 1e6
}

fn parts(path: &[ReplayedSegment]) -> Vec<ReplayedPart> {
    let whole = path.last().map_or(Nanos(0), |last| last.end);
    let mut parts: Vec<ReplayedPart> = SegmentKind::ALL
        .into_iter()
        .zip(Schedule::by_kind(path))
        .filter(|(_, length)| length.0 > 0)
        .map(|(kind, length)| ReplayedPart {
            category: kind.word(),
            length_ns: length.0,
            share_ppm: parts_per_million(length, whole),
        })
        .collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.length_ns));
    parts
}

fn spent(study: &Study, path: &[ReplayedSegment]) -> Vec<(Spent, Nanos)> {
    let segments = path.iter().map(|own| (own.kind, own.op, own.end - own.start));
    Spending::of(study.trace(), false).sums(study.trace(), segments)
}

fn op_types<'a>(study: &'a Study, path: &[ReplayedSegment]) -> Vec<OpTypePart<'a>> {
    let trace = study.trace();
    let mut sums: std::collections::BTreeMap<&str, i64> = std::collections::BTreeMap::new();
    for segment in path.iter().filter(|segment| !is_wait(segment.kind)) {
        let op_type = trace.text(trace.nodes().op_type(trace.ops().node(segment.op)));
        *sums.entry(op_type).or_default() += (segment.end - segment.start).0;
    }
    let mut rows: Vec<OpTypePart<'_>> =
        sums.into_iter().map(|(op_type, length_ns)| OpTypePart { op_type, length_ns }).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.length_ns));
    rows.truncate(MOST_OP_TYPES);
    rows
}

fn is_wait(kind: SegmentKind) -> bool {
    matches!(
        kind,
        SegmentKind::SenderQueue | SegmentKind::Launching | SegmentKind::Gap | SegmentKind::Starting
    )
}
