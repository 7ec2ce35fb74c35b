//! Python packages: exactly those of a list, in a virtual environment of our own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Result, cache_dir, command, find, output, root, run, say};

/// The Python of the system, if there is one.
pub(crate) fn system() -> Option<&'static str> {
    ["python3", "python"].into_iter().find(|&name| find(name).is_some())
}

/// A Python of this machine.
pub(crate) struct Python {
    pub(crate) program: PathBuf,
    /// Such as (3, 13).
    pub(crate) version: (u32, u32),
}

impl Python {
    /// If it runs, and can make environments.
    fn of(program: PathBuf) -> Option<Self> {
        let asked = "import sys, ensurepip, venv; print(*sys.version_info[:2])";
        let said = output(command(&program.to_string_lossy()).args(["-c", asked])).ok()?;
        let (major, minor) = said.trim().split_once(' ')?;
        Some(Self { program, version: (major.parse().ok()?, minor.parse().ok()?) })
    }
}

/// The last minor version of Python 3 that is looked for.
const MOST_MINOR: u32 = 30;

/// Every Python 3 on the search path or of pyenv that can make environments, the oldest first.
pub(crate) fn all() -> Vec<Python> {
    let named = (0..=MOST_MINOR).map(|minor| format!("python3.{minor}"));
    let on_path = named.chain(system().map(str::to_owned)).filter_map(|name| find(&name));
    let own = |variable| std::env::var_os(variable).map(PathBuf::from);
    let pyenv = own("PYENV_ROOT").or_else(|| own("HOME").map(|home| home.join(".pyenv")));
    let versions = pyenv.and_then(|folder| fs::read_dir(folder.join("versions")).ok());
    let of_pyenv = versions.into_iter().flatten().flatten().map(|entry| entry.path().join("bin/python"));
    let mut found: Vec<Python> =
        on_path.chain(of_pyenv.filter(|path| path.is_file())).filter_map(Python::of).collect();
    found.sort_by(|a, b| (a.version, &a.program).cmp(&(b.version, &b.program)));
    found
}

/// A Python with the packages of `list`, a path in the repository: in our folder of the user's caches, one for each list.
pub(crate) fn with_packages(list: &str) -> Result<PathBuf> {
    let system = system()
        .ok_or("python3 is not on the search path; install Python 3.10 or newer with its module venv")?;
    environment(Path::new(system), list, "python")
}

/// The same of a certain Python.
pub(crate) fn with_packages_of(python: &Python, list: &str) -> Result<PathBuf> {
    let (major, minor) = python.version;
    environment(&python.program, list, &format!("python{major}.{minor}"))
}

/// An environment of this checkout, in `folder`, with what `python` has, to which more can be installed: others use that one, too.
pub(crate) fn on_top_of(python: &Path, folder: &Path) -> Result<PathBuf> {
    let name = python.to_string_lossy();
    run(command(&name).args(["-m", "venv", "--clear", "--without-pip"]).arg(folder))?;
    let own = in_environment(folder);
    let packages = |python: &str| {
        let asked = "import sysconfig; print(sysconfig.get_path('purelib'))";
        output(command(python).args(["-c", asked])).map(|path| path.trim().to_owned())
    };
    // Python adds the folders that such a file names to those in which it looks for packages.
    let link = Path::new(&packages(&own.to_string_lossy())?).join("shared.pth");
    fs::write(&link, packages(&name)? + "\n")
        .map_err(|e| format!("could not write {}: {e}", link.display()))?;
    Ok(own)
}

/// The Python of the environment in `folder`.
fn in_environment(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn environment(system: &Path, list: &str, name: &str) -> Result<PathBuf> {
    let text = fs::read_to_string(root().join(list)).map_err(|e| format!("{list}: {e}"))?;
    let folder = cache_dir()?.join(format!("{name}-{:08x}", sum(&text)));
    let python = in_environment(&folder);
    // Written last: an installation that broke off begins again.
    let installed = folder.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|there| there == text) {
        return Ok(python);
    }
    say(&format!("installing the Python packages of {list} into {}", folder.display()));
    run(command(&system.to_string_lossy()).args(["-m", "venv", "--clear"]).arg(&folder))?;
    pip_install(&python, &["--requirement", list])?;
    fs::write(&installed, text).map_err(|e| format!("could not write {}: {e}", installed.display()))?;
    Ok(python)
}

/// Installs into the environment of `python` what the options of `pip install` name.
pub(crate) fn pip_install(python: &Path, what: &[&str]) -> Result {
    let mut pip = command(&python.to_string_lossy());
    run(pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(what))
}

/// A short name for a text: FNV-1a.
fn sum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
