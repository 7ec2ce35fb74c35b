//! `cargo xtask bench`: one table of how fast everything is, next to the last one that was kept; and how it grows with the file.

mod figures;
mod table;

use std::fs;
use std::path::PathBuf;

use crate::page::{self, Core};
use crate::run::{Result, cargo, command, root, run, say, target_dir};
use crate::{browsers, npm};

/// The recorded step of 4,175 ops that large files repeat.
const STEP: &str = "tests/fixtures/ps4w.pb";
/// About 10 thousand, 100 thousand and 1 million ops.
const SCALES: [u32; 3] = [2, 24, 240];
/// 5 million ops, in a file of 1.5 GB.
const HUGE: u32 = 1200;

pub(crate) fn bench(which: &[String]) -> Result {
    match which.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => table::print(&figures::measured()?, false),
        ["keep"] => table::print(&figures::measured()?, true),
        ["native"] => native(),
        ["scale"] => scale(&SCALES),
        ["scale", "all"] => scale(&[SCALES.as_slice(), &[HUGE]].concat()),
        ["growth", families @ ..] => growth(families),
        other => Err(format!(
            "bench got `{}`, want keep, native, scale, scale all, growth, or nothing",
            other.join(" ")
        )),
    }
}

fn native() -> Result {
    say("native benchmarks");
    run(cargo().args(["bench", "--package", "steplens-tests"]))
}

/// How every command grows with files of bad shapes; of some `families` only if any are named.
fn growth(families: &[&str]) -> Result {
    run(cargo().args(["build", "--release", "--package", "steplens-cli"]))?;
    let mut script = command("python3");
    script.arg(root().join("tests/benches/growth.py"));
    script.arg(target_dir().join("release").join("steplens"));
    for family in families {
        script.args(["--family", family]);
    }
    run(&mut script)
}

/// Opens files that repeat the step so many times.
fn scale(scales: &[u32]) -> Result {
    page::build(Core::Optimised)?;
    let files = scales.iter().map(|&times| repeated(times)).collect::<Result<Vec<_>>>()?;
    say("opening in Chromium");
    let mut script = npm::node("tests/web/bench_scale.mjs");
    script.args(files);
    Core::Optimised.tell(&mut script);
    browsers::provide_whole(&mut script)?;
    run(&mut script)
}

/// The step, so many times; made once.
fn repeated(times: u32) -> Result<PathBuf> {
    let folder = target_dir().join("bench");
    let file = folder.join(format!("ps4w-{times}.pb"));
    if !file.exists() {
        say(&format!("making a file of a recorded step, {times} times"));
        fs::create_dir_all(&folder).map_err(|e| format!("could not make {}: {e}", folder.display()))?;
        // Under another name until it is whole: a file cut short by Ctrl+C must not be measured.
        let unfinished = file.with_extension("part");
        let scale = ["run", "--quiet", "--release", "--package", "steplens-tests", "--bin", "scale", "--"];
        run(cargo().args(scale).args([STEP, &times.to_string()]).arg(&unfinished))?;
        fs::rename(&unfinished, &file)
            .map_err(|e| format!("could not rename {}: {e}", unfinished.display()))?;
    }
    Ok(file)
}
