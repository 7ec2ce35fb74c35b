//! Makes a table of messages from `languages/`, a folder for each language: `src/text.rs` has the form of their texts.

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "src/plural.rs"]
mod plural;

/// The language that has every message.
const FIRST: &str = "en";

type Patterns = BTreeMap<String, Pattern<String>>;

/// A message as Rust formats it.
struct Formed {
    text: String,
    arguments: BTreeSet<String>,
}

fn main() {
    // Of this package, in which cargo runs this: a whole path would have it run again in another clone.
    let folder = Path::new("languages");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names: Vec<String> =
        listed(folder).iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
    names.sort_by_key(|name| (name != FIRST, name.clone()));
    let languages: Vec<BTreeMap<String, Formed>> = names.iter().map(|name| formed(folder, name)).collect();
    let first = &languages[0];

    let mut made = format!("pub(crate) const FIRST: &str = {FIRST:?};\n");
    made.push_str(
        "#[expect(clippy::large_const_arrays, reason = \"a static would link every text; of this only what is found is\")]\n",
    );
    let mut keys = BTreeMap::new();
    writeln!(made, "pub(crate) const MESSAGES: [Entry; {}] = [", first.len()).unwrap_or_default();
    for (id, Formed { text, arguments }) in first {
        let (key, arguments) = (key(id), arguments.iter().collect::<Vec<_>>());
        let same = keys.insert(key, id);
        assert!(same.is_none(), "{id} and {same:?} have the same key: name one of them otherwise");
        writeln!(
            made,
            "Entry {{ id: {id:?}, arguments: &{arguments:?}, message: Message {{ english: {text:?}, key: {key} }} }},"
        )
        .unwrap_or_default();
    }
    made.push_str("];\n");
    writeln!(made, "static OTHERS: [Language; {}] = [", names.len() - 1).unwrap_or_default();
    for (name, language) in names.iter().zip(&languages).skip(1) {
        let texts = sorted(name, language, first);
        writeln!(made, "Language {{ tag: {name:?}, texts: &{texts:?} }},").unwrap_or_default();
    }
    made.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("messages.rs");
    fs::write(&out, made).unwrap_or_else(|why| panic!("writing {}: {why}", out.display()));
}

/// FNV-1a of a message's id.
fn key(id: &str) -> u32 {
    id.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The texts of a language by their keys, each with no other arguments than in the first.
fn sorted<'a>(
    name: &str,
    language: &'a BTreeMap<String, Formed>,
    first: &BTreeMap<String, Formed>,
) -> Vec<(u32, &'a str)> {
    // What only the page can format in the first language is never said by Rust.
    let texts = language.iter().filter_map(|(id, own)| {
        let wanted = &first.get(id)?.arguments;
        assert!(
            own.arguments.is_subset(wanted),
            "{name}: {id} wants {:?}, and gets {wanted:?}",
            own.arguments
        );
        Some((key(id), own.text.as_str()))
    });
    let mut texts: Vec<_> = texts.collect();
    texts.sort_unstable();
    texts
}

/// What a folder holds, sorted.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|why| panic!("reading {}: {why}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The messages of a language, without those that only the page can format, as they call functions.
fn formed(folder: &Path, language: &str) -> BTreeMap<String, Formed> {
    assert!(
        plural::rule(language).is_some(),
        "src/plural.rs has no rule for `{language}`: add which numbers are one, few and many there"
    );
    let mut patterns = Patterns::new();
    for path in
        listed(&folder.join(language)).iter().filter(|path| path.extension().is_some_and(|ext| ext == "ftl"))
    {
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(path).unwrap_or_else(|why| panic!("reading {}: {why}", path.display()));
        let resource = fluent_syntax::parser::parse(text)
            .unwrap_or_else(|(_, faults)| panic!("{} is not Fluent: {faults:?}", path.display()));
        for entry in resource.body {
            let Entry::Message(message) = entry else { continue };
            let id = message.id.name;
            let Some(value) = message.value.filter(|_| message.attributes.is_empty()) else {
                panic!("{}: {id} is more or less than one text", path.display());
            };
            let is_new = patterns.insert(id.clone(), value).is_none();
            assert!(is_new, "{}: {language} has two messages {id}", path.display());
        }
    }
    let all = patterns.iter().filter_map(|(id, pattern)| {
        let mut formed = Formed { text: String::new(), arguments: BTreeSet::new() };
        form(pattern, &patterns, &mut formed).then(|| (id.clone(), formed))
    });
    all.collect()
}

/// Whether all of `pattern` is of the kinds that Rust formats.
fn form(pattern: &Pattern<String>, all: &Patterns, out: &mut Formed) -> bool {
    pattern.elements.iter().all(|element| match element {
        PatternElement::TextElement { value } => {
            assert!(
                !value.contains(char::is_control) || value.contains('\n'),
                "a control character in {value:?}"
            );
            out.text.push_str(value);
            true
        }
        PatternElement::Placeable { expression } => form_expression(expression, all, out),
    })
}

fn form_expression(expression: &Expression<String>, all: &Patterns, out: &mut Formed) -> bool {
    match expression {
        Expression::Inline(inline) => form_inline(inline, all, out),
        Expression::Select { selector: InlineExpression::VariableReference { id }, variants } => {
            write!(out.text, "\u{3}{}\u{2}", id.name).unwrap_or_default();
            out.arguments.insert(id.name.clone());
            for variant in variants {
                let (VariantKey::Identifier { name: key } | VariantKey::NumberLiteral { value: key }) =
                    &variant.key;
                let star = if variant.default { "*" } else { "" };
                write!(out.text, "\u{4}{star}{key}\u{2}").unwrap_or_default();
                if !form(&variant.value, all, out) {
                    return false;
                }
            }
            out.text.push('\u{5}');
            true
        }
        Expression::Select { .. } => false,
    }
}

fn form_inline(inline: &InlineExpression<String>, all: &Patterns, out: &mut Formed) -> bool {
    match inline {
        InlineExpression::VariableReference { id } => {
            write!(out.text, "\u{1}{}\u{2}", id.name).unwrap_or_default();
            out.arguments.insert(id.name.clone());
            true
        }
        InlineExpression::StringLiteral { value } => {
            fluent_syntax::unicode::unescape_unicode(&mut out.text, value).is_ok()
        }
        InlineExpression::MessageReference { id, attribute: None } => {
            all.get(&id.name).is_some_and(|pattern| form(pattern, all, out))
        }
        InlineExpression::Placeable { expression } => form_expression(expression, all, out),
        _ => false,
    }
}
