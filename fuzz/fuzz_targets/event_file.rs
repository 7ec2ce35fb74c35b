//! TensorBoard event files. Their checksums are set right in most inputs, or else nothing behind them would be reached.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target, fuzzer_mutate};
use steplens_tests::event_file::set_checksums;

fuzz_target!(|file: &[u8]| -> Corpus { steplens_fuzz::reader(file, "event-file") });

fuzz_mutator!(|file: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let size = fuzzer_mutate(file, size, max_size);
    if !seed.is_multiple_of(8) {
        set_checksums(&mut file[..size]);
    }
    size
});
