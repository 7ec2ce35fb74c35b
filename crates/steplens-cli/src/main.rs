//! The program `steplens`: the figures of the page on a terminal, as JSON, as CSV, and the page itself in one file.
//!
//! What must never be here: anything the page would need too. Figures come from `steplens-core`, JSON and CSV from `steplens-report`, every
//! word from `steplens-messages`.
//!
//! Where to start: [`args`] says what can be asked, [`commands`] has one file for each answer.

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
    // As gettext does: the first of these that is set. JSON and CSV are for scripts, and English everywhere.
    let wanted =
        ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| env::var(name).ok());
    let is_for_scripts = env::args_os().any(|argument| argument == "--json" || argument == "--csv");
    steplens_messages::choose_language(
        wanted.iter().filter(|_| !is_for_scripts).flat_map(|wanted| wanted.split(':')),
    );
    let matches = help::command().get_matches();
    let args = args::Args::from_arg_matches(&matches).unwrap_or_else(|why| why.exit());
    let sentence = match commands::run(&args) {
        // Whoever reads our output has seen enough: `steplens ops FILE | head` is no error.
        Ok(()) | Err(Failure::ClosedPipe) => return ExitCode::SUCCESS,
        Err(Failure::Reported) => return ExitCode::from(2),
        Err(Failure::OverLimit) => return ExitCode::from(1),
        Err(Failure::Sentence(sentence)) => sentence,
    };
    // Nothing is left to do where even that cannot be written.
    let _ = writeln!(io::stderr(), "steplens: {}", visible(&sentence));
    ExitCode::from(2)
}
