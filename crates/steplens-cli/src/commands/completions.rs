//! `steplens completions`: the script with which a shell completes the arguments of `steplens`.

use crate::args;
use crate::help;
use std::io::{self, Write};
use steplens_host::failure::Failure;

pub(super) fn run(args: &args::Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut help::command(), "steplens", &mut script);
    Ok(io::stdout().write_all(&script)?)
}
