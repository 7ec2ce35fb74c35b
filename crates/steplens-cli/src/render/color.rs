//! Colours: those of the page, as near as terminals with 256 colours allow. There are none if the user or the environment turns
//! them off.

use crate::args::When;
use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, Style};
use std::io;
use steplens_core::Category;

/// The role of a piece of text. A palette decides how it looks.
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
    /// The palette for standard output. Without an option, it follows the conventions of NO_COLOR, CLICOLOR and TERM.
    pub(crate) fn new(when: When) -> Self {
        Self {
            is_on: match when {
                When::Always => true,
                When::Never => false,
                When::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            },
        }
    }

    /// `text` with the colour of `tint`.
    pub(crate) fn paint(self, text: &str, tint: Tint) -> String {
        if !self.is_on || text.is_empty() || tint == Tint::Plain {
            return text.to_owned();
        }
        let style = style(tint);
        format!("{style}{text}{style:#}")
    }
}

fn style(tint: Tint) -> Style {
    let color = match tint {
        Tint::Plain => return Style::new(),
        Tint::Strong => return Style::new().bold(),
        Tint::Muted => 245,
        // The colours of the page's style sheet: #5aa9dd, #d58ab5, #2fae86, #e8a13a, #ddd05a, #ea8460, #b39a85, #b6bec9.
        Tint::Category(Category::Compute) => 74,
        Tint::Category(Category::Input) => 175,
        Tint::Category(Category::Copy) => 36,
        Tint::Category(Category::Communication) => 179,
        Tint::Category(Category::Launch) => 185,
        Tint::Category(Category::Allocation) => 209,
        Tint::Category(Category::Waiting) => 137,
        Tint::Category(Category::Range) => 249,
        Tint::Idle => 242,
    };
    Style::new().fg_color(Some(Ansi256Color(color).into()))
}
