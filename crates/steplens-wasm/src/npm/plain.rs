//! Values of Rust as plain objects of JavaScript: what `JSON.parse` makes of the JSON of the same name.

use super::fault::fault;
use serde::Serialize;
use serde_wasm_bindgen::{Error, Serializer};
use wasm_bindgen::prelude::JsValue;

/// None is `null`, as the schemas say, a map is an object, an integer is a number.
const PLAIN: Serializer = Serializer::json_compatible();
/// The same, but all integers of 64 bits are bigints.
const WIDE: Serializer = Serializer::json_compatible().serialize_large_number_types_as_bigints(true);

/// A plain object.
pub(crate) struct Plain {
    pub(crate) value: JsValue,
    /// Whether integers of 64 bits are bigints in it, all of them: because one is none of the numbers that JavaScript holds exactly.
    pub(crate) has_bigints: bool,
}

/// `value`, whatever integers it has.
pub(crate) fn plain(value: &impl Serialize) -> Result<Plain, JsValue> {
    if let Ok(value) = numbers(value) {
        return Ok(Plain { value, has_bigints: false });
    }
    let wide = value.serialize(&WIDE);
    let value = wide.map_err(|why| fault("internal", &why.to_string()))?;
    Ok(Plain { value, has_bigints: true })
}

/// `value` with numbers only. It fails with an integer beyond 2^53.
pub(crate) fn numbers(value: &impl Serialize) -> Result<JsValue, Error> {
    value.serialize(&PLAIN)
}
