//! A file that is written next to its place and put there when it is complete: until then, and if it never is, what stood there stays.

use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many links Linux follows in one path.
const MOST_LINKS: usize = 40;

/// Where a file goes, and where its bytes are until then.
pub(super) struct Replacement {
    place: PathBuf,
    bytes: Bytes,
    /// Those of the file that it replaces.
    permissions: Option<Permissions>,
}

enum Bytes {
    /// In a file without a name, which the system forgets with the program, however that ends.
    #[cfg(target_os = "linux")]
    Nameless(File),
    /// In a file next to the place.
    Named(PathBuf),
}

/// Opens what stands at `path` to be written in its place, if it is a device or a pipe; links are followed.
pub(super) fn device(path: &Path) -> io::Result<Option<File>> {
    let place = followed(path);
    let is_device = fs::metadata(&place).is_ok_and(|there| !there.is_file());
    is_device.then(|| File::options().write(true).open(&place)).transpose()
}

impl Replacement {
    /// Begins a file for `path`; links are followed. What cannot be opened to be written, as the place or in its folder, is an error.
    pub(super) fn begin(path: &Path) -> io::Result<(Self, File)> {
        let place = followed(path);
        let there = fs::metadata(&place).ok();
        if there.is_some() {
            // A file that may not be written is not replaced either, although its folder would allow it.
            File::options().write(true).open(&place)?;
        }
        let permissions = there.map(|there| there.permissions());
        let (bytes, file) = begin_bytes(&place)?;
        Ok((Self { place, bytes, permissions }, file))
    }

    /// Puts the file into its place, at once.
    pub(super) fn put(self) -> io::Result<()> {
        match self.bytes {
            #[cfg(target_os = "linux")]
            Bytes::Nameless(file) => {
                let permissions = self.permissions.map(|kept| file.set_permissions(kept));
                permissions.transpose().and_then(|_| nameless::put(&file, &self.place))
            }
            Bytes::Named(name) => {
                let permissions = self.permissions.map(|kept| fs::set_permissions(&name, kept));
                permissions.transpose().and_then(|_| fs::rename(&name, &self.place)).inspect_err(|_| {
                    // Why it could not be put into its place matters more.
                    let _ = fs::remove_file(&name);
                })
            }
        }
    }

    /// Forgets the file. Errors are ignored: the reason why it was not completed matters more.
    pub(super) fn remove(self) {
        if let Bytes::Named(name) = self.bytes {
            let _ = fs::remove_file(name);
        }
    }
}

#[cfg(target_os = "linux")]
fn begin_bytes(place: &Path) -> io::Result<(Bytes, File)> {
    match nameless::begin(folder_of(place)) {
        Some(file) => Ok((Bytes::Nameless(file.try_clone()?), file)),
        None => begin_named(place),
    }
}

#[cfg(not(target_os = "linux"))]
fn begin_bytes(place: &Path) -> io::Result<(Bytes, File)> {
    begin_named(place)
}

fn begin_named(place: &Path) -> io::Result<(Bytes, File)> {
    let name = name_next_to(place);
    let file = File::create_new(&name)?;
    Ok((Bytes::Named(name), file))
}

/// A hidden name next to `place` that nobody else takes.
fn name_next_to(place: &Path) -> PathBuf {
    static BEGUN: AtomicU64 = AtomicU64::new(0);
    let begun = BEGUN.fetch_add(1, Ordering::Relaxed);
    // The name of the place may be as long as the system allows.
    place.with_file_name(format!(".steplens-{}-{begun}.unfinished", process::id()))
}

fn folder_of(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The place that the links at `path` lead to, whether something stands there or not.
fn followed(path: &Path) -> PathBuf {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&place) else { break };
        place = folder_of(&place).join(target);
    }
    place
}

/// Files without a name, which Linux has on most of its file systems.
#[cfg(target_os = "linux")]
mod nameless {
    use super::name_next_to;
    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
    use rustix::io::Errno;
    use std::fs::{self, File};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::Path;

    /// What the user's mask takes away of this is not allowed.
    const ANYBODY: Mode =
        Mode::RUSR.union(Mode::WUSR).union(Mode::RGRP).union(Mode::WGRP).union(Mode::ROTH).union(Mode::WOTH);

    /// None if the file system has no such files, or if the folder cannot be written: a file with a name then says why.
    pub(super) fn begin(folder: &Path) -> Option<File> {
        // Without this folder of Linux, such a file gets no name.
        if !Path::new("/proc/self/fd").is_dir() {
            return None;
        }
        open(folder, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, ANYBODY).ok().map(File::from)
    }

    /// Gives it the name of `place`, in place of what is called so.
    pub(super) fn put(file: &File, place: &Path) -> io::Result<()> {
        let name = |name: &Path| {
            linkat(CWD, format!("/proc/self/fd/{}", file.as_raw_fd()), CWD, name, AtFlags::SYMLINK_FOLLOW)
        };
        match name(place) {
            Err(Errno::EXIST) => {
                // A name can only be given that is free, so the file takes one to be renamed from.
                let next = name_next_to(place);
                name(&next)?;
                fs::rename(&next, place).inspect_err(|_| {
                    // Why it could not be put into its place matters more.
                    let _ = fs::remove_file(&next);
                })
            }
            done => Ok(done?),
        }
    }
}
