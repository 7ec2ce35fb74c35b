//! A watched folder as the page follows it: `docs/live.md`. The page lists and reads; what lines and files mean is said here.

use steplens_core::watched::asked::{Request, RequestKind};
use steplens_core::watched::names::{ProcessName, RequestId};
use steplens_formats::watched::{Entry, Reader, request_text};
use steplens_report::watched::{RunQuery, json, runs_json};
use wasm_bindgen::prelude::wasm_bindgen;

/// A folder, and what is known of it.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct WatchedFolder(Reader);

#[wasm_bindgen]
impl WatchedFolder {
    /// Nothing is known yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a look: these files are there now. The columns have an entry for each of them.
    pub fn begin(&mut self, paths: Vec<String>, bytes: &[f64], changed: &[f64]) {
        let entry = |((path, bytes), changed): ((String, &f64), &f64)| Entry {
            path,
            bytes: *bytes as u64,
            changed: *changed as i64,
        };
        self.0.begin(paths.into_iter().zip(bytes).zip(changed).map(entry).collect());
    }

    /// What is to be read, as (path, from, to) one after the other. Ask again once that is read, until nothing is wanted.
    pub fn wants(&mut self) -> Vec<String> {
        let wants = self.0.wants().into_iter();
        wants.flat_map(|want| [want.path, want.from.to_string(), want.to.to_string()]).collect()
    }

    /// Takes the bytes of a file from `from` on.
    pub fn read(&mut self, path: &str, from: f64, bytes: &[u8]) {
        self.0.read(path, from as u64, bytes);
    }

    /// Notes that a file could not be read, and why; without a reason it is gone.
    pub fn unread(&mut self, path: &str, why: Option<String>) {
        self.0.unread(path, why.as_deref());
    }

    /// `steplens.watch/1`.
    pub fn state(&self) -> String {
        json(self.0.watched())
    }

    /// The runs of a process, the newest first.
    pub fn runs(&self, process: &str, call: Option<u32>, traced_only: bool, most: usize) -> String {
        runs_json(self.0.watched(), &RunQuery { process, call, traced_only, most })
    }
}

/// The id of a new request, and the text of its file, for a folder that the page itself writes to. `undefined` for a kind that there is
/// not, or a process with a name that none can have.
#[wasm_bindgen(js_name = newRequest)]
pub fn new_request(
    kind: &str,
    n: u32,
    count: u32,
    processes: Vec<String>,
    now_ms: f64,
    random: u32,
    expires_s: f64,
) -> Option<Vec<String>> {
    let names: Vec<ProcessName> =
        processes.iter().map(|name| ProcessName::new(name)).collect::<Option<_>>()?;
    let id = RequestId::made(now_ms as u64, random);
    let expires_ns = ((now_ms + expires_s * 1e3) as i64).saturating_mul(1_000_000);
    let kind = RequestKind::by_word(kind)?;
    let request = Request {
        processes: (!names.is_empty()).then_some(names),
        ..Request::new(id, kind, n.into(), count.into(), expires_ns)
    };
    Some(vec![request.id.as_str().to_owned(), request_text(&request)])
}
