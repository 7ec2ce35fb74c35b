//! For the npm package, built by wasm-pack: files are pushed into an [`Opening`](opening::Opening), which becomes an
//! [`OpenTrace`](trace::OpenTrace) that answers questions.
//!
//! An answer is an object, made through serde-wasm-bindgen from the types that the program prints as JSON; `npm/build.mjs` makes its
//! TypeScript type from `schemas/`. Every op at once is typed arrays.

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
