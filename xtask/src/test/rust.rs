//! The Rust tests: compiled by cargo, run from here, which tells the time of each.
//!
//! Cargo runs one test program after the other, so that the longest test of each keeps one processor busy and leaves the other idle. Here two
//! programs run at the same time, the longest first. (nextest does that, too, but starts a process for each test: what tests of one program
//! share, such as a large trace that is read once, would be made a thousand times.)

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use serde_json::Value;

use super::times;
use crate::lint::linting_cargo;
use crate::run::{Result, label, label_lines, lines_of, output, say};

/// All packages but the chores, which are compiled on their own. What the chores run, and what runs while the program is compiled (`anyhow`), is one crate to
/// cargo where it sees both at once, and another one where it does not: nearly all of the program depends on it, and was compiled twice.
pub(super) const ALL_BUT_CHORES: [&str; 3] = ["--workspace", "--exclude", "xtask"];
const CHORES: [&str; 2] = ["--package", "xtask"];

/// Programs that run at the same time.
const AT_ONCE: usize = 2;

/// A program of tests.
struct Program {
    /// Its package and its name in it, such as `steplens-tests/all`.
    name: String,
    path: PathBuf,
    /// Where cargo runs it: the folder of its package.
    folder: PathBuf,
}

/// Compiles all tests, and runs them.
pub(super) fn test() -> Result {
    test_with(&[])
}

/// The same with every case that a test has: see `cases.rs` in `tests/src`.
pub(super) fn test_thoroughly() -> Result {
    test_with(&[("STEPLENS_THOROUGH", "1")])
}

fn test_with(environment: &[(&str, &str)]) -> Result {
    let mut programs = times::timed("compiling the tests", compile)?;
    let last = times::last_by_file(label());
    programs.sort_by(|a, b| {
        // Of a program that is new, or of a first run, nothing is known: the larger ones take longer.
        let size = |program: &Program| fs::metadata(&program.path).map_or(0, |meta| meta.len());
        let seconds =
            |program: &Program| last.get(&program.name).copied().unwrap_or(1e6 + size(program) as f64);
        seconds(b).total_cmp(&seconds(a))
    });
    run(&programs, environment)
}

fn compile() -> Result<Vec<Program>> {
    let mut messages = compile_packages(&ALL_BUT_CHORES)?;
    let again: Vec<&str> = messages.iter().filter_map(compiled_again).collect();
    if !again.is_empty() {
        say(&format!("compiled for the tests, and not for the program: {}", again.join(", ")));
    }
    messages.append(&mut compile_packages(&CHORES)?);
    Ok(messages.iter().filter_map(program).collect())
}

/// Compiles the tests of `packages`; the messages of cargo say what of.
fn compile_packages(packages: &[&str]) -> Result<Vec<Value>> {
    let arguments = ["test", "--quiet", "--no-run", "--tests", "--message-format=json-render-diagnostics"];
    let text = output(linting_cargo()?.args(arguments).args(packages))?;
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// The name of a library of this repository, if the message of cargo says that it was compiled just now. A whole run has compiled all of them for the
/// program before: then it was compiled twice.
fn compiled_again(message: &Value) -> Option<&str> {
    let name = message["target"]["name"].as_str()?;
    let is_library = message["target"]["kind"][0] == "lib" && message["profile"]["test"] == false;
    (is_library && message["fresh"] == false && name.starts_with("steplens")).then_some(name)
}

/// The program that a message of cargo is about, if it is one of tests.
fn program(message: &Value) -> Option<Program> {
    let path = PathBuf::from(message["executable"].as_str()?);
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let target = message["target"]["name"].as_str()?;
    let kind = message["target"]["kind"][0].as_str()?;
    let name = if kind == "test" { format!("{package}/{target}") } else { format!("{package} ({kind})") };
    Some(Program { name, path, folder })
}

fn run(programs: &[Program], environment: &[(&str, &str)]) -> Result {
    let left = Mutex::new(programs.iter());
    let failed = Mutex::new(Vec::new());
    let stage = label();
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                label_lines(stage);
                while let Some(program) = next() {
                    if let Err(sentence) = run_one(program, environment) {
                        failed.lock().unwrap_or_else(PoisonError::into_inner).push(sentence);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// What the events of one program say.
#[derive(Default)]
struct Outcome {
    passed: usize,
    ignored: usize,
    failed: Vec<String>,
}

impl Outcome {
    /// Takes a line of the program: an event of libtest, or what a test printed past its harness. (Its `timeout` says only that a test has run for a
    /// minute and goes on.)
    fn take(&mut self, program: &str, line: &str) {
        let Ok(event) = serde_json::from_str::<Value>(line) else {
            println!("{:<7} | {line}", label());
            return;
        };
        let name = event["name"].as_str().unwrap_or_default();
        match (event["type"].as_str(), event["event"].as_str()) {
            (Some("test"), Some("ok")) => self.passed += 1,
            (Some("test"), Some("ignored")) => self.ignored += 1,
            (Some("test"), Some("failed")) => {
                let printed = event["stdout"].as_str().unwrap_or_default();
                println!("{:<7} | failed: {program}: {name}\n{printed}", label());
                self.failed.push(format!("{program}: {name}\n{printed}"));
            }
            _ => return,
        }
        times::test(program, name, event["exec_time"].as_f64().unwrap_or_default());
    }
}

fn run_one(program: &Program, environment: &[(&str, &str)]) -> Result {
    let started = Instant::now();
    let mut command = Command::new(&program.path);
    command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
    command.envs(environment.iter().copied());
    // The harness tells times, and events as JSON, only where unstable features are asked for; this variable is how a stable one takes them.
    command.env("RUSTC_BOOTSTRAP", "1").args(["-Zunstable-options", "--report-time", "--format=json"]);
    let mut outcome = Outcome::default();
    let status = lines_of(&mut command, |line| outcome.take(&program.name, line))?;
    times::test(&program.name, "", started.elapsed().as_secs_f64());
    if status.success() && outcome.failed.is_empty() {
        let ignored =
            if outcome.ignored > 0 { format!(", {} IGNORED", outcome.ignored) } else { String::new() };
        say(&format!("{}: {} passed{ignored}", program.name, outcome.passed));
        return Ok(());
    }
    if outcome.failed.is_empty() {
        return Err(format!("{} ended with {status} after {} tests", program.name, outcome.passed));
    }
    Err(outcome.failed.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn programs_of_tests_are_found_among_the_messages_of_cargo() {
        let message = |executable: Value, is_test: bool, kind: &str| {
            json!({
                "reason": "compiler-artifact", "executable": executable, "profile": {"test": is_test},
                "manifest_path": "/somewhere/crates/steplens-core/Cargo.toml", "target": {"name": "all", "kind": [kind]},
            })
        };
        let found =
            program(&message(json!("/target/all-1"), true, "test")).map(|found| (found.name, found.folder));
        assert_eq!(
            found,
            Some(("steplens-core/all".to_owned(), PathBuf::from("/somewhere/crates/steplens-core")))
        );
        let found = program(&message(json!("/target/core-1"), true, "lib")).map(|found| found.name);
        assert_eq!(found.as_deref(), Some("steplens-core (lib)"));
        assert!(program(&message(json!("/target/steplens"), false, "bin")).is_none());
        assert!(program(&message(Value::Null, true, "test")).is_none());
    }

    #[test]
    fn a_library_that_is_compiled_for_the_tests_is_told() {
        let message = |name: &str, is_test: bool, is_fresh: bool| {
            json!({
                "reason": "compiler-artifact", "target": {"name": name, "kind": ["lib"]},
                "profile": {"test": is_test}, "fresh": is_fresh,
            })
        };
        assert_eq!(compiled_again(&message("steplens_core", false, false)), Some("steplens_core"));
        for (name, is_test, is_fresh) in
            [("steplens_core", false, true), ("steplens_core", true, false), ("serde", false, false)]
        {
            assert_eq!(compiled_again(&message(name, is_test, is_fresh)), None);
        }
    }

    #[test]
    fn a_failed_test_fails_its_program_with_what_it_printed() {
        let mut outcome = Outcome::default();
        outcome.take("all", r#"{"type":"test","event":"ok","name":"fine","exec_time":0.1}"#);
        outcome.take(
            "all",
            r#"{"type":"test","event":"failed","name":"wrong","exec_time":0.1,"stdout":"left: 1"}"#,
        );
        outcome.take("all", r#"{"type":"test","event":"timeout","name":"slow"}"#);
        outcome.take("all", r#"{"type":"suite","event":"failed","passed":1,"failed":1}"#);
        assert_eq!((outcome.passed, outcome.failed), (1, vec!["all: wrong\nleft: 1".to_owned()]));
    }
}
