//! The files on the command line: finds them, names them, and reads them in slices.

use crate::failure::{Failure, reason};
use crate::progress::Progress;
use crate::reading::folder;
use crate::reading::unpacking::{self, Source};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use steplens_formats::unpack::Packing;
use steplens_formats::{Opener, sniff};
use steplens_messages::say;

/// How much is read at once: large enough that the calls cost little, small enough that the buffer hardly matters.
const SLICE_BYTES: usize = 1 << 20;

/// One file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The name of the file in every output.
    pub name: String,
    /// The process that the user assigned to the file, if any.
    pub process: Option<String>,
    /// The path of the file; `None` is standard input.
    pub path: Option<PathBuf>,
    /// The folder in which the file was found. `None` if it was named on the command line itself; then it must be usable.
    pub folder: Option<String>,
}

/// The files that `arguments` name. A folder is replaced by the files in it.
pub fn inputs(arguments: &[OsString]) -> Result<Vec<Input>, Failure> {
    let mut inputs: Vec<Input> = Vec::new();
    for (name, path) in arguments.iter().flat_map(|argument| split(argument, |path| path.exists())) {
        let process = name.map(str::to_owned);
        if path == "-" {
            if inputs.iter().any(|input| input.path.is_none()) {
                return Err(Failure::Sentence(say!("input-twice").to_owned()));
            }
            let name = process.clone().unwrap_or_else(|| "-".to_owned());
            inputs.push(Input { name, process, path: None, folder: None });
        } else if Path::new(path).is_dir() {
            let folder_name = path.to_string_lossy().into_owned();
            inputs.extend(
                folder::files(Path::new(path))?.into_iter().map(|(path, below)| Input {
                    name: name.map_or_else(
                        || path.to_string_lossy().into_owned(),
                        |name| format!("{name}/{below}"),
                    ),
                    process: process.clone(),
                    path: Some(path),
                    folder: Some(folder_name.clone()),
                }),
            );
        } else {
            let name = name.map_or_else(|| path.to_string_lossy().into_owned(), str::to_owned);
            inputs.push(Input { name, process, path: Some(PathBuf::from(path)), folder: None });
        }
    }
    Ok(inputs)
}

/// Splits `FILE`, `NAME=FILE`, or a list of the latter in one argument, as Paddle's tool takes it: `trainer0=FILE,pserver0=FILE`.
///
/// If the whole argument is an existing path, it is a file, whatever its name. In a list, a comma without a name after it belongs
/// to the file before it.
fn split(argument: &OsStr, exists: impl Fn(&Path) -> bool) -> Vec<(Option<&str>, &OsStr)> {
    let whole = (None, argument);
    if exists(Path::new(argument)) {
        return vec![whole];
    }
    let Some((name, mut rest)) = argument.to_str().and_then(named) else { return vec![whole] };
    let mut files = Vec::new();
    let mut name = name;
    while !exists(Path::new(rest))
        && let Some((end, next)) =
            rest.match_indices(',').find_map(|(at, _)| Some((at, named(&rest[at + 1..])?)))
    {
        files.push((Some(name), OsStr::new(&rest[..end])));
        (name, rest) = next;
    }
    files.push((Some(name), OsStr::new(rest)));
    files
}

/// Splits `NAME=FILE`. A name contains no comma, no `/` and no `\`: a text with one of them before the `=` is a path.
fn named(text: &str) -> Option<(&str, &str)> {
    let (name, file) = text.split_once('=')?;
    let is_name = !name.is_empty() && !name.contains([',', '/', '\\']);
    (is_name && !file.is_empty()).then_some((name, file))
}

impl Input {
    /// The size of the file, if it is known beforehand.
    pub(crate) fn bytes(&self) -> Option<u64> {
        Some(self.path.as_deref()?.metadata().ok()?.len())
    }

    /// Passes the whole file to `opener`, slice by slice. If the file is not a trace, such as a checkpoint of gigabytes, only its
    /// beginning is read.
    pub(crate) fn open(&self, opener: &mut Opener, progress: &mut Progress) -> Result<(), Failure> {
        opener.begin_file(&self.name);
        self.process.iter().for_each(|process| opener.name_process(process));
        let failed = |at: u64, why: io::Error| {
            let doing = if at == 0 { say!("input-opening").to_owned() } else { say!("input-reading", at) };
            Failure::Sentence(say!("input-failed", name = self.name, doing, why = reason(&why)))
        };
        let (mut source, length) = match &self.path {
            Some(path) => {
                let file = File::open(path).map_err(|why| failed(0, why))?;
                let length = file.metadata().ok().map(|about| about.len());
                (Source::new(Box::new(file)), length)
            }
            None => (Source::new(Box::new(io::stdin())), None),
        };
        length.into_iter().for_each(|length| opener.expect(length));
        let mut slice = vec![0; SLICE_BYTES];
        let head = source.fill(&mut slice, sniff::ENOUGH).map_err(|why| failed(source.at(), why))?;
        // If the opener wants no more and the length of the file is known, the rest is only counted.
        let mut passed = |opener: &mut Opener, at: u64, count: u64| {
            progress.add(count);
            if progress.is_stopped() {
                return false;
            }
            match length.and_then(|length| length.checked_sub(at)) {
                Some(rest) if !opener.wants_more() => {
                    opener.pass_over(rest);
                    progress.add(rest);
                    false
                }
                _ => true,
            }
        };
        if let Some(packing) = Packing::of(&slice[..head]).filter(|packing| packing.is_bytes_alone()) {
            let begun = &slice[..head];
            return unpacking::open(&mut source, begun, packing, opener, passed)
                .map_err(|why| failed(source.at(), why));
        }
        let mut count = head;
        while count > 0 {
            opener.push(&slice[..count]);
            if !passed(opener, source.at(), count as u64) {
                break;
            }
            count = source.fill(&mut slice, 1).map_err(|why| failed(source.at(), why))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of `split` for `argument` if only the path `there` exists, as texts.
    fn parts(argument: &'static str, there: &[&str]) -> Vec<(Option<&'static str>, &'static str)> {
        let exists = |path: &Path| there.iter().any(|file| path == Path::new(file));
        let parts = split(OsStr::new(argument), exists);
        parts.into_iter().map(|(name, file)| (name, file.to_str().unwrap_or_default())).collect()
    }

    #[test]
    fn names_are_before_the_first_equals_sign() {
        assert_eq!(parts("trainer0=t=0.pb", &[]), [(Some("trainer0"), "t=0.pb")]);
        assert_eq!(parts("a=b.pb", &["a=b.pb"]), [(None, "a=b.pb")]);
        assert_eq!(parts("=b.pb", &[]), [(None, "=b.pb")]);
        assert_eq!(parts("a=", &[]), [(None, "a=")]);
        assert_eq!(parts("worker=-", &[]), [(Some("worker"), "-")]);
        assert_eq!(parts("runs/lr=0.1/a.pb", &[]), [(None, "runs/lr=0.1/a.pb")]);
    }

    #[test]
    fn several_names_may_be_one_argument() {
        let three = [(Some("trainer0"), "t0"), (Some("trainer1"), "dir/t1"), (Some("ps"), "p,1")];
        assert_eq!(parts("trainer0=t0,trainer1=dir/t1,ps=p,1", &[]), three);
        assert_eq!(parts("a=x,b=y", &["x,b=y"]), [(Some("a"), "x,b=y")]);
        assert_eq!(parts("a=x,y,z", &[]), [(Some("a"), "x,y,z")]);
        assert_eq!(parts("x,a=y", &[]), [(None, "x,a=y")]);
    }
}
