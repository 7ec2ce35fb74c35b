//! Running other programs from the workspace root, and saying what is being done.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::SystemTime;

use crate::digest::Digest;

/// Words of a command line that a message shows.
const MOST_WORDS: usize = 12;

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

/// Dates a file or folder.
pub(crate) fn set_date(path: &Path, date: SystemTime) -> Result {
    // A folder opens for reading alone, and only on Unix.
    let open = if path.is_dir() { fs::File::open(path) } else { fs::File::options().write(true).open(path) };
    let set = open.and_then(|file| file.set_times(fs::FileTimes::new().set_modified(date)));
    set.map_err(|e| format!("could not date {}: {e}", path.display()))
}

/// Our folder among the user's caches: what is installed once for all clones.
pub(crate) fn cache_dir() -> Result<PathBuf> {
    let own = |variable| std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
    let folder = own("XDG_CACHE_HOME")
        .or_else(|| own("LOCALAPPDATA"))
        .or_else(|| own("HOME").map(|home| home.join(".cache")))
        .ok_or("no folder for caches: set XDG_CACHE_HOME")?;
    Ok(folder.join("steplens"))
}

thread_local! {
    /// What this thread does while another does something else: put in front of each line of its programs.
    static LABEL: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// From now on, lines of the programs that this thread runs begin with `label`.
pub(crate) fn label_lines(label: &'static str) {
    LABEL.set(Some(label));
}

/// That label; `all` before there is one.
pub(crate) fn label() -> &'static str {
    LABEL.get().unwrap_or("all")
}

pub(crate) fn say(what: &str) {
    println!("xtask: {what}");
}

static NOT_TESTED: AtomicUsize = AtomicUsize::new(0);

/// Says that something could not be tested here; `test` says at its end how often that was.
pub(crate) fn not_tested(what: &str) {
    let count = NOT_TESTED.fetch_add(1, Ordering::Relaxed) + 1;
    say(&format!("NOT TESTED ({count}): {what}"));
}

pub(crate) fn count_not_tested() -> usize {
    NOT_TESTED.load(Ordering::Relaxed)
}

static FLAKY: AtomicUsize = AtomicUsize::new(0);

/// Says that a test failed and passed when it ran again, which is a defect; `test` says at its end how often that was.
pub(crate) fn flaky(what: &str) {
    let count = FLAKY.fetch_add(1, Ordering::Relaxed) + 1;
    say(&format!("FLAKY ({count}): {what} failed, and passed when run again"));
}

pub(crate) fn count_flaky() -> usize {
    FLAKY.load(Ordering::Relaxed)
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

/// Runs to the end; anything but success is an error that shows the command line and, where other programs print at the same time, what
/// its lines say of failures.
pub(crate) fn run(command: &mut Command) -> Result {
    let line = line(command);
    let (status, said) = match LABEL.get() {
        None => command.status().map(|status| (status, Vec::new())),
        Some(label) => labelled(command, label),
    }
    .map_err(|e| format!("could not run `{line}`: {e}"))?;
    if status.success() {
        return Ok(());
    }
    Err([vec![format!("`{line}` failed ({status})")], said].concat().join("\n"))
}

/// Runs to the end, and passes its lines on, each with `label` in front. Also gives what they say of failures.
fn labelled(command: &mut Command, label: &str) -> std::io::Result<(ExitStatus, Vec<String>)> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        let out = scope.spawn(|| pass_on(out, label));
        let err = scope.spawn(|| pass_on(err, label));
        let mut said = Vec::new();
        for passed in [out.join(), err.join()] {
            said.extend(
                passed.map_err(|_| std::io::Error::other("what it printed could not be passed on"))??,
            );
        }
        Ok((child.wait()?, said))
    })
}

/// Runs to the end, and gives each line of its standard output to `take`; what it says on the other one is passed on.
pub(crate) fn lines_of(command: &mut Command, mut take: impl FnMut(&str)) -> Result<ExitStatus> {
    let name = line(command);
    let failed = |e: std::io::Error| format!("could not run `{name}`: {e}");
    let label = label();
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        let err = scope.spawn(|| pass_on(err, label));
        for line in out.into_iter().flat_map(|out| BufReader::new(out).split(b'\n')) {
            take(&String::from_utf8_lossy(&line?));
        }
        err.join().map_err(|_| std::io::Error::other("what it printed could not be passed on"))??;
        child.wait()
    })
    .map_err(failed)
}

fn pass_on(from: Option<impl Read>, label: &str) -> std::io::Result<Vec<String>> {
    let Some(from) = from else { return Ok(Vec::new()) };
    let mut digest = Digest::default();
    for line in BufReader::new(from).split(b'\n') {
        let line = line?;
        digest.take(&String::from_utf8_lossy(&line));
        let mut whole = format!("{label:<7} | ").into_bytes();
        whole.extend(line);
        whole.push(b'\n');
        // In one piece: lines of two programs do not mix.
        std::io::stdout().lock().write_all(&whole)?;
    }
    Ok(digest.finish())
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

/// This machine as rustc calls it, such as `x86_64-unknown-linux-gnu`.
pub(crate) fn host() -> Result<String> {
    let about = output(command("rustc").arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("`rustc -vV` does not say for which machine it is")?.to_owned())
}

/// Where `program` is on the search path.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program).with_extension(std::env::consts::EXE_EXTENSION))
        .find(|file| file.is_file())
}

/// The search path with `folder` added, before all others or after them.
pub(crate) fn search_path(folder: &Path, is_first: bool) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.insert(if is_first { 0 } else { folders.len() }, folder.to_path_buf());
    std::env::join_paths(folders).map_err(|e| format!("could not extend PATH: {e}"))
}

/// When a file was last written.
pub(crate) fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|meta| meta.modified()).ok()
}

/// The command line; of a long list of files, the first ones.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    let shown = words.len().min(MOST_WORDS);
    let rest =
        if words.len() > shown { format!(" … and {} more", words.len() - shown) } else { String::new() };
    words[..shown].join(" ") + &rest
}
