//! Every op as typed arrays, one for each column.

use js_sys::{Array, Float64Array, JsString, Object, Reflect, Uint32Array};
use steplens_core::Study;
use steplens_report::ops::OpColumns;
use wasm_bindgen::prelude::JsValue;

/// See `OpColumns` in `npm/src/columns.ts`.
pub(crate) fn of(study: &Study) -> JsValue {
    let object = Object::new();
    let set = |name: &str, value: JsValue| {
        // A plain object takes any property.
        let _ = Reflect::set(&object, &name.into(), &value);
    };
    let columns = OpColumns::of(study);
    let texts: Array = columns.texts().iter().map(|text| JsString::from(*text)).collect();
    set("texts", texts.into());
    for (name, numbers) in columns.numbers() {
        set(name, Uint32Array::from(numbers.as_slice()).into());
    }
    let mut rounded = 0_u32;
    for column in columns.figures() {
        set(column.name, Float64Array::from(column.figures.as_slice()).into());
        rounded = rounded.saturating_add(column.rounded);
    }
    set("rounded", rounded.into());
    set("length", (study.trace().counted_ops() as f64).into());
    object.into()
}
