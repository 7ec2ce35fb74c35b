//! Every answer about an open trace, by its name: that of the command, of the method in JavaScript and Python, and of the schema.
//!
//! What an answer is stands in its folder: `Options`, what may be chosen, implements [`Question`]. `answers!` below is the one list
//! of them. From it the contract test (`tests/tests/contract/`) makes the methods of both packages.

use crate::options::BadOption;
use crate::question::{Question, Shown};
use crate::text;
use serde_json::Value;
use steplens_messages::say;

/// Who asks by name: it is given the question that is called so.
pub trait Asker {
    /// What comes of it.
    type Said;

    /// Asks.
    fn ask<Q: Question>(self) -> Self::Said;
}

macro_rules! answers {
    ($($folder:ident)*) => {
        /// The names of all answers.
        pub const NAMES: &[&str] = &[$(<crate::$folder::Options as Question>::NAME),*];

        /// Has `asker` ask the question of this name; `None` if there is none.
        pub fn by_name<A: Asker>(name: &str, asker: A) -> Option<A::Said> {
            $(if name == <crate::$folder::Options as Question>::NAME {
                return Some(asker.ask::<crate::$folder::Options>());
            })*
            None
        }

        /// The folder of each answer, in the order of [`NAMES`].
        pub const FOLDERS: &[&str] = &[$(stringify!($folder)),*];
    };
}

answers! {
    summary ops transfers network memory kernels counters flame causality scheduling what_if steps clocks doctor findings
}

/// The answer called `name`, as JSON. `options` are JSON, too: an object with what is chosen; empty for nothing.
pub fn json(name: &str, options: &str, shown: &Shown<'_>) -> Result<String, BadOption> {
    let asker = AsText { options, shown };
    by_name(name, asker).unwrap_or_else(|| Err(no_such(name)))
}

struct AsText<'a, 's> {
    options: &'a str,
    shown: &'a Shown<'s>,
}

impl Asker for AsText<'_, '_> {
    type Said = Result<String, BadOption>;

    fn ask<Q: Question>(self) -> Self::Said {
        Ok(text(&chosen::<Q>(self.options)?.answer(self.shown)?))
    }
}

/// The question with what `options` choose, as JSON.
pub fn chosen<Q: Question>(options: &str) -> Result<Q, BadOption> {
    if options.is_empty() {
        return Ok(Q::default());
    }
    // A place in the text would mean nothing: a program made it.
    let read = serde_json::from_str::<Value>(options).and_then(serde_json::from_value);
    read.map_err(|why| BadOption(say!("bad-options", name = Q::NAME, why = why.to_string())))
}

/// There is no answer called `name`.
pub fn no_such(name: &str) -> BadOption {
    BadOption(say!("bad-answer", name, names = NAMES.join(", ")))
}
