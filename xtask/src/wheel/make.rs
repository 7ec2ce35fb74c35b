//! Makes wheels of the Python package: the one that is shipped, the one of the tests, and the recorder alone.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::python;
use crate::run::{Result, command, host, output, root, run, say, search_path, target_dir};

/// What makes wheels, in one version.
pub(super) const MATURIN: &str = "python/maturin.txt";
/// The same, and what links for an old Linux and looks at what is published.
pub(crate) const RELEASE: &str = "python/release.txt";
/// In the place of the core, where there is none.
const NO_CORE: &str = "python/recorder/_core.py";
/// What a wheel without machine code says of itself.
const PURE: &str = "Wheel-Version: 1.0\nGenerator: xtask\nRoot-Is-Purelib: true\nTag: py3-none-any\n";

/// The wheel of this machine as it is shipped, in the folder `out`, which is emptied. It has the page that is built.
pub(super) fn shipped(out: &Path) -> Result<PathBuf> {
    empty(out)?;
    let python = python::with_packages(RELEASE)?;
    say("building the wheel");
    let mut maturin = command(&python.with_file_name("maturin").to_string_lossy());
    maturin.current_dir(root().join("python")).args(["build", "--quiet", "--locked", "--release"]);
    maturin.arg("--target-dir").arg(target_dir()).arg("--out").arg(out);
    if cfg!(target_os = "linux") {
        // Zig links with the glibc of 2012, that of manylinux2014: Ubuntu 18.04, Debian 10 and RHEL 7 have a newer one, this machine the newest.
        maturin.args(["--zig", "--compatibility", "manylinux2014", "--target"]).arg(host()?);
        if let Some(folder) = python.parent() {
            maturin.env("PATH", search_path(folder, true)?);
        }
    }
    run(&mut maturin)?;
    wheel_in(out)
}

/// The wheel for tests, in `out`: of the library that cargo has built together with the program, which maturin would compile once more with other
/// features. What says what the wheel is, is maturin's.
pub(super) fn of_tests(out: &Path) -> Result<PathBuf> {
    empty(out)?;
    let library = format!("{DLL_PREFIX}_core{DLL_SUFFIX}");
    let module = if cfg!(windows) { "_core.pyd" } else { "_core.abi3.so" };
    pack(out, MATURIN, &target_dir().join("debug").join(library), module, None)
}

/// The recorder alone, for each Python and machine that no other wheel serves, in the folder `out`: pip prefers the others.
pub(super) fn recorder(out: &Path, list: &str) -> Result<PathBuf> {
    pack(out, list, &root().join(NO_CORE), "_core.py", Some(PURE))
}

/// A wheel of the package with `core` as its module `name`, in `out`. `about` takes the place of what maturin says of the machine.
fn pack(out: &Path, list: &str, core: &Path, name: &str, about: Option<&str>) -> Result<PathBuf> {
    let python = python::with_packages(list)?;
    let scratch = target_dir().join("tools/unpacked-wheel");
    empty(&scratch)?;
    let failed = |e: io::Error| format!("could not put a wheel together in {}: {e}", scratch.display());
    let package = scratch.join("steplens");
    copy_sources(&root().join("python/steplens"), &package)
        .and_then(|()| fs::copy(core, package.join(name)))
        .map_err(failed)?;
    let mut maturin = command(&python.with_file_name("maturin").to_string_lossy());
    maturin.current_dir(root().join("python")).args(["pep517", "write-dist-info", "--metadata-directory"]);
    let said = output(maturin.arg(&scratch).arg("--interpreter").arg(&python))?;
    if let Some(about) = about {
        let dist_info = scratch.join(said.lines().last().unwrap_or_default().trim());
        fs::write(dist_info.join("WHEEL"), about).map_err(failed)?;
    }
    let mut pack = command(&python.to_string_lossy());
    let said = output(pack.args(["-m", "wheel", "pack", "--dest-dir"]).arg(out).arg(&scratch))?;
    // "Repacking wheel as PATH...OK"
    let path = said.lines().last().and_then(|line| line.split_once(" as ")?.1.rsplit_once("..."));
    let (path, _) = path.ok_or_else(|| format!("`wheel pack` does not say which file it wrote: {said}"))?;
    Ok(PathBuf::from(path))
}

/// The wheel in a folder that has one.
fn wheel_in(out: &Path) -> Result<PathBuf> {
    let made = fs::read_dir(out).map_err(|e| format!("could not list {}: {e}", out.display()))?;
    let mut wheels = made.flatten().map(|entry| entry.path());
    wheels
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .ok_or_else(|| format!("there is no wheel in {}", out.display()))
}

fn empty(folder: &Path) -> Result {
    let failed = |e: io::Error| format!("could not empty {}: {e}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed)?;
    }
    fs::create_dir_all(folder).map_err(failed)
}

/// Copies the files of a package, without what Python keeps next to them.
fn copy_sources(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            if name != "__pycache__" {
                copy_sources(&path, &to.join(name))?;
            }
        } else if !name.to_string_lossy().starts_with("_core.") || name == "_core.pyi" {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_made_by_what_makes_the_wheel_of_the_tests() {
        let read = |list: &str| fs::read_to_string(root().join(list)).expect("it is there");
        let pinned = |text: String| {
            text.lines().filter(|line| line.contains("==")).map(str::to_owned).collect::<Vec<_>>()
        };
        let (of_tests, release) = (pinned(read(MATURIN)), pinned(read(RELEASE)));
        assert!(!of_tests.is_empty() && of_tests.iter().all(|line| release.contains(line)), "{release:?}");
    }
}
