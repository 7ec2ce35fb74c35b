//! `cargo xtask bench`: how fast the core is natively, and how fast the page opens a large file in a real browser.

use std::fs;
use std::path::PathBuf;

use crate::run::{Result, cargo, root, run, say, target_dir};
use crate::{browsers, npm, page};

pub(crate) fn bench(which: &[&str]) -> Result {
    match which {
        [] => native().and_then(|()| web()),
        ["native"] => native(),
        ["web"] => web(),
        other => Err(format!("bench got `{}`, want native, web or nothing", other.join(" "))),
    }
}

fn native() -> Result {
    say("native benchmarks");
    run(cargo().args(["bench", "--package", "steplens-tests"]))
}

fn web() -> Result {
    page::build(&root().join("dist"))?;
    let file = large_file()?;
    say("opening it in Chromium");
    let mut script = npm::node("tests/web/bench.mjs");
    script.arg(file);
    browsers::provide(&mut script)?;
    run(&mut script)
}

/// 250,500 ops: a recorded step, 60 times. Made once.
fn large_file() -> Result<PathBuf> {
    let folder = target_dir().join("bench");
    let file = folder.join("ps4w-60.pb");
    if !file.exists() {
        say("making a large file of a recorded step, 60 times");
        fs::create_dir_all(&folder).map_err(|e| format!("could not make {}: {e}", folder.display()))?;
        let scale = ["run", "--quiet", "--release", "--package", "steplens-tests", "--bin", "scale", "--"];
        run(cargo().args(scale).args(["tests/fixtures/ps4w.pb", "60"]).arg(&file))?;
    }
    Ok(file)
}
