//! The Python package: `cargo xtask wheel`, and the stage `python` of `cargo xtask test`.

mod make;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::npm;
use crate::page::{self, Core};
use crate::python::{self, Python};
use crate::run::{Result, command, not_tested, run, say, target_dir};
use crate::test::times;
pub(crate) use make::RELEASE;

/// What the tests use of others, on the newest Python.
const DATAFRAMES: &str = "python/tests/requirements.txt";
/// Spark, where it is asked for.
const SPARK: &str = "python/tests/spark.txt";
/// Files of tests: all of them.
const EVERYTHING: &str = "test*.py";
/// That the wheel is taken, and reads and answers: what an old Python may lack.
const READING: &str = "test_reading*.py";
/// Where there are no packages for a Python.
const NOTHING: &str = "python/tests/nothing.txt";
/// The oldest pandas that tables become, and the last Python that has it.
const OLD_PANDAS: &str = "python/tests/pandas.txt";
const LAST_FOR_OLD_PANDAS: (u32, u32) = (3, 7);
/// The first Python for which there are the packages of `DATAFRAMES`.
const LEAST_FOR_DATAFRAMES: (u32, u32) = (3, 12);
/// The only Python that has the recorder and no core.
const RECORDER_ONLY: (u32, u32) = (3, 6);
/// The first Python that the package serves.
const OLDEST: (u32, u32) = (3, 7);

/// What PyPI gets from this machine, in `target/wheels/`: the wheel for it, and the recorder alone.
pub(crate) fn wheel() -> Result {
    page::build(Core::Optimised)?;
    let folder = folder();
    let made = [make::shipped(&folder)?, make::recorder(&folder, RELEASE)?];
    check(&made)?;
    for wheel in made {
        say(&format!("made {}", wheel.display()));
    }
    Ok(())
}

/// Where the wheels are that are shipped.
pub(crate) fn folder() -> PathBuf {
    target_dir().join("wheels")
}

/// Whether PyPI takes the wheels, and pip the right one for each Python and Linux.
fn check(wheels: &[PathBuf]) -> Result {
    let python = python::with_packages(RELEASE)?.to_string_lossy().into_owned();
    run(command(&python).args(["-m", "twine", "check", "--strict"]).args(wheels))?;
    let mut tests = command(&python);
    tests.args(["-W", "error", "-m", "unittest", "discover", "--start-directory", "python/tests/shipped"]);
    run(tests.env("STEPLENS_WHEELS", folder()))
}

/// The shipped wheel, as `cargo xtask wheel` makes it, and what must hold of it: for the longer run.
pub(crate) fn test_shipped(program: &Path) -> Result {
    page::build(Core::Optimised)?;
    let (wheel, alone) = (make::shipped(&folder())?, make::recorder(&folder(), RELEASE)?);
    check(&[wheel.clone(), alone.clone()])?;
    test_wheel(&Tested { wheel, alone, program, environment: &[("STEPLENS_THOROUGH", "1")] })
}

/// The wheel in an environment of the oldest Python here and one of the newest, and what must hold there. `program` was built with the wheel's library.
pub(crate) fn test(program: &Path) -> Result {
    let (wheel, alone) = times::timed("packing the wheels", || {
        let out = target_dir().join("tools/wheels");
        Ok((make::of_tests(&out)?, make::recorder(&out, make::MATURIN)?))
    })?;
    test_wheel(&Tested { wheel, alone, program, environment: &[] })
}

/// Wheels, what their answers are compared with, and variables for their tests.
struct Tested<'a> {
    wheel: PathBuf,
    /// The recorder alone.
    alone: PathBuf,
    program: &'a Path,
    environment: &'a [(&'a str, &'a str)],
}

fn test_wheel(own: &Tested<'_>) -> Result {
    let pythons = python::all();
    match pythons.iter().find(|own| own.version == RECORDER_ONLY) {
        Some(python) => test_alone(python, own)?,
        None => not_tested("the recorder alone: there is no Python 3.6"),
    }
    let pythons: Vec<&Python> = pythons.iter().filter(|own| own.version >= OLDEST).collect();
    let (Some(oldest), Some(newest)) = (pythons.first(), pythons.last()) else {
        not_tested("the Python package: there is no Python from 3.7 on with its module venv");
        return Ok(());
    };
    if oldest.version < newest.version {
        let packages = if oldest.version <= LAST_FOR_OLD_PANDAS { OLD_PANDAS } else { NOTHING };
        if packages == NOTHING {
            not_tested("tables in an old pandas: there is no Python 3.7");
        }
        tests(oldest, packages, READING, own)?;
    } else {
        not_tested("the Python package on an older Python: there is one Python only");
    }
    if newest.version < LEAST_FOR_DATAFRAMES {
        not_tested(
            "tables in pandas, polars, pyarrow and DuckDB, and types: there is no Python from 3.12 on",
        );
        return tests(newest, NOTHING, EVERYTHING, own).map(drop);
    }
    let python = tests(newest, DATAFRAMES, EVERYTHING, own)?;
    times::timed("mypy and pyright", || check_types(&python))
}

/// The tests of the recorder, which need no other package: with the one that is installed, else from its sources.
fn test_recorder(python: &Path) -> Result {
    unittest(python, "python/tests/record", EVERYTHING, |_| {})
}

/// Runs the tests in `folder` whose files are called as `pattern` says; a warning is an error. `arrange` says what they need in their environment.
fn unittest(python: &Path, folder: &str, pattern: &str, arrange: impl FnOnce(&mut Command)) -> Result {
    let times = times::file_for_script()?;
    let mut tests = command(&python.to_string_lossy());
    arrange(tests.args(["-W", "error", "python/tests/timed.py", folder, pattern]).arg(&times));
    let passed = run(&mut tests);
    times::read_from_script(&times)?;
    passed
}

/// The recorder alone, on a Python that has nothing else: it records, and says how to open that.
fn test_alone(python: &Python, tested: &Tested<'_>) -> Result {
    let own = environment(python, NOTHING, &tested.alone)?;
    unittest(&own, "python/tests/alone", EVERYTHING, |_| {})?;
    test_recorder(&own)
}

/// An environment with `packages` and a wheel, and nothing else; gives its Python.
fn environment(python: &Python, packages: &str, wheel: &Path) -> Result<PathBuf> {
    let (major, minor) = python.version;
    let own = times::timed(&format!("packages for Python {major}.{minor}"), || {
        let shared = python::with_packages_of(python, packages)?;
        python::on_top_of(&shared, &target_dir().join(format!("tools/python{major}.{minor}")))
    })?;
    say(&format!("the Python package on Python {major}.{minor}"));
    let alone = ["--no-index", "--no-deps", "--force-reinstall", &wheel.to_string_lossy()];
    python::pip_install(&own, &alone)?;
    Ok(own)
}

/// Installs the wheel and runs the tests; gives the Python of that environment.
fn tests(python: &Python, packages: &str, pattern: &str, tested: &Tested<'_>) -> Result<PathBuf> {
    let own = environment(python, packages, &tested.wheel)?;
    if packages == DATAFRAMES && std::env::var_os("STEPLENS_SPARK").is_some() {
        python::pip_install(&own, &["--requirement", SPARK])?;
    }
    unittest(&own, "python/tests", pattern, |tests| {
        tests.env("STEPLENS_PROGRAM", tested.program).envs(tested.environment.iter().copied());
    })?;
    test_recorder(&own)?;
    Ok(own)
}

/// The examples, as those write them who have their types checked, and the package itself.
fn check_types(python: &Path) -> Result {
    let name = python.to_string_lossy();
    run(command(&name).args([
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        "python/pyproject.toml",
        "python/examples",
        "python/steplens",
    ]))?;
    npm::install_in("tests/interop")?;
    let mut pyright = npm::node("tests/interop/node_modules/pyright/index.js");
    run(pyright.args(["--project", "python/pyproject.toml", "--pythonpath"]).arg(python))
}
