//! The program `steplens`; all of it is the library of this crate.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(steplens_cli::program(env::args_os()))
}
