//! `cargo xtask bench`: how fast the core is natively, and how fast the page opens a large file in a real browser.

use crate::run::{Result, cargo, root, run, say};
use crate::{browsers, npm, page};

pub(crate) fn bench(which: &[&str]) -> Result {
    match which {
        [] => native().and_then(|()| web()),
        ["native"] => native(),
        ["web"] => web(),
        other => Err(format!(
            "bench got `{}`, want native, web or nothing",
            other.join(" ")
        )),
    }
}

fn native() -> Result {
    say("native benchmarks");
    run(cargo().args(["bench", "--package", "steplens-tests"]))
}

fn web() -> Result {
    page::build(&root().join("dist"))?;
    say("opening a large file in Chromium");
    let mut script = npm::node("tests/web/bench.mjs");
    browsers::provide(&mut script)?;
    run(&mut script)
}
