//! Every text that Steplens says, in each language: `languages/`, in Fluent syntax (projectfluent.org).
//!
//! `say!("finding-far-ops", count)` is the text of a message in the language that was chosen. A message that does not exist, or an
//! argument that is missing or too many, is an error of the compiler. The page formats the same catalogue with Fluent itself
//! (`www/src/base/messages.ts`); here is a small formatter of what its messages use, because Fluent's own weighs more than all sentences
//! that go into the page. `tests/tests/messages/main.rs` compares it with Fluent's.
//!
//! What must never be here: what is said of a trace. That is decided where `say!` is called.

#![forbid(unsafe_code)]

mod joined;
mod plural;
mod text;

pub use joined::{asides, clauses, listed, sentences};
pub use text::{Argument, Arguments, AsArgument, Grouped, grouped};

use std::sync::{PoisonError, RwLock};

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

/// The chosen language; `None` is English. One for all: it is chosen once, when a program or worker starts.
static CHOSEN: RwLock<Option<&'static Language>> = RwLock::new(None);

/// A message: its English text, and the key of its texts in other languages, as names would weigh in the page.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    english: &'static str,
    key: u32,
}

/// A message as the catalogue has it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name.
    pub id: &'static str,
    /// What it wants to know, sorted.
    pub arguments: &'static [&'static str],
    /// Its texts.
    pub message: Message,
}

/// The texts of a language that is not English.
struct Language {
    tag: &'static str,
    /// Sorted by their keys.
    texts: &'static [(u32, &'static str)],
}

impl Language {
    fn rule(&self) -> plural::Rule {
        plural::rule(self.tag).unwrap_or(plural::one_or_other)
    }

    fn text(&self, message: &Message) -> &'static str {
        let place = self.texts.binary_search_by_key(&message.key, |&(key, _)| key);
        place.map_or(message.english, |place| self.texts[place].1)
    }
}

fn chosen() -> Option<&'static Language> {
    // Only a whole value is ever written.
    *CHOSEN.read().unwrap_or_else(PoisonError::into_inner)
}

fn choose(language: Option<&'static Language>) {
    *CHOSEN.write().unwrap_or_else(PoisonError::into_inner) = language;
}

impl Message {
    /// The text, in the chosen language.
    #[inline(never)]
    pub fn text(&self, arguments: &Arguments<'_>) -> String {
        match chosen() {
            Some(language) => text::filled(language.text(self), arguments, language.rule()),
            None => text::filled(self.english, arguments, plural::one_or_other),
        }
    }

    /// The text of a message without arguments.
    #[inline(never)]
    pub fn plain(&self) -> &'static str {
        chosen().map_or(self.english, |language| language.text(self))
    }
}

/// Chooses the first of the `wanted` languages (`de`, `de-AT`, `de_AT.UTF-8`) that there is; English where there is none. It links the
/// texts of all languages into the program; the page uses [`learn`].
pub fn choose_language<'a>(wanted: impl IntoIterator<Item = &'a str>) {
    let base = |tag: &str| tag.split(['-', '_', '.']).next().unwrap_or_default().to_ascii_lowercase();
    let tag = wanted.into_iter().find_map(|wanted| {
        let tag = wanted.split('.').next().unwrap_or_default().replace('_', "-");
        let exact = languages().find(|known| known.eq_ignore_ascii_case(&tag));
        exact.or_else(|| languages().find(|known| base(known) == base(wanted)))
    });
    choose(OTHERS.iter().find(|language| Some(language.tag) == tag));
}

/// The tag of the chosen language.
pub fn language() -> &'static str {
    chosen().map_or(FIRST, |language| language.tag)
}

/// The texts of `language` that `is_wanted`, for [`learn`]; `None` where there is no catalogue in it.
pub fn packed(language: &str, is_wanted: impl Fn(&str) -> bool) -> Option<String> {
    let language = OTHERS.iter().find(|other| other.tag == language)?;
    let wanted = MESSAGES.iter().filter(|entry| is_wanted(entry.id));
    Some(
        wanted
            .map(|Entry { message, .. }| format!("{:08x}{}\u{6}", message.key, language.text(message)))
            .collect(),
    )
}

/// Says everything in `language` from now on, with the texts that [`packed`] made; what they lack is said in English. Returns whether
/// all of it could be read: else everything stays as it was.
pub fn learn(language: &str, texts: &str) -> bool {
    let read = |line: &'static str| {
        let (key, text) = line.split_at_checked(8)?;
        Some((u32::from_str_radix(key, 16).ok()?, text))
    };
    // For as long as the program runs: a text without arguments is handed out as it is.
    let texts: &'static str = String::from(texts).leak();
    let Some(mut texts) = texts.split_terminator('\u{6}').map(read).collect::<Option<Vec<_>>>() else {
        return false;
    };
    texts.sort_unstable_by_key(|&(key, _)| key);
    choose(Some(Box::leak(Box::new(Language { tag: String::from(language).leak(), texts: texts.leak() }))));
    true
}

/// Which form of a noun a number takes in a language; `None` where that is not known here. Only for tests.
pub fn plural_rule(language: &str) -> Option<fn(u64) -> &'static str> {
    plural::rule(language)
}

/// The tags of all languages, English first.
pub fn languages() -> impl Iterator<Item = &'static str> {
    std::iter::once(FIRST).chain(OTHERS.iter().map(|language| language.tag))
}

/// Every message that Rust can say, by id. Only for tests and for what is found by name: it links all texts into the program.
pub fn all() -> &'static [Entry] {
    static ALL: [Entry; MESSAGES.len()] = MESSAGES;
    &ALL
}

/// The message with this id and exactly these arguments; the compiler stops where there is none.
pub const fn find(id: &str, arguments: &[&str]) -> Message {
    let (mut low, mut high) = (0, MESSAGES.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        match compared(MESSAGES[middle].id.as_bytes(), id.as_bytes()) {
            0 => {
                let found = MESSAGES[middle];
                assert!(
                    same(found.arguments, arguments),
                    "the message in the catalogue wants other arguments"
                );
                return found.message;
            }
            1 => high = middle,
            _ => low = middle + 1,
        }
    }
    panic!(
        "the catalogue (crates/steplens-messages/languages/en) has no such message, or only the page can format it"
    );
}

/// -1, 0 or 1, as `left` comes before `right`, is it, or comes after it.
const fn compared(left: &[u8], right: &[u8]) -> i8 {
    let mut at = 0;
    while at < left.len() && at < right.len() {
        if left[at] != right[at] {
            return if left[at] < right[at] { -1 } else { 1 };
        }
        at += 1;
    }
    if left.len() == right.len() {
        0
    } else if left.len() < right.len() {
        -1
    } else {
        1
    }
}

/// Whether these are the same names, in any order.
const fn same(wanted: &[&str], given: &[&str]) -> bool {
    let mut at = 0;
    while at < wanted.len() {
        let (mut other, mut is_given) = (0, false);
        while other < given.len() {
            is_given |= compared(wanted[at].as_bytes(), given[other].as_bytes()) == 0;
            other += 1;
        }
        if !is_given {
            return false;
        }
        at += 1;
    }
    wanted.len() == given.len()
}

/// A message to say later: `message!("program-ops", count)`.
#[macro_export]
macro_rules! message {
    ($id:literal $(, $name:ident)* $(,)?) => {{
        const MESSAGE: &$crate::Message = &$crate::find($id, &[$(stringify!($name)),*]);
        MESSAGE
    }};
}

/// The text of a message: `say!("report-written", path, size = bytes(size))`. Without arguments it is a `&'static str`, else a `String`.
#[macro_export]
macro_rules! say {
    ($id:literal $(,)?) => {{
        const MESSAGE: &$crate::Message = &$crate::find($id, &[]);
        MESSAGE.plain()
    }};
    ($id:literal, $($name:ident $(= $value:expr)?),+ $(,)?) => {{
        const MESSAGE: &$crate::Message = &$crate::find($id, &[$(stringify!($name)),+]);
        MESSAGE.text(&[$((stringify!($name), $crate::AsArgument::as_argument(&$crate::value!($name $(= $value)?)))),+])
    }};
}

/// The value of an argument of `say!`: a variable of its name, or what is set.
#[doc(hidden)]
#[macro_export]
macro_rules! value {
    ($name:ident) => {
        $name
    };
    ($name:ident = $value:expr) => {
        $value
    };
}
