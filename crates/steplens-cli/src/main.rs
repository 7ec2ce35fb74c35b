//! The program `steplens`: the figures of the page on a terminal, as JSON, as CSV, and the page itself in one file.
//!
//! What must never be here: anything the page would need too. Figures come from `steplens-core`, texts for machines
//! from `steplens-formats`.
//!
//! Where to start: [`args`] says what can be asked, [`commands`] has one file for each answer.

mod args;
mod commands;
mod failure;
mod folder;
mod input;
mod opening;
mod page;
mod render;

use clap::Parser;
use failure::Failure;
use render::visible;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let sentence = match commands::run(&args::Args::parse()) {
        // Whoever reads our output has seen enough: `steplens ops FILE | head` is no error.
        Ok(()) | Err(Failure::ClosedPipe) => return ExitCode::SUCCESS,
        Err(Failure::Reported) => return ExitCode::from(2),
        Err(Failure::Sentence(sentence)) => sentence,
    };
    // Nothing is left to do where even that cannot be written.
    let _ = writeln!(io::stderr(), "steplens: {}", visible(&sentence));
    ExitCode::from(2)
}
