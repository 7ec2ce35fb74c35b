//! The open trace and the part of it that a user chose: what the page's and the npm package's bindings keep of an open trace.

use crate::options::{self, BadOption};
use crate::question::Shown;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::clocks::{ClockSetting, Clocks};
use steplens_core::doctor::Repair;
use steplens_core::gpu::op_time::OpTime;
use steplens_core::model::file::FileReport;
use steplens_core::steps::figures::variation;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::study::kept::KeptClocks;
use steplens_core::{Nanos, Study, Trace, View};

/// Everything that was opened, with the patterns of what is shown.
pub struct Viewing {
    /// Without patterns.
    opened: Arc<Trace>,
    /// With the patterns of what is shown.
    whole: Arc<Trace>,
    communication: Vec<String>,
    files: Vec<FileReport>,
    clocks: RefCell<KeptClocks>,
}

/// A view, in the words of [`options`].
#[derive(Clone, Debug)]
pub struct ViewWords<'a> {
    /// The rule for steps.
    pub rule: &'a str,
    /// The row of a step; `None` for all of them.
    pub step: Option<usize>,
    /// The repairs.
    pub repairs: Vec<String>,
    /// What counts as the duration of an op.
    pub op_time: &'a str,
    /// How clocks are aligned.
    pub clocks: Vec<String>,
    /// The patterns of what also counts as communication.
    pub communication: Vec<String>,
}

impl ViewWords<'static> {
    /// Shows everything as it was recorded.
    pub fn everything(communication: Vec<String>) -> Self {
        Self {
            rule: StepRule::default().word(),
            step: None,
            repairs: Vec::new(),
            op_time: OpTime::default().word(),
            clocks: Vec::new(),
            communication,
        }
    }
}

impl Viewing {
    /// Keeps `opened`, read from `files`, with the user's patterns for communication. If there are none, the patterns in `kept`,
    /// with which a session was shown, are used; invalid ones are ignored.
    pub fn new(
        opened: Trace,
        files: Vec<FileReport>,
        communication: Vec<String>,
        mut kept: Vec<String>,
    ) -> Result<Self, BadOption> {
        kept.retain(|pattern| options::communication(std::slice::from_ref(pattern)).is_ok());
        let by_user = options::communication(&communication)?;
        let (communication, rules) = match (communication.is_empty(), options::communication(&kept)) {
            (true, Ok(rules)) => (kept, rules),
            _ => (communication, by_user),
        };
        let opened = Arc::new(opened);
        let whole = opened.with_patterns(&rules);
        Ok(Self { opened, whole, communication, files, clocks: RefCell::default() })
    }

    /// Shares the trace, so that it can be shown in another way. Copies none of it.
    #[must_use]
    pub fn sibling(&self) -> Self {
        Self {
            opened: Arc::clone(&self.opened),
            whole: Arc::clone(&self.whole),
            communication: self.communication.clone(),
            files: self.files.clone(),
            clocks: RefCell::default(),
        }
    }

    /// The view that `words` stand for. If the patterns change, `shown` has other categories and is dropped, so that two studies
    /// are never in memory.
    pub fn view(&mut self, words: ViewWords<'_>, shown: &mut Option<Rc<Study>>) -> Result<View, BadOption> {
        let rules = options::communication(&words.communication)?;
        let (repairs, rule) = (options::repairs(&words.repairs)?, options::step_rule(words.rule)?);
        let op_time = options::op_time(words.op_time)?;
        let choice = options::clock_choice(&words.clocks)?;
        if self.communication != words.communication {
            // The clocks were also computed with these categories.
            (*shown, self.clocks) = (None, RefCell::default());
            self.whole = self.opened.with_patterns(&rules);
            self.communication = words.communication;
        }
        let clocks = match choice.is_recorded() {
            true => None,
            false => Some(ClockSetting { choice, clocks: self.clocks(&repairs, shown.as_deref()) }),
        };
        Ok(View { repairs, rule, step: words.step, clocks, op_time })
    }

    /// How much the lengths of the steps vary that `view` divides the trace into; `None` with less than two.
    pub fn variation(&self, view: &View) -> Option<Nanos> {
        let (_, steps) = view.steps(&self.whole);
        variation(&steps)
    }

    /// Everything that was opened, as it is in the files.
    pub fn opened(&self) -> &Arc<Trace> {
        &self.opened
    }

    /// Everything that was opened, with the patterns of what is shown.
    pub fn whole(&self) -> &Arc<Trace> {
        &self.whole
    }

    /// The files it was read from.
    pub fn files(&self) -> &[FileReport] {
        &self.files
    }

    /// The patterns of what counts as communication in what is shown, in addition to the built-in rules.
    pub fn communication(&self) -> &[String] {
        &self.communication
    }

    /// The steps by `rule`, and the trace that they belong to, with the repairs and aligned clocks of what is `shown`.
    pub fn steps(&self, shown: &Study, rule: StepRule) -> (Arc<Trace>, Steps) {
        let View { repairs, clocks, .. } = shown.view().clone();
        View { repairs, clocks, rule, ..View::default() }.steps(&self.whole)
    }

    /// The clocks of everything that was opened, with `repairs`.
    pub fn clocks(&self, repairs: &[Repair], shown: Option<&Study>) -> Arc<Clocks> {
        self.clocks.borrow_mut().of(&self.whole, shown, repairs)
    }

    /// What questions are asked about where `study` is shown.
    pub fn shown<'a>(&'a self, study: &'a Study) -> Shown<'a> {
        Shown { study, whole: &self.whole, files: &self.files, kept: Some(&self.clocks) }
    }
}
