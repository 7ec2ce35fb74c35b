//! The page with a trace inside, as one file.

pub mod hiding;

use crate::failure::Failure;
use crate::options::Files;
use crate::reading::input::Input;
use crate::reading::opening;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use steplens_core::Trace;
use steplens_core::model::file::FileReport;
use steplens_core::redact::Included;
use steplens_formats::export::{Contents, Options, session_name, single_file};
use steplens_formats::session;
use steplens_messages::say;

/// What a page is made of.
pub struct Shared<'a> {
    /// As it was read, without patterns.
    pub trace: Arc<Trace>,
    /// Those with ops, without their folders.
    pub files: Vec<FileReport>,
    /// How a session kept it.
    pub shown: &'a session::Shown,
    /// What the user named.
    pub inputs: &'a [Input],
    /// The window of time that was read, in ns from 1970.
    pub window: Option<Range<i64>>,
}

impl Shared<'_> {
    /// The page made of `template`, in which `options` and `view` choose what it opens with, as far as `included` allows.
    pub fn page(
        self,
        options: &Files,
        template: &[u8],
        included: Included,
        view: &str,
    ) -> Result<Vec<u8>, Failure> {
        let Self { trace, files, shown, inputs, window } = self;
        let kept = opening::kept(options, shown, &trace);
        let patterned = opening::patterned(options, &kept, &trace.with_patterns(&opening::rules(options)?));
        let view = match view.trim_start_matches('#') {
            "" => kept.fragment(&opening::view(options, &kept, &patterned)?, &trace),
            view => view.to_owned(),
        };
        if included != Included::ALL {
            return hiding::redacted_page(included, template, &patterned, &files, &view);
        }
        let communication = match options.reading.communication.as_slice() {
            [] => kept.communication,
            own => own.to_vec(),
        };
        let contents = Contents {
            view,
            options: opened_with(options, communication, inputs, window),
            name: session_name(&files),
            session: session::write(&trace, &files),
        };
        single_file(template, &contents).ok_or_else(no_place)
    }
}

/// What the page says about how the trace was opened, and what it selects by when files are opened again. The selection is given
/// only if it means the same there. A window that is open at one end has no length to show.
fn opened_with(
    options: &Files,
    communication: Vec<String>,
    inputs: &[Input],
    window: Option<Range<i64>>,
) -> Options {
    // Devices of a named process had other names when they were selected.
    let is_as_read = inputs.iter().all(|input| input.process.is_none());
    let window = window.filter(|window| is_as_read && window.start > i64::MIN && window.end < i64::MAX);
    Options {
        communication,
        devices: options.reading.devices.clone().filter(|_| is_as_read),
        window_unix_ns: window.map(|window| [window.start, window.end].map(|at| at.to_string())),
    }
}

fn no_place() -> Failure {
    Failure::Sentence(say!("report-no-place").to_owned())
}

/// The trace and its files without those that have no op, and without the names of folders.
pub fn only_traces(trace: Trace, mut files: Vec<FileReport>) -> (Trace, Vec<FileReport>) {
    let mut kept = 0;
    let new_file = files.iter().map(|report| {
        let place = kept;
        kept += u32::from(report.ops > 0);
        place
    });
    let trace = trace.with_files(&new_file.collect::<Vec<_>>());
    files.retain(|report| report.ops > 0);
    files.iter_mut().for_each(|report| report.name = own_name(&report.name));
    (trace, files)
}

/// The name of a file without its folder. The page goes to others, who should not see the folders of this machine.
pub(crate) fn own_name(name: &str) -> String {
    let own = Path::new(name).file_name();
    own.map_or_else(|| name.to_owned(), |own| own.to_string_lossy().into_owned())
}
