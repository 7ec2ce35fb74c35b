//! The trace with its texts hidden, to share it: all kinds of text but those that are included.

use super::saving::session_of;
use super::{Session, error};
use js_sys::{Array, JsString, Uint8Array};
use std::sync::Arc;
use steplens_core::redact::search::Originals;
use steplens_core::redact::vocabulary::Vocabulary;
use steplens_core::redact::{Included, Key, Redaction};
use steplens_formats::session::{self, Shown};
use steplens_report as report;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The code of the error that something hidden is still there; its message is the word.
const INCOMPLETE: &str = "redaction-incomplete";

/// What is included, the key in 32 hexadecimal digits, and the public op types, one a line.
#[wasm_bindgen]
pub struct RedactionQuery {
    included: Included,
    key: Key,
    public: String,
}

#[wasm_bindgen]
impl RedactionQuery {
    /// `included` are words of kinds, with a comma after each.
    #[wasm_bindgen(constructor)]
    pub fn new(included: &str, key: &str, public: String) -> Result<Self, JsValue> {
        let words = included.split_terminator(',');
        let included = Included::of_words(words).map_err(|word| error("bad-option", word))?;
        Ok(Self { included, key: Key::of_hex(key).ok_or_else(|| error("bad-option", key))?, public })
    }
}

#[wasm_bindgen]
impl Session {
    /// `RedactionShown`: what would be hidden.
    #[wasm_bindgen(js_name = redactionShown)]
    pub fn redaction_shown(&self, query: &RedactionQuery) -> Result<String, JsValue> {
        let public = Vocabulary::of(&query.public);
        let shown = Redaction::of(self.whole()?, query.included, query.key, &public).shown(&self.files);
        Ok(report::redaction::json(&shown))
    }

    /// The redacted trace as a Steplens session; what its first file is called; and `clocks`, the words of a view, with hashes for names.
    /// Categories are those of the patterns of what is shown.
    pub fn redacted(&self, query: &RedactionQuery, clocks: Vec<String>) -> Result<Array, JsValue> {
        let public = Vocabulary::of(&query.public);
        let mut redaction = Redaction::of(self.whole()?, query.included, query.key, &public);
        let files = redaction.files(&self.files);
        let all = Array::of1(&Uint8Array::from(&*session_of(
            &Arc::new(redaction.trace()),
            files.clone(),
            Shown::default(),
        )));
        all.push(&JsString::from(files.first().map_or("", |file| &file.name)));
        for word in &clocks {
            all.push(&JsString::from(redaction.clock_word(word)));
        }
        Ok(all)
    }

    /// The first word of what is hidden, or of what the user has `written`, in the finished file: in its `session` or its other `strings`.
    #[wasm_bindgen(js_name = redactionLeak)]
    pub fn redaction_leak(
        &self,
        query: &RedactionQuery,
        written: Vec<String>,
        session: &[u8],
        strings: Vec<String>,
    ) -> Result<Option<String>, JsValue> {
        let public = Vocabulary::of(&query.public);
        let originals = Originals::of(self.whole()?, &self.files, &written, query.included, &public);
        let of_session = session::strings(session).ok_or_else(|| error(INCOMPLETE, ""))?;
        Ok(originals.find_in_any(&of_session).or_else(|| originals.find_in_any(&strings)).map(str::to_owned))
    }
}
