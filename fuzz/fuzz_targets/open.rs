//! Several files of any kind together, and then every analysis, step, view, finding and repair.

#![no_main]

use libfuzzer_sys::fuzz_target;
use steplens_tests::laws;

fuzz_target!(|input: &[u8]| {
    if let Some(opened) = laws::opened(&laws::files(input)) {
        laws::views_hold(opened.trace);
    }
});
