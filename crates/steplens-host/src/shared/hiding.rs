//! The page of a redacted trace: the default, and what `--include` changes.

use super::no_place;
use crate::failure::Failure;
use crate::options::Include;
use crate::reading::kept::{escaped, joined_notes, notes};
use percent_encoding::percent_decode_str;
use std::env;
use std::hash::{BuildHasher, RandomState};
use steplens_core::Trace;
use steplens_core::model::file::FileReport;
use steplens_core::redact::search::Originals;
use steplens_core::redact::vocabulary::{OP_TYPES, Vocabulary};
use steplens_core::redact::{Included, Key, Kind, Redaction};
use steplens_formats::address::{self, BETWEEN_PARTS, Field, Holds};
use steplens_formats::export::{Contents, Options, session_name, single_file, strings_of};
use steplens_formats::session;
use steplens_messages::say;

/// The variable with a key, in 32 hexadecimal digits, to use in place of a random one: for tests, and for comparing two files.
const KEY: &str = "STEPLENS_REDACTION_KEY";

/// What the user includes; by default nothing.
pub fn included(include: &[Include]) -> Included {
    include.iter().fold(Included::default(), |included, kind| match kind {
        Include::All => Included::ALL,
        Include::Names => included.with(Kind::Names),
        Include::OpTypes => included.with(Kind::OpTypes),
        Include::Hosts => included.with(Kind::Hosts),
        Include::Tags => included.with(Kind::Tags),
        Include::Files => included.with(Kind::Files),
        Include::Shapes => included.with(Kind::Shapes),
        Include::Notes => included.with(Kind::Notes),
    })
}

/// The page of `trace`. The user's patterns have already decided its categories; the patterns themselves name ops, so they are left
/// out.
pub(super) fn redacted_page(
    included: Included,
    template: &[u8],
    trace: &Trace,
    files: &[FileReport],
    view: &str,
) -> Result<Vec<u8>, Failure> {
    let public = Vocabulary::of(OP_TYPES);
    let mut redaction = Redaction::of(trace, included, key()?, &public);
    let hidden_files = redaction.files(files);
    let contents = Contents {
        view: redacted_view(view, &redaction, included),
        options: Options::default(),
        name: session_name(&hidden_files),
        session: session::write(&redaction.trace(), &hidden_files),
    };
    let page = single_file(template, &contents).ok_or_else(no_place)?;
    let written: Vec<String> = written_in(view).collect();
    let originals = Originals::of(trace, files, &written, included, &public);
    for text in strings_of(&page).ok_or_else(no_place)? {
        let decoded = percent_decode_str(&text).decode_utf8_lossy();
        if let Some(word) = originals.find_in(&decoded).or_else(|| originals.find_in(&text)) {
            return Err(Failure::Sentence(say!("redaction-incomplete", word)));
        }
    }
    Ok(page)
}

fn key() -> Result<Key, Failure> {
    match env::var(KEY) {
        Ok(text) => {
            Key::of_hex(&text).ok_or_else(|| Failure::Sentence(say!("redaction-bad-key", name = KEY)))
        }
        // Two states of the standard library's hash tables, which are seeded with the system's random numbers.
        Err(_) => Ok(Key([1, 2].map(|number: u64| RandomState::new().hash_one(number)))),
    }
}

/// `view` without any names, unless notes are included. Tasks are hidden as in the trace. Fields of a newer Steplens are left out.
fn redacted_view(view: &str, redaction: &Redaction<'_>, included: Included) -> String {
    let has_notes = included.has(Kind::Notes);
    let fields = address::fields(view).filter_map(|(name, value)| {
        let value = match Field::by_name(name)?.facts().holds {
            Holds::Numbers | Holds::Words => value.to_owned(),
            Holds::Tasks => redacted_clocks(value, redaction),
            Holds::Text | Holds::Notes if has_notes => value.to_owned(),
            Holds::Notes => joined_notes(notes(value).map(|(start, end, _)| format!("{start},{end},"))),
            Holds::Text | Holds::Patterns | Holds::FileName => return None,
        };
        Some(format!("{name}={value}"))
    });
    fields.collect::<Vec<_>>().join("&")
}

fn redacted_clocks(value: &str, redaction: &Redaction<'_>) -> String {
    let value = percent_decode_str(value).decode_utf8_lossy();
    let words = address::clock_words(&value).into_iter().map(|word| escaped(&redaction.clock_word(word)));
    words.collect::<Vec<_>>().join(&BETWEEN_PARTS.to_string())
}

/// Texts that the user wrote: names of marks, searches and filters.
fn written_in(view: &str) -> impl Iterator<Item = String> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let texts = move |(name, value): (&str, &str)| match Field::by_name(name).map(|field| field.facts().holds)
    {
        Some(Holds::Text) => vec![decoded(value)],
        Some(Holds::Notes) => notes(value).map(|(.., text)| address::text_of_note(&decoded(text))).collect(),
        _ => Vec::new(),
    };
    address::fields(view).flat_map(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::kept::examples;

    #[test]
    fn what_the_user_wrote_is_what_the_page_takes_for_it() {
        let sorted = |mut texts: Vec<String>| {
            texts.retain(|text| !text.is_empty());
            texts.sort();
            texts
        };
        for example in examples::all() {
            let address = example.text("address");
            let wanted = example.list("written").map(sorted);
            assert_eq!(Some(sorted(written_in(address).collect())), wanted, "{address}");
        }
    }

    #[test]
    fn a_view_keeps_numbers_and_loses_words() {
        let trace = Trace::default();
        let public = Vocabulary::of("");
        let view = "k=1.2&w=0,5&q=secret&f=ps%200&n=0,5,my%20mark%3B7,7,b&tab=memory&com=Mul&new=x&clocks=estimated,%2Fjob:a%2Freplica:0%2Ftask:0%3D5";
        let of =
            |included| redacted_view(view, &Redaction::of(&trace, included, Key([1, 2]), &public), included);
        assert_eq!(
            of(Included::default()),
            "k=1.2&w=0,5&n=0,5,%3B7,7,&tab=memory&clocks=estimated,%2Fjob%3Ahidden%2Freplica%3A0%2Ftask%3A0%3D5"
        );
        let with_notes = of(Included::default().with(Kind::Notes).with(Kind::Hosts));
        assert_eq!(
            with_notes,
            "k=1.2&w=0,5&q=secret&f=ps%200&n=0,5,my%20mark%3B7,7,b&tab=memory&clocks=estimated,%2Fjob%3Aa%2Freplica%3A0%2Ftask%3A0%3D5"
        );
        assert_eq!(written_in(view).collect::<Vec<_>>(), ["secret", "ps 0", "my mark", "b"]);
    }
}
