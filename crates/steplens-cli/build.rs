//! Puts the single-file page into the program, where it has been built before: `cargo xtask dist` builds it first.
//!
//! A source release (`cargo xtask release`) carries the page in the crate's own folder, so that `cargo install` needs nothing but cargo.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=STEPLENS_PAGE");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let places = match env::var_os("STEPLENS_PAGE") {
        Some(page) => vec![PathBuf::from(page)],
        None => vec![here.join("../../dist/steplens.html"), here.join("page/steplens.html")],
    };
    for place in &places {
        println!("cargo::rerun-if-changed={}", place.display());
    }
    let embedded = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("steplens.html");
    let html = places.iter().find_map(|place| fs::read(place).ok()).unwrap_or_default();
    if html.is_empty() {
        // Without a page the program is whole but for `report`, which then searches next to the program.
        println!(
            "cargo::warning=the page is not built, so that `steplens report` has none: run `cargo xtask page` first"
        );
    }
    write(&embedded, &html);
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|why| panic!("writing {}: {why}", path.display()));
}
