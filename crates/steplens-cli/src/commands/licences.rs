//! `steplens licences`: what others wrote and the program contains, with the texts of the licences.

use crate::failure::Failure;
use std::io::{self, Write};

/// Made from the lock files by `tests/tests/licences.rs`.
const LICENCES: &str = include_str!("../../licences.txt");

pub(super) fn run() -> Result<(), Failure> {
    Ok(io::stdout().write_all(LICENCES.as_bytes())?)
}
