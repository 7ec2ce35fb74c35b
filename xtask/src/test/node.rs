//! Node's test runner.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::times;
use crate::run::{Result, command, root, run};

/// The test files in `folder`, of this repository, that are `wanted`; Node 20 takes no patterns.
pub(crate) fn files(folder: &str, wanted: fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let folder = root().join(folder);
    let entries =
        std::fs::read_dir(&folder).map_err(|e| format!("could not list {}: {e}", folder.display()))?;
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

/// What is reported where, and after how long a file that hangs is stopped: five minutes.
pub(crate) fn reporters(node: &mut Command, times: &Path) {
    node.arg("--test-timeout=300000");
    node.args(["--test-reporter=spec", "--test-reporter-destination=stdout"]);
    node.arg("--test-reporter=./tests/web/times.mjs");
    node.arg(format!("--test-reporter-destination={}", times.display()));
}

/// Runs `files` of tests, `at_once` of them at the same time; `arrange` says what they need in their environment.
pub(crate) fn test(
    files: &[PathBuf],
    at_once: usize,
    arrange: impl FnOnce(&mut Command) -> Result,
) -> Result {
    let times = times::file_for_script()?;
    let mut node = command("node");
    node.arg("--test").arg(format!("--test-concurrency={at_once}"));
    reporters(&mut node, &times);
    arrange(&mut node)?;
    let passed = run(node.args(files));
    times::read_from_script(&times)?;
    passed
}
