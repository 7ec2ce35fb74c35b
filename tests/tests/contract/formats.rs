//! What is made from the list of export formats in `crates/steplens-export/src/format.rs`: what the page's dialog offers. Also what is
//! written by hand about each: the documents.

use super::typescript::MADE;
use std::fmt::Write;
use steplens_export::Format;
use steplens_tests::repository::{read, root};

/// The formats of the page's dialog.
pub(crate) fn page_formats() -> String {
    let mut text = format!(
        "// The formats that the page saves, in the order of its dialog, and the messages that are said of them.\n{MADE}\n"
    );
    text.push_str("export const SAVE_FORMATS = [\n");
    for format in Format::ON_THE_PAGE {
        let facts = format.facts();
        let (word, in_order_of_file) = (facts.word, facts.is_in_order_of_file);
        let _ = writeln!(
            text,
            "  {{ word: '{word}', name: 'format-{word}', about: 'format-{word}-about', in_order_of_file: {in_order_of_file} }},"
        );
    }
    text.push_str("] as const;\n");
    text.push_str("export type SaveFormat = (typeof SAVE_FORMATS)[number]['word'];\n");
    text
}

#[test]
fn the_document_of_exports_describes_every_format() {
    let text = read(&root().join("docs/export.md"));
    for format in Format::ALL {
        let word = format.word();
        let missing: Vec<String> = [format!("| `{word}` | "), format!("## `{word}`")]
            .into_iter()
            .filter(|wanted| !text.lines().any(|line| line.starts_with(wanted)))
            .collect();
        assert!(missing.is_empty(), "docs/export.md has no line that begins with {missing:?}");
        let several = text.lines().find(|line| line.contains("are several files: `-o OUT` is a folder"));
        let is_named = several.is_some_and(|line| line.contains(&format!("`{word}`")));
        assert_eq!(
            is_named,
            format.facts().has_several_files,
            "{word}, where docs/export.md says which are several files"
        );
    }
}
