//! The files on the command line: found, named, and read in slices.

use crate::failure::{Failure, reason};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use steplens_core::natural;

/// How much is read at once: large enough that calls cost nothing, small enough that it is no memory.
const SLICE_BYTES: usize = 1 << 20;

/// One file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    /// What it is called in every output.
    pub(crate) name: String,
    /// Where it is; `None` is standard input.
    pub(crate) path: Option<PathBuf>,
    /// Given on the command line itself, rather than found in a folder: then it has to be usable.
    pub(crate) is_explicit: bool,
}

/// The files that `arguments` name, folders replaced by the files in them.
pub(crate) fn inputs(arguments: &[OsString]) -> Result<Vec<Input>, Failure> {
    let mut inputs: Vec<Input> = Vec::new();
    for argument in arguments {
        let (name, path) = split_name(argument, |path| path.exists());
        if path == "-" {
            if inputs.iter().any(|input| input.path.is_none()) {
                return Err(Failure::Sentence("-: got standard input twice, want it once".to_owned()));
            }
            inputs.push(Input { name: name.unwrap_or("-").to_owned(), path: None, is_explicit: true });
        } else if Path::new(path).is_dir() {
            inputs.extend(in_folder(name, Path::new(path))?);
        } else {
            inputs.push(Input {
                name: name.map_or_else(|| path.to_string_lossy().into_owned(), str::to_owned),
                path: Some(PathBuf::from(path)),
                is_explicit: true,
            });
        }
    }
    Ok(inputs)
}

/// `NAME=FILE` in its parts. What exists as a whole is a file, whatever it is called.
fn split_name(argument: &OsStr, exists: impl Fn(&Path) -> bool) -> (Option<&str>, &OsStr) {
    let parts = argument.to_str().and_then(|text| text.split_once('='));
    match parts {
        Some((name, file)) if !name.is_empty() && !file.is_empty() && !exists(Path::new(argument)) => {
            (Some(name), OsStr::new(file))
        }
        _ => (None, argument),
    }
}

/// The files in `folder` itself, but hidden ones, in natural order.
fn in_folder(name: Option<&str>, folder: &Path) -> Result<Vec<Input>, Failure> {
    let shown = folder.to_string_lossy();
    let failed =
        |why: io::Error| Failure::Sentence(format!("{shown}: reading the folder: got {}", reason(&why)));
    let mut inputs = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if file.starts_with('.') || !path.is_file() {
            continue;
        }
        inputs.push(Input {
            name: name.map_or_else(|| path.to_string_lossy().into_owned(), |name| format!("{name}/{file}")),
            path: Some(path),
            is_explicit: false,
        });
    }
    inputs.sort_by(|a, b| natural::compare(&a.name, &b.name));
    if inputs.is_empty() {
        return Err(Failure::Sentence(format!(
            "{shown}: reading the folder: got no file in it, want a RunMetadata (.pb, plain or gzip)"
        )));
    }
    Ok(inputs)
}

impl Input {
    /// Reads all of it, slice by slice.
    pub(crate) fn read(&self, mut sink: impl FnMut(&[u8])) -> Result<(), Failure> {
        let mut at = 0;
        let failed = |at: u64, why: io::Error| {
            let doing = if at == 0 { "opening the file".to_owned() } else { format!("reading at byte {at}") };
            Failure::Sentence(format!("{}: {doing}: got {}, want a RunMetadata", self.name, reason(&why)))
        };
        let mut source: Box<dyn Read> = match &self.path {
            Some(path) => Box::new(File::open(path).map_err(|why| failed(at, why))?),
            None => Box::new(io::stdin().lock()),
        };
        let mut slice = vec![0; SLICE_BYTES];
        loop {
            match source.read(&mut slice) {
                Ok(0) => return Ok(()),
                Ok(count) => {
                    sink(&slice[..count]);
                    at += count as u64;
                }
                Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
                Err(why) => return Err(failed(at, why)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_before_the_first_equals_sign() {
        let split =
            |argument: &'static str| split_name(OsStr::new(argument), |path| path == Path::new("a=b.pb"));
        assert_eq!(split("trainer0=t=0.pb"), (Some("trainer0"), OsStr::new("t=0.pb")));
        assert_eq!(split("a=b.pb"), (None, OsStr::new("a=b.pb")));
        assert_eq!(split("=b.pb"), (None, OsStr::new("=b.pb")));
        assert_eq!(split("worker=-"), (Some("worker"), OsStr::new("-")));
    }
}
