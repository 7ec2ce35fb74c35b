//! The session: one trace that is being opened, or is open. Each file here has the verbs of one subject. None of them contains
//! logic.

mod causality;
mod compare;
mod counters;
mod memory;
mod network;
mod opening;
mod picture;
mod redaction;
mod saving;
mod scheduling;
mod sharing;
mod tables;
mod timeline;
mod view;
mod what_if;

pub use redaction::RedactionQuery;
pub use tables::{OpFilter, RangeQuery};

use js_sys::{Object, Reflect};
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::base::pace::Work;
use steplens_core::build::selection::FoundDevice;
use steplens_core::compare::change::Pairs;
use steplens_core::model::file::FileReport;
use steplens_core::search::matches::Matches;
use steplens_core::study::kept::KeptTraffic;
use steplens_core::{Interval, Study, Timestamp, Trace};
use steplens_formats::Opener;
use steplens_messages::say;
use steplens_report::compare::ForPage;
use steplens_report::ops::OpPages;
use steplens_report::options::BadOption;
use steplens_report::transfers::TransferPages;
use steplens_report::viewing::Viewing;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// One trace. Call `beginFile`, `push`, `endFile` for each file, then `finish`; after that the session answers questions.
///
/// Errors are thrown as `{code, message}`. Codes are stable; messages are one sentence for people.
#[wasm_bindgen]
pub struct Session {
    opener: Option<Opener>,
    /// Patterns of what else counts as communication, used when everything is read.
    communication: Vec<String>,
    /// Everything that was opened.
    viewing: Option<Viewing>,
    /// The part of it that is shown.
    study: Option<Rc<Study>>,
    /// The computation of the network answer, while it is in progress.
    network_begun: Option<Work<String>>,
    /// The search for findings, while it is in progress.
    findings_begun: Option<Work<String>>,
    /// The replay of what is shown, once it was asked for.
    replay: Option<what_if::KeptReplay>,
    /// The comparison with another session, while it is in progress.
    compare_begun: Option<Work<ForPage>>,
    /// The search for what would help in both traces, while it is in progress.
    compared_findings_begun: Option<Work<String>>,
    /// Which op is which of the session that this one was compared with.
    pairs: Option<Pairs>,
    /// The file that is being written from what is shown.
    saving: Option<saving::Saving>,
    /// The view that was kept in the opened session.
    view_kept: String,
    found: Vec<FoundDevice>,
    matches: Matches,
    lit: Matches,
    op_pages: OpPages,
    transfer_pages: TransferPages,
    traffic: KeptTraffic,
}

impl Session {
    fn viewing(&self) -> Result<&Viewing, JsValue> {
        self.viewing.as_ref().ok_or_else(not_open)
    }

    fn whole(&self) -> Result<&Arc<Trace>, JsValue> {
        Ok(self.viewing()?.whole())
    }

    fn files(&self) -> Result<&[FileReport], JsValue> {
        Ok(self.viewing()?.files())
    }

    /// The study, to be changed. The computation of the network answer shares the study, so it starts over at the next question. A
    /// file that is being written is dropped.
    fn study_mut(&mut self) -> Result<&mut Study, JsValue> {
        (self.network_begun, self.findings_begun, self.saving) = (None, None, None);
        (self.compare_begun, self.compared_findings_begun) = (None, None);
        self.study.as_mut().and_then(Rc::get_mut).ok_or_else(not_open)
    }

    fn study(&self) -> Result<&Rc<Study>, JsValue> {
        self.study.as_ref().ok_or_else(not_open)
    }
}

fn not_open() -> JsValue {
    error("not-open", say!("session-not-open"))
}

fn bad_option(why: &BadOption) -> JsValue {
    error(BadOption::CODE, &why.0)
}

fn window(start_ns: f64, end_ns: f64) -> Interval {
    Interval::new(Timestamp(start_ns as i64), Timestamp(end_ns as i64))
}

pub(crate) fn error(code: &str, message: &str) -> JsValue {
    let object = Object::new();
    for (key, value) in [("code", code), ("message", message)] {
        // Setting a property of a plain object cannot fail.
        let _ = Reflect::set(&object, &key.into(), &value.into());
    }
    object.into()
}
