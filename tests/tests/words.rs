//! Words that were replaced do not come back: `docs/glossary.md` has the words that are used.

use std::fs;
use std::path::{Path, PathBuf};

/// What is already free of the words: files and folders, without what is made by tests.
const CLEAN: [&str; 9] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "docs",
    "crates/steplens-messages/languages",
    "crates/steplens-cli/src",
    "www/src",
    "www/style",
    "www/messages.mjs",
];

const MADE: [&str; 1] = ["www/src/engine/contract"];

/// Each with what to say in its place.
const REPLACED: [(&str, &str); 19] = [
    ("wish", "setup, what is chosen"),
    ("told", "found, known, reported, said"),
    ("untold", "left out"),
    ("beside", "next to, as well as"),
    ("looked at", "shown, read, checked"),
    ("lookAt", "showView"),
    ("lookable", "showable"),
    ("whereof", "of which"),
    ("on the wire", "in transit"),
    ("ended last", "finished last"),
    ("first cause", "root cause"),
    ("before it was made", "before it is sent"),
    ("before they were made", "before they are sent"),
    ("idle before:", "idle before send"),
    ("ops last", "op durations"),
    ("keep in sight", "pin"),
    ("let it go", "unpin"),
    ("open a part", "open a subset"),
    ("set the clocks right", "align clocks"),
];

#[test]
fn replaced_words_do_not_come_back() {
    let mut faults = Vec::new();
    for path in CLEAN.iter().flat_map(|path| files(&root().join(path))) {
        let name = path.strip_prefix(root()).expect("it is in the repository").to_string_lossy().into_owned();
        if MADE.iter().any(|made| name.starts_with(made)) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("could not read {name}: {e}"));
        for (number, line) in text.lines().enumerate() {
            let found = REPLACED.iter().filter(|(word, _)| holds(line, word));
            faults.extend(
                found.map(|(word, better)| format!("{name}:{}: `{word}` is now {better}", number + 1)),
            );
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// Whether `line` has `word` as whole words, in any case.
fn holds(line: &str, word: &str) -> bool {
    let (line, word) = (line.to_lowercase(), word.to_lowercase());
    let is_letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric());
    line.match_indices(&word).any(|(at, _)| {
        !is_letter(line[..at].chars().next_back()) && !is_letter(line[at + word.len()..].chars().next())
    })
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of it").to_path_buf()
}

/// The texts in a folder, or the file itself.
fn files(path: &Path) -> Vec<PathBuf> {
    const TEXTS: [&str; 6] = ["md", "ts", "css", "rs", "ftl", "mjs"];
    if path.is_file() {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        return if TEXTS.contains(&extension.as_str()) { vec![path.to_path_buf()] } else { Vec::new() };
    }
    let entries = fs::read_dir(path).unwrap_or_else(|e| panic!("could not list {}: {e}", path.display()));
    let mut found: Vec<PathBuf> = entries.flatten().flat_map(|entry| files(&entry.path())).collect();
    found.sort();
    found
}
