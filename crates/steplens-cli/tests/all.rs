//! The tests of the program, as one program: linking one for each file took most of the time and disk space.

mod baseline;
mod cancel;
mod check;
mod clocks;
mod commands;
mod common;
mod export;
mod fleet;
mod hostile;
mod index;
mod inputs;
mod kept;
mod machines;
mod memory_limit;
mod outputs;
mod parts;
mod pictures;
#[path = "../../../tests/src/places.rs"]
#[expect(unreachable_pub, reason = "the tests across crates use it from other crates")]
mod places;
mod problems;
mod processes;
mod redaction;
#[path = "../../../tests/src/samples.rs"]
#[expect(dead_code, unreachable_pub, reason = "the tests across crates use more of it, from other crates")]
mod samples;
mod schemas;
mod shells;
mod text;
mod untruths;
mod watched;
