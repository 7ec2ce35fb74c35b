//! What a person reads on a terminal: aligned, with units, bars and, where wanted, colour.

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
