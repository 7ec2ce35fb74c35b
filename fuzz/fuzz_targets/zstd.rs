//! Files packed with zstd.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use steplens_formats::sniff::FileKind;

fuzz_target!(|file: &[u8]| -> Corpus { steplens_fuzz::packed(file, FileKind::Zstd) });
