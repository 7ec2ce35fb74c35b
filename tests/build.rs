//! Compiles proto/ to Rust with protox and prost, so that no `protoc` is needed: the types of the tests; below `product` those of
//! `crates/steplens-proto`, which has a copy of them (`tests/tests/schema.rs`); and the schemas for Python's protobuf.

use protox::prost::Message;
use protox::prost_reflect::prost_types::field_descriptor_proto::Type;
use protox::prost_reflect::prost_types::{DescriptorProto, FileDescriptorSet};
use std::error::Error;
use std::path::Path;

const SCHEMAS: &str = "../proto";
const OF_TESTS: [&str; 4] = [
    "tensorflow/core/protobuf/config.proto",
    "perfetto/trace.proto",
    "chakra/et_def.proto",
    "steplens/session.proto",
];
const OF_PRODUCT: [&str; 7] = [
    "tensorflow/core/protobuf/config.proto",
    "tensorflow/core/util/event.proto",
    "tensorflow/core/profiler/protobuf/trace_events.proto",
    "paddle/profiler.proto",
    "perfetto/trace.proto",
    "chakra/et_def.proto",
    "steplens/session.proto",
];
/// Packages that are only written.
const WRITTEN: [&str; 2] = ["perfetto.protos", "ChakraProtoMsg"];

fn main() -> Result<(), Box<dyn Error>> {
    let files = protox::compile(OF_TESTS, [SCHEMAS])?;
    // Maps in order of their keys: what is written is the same each time.
    prost_build::Config::new().btree_map(["."]).compile_fds(files)?;
    let folder = Path::new(&std::env::var("OUT_DIR")?).join("product");
    std::fs::create_dir_all(&folder)?;
    let mut files = protox::compile(OF_PRODUCT, [SCHEMAS])?;
    std::fs::write(folder.with_file_name("schemas.bin"), files.encode_to_vec())?;
    keep_every_byte(&mut files);
    // Without comments: they are in proto/, and entries of maps have no place there.
    files.file.iter_mut().for_each(|file| file.source_code_info = None);
    prost_build::Config::new().bytes(["."]).out_dir(&folder).compile_fds(files)?;
    list(&folder)?;
    println!("cargo:rerun-if-changed={SCHEMAS}");
    Ok(())
}

/// The product's types as texts, so that the test that compares them needs no folder of the build.
fn list(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut names: Vec<_> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    let rows = names.iter().map(|name| {
        let name = name.to_string_lossy();
        format!("(\"{name}\", include_str!(\"product/{name}\")),\n")
    });
    let list = format!("[\n{}]\n", rows.collect::<String>());
    Ok(std::fs::write(folder.with_file_name("product.rs"), list)?)
}

/// Texts that are read become `bytes`: prost refuses a message for one text that is no UTF-8, and names keep every byte that their file
/// has. The entries of maps become messages in a list, because no map has keys of `bytes`. The same bytes are written as before.
fn keep_every_byte(files: &mut FileDescriptorSet) {
    let read = files.file.iter_mut().filter(|file| !WRITTEN.contains(&file.package()));
    read.flat_map(|file| &mut file.message_type).for_each(keep_every_byte_of);
}

fn keep_every_byte_of(message: &mut DescriptorProto) {
    for field in &mut message.field {
        if field.r#type() == Type::String {
            field.set_type(Type::Bytes);
        }
    }
    message.options = None;
    message.nested_type.iter_mut().for_each(keep_every_byte_of);
}
