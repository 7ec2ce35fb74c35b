//! What is made from the grammar of a view's address in `crates/steplens-formats/src/address.rs`: the names of its fields, and what
//! separates and escapes values.

use super::typescript::MADE;
use std::fmt::Write;
use steplens_formats::address::{
    BEFORE_VALUE, BETWEEN_FIELDS, BETWEEN_NOTES, BETWEEN_PARTS, BETWEEN_PATTERNS, Field, Holds, IN_A_NOTE,
    Survives,
};

/// The page's constants.
pub(crate) fn page_fields() -> String {
    let mut text =
        format!("// The fields of a view's address, in the order in which they are written.\n{MADE}\n");
    text.push_str("export const FIELDS = {\n");
    for field in Field::ALL {
        let facts = field.facts();
        let (holds, survives) = (holds(facts.holds), survives(facts.survives));
        let _ = writeln!(text, "  /** {holds}; {survives}. */\n  {}: '{}',", key(field), facts.name);
    }
    text.push_str("} as const;\n");
    for (about, name, char) in [
        ("Stands between fields.", "BETWEEN_FIELDS", BETWEEN_FIELDS),
        ("Stands between a name and its value.", "BEFORE_VALUE", BEFORE_VALUE),
        ("Stands between the parts of a value. It is never escaped.", "BETWEEN_PARTS", BETWEEN_PARTS),
        ("Stands between notes.", "BETWEEN_NOTES", BETWEEN_NOTES),
        ("Stands between patterns. Alone it says that there is none.", "BETWEEN_PATTERNS", BETWEEN_PATTERNS),
    ] {
        let _ = write!(text, "\n/** {about} */\nexport const {name} = '{}';\n", char.escape_default());
    }
    let pairs: Vec<String> =
        IN_A_NOTE.iter().map(|(own, other)| format!("  ['{own}', '{other}'],\n")).collect();
    let about = "How the text of a note writes what means something between notes, in the order in which it is replaced.";
    let _ = write!(text, "\n/** {about} */\nexport const IN_A_NOTE = [\n{}] as const;\n", pairs.concat());
    text
}

/// `RangeLanes` -> `range_lanes`.
fn key(field: Field) -> String {
    let mut key = String::new();
    for letter in format!("{field:?}").chars() {
        if letter.is_uppercase() && !key.is_empty() {
            key.push('_');
        }
        key.push(letter.to_ascii_lowercase());
    }
    key
}

fn holds(what: Holds) -> &'static str {
    match what {
        Holds::Numbers => "Numbers",
        Holds::Words => "Words",
        Holds::Tasks => "Words, and names of tasks",
        Holds::Patterns => "Patterns",
        Holds::Text => "A text of the user",
        Holds::Notes => "Times, each with a text of the user",
        Holds::FileName => "The name of a file",
    }
}

fn survives(how_long: Survives) -> &'static str {
    match how_long {
        Survives::APart => "holds for a part of the files, too",
        Survives::AnotherView => "holds for these files, whatever is shown of them",
        Survives::Nothing => "holds as long as the same is shown",
    }
}
