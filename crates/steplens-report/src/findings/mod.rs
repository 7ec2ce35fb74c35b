//! `steplens.findings/1`: what is worth changing in the step, ranked by the time that it would save.

mod advice;
mod csv;
mod first_step;
mod ranks;
mod record;
mod recorded;
mod sentence;
mod words;

pub use csv::write_csv;
pub use sentence::needs_words;

use crate::clocks::ClockNote;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::text;
use crate::verdict::{self, GPU_UNUSED, SILENT_GPU, Said, VerdictFigures, has_problem};
use recorded::Recorded;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::rc::Rc;
use steplens_core::base::pace::{Pace, Work, at_once};
use steplens_core::findings::framework::Framework;
use steplens_core::findings::{Finding, Findings, Subject};
use steplens_core::model::file::FileReport;
use steplens_core::replay::{Replay, parts_per_million};
use steplens_core::{Nanos, OpId, Study};

/// What is worth changing, by the time that it would save.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {}

impl Question for Options {
    const NAME: &'static str = "findings";
    type Answer<'a> = FindingList<'a>;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(FindingList::of(shown.study, shown.files, shown.variation()))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(&self.answer(shown)?, out)?)
    }
}

/// What is worth changing.
#[derive(Serialize)]
pub struct FindingList<'a> {
    schema: &'static str,
    /// What the step mostly is, and sentences about it: what the host did, pauses, the longest step.
    pub verdict: String,
    /// Its first sentence, which says what the step mostly is.
    pub verdict_main: String,
    /// The figures of that sentence; left out if nothing took any time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict_figures: Option<VerdictFigures>,
    /// How the findings were judged, as a sentence; where nothing was found that saves time, what the step consists of, and what to
    /// record to learn more.
    pub sentence: String,
    /// Why times of tasks cannot be compared; then no time between tasks is judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockNote>,
    /// The length of the recorded step.
    pub step_ns: i64,
    /// How far the replay without changes is from the recording, as a part of the step.
    pub replay_error: f64,
    /// How much the lengths of the opened steps vary. Null with less than two steps.
    pub variation_ns: Option<i64>,
    /// The framework whose words the advice uses: `graphs` (TensorFlow with sessions), `tensorflow2`, `jax`, `pytorch` or `unknown`.
    pub framework: &'static str,
    /// By saving, the largest first; where nothing was replayed, by time on the critical path; then those without a saving.
    pub findings: Vec<FindingRow<'a>>,
    /// The rules that could not judge this trace.
    pub not_judged: Vec<NotJudged>,
}

/// Something that is worth changing.
#[derive(Serialize)]
pub struct FindingRow<'a> {
    /// The rule that found it.
    pub rule: &'static str,
    /// What it is about: an op, an op type, a task or a device; empty where the rule is about the whole step. Findings of two traces are
    /// compared by it.
    pub subject: String,
    /// What was found, as one or two sentences.
    pub what: String,
    /// The same, with what it costs and what the step waits for afterwards.
    pub sentence: String,
    /// How much shorter the step would be: as replayed, or the most that was measured. Null where neither is known.
    pub saving_ns: Option<i64>,
    /// The least of it.
    pub low_ns: Option<i64>,
    /// The most of it.
    pub high_ns: Option<i64>,
    /// Whether its time is a part of that in which a GPU waits for its host, which is a finding, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_part: bool,
    /// The saving, or the time on the critical path, in millionths of what `sentence` names: the step, the recording, or its steps. Null for
    /// findings without a time.
    pub share_ppm: Option<i64>,
    /// What the rank rests on: `replay`, `measured`, `path` or `figure`.
    pub basis: &'static str,
    /// The evidence: ops to look at, the most important first.
    #[serde(rename = "where")]
    pub evidence: Vec<EvidenceRow<'a>>,
    /// What to do about it, in the words of the framework.
    pub advice: String,
    /// What the step mostly waits for afterwards: a category of `steplens.critical-path/1`. Null where nothing was replayed.
    pub after: Option<&'static str>,
    /// The change that was replayed, as `steplens what-if` reads it; null where no option says it.
    pub change: Option<String>,
}

/// An op that shows a finding.
#[derive(Serialize)]
pub struct EvidenceRow<'a> {
    /// Its name; for a transfer its tensor.
    pub op: &'a str,
    /// Its row in `steplens ops --json`.
    pub op_row: u32,
    /// Its device.
    pub device: &'a str,
    /// When it started.
    pub start_ns: i64,
    /// When it ended.
    pub end_ns: i64,
}

/// A rule that could not judge the trace.
#[derive(Serialize)]
pub struct NotJudged {
    /// The rule.
    pub rule: &'static str,
    /// What it lacks: `replay`, `clocks`, `transfers`, `peers`, `participants`, `gpu`, `launches`, `scheduling`, `memory` or `steps`.
    pub needs: &'static str,
    /// The same in words.
    pub needs_words: &'static str,
}

/// `steplens.findings/1`, all at once.
pub fn json(study: &Study, files: &[FileReport], variation: Option<Nanos>) -> String {
    FindingList::of(study, files, variation).to_text()
}

impl<'a> FindingList<'a> {
    /// What is worth changing in what `study` shows. `files` say whether that is a step or a recording; none if nobody reads the verdict.
    pub fn of(study: &'a Study, files: &[FileReport], variation: Option<Nanos>) -> Self {
        at_once(async |pace: &Pace| Self::paced(study, files, variation, pace).await)
    }

    /// Like `of`, but in pieces, so that the caller can do other work between them.
    pub async fn paced(
        study: &'a Study,
        files: &[FileReport],
        variation: Option<Nanos>,
        pace: &Pace,
    ) -> Self {
        let subject = Subject::of(study);
        let judged = subject.study();
        let replay = Replay::of(judged);
        pace.worked(study.trace().ops().len()).await;
        let least = variation.unwrap_or_default().max(subject.least());
        let mut found = Findings::found_paced(judged, &replay, Some(least), pace).await;
        if has_problem(files, GPU_UNUSED) {
            found.put_unused_gpu(&subject);
        }
        let framework = Framework::of_trace(study.trace());
        if has_problem(files, SILENT_GPU) {
            found.forget_kinds_of_cpu();
        }
        let recorded = Recorded::of(study.trace(), framework).with(&found.rows);
        let error = replay.error();
        let said = verdict::of_subject(&subject, files);
        let not_judged = found.not_judged.iter().map(|&(rule, needs)| NotJudged {
            rule: rule.word(),
            needs: needs.word(),
            needs_words: needs_words(needs),
        });
        Self {
            schema: "steplens.findings/1",
            sentence: sentence::of_list(&subject, &replay, &found, framework, &said),
            clocks: ClockNote::of(study),
            step_ns: subject.length().0,
            replay_error: error.ppm() as f64 / 1e6,
            variation_ns: variation.map(|variation| variation.0),
            framework: framework.word(),
            findings: found.rows.iter().map(|own| row(&subject, recorded, own, &said)).collect(),
            not_judged: not_judged.collect(),
            verdict: said.sentence,
            verdict_main: said.main,
            verdict_figures: said.figures,
        }
    }

    /// The answer as JSON, in pieces, for a page that answers other questions meanwhile.
    pub fn for_page(study: &Rc<Study>, files: &[FileReport], variation: Option<Nanos>) -> Work<String> {
        let (study, files) = (Rc::clone(study), files.to_vec());
        Work::new(
            move |pace| async move { FindingList::paced(&study, &files, variation, &pace).await.to_text() },
        )
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

fn row<'a>(subject: &Subject<'a>, recorded: Recorded, own: &Finding, said: &Said) -> FindingRow<'a> {
    let step = subject.length();
    let whole = sentence::whole_of(own, step, said);
    let time = own.saving.or(Some(own.on_path).filter(|&on_path| on_path > Nanos(0)));
    FindingRow {
        rule: own.rule.word(),
        subject: own.facts.name.clone(),
        what: sentence::what(own),
        sentence: sentence::of_finding(own, step, said),
        saving_ns: own.saving.map(|saving| saving.0),
        low_ns: own.range.map(|(low, _)| low.0),
        high_ns: own.range.map(|(_, high)| high.0),
        is_part: own.is_part,
        share_ppm: time.map(|time| parts_per_million(time, whole)),
        basis: own.basis.word(),
        evidence: own.evidence.iter().map(|&op| evidence(subject.shown(), subject.shown_op(op))).collect(),
        advice: advice::of_finding(own, recorded),
        after: own.after.map(|(spent, _)| spent.kind().word()),
        change: own.change.as_ref().map(|change| {
            let (word, text) = change.written();
            format!("{word}={text}")
        }),
    }
}

fn evidence(study: &Study, op: OpId) -> EvidenceRow<'_> {
    let trace = study.trace();
    let interval = trace.ops().interval(op);
    EvidenceRow {
        op: study.title(op),
        op_row: op.get(),
        device: trace.text(trace.devices().get(trace.device_of(op)).name),
        start_ns: interval.start.0,
        end_ns: interval.end.0,
    }
}
