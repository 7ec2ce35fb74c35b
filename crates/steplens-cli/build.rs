//! Puts the single-file page into the program, where it has been built before: `cargo xtask dist` builds it first.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=STEPLENS_PAGE");
    let built =
        Path::new(&env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../dist/steplens.html");
    let page = env::var_os("STEPLENS_PAGE").map_or(built, PathBuf::from);
    println!("cargo::rerun-if-changed={}", page.display());
    let embedded = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("steplens.html");
    // Without a page the program is whole but for `report`, which then searches next to the program.
    let html = fs::read(&page).unwrap_or_default();
    fs::write(&embedded, html).unwrap_or_else(|why| panic!("writing {}: {why}", embedded.display()));
}
