//! Opening files, slice by slice.

use super::fault::{bad_option, fault};
use super::trace::OpenTrace;
use steplens_core::{CategoryRules, Selection};
use steplens_formats::{Limits, Opener};
use steplens_report::options::{self, BadOption};
use steplens_report::viewing::Viewing;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Files that are read as one trace: `beginFile`, `push`, `endFile` for each, then `finish`.
#[wasm_bindgen]
pub struct Opening {
    opener: Opener,
    communication: Vec<String>,
}

#[wasm_bindgen]
impl Opening {
    /// Regular expressions for what also counts as communication, and for the devices that are opened; and how much memory the ops may take.
    #[wasm_bindgen(constructor)]
    pub fn new(
        communication: Vec<String>,
        devices: Option<String>,
        memory_bytes: Option<f64>,
    ) -> Result<Self, JsValue> {
        options::communication(&communication).map_err(bad_option)?;
        let selection = Selection::new(devices.as_deref(), None).map_err(|why| bad_option(BadOption(why)))?;
        let mut limits = Limits::default();
        if let Some(bytes) = memory_bytes {
            limits.memory_bytes = bytes as usize;
        }
        let opener = Opener::new(CategoryRules::default(), limits).select(selection);
        Ok(Self { opener, communication })
    }

    /// Starts the next file, of the process that the user calls so.
    #[wasm_bindgen(js_name = beginFile)]
    pub fn begin_file(&mut self, name: &str, process: Option<String>) {
        self.opener.begin_file(name);
        if let Some(process) = process {
            self.opener.name_process(&process);
        }
    }

    /// Takes the next slice of the current file.
    pub fn push(&mut self, bytes: &[u8]) {
        self.opener.push(bytes);
    }

    /// Ends the current file.
    #[wasm_bindgen(js_name = endFile)]
    pub fn end_file(&mut self) {
        self.opener.end_file();
    }

    /// Builds the trace. It is at its end with this, whatever comes of it.
    pub fn finish(self) -> Result<OpenTrace, JsValue> {
        let opened = self.opener.finish().map_err(|why| fault(why.kind.code(), &why.to_string()))?;
        let viewing =
            Viewing::new(opened.trace, opened.files, self.communication, opened.shown.communication);
        OpenTrace::of(viewing.map_err(bad_option)?)
    }
}
