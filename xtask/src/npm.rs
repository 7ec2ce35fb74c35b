//! npm packages: exactly those of a lock file, installed when it changes.

use std::fs;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::run::{Result, command, find, output, root, run, say};

/// The first Node with everything that the scripts use; the newest of it is `zlib.crc32`.
const NODE_MIN: (u32, u32) = (20, 15);

/// A Node script of ours.
pub(crate) fn node(script: &str) -> Command {
    let mut node = command("node");
    node.arg(script);
    node
}

/// Installs the packages of the page.
pub(crate) fn install() -> Result {
    install_in("www")
}

/// Held while packages are installed: two stages want those of the page at the same time, and each npm deletes what is there before it begins.
static INSTALLING: Mutex<()> = Mutex::new(());

/// Installs the packages of a folder unless the ones there are those of today's lock file.
pub(crate) fn install_in(name: &str) -> Result {
    // What one that panicked left behind is installed again: it has no copy of the lock file.
    let _alone = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = root().join(name);
    let lock_path = folder.join("package-lock.json");
    let lock = fs::read(&lock_path).map_err(|e| format!("could not read {}: {e}", lock_path.display()))?;
    // A copy of the lock file tells what is installed: times say nothing after a fresh clone.
    let installed = folder.join("node_modules/.installed-lock.json");
    if fs::read(&installed).is_ok_and(|there| there == lock) {
        return Ok(());
    }
    check_node()?;
    say(&format!("installing the npm packages of {name}/package-lock.json"));
    // None of the packages needs its install script.
    run(command(program()).current_dir(&folder).args([
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]))?;
    fs::write(&installed, lock).map_err(|e| format!("could not write {}: {e}", installed.display()))
}

/// What npm is called here.
pub(crate) fn program() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

fn check_node() -> Result {
    let (major, minor) = NODE_MIN;
    let want =
        format!("install Node {major}.{minor} or newer with npm, from nodejs.org or your system's packages");
    if find("node").is_none() || (cfg!(unix) && find("npm").is_none()) {
        return Err(format!(
            "the page is bundled with Node, and node or npm is not on the search path; {want}"
        ));
    }
    let version = output(command("node").arg("--version"))?;
    let mut numbers =
        version.trim().trim_start_matches('v').split('.').map_while(|part| part.parse::<u32>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(a), Some(b)) if (a, b) >= NODE_MIN => Ok(()),
        _ => Err(format!("node --version says {}; {want}", version.trim())),
    }
}
