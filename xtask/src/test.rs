//! `cargo xtask test`: every check of the project, in stages, beginning none after one that failed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use crate::run::{
    Result, cargo, command, count_flaky, count_not_tested, flaky, label_lines, root, run, say, target_dir,
};
use crate::{browsers, fmt, interop, npm, npm_core, page, wheel};

struct Stage {
    name: &'static str,
    what: &'static str,
    run: fn() -> Result,
    round: Round,
    lane: Lane,
}

/// A round begins when the one before it has passed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// What takes seconds.
    Format,
    /// The page, and what reads sources alone. Linking the core keeps one processor busy for minutes, and the lints the other one.
    Sources,
    /// What runs the page or the program.
    Products,
    /// The page in browsers, which need the processors for themselves: next to the Rust tests they took as long as after them, and timed out.
    Browsers,
}

/// The two lanes of a round run at the same time: compiling and linking often keep one processor busy, and a browser mostly waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    /// What starts cargo for this machine: two such cargos would wait for each other's lock.
    Cargo,
    /// What starts Node; the page, too, whose core cargo builds in a folder of its own.
    Node,
}

const ROUNDS: [Round; 4] = [Round::Format, Round::Sources, Round::Products, Round::Browsers];

/// Those of a lane are in order of cost. The page comes before the program that embeds it.
const STAGES: [Stage; 10] = [
    stage(
        "fmt",
        "the formatting of the Rust code and the TypeScript",
        fmt::check,
        Round::Format,
        Lane::Cargo,
    ),
    stage("page", "the page builds", page, Round::Sources, Lane::Node),
    stage("types", "the types and lints of the front-end", types, Round::Sources, Lane::Node),
    stage("unit", "the front-end's unit tests", unit, Round::Sources, Lane::Node),
    stage("clippy", "the lints of the Rust code", lints, Round::Sources, Lane::Cargo),
    stage(
        "rust",
        "the Rust tests: unit, property, golden, hostile, architecture",
        rust,
        Round::Products,
        Lane::Cargo,
    ),
    stage(
        "python",
        "the Python package on the oldest and the newest Python here",
        python,
        Round::Products,
        Lane::Cargo,
    ),
    stage("wasm", "wasm says what the native program says", wasm, Round::Products, Lane::Node),
    stage("readers", "exports in DuckDB, Perfetto and pandas", readers, Round::Products, Lane::Node),
    stage("browser", "the page in Chromium and Firefox", browser, Round::Browsers, Lane::Node),
];

const fn stage(
    name: &'static str,
    what: &'static str,
    run: fn() -> Result,
    round: Round,
    lane: Lane,
) -> Stage {
    Stage { name, what, run, round, lane }
}

pub(crate) fn stage_names() -> String {
    STAGES.map(|stage| stage.name).join(", ")
}

pub(crate) fn test(names: &[String]) -> Result {
    if let Some(unknown) = names.iter().find(|name| !STAGES.iter().any(|stage| stage.name == *name)) {
        return Err(format!("no stage is called `{unknown}`; the stages are {}", stage_names()));
    }
    let started = Instant::now();
    let is_wanted = |stage: &&Stage| names.is_empty() || names.iter().any(|name| name == stage.name);
    for round in ROUNDS {
        let of = |lane: Lane| -> Vec<&Stage> {
            let is_of_lane = |stage: &&Stage| stage.round == round && stage.lane == lane;
            STAGES.iter().filter(is_wanted).filter(is_of_lane).collect()
        };
        let (cargo, node) = (of(Lane::Cargo), of(Lane::Node));
        if round == Round::Products && !cargo.is_empty() && !node.is_empty() {
            // What the stages of Node need of cargo, before cargo is busy.
            build_products()?;
        }
        pass_both(&cargo, &node)?;
    }
    let left_out = match count_not_tested() {
        0 => String::new(),
        count => format!("; NOT TESTED: {count}, see above"),
    };
    let unsteady = match count_flaky() {
        0 => String::new(),
        count => format!("; FLAKY: {count}, see above"),
    };
    say(&format!("all passed in {:.1} s{left_out}{unsteady}", started.elapsed().as_secs_f64()));
    Ok(())
}

/// The page and the program.
fn build_products() -> Result {
    page()?;
    program().map(drop)
}

fn pass(stage: &Stage) -> Result {
    say(&format!("{}: {}", stage.name, stage.what));
    let started = Instant::now();
    (stage.run)().map_err(|sentence| format!("stage {} failed: {sentence}", stage.name))?;
    say(&format!("{}: passed in {:.1} s", stage.name, started.elapsed().as_secs_f64()));
    Ok(())
}

/// Two lanes at the same time. After a failure in one, the other ends its stage and begins no other.
fn pass_both(cargo: &[&Stage], node: &[&Stage]) -> Result {
    let has_failed = AtomicBool::new(false);
    let pass_lane = |lane: &[&Stage]| {
        for stage in lane {
            if has_failed.load(Ordering::Relaxed) {
                say(&format!("{}: not run, because another stage failed", stage.name));
                continue;
            }
            label_lines(stage.name);
            pass(stage).inspect_err(|sentence| {
                has_failed.store(true, Ordering::Relaxed);
                // All of it is said at the end.
                say(sentence.lines().next().unwrap_or_default());
            })?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let cargo = scope.spawn(|| pass_lane(cargo));
        let node = scope.spawn(|| pass_lane(node));
        let of_lane =
            |lane: thread::Result<Result>| lane.unwrap_or_else(|_| Err("a stage panicked".to_string()));
        match (of_lane(cargo.join()), of_lane(node.join())) {
            (Err(first), Err(second)) => Err(format!("{first}\n{second}")),
            (first, second) => first.and(second),
        }
    })
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
    BUILT.get_or_init(|| page::build(&page::out_dir())).clone()
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

fn readers() -> Result {
    interop::readers(&program()?)
}

fn python() -> Result {
    // The wheel embeds it.
    page()?;
    wheel::test(&program()?)
}

fn browser() -> Result {
    page()?;
    let files = web_tests(|name| name != "wasm.test.mjs")?;
    let failed_list = target_dir().join("tools/failed-browser-tests.txt");
    // Each file has browsers of its own, which mostly wait: for frames, for each other's messages, for a view to rest.
    let Err(failure) = browser_tests(&files, 2, &failed_list) else { return Ok(()) };
    let failed = fs::read_to_string(&failed_list).unwrap_or_default();
    let failed: Vec<PathBuf> = failed.lines().map(PathBuf::from).collect();
    if failed.is_empty() || failed.len() > MOST_AGAIN {
        return Err(failure);
    }
    // Whether a test is wrong or was disturbed, only a second run tells. Both are defects, but a disturbed test says nothing about the page.
    say(&format!("{failure}\n{} failed; running it again, alone", names(&failed)));
    browser_tests(&failed, 1, &failed_list).map_err(|second| format!("{failure}\n{second}"))?;
    flaky(&names(&failed));
    Ok(())
}

/// If more files of browser tests fail, they are not run a second time.
const MOST_AGAIN: usize = 2;

fn names(files: &[PathBuf]) -> String {
    files
        .iter()
        .filter_map(|file| file.file_name())
        .map(|name| name.to_string_lossy())
        .collect::<Vec<_>>()
        .join(", ")
}

/// Lists in `failed_list` the files in which a test failed.
fn browser_tests(files: &[PathBuf], at_once: usize, failed_list: &Path) -> Result {
    let mut node = node_test();
    node.args(["--test-reporter-destination=stdout", "--test-reporter=./tests/web/failed_files.mjs"]);
    node.arg(format!("--test-reporter-destination={}", failed_list.display()));
    with_program(&mut node)?.arg(format!("--test-concurrency={at_once}")).args(files);
    node.env("STEPLENS_NPM_CORE", npm_core()?);
    browsers::provide(&mut node)?;
    run(&mut node)
}

/// Says where the program is, which is built before.
fn with_program(node: &mut Command) -> Result<&mut Command> {
    Ok(node.env("STEPLENS_PROGRAM", program()?))
}

/// Built once, whichever stage asks first.
fn npm_core() -> Result<PathBuf> {
    static BUILT: OnceLock<Result<PathBuf>> = OnceLock::new();
    BUILT.get_or_init(npm_core::build).clone()
}

/// Built once, whichever stage asks first.
fn program() -> Result<PathBuf> {
    static BUILT: OnceLock<Result<PathBuf>> = OnceLock::new();
    BUILT.get_or_init(build_program).clone()
}

fn build_program() -> Result<PathBuf> {
    say("building the program");
    // Together with a test of `tests`, so that all crates of the program are compiled as `cargo test --workspace` wants them: with the
    // features and debug information that its tests ask of shared dependencies. Otherwise all of them were compiled twice.
    run(cargo().args(["build", "--quiet", "--workspace", "--bin", "steplens", "--test", "all"]))?;
    let name = format!("steplens{}", std::env::consts::EXE_SUFFIX);
    let tools = target_dir().join("tools");
    let copy = tools.join(&name);
    // A copy: cargo replaces its own file while other stages use it.
    fs::create_dir_all(&tools)
        .and_then(|()| fs::copy(target_dir().join("debug").join(&name), &copy))
        .map_err(|e| format!("could not copy the program to {}: {e}", copy.display()))?;
    Ok(copy)
}

/// Node's test runner. It stops a file of tests that hangs after five minutes.
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
