//! What files say of themselves and of one another: a sentence of purpose, and names of files that exist.

use super::{extension, files, is_comment, none};
use steplens_tests::repository::{read, root};

/// What a file opens with: one sentence of purpose in the language's comment.
const OPENINGS: [(&str, &str); 6] =
    [("rs", "//!"), ("ts", "//"), ("mjs", "//"), ("proto", "//"), ("css", "/*"), ("py", "\"\"\"")];

#[test]
fn every_source_file_opens_with_a_sentence_of_purpose() {
    let mut faults = Vec::new();
    for path in files() {
        let Some((_, comment)) = OPENINGS.iter().find(|(known, _)| *known == extension(&path)) else {
            continue;
        };
        // What prost made is included in a file that says so, and cannot open with a comment of its own.
        if path.contains("/src/made/") {
            continue;
        }
        let text = read(&root().join(&path));
        let opening: Vec<&str> = text
            .lines()
            .skip_while(|line| line.starts_with("#!/"))
            .map_while(|line| line.strip_prefix(comment).or(line.strip_prefix(" *")))
            .take_while(|line| !line.trim().is_empty())
            .collect();
        let opening = opening.join(" ");
        let sentence = opening.trim().trim_end_matches("*/").trim_end_matches("\"\"\"").trim();
        if sentence.split_whitespace().count() < 3
            || !(sentence.contains(". ") || sentence.ends_with(['.', ':']))
        {
            faults.push(format!(
                "{path} opens with `{sentence}`, want a sentence of purpose after `{comment}`"
            ));
        }
    }
    none(&faults);
}

#[test]
fn files_that_the_documents_and_comments_name_exist() {
    let mut faults = Vec::new();
    for path in files() {
        let document = extension(&path) == "md";
        if !document && !OPENINGS.iter().any(|(known, _)| *known == extension(&path)) {
            continue;
        }
        for (number, line) in
            read(&root().join(&path)).lines().enumerate().filter(|(_, line)| document || is_comment(line))
        {
            for named in named_files(line).filter(|named| !root().join(named).exists()) {
                faults.push(format!("{path}:{} names {named}, which does not exist", number + 1));
            }
        }
    }
    none(&faults);
}

#[test]
fn files_and_folders_that_the_architecture_names_exist() {
    let all = files();
    let is_there = |named: &str| {
        let end = format!("/{}", named.trim_end_matches('/'));
        all.iter().any(|path| match named.ends_with('/') {
            true => format!("/{path}").contains(&format!("{end}/")),
            false => format!("/{path}").ends_with(&end),
        })
    };
    let text = read(&root().join("ARCHITECTURE.md"));
    // Every other piece between backticks is code.
    let code = text.split('`').skip(1).step_by(2);
    let is_path = |word: &&str| {
        word.ends_with('/') || [".rs", ".ts", ".md", ".mjs"].iter().any(|end| word.ends_with(end))
    };
    let named: Vec<&str> = code.filter(is_path).filter(|word| !word.starts_with("dist/")).collect();
    assert!(named.len() > 50, "{named:?}");
    let missing = named
        .iter()
        .filter(|named| !is_there(named))
        .map(|named| format!("ARCHITECTURE.md names {named}, which does not exist"));
    none(&missing.collect::<Vec<_>>());
}

/// Words that are paths into the folders that people write, patterns and products apart.
fn named_files(line: &str) -> impl Iterator<Item = &str> {
    const WRITTEN: [&str; 7] = ["crates/", "www/", "tests/", "fuzz/", "proto/", "xtask/", ".ci/"];
    line.split(|c: char| !(c.is_ascii_alphanumeric() || "./_-<>*{}$…".contains(c)))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| WRITTEN.iter().any(|folder| word.starts_with(folder)))
        .filter(|word| {
            !word.contains(['<', '*', '{', '$', '…'])
                && !word.starts_with("www/build/")
                && !word.starts_with("www/node_modules")
        })
}
