//! For the page: one [`Session`](session::Session) object with few verbs.
//!
//! An answer is a string or typed arrays. No verb gives JavaScript a view into wasm memory, because that memory may move.

mod buffers;
mod fleet;
mod session;
mod watched;

pub use buffers::{ConcurrencyBuffers, MarksBuffers};
pub use fleet::{FleetSession, HeatBuffers, SeriesBuffers};
pub use session::{OpFilter, RangeQuery, RedactionQuery, Session};
use wasm_bindgen::prelude::wasm_bindgen;
pub use watched::{WatchedFolder, new_request};

/// Uses `language` for all texts from now on, with the texts that `cargo xtask page` packed. Returns whether they could be read.
#[wasm_bindgen(js_name = useLanguage)]
pub fn use_language(language: &str, texts: &str) -> bool {
    steplens_messages::learn(language, texts)
}

/// Whether `text` is a valid pattern for communication.
#[wasm_bindgen(js_name = isPattern)]
pub fn is_pattern(text: &str) -> bool {
    steplens_report::options::communication(&[text.to_owned()]).is_ok()
}
