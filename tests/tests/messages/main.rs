//! The catalogue of messages: our formatter says what Fluent's own says, every message is used, languages agree, and no sentence for a user
//! is a literal in Rust. `www/messages.mjs` and `www/lint_words.mjs` check the page's side.

mod literals;

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use intl_pluralrules::{PluralRuleType, PluralRules};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use steplens_messages::{Argument, all, choose_language, languages};
use steplens_tests::repository::{files_below, has_ending, read, root};
use unic_langid::LanguageIdentifier;

/// What counts in plural rules of some language, and what does not.
const COUNTS: [u64; 14] = [0, 1, 2, 3, 4, 5, 11, 12, 21, 22, 101, 1_000, 1_000_000, 2_000_001];

#[test]
fn every_message_reads_as_fluent_formats_it() {
    for language in languages() {
        let bundle = bundle(language);
        choose_language([language]);
        for message in all() {
            let pattern =
                bundle.get_message(message.id).and_then(|message| message.value()).unwrap_or_else(|| {
                    panic!("{language} has no message {}", message.id);
                });
            for count in COUNTS {
                let texts: Vec<String> = message.arguments.iter().map(|name| format!("<{name}>")).collect();
                let (mut own, mut args) = (Vec::new(), FluentArgs::new());
                for (&name, text) in message.arguments.iter().zip(&texts) {
                    // Whether an argument is a number is where it is given: try every one as both.
                    let is_number = name == "count" || count % 2 == 0;
                    own.push((name, if is_number { Argument::Number(count) } else { Argument::Text(text) }));
                    let value =
                        if is_number { FluentValue::from(count) } else { FluentValue::from(text.as_str()) };
                    args.set(name, value);
                }
                let mut faults = Vec::new();
                let wanted = bundle.format_pattern(pattern, Some(&args), &mut faults);
                assert_eq!(message.message.text(&own), wanted, "{language}: {} with {count}", message.id);
                if message.arguments.is_empty() {
                    assert_eq!(message.message.plain(), wanted, "{language}: {}", message.id);
                }
            }
        }
    }
    choose_language(["en"]);
}

#[test]
fn numbers_take_the_forms_that_cldr_gives_them() {
    // Every language that `plural.rs` knows, whether there is a catalogue in it or not.
    let known = "ja ko zh th vi id ms en de nl sv da nb fi et hu tr el bg it es ca fr pt cs sk pl ru uk";
    for language in known.split(' ') {
        let tag: LanguageIdentifier = language.parse().unwrap_or_else(|why| panic!("{language}: {why:?}"));
        let cldr = PluralRules::create(tag, PluralRuleType::CARDINAL)
            .unwrap_or_else(|why| panic!("CLDR has no rule for {language}: {why}"));
        let own = steplens_messages::plural_rule(language)
            .unwrap_or_else(|| panic!("plural.rs has no rule for {language}"));
        // The crate has rules from before Romance languages got a form for whole millions; the page and `plural.rs` have that.
        for count in (0..=1_200).chain([1_000_001, 2_000_011, 3_000_002]) {
            let wanted = cldr.select(count).map(|form| format!("{form:?}").to_lowercase());
            assert_eq!(wanted.as_deref(), Ok(own(count)), "{language}: {count}");
        }
    }
}

#[test]
fn every_message_of_rust_is_said() {
    let code = fs::read_dir(root().join("crates"))
        .expect("the crates are a folder")
        .flatten()
        .flat_map(|of_crate| rust_files(&of_crate.path().join("src")))
        .map(|path| read(&path))
        .collect::<Vec<_>>()
        .join("\n");
    let of_page = of_page(&root().join("crates/steplens-messages/languages/en"));
    // What stands between two quotes, on whichever side of one: 2,000 ids are not looked for in all sources, each by itself.
    let quoted: BTreeSet<&str> = code.split('"').collect();
    let unused: Vec<_> = all()
        .iter()
        .map(|message| message.id)
        .filter(|&id| !of_page.contains(id) && !id.starts_with("help-"))
        .filter(|&id| !quoted.contains(id) && !code.contains(&format!("(\n{id}")))
        .collect();
    assert!(unused.is_empty(), "nothing says these messages: {unused:?}");
}

#[test]
fn languages_have_the_same_messages() {
    let folder = root().join("crates/steplens-messages/languages");
    let of = |language: &str| -> BTreeMap<String, BTreeSet<String>> {
        let files = fs::read_dir(folder.join(language)).expect("a language is a folder").flatten();
        files.map(|file| (file.file_name().to_string_lossy().into_owned(), ids(&file.path()))).collect()
    };
    let english = of("en");
    for language in languages() {
        assert_eq!(of(language), english, "{language} has other files or messages than en");
    }
}

fn bundle(language: &str) -> FluentBundle<FluentResource> {
    let tag: LanguageIdentifier = language.parse().unwrap_or_else(|why| panic!("{language}: {why:?}"));
    let mut bundle = FluentBundle::new(vec![tag]);
    bundle.set_use_isolating(false);
    let folder = root().join("crates/steplens-messages/languages").join(language);
    for file in fs::read_dir(folder).expect("a language is a folder").flatten() {
        let resource = FluentResource::try_new(read(&file.path()))
            .unwrap_or_else(|(_, why)| panic!("{file:?}: {why:?}"));
        bundle.add_resource(resource).unwrap_or_else(|why| panic!("{file:?}: {why:?}"));
    }
    bundle
}

/// The names of what only the page says: its catalogue, and what others have below this heading.
fn of_page(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).expect("a language is a folder").flatten();
    let part = |file: &Path| match read(file).split_once("\n## On the page\n") {
        Some((_, below)) => named(below),
        None if file.ends_with("page.ftl") => ids(file),
        None => BTreeSet::new(),
    };
    files.flat_map(|file| part(&file.path())).collect()
}

/// The names of the messages in a catalogue.
fn ids(file: &Path) -> BTreeSet<String> {
    named(&read(file))
}

fn named(text: &str) -> BTreeSet<String> {
    let named = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    named.filter_map(|line| Some(line.split_once(" =")?.0.to_owned())).collect()
}

/// The sources in a folder and in the folders in it, without files of tests alone.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = files_below(folder, &["tests.rs"]);
    found.retain(|path| has_ending(path, &["rs"]));
    found
}
