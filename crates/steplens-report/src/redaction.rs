//! A preview of a redaction, for the user who decides on it.

use crate::text;
use serde::Serialize;
use steplens_core::redact::Shown;

/// For each kind of text, what a shared file would contain.
#[derive(Serialize)]
pub struct RedactionShown<'a> {
    kinds: Vec<KindJson<'a>>,
}

/// The texts of one kind.
#[derive(Serialize)]
pub struct KindJson<'a> {
    /// The word for the kind: `names`, `hosts` and so on.
    kind: &'static str,
    /// The number of different texts.
    count: usize,
    /// Some of the texts.
    examples: Vec<ExampleJson<'a>>,
}

/// A text, and its replacement.
#[derive(Serialize)]
pub struct ExampleJson<'a> {
    before: &'a str,
    after: &'a str,
}

/// `shown` as JSON for the page.
pub fn json(shown: &[Shown]) -> String {
    let kinds = shown.iter().map(|own| KindJson {
        kind: own.kind.word(),
        count: own.count,
        examples: own.examples.iter().map(|(before, after)| ExampleJson { before, after }).collect(),
    });
    text(&RedactionShown { kinds: kinds.collect() })
}
