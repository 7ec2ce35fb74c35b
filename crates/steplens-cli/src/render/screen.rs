//! The screen: how wide the text may be, and how it is coloured.

use super::color::{Palette, Tint};
use crate::args::When;
use std::env;
use std::io;
use terminal_size::{Width, terminal_size_of};

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
        Self { width: width.max(LEAST_WIDTH), palette: Palette::new(color, &io::stdout()) }
    }

    pub(crate) fn strong(self, text: &str) -> String {
        self.palette.paint(text, Tint::Strong)
    }

    pub(crate) fn muted(self, text: &str) -> String {
        self.palette.paint(text, Tint::Muted)
    }
}
