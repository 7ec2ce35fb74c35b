//! The front-end: its layers, of which each imports from those below it alone.

use super::{files, none};
use std::collections::{BTreeMap, BTreeSet};
use steplens_tests::repository::{read, root};

/// The front-end from bottom to top: a file imports only from its own layer and those before it. A layer is a folder with
/// all that is in it; one that has layers of its own below it (`state`, `views`) is only its own files.
const LAYERS: [&str; 26] = [
    "base",
    "engine",
    "draw",
    "state/layout",
    "state",
    "state/ui",
    "state/shown",
    "state/opened",
    "state/watched",
    "state/fleet",
    "views/shared",
    "views/keys",
    "views/table",
    "views/dialogs",
    "views/start",
    "views/notices",
    "views/header",
    "views/devices",
    "views/timeline",
    "views/overview",
    "views/drawer",
    "views/watched",
    "views/fleet",
    "views/print",
    "views",
    MAIN,
];

/// The files next to the folders of `www/src`.
const MAIN: &str = "main";

/// What the front-end imports from outside, and the one place that may: the bindings to the core,
/// and the texts with what formats them.
const OUTSIDE: [(&str, &str); 10] = [
    ("engine/", "steplens-wasm"),
    ("parquet.ts", "steplens-parquet-wasm"),
    ("engine/recent_store.ts", "idb"),
    ("engine/redaction.ts", "steplens-op-types"),
    ("base/messages.ts", "steplens-messages"),
    ("base/later_messages.ts", "steplens-messages/later"),
    ("base/messages.ts", "@fluent/bundle"),
    ("base/other_texts.ts", "@fluent/bundle"),
    ("base/language.ts", "steplens-messages/languages"),
    ("views/palette.ts", "steplens-messages/palette"),
];

#[test]
fn the_front_end_imports_downwards_only() {
    let mut faults = Vec::new();
    for (own, text) in front_end() {
        let Some(own_layer) = layer(&own) else {
            faults.push(format!("www/src/{own} lies in no layer; they are {LAYERS:?}"));
            continue;
        };
        for from in imports(&text) {
            if !from.starts_with('.') {
                let may = OUTSIDE.iter().any(|(place, what)| from == *what && own.starts_with(place))
                    || (from.starts_with("node:") && own.ends_with(".test.ts"));
                if !may {
                    faults.push(format!("www/src/{own} imports {from}, which is no file of the front-end"));
                }
                continue;
            }
            let target = resolve(&own, &from);
            match layer(&target) {
                None => faults.push(format!("www/src/{own} imports {target}, which lies in no layer")),
                Some(above) if above > own_layer => faults.push(format!(
                    "www/src/{own} imports {target}: {} lies above {}, and imports go down only",
                    LAYERS.get(above).unwrap_or(&""),
                    LAYERS.get(own_layer).unwrap_or(&""),
                )),
                Some(_) => {}
            }
        }
    }
    none(&faults);
}

#[test]
fn the_front_end_has_no_circle_of_imports() {
    let mut left: BTreeMap<String, BTreeSet<String>> = front_end()
        .into_iter()
        .map(|(own, text)| {
            let targets = imports(&text).into_iter().filter(|from| from.starts_with('.'));
            (own.clone(), targets.map(|from| format!("{}.ts", resolve(&own, &from))).collect())
        })
        .collect();
    // What imports nothing that is left is in no circle, and neither is what nothing left imports.
    loop {
        let before = left.len();
        let files: BTreeSet<String> = left.keys().cloned().collect();
        left.retain(|_, targets| {
            targets.retain(|target| files.contains(target));
            !targets.is_empty()
        });
        let imported: BTreeSet<String> = left.values().flatten().cloned().collect();
        left.retain(|file, _| imported.contains(file));
        if left.len() == before {
            break;
        }
    }
    let circles: Vec<String> = left
        .iter()
        .map(|(file, targets)| {
            let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
            format!("www/src/{file} imports {}: part of a circle", targets.join(" and "))
        })
        .collect();
    none(&circles);
}

#[test]
fn the_page_has_the_version_of_the_workspace() {
    let manifest = read(&root().join("Cargo.toml"));
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = ")).unwrap_or_default();
    let page = read(&root().join("www/src/base/version.ts"));
    let wanted = format!("export const version = {};", version.replace('"', "'"));
    assert!(page.contains(&wanted), "www/src/base/version.ts lacks `{wanted}`");
}

/// The files of the front-end as seen from `www/src`, with their text.
fn front_end() -> Vec<(String, String)> {
    files()
        .into_iter()
        .filter(|path| path.starts_with("www/src/") && path.ends_with(".ts"))
        .map(|path| (path.trim_start_matches("www/src/").to_string(), read(&root().join(&path))))
        .collect()
}

/// From where the `import … from '…'`, `export … from '…'` and `import '…'` statements of a file import.
fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut statement = String::new();
    for line in text.lines() {
        let starts = line.starts_with("import ")
            || line.starts_with("export {")
            || line.starts_with("export *")
            || line.starts_with("export type {")
            || line.starts_with("export type *");
        if starts {
            statement.clear();
        } else if statement.is_empty() {
            continue;
        }
        statement.push_str(line);
        statement.push(' ');
        if line.trim_end().ends_with(';') {
            found.extend(statement.rsplit('\'').nth(1).map(str::to_string));
            statement.clear();
        }
    }
    found
}

/// `from` as seen from the file `own`, both relative to `www/src`.
fn resolve(own: &str, from: &str) -> String {
    let mut parts: Vec<&str> = own.split('/').collect();
    parts.pop();
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// The layer of a file: the deepest one whose folder it lies in.
fn layer(path: &str) -> Option<usize> {
    let folder = path.rsplit_once('/').map_or(MAIN, |(folder, _)| folder);
    let is_within = |layer: &str| folder.strip_prefix(layer).is_some_and(|rest| rest.starts_with('/'));
    let is_divided = |layer: &str| LAYERS.iter().any(|other| other.starts_with(&format!("{layer}/")));
    LAYERS.iter().position(|layer| folder == *layer || (is_within(layer) && !is_divided(layer)))
}
