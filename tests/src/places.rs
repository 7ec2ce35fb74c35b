//! Where a program of tests finds what it needs. It is asked as it runs, and not as it is compiled: `cargo xtask test` gives compiled programs to
//! the next clone (`xtask/src/test/seeds.rs`), and they read the files of the clone that runs them.

use std::env;
use std::path::{Path, PathBuf};

/// The folder of the repository.
///
/// # Panics
///
/// If neither the package that cargo names nor the current folder is in it.
pub fn root() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let start = package.or_else(|| env::current_dir().ok()).expect("a folder to begin at");
    let is_root = |folder: &&Path| folder.join("Cargo.lock").is_file() && folder.join("crates").is_dir();
    start.ancestors().find(is_root).expect("the tests run in the repository").to_path_buf()
}

/// The path of our program `name`, in the folder of the build that has the tests.
///
/// # Panics
///
/// As [`scratch`].
pub fn program(name: &str) -> PathBuf {
    profile().join(name).with_extension(env::consts::EXE_EXTENSION)
}

/// The folder that cargo has for what tests write.
///
/// # Panics
///
/// If the tests do not lie where cargo puts them: `target/PROFILE/deps`.
pub fn scratch() -> PathBuf {
    profile().parent().expect("a folder of builds").join("tmp")
}

fn profile() -> PathBuf {
    let own = env::current_exe().expect("the program that runs");
    own.parent().and_then(Path::parent).expect("it lies in target/PROFILE/deps").to_path_buf()
}
