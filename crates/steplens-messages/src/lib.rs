//! Every text that Steplens says, in each language: `languages/`, in Fluent syntax (projectfluent.org).
//!
//! `say!("finding-far-ops", count)` is the text of a message in the language that was chosen. A message that does not exist, or an
//! argument that is missing or too many, is an error of the compiler. The page formats the same catalogue with Fluent itself
//! (`www/src/base/messages.ts`); here is a small formatter of what its messages use, because Fluent's own weighs more than all sentences
//! that go into the page. `tests/tests/messages/main.rs` compares it with Fluent's.
//!
//! What must never be here: what is said of a trace. That is decided where `say!` is called.

#![forbid(unsafe_code)]

mod plural;
mod text;

pub use text::{Argument, Arguments, AsArgument, Grouped, grouped};

use std::sync::atomic::{AtomicUsize, Ordering};

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

/// The place of the chosen language in `LANGUAGES`. One for all: it is chosen once, when a program or worker starts.
static LANGUAGE: AtomicUsize = AtomicUsize::new(0);

/// A message in each language: its texts alone, as names would weigh in the page.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    texts: [&'static str; LANGUAGES.len()],
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

impl Message {
    /// The text, in the chosen language.
    #[inline(never)]
    pub fn text(&self, arguments: &Arguments<'_>) -> String {
        let language = LANGUAGE.load(Ordering::Relaxed);
        text::filled(
            self.texts[language],
            arguments,
            plural::rule(LANGUAGES[language]).unwrap_or(|_| "other"),
        )
    }

    /// The text of a message without arguments.
    #[inline(never)]
    pub fn plain(&self) -> &'static str {
        self.texts[LANGUAGE.load(Ordering::Relaxed)]
    }
}

/// Chooses the first of the `wanted` languages (`de`, `de-AT`, `de_AT.UTF-8`) that there is; English where there is none.
pub fn choose_language<'a>(wanted: impl IntoIterator<Item = &'a str>) {
    let base = |tag: &str| tag.split(['-', '_', '.']).next().unwrap_or_default().to_ascii_lowercase();
    let place = wanted.into_iter().find_map(|wanted| {
        let tag = wanted.split('.').next().unwrap_or_default().replace('_', "-");
        let exact = LANGUAGES.iter().position(|known| known.eq_ignore_ascii_case(&tag));
        exact.or_else(|| LANGUAGES.iter().position(|known| base(known) == base(wanted)))
    });
    LANGUAGE.store(place.unwrap_or(0), Ordering::Relaxed);
}

/// Which form of a noun a number takes in a language; `None` where that is not known here. Only for tests.
pub fn plural_rule(language: &str) -> Option<fn(u64) -> &'static str> {
    plural::rule(language)
}

/// The tags of all languages, English first.
pub fn languages() -> &'static [&'static str] {
    &LANGUAGES
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
