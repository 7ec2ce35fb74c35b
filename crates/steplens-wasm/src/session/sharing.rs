//! The page to share: what the core puts into its place for data, written piece by piece as any file that is saved.

use super::Session;
use std::sync::Arc;
use steplens_formats::export::Options;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// Begins the data of a page with all that was opened, which shows `view`. The rest says how it was opened, as `select` and the session were told.
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
