//! The recorded files: those of tests/fixtures, and samples beside the repository that may not be copied into it.

use std::fs;
use std::path::{Path, PathBuf};

/// A recorded RunMetadata.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The file's name without `.pb`.
    pub name: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// The fixture called `name`.
///
/// # Panics
/// If there is none.
pub fn fixture(name: &str) -> Fixture {
    read(folder().join(format!("{name}.pb")))
}

/// The bytes of any file of the fixtures.
///
/// # Panics
/// If there is none of that name.
pub fn bytes_of(file_name: &str) -> Vec<u8> {
    std::fs::read(folder().join(file_name)).unwrap_or_else(|error| panic!("{file_name}: {error}"))
}

/// Every fixture of the repository, by name.
pub fn fixtures() -> Vec<Fixture> {
    files(&folder()).into_iter().map(read).collect()
}

/// Every fixture and, where they lie beside the repository, the samples of GPU runs.
#[expect(clippy::print_stderr, reason = "tests that are left out should not go unnoticed")]
pub fn fixtures_and_samples() -> Vec<Fixture> {
    let mut all = fixtures();
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples/gpu");
    let samples = files(&beside);
    if samples.is_empty() {
        eprintln!("note: no GPU samples in ../shared/samples/gpu; tested without them");
    }
    for sample in samples.into_iter().map(read) {
        if all.iter().all(|fixture| fixture.name != sample.name) {
            all.push(sample);
        }
    }
    all
}

/// What TensorFlow and tensorflow-tracer say about the fixtures, as JSON.
///
/// # Panics
/// If it is not there.
pub fn metrics() -> String {
    let path = folder().join("metrics.json");
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("reading {}: {why}", path.display()))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The `.pb` files of `folder`, by name; none if there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pb"))
        .collect();
    files.sort();
    files
}

fn read(path: PathBuf) -> Fixture {
    let bytes = fs::read(&path).unwrap_or_else(|why| panic!("reading {}: {why}", path.display()));
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Fixture { name, bytes }
}
