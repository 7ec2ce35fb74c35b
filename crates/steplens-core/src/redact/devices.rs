//! Names of devices, machines and threads. The separators between their parts stay, and so do public words.
//!
//! Devices are in natural order of their names, and so are many rows. So the hashes of hidden parts are in the same order as the
//! parts.

use super::trace::Redaction;
use super::{Kind, sorted_once, words};
use crate::base::natural;
use crate::model::device::{JobRole, OF_TENSORS, is_pool};

const SEPARATORS: [char; 8] = ['/', ':', ' ', '(', ')', ',', '[', ']'];

impl Redaction<'_> {
    /// Finds the hidden parts of all names of devices, and gives each a hash.
    pub(super) fn learn_hosts<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        let hidden = names.flat_map(|name| name.split(SEPARATORS)).filter(|part| !is_kept(part));
        let hidden = sorted_once(hidden.collect(), natural::compare);
        let tokens = self.tokens_of("host", &hidden);
        for (part, token) in hidden.into_iter().zip(tokens) {
            let kind = words::KINDS.iter().find(|kind| part.to_ascii_lowercase().ends_with(*kind));
            let role = JobRole::word_of(part).map(|word| ["_", word].concat()).unwrap_or_default();
            self.hosts
                .insert(part.to_owned(), [token.as_str(), &role, kind.copied().unwrap_or_default()].concat());
        }
    }

    /// Hashes of `texts`, in the same order as the texts.
    fn tokens_of(&mut self, domain: &str, texts: &[&str]) -> Vec<String> {
        let tokens: Vec<String> = texts.iter().map(|text| self.tokens.token(domain, text)).collect();
        let tokens = sorted_once(tokens.iter().map(String::as_str).collect(), Ord::cmp);
        tokens.into_iter().map(str::to_owned).collect()
    }

    /// The name of a device, a task or a machine.
    pub(super) fn device(&self, text: &str) -> String {
        if self.included.has(Kind::Hosts) {
            return text.to_owned();
        }
        let hide = |part: &str| match is_kept(part) {
            true => part.to_owned(),
            // A part without a hash is hidden as well.
            false => self.hosts.get(part).cloned().unwrap_or_else(|| "hidden".to_owned()),
        };
        map_words(text, &SEPARATORS, hide)
    }

    /// Gives each hidden name of a thread a hash. Names of threads may be names of tensors or machines. Hashes keep the order of
    /// the names, because lanes are in that order; public words stay.
    pub(super) fn learn_threads<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        let names = sorted_once(names.collect(), natural::compare);
        if names.iter().all(|name| name.split(SEPARATORS).all(is_kept)) {
            return;
        }
        let tokens = self.tokens_of("thread", &names);
        for (name, mut token) in names.into_iter().zip(tokens) {
            for word in name.split(SEPARATORS).filter(|word| !word.is_empty() && is_kept(word)) {
                token.push(' ');
                token.push_str(word);
            }
            self.threads.insert(name.to_owned(), token);
        }
    }

    /// The name of a thread.
    pub(super) fn thread(&self, text: &str) -> String {
        let is_shown = self.included.has(Kind::Hosts) && self.included.has(Kind::Names);
        self.threads.get(text).filter(|_| !is_shown).cloned().unwrap_or_else(|| text.to_owned())
    }
}

fn is_kept(part: &str) -> bool {
    part.is_empty()
        || words::is_number(part)
        || words::is_python(part)
        || words::is_one(&words::DEVICES, part)
        || words::is_of_stream(part)
        || is_pool(part)
        || OF_TENSORS.contains(&part)
}

/// `text` with every word between `separators` mapped.
pub(super) fn map_words(text: &str, separators: &[char], mut map: impl FnMut(&str) -> String) -> String {
    let mut mapped = String::new();
    for word in text.split_inclusive(separators) {
        let own = word.strip_suffix(separators).unwrap_or(word);
        mapped.push_str(&map(own));
        mapped.push_str(&word[own.len()..]);
    }
    mapped
}
