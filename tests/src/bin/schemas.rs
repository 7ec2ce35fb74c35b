//! `schemas OUT`: writes the schemas of proto/ as a `FileDescriptorSet`, from which Python's protobuf makes its classes without `protoc`.

use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::args().nth(1).ok_or("got no file, want: schemas OUT")?;
    fs::write(&out, include_bytes!(concat!(env!("OUT_DIR"), "/schemas.bin")))
        .map_err(|why| format!("writing {out}: {why}").into())
}
