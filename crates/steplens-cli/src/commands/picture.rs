//! `steplens picture`: a figure of the trace as SVG or PNG, as the page saves it.

use super::Print;
use crate::args::{self, PictureOf};
use crate::render::{units, visible};
use std::ffi::OsString;
use std::io::{self, Write};
use steplens_host::failure::Failure;
use steplens_host::outputs::{self, Output};
use steplens_host::picture::{Drawing, Form, Wanted, bad_ending};
use steplens_host::reading::input::inputs;
use steplens_host::reading::loaded::Loaded;
use steplens_host::reading::memory_limit;
use steplens_host::sides::Compared;
use steplens_messages::say;

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
