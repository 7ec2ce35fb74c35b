//! `cargo xtask interop`: exports, read by the tools that they are for. What is small of it is the stage `readers` of `test`, too.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Result, cache_dir, cargo, command, find, not_tested, output, root, run, target_dir};
use crate::{browsers, npm, python};

/// Everything, Spark and Perfetto's schema included.
const EVERYTHING: &str = "tests/interop/requirements.txt";
const PANDAS: &str = "tests/interop/pandas.txt";
/// Spark runs on Java.
const JAVA_PACKAGE: &str = "default-jre-headless";

pub(crate) fn interop() -> Result {
    let python = python::with_packages(EVERYTHING, &cache_dir()?)?;
    if find("java").is_none() {
        browsers::install(&[JAVA_PACKAGE])?;
    }
    run(cargo().args(["build", "--quiet", "--package", "steplens-cli"]))?;
    let program = target_dir().join(format!("debug/steplens{}", std::env::consts::EXE_SUFFIX));
    in_node(&program)?;
    run(&mut read_exports(python, &program))
}

/// DuckDB and Perfetto come from npm, as a browser test does; pandas needs a Python, and says so where there is none.
pub(crate) fn readers(program: &Path) -> Result {
    in_node(program)?;
    let Some(python) = python_with_pandas()? else { return Ok(()) };
    run(read_exports(python, program).arg("pandas"))
}

fn in_node(program: &Path) -> Result {
    // What drives the browser is among the packages of the page.
    npm::install()?;
    npm::install_in("tests/interop")?;
    let mut node = command("node");
    node.args(["--test", "--test-reporter=spec", "--test-timeout=300000", "--test-concurrency=2"]);
    node.args(["tests/interop/duckdb.test.mjs", "tests/interop/perfetto.test.mjs"]);
    node.env("STEPLENS_PROGRAM", program);
    browsers::provide(&mut node)?;
    run(&mut node)
}

/// `None`, said aloud and counted, where this machine has no Python that can have packages of its own.
fn python_with_pandas() -> Result<Option<PathBuf>> {
    let has_venv = python::system()
        .is_some_and(|system| output(command(system).args(["-c", "import ensurepip, venv"])).is_ok());
    if has_venv {
        return python::with_packages(PANDAS, &target_dir().join("tools")).map(Some);
    }
    not_tested(
        "exports in pandas: there is no python3 with its module venv (on Debian: apt-get install python3-venv)",
    );
    Ok(None)
}

fn read_exports(python: PathBuf, program: &Path) -> Command {
    let mut command = Command::new(python);
    command.arg(root().join("tests/interop/read_exports.py")).arg(program).arg(root());
    command
}
