//! In how many files written by hand the corridor of an answer stands: all that names it from its folder in the report to the user.
//!
//! Analyses, what only draws, tests of the answer alone, and documents are not in it. Who calls a function of the answer does not name it.

use std::fs;
use std::path::Path;
use steplens_tests::repository::{self, files_below, has_ending, root};

/// Answers, and the most files that each stands in: what a new one takes, and what more these have.
const MOST: [(&str, usize); 3] = [("kernels", 12), ("flame", 18), ("counters", 18)];

/// Where corridors are.
const FOLDERS: [&str; 14] = [
    "crates/steplens-cli",
    "crates/steplens-host/src",
    "crates/steplens-messages/languages",
    "crates/steplens-python/src",
    "crates/steplens-report/src",
    "crates/steplens-wasm/src",
    "npm/src",
    "python/steplens",
    "python/tests",
    "tests/tests/contract",
    "www/src/engine",
    "www/src/state",
    "www/src/views/drawer",
    "xtask/src",
];

#[test]
fn an_answer_stands_in_few_files() {
    for (name, most) in MOST {
        let mut found = Vec::new();
        for folder in FOLDERS {
            let files = files_below(&root().join(folder), &[]);
            found.extend(files.iter().filter(|path| names(path, name)).map(|path| repository::name(path)));
        }
        assert!(
            found.len() <= most,
            "{name} stands in {} files, want {most}:\n{}",
            found.len(),
            found.join("\n")
        );
    }
}

/// Whether a file that is written by hand is called as the answer, or names it.
fn names(path: &Path, name: &str) -> bool {
    let is_read = has_ending(path, &["rs", "ts", "py", "pyi", "ftl", "css"]);
    // This one has them as examples.
    if !is_read || path.ends_with("contract/corridor.rs") {
        return false;
    }
    let Ok(text) = fs::read_to_string(path) else { return false };
    let head = text.get(..400).unwrap_or(&text);
    if head.contains("do not edit") || head.contains("Made by") {
        return false;
    }
    let is_called =
        path.components().any(|part| Path::new(&part).file_stem().is_some_and(|stem| stem == name));
    let parts = [
        format!("mod {name};"),
        format!(", '{name}'"),
        format!("verb: '{name}'"),
        format!("\"{name}\""),
        format!("/{name}'"),
        format!("tab-{name}"),
        format!("{name}::Options"),
        format!("{name}::Args"),
        format!("def {name}("),
        format!("fn {name}("),
        format!("Changed.{name}"),
    ];
    let starts =
        [format!("{name}-"), format!("help-{name}"), format!("help-command-{name}"), format!("  {name}: ")];
    let is_listed = |line: &str| line.starts_with("    ") && line.split_whitespace().any(|word| word == name);
    is_called
        || parts.iter().any(|part| text.contains(part.as_str()))
        || text.lines().any(|line| starts.iter().any(|start| line.starts_with(start.as_str())))
        || text.contains("answers! {") && text.lines().any(is_listed)
}
