//! The program `steplens`: the figures of the page on a terminal, as JSON and as CSV, and the page itself in one file.
//!
//! It is a library so that the Python package is the program, too.
//!
//! What must never be here: anything that the page would need too. Figures come from `steplens-core`, JSON and CSV from
//! `steplens-report`, and every text from `steplens-messages`.
//!
//! Where to start: `args` has the options, and `commands` has one file for each command.

mod args;
mod commands;
mod help;
mod page;
mod render;

use clap::FromArgMatches;
use render::visible;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use steplens_host::failure::Failure;
use steplens_host::library::Fault;

/// Runs the program and returns its exit code: 0 fine, 1 a check failed, 2 unusable input or usage. The first of `arguments` is the
/// program's name.
pub fn program(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let code = run(arguments);
    // A library's output is not flushed at the end of the process. If it cannot be, there is nothing left to do.
    let _ = io::stdout().flush();
    code
}

/// The page in the program, into which a trace is put.
pub fn page() -> Result<Vec<u8>, Fault> {
    page::template().map_err(Fault::not_written)
}

fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // As gettext does, the first of these variables that is set decides. JSON and CSV are for scripts, so they are always in
    // English.
    let wanted =
        ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| env::var(name).ok());
    let is_for_scripts = arguments.iter().any(|argument| argument == "--json" || argument == "--csv");
    steplens_messages::choose_language(
        wanted.iter().filter(|_| !is_for_scripts).flat_map(|wanted| wanted.split(':')),
    );
    let read = help::command()
        .try_get_matches_from(arguments)
        .and_then(|matches| commands::Args::from_arg_matches(&matches));
    let args = match read {
        Ok(args) => args,
        Err(why) => {
            // If it cannot be written, there is nothing left to do.
            let _ = why.print();
            return why.exit_code().try_into().unwrap_or(2);
        }
    };
    let why = match commands::run(&args) {
        // The reader has closed our output: `steplens ops FILE | head` is not an error.
        Ok(()) | Err(Failure::ClosedPipe) => return 0,
        Err(Failure::Reported) => return 2,
        Err(Failure::OverLimit) => return 1,
        Err(why) => why,
    };
    // If standard error cannot be written either, there is nothing left to do.
    let _ = writeln!(io::stderr(), "steplens: {}", visible(&why.to_string()));
    2
}
