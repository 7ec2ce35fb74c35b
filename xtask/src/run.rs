//! Running other programs from the workspace root, and saying what is being done.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A chore fails with one sentence for the person who started it.
pub(crate) type Result<T = ()> = std::result::Result<T, String>;

/// The workspace root: the folder above this crate's.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Cargo's target folder, wherever it was configured to be: this program lies in `<target>/<profile>/`.
pub(crate) fn target_dir() -> PathBuf {
    let exe = std::env::current_exe().unwrap_or_default();
    exe.ancestors().nth(2).map_or_else(|| root().join("target"), Path::to_path_buf)
}

pub(crate) fn say(what: &str) {
    println!("xtask: {what}");
}

/// A command that runs in the workspace root.
pub(crate) fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The cargo that started this program.
pub(crate) fn cargo() -> Command {
    command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
}

/// Runs to the end; anything but success is an error that shows the command line.
pub(crate) fn run(command: &mut Command) -> Result {
    let line = line(command);
    let status = command.status().map_err(|e| format!("could not start `{line}`: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` failed ({status})")) }
}

/// What the command prints on its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output = command.output().map_err(|e| format!("could not start `{line}`: {e}"))?;
    if !output.status.success() {
        return Err(format!(
            "`{line}` failed ({}): {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where `program` is on the search path.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program).with_extension(std::env::consts::EXE_EXTENSION))
        .find(|file| file.is_file())
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
