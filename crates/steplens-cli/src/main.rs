//! The program `steplens`.
fn main() {}
