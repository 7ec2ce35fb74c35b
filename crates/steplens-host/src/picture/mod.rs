//! A figure of what is opened as SVG or PNG, as the page saves it.

mod raster;

use crate::failure::Failure;
use crate::options::{PictureOf, PictureText, PictureTheme};
use crate::reading::loaded::Loaded;
use crate::reading::opening;
use crate::shared::own_name;
use crate::sides::Compared;
use raster::{Drawn, Fonts};
use std::path::Path;
use steplens_core::compare::Comparison;
use steplens_core::model::file::FileReport;
use steplens_core::{DeviceId, Interval, Selection, Study, Timestamp};
use steplens_export::picture::{Kind, Options, Theme, svg, svg_of_two};
use steplens_messages::{choose_language, language, say};

/// What a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines and texts, at any scale.
    Svg,
    /// Pixels.
    Png,
}

impl Form {
    /// By the ending of the name; of other endings none.
    pub fn of_path(path: &Path) -> Option<Self> {
        let has_ending = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        if has_ending("svg") { Some(Self::Svg) } else { has_ending("png").then_some(Self::Png) }
    }
}

/// Neither ending is at the end of `path`.
pub fn bad_ending(path: &Path) -> Failure {
    Failure::Sentence(say!("picture-ending", path = path.to_string_lossy()))
}

/// A picture that is wanted.
pub struct Wanted<'a> {
    /// A comparison is only drawn of two.
    pub of: PictureOf,
    /// What the file holds.
    pub form: Form,
    /// In pixels, 96 an inch.
    pub width: u32,
    /// Of which the page has the same.
    pub theme: PictureTheme,
    /// Of SVG only.
    pub text: PictureText,
    /// Of PNG only: how many pixels each of the width has.
    pub scale: u32,
    /// The language of its texts, if not that of the program.
    pub language: Option<&'a str>,
    /// Whether title and caption stand above it.
    pub has_heading: bool,
    /// A regular expression for the devices that are drawn.
    pub devices: Option<&'a str>,
    /// The window that is drawn, counted as the axis of the picture is.
    pub window: Option<&'a str>,
}

/// A picture as the bytes of a file, and what is to be said of it.
pub struct Drawing {
    /// The file.
    pub bytes: Vec<u8>,
    /// A sentence on a letter that no font has.
    pub note: Option<String>,
}

impl Wanted<'_> {
    /// Draws it of what `loaded` shows.
    pub fn draw(&self, loaded: &Loaded) -> Result<Drawing, Failure> {
        let kind = kind(self.of).ok_or_else(|| Failure::Sentence(say!("picture-two-traces").to_owned()))?;
        let devices = self.devices.map(|pattern| chosen(&loaded.study, pattern)).transpose()?;
        let window = self.window.map(|window| within(&loaded.study, window)).transpose()?;
        let options = self.options(kind, window, devices.as_deref().unwrap_or_default());
        self.drawn(|| svg(&loaded.study, &without_folders(&loaded.files), &options))
    }

    /// Draws where the difference of two steps comes from.
    pub fn draw_two(&self, a: &Compared, b: &Compared) -> Result<Drawing, Failure> {
        let files = [a, b].map(|own| without_folders(&own.loaded.files));
        let found = Comparison::made(a.side(), b.side());
        let options = self.options(Kind::Waterfall, None, &[]);
        self.drawn(|| svg_of_two(&found, [&files[0], &files[1]], &options))
    }

    fn options<'b>(&self, kind: Kind, window: Option<Interval>, devices: &'b [DeviceId]) -> Options<'b> {
        Options {
            kind,
            width: self.width,
            theme: match self.theme {
                PictureTheme::Light => Theme::Light,
                PictureTheme::Dark => Theme::Dark,
            },
            window,
            devices,
            has_heading: self.has_heading,
        }
    }

    fn drawn(&self, svg: impl FnOnce() -> String) -> Result<Drawing, Failure> {
        let own_language = language();
        choose_language([self.language.unwrap_or(own_language)]);
        let picture = svg();
        choose_language([own_language]);

        let mut fonts = Fonts::default();
        let drawn = match (self.form, self.text) {
            (Form::Png, _) => fonts.png(&picture, self.scale),
            (Form::Svg, PictureText::Outlines) => fonts.outlines(&picture),
            (Form::Svg, PictureText::Text) => Ok(picture.into_bytes()),
        };
        let bytes = drawn.map_err(|why| match why {
            Drawn::TooLarge => Failure::Option("scale", say!("picture-too-large").to_owned()),
            Drawn::Failed(why) => Failure::Sentence(say!("picture-not-drawn", why)),
        })?;
        let note = fonts.missing().map(|char| say!("picture-no-font", char = char.to_string()));
        Ok(Drawing { bytes, note })
    }
}

/// What is drawn of one trace; of a comparison none.
fn kind(of: PictureOf) -> Option<Kind> {
    match of {
        PictureOf::View => Some(Kind::View),
        PictureOf::Split => Some(Kind::Split),
        PictureOf::Waterfall => Some(Kind::Waterfall),
        PictureOf::Matrix => Some(Kind::Matrix),
        PictureOf::Memory => Some(Kind::Memory),
        PictureOf::CriticalPath => Some(Kind::CriticalPath),
        PictureOf::Comparison => None,
    }
}

fn without_folders(files: &[FileReport]) -> Vec<FileReport> {
    let mut files = files.to_vec();
    files.iter_mut().for_each(|file| file.name = own_name(&file.name));
    files
}

/// The devices whose names match.
fn chosen(study: &Study, pattern: &str) -> Result<Vec<DeviceId>, Failure> {
    let selection = Selection::new(Some(pattern), None).map_err(|why| Failure::Option("devices", why))?;
    let (devices, trace) = (study.trace().devices(), study.trace());
    let devices: Vec<DeviceId> =
        devices.ids().filter(|&id| selection.has_device(trace.text(devices.get(id).name))).collect();
    match devices.is_empty() {
        true => Err(Failure::Sentence(say!("picture-no-device", pattern))),
        false => Ok(devices),
    }
}

/// A window, with times as on the axis of the picture.
fn within(study: &Study, window: &str) -> Result<Interval, Failure> {
    let span = study.trace().span();
    let (start, end) = opening::Bounds::of(window)?.within(0, &(span.start.0..span.end.0))?;
    Ok(Interval::new(start.map_or(span.start, Timestamp), end.map_or(span.end, Timestamp)))
}
