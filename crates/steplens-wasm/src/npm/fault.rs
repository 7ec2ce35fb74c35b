//! What is thrown: `{code, message}`. Codes are stable, messages are one sentence for people.

use serde::Serialize;
use steplens_messages::say;
use steplens_report::options::BadOption;
use wasm_bindgen::prelude::JsValue;

#[derive(Serialize)]
struct Fault<'a> {
    code: &'a str,
    message: &'a str,
}

pub(crate) fn fault(code: &str, message: &str) -> JsValue {
    // Two texts are always an object.
    serde_wasm_bindgen::to_value(&Fault { code, message }).unwrap_or(JsValue::NULL)
}

pub(crate) fn bad_option(BadOption(why): BadOption) -> JsValue {
    fault(BadOption::CODE, &why)
}

/// While another part of a trace is looked for, which only a question that failed leaves so.
pub(crate) fn not_open() -> JsValue {
    fault("not-open", say!("session-not-open"))
}
