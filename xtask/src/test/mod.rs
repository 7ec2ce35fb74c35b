//! `cargo xtask test`: every check of the project, in stages, beginning none after one that failed.

mod browser;
pub(crate) mod node;
mod rust;
mod seeds;
mod sources;
pub(crate) mod times;

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use crate::lint::linting_cargo;
use crate::page::{self, Core};
use crate::run::{Result, cargo, count_flaky, count_not_tested, label_lines, root, run, say, target_dir};
use crate::{fmt, interop, npm, wheel};

/// What `cargo xtask test` was asked for.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// The stages to run; all of them if empty.
    pub(crate) stages: Vec<String>,
    /// Also print what took longer or shorter than in the last run.
    pub(crate) times: bool,
}

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
    /// The page, and what of Rust does not embed it. Linking the core keeps one processor busy for minutes.
    Sources,
    /// What runs the page or the program; and what reads the sources of the front-end, which would keep cargo waiting before.
    Products,
    /// The page in browsers, and next to it what leaves them most of the processors. The Rust tests do not: browsers took as long next to them as after
    /// them, and timed out.
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

const ROUNDS: [Round; 3] = [Round::Sources, Round::Products, Round::Browsers];

/// Those of a lane are in order of cost. The page comes before the program that embeds it.
const STAGES: [Stage; 10] = [
    stage(
        "fmt",
        "the formatting of the Rust code and the TypeScript",
        fmt::check,
        Round::Sources,
        Lane::Cargo,
    ),
    stage("page", "the page builds", || quick_page().map(drop), Round::Sources, Lane::Node),
    stage("types", "the types and lints of the front-end", types, Round::Products, Lane::Node),
    stage("unit", "the front-end's unit tests", unit, Round::Products, Lane::Node),
    stage(
        "libraries",
        "the Rust code compiles, and is as its lints want it",
        libraries,
        Round::Sources,
        Lane::Cargo,
    ),
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
        Round::Browsers,
        Lane::Cargo,
    ),
    stage("wasm", "wasm says what the native program says", wasm, Round::Products, Lane::Node),
    stage(
        "readers",
        "exports in DuckDB, Perfetto, pandas and Python's protobuf",
        readers,
        Round::Products,
        Lane::Node,
    ),
    stage("browser", "the page in Chromium and Firefox", browser::test, Round::Browsers, Lane::Node),
];

/// What is too long for every change: asked for by name.
const THOROUGH: Stage = stage(
    "thorough",
    "every case of the Rust tests, and the page and the packages as they are shipped",
    thorough,
    Round::Products,
    Lane::Cargo,
);

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
    every_stage().chain([THOROUGH.name]).collect::<Vec<_>>().join(", ")
}

/// The stages of a run that names none.
pub(crate) fn every_stage() -> impl Iterator<Item = &'static str> {
    STAGES.iter().map(|stage| stage.name)
}

pub(crate) fn test(options: &Options) -> Result {
    let names = &options.stages;
    if let Some(unknown) =
        names.iter().find(|name| STAGES.iter().chain([&THOROUGH]).all(|stage| stage.name != *name))
    {
        return Err(format!("no stage is called `{unknown}`; the stages are {}", stage_names()));
    }
    let started = Instant::now();
    // Without them the run takes longer, and tests the same.
    seeds::plant().unwrap_or_else(|sentence| say(&sentence));
    let passed = pass_all(names);
    let seconds = started.elapsed().as_secs_f64();
    times::finish(seconds, options.times)?;
    passed?;
    if names.is_empty() {
        seeds::keep().unwrap_or_else(|sentence| say(&sentence));
    }
    let left_out = match count_not_tested() {
        0 => String::new(),
        count => format!("; NOT TESTED: {count}, see above"),
    };
    let unsteady = match count_flaky() {
        0 => String::new(),
        count => format!("; FLAKY: {count}, see above"),
    };
    say(&format!("all passed in {seconds:.1} s{left_out}{unsteady}"));
    Ok(())
}

fn pass_all(names: &[String]) -> Result {
    let is_named = |stage: &Stage| names.iter().any(|name| name == stage.name);
    let is_wanted = |stage: &&Stage| is_named(stage) || (names.is_empty() && stage.name != THOROUGH.name);
    for round in ROUNDS {
        let of = |lane: Lane| -> Vec<&Stage> {
            let is_of_lane = |stage: &&Stage| stage.round == round && stage.lane == lane;
            STAGES.iter().chain([&THOROUGH]).filter(is_wanted).filter(is_of_lane).collect()
        };
        let (cargo, node) = (of(Lane::Cargo), of(Lane::Node));
        if round == Round::Products && !cargo.is_empty() && !node.is_empty() {
            // What the stages of Node need of cargo, before cargo is busy.
            build_products()?;
        }
        pass_both(&cargo, &node)?;
    }
    Ok(())
}

/// The page and the program.
fn build_products() -> Result {
    quick_page()?;
    program().map(drop)
}

fn pass(stage: &Stage) -> Result {
    say(&format!("{}: {}", stage.name, stage.what));
    let started = Instant::now();
    let done = (stage.run)();
    times::stage(stage.name, started.elapsed().as_secs_f64());
    done.map_err(|sentence| format!("stage {} failed: {sentence}", stage.name))?;
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

/// What the program is made of, without the program, which embeds the page. All packages are named: shared dependencies have the features that any of them asks
/// for, and would be compiled once more for fewer.
fn libraries() -> Result {
    let tests = ["contract", "hostile", "many", "memory", "messages", "session"];
    let mut build = linting_cargo()?;
    build.args(["build", "--quiet"]).args(rust::ALL_BUT_CHORES);
    run(build.args(tests.iter().flat_map(|name| ["--test", name])))
}

fn rust() -> Result {
    // The program writes reports with it, and the licences are those of its packages.
    quick_page()?;
    // The test of licences asks cargo about the core's packages without a network, also those that the build left alone.
    run(cargo().args(["fetch", "--quiet", "--locked", "--target", page::WASM_TARGET]))?;
    // Of libraries and programs those that have tests, as their manifests say. No crate has an example in its documentation, which rustdoc would
    // have to be started for.
    rust::test()
}

fn thorough() -> Result {
    rust::test_thoroughly()?;
    wheel::test_shipped(&program()?)?;
    browser::every_look()?;
    browser::smoke()
}

/// The page with a quick core, which all stages share; built once, whichever asks first.
fn quick_page() -> Result<PathBuf> {
    static BUILT: OnceLock<Result<PathBuf>> = OnceLock::new();
    BUILT.get_or_init(|| times::timed("building the page", || page::build(Core::Quick))).clone()
}

fn types() -> Result {
    quick_page()?;
    run(npm::node("www/messages.mjs").arg("--check"))?;
    // The name `typescript` is that of the version whose programming interface the linter needs.
    run(npm::node("www/node_modules/typescript-7/bin/tsc").args(["--project", "www"]))?;
    run(npm::node("node_modules/eslint/bin/eslint.js").current_dir(root().join("www")).arg("src"))
}

fn unit() -> Result {
    npm::install()?;
    let times = times::file_for_script()?;
    let passed = run(npm::node("www/test.mjs").arg(&times));
    times::read_from_script(&times)?;
    passed
}

fn wasm() -> Result {
    quick_page()?;
    let files = node::files("tests/web", |name| name == "wasm.test.mjs")?;
    node::test(&files, 1, |node| {
        node.env("STEPLENS_PROGRAM", program()?);
        Core::Quick.tell(node);
        Ok(())
    })
}

fn readers() -> Result {
    interop::readers(&program()?)
}

fn python() -> Result {
    // The wheel embeds it.
    quick_page()?;
    wheel::test(&program()?)
}

/// Built once, whichever stage asks first.
fn program() -> Result<PathBuf> {
    static BUILT: OnceLock<Result<PathBuf>> = OnceLock::new();
    BUILT.get_or_init(|| times::timed("building the program", build_program)).clone()
}

fn build_program() -> Result<PathBuf> {
    say("building the program");
    // With the library of the Python package, and together with a test of `tests`, so that all crates of the program are compiled as the tests want them: with the features and
    // debug information that these ask of shared dependencies. Otherwise all of them were compiled twice.
    run(linting_cargo()?.args(["build", "--quiet"]).args(rust::ALL_BUT_CHORES).args([
        "--lib",
        "--bin",
        "steplens",
        "--bin",
        "schemas",
        "--test",
        "all",
        // What no test needs is linted all the same.
        "--example",
        "fleet",
        "--bench",
        "open",
    ]))?;
    let name = format!("steplens{}", std::env::consts::EXE_SUFFIX);
    let tools = target_dir().join("tools");
    let copy = tools.join(&name);
    // A copy: cargo replaces its own file while other stages use it.
    fs::create_dir_all(&tools)
        .and_then(|()| fs::copy(target_dir().join("debug").join(&name), &copy))
        .map_err(|e| format!("could not copy the program to {}: {e}", copy.display()))?;
    Ok(copy)
}
