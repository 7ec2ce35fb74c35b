//! What is released: the page as static files, and the program with that page inside.

use std::fs;

use crate::npm;
use crate::page::{self, Core};
use crate::run::{Result, cargo, root, run, say, target_dir};

/// With DuckDB in the program, which takes minutes to compile, only what is released is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
    Plain,
    WithDuckDb,
}

pub(crate) fn dist(program: Program) -> Result {
    let out = root().join("dist");
    if out.exists() {
        fs::remove_dir_all(&out).map_err(|e| format!("could not empty {}: {e}", out.display()))?;
    }
    page::build(Core::Optimised)?;
    say("packing the page for hosts that do not compress");
    run(npm::node("xtask/packed.mjs").arg(&out))?;
    // The program's build script embeds dist/steplens.html, so the page comes first.
    say("building the program");
    let features: &[&str] = if program == Program::WithDuckDb { &["--features", "duckdb"] } else { &[] };
    run(cargo().args(["build", "--release", "--package", "steplens-cli"]).args(features))?;
    let program =
        target_dir().join("release").join("steplens").with_extension(std::env::consts::EXE_EXTENSION);
    say(&format!("the page is in {}, the program is {}", out.display(), program.display()));
    Ok(())
}
