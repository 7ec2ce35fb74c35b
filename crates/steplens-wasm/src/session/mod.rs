//! The session: one trace that is being opened, or is open. Each file has the verbs of one subject; none of them decides anything.

mod causality;
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

pub use redaction::RedactionQuery;
pub use tables::{OpFilter, RangeQuery};

use js_sys::{Object, Reflect};
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::base::pace::Work;
use steplens_core::build::selection::FoundDevice;
use steplens_core::model::file::FileReport;
use steplens_core::search::matches::Matches;
use steplens_core::study::kept::KeptTraffic;
use steplens_core::{Interval, Study, Timestamp, Trace};
use steplens_formats::Opener;
use steplens_messages::say;
use steplens_report::ops::OpPages;
use steplens_report::options::BadOption;
use steplens_report::transfers::TransferPages;
use steplens_report::viewing::Viewing;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// One trace: `beginFile`, `push`, `endFile` for each file, then `finish`; after that it answers questions.
///
/// Errors are thrown as `{code, message}`; codes are stable, messages are one sentence for people.
#[wasm_bindgen]
pub struct Session {
    opener: Option<Opener>,
    /// What also counts as communication as soon as all is read.
    communication: Vec<String>,
    /// All that was opened.
    viewing: Option<Viewing>,
    /// What of it is shown.
    study: Option<Rc<Study>>,
    /// The answer about the network that is being worked out.
    network_begun: Option<Work<String>>,
    /// The file that is being written of what is shown.
    saving: Option<saving::Saving>,
    /// The view that the session holds which was opened.
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

    /// To change the study: the work on the answer about the network, which shares it, begins again when it is next asked for. A file that is being written
    /// is lost.
    fn study_mut(&mut self) -> Result<&mut Study, JsValue> {
        (self.network_begun, self.saving) = (None, None);
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

fn error(code: &str, message: &str) -> JsValue {
    let object = Object::new();
    for (key, value) in [("code", code), ("message", message)] {
        // A plain object takes any property.
        let _ = Reflect::set(&object, &key.into(), &value.into());
    }
    object.into()
}
