//! Chrome traces and any other JSON.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|file: &[u8]| -> Corpus { steplens_fuzz::reader(file, "chrome-trace") });
