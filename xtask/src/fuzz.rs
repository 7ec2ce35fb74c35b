//! `cargo xtask fuzz`: inputs that grow from the corpus, until one breaks a law or the time is over.

use std::fs;
use std::path::PathBuf;

use crate::run::{Result, cargo, command, find, output, root, run, say, search_path, target_dir};

/// The version that `fuzz/README.md` was written with.
const CARGO_FUZZ: &str = "0.13.2";
const SECONDS: u32 = 600;
/// Most bugs need few bytes, and small inputs are quick: larger ones are left to the tests of real files.
const LIMITS: [&str; 3] = ["-max_len=8192", "-timeout=20", "-rss_limit_mb=3000"];

/// The targets that are named, or each after the other, for so long each.
pub(crate) fn fuzz(names: &[String], seconds: Option<u32>) -> Result {
    let seconds = seconds.unwrap_or(SECONDS);
    let known = targets()?;
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!("no target is called `{unknown}`; the targets are {}", known.join(", ")));
    }
    let tools = provide()?;
    for target in known.iter().filter(|known| names.is_empty() || names.contains(known)) {
        let found = target_dir().join("fuzz").join(target);
        fs::create_dir_all(&found).map_err(|e| format!("could not make {}: {e}", found.display()))?;
        say(&format!("{target} for {seconds} s; inputs that reach new code go to {}", found.display()));
        let mut fuzz = command("rustup");
        // Nothing that is fuzzed holds unsafe code of ours: without a sanitizer it is quicker, and the laws count the
        // memory themselves.
        fuzz.args(["run", "nightly", "cargo", "fuzz", "run", "--sanitizer", "none", target]);
        fuzz.arg(found).arg(root().join("fuzz/corpus").join(target)).arg("--").args(LIMITS);
        fuzz.args([format!("-max_total_time={seconds}"), "-print_final_stats=1".to_owned()]);
        let dictionary = root().join("fuzz/dictionaries").join(target).with_extension("dict");
        if dictionary.exists() {
            fuzz.arg(format!("-dict={}", dictionary.display()));
        }
        fuzz.env("PATH", &tools);
        run(&mut fuzz)?;
    }
    Ok(())
}

/// The names of the targets.
fn targets() -> Result<Vec<String>> {
    let folder = root().join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&folder).map_err(|e| format!("could not list {}: {e}", folder.display()))?;
    let name = |entry: fs::DirEntry| entry.path().file_stem().map(|name| name.to_string_lossy().into_owned());
    let mut names: Vec<String> = entries.flatten().filter_map(name).collect();
    names.sort();
    Ok(names)
}

/// Installs a nightly compiler and cargo-fuzz where they are missing; returns the search path with them.
fn provide() -> Result<std::ffi::OsString> {
    let toolchains = output(command("rustup").args(["toolchain", "list"]))?;
    if !toolchains.lines().any(|line| line.starts_with("nightly")) {
        say("installing a nightly compiler through rustup");
        run(command("rustup").args(["toolchain", "install", "nightly", "--profile", "minimal"]))?;
    }
    let own = target_dir().join("tools");
    let program = PathBuf::from("bin/cargo-fuzz").with_extension(std::env::consts::EXE_EXTENSION);
    if find("cargo-fuzz").is_none() && !own.join(program).is_file() {
        say(&format!("installing cargo-fuzz into {}", own.display()));
        run(cargo()
            .args(["install", "--locked", "--version", CARGO_FUZZ, "cargo-fuzz", "--root"])
            .arg(&own))?;
    }
    search_path(&own.join("bin"), false)
}
