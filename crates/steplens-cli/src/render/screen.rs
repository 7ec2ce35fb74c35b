//! The screen: how wide the text may be, and how it is coloured.

use super::color::{Palette, Tint};
use crate::args::When;
use std::env;
use std::io;
use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthStr;

/// Where nothing says how wide the text may be.
const USUAL_WIDTH: usize = 100;
/// Narrower than this nothing can be aligned.
const LEAST_WIDTH: usize = 40;

/// How text for people is laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    pub(crate) width: usize,
    pub(crate) palette: Palette,
}

impl Screen {
    /// The screen behind standard output. `COLUMNS` wins over what the terminal says.
    pub(crate) fn new(color: When) -> Self {
        let said = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let seen = || terminal_size_of(io::stdout()).map(|(Width(columns), _)| usize::from(columns));
        let width: usize = said.or_else(seen).unwrap_or(USUAL_WIDTH);
        Self { width: width.max(LEAST_WIDTH), palette: Palette::new(color) }
    }

    pub(crate) fn strong(self, text: &str) -> String {
        self.palette.paint(text, Tint::Strong)
    }

    pub(crate) fn muted(self, text: &str) -> String {
        self.palette.paint(text, Tint::Muted)
    }

    /// The title of a part of the text, and what is to know about it where there is room.
    pub(crate) fn title(self, title: &str, explanation: &str) -> String {
        if title.width() + explanation.width() + 2 > self.width {
            return self.strong(title);
        }
        format!("{}  {}", self.strong(title), self.muted(explanation))
    }

    /// A sentence in as many lines as it takes, each after `indent`.
    pub(crate) fn sentence(self, text: &str, indent: &str) -> String {
        let lines = wrapped(text.split(' '), " ", self.width.saturating_sub(indent.len()));
        lines.iter().map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n")
    }

    /// The sentence that says most, in as many lines as it takes.
    pub(crate) fn strong_sentence(self, text: &str) -> String {
        let lines = wrapped(text.split(' '), " ", self.width);
        lines.iter().map(|line| self.strong(line)).collect::<Vec<_>>().join("\n")
    }

    /// A remark in as many lines as it takes.
    pub(crate) fn note(self, text: &str) -> String {
        let lines = wrapped(text.split(' '), " ", self.width);
        lines.iter().map(|line| self.muted(line)).collect::<Vec<_>>().join("\n")
    }

    /// Facts side by side, in as many lines as it takes; the first is the most important one.
    pub(crate) fn facts(self, facts: &[String]) -> String {
        let text = wrapped(facts.iter().map(String::as_str), " · ", self.width).join("\n");
        let first = facts.first().map_or("", String::as_str);
        self.strong(first) + &text[first.len()..]
    }
}

/// `parts` in lines of at most `width` columns, `between` two in a line.
fn wrapped<'a>(parts: impl Iterator<Item = &'a str>, between: &str, width: usize) -> Vec<String> {
    let length = |text: &str| text.width();
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if length(line) + length(between) + length(part) <= width => {
                line.push_str(between);
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}
