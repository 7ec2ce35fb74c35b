//! Sharing the trace with its texts hidden: every kind of text except those that the user includes.

use super::{Session, error};
use std::sync::Arc;
use steplens_core::redact::search::Originals;
use steplens_core::redact::vocabulary::Vocabulary;
use steplens_core::redact::{Included, Key, Redaction};
use steplens_formats::export::Options;
use steplens_formats::session;
use steplens_report as report;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The code of the error that a hidden text is still in the file. The message is this text.
const INCOMPLETE: &str = "redaction-incomplete";

/// Which kinds are included, the key in 32 hexadecimal digits, and the public op types, one per line.
#[wasm_bindgen]
pub struct RedactionQuery {
    included: Included,
    key: Key,
    public: String,
}

#[wasm_bindgen]
impl RedactionQuery {
    /// `included` has words of kinds, each followed by a comma.
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
        let shown = Redaction::of(self.whole()?, query.included, query.key, &public).shown(self.files()?);
        Ok(report::redaction::json(&shown))
    }

    /// The words of clocks in a view, with hashes in place of names.
    #[wasm_bindgen(js_name = redactedClocks)]
    pub fn redacted_clocks(
        &self,
        query: &RedactionQuery,
        clocks: Vec<String>,
    ) -> Result<Vec<String>, JsValue> {
        let public = Vocabulary::of(&query.public);
        let redaction = Redaction::of(self.whole()?, query.included, query.key, &public);
        Ok(clocks.iter().map(|word| redaction.clock_word(word)).collect())
    }

    /// Begins the data of a page with the redacted trace, which shows `view`. Returns the name of its first file. Categories follow
    /// the patterns of what is shown.
    #[wasm_bindgen(js_name = beginSharingRedacted)]
    pub fn begin_sharing_redacted(
        &mut self,
        query: &RedactionQuery,
        view: String,
    ) -> Result<String, JsValue> {
        let public = Vocabulary::of(&query.public);
        let mut redaction = Redaction::of(self.whole()?, query.included, query.key, &public);
        let files = redaction.files(self.files()?);
        let trace = Arc::new(redaction.trace());
        let name = files.first().map_or_else(String::new, |file| file.name.clone());
        self.begin_shared(trace, files, view, Options::default());
        Ok(name)
    }

    /// The first hidden text, or text in `written` by the user, that the finished file still has in its `session` or its other
    /// `strings`.
    #[wasm_bindgen(js_name = redactionLeak)]
    pub fn redaction_leak(
        &self,
        query: &RedactionQuery,
        written: Vec<String>,
        session: &[u8],
        strings: Vec<String>,
    ) -> Result<Option<String>, JsValue> {
        let public = Vocabulary::of(&query.public);
        let originals = Originals::of(self.whole()?, self.files()?, &written, query.included, &public);
        let of_session = session::strings(session).ok_or_else(|| error(INCOMPLETE, ""))?;
        Ok(originals.find_in_any(&of_session).or_else(|| originals.find_in_any(&strings)).map(str::to_owned))
    }
}
