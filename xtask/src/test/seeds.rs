//! Compiled crates, kept among the user's caches for the next clone: what others wrote is compiled once on a machine, and what we wrote where it
//! has changed.
//!
//! Cargo recognises them by their fingerprints, which name neither a folder nor a clone; their dates must stay as they are. So build scripts name
//! files as seen from their package, and tests ask as they run where the repository is (`tests/src/places.rs`): no variable of cargo's that has a
//! folder in it may be compiled into them (`tests/tests/tidy`).

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::sources;
use crate::run::{Result, cache_dir, command, output, root, say, set_date, target_dir};

/// Where cargo keeps what it has compiled, below the target folder: for this machine, and the dependencies of the core for WebAssembly.
const PLACES: [&str; 2] = ["debug", "wasm32-unknown-unknown/wasm-quick"];
/// What makes up a compiled crate.
const KINDS: [&str; 3] = ["deps", "build", ".fingerprint"];
/// What compiled dependencies depend on.
const MADE_FROM: [&str; 4] = ["Cargo.lock", "Cargo.toml", "rust-toolchain.toml", ".cargo/config.toml"];
const NAME: &str = "compiled-";
/// The dates of our sources.
const SOURCES: &str = "sources.txt";

/// The folder of this version of the dependencies, in the user's caches.
fn folder() -> Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    output(command("rustc").arg("-vV"))?.hash(&mut hasher);
    for name in MADE_FROM {
        let path = root().join(name);
        fs::read(&path).map_err(|e| format!("could not read {}: {e}", path.display()))?.hash(&mut hasher);
    }
    Ok(cache_dir()?.join(format!("{NAME}{:016x}", hasher.finish())))
}

/// The folder of this version; or else of another one, most of whose crates are the same: cargo takes those and compiles the others.
fn nearest() -> Result<PathBuf> {
    let exact = folder()?;
    if exact.is_dir() {
        return Ok(exact);
    }
    // What was kept after that holds the crates of both versions: once there are too many, it begins anew.
    let is_small = |folder: &PathBuf| {
        fs::read_dir(folder.join(PLACES[0]).join(".fingerprint"))
            .is_ok_and(|crates| crates.count() <= MOST_CRATES)
    };
    Ok(folders()?.into_iter().find(is_small).unwrap_or(exact))
}

/// Twice what one version needs.
const MOST_CRATES: usize = 1_500;

/// The folders of all versions.
fn folders() -> Result<Vec<PathBuf>> {
    let cache = cache_dir()?;
    if !cache.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(&cache).map_err(|e| format!("could not read {}: {e}", cache.display()))?;
    let is_kept =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(NAME));
    Ok(entries.flatten().map(|entry| entry.path()).filter(is_kept).collect())
}

/// In a target folder that holds nothing yet, puts what another clone has compiled.
pub(super) fn plant() -> Result {
    let kept = nearest()?;
    let mut has_planted = false;
    // The xtask itself was compiled by now, with its dependencies.
    let is_new = |place: &str| !target_dir().join(place).join("deps").join(MARK).exists();
    for place in PLACES.into_iter().filter(|place| is_new(place)) {
        let (from, to) = (kept.join(place), target_dir().join(place));
        has_planted = true;
        if from.is_dir() {
            say(&format!("taking compiled crates from {}", from.display()));
            KINDS.iter().try_for_each(|kind| copy(&from.join(kind), &to.join(kind), &|_| true))?;
        }
        let mark = to.join("deps").join(MARK);
        fs::create_dir_all(to.join("deps"))
            .and_then(|()| fs::write(&mark, ""))
            .map_err(|e| format!("could not write {}: {e}", mark.display()))?;
    }
    if has_planted { sources::plant(&kept.join(SOURCES)) } else { Ok(()) }
}

/// In a target folder: that nothing has to be copied into it.
const MARK: &str = ".planted";

/// Keeps what this clone has compiled, in place of other versions.
pub(super) fn keep() -> Result {
    let to = folder()?;
    let unfinished = to.with_extension("part");
    let failed = |e: std::io::Error| format!("could not keep compiled crates in {}: {e}", to.display());
    let kept = folders()?;
    say(&format!("keeping compiled crates in {}, for the next clone", to.display()));
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).map_err(failed)?;
    }
    for place in PLACES {
        let from = target_dir().join(place);
        let ours = latest(&from.join(".fingerprint")).map_err(failed)?;
        for kind in KINDS {
            copy(&from.join(kind), &unfinished.join(place).join(kind), &|name| {
                is_of_others(kind, name) || ours.iter().any(|hash| is_of(name, hash))
            })?;
        }
    }
    sources::keep(&unfinished.join(SOURCES))?;
    for old in kept {
        fs::remove_dir_all(old).map_err(failed)?;
    }
    // Under its name once it is whole.
    fs::rename(&unfinished, &to).map_err(failed)
}

/// Whether a file or folder of cargo's, of one of `KINDS`, is of a dependency.
fn is_of_others(kind: &str, name: &str) -> bool {
    let crate_name = name.strip_prefix("lib").unwrap_or(name);
    let is_ours = ["steplens", "xtask", "."].iter().any(|own| crate_name.starts_with(own));
    // A file without an ending is a program: of tests, and so ours.
    !is_ours && (kind != "deps" || name.contains('.'))
}

/// Whether a file or folder of cargo's is of the unit with this hash.
fn is_of(name: &str, hash: &str) -> bool {
    name.split('.').next().is_some_and(|name| name.ends_with(hash))
}

/// The hashes of the last two units of each target of ours: with lints, and without. A folder of builds has those of other features and versions, too.
fn latest(fingerprints: &Path) -> std::io::Result<Vec<String>> {
    let mut units = BTreeMap::<String, BTreeMap<SystemTime, String>>::new();
    for folder in fs::read_dir(fingerprints)?.flatten().filter(|folder| !is_xtask(folder)) {
        let name = folder.file_name().to_string_lossy().into_owned();
        let Some((package, hash)) = name.rsplit_once('-').filter(|_| !is_of_others("", &name)) else {
            continue;
        };
        for file in fs::read_dir(folder.path())?.flatten() {
            let target = file.file_name().to_string_lossy().into_owned();
            if target.ends_with(".json") {
                let date = file.metadata()?.modified()?;
                units.entry(format!("{package} {target}")).or_default().insert(date, format!("-{hash}"));
            }
        }
    }
    Ok(units.into_values().flat_map(|of_target| of_target.into_values().rev().take(2)).collect())
}

/// What runs is compiled by each clone: it knows where that is.
fn is_xtask(entry: &fs::DirEntry) -> bool {
    entry.file_name().to_string_lossy().starts_with("xtask")
}

/// Copies a folder with the dates of its files. What is there already is replaced: its date would be later than that of what was made from it,
/// and cargo would make all of that again. What was compiled is linked, because neither rustc nor a linker writes into a file that is there.
fn copy(from: &Path, to: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Result {
    let failed = |e: std::io::Error| format!("could not copy {} to {}: {e}", from.display(), to.display());
    if !from.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        if !is_wanted(&name.to_string_lossy()) {
            continue;
        }
        let target = to.join(&name);
        let meta = entry.metadata().map_err(failed)?;
        if meta.is_dir() {
            copy(&entry.path(), &target, &|_| true)?;
            set_date(&target, meta.modified().map_err(failed)?)?;
            continue;
        }
        if target.exists() {
            fs::remove_file(&target).map_err(failed)?;
        }
        let is_compiled = from.ends_with("deps") && target.extension().is_none_or(|ending| ending != "d");
        if is_compiled && fs::hard_link(entry.path(), &target).is_ok() {
            continue;
        }
        fs::copy(entry.path(), &target).map_err(failed)?;
        set_date(&target, meta.modified().map_err(failed)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_others_wrote_is_kept() {
        for (kind, name) in [
            ("deps", "libserde-0a1b.rlib"),
            ("deps", "libm-1.rmeta"),
            ("build", "libc-1"),
            (".fingerprint", "serde-1"),
        ] {
            assert!(is_of_others(kind, name), "{kind}/{name}");
        }
        for (kind, name) in [
            ("deps", "libsteplens_core-1.rlib"),
            ("deps", "all-1"),
            (".fingerprint", "xtask-1"),
            ("deps", ".planted"),
        ] {
            assert!(!is_of_others(kind, name), "{kind}/{name}");
        }
    }
}
