//! `scale SRC N OUT`: writes the step of SRC N times to OUT, for benchmarks.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use steplens_tests::scale::scale;

#[expect(clippy::print_stdout, reason = "a program tells what it did")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [source, times, out] = arguments.as_slice() else {
        return Err("got other arguments, want: scale SRC N OUT".into());
    };
    let source = fs::read(source).map_err(|why| format!("reading {source}: {why}"))?;
    let mut file = BufWriter::new(File::create(out).map_err(|why| format!("writing {out}: {why}"))?);
    let scaled = scale(&source, times.parse()?, &mut file)?;
    file.flush()?;
    println!("{} bytes, {} ops", scaled.bytes, scaled.ops);
    Ok(())
}
