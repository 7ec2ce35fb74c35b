//! The edge of Steplens to JavaScript: [`page`] for the page, [`npm`] for the npm package. Each is a feature, and a core in WebAssembly is
//! made with one of them: so neither carries the other.
//!
//! What must never be here: logic. Every verb turns its arguments into core types, calls one function of `steplens-core`, `steplens-formats` or
//! `steplens-report`, and turns the result into a value of JavaScript.

#[cfg(feature = "npm")]
pub mod npm;
#[cfg(feature = "page")]
pub mod page;

#[cfg(all(target_arch = "wasm32", feature = "npm", feature = "page"))]
compile_error!("make a core for the page or for npm: --no-default-features --features page");

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of Steplens.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
