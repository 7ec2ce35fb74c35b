//! A trace whose texts are replaced by keyed hashes, except for the kinds that are included. From any trace, and a key. For who
//! passes a recording on: `steplens redact`, and the dialog of the page.
//!
//! Ops, times, bytes, edges and categories stay, and so does everything that figures read from names: scopes, numbers, the words in
//! [`words`]. So every figure of the redacted trace is equal to that of the original. In one redaction a text has the same hash
//! everywhere; under another [`Key`] it has another hash. `docs/redaction.md` says what stays visible.

mod arguments;
mod devices;
mod key;
mod labels;
mod names;
pub mod search;
mod shown;
mod stages;
mod trace;
pub mod vocabulary;
mod words;

use std::cmp::Ordering;
use steplens_messages::{listed, say};

pub use key::Key;
pub use shown::Shown;
pub use trace::{REDACTED, Redaction};

/// A kind of text that a user may include.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Names of ops, tensors, scopes and kernels, and other content of labels.
    Names,
    /// Op types that are not public.
    OpTypes,
    /// Names of machines, jobs, processes, devices and threads.
    Hosts,
    /// Tags, fetches and feeds.
    Tags,
    /// Names of files, and the details of their problems.
    Files,
    /// Shapes of tensors.
    Shapes,
    /// Texts that the user wrote into the view: marks, searches, filters of devices.
    Notes,
}

impl Kind {
    /// All values.
    pub const ALL: [Self; 7] =
        [Self::Names, Self::OpTypes, Self::Hosts, Self::Tags, Self::Files, Self::Shapes, Self::Notes];

    /// The word for this kind in arguments and in the file's note.
    pub fn word(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::OpTypes => "op-types",
            Self::Hosts => "hosts",
            Self::Tags => "tags",
            Self::Files => "files",
            Self::Shapes => "shapes",
            Self::Notes => "notes",
        }
    }
}

/// The kinds of text that are included; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Included(u8);

impl Included {
    /// All kinds: nothing is redacted.
    pub const ALL: Self = Self((1 << Kind::ALL.len()) - 1);

    /// These kinds and `kind`.
    #[must_use]
    pub fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// Whether `kind` is included.
    pub fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u8 & 1 != 0
    }

    /// The kinds that `words` stand for; the error is the first word that is not a kind.
    pub fn of_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, &'a str> {
        words.into_iter().try_fold(Self::default(), |included, word| match word {
            "all" => Ok(Self::ALL),
            _ => match Kind::ALL.iter().find(|kind| kind.word() == word) {
                Some(&kind) => Ok(included.with(kind)),
                None => Err(word),
            },
        })
    }

    /// The note in a file that says what is hidden in it; `None` if nothing is hidden.
    fn note(self) -> Option<String> {
        let hidden: Vec<&str> =
            Kind::ALL.into_iter().filter(|&kind| !self.has(kind)).map(Kind::word).collect();
        (!hidden.is_empty()).then(|| say!("redacted-file", hidden = listed(&hidden)))
    }
}

/// `texts` in order, each once. One function for all callers, because each copy for another type would be kilobytes of the page.
fn sorted_once(mut texts: Vec<&str>, compare: fn(&str, &str) -> Ordering) -> Vec<&str> {
    texts.sort_by(|&a, &b| compare(a, b));
    texts.dedup();
    texts
}
