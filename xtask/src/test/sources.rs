//! The dates of our sources, kept next to what was compiled of them. Cargo compiles again what is older than its sources, and in a fresh clone every
//! file is new: those that are as they were get the date that they had.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::run::{Result, command, output, root, set_date};

/// A file or folder: what is in it, as a hash, and since when, in nanoseconds of Unix time.
type Kept = (u64, u128);

/// Writes the dates of all files that git knows, and of the folders they are in, into `list`.
pub(super) fn keep(list: &Path) -> Result {
    let lines = sources()?.into_iter().filter_map(|(path, hash)| {
        let date = fs::metadata(root().join(&path)).and_then(|meta| meta.modified()).ok()?;
        let date = date.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_nanos();
        Some(format!("{hash:016x} {date} {}\n", path.to_str()?))
    });
    let text: String = lines.collect();
    fs::write(list, text).map_err(|e| format!("could not write {}: {e}", list.display()))
}

/// Gives the files and folders that are as `list` says their dates; nothing without a list.
pub(super) fn plant(list: &Path) -> Result {
    let Ok(text) = fs::read_to_string(list) else { return Ok(()) };
    let kept: BTreeMap<&Path, Kept> = text.lines().filter_map(parse).collect();
    // Folders last: their dates say when a file in them was made.
    for (path, hash) in sources()?.into_iter().rev() {
        let Some((_, date)) = kept.get(path.as_path()).filter(|(of, _)| *of == hash) else { continue };
        let seconds = u64::try_from(date / 1_000_000_000).unwrap_or_default();
        let date = Duration::new(seconds, (date % 1_000_000_000) as u32);
        set_date(&root().join(&path), SystemTime::UNIX_EPOCH + date)?;
    }
    Ok(())
}

fn parse(line: &str) -> Option<(&Path, Kept)> {
    let mut words = line.splitn(3, ' ');
    let hash = u64::from_str_radix(words.next()?, 16).ok()?;
    let date = words.next()?.parse().ok()?;
    Some((Path::new(words.next()?), (hash, date)))
}

/// All files that git knows and the folders they are in, as seen from the root, each with a hash of what is in it: of a folder, its names.
fn sources() -> Result<BTreeMap<PathBuf, u64>> {
    let mut names = BTreeMap::<PathBuf, BTreeSet<PathBuf>>::new();
    let mut found = BTreeMap::new();
    let listed = output(command("git").arg("-C").arg(root()).args(["ls-files", "-z"]))?;
    for path in listed.split('\0').filter(|path| !path.is_empty()).map(Path::new) {
        // What was deleted and not committed.
        let Ok(bytes) = fs::read(root().join(path)) else { continue };
        found.insert(path.to_path_buf(), hash(&bytes));
        for part in path.ancestors().take_while(|part| *part != Path::new("")) {
            let folder = part.parent().unwrap_or(Path::new("")).to_path_buf();
            names.entry(folder).or_default().insert(part.to_path_buf());
        }
    }
    names.remove(Path::new(""));
    found.extend(names.into_iter().map(|(folder, names)| (folder, hash(&names))));
    Ok(found)
}

fn hash<T: Hash + ?Sized>(of: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_hash_a_date_and_a_path_with_spaces() {
        let (path, kept) = parse("00000000000000ff 1700000000000000001 tests/a file.pb").unwrap();
        assert_eq!((path, kept), (Path::new("tests/a file.pb"), (255, 1_700_000_000_000_000_001)));
        assert!(parse("no hash").is_none());
    }

    #[test]
    fn files_and_their_folders_are_sources() {
        let sources = sources().unwrap();
        for path in ["Cargo.toml", "xtask", "xtask/src/main.rs"] {
            assert!(sources.contains_key(Path::new(path)), "{path}");
        }
        assert!(!sources.contains_key(Path::new("target")));
    }
}
