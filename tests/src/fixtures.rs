//! The recorded files: those of tests/fixtures, with the [samples](crate::samples) next to the repository.

use crate::places::root;
use crate::samples::sample_folder;
use std::fs;
use std::path::{Path, PathBuf};

/// A recorded file.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The file's name without `.pb`, `.json` or `.json.gz`.
    pub name: String,
    /// The file's name.
    pub file: String,
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
    files(&folder(), &[".pb"]).into_iter().map(read).collect()
}

/// Every Chrome trace of the repository, by name.
pub fn chrome_traces() -> Vec<Fixture> {
    files(&folder().join("chrome"), &[".json", ".json.gz"]).into_iter().map(read).collect()
}

/// The Chrome trace called `name`.
///
/// # Panics
/// If there is none.
pub fn chrome_trace(name: &str) -> Fixture {
    let found = chrome_traces().into_iter().find(|trace| trace.name == name);
    found.unwrap_or_else(|| panic!("no Chrome trace {name} in tests/fixtures/chrome"))
}

/// The Chrome traces of GPU runs, where they lie next to the repository.
pub fn gpu_chrome_traces() -> Vec<Fixture> {
    let folders = ["gpu", "reference"].into_iter().filter_map(sample_folder);
    folders
        .flat_map(|folder| files(&folder, &[".json", ".json.gz"]))
        .map(read)
        .filter(|trace| trace.name.starts_with("gpu-"))
        .collect()
}

/// Every fixture and, where they lie next to the repository, the samples of GPU runs.
pub fn fixtures_and_samples() -> Vec<Fixture> {
    let mut all = fixtures();
    let samples = sample_folder("gpu").map_or_else(Vec::new, |folder| files(&folder, &[".pb"]));
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
    root().join("tests/fixtures")
}

/// The files of `folder` that end so, by name; none if there is no such folder.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let ends_so = |path: &PathBuf| endings.iter().any(|ending| path.to_string_lossy().ends_with(ending));
    let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(ends_so).collect();
    files.sort();
    files
}

fn read(path: PathBuf) -> Fixture {
    let bytes = fs::read(&path).unwrap_or_else(|why| panic!("reading {}: {why}", path.display()));
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = file.strip_suffix(".gz").unwrap_or(&file);
    let name = name.rsplit_once('.').map_or(name, |(name, _)| name).to_owned();
    Fixture { name, file, bytes }
}
