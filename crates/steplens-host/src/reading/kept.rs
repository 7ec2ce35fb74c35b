//! What a session keeps about how its trace was shown: the fragment of the page's address, and patterns.
//!
//! As on the page, all of it applies unless an option says otherwise.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use steplens_core::clocks::ClockChoice;
use steplens_core::doctor::Repair;
use steplens_core::gpu::op_time::OpTime;
use steplens_core::steps::rule::StepRule;
use steplens_core::{CategoryRules, Trace, View};
use steplens_formats::address::{
    self, BEFORE_VALUE, BETWEEN_FIELDS, BETWEEN_NOTES, BETWEEN_PARTS, Field, Survives,
};
use steplens_formats::session::Shown;

/// Bytes to escape in a name in a URL fragment. They include the separators of tasks and fields.
const RESERVED: &AsciiSet = &{
    let unescaped = address::UNESCAPED.as_bytes();
    let (mut set, mut place) = (NON_ALPHANUMERIC.remove(unescaped[0]), 1);
    while place < unescaped.len() {
        set = set.remove(unescaped[place]);
        place += 1;
    }
    set
};

/// `text`, escaped as a value in a fragment.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// What a session keeps; empty if anything else was opened.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// (name, value), as in the address.
    fields: Vec<(String, String)>,
    /// Patterns of what else counted as communication.
    pub communication: Vec<String>,
}

impl Kept {
    /// What `shown` says about `trace`. If only a part of the saved trace was opened, only corrections apply, because places and
    /// steps differ there.
    pub(crate) fn of(shown: &Shown, trace: &Trace) -> Self {
        let mut kept = Self {
            fields: address::fields(&shown.view)
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            communication: shown.communication.clone(),
        };
        if kept.value(Field::Files).is_some_and(|key| key != key_of(trace)) {
            let survives = |name: &str| Field::by_name(name).map(|field| field.facts().survives);
            kept.fields.retain(|(name, _)| survives(name) == Some(Survives::APart));
        }
        if let Some(patterns) = kept.value(Field::Communication) {
            kept.communication = patterns
                .split(address::BETWEEN_PATTERNS)
                .filter(|own| !own.is_empty())
                .map(str::to_owned)
                .collect();
        }
        // Invalid patterns are left out, as on the page.
        kept.communication.retain(|own| CategoryRules::new(std::slice::from_ref(own)).is_ok());
        kept
    }

    fn value(&self, field: Field) -> Option<String> {
        let (_, value) = self.fields.iter().find(|(own, _)| own == field.name())?;
        Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
    }

    pub(crate) fn rule(&self) -> Option<StepRule> {
        let word = self.value(Field::StepRule)?;
        StepRule::ALL.into_iter().find(|rule| rule.word() == word)
    }

    /// The row of the step. The address counts steps from 1.
    pub(crate) fn step(&self) -> Option<usize> {
        self.value(Field::Step)?.parse::<usize>().ok()?.checked_sub(1)
    }

    pub(crate) fn repairs(&self) -> Vec<Repair> {
        let words = self.value(Field::Repairs).unwrap_or_default();
        Repair::ALL
            .into_iter()
            .filter(|repair| words.split(BETWEEN_PARTS).any(|word| word == repair.word()))
            .collect()
    }

    pub(crate) fn op_time(&self) -> Option<OpTime> {
        let word = self.value(Field::OpTime)?;
        OpTime::ALL.into_iter().find(|op_time| op_time.word() == word)
    }

    pub(crate) fn clocks(&self) -> ClockChoice {
        let words = self.value(Field::Clocks).unwrap_or_default();
        ClockChoice::of_words(address::clock_words(&words)).unwrap_or_default()
    }

    /// The fragment that shows `view` of `whole`, with everything else that was kept; empty if there is nothing to say.
    pub(crate) fn fragment(&self, view: &View, whole: &Trace) -> String {
        let mut fields = corrections(view);
        let own = View {
            rule: self.rule().unwrap_or_default(),
            step: self.step(),
            repairs: self.repairs(),
            op_time: self.op_time().unwrap_or_default(),
            clocks: None,
        };
        let clocks = Field::Clocks.name();
        let is_same = corrections(&own)
            .into_iter()
            .filter(|(name, _)| name != clocks)
            .eq(fields.iter().filter(|(name, _)| name != clocks).cloned())
            && view.clocks.as_ref().map_or_else(Vec::new, |set| set.choice.words()) == self.clocks().words();
        fields.extend(self.others(is_same));
        joined(&key_of(whole), fields)
    }

    /// The fragment for `trace`, in which all corrections are already made. The zero of its times is `later_ns` after the zero of
    /// the kept times.
    pub fn fragment_of_corrected(&self, trace: &Trace, later_ns: i64) -> String {
        let moved = |(name, value): (String, String)| match Field::by_name(&name) {
            Some(Field::Notes) => (name, moved_notes(&value, later_ns)),
            _ => (name, value),
        };
        joined(&key_of(trace), self.others(false).map(moved).collect())
    }

    /// What is no correction. A field of a newer Steplens is taken for a look.
    fn others(&self, has_places: bool) -> impl Iterator<Item = (String, String)> {
        let is_kept = move |name: &str| {
            Field::by_name(name).is_none_or(|field| {
                let facts = field.facts();
                !facts.corrects && (has_places || facts.survives != Survives::Nothing)
            })
        };
        self.fields.iter().filter(move |(name, _)| is_kept(name)).cloned()
    }
}

/// The key of a trace, from the ops and the span of everything that was opened.
fn key_of(trace: &Trace) -> String {
    format!("{}.{}", trace.counted_ops(), trace.span().length().0)
}

fn joined(key: &str, fields: Vec<(String, String)>) -> String {
    if fields.is_empty() {
        return String::new();
    }
    let key = (Field::Files.name().to_owned(), key.to_owned());
    let written = [key].into_iter().chain(fields).map(|(name, value)| format!("{name}{BEFORE_VALUE}{value}"));
    written.collect::<Vec<_>>().join(&BETWEEN_FIELDS.to_string())
}

/// The corrections of `view`, as fields of the page's address.
fn corrections(view: &View) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    let mut field = |field: Field, value: String| fields.push((field.name().to_owned(), value));
    if view.rule != StepRule::default() {
        field(Field::StepRule, view.rule.word().to_owned());
    }
    if let Some(row) = view.step {
        field(Field::Step, (row + 1).to_string());
    }
    if view.op_time != OpTime::default() {
        field(Field::OpTime, view.op_time.word().to_owned());
    }
    if let Some(setting) = &view.clocks {
        let words = setting.choice.words();
        field(Field::Clocks, joined_parts(words.iter().map(|word| escaped(word))));
    }
    if !view.repairs.is_empty() {
        field(Field::Repairs, joined_parts(view.repairs.iter().map(|repair| repair.word().to_owned())));
    }
    fields
}

fn joined_parts(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(&BETWEEN_PARTS.to_string())
}

/// The notes of an escaped value: start, end and escaped text of each.
pub(crate) fn notes(value: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    // The page escapes what stands between notes.
    value.split("%3B").flat_map(|notes| notes.split(BETWEEN_NOTES)).filter_map(|note| {
        let mut parts = note.splitn(3, BETWEEN_PARTS);
        Some((parts.next()?, parts.next()?, parts.next()?))
    })
}

/// Notes as an escaped value.
pub(crate) fn joined_notes(notes: impl Iterator<Item = String>) -> String {
    notes.collect::<Vec<_>>().join(&escaped(&BETWEEN_NOTES.to_string()))
}

/// The notes, with times counted from a zero that is `later_ns` later.
fn moved_notes(value: &str, later_ns: i64) -> String {
    let moved = |time: &str| Some((time.parse::<f64>().ok()? - later_ns as f64).to_string());
    let note = |(start, end, text)| {
        let parts = [moved(start)?, moved(end)?, String::from(text)];
        Some(joined_parts(parts.into_iter()))
    };
    joined_notes(notes(value).filter_map(note))
}

/// Addresses that the page wrote, each with what it means (`www/src/state/opened/url_examples.test.ts`).
#[cfg(test)]
pub(crate) mod examples {
    use serde_json::Value;
    use std::{fs, path::Path};

    pub(crate) struct Example(Value);

    pub(crate) fn all() -> Vec<Example> {
        let path = Path::new("../../tests/golden/addresses.json");
        let text = fs::read_to_string(path).expect("could not read the addresses");
        let list: Vec<Value> = serde_json::from_str(&text).expect("the addresses are JSON");
        assert!(list.len() >= 100, "{} addresses", list.len());
        list.into_iter().map(Example).collect()
    }

    impl Example {
        pub(crate) fn text(&self, name: &str) -> &str {
            self.0[name].as_str().expect("a text")
        }

        pub(crate) fn number(&self, name: &str) -> Option<u64> {
            self.0[name].as_u64()
        }

        pub(crate) fn list(&self, name: &str) -> Option<Vec<String>> {
            let texts = self.0[name].as_array()?.iter();
            Some(texts.map(|text| text.as_str().expect("a text").to_owned()).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Patterns next to the address.
    const NEXT_TO_IT: &str = "NextToIt";

    fn kept(address: &str) -> Kept {
        let communication = vec![NEXT_TO_IT.to_owned()];
        let shown = Shown { view: address.to_owned(), communication, ..Shown::default() };
        Kept::of(&shown, &Trace::default())
    }

    fn names(address: &str) -> BTreeSet<String> {
        address::fields(address).map(|(name, _)| name.to_owned()).collect()
    }

    fn view_of(kept: &Kept) -> View {
        View {
            rule: kept.rule().unwrap_or_default(),
            step: kept.step(),
            repairs: kept.repairs(),
            op_time: kept.op_time().unwrap_or_default(),
            clocks: None,
        }
    }

    #[test]
    fn the_program_reads_what_the_page_means() {
        let mut seen = BTreeSet::new();
        for example in examples::all() {
            let address = example.text("address");
            let kept = kept(address);
            let view = view_of(&kept);
            assert_eq!(view.rule.word(), example.text("rule"), "{address}");
            assert_eq!(view.step.map(|row| row as u64), example.number("step"), "{address}");
            let repairs: Vec<_> = view.repairs.iter().map(|repair| repair.word().to_owned()).collect();
            assert_eq!(Some(repairs), example.list("repairs"), "{address}");
            assert_eq!(view.op_time.word(), example.text("op_time"), "{address}");
            assert_eq!(Some(kept.clocks().words()), example.list("clocks"), "{address}");
            let communication = example.list("communication").unwrap_or_else(|| vec![NEXT_TO_IT.to_owned()]);
            assert_eq!(kept.communication, communication, "{address}");
            seen.extend(names(address));
        }
        let known: BTreeSet<_> = Field::ALL.map(|field| field.name().to_owned()).into();
        assert_eq!(seen, known);
    }

    #[test]
    fn what_the_program_writes_is_what_the_page_wrote() {
        let mut compared = 0;
        for example in examples::all() {
            let address = example.text("address");
            let is_whole = example.list("clocks").is_some_and(|words| words.is_empty());
            if !is_whole || example.list("communication").is_some() || names(address).len() == 1 {
                continue;
            }
            let kept = kept(address);
            assert_eq!(kept.fragment(&view_of(&kept), &Trace::default()), address);
            compared += 1;
        }
        assert!(compared > 20, "{compared}");
    }

    #[test]
    fn a_field_survives_as_the_list_says() {
        let survives = |field: &Field, least: fn(Survives) -> bool| least(field.facts().survives);
        for example in examples::all() {
            let address = example.text("address");
            let there = names(address);
            let fields: Vec<Field> = there.iter().filter_map(|name| Field::by_name(name)).collect();
            let kept = kept(address);
            // Another view of the same files: looks stay, and corrections are those of that view.
            let other = View { step: Some(kept.step().map_or(5, |row| row + 1)), ..view_of(&kept) };
            let written = names(&kept.fragment(&other, &Trace::default()));
            for field in fields.iter().filter(|field| !field.facts().corrects) {
                let stays = survives(field, |how_long| how_long != Survives::Nothing);
                assert_eq!(written.contains(field.name()), stays, "{field:?} in {address}");
            }
            // A part of these files.
            let part = self::kept(&address.replacen("k=0.0", "k=1.0", 1));
            let left: BTreeSet<_> = part.fields.iter().map(|(name, _)| name.as_str()).collect();
            for field in &fields {
                let stays = survives(field, |how_long| how_long == Survives::APart);
                assert_eq!(left.contains(field.name()), stays, "{field:?} in {address}");
            }
        }
    }
}
