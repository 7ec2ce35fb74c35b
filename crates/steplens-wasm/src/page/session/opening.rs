//! Opening files, slice by slice.

use super::saving::session_of;
use super::{Session, bad_option, error};
use js_sys::Uint8Array;
use steplens_core::search::matches::Matches;
use steplens_core::study::kept::KeptTraffic;
use steplens_core::{CategoryRules, Selection};
use steplens_formats::session::Shown;
use steplens_formats::unpack::Packing;
use steplens_formats::{Limits, Opener};
use steplens_messages::say;
use steplens_report as report;
use steplens_report::ops::OpPages;
use steplens_report::options::{self, BadOption};
use steplens_report::transfers::TransferPages;
use steplens_report::viewing::{ViewWords, Viewing};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// A session that counts what matches `communication` (regular expressions) as communication, until another view is shown.
    #[wasm_bindgen(constructor)]
    pub fn new(communication: Vec<String>) -> Result<Session, JsValue> {
        options::communication(&communication).map_err(|why| bad_option(&why))?;
        let opener = Some(Opener::new(CategoryRules::default(), Limits::default()));
        Ok(Self::of(opener, communication, None))
    }

    /// Call before the first file. Opens only the devices that match, and ops that overlap the window in ns from 1970. The times
    /// are strings, because a double cannot hold them exactly.
    pub fn select(
        &mut self,
        devices: Option<String>,
        start_unix_ns: Option<String>,
        end_unix_ns: Option<String>,
    ) -> Result<(), JsValue> {
        let window = match (start_unix_ns, end_unix_ns) {
            (Some(start), Some(end)) => {
                let time = |text: &str| options::unix_ns(text).map_err(|why| bad_option(&why));
                Some(time(&start)?..time(&end)?)
            }
            _ => None,
        };
        let selection =
            Selection::new(devices.as_deref(), window).map_err(|why| bad_option(&BadOption(why)))?;
        self.opener = self.opener.take().map(|opener| opener.select(selection));
        Ok(())
    }

    /// Call before the first file. Limits the memory that ops may take.
    #[wasm_bindgen(js_name = limitMemory)]
    pub fn limit_memory(&mut self, bytes: f64) {
        let limits = Limits { memory_bytes: bytes as usize };
        self.opener = self.opener.take().map(|opener| opener.limit(limits));
    }

    /// Call before the first file. Only counts what the files hold, for `found`.
    #[wasm_bindgen(js_name = countOnly)]
    pub fn count_only(&mut self) {
        self.opener = self.opener.take().map(Opener::count_only);
    }

    /// `Found`: every device in the files, including those that were left out.
    pub fn found(&mut self) -> String {
        match &mut self.opener {
            Some(opener) => report::found::json(&opener.found()),
            None => report::found::json(&self.found),
        }
    }

    /// Starts the next file.
    #[wasm_bindgen(js_name = beginFile)]
    pub fn begin_file(&mut self, name: &str) {
        if let Some(opener) = &mut self.opener {
            opener.begin_file(name);
        }
    }

    /// The name that the user gave to the process of the current file. Call before its first slice.
    #[wasm_bindgen(js_name = nameProcess)]
    pub fn name_process(&mut self, name: &str) {
        if let Some(opener) = &mut self.opener {
            opener.name_process(name);
        }
    }

    /// The size of the current file. Call before its first slice; then a session file is copied only once.
    #[wasm_bindgen(js_name = expectBytes)]
    pub fn expect_bytes(&mut self, bytes: f64) {
        if let Some(opener) = &mut self.opener {
            opener.expect(bytes as u64);
        }
    }

    /// Call before the first slice of the current file if it is packed with gzip and the browser unpacks it. The slices are then
    /// the unpacked bytes.
    #[wasm_bindgen(js_name = expectUnpacked)]
    pub fn expect_unpacked(&mut self) {
        if let Some(opener) = &mut self.opener {
            opener.expect_unpacked(Packing::Gzip);
        }
    }

    /// Counts `bytes` of the current file that the browser unpacked.
    #[wasm_bindgen(js_name = passOver)]
    pub fn pass_over(&mut self, bytes: f64) {
        if let Some(opener) = &mut self.opener {
            opener.pass_over(bytes as u64);
        }
    }

    /// The browser cannot unpack the current file to its end. The packed file follows, from its beginning.
    #[wasm_bindgen(js_name = unpackHere)]
    pub fn unpack_here(&mut self) {
        if let Some(opener) = &mut self.opener {
            opener.unpack_here();
        }
    }

    /// Takes the next slice of the current file.
    pub fn push(&mut self, bytes: &Uint8Array) {
        if let Some(opener) = &mut self.opener {
            let length = bytes.length() as usize;
            opener.push_copied(length, |at, room| {
                let (start, end) = (at as u32, (at + room.len()) as u32);
                bytes.subarray(start, end).copy_to(room);
            });
        }
    }

    /// Ends the current file.
    #[wasm_bindgen(js_name = endFile)]
    pub fn end_file(&mut self) {
        if let Some(opener) = &mut self.opener {
            opener.end_file();
        }
    }

    /// How many ops were read so far.
    #[wasm_bindgen(js_name = opsRead)]
    pub fn ops_read(&self) -> usize {
        self.opener.as_ref().map_or(0, Opener::ops)
    }

    /// Builds the trace. Returns `steplens.summary/1` without the totals of transfers.
    pub fn finish(&mut self) -> Result<String, JsValue> {
        let opener = self.opener.take().ok_or_else(|| error("not-open", say!("session-finished")))?;
        let opened = opener.finish().map_err(|why| error(why.kind.code(), &why.to_string()))?;
        let Shown { view, communication: kept, .. } = opened.shown;
        (self.found, self.view_kept) = (opened.found, view);
        let communication = std::mem::take(&mut self.communication);
        let viewing = Viewing::new(opened.trace, opened.files, communication, kept);
        let viewing = self.viewing.insert(viewing.map_err(|why| bad_option(&why))?);
        let words = ViewWords::everything(viewing.communication().to_vec());
        self.show(words)
    }

    /// `[name, label]` of each name in the files that has a short form, as JSON.
    #[wasm_bindgen(js_name = kernelLabels)]
    pub fn kernel_labels(&self) -> Result<String, JsValue> {
        Ok(report::names::kernel_labels_json(self.whole()?))
    }

    /// The trace as a Steplens session: a file that opens as the same trace and shows `view` (the fragment of the page's address)
    /// with these patterns for communication.
    #[wasm_bindgen(js_name = sessionBytes)]
    pub fn session_bytes(&self, view: String, communication: Vec<String>) -> Result<Vec<u8>, JsValue> {
        let shown = Shown { view, communication, ..Shown::default() };
        let viewing = self.viewing()?;
        Ok(session_of(viewing.opened(), viewing.files().to_vec(), shown))
    }

    /// The view that was kept in the opened session; empty if it has none, or if other files were opened.
    #[wasm_bindgen(js_name = viewKept)]
    pub fn view_kept(&self) -> String {
        self.view_kept.clone()
    }

    /// The patterns of what else counts as communication in what is shown.
    #[wasm_bindgen(js_name = communicationShown)]
    pub fn communication_shown(&self) -> Vec<String> {
        self.viewing.as_ref().map_or(&*self.communication, Viewing::communication).to_vec()
    }
}

impl Session {
    /// A session before anything of it is shown.
    pub(super) fn of(opener: Option<Opener>, communication: Vec<String>, viewing: Option<Viewing>) -> Self {
        Self {
            opener,
            communication,
            viewing,
            study: None,
            network_begun: None,
            findings_begun: None,
            replay: None,
            compare_begun: None,
            compared_findings_begun: None,
            pairs: None,
            saving: None,
            view_kept: String::new(),
            found: Vec::new(),
            matches: Matches::default(),
            lit: Matches::default(),
            op_pages: OpPages::default(),
            transfer_pages: TransferPages::default(),
            traffic: KeptTraffic::default(),
        }
    }
}
