//! `steplens licences`: the works of others that the program contains, with the texts of their licences.

use std::io::{self, Write};
use steplens_host::failure::Failure;

/// Generated from the lock files by `tests/tests/licences.rs`.
const LICENCES: &str = include_str!("../../licences.txt");

pub(super) fn run() -> Result<(), Failure> {
    Ok(io::stdout().write_all(LICENCES.as_bytes())?)
}
