//! Compiles proto/ to Rust with protox and prost, so that no `protoc` is needed.

use std::error::Error;

const SCHEMAS: &str = "../proto";
const ROOTS: [&str; 4] = [
    "tensorflow/core/protobuf/config.proto",
    "perfetto/trace.proto",
    "chakra/et_def.proto",
    "steplens/session.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    let files = protox::compile(ROOTS, [SCHEMAS])?;
    // Maps in order of their keys: what is written is the same each time.
    prost_build::Config::new().btree_map(["."]).compile_fds(files)?;
    println!("cargo:rerun-if-changed={SCHEMAS}");
    Ok(())
}
