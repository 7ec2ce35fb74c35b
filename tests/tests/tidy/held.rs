//! What files must not hold: words that the layer must never contain, and what one machine alone knows.

use super::{extension, files, is_comment, none};
use std::fs;
use steplens_tests::repository::{read, root};

/// Words that must not appear in the code (comments apart) of some files, and the reason.
struct Ban {
    under: &'static str,
    extensions: &'static [&'static str],
    words: &'static [&'static str],
    /// Longer words that are fine though they hold a forbidden one.
    except: &'static [&'static str],
    because: &'static str,
}

const FOLDERS_OF_ONE_CLONE: &[&str] =
    &["env!(\"CARGO_MANIFEST_DIR\")", "env!(\"CARGO_TARGET_TMPDIR\")", "env!(\"CARGO_BIN_EXE"];
const SERVES_EVERY_CLONE: &str =
    "what is compiled may serve another clone, so it asks as it runs: `tests/src/places.rs`";

const BANS: [Ban; 12] = [
    Ban {
        under: "crates",
        extensions: &["rs"],
        words: FOLDERS_OF_ONE_CLONE,
        except: &[],
        because: SERVES_EVERY_CLONE,
    },
    Ban {
        under: "tests",
        extensions: &["rs"],
        words: FOLDERS_OF_ONE_CLONE,
        except: &[],
        because: SERVES_EVERY_CLONE,
    },
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
