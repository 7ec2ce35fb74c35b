//! Writes the JSON Schemas of what the program prints with `--json`, from the Rust structs that serde writes.

use super::Word;
use super::answers::Answer;
use super::rust::{Member, Struct, inner, option, option_or_list};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use syn::Type;

/// What is printed besides the answers about one trace: its `schema`, and the file and struct that it is written from.
const PRINTED: [(&str, &str, &str); 7] = [
    ("critical-path-steps", "causality/over_steps.rs", "PathOverSteps"),
    ("compare", "compare/mod.rs", "Compare"),
    ("check", "check/mod.rs", "Check"),
    ("index", "fleet/indexed.rs", "IndexAnswer"),
    ("fleet", "fleet_answer.rs", "FleetAnswer"),
    ("watch", "watched/mod.rs", "WatchState"),
    ("watch-event", "watched/event.rs", "WatchEvent"),
];

type Words<'a> = &'a [(Word, Vec<String>)];
/// What a struct's type parameters stand for.
type Parameters = BTreeMap<String, Value>;

/// A Rust file by its path in the crate's sources, and its structs.
pub(crate) type Source = (String, Vec<Struct>);

/// Every schema by the name of its file.
pub(crate) fn write(sources: &[Source], answers: &[Answer], words: Words<'_>) -> BTreeMap<String, String> {
    let answers = answers.iter().map(|own| (own.name, own.root.0.as_str(), own.root.1.as_str()));
    let files = PRINTED.iter().copied().chain(answers).map(|(name, file, root)| {
        let mut schema = Schema { sources, words, made: BTreeMap::new() };
        let text = format!("{:#}\n", schema.whole(name, file, root));
        (format!("{name}-1.json"), text)
    });
    files.collect()
}

/// A schema that is being made.
struct Schema<'a> {
    sources: &'a [Source],
    words: Words<'a>,
    /// What `$defs` holds; null while it is being made.
    made: BTreeMap<String, Value>,
}

impl<'a> Schema<'a> {
    fn whole(&mut self, name: &str, file: &str, root: &str) -> Value {
        let (file, found) = self.find(file, root, "the list of what is printed");
        let mut object = if name == "ops" {
            let row = self.reference(file, found, Parameters::new());
            json!({
                "description": "Every op.",
                "type": "object",
                "properties": { "schema": {}, "ops": { "type": "array", "items": row } },
                "required": ["schema", "ops"],
            })
        } else {
            self.object(file, found, &Parameters::new())
        };
        let schema = format!("steplens.{name}/1");
        object["properties"]["schema"] = json!({ "const": schema });
        if name == "fleet" {
            // Rows are written as they come, and their values are what the columns hold.
            object["properties"]["rows"] = json!({
                "description": "The rows, each with a value for each column: a text, a whole number or null; in answers to a query of the user's own whatever it selects.",
                "type": "array",
                "items": { "type": "array" },
            });
            object["required"] = json!(["schema", "question", "columns", "rows"]);
        }
        object["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
        object["title"] = json!(schema);
        object["$defs"] = json!(self.made);
        object
    }

    /// The struct that is called so in this file, else the only one in all others; and its file.
    fn find(&self, file: &str, name: &str, place: &str) -> (&'a str, &'a Struct) {
        let is_it = |found: &&Struct| found.name == name;
        let all = |own: bool| {
            let files = self.sources.iter().filter(move |(path, _)| (path == file) == own);
            files.flat_map(move |(path, structs)| {
                structs.iter().filter(is_it).map(move |found| (path.as_str(), found))
            })
        };
        let found: Vec<_> = match all(true).next() {
            Some(own) => vec![own],
            None => all(false).collect(),
        };
        assert!(found.len() == 1, "{place}: found {} structs called {name}, want one", found.len());
        found[0]
    }

    /// What a struct is, where it stands by itself.
    fn object(&mut self, file: &str, of: &Struct, parameters: &Parameters) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        self.fields(file, of, parameters, &mut properties, &mut required);
        let mut object = json!({ "type": "object", "properties": properties, "required": required });
        describe(&mut object, &of.docs);
        object
    }

    fn fields(
        &mut self,
        file: &str,
        of: &Struct,
        parameters: &Parameters,
        properties: &mut Map<String, Value>,
        required: &mut Vec<String>,
    ) {
        for field in &of.fields {
            let place = format!("{}.{}", of.name, field.name);
            if field.is_flat {
                let (kind, is_there) = match option(&field.kind) {
                    Some(inner) => (inner, false),
                    None => (&field.kind, true),
                };
                let (name, arguments) = inner(kind);
                let (own_file, found) = self.find(file, &name, &place);
                let own = self.arguments(file, of, field, found, &arguments, parameters);
                let mut names = Vec::new();
                self.fields(own_file, found, &own, properties, &mut names);
                required.extend(names.into_iter().filter(|_| is_there));
                continue;
            }
            let kind = match option(&field.kind) {
                Some(inner) if field.may_be_absent => inner,
                _ => &field.kind,
            };
            let mut schema = self.kind(file, of, field, kind, parameters);
            describe(&mut schema, &field.docs);
            properties.insert(field.name.clone(), schema);
            if !field.may_be_absent {
                required.push(field.name.clone());
            }
        }
    }

    fn kind(
        &mut self,
        file: &str,
        of: &Struct,
        field: &Member,
        kind: &Type,
        parameters: &Parameters,
    ) -> Value {
        let place = format!("{}.{}", of.name, field.name);
        match kind {
            Type::Reference(reference) => return self.kind(file, of, field, &reference.elem, parameters),
            Type::Tuple(tuple) => {
                let kinds = tuple.elems.iter().map(|kind| self.kind(file, of, field, kind, parameters));
                let kinds: Vec<Value> = kinds.collect();
                let count = kinds.len();
                return json!({ "type": "array", "prefixItems": kinds, "minItems": count, "maxItems": count });
            }
            Type::Array(array) => {
                let items = self.kind(file, of, field, &array.elem, parameters);
                return json!({ "type": "array", "items": items });
            }
            _ => {}
        }
        if let Some((is_option, inner)) = option_or_list(kind) {
            let inner = self.kind(file, of, field, inner, parameters);
            return if is_option { or_null(inner) } else { json!({ "type": "array", "items": inner }) };
        }
        let (name, arguments) = inner(kind);
        match name.as_str() {
            "bool" => json!({ "type": "boolean" }),
            "str" | "String" | "Cow" => self.text(of, field),
            "u8" | "u16" | "u32" | "u64" | "usize" => json!({ "type": "integer", "minimum": 0 }),
            "i32" | "i64" => json!({ "type": "integer" }),
            "f32" | "f64" => json!({ "type": "number" }),
            name if parameters.contains_key(name) => parameters[name].clone(),
            name => {
                let (own_file, found) = self.find(file, name, &place);
                let own = self.arguments(file, of, field, found, &arguments, parameters);
                self.reference(own_file, found, own)
            }
        }
    }

    /// What the type parameters of `found` stand for where `field` names it.
    fn arguments(
        &mut self,
        file: &str,
        of: &Struct,
        field: &Member,
        found: &Struct,
        arguments: &[&Type],
        parameters: &Parameters,
    ) -> Parameters {
        let kinds = arguments.iter().map(|kind| self.kind(file, of, field, kind, parameters));
        found.parameters.iter().cloned().zip(kinds).collect()
    }

    /// A text, or one of the words of an enum.
    fn text(&self, of: &Struct, field: &Member) -> Value {
        let word = self.words.iter().find(|(word, _)| word.is_in(&of.name, &field.name));
        match word {
            Some((_, values)) => json!({ "type": "string", "enum": values }),
            None => json!({ "type": "string" }),
        }
    }

    fn reference(&mut self, file: &str, of: &Struct, parameters: Parameters) -> Value {
        let mut name = of.name.clone();
        for argument in parameters.values() {
            let of = argument["$ref"].as_str().and_then(|path| path.rsplit('/').next());
            name = format!("{name}Of{}", of.unwrap_or("Values"));
        }
        let reference = json!({ "$ref": format!("#/$defs/{name}") });
        if !self.made.contains_key(&name) {
            self.made.insert(name.clone(), Value::Null);
            let object = self.object(file, of, &parameters);
            self.made.insert(name, object);
        }
        reference
    }
}

fn or_null(mut schema: Value) -> Value {
    if schema.get("$ref").is_some() || schema.get("anyOf").is_some() {
        return json!({ "anyOf": [schema, { "type": "null" }] });
    }
    schema["type"] = json!([schema["type"], "null"]);
    if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        values.push(Value::Null);
    }
    schema
}

fn describe(schema: &mut Value, docs: &[String]) {
    let text = docs.join(" ").replace("[`", "`").replace("`]", "`");
    if !text.is_empty() {
        schema["description"] = json!(text);
    }
}
