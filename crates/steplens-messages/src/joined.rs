//! Texts of several parts, put together as the language does it: punctuation and spaces are part of a language.

use crate::say;

/// Names: `ps 0, worker 0`.
pub fn listed<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    joined(texts, |before, next| say!("list-next", before, next))
}

/// Facts about one thing: `11 links, 3.67 MiB`.
pub fn clauses<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    joined(texts, |before, next| say!("clause-next", before, next))
}

/// Facts, and what is to be known besides: `the clocks differ by 3 ms; 2 tensors contradict the others`.
pub fn asides<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    joined(texts, |before, next| say!("aside-next", before, next))
}

/// Whole sentences.
pub fn sentences<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    joined(texts, |before, next| say!("sentence-next", before, next))
}

fn joined<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, join: fn(&str, &str) -> String) -> String {
    let mut texts = texts.into_iter();
    let first = texts.next().map_or_else(String::new, |text| text.as_ref().to_owned());
    texts.fold(first, |before, next| join(&before, next.as_ref()))
}
