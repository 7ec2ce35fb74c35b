//! The traces anywhere below a folder, as TensorBoard, PyTorch, Horovod and people leave them: files that are called like traces. Whether they are
//! any, who reads them finds out. Links are not followed.

use super::folder::{Folder, changed};
use cap_std::fs::{Dir, File};
use serde::Serialize;
use std::io;
use steplens_formats::watched::Entry;
use steplens_messages::say;

/// The most traces that are listed, and the most folders that are searched: a larger folder is a fleet, for `steplens index`.
const MOST: usize = 10_000;
/// How names of traces end, packed or not.
const ENDINGS: [&str; 8] =
    [".pb", ".pbtxt", ".json", ".timeline", ".profile", ".pickle", ".steplens", ".trace"];
const PACKED: [&str; 2] = [".gz", ".zst"];
/// What names of TensorFlow's event files have in them.
const EVENTS: &str = ".tfevents.";

/// The traces below a folder.
#[derive(Debug, Serialize)]
pub struct Traces {
    /// The files that are called like traces, in no order.
    pub files: Vec<Entry>,
    /// The folders that may not be read.
    pub unread: usize,
}

impl Folder {
    /// The files below it that are called like traces. Left out are hidden names, names that are no text, links and pipes.
    ///
    /// # Errors
    ///
    /// If the folder itself cannot be listed, or has too many of them or of folders.
    pub fn traces(&self) -> io::Result<Traces> {
        let mut found = Traces { files: Vec::new(), unread: 0 };
        let mut folders = vec![String::new()];
        let mut searched = 0;
        while let Some(below) = folders.pop() {
            searched += 1;
            match list(self.dir(), &below, &mut found.files, &mut folders) {
                Err(why) if below.is_empty() => return Err(why),
                // It may have gone meanwhile, or belong to somebody else: the others are there all the same.
                Err(_) => found.unread += 1,
                Ok(()) => {}
            }
            if found.files.len() > MOST || searched + folders.len() > MOST {
                return Err(io::Error::other(say!("live-too-many-traces", most = MOST)));
            }
        }
        Ok(found)
    }

    /// A file that [`traces`](Self::traces) lists, and its size.
    ///
    /// # Errors
    ///
    /// `NotFound` for every other file, and for what a link leads to.
    pub fn trace(&self, path: &str) -> io::Result<(File, u64)> {
        let nowhere = || io::Error::from(io::ErrorKind::NotFound);
        let is_shown = |part: &str| is_shown(part) && !part.contains(['\\', '\0']);
        if !path.split('/').all(is_shown) || !path.rsplit('/').next().is_some_and(is_called_like_one) {
            return Err(nowhere());
        }
        for (at, _) in path.match_indices('/') {
            if !self.dir().symlink_metadata(&path[..at])?.is_dir() {
                return Err(nowhere());
            }
        }
        // Before it is opened: opening a pipe waits for who writes to it.
        if !self.dir().symlink_metadata(path)?.is_file() {
            return Err(nowhere());
        }
        let file = self.dir().open(path)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    }
}

/// Lists the folder `below`, a path that is empty or ends in `/`.
fn list(dir: &Dir, below: &str, files: &mut Vec<Entry>, folders: &mut Vec<String>) -> io::Result<()> {
    for entry in dir.read_dir(if below.is_empty() { "." } else { below })? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if !is_shown(&name) {
            continue;
        }
        // Of a link the link itself: neither a folder nor a file.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            folders.push(format!("{below}{name}/"));
        } else if kind.is_file() && is_called_like_one(&name) {
            let about = entry.metadata()?;
            files.push(Entry {
                path: format!("{below}{name}"),
                bytes: about.len(),
                changed: changed(&about),
            });
        }
    }
    Ok(())
}

fn is_shown(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.')
}

/// Whether a file is called like a trace.
fn is_called_like_one(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let plain = PACKED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    ENDINGS.iter().any(|ending| plain.len() > ending.len() && plain.ends_with(ending))
        || name.contains(EVENTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_call_their_traces() {
        for name in [
            "host.xplane.pb",
            "host.trace.json.gz",
            "worker0.1700000000000.pt.trace.json",
            "rank0.pt.trace.json.gz",
            "timeline.json",
            "timeline-0.JSON",
            "step_12.pb",
            "run.pbtxt",
            "trainer0.profile",
            "events.out.tfevents.1700000000.host",
            "own.steplens.zst",
        ] {
            assert!(is_called_like_one(name), "{name}");
        }
        for name in ["checkpoint", "model.ckpt-1.index", "notes.txt", "data.csv.gz", ".json", ".gz", "pb"] {
            assert!(!is_called_like_one(name), "{name}");
        }
    }
}
