//! The edge of Steplens to JavaScript for the npm package: files are pushed into an [`Opening`](opening::Opening), which becomes an
//! [`OpenTrace`](trace::OpenTrace) that answers questions.
//!
//! An answer is an object, made through serde-wasm-bindgen from the types that the program prints as JSON; `npm/build.mjs` makes its
//! TypeScript type from `schemas/`. Every op at once is typed arrays.
//!
//! What must never be here: logic. Every verb turns its arguments into core types, calls one function of `steplens-core`, `steplens-formats` or
//! `steplens-report`, and turns the result into a value of JavaScript.

mod columns;
mod fault;
mod opening;
mod plain;
mod trace;

pub use opening::Opening;
pub use trace::OpenTrace;

use wasm_bindgen::prelude::wasm_bindgen;

/// The types of the answers, which the declarations name.
#[wasm_bindgen(typescript_custom_section)]
const ANSWERS: &str =
    "import type * as Answers from './answers.js';\nimport type { OpColumns } from './columns.js';\n";

/// The version of Steplens.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
