//! Traces of the profiler of TensorFlow 2.0 and 2.1.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|file: &[u8]| -> Corpus { steplens_fuzz::reader(file, "trace-events") });
