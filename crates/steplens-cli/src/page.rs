//! The single-file page into which `report` puts a trace.

use std::path::{Path, PathBuf};
use std::{env, fs};
use steplens_host::failure::{Failure, reason};
use steplens_messages::say;

/// The page that was built into the program. It is empty if the program was built before the page.
const EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/steplens.html"));
const FILE: &str = "steplens.html";

/// The page: the file that the variable `STEPLENS_PAGE` names, the page in the program, or the file next to the program.
pub(crate) fn template() -> Result<Vec<u8>, Failure> {
    if let Some(path) = env::var_os("STEPLENS_PAGE").map(PathBuf::from) {
        return fs::read(&path).map_err(|why| {
            Failure::Sentence(say!("page-not-read", path = path.display().to_string(), why = reason(&why)))
        });
    }
    if !EMBEDDED.is_empty() {
        return Ok(EMBEDDED.to_owned());
    }
    let program = env::current_exe().unwrap_or_default();
    let folder = program.parent().unwrap_or(Path::new("."));
    [folder.join(FILE), folder.join("../../dist").join(FILE)]
        .iter()
        .find_map(|path| fs::read(path).ok())
        .ok_or_else(|| Failure::Sentence(say!("page-not-found", file = FILE)))
}
