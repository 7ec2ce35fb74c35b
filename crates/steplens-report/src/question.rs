//! What a question to an open trace is, and what it is asked about.

use crate::options::BadOption;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::Arc;
use steplens_core::clocks::Clocks;
use steplens_core::model::file::FileReport;
use steplens_core::steps::figures::variation;
use steplens_core::study::kept::KeptClocks;
use steplens_core::{Nanos, Study, Trace, View};

/// A question to an open trace; its fields are what may be chosen. Of them a field `page` holds what only the page chooses, and what
/// serde skips only the program does.
pub trait Question: Default + DeserializeOwned {
    /// In the words of the command line: `critical-path`.
    const NAME: &'static str;
    /// What JSON is written from.
    type Answer<'a>: Serialize;

    /// The answer about what is shown.
    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption>;

    /// Writes the rows of the answer as CSV.
    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet>;
}

/// Why a sheet was not written, or not to its end.
#[derive(Debug)]
pub enum NoSheet {
    /// An option cannot be used: nothing was written.
    Option(BadOption),
    /// The output failed.
    Output(io::Error),
}

impl From<BadOption> for NoSheet {
    fn from(why: BadOption) -> Self {
        Self::Option(why)
    }
}

impl From<io::Error> for NoSheet {
    fn from(why: io::Error) -> Self {
        Self::Output(why)
    }
}

/// The open trace, and what of it is shown.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// The part that is shown.
    pub study: &'a Study,
    /// Everything that was opened, with the user's patterns.
    pub whole: &'a Arc<Trace>,
    /// The files it was read from.
    pub files: &'a [FileReport],
    /// Where clocks are kept that take long to find.
    pub kept: Option<&'a RefCell<KeptClocks>>,
}

impl Shown<'_> {
    /// The clocks of everything that was opened, as they were recorded.
    pub fn clocks(&self) -> Arc<Clocks> {
        let view = self.study.view();
        match (&view.clocks, self.kept) {
            (Some(setting), _) => Arc::clone(&setting.clocks),
            (None, Some(kept)) => kept.borrow_mut().of(self.whole, Some(self.study), &view.repairs),
            (None, None) => Arc::new(View { step: None, ..view.clone() }.clocks_of(self.whole)),
        }
    }

    /// How much the lengths of the opened steps vary; `None` with less than two.
    pub fn variation(&self) -> Option<Nanos> {
        let (_, steps) = self.study.view().steps(self.whole);
        variation(&steps)
    }
}
