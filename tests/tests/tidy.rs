//! The architecture as rules that a machine can check; ARCHITECTURE.md has them in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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

/// Words that must not appear in the code (comments apart) of some files, and the reason.
struct Ban {
    under: &'static str,
    extensions: &'static [&'static str],
    words: &'static [&'static str],
    /// Longer words that are fine though they hold a forbidden one.
    except: &'static [&'static str],
    because: &'static str,
}

const BANS: [Ban; 10] = [
    Ban {
        under: "crates/steplens-export",
        extensions: &["rs", "toml"],
        words: &[
            "std::fs",
            "std::net",
            "std::env",
            "std::thread",
            "std::time",
            "wasm_bindgen",
            "js_sys",
            "serde",
        ],
        except: &[],
        because: "an export is written to any sink, by the page and by the program alike",
    },
    Ban {
        under: "crates/steplens-export/src/parquet",
        extensions: &["rs"],
        words: &["arrow"],
        except: &[],
        because: "Arrow would be a second model of the tables",
    },
    Ban {
        under: "crates/steplens-core",
        extensions: &["rs", "toml"],
        words: &[
            "std::fs",
            "std::net",
            "std::io",
            "std::time",
            "std::thread",
            "std::env",
            "serde",
            "wasm_bindgen",
            "js_sys",
            "prost",
        ],
        except: &[],
        because: "the core has no input or output, clock, threads, serialisation or JavaScript",
    },
    Ban {
        under: "crates/steplens-formats",
        extensions: &["rs", "toml"],
        words: &["std::fs", "std::net", "std::thread", "std::time", "wasm_bindgen", "js_sys"],
        except: &[],
        because: "formats turn bytes into a trace, wherever the bytes are from",
    },
    Ban {
        under: "crates/steplens-host/src",
        extensions: &["rs"],
        words: &["println", "anstyle", "anstream", "terminal_size", "Subcommand", "wasm_bindgen", "pyo3"],
        except: &[],
        because: "the host has what the program and Python do alike, and neither commands nor answers on a terminal",
    },
    Ban {
        under: "crates/steplens-report/src/overview",
        extensions: &["rs"],
        words: &["parquet::", "steplens_core"],
        except: &[],
        because: "the summary of a fleet is made and read without a trace, by the page and by the program alike",
    },
    Ban {
        under: "crates/steplens-report/src",
        extensions: &["rs"],
        words: &[
            "std::fs",
            "std::net",
            "std::env",
            "std::thread",
            "std::time",
            "std::process",
            "stdout",
            "stderr",
            "println",
            "terminal",
            "anstyle",
            "wasm_bindgen",
            "js_sys",
            "web_sys",
        ],
        except: &[],
        because: "the report says what the analyses say, to the page and to the program alike",
    },
    Ban {
        under: "www/src",
        extensions: &["ts"],
        words: &[
            ".innerHTML",
            ".outerHTML =",
            ".outerHTML=",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
        ],
        // A tag of the build's own list of languages, before any trace is there.
        except: &["document.write(`<script src=\"${language}.js\"></script>`)"],
        because: "names in a trace are hostile text; only textContent shows them",
    },
    Ban {
        under: "www",
        extensions: &["ts", "css", "html", "webmanifest"],
        words: &["http://", "https://", "@import", "url(//"],
        except: &["http://www.w3.org/"],
        because: "the page loads nothing but its own files",
    },
    Ban {
        under: "index.html",
        extensions: &["html"],
        words: &[
            "http://",
            "https://",
            "src=\"//",
            " onclick=",
            " onload=",
            "javascript:",
            "'unsafe-inline'",
            "'unsafe-eval'",
        ],
        except: &[],
        because: "the page loads nothing but its own files and runs no inline script",
    },
];

/// What only this or that machine knows, and must not be in any file: where its user's settings lie, and
/// the hosts of package registries (which are put together here, so that this file does not hold them either).
fn foreign() -> Vec<String> {
    let hosts = [("registry.npm", "js.org"), ("index.crates", ".io"), ("static.crates", ".io")];
    let more = [("files.python", "hosted.org"), ("deb.deb", "ian.org")];
    let mut words: Vec<String> =
        hosts.iter().chain(&more).map(|(start, end)| format!("{start}{end}")).collect();
    words.extend(std::env::var("HOME").ok().filter(|home| home.len() > 1).map(|home| format!("{home}/.")));
    words
}

/// Folders that are made, not written.
const PRODUCTS: [&str; 8] = [
    ".git",
    "target",
    "dist",
    "node_modules",
    "www/build",
    "tests/fixtures",
    "fuzz/corpus",
    "fuzz/artifacts",
];

/// What a file opens with: one sentence of purpose in the language's comment.
const OPENINGS: [(&str, &str); 6] =
    [("rs", "//!"), ("ts", "//"), ("mjs", "//"), ("proto", "//"), ("css", "/*"), ("py", "\"\"\"")];

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
fn no_file_uses_what_its_layer_must_never_contain() {
    let mut faults = Vec::new();
    for ban in &BANS {
        let banned = |path: &String| {
            path.starts_with(ban.under)
                && ban.extensions.contains(&extension(path))
                && !path.ends_with("tsconfig.json")
        };
        for path in files().into_iter().filter(banned) {
            for (number, line) in
                read(&root().join(&path)).lines().enumerate().filter(|(_, line)| !is_comment(line))
            {
                let line = ban.except.iter().fold(line.to_string(), |line, fine| line.replace(fine, ""));
                for word in ban.words.iter().filter(|word| line.contains(**word)) {
                    faults.push(format!("{path}:{}: `{word}`, but {}", number + 1, ban.because));
                }
            }
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

#[test]
fn the_page_has_the_version_of_the_workspace() {
    let manifest = read(&root().join("Cargo.toml"));
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = ")).unwrap_or_default();
    let page = read(&root().join("www/src/base/version.ts"));
    let wanted = format!("export const version = {};", version.replace('"', "'"));
    assert!(page.contains(&wanted), "www/src/base/version.ts lacks `{wanted}`");
}

#[test]
fn no_file_knows_this_or_that_machine() {
    let mut faults = Vec::new();
    let foreign = foreign();
    for path in files() {
        // What is not text holds no paths that anyone reads.
        let Ok(text) = fs::read_to_string(root().join(&path)) else {
            continue;
        };
        let held = foreign.iter().filter(|word| text.contains(word.as_str()));
        faults.extend(held.map(|word| format!("{path} holds `{word}`")));
    }
    none(&faults);
}

#[track_caller]
fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("could not read {}: {e}", path.display()))
}

/// Every file that people write, relative to the root, with `/` between the parts.
fn files() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(root().join(&folder)).unwrap_or_else(|e| panic!("could not list {folder}: {e}"));
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if PRODUCTS.contains(&name.as_str()) || PRODUCTS.contains(&path.as_str()) {
                continue;
            }
            if entry.path().is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "* ", "#"].iter().any(|comment| line.starts_with(comment)) && !line.starts_with("#[")
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
