//! Writes the structs and words as TypeScript.

use super::Word;
use super::rust::{File, Member, Struct, option};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use steplens_report::answers::NAMES;
use syn::{GenericArgument, PathArguments, Type};

/// What the files say of themselves after their first sentence.
pub(crate) const MADE: &str = "// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.\n";

type Words<'a> = &'a [(Word, Vec<String>)];

/// Every file by its name.
pub(crate) fn write(files: &[File], words: Words<'_>) -> BTreeMap<String, String> {
    let mut made: BTreeMap<String, String> =
        files.iter().map(|file| (format!("{}.ts", file.output), file_text(files, file, words))).collect();
    made.insert("words.ts".to_string(), words_text(words));
    made
}

/// What makes all `files` one.
pub(crate) fn index<'a>(files: impl Iterator<Item = &'a String>) -> String {
    let mut text = format!("// All of what is made.\n{MADE}\n");
    for file in files {
        let _ = writeln!(text, "export * from './{}';", file.trim_end_matches(".ts"));
    }
    let names: Vec<String> = NAMES.iter().map(|name| format!("'{name}'")).collect();
    let _ = writeln!(
        text,
        "\n/** The answers that the program has, too. */\nexport type AnswerName = {};",
        names.join(" | ")
    );
    text
}

/// `CATEGORIES` and `Category` for the enum `Category`.
fn words_text(words: Words<'_>) -> String {
    let mut text = format!("// The words that stand for the values of core's enums.\n{MADE}");
    for (Word { name, .. }, values) in words {
        let values: Vec<String> = values.iter().map(|value| format!("'{value}'")).collect();
        let list = list_name(name);
        let _ = write!(text, "\nexport const {list} = [{}] as const;\n", values.join(", "));
        let _ = writeln!(text, "export type {name} = (typeof {list})[number];");
    }
    text
}

/// `StepRule` -> `STEP_RULES`, `Category` -> `CATEGORIES`, `MemoryBasis` -> `MEMORY_BASES`.
fn list_name(name: &str) -> String {
    let mut list = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !list.is_empty() {
            list.push('_');
        }
        list.push(letter.to_ascii_uppercase());
    }
    match (list.strip_suffix('Y'), list.strip_suffix("IS")) {
        (Some(stem), _) => format!("{stem}IES"),
        (_, Some(stem)) => format!("{stem}ES"),
        _ => list + "S",
    }
}

fn file_text(files: &[File], file: &File, words: Words<'_>) -> String {
    let mut scope = Scope { files, file, words, imports: BTreeMap::new() };
    let structs: Vec<String> = file.structs.iter().map(|found| struct_text(&mut scope, found)).collect();
    let mut text = format!("// Answers of the core: {}.\n{MADE}", names(file));
    for (from, names) in &scope.imports {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let _ = writeln!(text, "import type {{ {} }} from '{from}';", names.join(", "));
    }
    for found in structs {
        text.push('\n');
        text.push_str(&found);
    }
    text
}

/// `A, B and C`.
fn names(file: &File) -> String {
    let names: Vec<&str> = file.structs.iter().map(|found| found.name.as_str()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(""),
    }
}

fn struct_text(scope: &mut Scope<'_>, of: &Struct) -> String {
    let mut text = String::new();
    comment(&mut text, "", &of.docs);
    let parameters =
        if of.parameters.is_empty() { String::new() } else { format!("<{}>", of.parameters.join(", ")) };
    let parents: Vec<String> =
        of.fields.iter().filter(|field| field.is_flat).map(|field| scope.parent(of, field)).collect();
    let extends = if parents.is_empty() { String::new() } else { format!(" extends {}", parents.join(", ")) };
    let _ = writeln!(text, "export interface {}{parameters}{extends} {{", of.name);
    for field in of.fields.iter().filter(|field| !field.is_flat) {
        comment(&mut text, "  ", &field.docs);
        let (optional, kind) = match (field.may_be_absent, option(&field.kind)) {
            (true, Some(inner)) => ("?", scope.kind(of, field, inner)),
            (true, None) => ("?", scope.kind(of, field, &field.kind)),
            (false, _) => ("", scope.kind(of, field, &field.kind)),
        };
        let _ = writeln!(text, "  {}{optional}: {kind};", field.name);
    }
    text.push_str("}\n");
    text
}

/// As one line where it is one in Rust. Links of rustdoc become plain words.
fn comment(text: &mut String, indent: &str, docs: &[String]) {
    let plain = |line: &String| line.replace("[`", "`").replace("`]", "`");
    match docs {
        [] => {}
        [line] => {
            let _ = writeln!(text, "{indent}/** {} */", plain(line));
        }
        lines => {
            let _ = writeln!(text, "{indent}/**");
            for line in lines {
                let _ = writeln!(text, "{}", format!("{indent} * {}", plain(line)).trim_end());
            }
            let _ = writeln!(text, "{indent} */");
        }
    }
}

/// Where the names in one file are looked up, and what it imports for them.
struct Scope<'a> {
    files: &'a [File],
    file: &'a File,
    words: Words<'a>,
    imports: BTreeMap<String, BTreeSet<String>>,
}

impl Scope<'_> {
    /// The interface that a flattened field adds.
    fn parent(&mut self, of: &Struct, field: &Member) -> String {
        match option(&field.kind) {
            Some(inner) => format!("Partial<{}>", self.kind(of, field, inner)),
            None => self.kind(of, field, &field.kind),
        }
    }

    fn kind(&mut self, of: &Struct, field: &Member, kind: &Type) -> String {
        let place = format!("{}.{}", of.name, field.name);
        match kind {
            Type::Reference(reference) => self.kind(of, field, &reference.elem),
            Type::Array(array) => list_of(&self.kind(of, field, &array.elem)),
            Type::Tuple(tuple) => {
                let kinds: Vec<String> = tuple.elems.iter().map(|kind| self.kind(of, field, kind)).collect();
                format!("[{}]", kinds.join(", "))
            }
            Type::Path(path) => {
                let Some(last) = path.path.segments.last() else { panic!("{place} has no type") };
                let inner = arguments(&last.arguments);
                match (last.ident.to_string().as_str(), inner.as_slice()) {
                    ("Option", [inner]) => format!("{} | null", self.kind(of, field, inner)),
                    ("Vec", [inner]) => list_of(&self.kind(of, field, inner)),
                    ("bool", []) => "boolean".to_string(),
                    ("str" | "String", []) | ("Cow", [_]) => self.text(of, field),
                    ("i64", []) if field.name.ends_with("_ns") => self.import("../../base/time", "Ns"),
                    ("u32", []) if field.name == "op" => self.import("../ids", "OpId"),
                    ("u32", []) if field.name == "device" => self.import("../ids", "DeviceId"),
                    ("u32", []) if field.name == "lane" => self.import("../ids", "LaneId"),
                    ("u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" | "f32" | "f64", []) => {
                        "number".to_string()
                    }
                    (name, []) if of.parameters.iter().any(|known| known == name) => name.to_string(),
                    (name, inner) => {
                        let name = self.named(&place, name);
                        let inner: Vec<String> =
                            inner.iter().map(|kind| self.kind(of, field, kind)).collect();
                        if inner.is_empty() { name } else { format!("{name}<{}>", inner.join(", ")) }
                    }
                }
            }
            _ => panic!("{place} has a type that is not known here; teach it to this test"),
        }
    }

    /// A text, or the word of an enum.
    fn text(&mut self, of: &Struct, field: &Member) -> String {
        let word = self.words.iter().find(|(word, _)| word.is_in(&of.name, &field.name));
        match word {
            Some((word, _)) => self.import("./words", word.name),
            None => "string".to_string(),
        }
    }

    /// The name of another struct, imported where need be: one of this file, else the only one of all others.
    fn named(&mut self, place: &str, name: &str) -> String {
        if let Some(found) = self.file.structs.iter().find(|found| found.name == name) {
            return found.name.clone();
        }
        let others = self.files.iter().filter(|file| file.output != self.file.output);
        let others = others.flat_map(|file| file.structs.iter().map(move |found| (file, found)));
        let found: Vec<(&File, &Struct)> = others.filter(|(_, found)| found.name == name).collect();
        match found.as_slice() {
            [(file, _)] => {
                let from = format!("./{}", file.output);
                self.import(&from, name)
            }
            found => panic!(
                "{place}: found {} structs that are called {name} in the Rust files that FILES lists, want one",
                found.len()
            ),
        }
    }

    fn import(&mut self, from: &str, name: &str) -> String {
        self.imports.entry(from.to_string()).or_default().insert(name.to_string());
        name.to_string()
    }
}

fn list_of(kind: &str) -> String {
    if kind.contains(" | ") { format!("({kind})[]") } else { format!("{kind}[]") }
}

fn arguments(arguments: &PathArguments) -> Vec<&Type> {
    let PathArguments::AngleBracketed(list) = arguments else { return Vec::new() };
    let mut kinds = Vec::new();
    for argument in &list.args {
        if let GenericArgument::Type(kind) = argument {
            kinds.push(kind);
        }
    }
    kinds
}
