//! What a command works on: the files, read as one trace, and the part of it that the options show.

use crate::failure::Failure;
use crate::options::Files;
use crate::reading::at_once;
use crate::reading::input::{Input, inputs};
use crate::reading::kept::Kept;
use crate::reading::opening;
use std::sync::Arc;
use steplens_core::clocks::{ClockChoice, ClockSetting};
use steplens_core::model::file::FileReport;
use steplens_core::{Study, Trace, View};
use steplens_formats::Opener;
use steplens_formats::session::Shown;
use steplens_report::question;

/// Whether the user named `file` itself, rather than a folder that contains it. Files are compared by name, not by position: one
/// input may report several files.
pub fn is_named(inputs: &[Input], file: &FileReport) -> bool {
    inputs.iter().any(|input| input.folder.is_none() && input.name == file.name)
}

/// A trace with its analyses, and the files that it was read from.
pub struct Loaded {
    /// Everything that was opened, without the patterns that a session kept.
    pub opened: Arc<Trace>,
    /// How a session kept the trace to be shown.
    pub kept: Kept,
    /// Everything that was opened, with the patterns.
    pub whole: Arc<Trace>,
    /// The part that is shown.
    pub study: Study,
    /// In the order in which they were read.
    pub files: Vec<FileReport>,
    /// What a baseline keeps of all steps, as JSON; empty of other files.
    pub past: String,
    /// By file: whether it was named on the command line and nothing in it was usable.
    pub is_unusable: Vec<bool>,
}

impl Loaded {
    /// Reads all files as one trace, slice by slice.
    pub fn read(files: &Files) -> Result<Self, Failure> {
        Self::read_with(files, |opener| opener)
    }

    /// Like [`read`](Self::read), with an opener that `set_up` prepares further.
    pub fn read_with(files: &Files, set_up: impl FnOnce(Opener) -> Opener) -> Result<Self, Failure> {
        let inputs = inputs(&files.files)?;
        let mut opener =
            set_up(opening::opener(files, opening::window(files, &inputs)?, opening::rules(files)?)?);
        let progress = at_once::open_all(&inputs, &mut opener)?;
        let opened = opening::finish(opener, &inputs)?;
        drop(progress);
        let trace = Arc::new(opened.trace);
        Self::show(files, Arc::clone(&trace), &trace, &opened.shown, opened.files, &inputs)
    }

    /// Shows of `opened` what `files` asks for. `ruled` is the same with the user's patterns, and `shown` is how a session kept it.
    pub(crate) fn show(
        files: &Files,
        opened: Arc<Trace>,
        ruled: &Arc<Trace>,
        shown: &Shown,
        reports: Vec<FileReport>,
        inputs: &[Input],
    ) -> Result<Self, Failure> {
        let kept = opening::kept(files, shown, &opened);
        let whole = opening::patterned(files, &kept, ruled);
        let is_unusable = |file: &FileReport| file.is_unreadable() && is_named(inputs, file);
        Ok(Self {
            is_unusable: reports.iter().map(is_unusable).collect(),
            study: Study::of_view(&whole, opening::view(files, &kept, &whole)?),
            opened,
            kept,
            whole,
            files: reports,
            past: shown.past.clone(),
        })
    }

    /// What questions are asked about.
    pub fn shown(&self) -> question::Shown<'_> {
        question::Shown { study: &self.study, whole: &self.whole, files: &self.files, kept: None }
    }

    /// The same, to be shown otherwise.
    pub(crate) fn again(&self) -> Self {
        Self {
            opened: Arc::clone(&self.opened),
            kept: self.kept.clone(),
            whole: Arc::clone(&self.whole),
            study: Study::of_view(&self.whole, self.study.view().clone()),
            files: self.files.clone(),
            past: self.past.clone(),
            is_unusable: self.is_unusable.clone(),
        }
    }

    /// What is shown, with the clocks aligned by the estimate; none if a choice was made for them.
    pub(crate) fn aligned(&self) -> Option<Study> {
        let view = self.study.view().clone();
        if view.clocks.is_some() {
            return None;
        }
        let clocks = Arc::new(view.clocks_of(&self.whole));
        let clocks = Some(ClockSetting { choice: ClockChoice::estimated(), clocks });
        Some(Study::of_view(&self.whole, View { clocks, ..view }))
    }
}
