//! Words that were replaced do not come back: `docs/glossary.md` has the words that are used. Neither do phrases that make a comment hard to read.

use std::path::{Path, PathBuf};
use steplens_tests::repository::{files_below, has_ending, name, read, root};

/// What is already free of the words: files and folders, without what is made by tests.
const CLEAN: [&str; 10] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "docs",
    "crates/steplens-messages/languages",
    "crates/steplens-cli/src",
    "crates/steplens-host/src",
    "www/src",
    "www/style",
    "www/messages.mjs",
];

const MADE: [&str; 1] = ["www/src/engine/contract"];

/// Each with what to say in its place.
const REPLACED: [(&str, &str); 20] = [
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
    ("exposed waiting", "only waiting"),
];

/// Phrases that a comment in Rust does not need, each with what to say in its place. Most of them avoid a noun that the reader needs.
const HARD_TO_READ: [(&str, &str); 20] = [
    ("so many", "the number by its name: ``Counts `bytes` more``"),
    ("the same of", "what it does, with a verb"),
    ("the same, in pieces", "like `write`, but in pieces"),
    ("the same, as", "the thing by its name: `The object as a value`"),
    ("that which", "what, or the thing by its name"),
    ("of that of", "a sentence that names both things"),
    ("that is none", "that is not one"),
    ("what it is of", "the thing by its name"),
    ("all there is", "all, with the noun"),
    ("what there is", "the thing by its name"),
    ("as wide as gives", "a formula"),
    ("where nobody", "if no, or unless"),
    ("none but", "only"),
    ("for want of", "because there is no, or without"),
    ("at no time", "never"),
    ("be it", "whether, or even if"),
    ("whereof", "of which"),
    ("anew", "again"),
    ("set right", "align"),
    ("on the wire", "in transit"),
];

#[test]
fn replaced_words_do_not_come_back() {
    let mut faults = Vec::new();
    for path in CLEAN.iter().flat_map(|path| files(&root().join(path))) {
        let name = name(&path);
        if MADE.iter().any(|made| name.starts_with(made)) {
            continue;
        }
        for (number, line) in read(&path).lines().enumerate() {
            let found = REPLACED.iter().filter(|(word, _)| holds(line, word));
            faults.extend(
                found.map(|(word, better)| format!("{name}:{}: `{word}` is now {better}", number + 1)),
            );
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn comments_in_rust_are_easy_to_read() {
    let mut faults = Vec::new();
    for path in files(&root().join("crates")) {
        if !has_ending(&path, &["rs"]) {
            continue;
        }
        let name = name(&path);
        for (line, comment) in comments(&read(&path)) {
            let found = HARD_TO_READ.iter().filter(|(phrase, _)| holds(&comment, phrase));
            faults
                .extend(found.map(|(phrase, better)| format!("{name}:{line}: for `{phrase}` say {better}")));
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// The comments of Rust code: the number of the first line, and the text without line ends, because a phrase may be broken across lines.
fn comments(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut goes_on = false;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(words) = line.trim_start().strip_prefix("//") else {
            goes_on = false;
            continue;
        };
        let words = words.trim_start_matches(['/', '!']).trim();
        match found.last_mut().filter(|_| goes_on) {
            Some((_, comment)) => {
                comment.push(' ');
                comment.push_str(words);
            }
            None => found.push((number, words.to_owned())),
        }
        goes_on = true;
    }
    found
}

/// Whether `line` has `word` as whole words, in any case.
fn holds(line: &str, word: &str) -> bool {
    let (line, word) = (line.to_lowercase(), word.to_lowercase());
    let is_letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric());
    line.match_indices(&word).any(|(at, _)| {
        !is_letter(line[..at].chars().next_back()) && !is_letter(line[at + word.len()..].chars().next())
    })
}

/// The texts in a folder, or the file itself.
fn files(path: &Path) -> Vec<PathBuf> {
    const TEXTS: [&str; 6] = ["md", "ts", "css", "rs", "ftl", "mjs"];
    let mut found = if path.is_file() { vec![path.to_path_buf()] } else { files_below(path, &[]) };
    found.retain(|path| has_ending(path, &TEXTS));
    found
}
