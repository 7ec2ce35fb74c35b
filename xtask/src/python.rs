//! Python packages: exactly those of a list, in a virtual environment of our own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Result, command, find, root, run, say};

/// The Python of the system, if there is one.
pub(crate) fn system() -> Option<&'static str> {
    ["python3", "python"].into_iter().find(|&name| find(name).is_some())
}

/// A Python with the packages of `list`, a path in the repository: in a folder within `place`, one for each list.
pub(crate) fn with_packages(list: &str, place: &Path) -> Result<PathBuf> {
    let text = fs::read_to_string(root().join(list)).map_err(|e| format!("{list}: {e}"))?;
    let folder = place.join(format!("python-{:08x}", sum(&text)));
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    // Written last: an installation that broke off begins again.
    let installed = folder.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|there| there == text) {
        return Ok(python);
    }
    let system = system()
        .ok_or("python3 is not on the search path; install Python 3.10 or newer with its module venv")?;
    say(&format!("installing the Python packages of {list} into {}", folder.display()));
    run(command(system).args(["-m", "venv", "--clear"]).arg(&folder))?;
    run(command(&python.to_string_lossy()).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--requirement",
        list,
    ]))?;
    fs::write(&installed, text).map_err(|e| format!("could not write {}: {e}", installed.display()))?;
    Ok(python)
}

/// A short name for a text: FNV-1a.
fn sum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
