//! Writes the types of the answers for Python, from the JSON Schemas: a `TypedDict` for each object.

use super::answers;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The longest line of Python in the project.
const WIDTH: usize = 128;

const HEAD: &str = r#""""The types of the answers, made from schemas/ by tests/tests/contract/python.rs: do not edit.

They are for type checkers: at run time each answer is a dict. What is None was not recorded.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, List, Optional, Tuple

if TYPE_CHECKING:
    from typing_extensions import Literal, NotRequired, TypedDict
elif sys.version_info >= (3, 8):
    from typing import TypedDict
else:
    TypedDict = dict
"#;

/// `python/steplens/answers.py`, from the schemas by the names of their files.
pub(crate) fn answers(schemas: &BTreeMap<String, String>) -> String {
    let schemas: Vec<Value> =
        schemas.values().map(|text| serde_json::from_str(text).expect("a schema is JSON")).collect();
    let names: Vec<String> = schemas.iter().map(type_name).collect();
    let mut made = BTreeMap::new();
    for (schema, name) in schemas.iter().zip(&names) {
        // A part that several have is one type; parts that are only called alike have the answer's name in front.
        let differs = |part: &str| {
            let is_other = |other: &Value| {
                let there = &other["$defs"][part];
                !there.is_null() && *there != schema["$defs"][part]
            };
            names.iter().any(|own| own == part) || schemas.iter().any(is_other)
        };
        let rename = |part: &str| if differs(part) { format!("{name}{part}") } else { part.to_owned() };
        for (part, own) in schema["$defs"].as_object().expect("parts have names") {
            made.insert(rename(part), class(&rename(part), own, &rename));
        }
        made.insert(name.clone(), class(name, schema, &rename));
    }
    let classes: Vec<String> = made.into_values().collect();
    let classes = classes.join("\n\n");
    assert!(!classes.contains("Union["), "HEAD has no Union");
    format!("{HEAD}\n\n{classes}")
}

/// `steplens.critical-path/1` -> `CriticalPath`.
fn type_name(schema: &Value) -> String {
    let title = schema["title"].as_str().expect("a schema has a title");
    answers::type_name(title.trim_start_matches("steplens.").split('/').next().unwrap_or_default())
}

fn class(name: &str, object: &Value, rename: &dyn Fn(&str) -> String) -> String {
    let mut text = format!("class {name}(TypedDict):\n");
    about(&mut text, object);
    let required: BTreeSet<&str> =
        object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (field, kind) in object["properties"].as_object().expect("an object has fields") {
        let own = kind_of(kind, rename);
        let own = if required.contains(field.as_str()) { own } else { format!("NotRequired[{own}]") };
        let _ = writeln!(text, "    {field}: {own}");
        about(&mut text, kind);
    }
    text
}

/// What a schema says of something, as what stands below it.
fn about(text: &mut String, of: &Value) {
    let Some(said) = of["description"].as_str() else { return };
    let said = said.replace('\\', "\\\\").replace("\"\"\"", "'''");
    let indent = "    ";
    if indent.len() + said.len() + 6 <= WIDTH && !said.ends_with('"') {
        let _ = writeln!(text, "{indent}\"\"\"{said}\"\"\"");
        return;
    }
    let mut lines = vec![String::new()];
    for word in said.split(' ') {
        let line = lines.last_mut().expect("there is one");
        if !line.is_empty() && indent.len() + line.len() + 1 + word.len() > WIDTH {
            lines.push(word.to_owned());
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    let _ = writeln!(text, "{indent}\"\"\"\n{indent}{}\n{indent}\"\"\"", lines.join(&format!("\n{indent}")));
}

fn kind_of(schema: &Value, rename: &dyn Fn(&str) -> String) -> String {
    let list = |of: &Value| -> Vec<String> {
        of.as_array().into_iter().flatten().map(|one| kind_of(one, rename)).collect()
    };
    if let Some(part) = schema["$ref"].as_str() {
        return rename(part.rsplit('/').next().unwrap_or_default());
    }
    if schema["anyOf"].is_array() {
        return either(list(&schema["anyOf"]));
    }
    if !schema["const"].is_null() {
        return format!("Literal[{}]", schema["const"]);
    }
    if let Some(words) = schema["enum"].as_array() {
        let (none, words): (Vec<&Value>, Vec<&Value>) = words.iter().partition(|word| word.is_null());
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        let literal = format!("Literal[{}]", words.join(", "));
        return if none.is_empty() { literal } else { format!("Optional[{literal}]") };
    }
    if let Some(kinds) = schema["type"].as_array() {
        let one = |kind: &Value| {
            let mut alone = schema.clone();
            alone["type"] = kind.clone();
            kind_of(&alone, rename)
        };
        return either(kinds.iter().map(one).collect());
    }
    if schema["prefixItems"].is_array() {
        return format!("Tuple[{}]", list(&schema["prefixItems"]).join(", "));
    }
    match schema["type"].as_str() {
        // Whatever a row holds.
        Some("array") if schema["items"].is_null() => "List[object]".to_owned(),
        Some("array") => format!("List[{}]", kind_of(&schema["items"], rename)),
        Some("integer") => "int".to_owned(),
        Some("number") => "float".to_owned(),
        Some("string") => "str".to_owned(),
        Some("boolean") => "bool".to_owned(),
        Some("null") => "None".to_owned(),
        _ => panic!("no type of Python for {schema}"),
    }
}

fn either(kinds: Vec<String>) -> String {
    let (none, others): (Vec<String>, Vec<String>) = kinds.into_iter().partition(|kind| kind == "None");
    let others = if others.len() == 1 { others.concat() } else { format!("Union[{}]", others.join(", ")) };
    if none.is_empty() { others } else { format!("Optional[{others}]") }
}
