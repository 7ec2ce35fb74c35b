//! Links in documents lead somewhere: every relative link and anchor of every document, and every document in `docs/` that code and texts name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use steplens_tests::repository::{files_below, has_ending, name, read, root};

/// What is not written by hand, or is not part of the project.
const PASSED_OVER: [&str; 5] = ["node_modules", "target", "dist", "pkg", "fixtures"];

/// Files that may name a document.
const ENDINGS: [&str; 9] = ["md", "rs", "ts", "mjs", "py", "ftl", "sql", "toml", "yml"];

#[test]
fn every_link_of_every_document_leads_to_a_file_and_a_heading() {
    let files = files();
    let anchors: BTreeMap<&PathBuf, BTreeSet<String>> =
        files.iter().filter(|path| is_document(path)).map(|path| (path, anchors(&read(path)))).collect();
    let mut faults = Vec::new();
    let mut checked = 0;
    for path in anchors.keys() {
        for link in links(&read(path)) {
            checked += 1;
            let (target, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match target {
                "" => path.to_path_buf(),
                target => plain(&path.parent().expect("a file is in a folder").join(target)),
            };
            if !target.exists() {
                faults.push(format!("{}: {link} leads to no file", name(path)));
            } else if !anchor.is_empty() && anchors.get(&target).is_none_or(|known| !known.contains(anchor)) {
                faults.push(format!("{}: {link} leads to no heading", name(path)));
            }
        }
    }
    assert!(checked > 150, "only {checked} links were found");
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn every_document_that_code_and_texts_name_exists() {
    let mut faults = Vec::new();
    let mut checked = 0;
    for path in files() {
        for (document, anchor) in named(&read(&path)) {
            checked += 1;
            let target = root().join(&document);
            if !target.exists() {
                faults.push(format!("{} names {document}, which does not exist", name(&path)));
            } else if !anchor.is_empty() && !anchors(&read(&target)).contains(&anchor) {
                faults.push(format!("{} names {document}#{anchor}, which has no such heading", name(&path)));
            }
        }
    }
    assert!(checked > 100, "only {checked} names were found");
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn anchors_are_those_of_github() {
    let text = "# A tf.function in TensorFlow 2\n## Links: `open.html?url=A`\n```\n# no heading\n```\n## Links: `open.html?url=A`\n";
    let wanted = ["a-tffunction-in-tensorflow-2", "links-openhtmlurla", "links-openhtmlurla-1"];
    assert_eq!(anchors(text), BTreeSet::from(wanted.map(str::to_owned)));
    assert_eq!(links("[a](b.md#c) `[no](link)` ![d](e.png) [f](https://g.h)"), ["b.md#c", "e.png"]);
    // In two pieces, because this file is searched, too.
    let text = ["see docs/", "a-b.md#c."].concat();
    assert_eq!(named(&text), [(["docs/", "a-b.md"].concat(), "c".to_owned())]);
}

/// Anchors of the headings, as GitHub makes them: lower case, without punctuation, spaces as hyphens, a number after what is there already.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in prose(text).filter(|line| line.starts_with('#')) {
        let heading = line.trim_start_matches('#').trim();
        let kept =
            heading.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
        let anchor: String = kept.collect::<String>().to_lowercase().replace(' ', "-");
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(numbered).find(|free| !found.contains(free));
        found.extend(free);
    }
    found
}

/// Targets of links and pictures that are within the project.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        // Every other piece between backticks is code; a link around code loses only its text.
        let line: String = line.split('`').step_by(2).collect();
        let targets =
            line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
        let pictures =
            line.split("src=\"").chain(line.split("srcset=\"")).filter_map(|rest| rest.split_once('"'));
        let pictures = pictures.map(|(target, _)| target).filter(|target| target.ends_with(".png"));
        let own = targets.chain(pictures).filter(|target| !target.contains("://"));
        found.extend(own.map(str::to_owned));
    }
    found
}

/// Lines outside of blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The documents in `docs/` that a text names, with the anchor behind, if there is one.
fn named(text: &str) -> Vec<(String, String)> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let mut found = Vec::new();
    for rest in text.split("docs/").skip(1) {
        let end = rest.find(|letter: char| !is_word(letter) && letter != '/').unwrap_or(rest.len());
        let (path, rest) = rest.split_at(end);
        let Some(rest) = rest.strip_prefix(".md") else { continue };
        let anchor: String =
            rest.strip_prefix('#').unwrap_or_default().chars().take_while(|&l| is_word(l)).collect();
        found.push((format!("docs/{path}.md"), anchor));
    }
    found
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "md")
}

/// A path without `..` and `.`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Documents, code and texts.
fn files() -> Vec<PathBuf> {
    let mut found = files_below(&root(), &PASSED_OVER);
    found.retain(|path| has_ending(path, &ENDINGS));
    found
}
