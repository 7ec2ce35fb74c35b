//! `cargo xtask interop`: exports, read by the tools that they are for. What is small of it is the stage `readers` of `test`, too.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Result, cargo, command, find, not_tested, output, root, run, target_dir};
use crate::{browsers, npm, python, test};

/// Everything, Spark and Perfetto's schema included.
const EVERYTHING: &str = "tests/interop/requirements.txt";
const PACKAGES: &str = "tests/interop/pandas.txt";
/// Spark runs on Java.
const JAVA_PACKAGE: &str = "default-jre-headless";

pub(crate) fn interop() -> Result {
    let python = python::with_packages(EVERYTHING)?;
    if find("java").is_none() {
        browsers::install(&[JAVA_PACKAGE])?;
    }
    run(cargo().args(["build", "--quiet", "--package", "steplens-cli"]))?;
    let program = target_dir().join(format!("debug/steplens{}", std::env::consts::EXE_SUFFIX));
    in_node(&program)?;
    run(&mut read_exports(python, &program))?;
    with_duckdb_in_it()
}

/// The program that is released answers questions by a DuckDB within. Here it is linked to the library of DuckDB's npm package: to compile its 379 files of
/// C++ takes long.
fn with_duckdb_in_it() -> Result {
    let library = root().join("tests/interop/node_modules/@duckdb/node-bindings-linux-x64");
    if !library.is_dir() {
        not_tested("the program with DuckDB in it: its npm package for x86-64 Linux is not there");
        return Ok(());
    }
    let tests = ["--lib", "--test", "all", "--", "duckdb", "fleet::"];
    let mut cargo = cargo();
    cargo.args(["test", "--package", "steplens-cli", "--features", "duckdb-linked"]).args(tests);
    run(cargo.env("DUCKDB_LIB_DIR", &library).env("LD_LIBRARY_PATH", &library))
}

/// DuckDB and Perfetto come from npm, as a browser test does; pandas and protobuf need a Python, and say so where there is none.
pub(crate) fn readers(program: &Path) -> Result {
    in_node(program)?;
    let Some(python) = python_with_packages()? else { return Ok(()) };
    run(read_exports(python.clone(), program).arg("pandas"))?;
    // Python's protobuf has no compiler of schemas.
    let schemas = target_dir().join("schemas.bin");
    // It was built with the program: cargo would wait here for the Rust tests, and compile all of it anew for one package.
    let make = target_dir().join("debug").join("schemas").with_extension(std::env::consts::EXE_EXTENSION);
    run(command(&make.to_string_lossy()).arg(&schemas))?;
    let script = root().join("tests/interop/read_protobuf.py");
    run(command(&python.to_string_lossy()).arg(script).arg(program).arg(root()).arg(schemas))
}

fn in_node(program: &Path) -> Result {
    // What drives the browser is among the packages of the page.
    npm::install()?;
    npm::install_in("tests/interop")?;
    let files = test::node::files("tests/interop", |_| true)?;
    test::node::test(&files, 2, |node| browsers::provide(node.env("STEPLENS_PROGRAM", program)))
}

/// `None`, said aloud and counted, where this machine has no Python that can have packages of its own.
fn python_with_packages() -> Result<Option<PathBuf>> {
    let has_venv = python::system()
        .is_some_and(|system| output(command(system).args(["-c", "import ensurepip, venv"])).is_ok());
    if has_venv {
        return python::with_packages(PACKAGES).map(Some);
    }
    not_tested(
        "exports in pandas and Python's protobuf: there is no python3 with its module venv (on Debian: apt-get install python3-venv)",
    );
    Ok(None)
}

fn read_exports(python: PathBuf, program: &Path) -> Command {
    let mut command = Command::new(python);
    command.arg(root().join("tests/interop/read_exports.py")).arg(program).arg(root());
    command
}
