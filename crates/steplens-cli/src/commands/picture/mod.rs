//! `steplens picture`: a figure of the trace as SVG or PNG, as the page saves it.

mod raster;

use super::report::own_name;
use crate::args::{self, PictureOf, PictureText, PictureTheme};
use crate::failure::Failure;
use crate::input::inputs;
use crate::loaded::Loaded;
use crate::memory_limit;
use crate::opening;
use crate::outputs::{self, Output};
use crate::render::{units, visible};
use crate::sides::Compared;
use raster::{Drawn, Fonts};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use steplens_core::compare::Comparison;
use steplens_core::model::file::FileReport;
use steplens_core::{DeviceId, Interval, Selection, Study, Timestamp};
use steplens_export::picture::{Kind, Options, Theme, svg, svg_of_two};
use steplens_messages::{choose_language, language, say};

pub(super) fn run(args: &args::Picture) -> Result<(), Failure> {
    let path = &args.output;
    let shown = path.to_string_lossy();
    let inputs = inputs(&args.files.files)?;
    let output = Output::at(path, &inputs)?;
    let form =
        Form::of_path(path).or(output.is_stdout().then_some(Form::Svg)).ok_or_else(|| bad_ending(path))?;
    // As on the page, path, memory and transfers cover everything that ran. So all devices and all times are read, and the chosen
    // ones are drawn.
    let mut files = args.files.clone();
    let of_two = args.of == PictureOf::Comparison;
    let (devices, window) =
        if of_two { (None, None) } else { (files.reading.devices.take(), files.window.take()) };
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
    let (read, Drawing { bytes, note }) = if of_two {
        let [a, b] = files.files.as_slice() else {
            return Err(Failure::Sentence(say!("picture-two-traces").to_owned()));
        };
        memory_limit::share_of_two(&mut files.reading);
        let read = |file: &OsString| {
            Compared::read(&args::Files { files: vec![file.clone()], ..files.clone() }, None)
        };
        let (a, b) = (read(a)?, read(b)?);
        let drawing = wanted.draw_two(&a, &b)?;
        (vec![a.loaded, b.loaded], drawing)
    } else {
        let loaded = Loaded::read(&files)?;
        let drawing = wanted.draw(&loaded)?;
        (vec![loaded], drawing)
    };
    // If standard error cannot be written either, there is nothing left to do.
    let _ = note.iter().try_for_each(|note| writeln!(io::stderr(), "steplens: {note}"));
    outputs::remove_when_stopped();
    let size = units::bytes(output.write_bytes(&bytes)?);
    if !output.is_stdout() {
        writeln!(io::stdout(), "{}", say!("export-written", path = visible(&shown), size))?;
    }
    read.iter().try_for_each(|loaded| loaded.report_problems(false))
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
        let kind = kind(self.of).ok_or_else(|| Failure::Sentence(say!("picture-two-traces").to_owned()))?;
        let devices = self.devices.map(|pattern| chosen(&loaded.study, pattern)).transpose()?;
        let window = self.window.map(|window| within(&loaded.study, window)).transpose()?;
        let options = self.options(kind, window, devices.as_deref().unwrap_or_default());
        self.drawn(|| svg(&loaded.study, &without_folders(&loaded.files), &options))
    }

    /// Draws where the difference of two steps comes from.
    pub(crate) fn draw_two(&self, a: &Compared, b: &Compared) -> Result<Drawing, Failure> {
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
