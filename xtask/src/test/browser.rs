//! The stage `browser`: the page in Chromium and Firefox.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{node, program, quick_page, times};
use crate::page::{self, Core};
use crate::run::{Result, command, flaky, label, root, run, say, target_dir};
use crate::{browsers, npm_core};

/// If more files of tests fail, they are not run a second time.
const MOST_AGAIN: usize = 3;

/// How many files run at the same time. A test waits for half of its time, for frames and for what rests: three of them fill two processors.
const AT_ONCE: usize = 3;
/// What a thorough run looks at in more windows and themes.
const LOOKS: [&str; 5] = ["axe", "axe_narrow", "axe_open", "layout_faults", "card"];
/// Of the page as it is shipped, in a whole Chromium: opening in every format, what is drawn, the keys, sharing, a phone, the npm package.
const SMOKE: [&str; 10] =
    ["open", "formats", "draw", "habits_keys", "part", "phone", "redaction", "hosted", "saving", "npm"];

pub(super) fn test() -> Result {
    quick_page()?;
    let files = slowest_first(node::files("tests/web", |name| name != "wasm.test.mjs")?);
    let run = Run::quick(false)?;
    let Err(failure) = run.pass(&files, AT_ONCE) else { return Ok(()) };
    let failed = fs::read_to_string(failed_list()).unwrap_or_default();
    let failed: Vec<PathBuf> = failed.lines().map(PathBuf::from).collect();
    if failed.is_empty() || failed.len() > MOST_AGAIN {
        return Err(failure);
    }
    // Whether a test is wrong or was disturbed, only a second run tells. Both are defects, but a disturbed test says nothing about the page.
    say(&format!("{failure}\n{} failed; running it again, alone", names(&failed)));
    run.pass(&failed, 1).map_err(|second| format!("{failure}\n{second}"))?;
    flaky(&names(&failed));
    Ok(())
}

/// Ten files of tests on the page as it is shipped.
pub(super) fn smoke() -> Result {
    page::build(Core::Optimised)?;
    let npm_core = npm_core(Core::Optimised)?;
    let run = Run { core: Core::Optimised, npm_core, provide: browsers::provide_whole, is_thorough: false };
    run.pass(&SMOKE.map(file), 2)
}

/// Every window and theme, in the page that the quick run has looked at in some.
pub(super) fn every_look() -> Result {
    quick_page()?;
    Run::quick(true)?.pass(&LOOKS.map(file), AT_ONCE)
}

fn file(name: &str) -> PathBuf {
    root().join(format!("tests/web/{name}.test.mjs"))
}

fn npm_core(core: Core) -> Result<PathBuf> {
    times::timed("the core of the npm package", || npm_core::build(core))
}

fn failed_list() -> PathBuf {
    target_dir().join("tools/failed-browser-tests.txt")
}

/// The longest begin: none of them is left alone at the end, with one processor idle.
fn slowest_first(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    let last = times::last_by_file(label());
    let seconds = |file: &Path| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        last.get(&name).copied().unwrap_or(f64::MAX)
    };
    files.sort_by(|a, b| seconds(b).total_cmp(&seconds(a)));
    files
}

fn names(files: &[PathBuf]) -> String {
    files
        .iter()
        .filter_map(|file| file.file_name())
        .map(|name| name.to_string_lossy())
        .collect::<Vec<_>>()
        .join(", ")
}

/// What is tested, and in what.
struct Run {
    core: Core,
    npm_core: PathBuf,
    provide: fn(&mut Command) -> Result,
    /// Whether the tests look at all windows and themes.
    is_thorough: bool,
}

impl Run {
    fn quick(is_thorough: bool) -> Result<Self> {
        Ok(Self {
            core: Core::Quick,
            npm_core: npm_core(Core::Quick)?,
            provide: browsers::provide,
            is_thorough,
        })
    }

    /// Runs `files`, `at_once` at the same time. The ones in which a test failed are listed for a second run.
    fn pass(&self, files: &[PathBuf], at_once: usize) -> Result {
        let times = times::file_for_script()?;
        let mut tests = command("node");
        tests.arg(root().join("tests/web/run.mjs")).args(["--at-once", &at_once.to_string()]);
        node::reporters(&mut tests, &times);
        tests.arg("--test-reporter=./tests/web/failed_files.mjs");
        tests.arg(format!("--test-reporter-destination={}", failed_list().display())).args(files);
        tests.env("STEPLENS_PROGRAM", program()?).env("STEPLENS_NPM_CORE", &self.npm_core);
        if self.is_thorough {
            tests.env("STEPLENS_THOROUGH", "yes");
        }
        self.core.tell(&mut tests);
        (self.provide)(&mut tests)?;
        let passed = run(&mut tests);
        times::read_from_script(&times)?;
        passed
    }
}
