//! Output for people on a terminal: aligned, with units, bars and, if wanted, colour.

pub(crate) mod bar;
pub(crate) mod color;
mod cpp;
mod ends;
mod harmless;
pub(crate) mod names;
pub(crate) mod places;
pub(crate) mod screen;
pub(crate) mod table;
pub(crate) mod units;

pub(crate) use harmless::Harmless;
pub(crate) use names::visible;
pub(crate) use screen::Screen;
