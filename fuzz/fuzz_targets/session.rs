//! Sessions of Steplens.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|file: &[u8]| -> Corpus { steplens_fuzz::reader(file, "session") });
