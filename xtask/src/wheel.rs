//! The Python package: `cargo xtask wheel`, and the stage `python` of `cargo xtask test`.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::npm;
use crate::page::{self, Core};
use crate::python::{self, Python};
use crate::run::{Result, command, not_tested, output, root, run, say, target_dir};
use crate::test::times;

/// What makes wheels, in one version.
const MATURIN: &str = "python/maturin.txt";
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

/// The wheel of this machine, in `target/wheels/`.
pub(crate) fn wheel() -> Result {
    page::build(Core::Optimised)?;
    let made = build(&target_dir().join("wheels"))?;
    say(&format!("the wheel is {}", made.display()));
    Ok(())
}

/// The wheel, alone in the folder `out`. It has the page that is built.
fn build(out: &Path) -> Result<PathBuf> {
    if out.exists() {
        fs::remove_dir_all(out).map_err(|e| format!("could not empty {}: {e}", out.display()))?;
    }
    let python = python::with_packages(MATURIN)?;
    say("building the wheel");
    let mut maturin = command(&python.with_file_name("maturin").to_string_lossy());
    maturin.current_dir(root().join("python")).args(["build", "--quiet", "--locked", "--release"]);
    maturin.arg("--target-dir").arg(target_dir()).arg("--out").arg(out);
    run(&mut maturin)?;
    wheel_in(out)
}

/// The wheel in a folder that has one.
fn wheel_in(out: &Path) -> Result<PathBuf> {
    let made = fs::read_dir(out).map_err(|e| format!("could not list {}: {e}", out.display()))?;
    let mut wheels = made.flatten().map(|entry| entry.path());
    wheels
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .ok_or_else(|| format!("there is no wheel in {}", out.display()))
}

/// The wheel for tests, in `out`: of the library that cargo has built together with the program, which maturin would compile once more with other
/// features. What says what the wheel is, is maturin's.
fn pack(out: &Path) -> Result<PathBuf> {
    let python = python::with_packages(MATURIN)?;
    let unpacked = out.join("unpacked");
    let package = unpacked.join("steplens");
    let library = format!("{DLL_PREFIX}_core{DLL_SUFFIX}");
    let module = if cfg!(windows) { "_core.pyd" } else { "_core.abi3.so" };
    let failed = |e: std::io::Error| format!("could not put a wheel together in {}: {e}", out.display());
    if out.exists() {
        fs::remove_dir_all(out).map_err(failed)?;
    }
    copy_sources(&root().join("python/steplens"), &package)
        .and_then(|()| fs::copy(target_dir().join("debug").join(library), package.join(module)))
        .map_err(failed)?;
    let mut maturin = command(&python.with_file_name("maturin").to_string_lossy());
    maturin.current_dir(root().join("python")).args(["pep517", "write-dist-info", "--metadata-directory"]);
    output(maturin.arg(&unpacked).arg("--interpreter").arg(&python))?;
    let mut pack = command(&python.to_string_lossy());
    output(pack.args(["-m", "wheel", "pack", "--dest-dir"]).arg(out).arg(&unpacked))?;
    wheel_in(out)
}

/// Copies the files of a package, without what Python keeps next to them.
fn copy_sources(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            if name != "__pycache__" {
                copy_sources(&path, &to.join(name))?;
            }
        } else if !name.to_string_lossy().starts_with("_core.") || name == "_core.pyi" {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

/// The shipped wheel, as `cargo xtask wheel` makes it, and what must hold of it: for the longer run.
pub(crate) fn test_shipped(program: &Path) -> Result {
    wheel()?;
    let wheel = wheel_in(&target_dir().join("wheels"))?;
    test_wheel(&Tested { wheel, program, environment: &[("STEPLENS_THOROUGH", "1")] })
}

/// The wheel in an environment of the oldest Python here and one of the newest, and what must hold there. `program` was built with the wheel's library.
pub(crate) fn test(program: &Path) -> Result {
    let wheel = times::timed("packing the wheel", || pack(&target_dir().join("tools/wheels")))?;
    test_wheel(&Tested { wheel, program, environment: &[] })
}

/// A wheel, what its answers are compared with, and variables for its tests.
struct Tested<'a> {
    wheel: PathBuf,
    program: &'a Path,
    environment: &'a [(&'a str, &'a str)],
}

fn test_wheel(own: &Tested<'_>) -> Result {
    let pythons = python::all();
    match pythons.iter().find(|own| own.version == RECORDER_ONLY) {
        Some(python) => test_recorder(&python.program)?,
        None => not_tested("the recorder without the core: there is no Python 3.6"),
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

/// Installs the wheel and runs the tests; gives the Python of that environment.
fn tests(python: &Python, packages: &str, pattern: &str, tested: &Tested<'_>) -> Result<PathBuf> {
    let (major, minor) = python.version;
    let own = times::timed(&format!("packages for Python {major}.{minor}"), || {
        let shared = python::with_packages_of(python, packages)?;
        python::on_top_of(&shared, &target_dir().join(format!("tools/python{major}.{minor}")))
    })?;
    say(&format!("the Python package on Python {major}.{minor}"));
    let alone = ["--no-index", "--no-deps", "--force-reinstall", &tested.wheel.to_string_lossy()];
    python::pip_install(&own, &alone)?;
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
