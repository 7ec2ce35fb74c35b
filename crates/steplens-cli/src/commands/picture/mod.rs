//! `steplens picture`: a figure of the trace as SVG or PNG, as the page saves it.

mod raster;

use super::report::{is_input, own_name, write};
use crate::args::{self, PictureOf, PictureText, PictureTheme};
use crate::failure::Failure;
use crate::input::inputs;
use crate::loaded::Loaded;
use crate::opening;
use crate::render::visible;
use raster::{Drawn, Fonts};
use std::io::{self, Write};
use std::path::Path;
use steplens_core::{DeviceId, Interval, Selection, Study, Timestamp};
use steplens_messages::{choose_language, language, say};
use steplens_picture::{Kind, Options, Theme, svg};

pub(super) fn run(args: &args::Picture) -> Result<(), Failure> {
    let path = &args.output;
    let shown = path.to_string_lossy();
    let is_stdout = path == Path::new("-");
    let form = Form::of_path(path).or(is_stdout.then_some(Form::Svg)).ok_or_else(|| bad_ending(path))?;
    if is_input(&inputs(&args.files.files)?, path) {
        return Err(Failure::Sentence(say!("export-over-input", path = shown)));
    }
    // As on the page, path, memory and transfers cover everything that ran. So all devices and all times are read, and the chosen
    // ones are drawn.
    let mut files = args.files.clone();
    let (devices, window) = (files.devices.take(), files.window.take());
    let loaded = Loaded::read(&files)?;
    let wanted = Wanted {
        of: args.of,
        form,
        width: args.width,
        theme: args.theme,
        text: args.text,
        scale: args.scale,
        language: args.language.as_deref(),
        has_heading: !args.no_heading,
        devices: devices.as_deref(),
        window: window.as_deref(),
    };
    let Drawing { bytes, note } = wanted.draw(&loaded)?;
    // If standard error cannot be written either, there is nothing left to do.
    let _ = note.iter().try_for_each(|note| writeln!(io::stderr(), "steplens: {note}"));
    if is_stdout {
        io::stdout().write_all(&bytes)?;
    } else {
        let size = write(path, &bytes)?;
        writeln!(io::stdout(), "{}", say!("export-written", path = visible(&shown), size))?;
    }
    loaded.report_problems(false)
}

/// What a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Svg,
    Png,
}

impl Form {
    /// By the ending of the name; of other endings none.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        let has_ending = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        if has_ending("svg") { Some(Self::Svg) } else { has_ending("png").then_some(Self::Png) }
    }
}

pub(crate) fn bad_ending(path: &Path) -> Failure {
    Failure::Sentence(say!("picture-ending", path = path.to_string_lossy()))
}

/// A picture that is wanted.
pub(crate) struct Wanted<'a> {
    pub(crate) of: PictureOf,
    pub(crate) form: Form,
    pub(crate) width: u32,
    pub(crate) theme: PictureTheme,
    pub(crate) text: PictureText,
    pub(crate) scale: u32,
    /// The language of its texts, if not that of the program.
    pub(crate) language: Option<&'a str>,
    pub(crate) has_heading: bool,
    /// A regular expression for the devices that are drawn.
    pub(crate) devices: Option<&'a str>,
    /// The window that is drawn, counted as the axis of the picture is.
    pub(crate) window: Option<&'a str>,
}

/// A picture as the bytes of a file, and what is to be said of it.
pub(crate) struct Drawing {
    pub(crate) bytes: Vec<u8>,
    pub(crate) note: Option<String>,
}

impl Wanted<'_> {
    /// Draws it of what `loaded` shows.
    pub(crate) fn draw(&self, loaded: &Loaded) -> Result<Drawing, Failure> {
        let mut files = loaded.files.clone();
        files.iter_mut().for_each(|file| file.name = own_name(&file.name));
        let devices = self.devices.map(|pattern| chosen(&loaded.study, pattern)).transpose()?;
        let options = Options {
            kind: kind(self.of),
            width: self.width,
            theme: match self.theme {
                PictureTheme::Light => Theme::Light,
                PictureTheme::Dark => Theme::Dark,
            },
            window: self.window.map(|window| within(&loaded.study, window)).transpose()?,
            devices: &devices.unwrap_or_default(),
            has_heading: self.has_heading,
        };
        let own_language = language();
        choose_language([self.language.unwrap_or(own_language)]);
        let picture = svg(&loaded.study, &files, &options);
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

fn kind(of: PictureOf) -> Kind {
    match of {
        PictureOf::View => Kind::View,
        PictureOf::Split => Kind::Split,
        PictureOf::Waterfall => Kind::Waterfall,
        PictureOf::Matrix => Kind::Matrix,
        PictureOf::Memory => Kind::Memory,
        PictureOf::CriticalPath => Kind::CriticalPath,
    }
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
