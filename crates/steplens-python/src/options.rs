//! The options of Python as those of the program.

use pyo3::prelude::*;
use steplens_host::library::{Choices, PictureChoices};

/// What `steplens.read` and `Trace.show` choose: a dict from `python/steplens/traces.py`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    communication: Vec<String>,
    devices: Option<String>,
    window: Option<String>,
    memory_mib: Option<usize>,
    step: Option<usize>,
    rule: Option<String>,
    repairs: Vec<String>,
    op_time: Option<String>,
    clocks: Vec<String>,
    as_recorded: bool,
}

impl From<Options> for Choices {
    fn from(options: Options) -> Self {
        Self {
            communication: options.communication,
            devices: options.devices,
            window: options.window,
            memory: options.memory_mib,
            step: options.step,
            rule: options.rule,
            repairs: options.repairs,
            op_time: options.op_time,
            clocks: options.clocks,
            as_recorded: options.as_recorded,
        }
    }
}

/// What `Trace.picture` chooses.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PictureOptions {
    of: String,
    form: String,
    width: u32,
    theme: String,
    text: String,
    scale: u32,
    language: Option<String>,
    heading: bool,
    devices: Option<String>,
    window: Option<String>,
}

impl From<PictureOptions> for PictureChoices {
    fn from(options: PictureOptions) -> Self {
        Self {
            of: options.of,
            form: options.form,
            width: options.width,
            theme: options.theme,
            text: options.text,
            scale: options.scale,
            language: options.language,
            has_heading: options.heading,
            devices: options.devices,
            window: options.window,
        }
    }
}
