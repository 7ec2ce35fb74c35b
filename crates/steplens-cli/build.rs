//! Puts the single-file page into the program. `cargo xtask dist` builds the page beforehand. A source release (`cargo xtask
//! release`) carries it in the folder of this crate. If neither page exists, as in a fresh clone, a release build such as that of
//! `cargo install` makes it first.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=STEPLENS_PAGE");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let is_debug = env::var("PROFILE").is_ok_and(|own| own == "debug");
    let mut places = vec![here.join("../../dist/steplens.html"), here.join("page/steplens.html")];
    if is_debug {
        // `<target>/debug/build/PACKAGE/out`: what `cargo xtask test` and `cargo xtask serve` have built.
        places.splice(0..0, out.ancestors().nth(4).map(|target| target.join("page/steplens.html")));
    }
    if let Some(page) = env::var_os("STEPLENS_PAGE") {
        places = vec![PathBuf::from(page)];
    }
    let embedded = out.join("steplens.html");
    let find = || places.iter().find(|place| place.is_file());
    // Only in a release build: `cargo xtask` is a debug build, and would wait for the lock that a debug build of ours holds.
    let may_build =
        env::var_os("STEPLENS_PAGE").is_none() && env::var("PROFILE").is_ok_and(|own| own == "release");
    let root = here.join("../..");
    let page = find().or_else(|| {
        if may_build && root.join("xtask").is_dir() {
            build(&root);
        }
        find()
    });
    // Of a file that is not there cargo never believes that it stayed the same: it would compile this crate at every call.
    let watched = page.map_or_else(|| places.iter().collect(), |page| vec![page]);
    for place in watched {
        // As seen from this package, in which cargo runs this: in another clone it is that one's page.
        let below = root.canonicalize().ok().and_then(|root| place.strip_prefix(root).ok());
        let place = below.map_or_else(|| place.clone(), |below| Path::new("../..").join(below));
        println!("cargo::rerun-if-changed={}", place.display());
    }
    if page.is_none() {
        // The program works without the page, except for `report`, which then searches for the page next to the program.
        println!(
            "cargo::warning=the page is not built, so that `steplens report` has none: run `cargo xtask page` first"
        );
    }
    let html = page.map(fs::read).transpose().unwrap_or_else(|why| panic!("reading the page: {why}"));
    write(&embedded, &html.unwrap_or_default());
}

/// Runs `cargo xtask page`, which needs Node, and reports failures.
fn build(root: &Path) {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["run", "--quiet", "--package", "xtask", "--", "page"]).current_dir(root);
    // These variables belong to this build, which may be for another machine.
    for own in ["CARGO_ENCODED_RUSTFLAGS", "RUSTC", "RUSTDOC", "RUSTC_LINKER", "CARGO_BUILD_TARGET"] {
        cargo.env_remove(own);
    }
    match cargo.output() {
        Err(why) => println!("cargo::warning=cargo cannot be started again: {why}"),
        Ok(output) if output.status.success() => {}
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            said.trim_end().lines().rev().take(3).collect::<Vec<_>>().iter().rev().for_each(|line| {
                println!("cargo::warning={line}");
            });
        }
    }
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|why| panic!("writing {}: {why}", path.display()));
}
