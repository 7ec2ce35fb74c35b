//! The compiler of our crates in tests, as a program of its own for cargo to start: Clippy, which lints what it compiles.
//!
//! Two kinds of test programs are compiled without optimisation, in a third of the time; cargo has no profile for that. A library with its unit tests in it
//! is the library once more, and runs for a moment. `tests/tests/all.rs` waits for the libraries, which are optimised: it took 136 s of a processor to compile and
//! saved 20 s of its 160.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

use crate::run::{Result, cache_dir, cargo};

const NAME: &str = "steplens-lint";
/// Where `clippy-driver` is.
const DRIVER: &str = "STEPLENS_CLIPPY_DRIVER";

/// Whether this program was started as that compiler.
pub(crate) fn is_called() -> bool {
    std::env::args_os().next().is_some_and(|own| Path::new(&own).file_stem().is_some_and(|stem| stem == NAME))
}

/// A cargo whose compiler lints our crates while it compiles them, and takes no warning. A pass of its own reads all of them once more, and the metadata of
/// all dependencies.
pub(crate) fn linting_cargo() -> Result<Command> {
    let mut cargo = cargo();
    let driver = format!("clippy-driver{}", std::env::consts::EXE_SUFFIX);
    let beside = Path::new(cargo.get_program()).with_file_name(driver);
    cargo.env(DRIVER, beside).env("RUSTC_WORKSPACE_WRAPPER", offer()?);
    // What `cargo clippy` sets, whose arguments are joined by this word.
    cargo.env("CLIPPY_ARGS", "--deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    Ok(cargo)
}

/// This program under that name, made once. Among the user's caches: cargo knows what it has compiled by the path of its compiler, and another clone takes it.
fn offer() -> Result<PathBuf> {
    static MADE: OnceLock<Result<PathBuf>> = OnceLock::new();
    MADE.get_or_init(|| make(&cache_dir()?.join("tools"))).clone()
}

fn make(folder: &Path) -> Result<PathBuf> {
    let program = folder.join(NAME).with_extension(std::env::consts::EXE_EXTENSION);
    let unfinished = folder.join(format!("{NAME}-{}.part", std::process::id()));
    let failed = |e: std::io::Error| format!("could not make {}: {e}", program.display());
    let this_program = std::env::current_exe().map_err(|e| format!("this program has no path: {e}"))?;
    fs::create_dir_all(folder).map_err(failed)?;
    // Under its name once it is whole: another clone may be using it.
    fs::hard_link(&this_program, &unfinished)
        .or_else(|_| fs::copy(&this_program, &unfinished).map(drop))
        .and_then(|()| fs::rename(&unfinished, &program))
        .map_err(failed)?;
    // Where the two are one file already, renaming leaves both names.
    if unfinished.exists() {
        fs::remove_file(&unfinished).map_err(failed)?;
    }
    Ok(program)
}

/// Compiles one crate. The arguments are the compiler that cargo would have started, and what that would have been told.
pub(crate) fn compile(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.collect();
    let driver = std::env::var_os(DRIVER).unwrap_or_else(|| "clippy-driver".into());
    let mut compiler = Command::new(&driver);
    compiler.args(&arguments);
    if runs_briefly(&arguments) {
        // The last level counts.
        compiler.arg("-Copt-level=0");
    }
    match compiler.status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(e) => {
            eprintln!("could not start {}: {e}", driver.display());
            ExitCode::FAILURE
        }
    }
}

fn runs_briefly(arguments: &[OsString]) -> bool {
    let is = |end: &str| arguments.iter().any(|word| Path::new(word).ends_with(end));
    arguments.iter().any(|word| word == "--test") && (is("src/lib.rs") || is("tests/all.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_again_where_it_is() {
        let folder = std::env::temp_dir().join(format!("steplens-lint-{}", std::process::id()));
        let first = make(&folder);
        assert_eq!(make(&folder), first);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left behind");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn libraries_with_their_tests_are_compiled_quickly_and_what_reads_damage_is_not() {
        let is = |line: &str| runs_briefly(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(is("rustc --crate-name steplens_core crates/steplens-core/src/lib.rs --test -C opt-level=2"));
        assert!(is("rustc --crate-name all tests/tests/all.rs --test -C opt-level=1"));
        assert!(!is("rustc --crate-name steplens_core crates/steplens-core/src/lib.rs --crate-type lib"));
        assert!(!is("rustc --crate-name hostile tests/tests/hostile/main.rs --test -C opt-level=1"));
    }
}
