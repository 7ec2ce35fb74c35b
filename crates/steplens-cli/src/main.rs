//! The program `steplens`: the figures of the page on a terminal, as JSON and as CSV, and the page itself in one file.
//!
//! What must never be here: anything that the page would need too. Figures come from `steplens-core`, JSON and CSV from
//! `steplens-report`, and every text from `steplens-messages`.
//!
//! Where to start: [`args`] has the options, and [`commands`] has one file for each command.

mod args;
mod commands;
mod failure;
mod folder;
mod help;
mod input;
mod kept;
mod opening;
mod page;
mod progress;
mod render;
mod unpacking;

use clap::FromArgMatches;
use failure::Failure;
use render::visible;
use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    // As gettext does, the first of these variables that is set decides. JSON and CSV are for scripts, so they are always in
    // English.
    let wanted =
        ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| env::var(name).ok());
    let is_for_scripts = env::args_os().any(|argument| argument == "--json" || argument == "--csv");
    steplens_messages::choose_language(
        wanted.iter().filter(|_| !is_for_scripts).flat_map(|wanted| wanted.split(':')),
    );
    let matches = help::command().get_matches();
    let args = args::Args::from_arg_matches(&matches).unwrap_or_else(|why| why.exit());
    let sentence = match commands::run(&args) {
        // The reader has closed our output: `steplens ops FILE | head` is not an error.
        Ok(()) | Err(Failure::ClosedPipe) => return ExitCode::SUCCESS,
        Err(Failure::Reported) => return ExitCode::from(2),
        Err(Failure::OverLimit) => return ExitCode::from(1),
        Err(Failure::Sentence(sentence)) => sentence,
    };
    // If standard error cannot be written either, there is nothing left to do.
    let _ = writeln!(io::stderr(), "steplens: {}", visible(&sentence));
    ExitCode::from(2)
}
