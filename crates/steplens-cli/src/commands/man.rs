//! `steplens man`: the manual page of the program, or of one of its commands, as roff.

use crate::args;
use crate::help;
use clap_mangen::Man;
use std::io::{self, Write};
use steplens_host::failure::Failure;
use steplens_messages::{listed, say};

pub(super) fn run(args: &args::Man) -> Result<(), Failure> {
    let mut command = help::command();
    // Gives every command its full name: `steplens summary`.
    command.build();
    let found = match &args.command {
        None => Some(&command),
        Some(name) => command.get_subcommands().find(|command| command.get_name() == name.as_str()),
    };
    let Some(found) = found else {
        let names = command.get_subcommands().map(|command| command.get_name().to_owned());
        let name = args.command.clone().unwrap_or_default();
        return Err(Failure::Sentence(say!(
            "man-no-command",
            name,
            commands = listed(names.collect::<Vec<_>>())
        )));
    };
    let mut page = Vec::new();
    let source = concat!("steplens ", env!("CARGO_PKG_VERSION"));
    Man::new(found.clone()).source(source).manual("Steplens").render(&mut page)?;
    Ok(io::stdout().write_all(&page)?)
}
