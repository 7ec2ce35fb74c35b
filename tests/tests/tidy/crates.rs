//! The crates: which may depend on which, what they forbid themselves, and which have tests.

use super::{files, none};
use steplens_tests::repository::{read, root};

/// Each crate, and every crate of ours that it may depend on; what it asks that one for is `CRATE/FEATURE`. A new arrow is a commit of its own.
const ARROWS: [(&str, &[&str]); 14] = [
    ("crates/steplens-messages", &[]),
    ("crates/steplens-core", &["steplens-messages"]),
    ("crates/steplens-proto", &[]),
    ("crates/steplens-formats", &["steplens-core", "steplens-messages", "steplens-proto"]),
    ("crates/steplens-report", &["steplens-core", "steplens-messages"]),
    ("crates/steplens-export", &["steplens-core", "steplens-messages", "steplens-report", "steplens-proto"]),
    ("crates/steplens-parquet-wasm", &["steplens-export", "steplens-export/parquet"]),
    (
        "crates/steplens-wasm",
        &[
            "steplens-core",
            "steplens-export",
            "steplens-export/picture",
            "steplens-formats",
            "steplens-messages",
            "steplens-report",
        ],
    ),
    (
        "crates/steplens-host",
        &[
            "steplens-core",
            "steplens-export",
            "steplens-export/parquet",
            "steplens-export/picture",
            "steplens-formats",
            "steplens-messages",
            "steplens-report",
        ],
    ),
    (
        "crates/steplens-cli",
        &[
            "steplens-core",
            "steplens-export",
            "steplens-export/picture",
            "steplens-formats",
            "steplens-host",
            "steplens-messages",
            "steplens-report",
            "steplens-report/program",
        ],
    ),
    (
        "crates/steplens-python",
        &[
            "steplens-cli",
            "steplens-core",
            "steplens-export",
            "steplens-export/arrow",
            "steplens-formats",
            "steplens-host",
            "steplens-messages",
            "steplens-report",
        ],
    ),
    (
        "tests",
        &[
            "steplens-core",
            "steplens-export",
            "steplens-export/parquet",
            "steplens-export/picture",
            "steplens-formats",
            "steplens-host",
            "steplens-messages",
            "steplens-report",
        ],
    ),
    ("fuzz", &["steplens-core", "steplens-formats", "steplens-tests"]),
    ("xtask", &["steplens-messages"]),
];

#[test]
fn crates_depend_only_along_the_arrows() {
    let mut faults = Vec::new();
    for (folder, allowed) in ARROWS {
        let manifest = read(&root().join(folder).join("Cargo.toml"));
        for name in our_dependencies(&manifest) {
            if !allowed.contains(&name.as_str()) {
                faults.push(format!("{folder} depends on {name}, and may depend on {allowed:?}"));
            }
        }
    }
    for manifest in files().into_iter().filter(|path| path.ends_with("Cargo.toml")) {
        let folder = manifest.trim_end_matches("/Cargo.toml");
        if manifest != "Cargo.toml" && !ARROWS.iter().any(|(known, _)| *known == folder) {
            faults.push(format!("{folder} is a crate without a row in ARROWS"));
        }
    }
    none(&faults);
}

#[test]
fn unsafe_code_is_forbidden_where_bytes_are_read() {
    let faults: Vec<String> = ["core", "export", "formats", "report"]
        .map(|name| format!("crates/steplens-{name}/src/lib.rs"))
        .into_iter()
        .filter(|path| !read(&root().join(path)).contains("#![forbid(unsafe_code)]"))
        .map(|path| format!("{path} lacks #![forbid(unsafe_code)]"))
        .collect();
    none(&faults);
}

#[test]
fn what_a_manifest_says_has_no_tests_has_none() {
    let mut faults = Vec::new();
    let mut checked = 0;
    for manifest in files().iter().filter(|path| path.ends_with("Cargo.toml")) {
        let folder = manifest.trim_end_matches("Cargo.toml");
        let text = read(&root().join(manifest));
        for section in text.split("\n[").filter(|section| section.lines().any(|line| line == "test = false"))
        {
            // A library has all that is in the folder; a program, in these manifests, its own file.
            let value = |key: &str| Some(section.split_once(&format!("\n{key} = \""))?.1.split_once('"')?.0);
            let source = match section.starts_with("lib]") {
                true => format!("{folder}src/"),
                false => match (value("path"), value("name")) {
                    (Some(path), _) => format!("{folder}{path}"),
                    (None, name) => format!("{folder}src/bin/{}.rs", name.unwrap_or_default()),
                },
            };
            let own: Vec<String> = files().into_iter().filter(|path| path.starts_with(&source)).collect();
            checked += own.len();
            if own.is_empty() {
                faults.push(format!("{manifest}: there is no {source}"));
            }
            let has_test = |path: &String| read(&root().join(path)).contains("#[test]");
            faults.extend(own.into_iter().filter(has_test).map(|path| format!("{path}: never run")));
        }
    }
    assert!(checked > 10, "{checked} files");
    none(&faults);
}

/// The crates of this workspace that a manifest names as dependencies of any kind, and the features that it asks of each.
fn our_dependencies(manifest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut in_dependencies = false;
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            in_dependencies = section.trim_end_matches(']').ends_with("dependencies");
        } else if in_dependencies && (line.starts_with("steplens-") || line.starts_with("xtask")) {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let features = line.split_once("features = [").map_or("", |(_, list)| list);
            // Every other piece between quotes is what divides them.
            let features = features.split('"').skip(1).step_by(2).map(|feature| format!("{name}/{feature}"));
            names.push(name.to_owned());
            names.extend(features);
        }
    }
    names
}
