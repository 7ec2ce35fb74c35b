//! The licences of what others wrote and we ship: of the page (`www/licences.txt`), of the program (`crates/steplens-cli/licences.txt`), of the
//! core in the npm package (`npm/licences.txt`), and of the Python package (`python/steplens/licences.txt`).
//!
//! They are made from the lock files and the packages' own files, and must be those of today's lock files.
//! `STEPLENS_BLESS=1 cargo test --package steplens-tests --test all licences::` writes them again.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};
use steplens_tests::repository::root;

/// What a package is shipped in: the crate it starts from, the only feature of that where it is made with one, and for which machine. The texts are the
/// same for the others: more crates only call Windows or macOS.
type Start = (&'static str, Option<&'static str>, &'static str);
const WASM: Start = ("steplens-wasm", Some("page"), "wasm32-unknown-unknown");
const PARQUET: Start = ("steplens-parquet-wasm", None, "wasm32-unknown-unknown");
const NPM_CORE: Start = ("steplens-wasm", Some("npm"), "wasm32-unknown-unknown");
const PROGRAM: Start = ("steplens-cli", Some("duckdb"), "x86_64-unknown-linux-gnu");
const PROGRAM_IN_PYTHON: Start = ("steplens-cli", None, "x86_64-unknown-linux-gnu");
const PYTHON: Start = ("steplens-python", None, "x86_64-unknown-linux-gnu");

/// How the files of a package that hold its licence begin, in the order in which they are wanted.
const NAMES: [&str; 9] = [
    "LICENSE-MIT",
    "LICENSE_MIT",
    "LICENSE.MIT",
    "LICENSE-APACHE",
    "LICENSE-ZLIB",
    "LICENSE-UNICODE",
    "LICENSE",
    "LICENCE",
    "COPYING",
];

/// A package that we ship.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Package {
    name: String,
    version: String,
    licence: String,
    authors: String,
    folder: PathBuf,
}

#[test]
fn licences_are_those_of_what_the_lock_files_ship() {
    let Some(program) = crates(PROGRAM) else { return };
    let Some(python) = crates(PYTHON) else { return };
    let Some(program_in_python) = crates(PROGRAM_IN_PYTHON) else { return };
    let Some(wasm) = crates(WASM) else { return };
    let Some(parquet) = crates(PARQUET) else { return };
    let Some(npm_core) = crates(NPM_CORE) else { return };
    let npm = npm_packages();
    let page: BTreeSet<_> = wasm.union(&npm).chain(&parquet).cloned().collect();
    // `report` writes the page, which is in the program.
    let mut program: BTreeSet<_> = program.union(&page).cloned().collect();
    program.insert(font());
    // That package is the program, too.
    let mut python: BTreeSet<_> = python.union(&program_in_python).chain(&page).cloned().collect();
    python.insert(font());
    compare("www/licences.txt", "the page", &page);
    compare("crates/steplens-cli/licences.txt", "the program, and the page in it", &program);
    compare("python/steplens/licences.txt", "the Python package, and the page in it", &python);
    // The viewer in that package has the page's.
    compare("npm/licences.txt", "the core of the npm package", &npm_core);
}

/// What the program draws pictures with: no package brings it in the form that is needed.
fn font() -> Package {
    Package {
        name: "Arimo (@fontsource/arimo)".to_owned(),
        version: "5.3.0".to_owned(),
        licence: "OFL-1.1".to_owned(),
        authors: String::new(),
        folder: root().join("crates/steplens-host/fonts"),
    }
}

fn compare(path: &str, what: &str, packages: &BTreeSet<Package>) {
    let wanted = text(what, packages);
    let file = root().join(path);
    if env::var_os("STEPLENS_BLESS").is_some() {
        fs::write(&file, &wanted).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    let first = found.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
    assert!(
        found == wanted,
        "{path} is not what the lock files say ({first:?}). Run STEPLENS_BLESS=1 cargo test --package steplens-tests --test all licences::"
    );
}

/// What others wrote of a crate of ours: what is linked into it. `None`, said aloud, where cargo has not got it all.
fn crates((start, feature, target): Start) -> Option<BTreeSet<Package>> {
    // Its features are those of the product: `metadata` adds what tests ask for.
    let tree = ["tree", "--package", start, "--target", target, "--edges", "normal,no-proc-macro"];
    let only = feature.map(|feature| ["--no-default-features", "--features", feature]);
    let form = ["--prefix", "none", "--format", "{p}"];
    let linked = cargo(&[&tree[..], only.as_ref().map_or(&[], |only| &only[..]), &form].concat());
    let more = feature.map(|feature| format!("{start}/{feature}"));
    let more = more.as_ref().map(|more| ["--features", more]);
    let all = ["metadata", "--format-version", "1", "--filter-platform", target];
    let metadata = cargo(&[&all[..], more.as_ref().map_or(&[], |more| &more[..])].concat());
    let (Some(linked), Some(metadata)) = (linked, metadata) else {
        let mut stderr = io::stderr();
        writeln!(stderr, "NOT TESTED: licences of {start}, because cargo has no packages for {target} here")
            .unwrap();
        return None;
    };
    // `name v1.2.3`, and for what stands twice a mark behind it.
    let titles: BTreeSet<String> =
        linked.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let title = |package: &Value| format!("{} v{}", word(&package["name"]), word(&package["version"]));
    let theirs = list(&metadata["packages"])
        .filter(|package| !package["source"].is_null() && titles.contains(&title(package)));
    let package = |package: &Value| Package {
        name: word(&package["name"]),
        version: word(&package["version"]),
        licence: word(&package["license"]).replace('/', " OR "),
        authors: list(&package["authors"]).map(word).collect::<Vec<_>>().join(", "),
        folder: Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned(),
    };
    let found: BTreeSet<Package> = theirs.map(package).collect();
    let ours = titles.iter().filter(|title| title.starts_with("steplens-")).count();
    assert_eq!(found.len() + ours, titles.len(), "{titles:?}");
    Some(found)
}

/// What cargo prints, if it can without a network.
fn cargo(arguments: &[&str]) -> Option<String> {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let said = Command::new(cargo)
        .args(arguments)
        .args(["--locked", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    said.status.success().then(|| String::from_utf8(said.stdout).unwrap())
}

/// What the page bundles: the dependencies of `www/package.json` as its lock file has them, and theirs.
fn npm_packages() -> BTreeSet<Package> {
    let www = root().join("www");
    let lock: Value =
        serde_json::from_str(&fs::read_to_string(www.join("package-lock.json")).unwrap()).unwrap();
    let shipped = lock["packages"].as_object().unwrap().iter();
    let shipped = shipped.filter(|(path, package)| !path.is_empty() && package["dev"] != Value::Bool(true));
    let package = |(path, package): (&String, &Value)| {
        let folder = www.join(path);
        let manifest = fs::read_to_string(folder.join("package.json")).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        let author = &manifest["author"];
        Package {
            name: path.trim_start_matches("node_modules/").to_owned(),
            version: word(&package["version"]),
            licence: word(&package["license"]),
            authors: author.as_str().map_or_else(|| word(&author["name"]), str::to_owned),
            folder,
        }
    };
    shipped.map(package).collect()
}

/// The list, and then each text once, with the packages that it is of.
fn text(what: &str, packages: &BTreeSet<Package>) -> String {
    let mut text = format!(
        "What others wrote and {what} of Steplens contains, with its licences. Made from the lock files by tests/tests/licences.rs.\n\n"
    );
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages {
        let title = format!("{} {}", package.name, package.version);
        writeln!(text, "{title}: {}", package.licence).unwrap();
        for own in texts_of(package) {
            texts.entry(own).or_default().push(title.clone());
        }
    }
    text += "The Rust standard library: MIT OR Apache-2.0\n";
    let apache = own_text("LICENSE-APACHE");
    texts.entry(apache).or_default().push("the Rust standard library".to_owned());
    let mut texts: Vec<(Vec<String>, String)> = texts.into_iter().map(|(text, of)| (of, text)).collect();
    texts.sort();
    for (of, own) in texts {
        write!(text, "\n{}\n{}\n\n{own}\n", "-".repeat(80), of.join(", ")).unwrap();
    }
    text
}

/// The texts of a package's licence, of several that one may choose from the first that it brings; and what it wants to be said besides.
fn texts_of(package: &Package) -> Vec<String> {
    let mut files: Vec<(usize, String)> = Vec::new();
    let mut notices = Vec::new();
    for entry in fs::read_dir(&package.folder).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if !entry.path().is_file() {
            continue;
        }
        if name.starts_with("NOTICE") {
            notices.push(tidied(&fs::read_to_string(entry.path()).unwrap()));
        }
        if let Some(place) = NAMES.iter().position(|wanted| name.starts_with(wanted)) {
            files.push((place, fs::read_to_string(entry.path()).unwrap()));
        }
    }
    files.sort();
    let both = package.licence.contains(" AND ");
    let mut texts: Vec<String> = files.iter().map(|(_, text)| tidied(text)).collect();
    texts.truncate(if both { texts.len() } else { 1 });
    if texts.is_empty() {
        texts.push(standard_text(package));
    }
    texts.extend(notices);
    texts
}

/// Of a package that names its licence and brings no text of it.
fn standard_text(package: &Package) -> String {
    let authors = if package.authors.is_empty() { "its authors" } else { &package.authors };
    if package.licence.contains("MIT") {
        let permission = own_text("LICENSE-MIT");
        let permission = permission.split_once("Permission is hereby granted").unwrap().1;
        return format!("MIT License\n\nCopyright (c) {authors}\n\nPermission is hereby granted{permission}");
    }
    assert!(package.licence.contains("Apache-2.0"), "{package:?} brings no text of its licence");
    format!("Copyright {authors}\n\n{}", own_text("LICENSE-APACHE"))
}

fn own_text(name: &str) -> String {
    tidied(&fs::read_to_string(root().join(name)).unwrap())
}

/// Without spaces at the ends of lines, so that equal texts are equal.
fn tidied(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
