//! Writes the summary of a generated fleet: `cargo run --example fleet -- TASKS STEPS FILE`.
//!
//! With a fourth argument every cell leads to that file.

#![allow(missing_docs, reason = "an example has no users")]

mod made;

use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("want TASKS STEPS FILE [SOURCE]");
    let (tasks, steps, file) = (next()?.parse()?, next()?.parse()?, next()?);
    let source = next().ok();
    let fleet = made::Fleet::new(tasks, steps);
    let name = |task: usize, step: i64| {
        source.clone().unwrap_or_else(|| format!("run-1/worker-{task}/step-{}.pb", 1000 + step))
    };
    fs::write(file, fleet.builder(name).to_bytes())?;
    Ok(())
}
