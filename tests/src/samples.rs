//! Samples next to the repository: recordings that may not be copied into it. A test that finds none says so, and is counted.
//!
//! It is said on the real standard error: what `eprintln!` prints, the test harness keeps to itself while a test passes.

use crate::places;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many tests of this program had nothing to read, or less than they could have.
static LEFT_OUT: AtomicUsize = AtomicUsize::new(0);

/// The folder `name` of the samples; `None`, said aloud, if it is not there.
pub fn sample_folder(name: &str) -> Option<PathBuf> {
    let folder = root().join(name);
    folder.is_dir().then_some(folder).or_else(|| left_out(name))
}

/// The bytes of a sample; `None`, said aloud, if it is not there.
pub fn sample(file: &str) -> Option<Vec<u8>> {
    fs::read(root().join(file)).ok().or_else(|| left_out(file))
}

/// The bytes of a case, an input after somebody's report with a known right answer (`../shared/cases/README.md`); `None`, said aloud,
/// if it is not there.
pub fn case(file: &str) -> Option<Vec<u8>> {
    fs::read(root().join("../cases").join(file)).ok().or_else(|| left_out(&["../cases/", file].concat()))
}

fn root() -> PathBuf {
    places::root().join("../shared/samples")
}

fn left_out<T>(needs: &str) -> Option<T> {
    let count = LEFT_OUT.fetch_add(1, Ordering::Relaxed) + 1;
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    let said =
        format!("\nNOT TESTED ({count}): {test} needs ../shared/samples/{needs}, which is not there\n");
    // Where even that cannot be written, nobody reads it.
    std::io::stderr().write_all(said.as_bytes()).unwrap_or_default();
    None
}
