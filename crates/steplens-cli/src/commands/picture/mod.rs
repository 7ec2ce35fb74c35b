//! `steplens picture`: a figure of the trace as SVG or PNG, as the page saves it.

mod raster;

use super::Loaded;
use super::report::{is_input, own_name};
use crate::args::{self, PictureOf, PictureText, PictureTheme};
use crate::failure::{Failure, reason};
use crate::input::inputs;
use crate::opening;
use crate::render::{units, visible};
use raster::{Drawn, Fonts};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use steplens_core::{DeviceId, Interval, Selection, Study, Timestamp};
use steplens_messages::{choose_language, language, say};
use steplens_picture::{Kind, Options, Theme, svg};

pub(super) fn run(args: &args::Picture) -> Result<(), Failure> {
    let path = &args.output;
    let shown = path.to_string_lossy();
    let is_stdout = path == Path::new("-");
    let has_ending = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    let is_png = has_ending("png");
    if !is_png && !is_stdout && !has_ending("svg") {
        return Err(Failure::Sentence(say!("picture-ending", path = shown)));
    }
    if is_input(&inputs(&args.files.files)?, path) {
        return Err(Failure::Sentence(say!("export-over-input", path = shown)));
    }
    // As on the page, path, memory and transfers cover everything that ran. So all devices and all times are read, and the chosen
    // ones are drawn.
    let mut files = args.files.clone();
    let (devices, window) = (files.devices.take(), files.window.take());
    let mut loaded = Loaded::read(&files)?;
    loaded.files.iter_mut().for_each(|file| file.name = own_name(&file.name));
    let devices = devices.map(|pattern| chosen(&loaded.study, &pattern)).transpose()?.unwrap_or_default();
    let options = Options {
        kind: kind(args.of),
        width: args.width,
        theme: match args.theme {
            PictureTheme::Light => Theme::Light,
            PictureTheme::Dark => Theme::Dark,
        },
        window: window.map(|window| within(&loaded.study, &window)).transpose()?,
        devices: &devices,
        has_heading: !args.no_heading,
    };
    let own_language = language();
    choose_language([args.language.as_deref().unwrap_or(own_language)]);
    let picture = svg(&loaded.study, &loaded.files, &options);
    choose_language([own_language]);

    let mut fonts = Fonts::default();
    let drawn = match (is_png, args.text) {
        (true, _) => fonts.png(&picture, args.scale),
        (false, PictureText::Outlines) => fonts.outlines(&picture),
        (false, PictureText::Text) => Ok(picture.into_bytes()),
    };
    let bytes = match drawn {
        Ok(bytes) => bytes,
        Err(Drawn::TooLarge) => return Err(Failure::Sentence(say!("picture-too-large").to_owned())),
        Err(Drawn::Failed(why)) => return Err(Failure::Sentence(say!("picture-not-drawn", why))),
    };
    if let Some(char) = fonts.missing() {
        // If standard error cannot be written either, there is nothing left to do.
        let _ = writeln!(io::stderr(), "steplens: {}", say!("picture-no-font", char = char.to_string()));
    }
    if is_stdout {
        io::stdout().write_all(&bytes)?;
    } else {
        fs::write(path, &bytes)
            .map_err(|why| Failure::Sentence(say!("report-not-written", shown, why = reason(&why))))?;
        let size = units::bytes(bytes.len() as u64);
        writeln!(io::stdout(), "{}", say!("export-written", path = visible(&shown), size))?;
    }
    loaded.report_problems(false)
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
    let selection =
        Selection::new(Some(pattern), None).map_err(|why| Failure::Sentence(say!("option-devices", why)))?;
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
