//! What a redaction hides, for whoever decides on it.

use crate::text;
use serde::Serialize;
use steplens_core::redact::Shown;

/// What a shared file would say of each kind of text.
#[derive(Serialize)]
pub struct RedactionShown<'a> {
    kinds: Vec<KindJson<'a>>,
}

/// The texts of one kind.
#[derive(Serialize)]
pub struct KindJson<'a> {
    /// Its word: `names`, `hosts` and so on.
    kind: &'static str,
    /// How many different ones there are.
    count: usize,
    /// Some of them.
    examples: Vec<ExampleJson<'a>>,
}

/// A text, and what it becomes.
#[derive(Serialize)]
pub struct ExampleJson<'a> {
    before: &'a str,
    after: &'a str,
}

/// `shown` as the page reads it.
pub fn json(shown: &[Shown]) -> String {
    let kinds = shown.iter().map(|own| KindJson {
        kind: own.kind.word(),
        count: own.count,
        examples: own.examples.iter().map(|(before, after)| ExampleJson { before, after }).collect(),
    });
    text(&RedactionShown { kinds: kinds.collect() })
}
