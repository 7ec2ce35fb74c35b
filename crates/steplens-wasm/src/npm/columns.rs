//! Every op as typed arrays, one for each column.

use js_sys::{Array, Float64Array, JsString, Object, Reflect, Uint32Array};
use steplens_core::Study;
use steplens_report::ops::{Cells, OpColumns};
use wasm_bindgen::prelude::JsValue;

/// See `OpColumns` in `npm/src/columns.ts`.
pub(crate) fn of(study: &Study) -> JsValue {
    let object = Object::new();
    let set = |name: &str, value: JsValue| {
        // A plain object takes any property.
        let _ = Reflect::set(&object, &name.into(), &value);
    };
    let mut columns = OpColumns::of(study);
    columns.each(&mut |name, cells| match cells {
        Cells::Numbers(numbers) => set(name, Uint32Array::from(numbers.as_slice()).into()),
        Cells::Figures(figures) => set(name, Float64Array::from(figures.as_slice()).into()),
    });
    let texts: Array = columns.texts().iter().map(|text| JsString::from(&**text)).collect();
    set("texts", texts.into());
    set("rounded", columns.rounded().into());
    set("length", (study.trace().counted_ops() as f64).into());
    object.into()
}
