//! The architecture as rules that a machine can check; ARCHITECTURE.md has them in words.

mod crates;
mod front_end;
mod held;
mod named;

use steplens_tests::repository::{files_below, name, root};

/// Folders that are made, not written.
const PRODUCTS: [&str; 8] = [
    ".git",
    "target",
    "dist",
    "node_modules",
    "www/build",
    "tests/fixtures",
    "fuzz/corpus",
    "fuzz/artifacts",
];

#[track_caller]
fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// Every file that people write, relative to the root, with `/` between the parts.
fn files() -> Vec<String> {
    files_below(&root(), &PRODUCTS).iter().map(|path| name(path)).collect()
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "* ", "#"].iter().any(|comment| line.starts_with(comment)) && !line.starts_with("#[")
}
