//! The folders of the core import downwards only; the core's `lib.rs` says what each has.

use std::collections::BTreeMap;
use steplens_tests::repository::{files_below, read, root};

/// From bottom to top: a folder imports only from itself and from those before it.
const LAYERS: [&str; 30] = [
    "base",
    "storage",
    "model",
    "build",
    "host_profile",
    "timeline",
    "search",
    "marks",
    "gpu",
    "steps",
    "dataflow",
    "transfers",
    "makers",
    "work",
    "transfer_times",
    "memory",
    "clocks",
    "doctor",
    "collectives",
    "causality",
    "scheduling",
    "study",
    "network",
    "replay",
    "findings",
    "questions",
    "fleet",
    "compare",
    "redact",
    "watched",
];

#[test]
fn the_folders_of_the_core_import_downwards_only() {
    let source = root().join("crates/steplens-core/src");
    let exported = exported(&read(&source.join("lib.rs")));
    let layer = |folder: &str| LAYERS.iter().position(|&own| own == folder);
    let mut faults = Vec::new();
    let mut known = 0;
    for path in files_below(&source, &[]) {
        let inner = path.strip_prefix(&source).expect("it is below");
        let name = inner.display();
        let folder = inner.iter().next().and_then(|first| first.to_str()).unwrap_or_default();
        if folder == "lib.rs" {
            continue;
        }
        let Some(own) = layer(folder) else {
            faults.push(format!("{name} lies in no layer; they are {LAYERS:?}"));
            continue;
        };
        let text = read(&path);
        known += 1;
        for imported in imports(&text) {
            let target = exported.get(&imported).map_or(imported.as_str(), String::as_str);
            match layer(target) {
                None => faults.push(format!("{name} imports crate::{imported}, which lies in no layer")),
                Some(above) if above > own => {
                    faults.push(format!("{name} imports crate::{imported}: {target} lies above {folder}"));
                }
                Some(_) => {}
            }
        }
    }
    assert!(known > 80 && exported.len() > 20, "{known} files, {exported:?}");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_folder_of_the_core_says_what_it_answers_from_what_and_for_whom() {
    let source = root().join("crates/steplens-core/src");
    for folder in LAYERS {
        let text = read(&source.join(folder).join("mod.rs"));
        let lines = text.lines().map_while(|line| line.strip_prefix("//! "));
        let first = lines.collect::<Vec<_>>().join(" ");
        let (from, whom) = (first.find(". From "), first.find(". For "));
        let is_said = from.zip(whom).is_some_and(|(from, whom)| from < whom && first.ends_with(['.', ':']));
        assert!(is_said, "{folder}/mod.rs begins with {first:?}: say what it answers. From what. For whom.");
    }
}

/// The names that the crate's root gives, each with the folder that it is from.
fn exported(root: &str) -> BTreeMap<String, String> {
    let mut folders = BTreeMap::new();
    for line in root.split(';').filter_map(|line| line.trim_start().strip_prefix("pub use ")) {
        let folder = line.split("::").next().unwrap_or_default();
        let names = line.rsplit("::").next().unwrap_or_default();
        let names = names.trim_matches(['{', '}']).split(',').map(str::trim).filter(|name| !name.is_empty());
        folders.extend(names.map(|name| (name.to_owned(), folder.to_owned())));
    }
    folders
}

/// What stands right after `crate::` in the code of `text`, its tests apart: one name, or each of a list.
fn imports(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let mut found = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            found.extend(first_name(rest));
            continue;
        };
        let mut depth = 1;
        let mut starts = true;
        for (at, letter) in list.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => starts = true,
                _ if starts && !letter.is_whitespace() => {
                    found.extend(first_name(&list[at..]));
                    starts = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    found
}

fn first_name(text: &str) -> Option<String> {
    let name: String = text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    Some(name).filter(|name| !name.is_empty())
}

#[test]
fn imports_are_found_in_every_form() {
    let text = "use crate::{Trace, base::order, model::{op, node}};\n// crate::questions\nlet x = crate::study::Study;\n#[cfg(test)]\nuse crate::network;";
    assert_eq!(imports(text), ["Trace", "base", "model", "study"]);
}
