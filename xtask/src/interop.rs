//! `cargo xtask interop`: exports, read by the tools that they are for. It is no part of `test`, because these tools are large.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::browsers;
use crate::run::{Result, cargo, command, find, root, run, say, target_dir};

const REQUIREMENTS: &str = "tests/interop/requirements.txt";
/// Spark runs on Java.
const JAVA_PACKAGE: &str = "default-jre-headless";

pub(crate) fn interop() -> Result {
    let python = python()?;
    if find("java").is_none() {
        browsers::install(&[JAVA_PACKAGE])?;
    }
    run(cargo().args(["build", "--quiet", "--package", "steplens-cli"]))?;
    let program = target_dir().join(format!("debug/steplens{}", std::env::consts::EXE_SUFFIX));
    run(Command::new(python).arg(root().join("tests/interop/read_exports.py")).arg(program).arg(root()))
}

/// A Python of our own with the packages of the list: a virtual environment in the user's cache, one for each list.
fn python() -> Result<PathBuf> {
    let list = fs::read_to_string(root().join(REQUIREMENTS)).map_err(|e| format!("{REQUIREMENTS}: {e}"))?;
    let folder = cache()?.join(format!("interop-{:08x}", sum(&list)));
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    // Written last: an installation that broke off begins again.
    let installed = folder.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|there| there == list) {
        return Ok(python);
    }
    say(&format!("installing the Python packages of {REQUIREMENTS} into {}", folder.display()));
    let system = ["python3", "python"].into_iter().find(|&name| find(name).is_some());
    let system = system
        .ok_or("python3 is not on the search path; install Python 3.10 or newer with its module venv")?;
    run(command(system).args(["-m", "venv", "--clear"]).arg(&folder))?;
    run(command(&python.to_string_lossy()).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--requirement",
        REQUIREMENTS,
    ]))?;
    fs::write(&installed, list).map_err(|e| format!("could not write {}: {e}", installed.display()))?;
    Ok(python)
}

fn cache() -> Result<PathBuf> {
    let own = |variable| std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
    let folder = own("XDG_CACHE_HOME")
        .or_else(|| own("LOCALAPPDATA"))
        .or_else(|| own("HOME").map(|home| home.join(".cache")))
        .ok_or("no folder for caches: set XDG_CACHE_HOME")?;
    Ok(folder.join("steplens"))
}

/// A short name for a text: FNV-1a.
fn sum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
