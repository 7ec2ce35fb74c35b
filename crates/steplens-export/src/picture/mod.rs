//! Pictures of a trace as SVG, good enough for a paper: what `steplens picture` saves.
//!
//! A picture is a pure function of a [`Study`] and [`Options`]. What it shows comes from where the page has it, too: marks and strips from
//! the core's `marks/` and `questions/`, figures from the analyses, words from the catalogue.
//!
//! | module | has |
//! |---|---|
//! | [`view`] | the timeline: lanes of devices, drawn from the page's marks |
//! | [`split`] | how the time of each device divides |
//! | [`waterfall`] | what the observed path spent its time on, kind after kind |
//! | [`comparison`] | where the difference of two steps comes from, bar after bar |
//! | [`matrix`] | bytes from each place to each other one |
//! | [`memory`] | bytes that are alive over time |
//! | [`path`] | the observed critical path, device by device |
//! | [`frame`], [`axis`], [`rows`] | what all of them have: heading, legend, axes, labels of rows |
//! | [`scene`], [`width`], [`colors`] | SVG, how wide texts are, the page's colours |
//!
//! What must never be here: files, fonts, pixels, JavaScript, an analysis.

mod axis;
pub mod colors;
mod comparison;
mod frame;
mod keyed;
mod matrix;
mod memory;
mod path;
mod rows;
mod scene;
mod split;
mod view;
mod waterfall;
pub mod width;

use frame::Frame;
use steplens_core::model::file::FileReport;
use steplens_core::{DeviceId, Interval, Study};
use steplens_messages::say;

pub use colors::Theme;
pub use comparison::svg_of_two;
pub use scene::LEAST_SIZE;
pub use view::{MarkBox, mark_boxes};

/// What a picture is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The lanes of devices over time.
    View,
    /// How the time of each device divides.
    Split,
    /// What the observed path spent its time on.
    Waterfall,
    /// What went from where to where.
    Matrix,
    /// Which bytes were alive when.
    Memory,
    /// The observed path over time.
    CriticalPath,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::View, Self::Split, Self::Waterfall, Self::Matrix, Self::Memory, Self::CriticalPath];

    /// Its word on the command line and in the page's contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Split => "split",
            Self::Waterfall => "waterfall",
            Self::Matrix => "matrix",
            Self::Memory => "memory",
            Self::CriticalPath => "critical-path",
        }
    }

    /// By its word.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }

    fn title(self) -> &'static str {
        match self {
            Self::View => say!("picture-view"),
            Self::Split => say!("picture-split"),
            Self::Waterfall => say!("picture-waterfall"),
            Self::Matrix => say!("picture-matrix"),
            Self::Memory => say!("picture-memory"),
            Self::CriticalPath => say!("picture-critical-path"),
        }
    }
}

/// The narrowest picture, in pixels: a third of a page.
pub const LEAST_WIDTH: u32 = 320;
/// The widest.
pub const MOST_WIDTH: u32 = 10_000;

/// How a picture is to be.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// What the picture shows.
    pub kind: Kind,
    /// Its width in pixels, 96 an inch; it is kept within [`LEAST_WIDTH`] and [`MOST_WIDTH`].
    pub width: u32,
    /// Its colours.
    pub theme: Theme,
    /// What of the step it shows; all of it where there is none.
    pub window: Option<Interval>,
    /// The devices that it shows, from the top; all where there are none.
    pub devices: &'a [DeviceId],
    /// Whether title and caption stand above it: a paper has its own below.
    pub has_heading: bool,
}

impl Options<'_> {
    fn window(&self, study: &Study) -> Interval {
        self.window.unwrap_or_else(|| study.trace().span())
    }

    fn devices(&self, study: &Study) -> Vec<DeviceId> {
        let count = study.trace().devices().len();
        match self.devices {
            [] => {
                let devices = study.trace().devices();
                devices.ids().filter(|&device| !devices.is_host_profiler(device)).collect()
            }
            some => some.iter().copied().filter(|device| device.index() < count).collect(),
        }
    }
}

/// The picture as SVG: one file, without scripts and references, whose texts are text.
pub fn svg(study: &Study, files: &[FileReport], options: &Options<'_>) -> String {
    let mut frame = Frame::of(study, files, options);
    match options.kind {
        Kind::View => view::draw(&mut frame, study, options),
        Kind::Split => split::draw(&mut frame, study, options),
        Kind::Waterfall => waterfall::draw(&mut frame, study, options),
        Kind::Matrix => matrix::draw(&mut frame, study, options),
        Kind::Memory => memory::draw(&mut frame, study, options),
        Kind::CriticalPath => path::draw(&mut frame, study, options),
    }
    frame.finish()
}
