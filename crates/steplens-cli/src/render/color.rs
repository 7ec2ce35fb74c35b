//! Colours: those of the page, as near as terminals of 256 colours come, and none where nobody wants them.

use crate::args::When;
use std::env;
use std::io::IsTerminal;
use steplens_core::Category;

/// What a piece of text is; a palette decides how that looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tint {
    Plain,
    /// Titles of tables and tasks.
    Strong,
    /// Column heads and explanations.
    Muted,
    Category(Category),
    Idle,
}

/// Whether and how to colour.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    is_on: bool,
}

impl Palette {
    /// The palette for what is written to `out`.
    pub(crate) fn new(when: When, out: &impl IsTerminal) -> Self {
        // https://no-color.org: set and not empty.
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            is_on: match when {
                When::Always => true,
                When::Never => false,
                When::Auto => out.is_terminal() && !unwanted,
            },
        }
    }

    /// `text` as `tint` looks here.
    pub(crate) fn paint(self, text: &str, tint: Tint) -> String {
        let code = match tint {
            Tint::Strong => "1",
            Tint::Muted => "38;5;245",
            // As in the page's style sheet: #5aa9dd, #d58ab5, #2fae86, #e8a13a, #ddd05a, #b39a85, #b6bec9.
            Tint::Category(Category::Compute) => "38;5;74",
            Tint::Category(Category::Input) => "38;5;175",
            Tint::Category(Category::Copy) => "38;5;36",
            Tint::Category(Category::Communication) => "38;5;179",
            Tint::Category(Category::Launch) => "38;5;185",
            Tint::Category(Category::Waiting) => "38;5;137",
            Tint::Category(Category::Range) => "38;5;249",
            Tint::Idle => "38;5;242",
            Tint::Plain => "",
        };
        if !self.is_on || code.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
