//! `cargo xtask test`: every check of the project, in stages, stopping at the first that fails.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Instant;

use crate::run::{Result, cargo, command, root, run, say, target_dir};
use crate::{browsers, fmt, npm, page};

struct Stage {
    name: &'static str,
    what: &'static str,
    run: fn() -> Result,
}

/// In order of cost, except that the page comes before the program that embeds it.
const STAGES: [Stage; 8] = [
    Stage { name: "fmt", what: "the formatting of the Rust code and the TypeScript", run: fmt::check },
    Stage { name: "page", what: "the page builds", run: page },
    Stage { name: "types", what: "the types and lints of the front-end", run: types },
    Stage { name: "unit", what: "the front-end's unit tests", run: unit },
    Stage { name: "clippy", what: "the lints of the Rust code", run: lints },
    Stage { name: "rust", what: "the Rust tests: unit, property, golden, hostile, architecture", run: rust },
    Stage { name: "wasm", what: "wasm says what the native program says", run: wasm },
    Stage { name: "browser", what: "the page in Chromium and Firefox", run: browser },
];

pub(crate) fn stage_names() -> String {
    STAGES.map(|stage| stage.name).join(", ")
}

pub(crate) fn test(names: &[String]) -> Result {
    if let Some(unknown) = names.iter().find(|name| !STAGES.iter().any(|stage| stage.name == *name)) {
        return Err(format!("no stage is called `{unknown}`; the stages are {}", stage_names()));
    }
    let started = Instant::now();
    for stage in STAGES.iter().filter(|stage| names.is_empty() || names.iter().any(|name| name == stage.name))
    {
        say(&format!("{}: {}", stage.name, stage.what));
        let started = Instant::now();
        (stage.run)().map_err(|sentence| format!("stage {} failed: {sentence}", stage.name))?;
        say(&format!("{}: passed in {:.1} s", stage.name, started.elapsed().as_secs_f64()));
    }
    say(&format!("all passed in {:.1} s", started.elapsed().as_secs_f64()));
    Ok(())
}

fn lints() -> Result {
    run(cargo().args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"]))
}

fn rust() -> Result {
    // All of them: a failure in one says nothing about the others.
    run(cargo().args(["test", "--quiet", "--workspace", "--no-fail-fast"]))
}

/// Built once, whichever stage asks first.
fn page() -> Result {
    static BUILT: OnceLock<Result> = OnceLock::new();
    BUILT.get_or_init(|| page::build(&page::out_dir(), page::Packing::Small)).clone()
}

fn types() -> Result {
    page()?;
    run(npm::node("www/messages.mjs").arg("--check"))?;
    // The name `typescript` is that of the version whose programming interface the linter needs.
    run(npm::node("www/node_modules/typescript-7/bin/tsc").args(["--project", "www"]))?;
    run(npm::node("node_modules/eslint/bin/eslint.js").current_dir(root().join("www")).arg("src"))
}

fn unit() -> Result {
    npm::install()?;
    run(&mut npm::node("www/test.mjs"))
}

fn wasm() -> Result {
    page()?;
    run(with_program(&mut node_test())?.args(web_tests(|name| name == "wasm.test.mjs")?))
}

fn browser() -> Result {
    page()?;
    let mut node = node_test();
    with_program(&mut node)?;
    // One file after the other: each has browsers of its own, and two at a time only wait for each other on small machines.
    node.arg("--test-concurrency=1").args(web_tests(|name| name != "wasm.test.mjs")?);
    browsers::provide(&mut node)?;
    run(&mut node)
}

/// Builds the program, and says where it is.
fn with_program(node: &mut Command) -> Result<&mut Command> {
    run(cargo().args(["build", "--quiet", "--package", "steplens-cli"]))?;
    let program = target_dir().join(format!("debug/steplens{}", std::env::consts::EXE_SUFFIX));
    Ok(node.env("STEPLENS_PROGRAM", program))
}

/// Node's test runner. The limit is for a test that hangs; no test comes near it.
fn node_test() -> Command {
    let mut node = command("node");
    node.args(["--test", "--test-reporter=spec", "--test-timeout=300000"]);
    node
}

/// The test files of tests/web; Node 20 takes no patterns.
fn web_tests(wanted: fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let folder = root().join("tests/web");
    let entries = fs::read_dir(&folder).map_err(|e| format!("could not list {}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| {
            entry.file_name().to_str().is_some_and(|name| name.ends_with(".test.mjs") && wanted(name))
        })
        .map(|entry| entry.path())
        .collect();
    files.sort();
    Ok(files)
}
