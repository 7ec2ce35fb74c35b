//! No sentence for a user is a literal in Rust: as the lint `words/from-catalogue` demands of the page.

use super::rust_files;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::str::FromStr;
use steplens_tests::repository::{read, root};

/// In `crates/`, behind `steplens-`. Of exports only pictures: the others have names in files of other tools.
const FOLDERS: [&str; 7] =
    ["core/src", "formats/src", "report/src", "export/src/picture", "host/src", "wasm/src", "cli/src"];

/// Texts with words in them that are no sentences: names in files of others, and what marks our own page.
const NAMES: [(&str, &[&str]); 33] = [
    // Fonts.
    (
        "steplens-export/src/picture/scene.rs",
        &["Helvetica,Arial,'Liberation Sans','DejaVu Sans','Noto Sans','PingFang SC','Microsoft YaHei',\
             'Noto Sans CJK SC','Noto Sans SC','WenQuanYi Zen Hei',sans-serif"],
    ),
    // As compilers write it.
    ("steplens-cli/src/render/cpp.rs", &["(anonymous namespace)"]),
    // Names of lines that profilers give; they are compared with what a file says.
    (
        "steplens-formats/src/lines.rs",
        &[
            "Sparse Core Ops",
            "Framework Ops",
            "Sparse Core Modules",
            "Async XLA Ops",
            "Sparse Core Steps",
            "Framework Name Scope",
            "Source code",
            "XLA Ops",
            "TensorFlow Ops",
            "XLA Modules",
            "XLA TraceMe",
            "TensorFlow Name Scope",
            "XLA Async Ops",
            "Launch Stats",
            "Stream #",
        ],
    ),
    // What PyTorch's first profiler calls times of a GPU.
    ("steplens-core/src/gpu/event_pairs.rs", &["CUDA functions"]),
    // Python's frames, as Kineto names the device that holds them; the names of devices without one, which files keep.
    ("steplens-core/src/model/device.rs", &[" (Python frames)"]),
    ("steplens-core/src/build/builder/finish.rs", &["(unnamed device)"]),
    ("steplens-formats", &["(unnamed device)"]),
    // SQL.
    (
        "steplens-cli/src/commands/fleet",
        &[
            "SELECT to_json(list(column_name)) AS columns FROM (DESCRIBE\n{}\n)",
            "{query}\nLIMIT {rows}",
            "CASE WHEN isfinite({name}) THEN to_json({name}) ELSE to_json(CAST({name} AS VARCHAR)) END",
            "SELECT CAST(json_array({}) AS VARCHAR) FROM (\n{}\n) AS answer ({})",
            "SELECT column_name, column_type FROM (DESCRIBE\n{query}\n)",
        ],
    ),
    (
        "steplens-host/src/fleet",
        &[
            "CAST({value} AS {kind}) AS {name}",
            "CREATE OR REPLACE TEMP VIEW asked AS SELECT {}",
            "CAST(NULL AS {}) AS {}",
            "SELECT {} FROM read_parquet({}, hive_partitioning = true, hive_types_autocast = false, union_by_name = true)",
            "SELECT {} WHERE false",
            "CAST({} AS {})",
            " UNION ALL SELECT {}",
            "CREATE OR REPLACE TEMP VIEW {} AS {rows}",
        ],
    ),
    // HTTP, and what it serves.
    (
        "steplens-host/src/live/server",
        &["{}={}; HttpOnly; SameSite=Strict; Path=/", "<meta name=\"", "GET, HEAD", "bytes {}-{}/{length}"],
    ),
    // C++, and protobuf as text.
    ("steplens-formats", &["(anonymous namespace)::", "dim {"]),
    // TypeScript.
    (
        "steplens-wasm/src/npm/mod.rs",
        &["import type * as Answers from './answers.js';\nimport type { OpColumns } from './columns.js';\n"],
    ),
    // Markup of the page that is shared.
    (
        "steplens-formats/src/export.rs",
        &["\n<script type=\"application/gzip\" class=\"steplens-file\" data-letters=\"base64\">"],
    ),
    // A part of an allocator's name, which files keep.
    ("steplens-core/src/model/memory.rs", &[" (no addresses)"]),
    // Names of arguments that profilers give.
    (
        "steplens-core/src/redact/arguments.rs",
        &[
            "Collective seq",
            "Device Id",
            "Device Type",
            "Ev Idx",
            "External id",
            "Fwd thread id",
            "In msg nelems",
            "Out msg nelems",
            "Python id",
            "Python module id",
            "Python parent id",
            "Group size",
            "Process Group ID",
            "Process Group Name",
            "Process Group Ranks",
            "Collective name",
            "Record function id",
            "Sequence number",
            "Total Allocated",
            "Total Reserved",
            "blocks per SM",
            "est. achieved occupancy %",
            "graph id",
            "graph node id",
            "memory bandwidth (GB/s)",
            "registers per thread",
            "shared memory",
            "warps per SM",
            "Input Dims",
            "Input Strides",
        ],
    ),
    // What profilers call their own events.
    (
        "steplens-core/src/findings/rules/tracing.rs",
        &["activity buffer request", "buffer flush", "resource (profiler)"],
    ),
    // A process of PyTorch's first profiler, and what its profilers call the types of elements and themselves.
    ("steplens-core/src/build/builder/outer.rs", &["pid CUDA functions"]),
    (
        "steplens-core/src/model/input_bytes.rs",
        &["long int", "long long", "short int", "signed char", "unsigned char"],
    ),
    ("steplens-core/src/findings/rules/training_mode.rs", &["long int", "long long"]),
    ("steplens-core/src/causality/began.rs", &["PyTorch Profiler ("]),
    // What CUPTI calls a launch that waits, and PyTorch a graph that it compiled.
    ("steplens-core/src/gpu/overhead.rs", &["Command Buffer Full"]),
    ("steplens-core/src/findings/compiled.rs", &["## Call CompiledFxGraph"]),
    // What XLA's runtime calls its functions and programs.
    (
        "steplens-core/src/model/category/names.rs",
        &["Resolve constant globals", "Build buffer allocations", ":XLA GPU module"],
    ),
    // What PyTorch's profiler says of collectives, and Ascend's of its processes.
    (
        "steplens-core/src/model/collective.rs",
        &[
            "Collective name",
            "Process Group Name",
            "Process Group ID",
            "Process Group Description",
            "Process Group Ranks",
            "Group size",
            "In msg nelems",
        ],
    ),
    ("steplens-formats/src/chrome/kinds.rs", &["Ascend Hardware", "Overlap Analysis"]),
    // What Ascend's HCCL writes at its tasks.
    ("steplens-core/src/collectives/notified.rs", &["src rank", "dst rank"]),
    // The number of a stat that has no name.
    ("steplens-formats/src/xspace/arguments.rs", &["stat {id}"]),
    (
        "steplens-core/src/model/arguments/noun.rs",
        &[
            "Input Dims",
            "Input dims",
            "Input type",
            "Input Types",
            "Input Strides",
            "Concrete Inputs",
            "Module Hierarchy",
            "Call stack",
            "registers per thread",
            "shared memory",
            "est. achieved occupancy %",
            "memory bandwidth (GB/s)",
        ],
    ),
    // How C++ writes what has no name.
    ("steplens-core/src/questions/kernels.rs", &["(anonymous namespace)::"]),
    ("steplens-report/src/names/kernel.rs", &["(anonymous namespace)::"]),
    // What PyTorch's first profilers call the process of operators.
    ("steplens-core/src/causality/ranges_alone.rs", &["CPU functions"]),
    // What XLA calls its wait for the ops of a program.
    ("steplens-core/src/build/builder/elsewhere.rs", &["ThunkExecutor::Execute (wait for completion)"]),
    // An option of the program.
    ("steplens-cli/src/commands/clocks_first.rs", &["--clocks estimated"]),
];

/// Units, and our own name, which are the same in every language.
const UNITS: [&str; 4] = ["ns", "ms", "s", "steplens"];

/// Macros and functions whose texts only programmers read: what would be our own fault.
const FOR_PROGRAMMERS: [&str; 6] =
    ["assert", "compile_error", "debug_assert", "unreachable", "expect", "panic"];

#[test]
fn sentences_are_in_the_catalogue() {
    let mut faults = Vec::new();
    for folder in FOLDERS {
        for path in rust_files(&root().join(format!("crates/steplens-{folder}"))) {
            let own = path
                .strip_prefix(root().join("crates"))
                .expect("it is a crate")
                .to_string_lossy()
                .into_owned();
            let tokens = TokenStream::from_str(&read(&path)).unwrap_or_else(|why| panic!("{own}: {why}"));
            let mut found = Vec::new();
            literals(tokens, &mut found);
            let is_name = |said: &str| {
                NAMES.iter().any(|(place, names)| own.starts_with(place) && names.contains(&said))
            };
            faults.extend(
                found
                    .into_iter()
                    .filter(|(said, _)| is_english(said) && !is_name(said))
                    .map(|(said, line)| format!("crates/{own}:{line}: {said:?}")),
            );
        }
    }
    assert!(
        faults.is_empty(),
        "these texts belong into crates/steplens-messages/languages/en, and `say!` says them:\n{}",
        faults.join("\n")
    );
}

/// Two words, or one that begins like a sentence: placeholders count as a word.
fn is_english(said: &str) -> bool {
    let words: Vec<&str> = said.split([' ', '\n']).filter(|word| !word.is_empty()).collect();
    let is_word = |word: &str| {
        let word = word.trim_matches(|char: char| char.is_ascii_punctuation() && !"{}/_".contains(char));
        !UNITS.contains(&word)
            && word.len() > 1
            && word.chars().all(|char| char.is_ascii_alphabetic() || char == '\'')
    };
    let is_value = |word: &str| word.starts_with('{') || word.starts_with("({");
    words.windows(2).any(|pair| {
        (is_word(pair[0]) && (is_word(pair[1]) || is_value(pair[1])))
            || (is_value(pair[0]) && is_word(pair[1]))
    })
}

/// The texts in `tokens`, with their lines: without attributes, comments, tests, and what only programmers read.
fn literals(tokens: TokenStream, found: &mut Vec<(String, usize)>) {
    let mut tokens = tokens.into_iter().peekable();
    let mut before = String::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(hash) if hash.as_char() == '#' => {
                // An attribute, of what follows or (with `!`) of all.
                if matches!(tokens.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == '!') {
                    tokens.next();
                }
                let Some(TokenTree::Group(attribute)) = tokens.next() else { continue };
                if attribute.stream().to_string().replace(' ', "") == "cfg(test)" {
                    // The item: up to its braces or semicolon.
                    for token in tokens.by_ref() {
                        match token {
                            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => break,
                            TokenTree::Punct(end) if end.as_char() == ';' => break,
                            _ => {}
                        }
                    }
                }
                continue;
            }
            TokenTree::Group(group) => {
                if !FOR_PROGRAMMERS.contains(&before.as_str()) {
                    literals(group.stream(), found);
                }
            }
            TokenTree::Literal(literal) => {
                let line = literal.span().start().line;
                if let Ok(syn::Lit::Str(said)) = syn::parse_str::<syn::Lit>(&literal.to_string()) {
                    found.push((said.value(), line));
                }
            }
            TokenTree::Ident(name) => {
                before = name.to_string();
                continue;
            }
            // `assert!(`: the name stays.
            TokenTree::Punct(mark) if mark.as_char() == '!' => continue,
            TokenTree::Punct(_) => {}
        }
        before.clear();
    }
}
