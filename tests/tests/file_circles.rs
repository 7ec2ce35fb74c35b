//! No circle of files in any crate: whoever reads a file can read what it imports before it, and never comes back.
//!
//! A file imports another one by the paths of its `use`s; names that a `mod.rs` or `lib.rs` hands on count for the file that they
//! are from. What a file takes from the `mod.rs` above it is no arrow: that is its folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use steplens_tests::repository::{files_below, has_ending, read, root};
use syn::{Item, UseTree, Visibility};

/// Where a module is in its crate: `["transfers", "draft"]`.
type Module = Vec<String>;

/// A file of a crate: what it imports, and what it hands on by which name.
#[derive(Default)]
struct File {
    imports: Vec<Module>,
    handed_on: BTreeMap<String, Module>,
}

#[test]
fn no_files_import_one_another_in_a_circle() {
    let mut faults = Vec::new();
    let mut known = 0;
    for entry in fs::read_dir(root().join("crates")).expect("the crates can be listed") {
        let source = entry.expect("an entry can be read").path().join("src");
        if source.is_dir() {
            let files = files_of(&source);
            known += files.len();
            faults.extend(circles(&arrows(&files)).into_iter().map(|circle| {
                let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
                format!("{}: {}", source.display(), names.join(", "))
            }));
        }
    }
    assert!(known > 300, "{known} files");
    assert!(faults.is_empty(), "files that import one another in a circle:\n{}", faults.join("\n"));
}

fn files_of(source: &Path) -> BTreeMap<Module, File> {
    let files = files_below(source, &[]).into_iter().filter(|path| has_ending(path, &["rs"]));
    let file = |path: PathBuf| {
        let module = module_of(source, &path);
        let file = file_of(&module, &read(&path));
        (module, file)
    };
    files.map(file).collect()
}

/// `transfers/mod.rs` and `transfers.rs` are the module `transfers`; `lib.rs` and `main.rs` are the crate.
fn module_of(source: &Path, path: &Path) -> Module {
    let inner: PathBuf = path.strip_prefix(source).expect("it is below").with_extension("");
    let mut module: Module = inner.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        module.pop();
    }
    module
}

/// The `use`s of a file, and nothing else of it: what is not within another item begins its line, as rustfmt writes it, and reading all of a file took
/// twelve times as long.
fn uses_of(text: &str) -> String {
    let mut uses = String::new();
    let mut is_within = false;
    for line in text.lines() {
        let (first, after) = line.split_once(' ').unwrap_or((line, ""));
        is_within |= first == "use" || (first.starts_with("pub") && after.starts_with("use "));
        if is_within {
            uses.push_str(line);
            uses.push('\n');
            is_within = !line.trim_end().ends_with(';');
        }
    }
    uses
}

fn file_of(module: &[String], text: &str) -> File {
    let mut file = File::default();
    for item in syn::parse_file(&uses_of(text)).expect("a `use` is Rust").items {
        let Item::Use(item) = item else { continue };
        let mut paths = Vec::new();
        walk(&item.tree, &mut Vec::new(), &mut paths);
        for (path, name) in paths {
            let Some(path) = absolute(module, path) else { continue };
            if !matches!(item.vis, Visibility::Inherited) {
                file.handed_on.insert(name, path.clone());
            }
            file.imports.push(path);
        }
    }
    file
}

/// Each path of a `use`, and the name that it gets.
fn walk(tree: &UseTree, before: &mut Vec<String>, paths: &mut Vec<(Vec<String>, String)>) {
    let with = |name: String| before.iter().cloned().chain([name]).collect::<Vec<_>>();
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            walk(&path.tree, before, paths);
            before.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| walk(tree, before, paths)),
        UseTree::Name(name) if name.ident == "self" => paths.push((before.clone(), String::new())),
        UseTree::Name(name) => paths.push((with(name.ident.to_string()), name.ident.to_string())),
        UseTree::Rename(name) => paths.push((with(name.ident.to_string()), name.rename.to_string())),
        UseTree::Glob(_) => paths.push((before.clone(), String::new())),
    }
}

/// `path`, seen from the crate's root. A path that begins with none of `crate`, `self` and `super` is of another crate, or of a
/// file below: then it may be either, and the arrow to a missing file is dropped later.
fn absolute(module: &[String], path: Vec<String>) -> Option<Module> {
    let mut at = module.to_vec();
    let mut rest = path.iter().peekable();
    match rest.peek()?.as_str() {
        "crate" => {
            rest.next();
            at.clear();
        }
        "self" => {
            rest.next();
        }
        _ => {
            while rest.next_if(|part| *part == "super").is_some() {
                at.pop();
            }
        }
    }
    at.extend(rest.cloned());
    Some(at)
}

/// Each file with the files that it imports.
fn arrows(files: &BTreeMap<Module, File>) -> BTreeMap<Module, BTreeSet<Module>> {
    let of_file = |(module, file): (&Module, &File)| {
        let targets = file.imports.iter().filter_map(|path| target(files, path, 8));
        (module.clone(), targets.filter(|target| !module.starts_with(target)).collect())
    };
    files.iter().map(of_file).collect()
}

/// The file that has what `path` names: the deepest file on the way, and where that hands the name on, the file that it is from.
fn target(files: &BTreeMap<Module, File>, path: &[String], steps: usize) -> Option<Module> {
    let length = (0..=path.len()).rev().find(|&length| files.contains_key(&path[..length]))?;
    let found = path[..length].to_vec();
    let from = path.get(length).and_then(|name| files[&found].handed_on.get(name));
    match from.filter(|from| steps > 0 && from[..] != *path) {
        Some(from) => target(files, from, steps - 1),
        None => Some(found),
    }
}

/// The largest sets of files of which each leads to each other.
fn circles(arrows: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<Vec<Module>> {
    let reached = |start: &Module| {
        let (mut seen, mut front) = (BTreeSet::new(), vec![start.clone()]);
        while let Some(module) = front.pop() {
            for next in arrows.get(&module).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    front.push(next.clone());
                }
            }
        }
        seen
    };
    let all: BTreeMap<&Module, BTreeSet<Module>> =
        arrows.keys().map(|start| (start, reached(start))).collect();
    let on_circle = |(module, seen): (&&Module, &BTreeSet<Module>)| {
        let both = seen.iter().filter(|other| all.get(other).is_some_and(|back| back.contains(*module)));
        both.cloned().collect::<Vec<_>>()
    };
    let found: BTreeSet<Vec<Module>> =
        all.iter().map(on_circle).filter(|circle| !circle.is_empty()).collect();
    found.into_iter().collect()
}

#[test]
fn a_circle_is_found_through_names_that_are_handed_on() {
    let file = |module: &str, text: &str| {
        let module: Module = module.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
        (module.clone(), file_of(&module, text))
    };
    let mut files: BTreeMap<Module, File> = [
        file("", "pub use a::Top;"),
        file("a", "mod b;\nmod c;\npub use b::{B, Other as Top};\nuse c::C;"),
        file("a::b", "use crate::a::c::{self, C};"),
        file("a::c", "use super::Shared;"),
    ]
    .into_iter()
    .collect();
    assert!(circles(&arrows(&files)).is_empty());
    files.extend([file("a::c", "use crate::Top;")]);
    let circle = [["a", "b"], ["a", "c"]].map(|module| module.map(str::to_owned).to_vec());
    assert_eq!(circles(&arrows(&files)), [circle.to_vec()]);
}
