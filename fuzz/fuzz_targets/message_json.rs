//! RunMetadata and StepStats as protobuf's JSON, as an object or as a text in JSON.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|file: &[u8]| -> Corpus { steplens_fuzz::reader(file, "run-metadata-json") });
