//! The answers about an open trace, as their folders in `crates/steplens-report/src/` say them; and from that the methods of both packages.

use super::Word;
use super::rust::{self, Struct, inner, option_or_list};
use super::typescript::MADE;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use steplens_report::answers::{FOLDERS, NAMES};
use steplens_report::tables::Table;

/// What is written by hand in `python/steplens/traces.py`: its changes may be keywords.
const BY_HAND_IN_PYTHON: &str = "what-if";

/// An answer.
pub(crate) struct Answer {
    /// In the words of the command line: `critical-path`.
    pub(crate) name: &'static str,
    /// The file and the name of the struct that JSON is written from.
    pub(crate) root: (String, String),
    /// What is asked, in words.
    docs: Vec<String>,
    /// What a program may choose.
    options: Vec<Choice>,
}

struct Choice {
    name: String,
    docs: String,
    kind: Kind,
}

enum Kind {
    Text,
    Word(Vec<String>),
    Number,
    Texts,
}

/// Every answer, in the order of the list. `sources` are the structs of the files.
pub(crate) fn read(
    report: &Path,
    sources: &[(String, Vec<Struct>)],
    words: &[(Word, Vec<String>)],
) -> Vec<Answer> {
    let all = NAMES.iter().zip(FOLDERS);
    all.map(|(&name, folder)| {
        let within = |path: &&(String, Vec<Struct>)| path.0.starts_with(&format!("{folder}/"));
        let own: Vec<_> = sources.iter().filter(within).collect();
        let said: Vec<rust::Question> =
            own.iter().map(|(path, _)| rust::question(&report.join(path))).collect();
        let options = said.iter().find_map(|own| own.options.as_ref());
        let options = options.unwrap_or_else(|| panic!("{folder}/ has no struct Options"));
        let made = said.iter().find_map(|own| own.answer.clone());
        let made = made.unwrap_or_else(|| panic!("{folder}/ has no `type Answer`"));
        let file = own.iter().find(|(_, structs)| structs.iter().any(|found| found.name == made));
        let root = match (name, file) {
            // Of it only the rows are a struct.
            ("ops", _) => ("tables/ops.rs".to_string(), "OpRow".to_string()),
            (_, Some((path, _))) => (path.clone(), made),
            _ => panic!("{folder}/ has no struct {made}"),
        };
        let choices = options.fields.iter().filter(|field| field.name != "page");
        let choices = choices.map(|field| {
            let place = format!("{}Options", type_name(name));
            let word = words.iter().find(|(word, _)| word.is_in(&place, &field.name));
            let (is_option, kind) = option_or_list(&field.kind).expect("a choice is an option or a list");
            let kind = match (is_option, inner(kind).0.as_str(), word) {
                (false, "String", _) => Kind::Texts,
                (true, "String", Some((_, values))) => Kind::Word(values.clone()),
                (true, "String", None) => Kind::Text,
                (true, "u32" | "i64", _) => Kind::Number,
                (_, kind, _) => panic!("{place}.{}: teach this test what {kind} is", field.name),
            };
            Choice { name: field.name.clone(), docs: field.docs.join(" "), kind }
        });
        Answer { name, root, docs: options.docs.clone(), options: choices.collect() }
    })
    .collect()
}

/// `critical-path` -> `CriticalPath`.
pub(crate) fn type_name(name: &str) -> String {
    name.split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect()
}

/// `critical-path` -> `criticalPath`.
fn method_name(name: &str) -> String {
    let name = type_name(name);
    name[..1].to_lowercase() + &name[1..]
}

/// `npm/src/answering.ts`.
pub(crate) fn npm(answers: &[Answer]) -> String {
    let mut text = format!("// The methods that answer, and what may be chosen of each.\n{MADE}");
    let types: BTreeSet<String> = answers.iter().map(|own| type_name(own.name)).collect();
    let types: Vec<String> = types.into_iter().collect();
    let _ = writeln!(text, "import type {{ {} }} from './answers.js';", types.join(", "));
    text.push_str(
        "\n/** The answers by the names of the methods that give them. */\nexport interface Answers {\n",
    );
    for own in answers {
        let _ = writeln!(text, "  {}: {};", method_name(own.name), type_name(own.name));
    }
    text.push_str("}\n\n/** What the methods are given. */\nexport interface Chosen {\n");
    for own in answers {
        let _ = writeln!(text, "  {}: [{}];", method_name(own.name), parameters(own));
    }
    text.push_str("}\n\n/** What the command line calls each, and the names of what may be chosen. */\n");
    text.push_str(
        "export const QUESTIONS: { readonly [Name in keyof Answers]: readonly [string, ...string[]] } = {\n",
    );
    for own in answers {
        let words = [own.name].into_iter().chain(own.options.iter().map(|choice| choice.name.as_str()));
        let words: Vec<String> = words.map(|word| format!("'{word}'")).collect();
        let _ = writeln!(text, "  {}: [{}],", method_name(own.name), words.join(", "));
    }
    text.push_str("};\n\nexport abstract class Answering {\n");
    text.push_str("  protected abstract answered<Name extends keyof Answers>(name: Name, ...chosen: Chosen[Name]): Answers[Name];\n");
    for own in answers {
        let given: String = own.options.iter().map(|choice| format!(", {}", choice.name)).collect();
        let docs: Vec<String> =
            own.options.iter().map(|choice| format!("   * @param {} {}", choice.name, choice.docs)).collect();
        let about = own.docs.join(" ");
        text.push('\n');
        match docs.as_slice() {
            [] => _ = writeln!(text, "  /** {about} */"),
            docs => _ = writeln!(text, "  /**\n   * {about}\n   *\n{}\n   */", docs.join("\n")),
        }
        let (method, kind) = (method_name(own.name), type_name(own.name));
        let _ = writeln!(text, "  {method}({}): {kind} {{", parameters(own));
        let _ = writeln!(text, "    return this.answered('{method}'{given});\n  }}");
    }
    text.push_str("}\n");
    text
}

fn parameters(own: &Answer) -> String {
    let one = |choice: &Choice| {
        let kind = match &choice.kind {
            Kind::Text => "string".to_string(),
            Kind::Word(words) => words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" | "),
            Kind::Number => "number".to_string(),
            Kind::Texts => "readonly string[]".to_string(),
        };
        format!("{}?: {kind}", choice.name)
    };
    own.options.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// `python/steplens/answering.py`. What are tables there, and what is written by hand, are other methods.
pub(crate) fn python(answers: &[Answer]) -> String {
    let is_table = |name: &str| Table::ALL.into_iter().any(|table| table.name() == name);
    let own: Vec<&Answer> =
        answers.iter().filter(|own| !is_table(own.name) && own.name != BY_HAND_IN_PYTHON).collect();
    let types: BTreeSet<String> = own.iter().map(|own| type_name(own.name)).collect();
    let mut text = r#""""The methods that answer, made from the Rust types by tests/tests/contract/answers.rs: do not edit."""

import json
from typing import TYPE_CHECKING, Any, Optional, cast

from steplens._core import OpenTrace

if TYPE_CHECKING:
    from steplens.answers import (
"#
    .to_string();
    for name in types {
        let _ = writeln!(text, "        {name},");
    }
    text.push_str(
        r#"    )


class Answering:
    """What answers about an open trace."""

    _core: OpenTrace

    def _answer(self, name: str, **chosen: Any) -> Any:
        return json.loads(self._core.answer(name, json.dumps({key: value for key, value in chosen.items() if value is not None})))
"#,
    );
    for own in own {
        let (name, kind, about) = (own.name.replace('-', "_"), type_name(own.name), own.docs.join(" "));
        let mut given = own.options.iter().map(|choice| match choice.kind {
            Kind::Text | Kind::Word(_) => format!(", {}: Optional[str] = None", choice.name),
            Kind::Number => format!(", {}: Optional[int] = None", choice.name),
            Kind::Texts => panic!("{name}: teach this test what a list is in Python"),
        });
        let parameters: String = given.by_ref().collect();
        let passed: String = own.options.iter().map(|choice| format!(", {0}={0}", choice.name)).collect();
        let _ = write!(text, "\n    def {name}(self{parameters}) -> \"{kind}\":\n        \"\"\"{about}");
        if own.options.is_empty() {
            text.push_str("\"\"\"\n");
        } else {
            text.push_str("\n\n        Args:\n");
            for choice in &own.options {
                let _ = writeln!(text, "            {}: {}", choice.name, choice.docs);
            }
            text.push_str("        \"\"\"\n");
        }
        let _ = writeln!(text, "        return cast(\"{kind}\", self._answer(\"{}\"{passed}))", own.name);
    }
    text
}
