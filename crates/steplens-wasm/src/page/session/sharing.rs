//! The page to share: the data that the core puts into the page, written in pieces like any saved file.

use super::Session;
use std::sync::Arc;
use steplens_formats::export::Options;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// Begins the data of a page with everything that was opened, which shows `view`. The other arguments say how it was opened:
    /// those of `select` and of the session's constructor.
    #[wasm_bindgen(js_name = beginSharing)]
    pub fn begin_sharing(
        &mut self,
        view: String,
        communication: Vec<String>,
        devices: Option<String>,
        start_unix_ns: Option<String>,
        end_unix_ns: Option<String>,
    ) -> Result<(), JsValue> {
        let trace = Arc::clone(self.viewing()?.opened());
        let window_unix_ns = start_unix_ns.zip(end_unix_ns).map(|(start, end)| [start, end]);
        self.begin_shared(
            trace,
            self.files()?.to_vec(),
            view,
            Options { communication, devices, window_unix_ns },
        );
        Ok(())
    }
}
