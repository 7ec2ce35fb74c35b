//! docs/problems.md explains every code that can occur, and no other code.

#![allow(clippy::unwrap_used, reason = "a test that cannot read the sources fails")]

use crate::places::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// What stands before a code, in Rust and in TypeScript. Spaces and line ends do not count.
const BEFORE: [&str; 7] =
    [".add(\"", ".add_many(\"", ".stop(\"", "error(\"", "code:'", "failAll('", "code:\""];

#[test]
fn every_code_is_explained_and_none_besides() {
    let explained = explained();
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut all_sources = String::new();
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        // The unit tests of a file may use invented codes.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        used.extend(codes(&text));
        all_sources += &text;
    }
    let missing: Vec<_> = used.difference(&explained).collect();
    assert!(missing.is_empty(), "docs/problems.md does not explain {missing:?}");
    // Some codes are made elsewhere (hints, tables). For these it is enough that they occur in the source.
    let quoted = |code: &&String| {
        [format!("\"{code}\""), format!("'{code}'")].iter().any(|text| all_sources.contains(text))
    };
    let unused: Vec<_> = explained.iter().filter(|code| !quoted(code)).collect();
    assert!(unused.is_empty(), "docs/problems.md explains {unused:?}, which do not occur");
    assert!(used.len() > 30, "only {} codes were found in the sources", used.len());
}

#[test]
fn the_codes_that_make_a_trace_incomplete_are_those_of_the_page_of_problems() {
    let page = fs::read_to_string(root().join("docs/problems.md")).unwrap();
    let (_, from) = page.split_once("is\ntrue in JSON. Codes: ").unwrap();
    let (listed, _) = from.split_once(".\n").unwrap();
    let listed: Vec<_> = listed.split('`').skip(1).step_by(2).collect();
    assert_eq!(listed, steplens_report::summary::LOSES_OPS);
    let explained = explained();
    let unexplained: Vec<_> = listed.iter().filter(|code| !explained.contains(**code)).collect();
    assert!(unexplained.is_empty(), "no table of docs/problems.md has {unexplained:?}");
}

/// The codes in the first column of the tables.
fn explained() -> BTreeSet<String> {
    let page = fs::read_to_string(root().join("docs/problems.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| row.split(" | ").next().unwrap_or_default().split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .collect()
}

/// The codes that `text` gives to problems and errors: those after known words, and all that functions called `code` return.
fn codes(text: &str) -> BTreeSet<String> {
    let dense: String = text.split_whitespace().collect();
    let mut found = BTreeSet::new();
    for before in BEFORE {
        found.extend(dense.split(before).skip(1).filter_map(code_at_start));
    }
    for function in
        ["pub fn code(self", "pub fn code(&self"].iter().flat_map(|start| text.split(start).skip(1))
    {
        let body = function.split("\n    }\n").next().unwrap_or_default();
        found.extend(body.split("=> \"").skip(1).filter_map(code_at_start));
    }
    found
}

/// The code at the start of `text`, up to the closing quotation mark.
fn code_at_start(text: &str) -> Option<String> {
    let end = text.find(['"', '\''])?;
    let code = &text[..end];
    let is_code = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    is_code.then(|| code.to_owned())
}

fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let folders = ["cli", "core", "formats", "host", "report", "wasm"]
        .map(|name| format!("crates/steplens-{name}/src"));
    let folders = folders.into_iter().chain(["www/src".to_owned()]);
    let mut folders: Vec<PathBuf> = folders.map(|folder| root().join(folder)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") || (name.ends_with(".ts") && !name.ends_with(".test.ts")) {
                files.push(path);
            }
        }
    }
    files
}
