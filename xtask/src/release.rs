//! `cargo xtask release`: everything that a release holds, in `target/release-files/`.
//!
//! The page, the program of this machine with its manual pages, completions and licences, the npm package, and the sources with the page in
//! them, from which `cargo install` makes a program that writes reports; checksums, and what the changelog says.

use std::fs;
use std::path::PathBuf;

use crate::page::{self, Core};
use crate::run::{Result, host, root, run, say, target_dir};
use crate::{dist, npm, npm_core};

/// The npm package as a folder; `npm pack` makes the tarball.
pub(crate) fn npm() -> Result {
    page::build(Core::Optimised)?;
    let package = npm_folder();
    build_npm(&package)?;
    say(&format!("the npm package is in {}", package.display()));
    Ok(())
}

pub(crate) fn release(draft: bool) -> Result {
    let version = env!("CARGO_PKG_VERSION");
    let changelog = root().join("CHANGELOG.md");
    let text =
        fs::read_to_string(&changelog).map_err(|e| format!("could not read {}: {e}", changelog.display()))?;
    let notes = notes_of(&text, version, draft)?;
    dist::dist(dist::Program::WithDuckDb)?;
    let package = npm_folder();
    build_npm(&package)?;
    let out = target_dir().join("release-files");
    if out.exists() {
        fs::remove_dir_all(&out).map_err(|e| format!("could not empty {}: {e}", out.display()))?;
    }
    fs::create_dir_all(&out).map_err(|e| format!("could not make {}: {e}", out.display()))?;
    fs::write(out.join("NOTES.md"), notes).map_err(|e| format!("could not write the notes: {e}"))?;
    let target = host()?;
    let program =
        target_dir().join("release").join("steplens").with_extension(std::env::consts::EXE_EXTENSION);
    say("packing the files of the release");
    run(npm::node("xtask/release.mjs")
        .args(["--version", version, "--target", &target])
        .arg("--program")
        .arg(program)
        .arg("--npm")
        .arg(package)
        .arg("--out")
        .arg(&out))?;
    say(&format!("the files of the release are in {}", out.display()));
    Ok(())
}

fn npm_folder() -> PathBuf {
    target_dir().join("npm/steplens")
}

fn build_npm(out: &std::path::Path) -> Result {
    let core = npm_core::build(Core::Optimised)?;
    say("building the npm package");
    let mut build = npm::node("npm/build.mjs");
    run(build.arg("--core").arg(core).args(["--page", "dist", "--out"]).arg(out))
}

/// What the changelog says of `version`: its first section, which is called `## 1.2.3, 2026-01-31`. A draft may have no date yet.
fn notes_of(changelog: &str, version: &str, draft: bool) -> Result<String> {
    let sections = changelog.split("\n## ").nth(1).unwrap_or_default();
    let (title, notes) = sections.split_once('\n').unwrap_or_default();
    let is_dated = title.strip_prefix(version).and_then(|rest| rest.strip_prefix(", ")).is_some_and(is_date);
    if !is_dated && !draft {
        return Err(format!(
            "CHANGELOG.md begins with `## {title}`; a release of {version} wants `## {version}, YEAR-MONTH-DAY` (--draft does without)"
        ));
    }
    Ok(format!("{}\n", notes.trim()))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |count: usize, part: &str| part.len() == count && part.chars().all(|c| c.is_ascii_digit());
    matches!(parts.as_slice(), [year, month, day] if digits(4, year) && digits(2, month) && digits(2, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_has_a_dated_section() {
        let changelog = "# Changelog\n\nSaid.\n\n## 0.2.0, 2026-12-01\n\n### New\n\n- This.\n\n## 0.1.0, 2026-01-01\n\n- That.\n";
        assert_eq!(notes_of(changelog, "0.2.0", false), Ok("### New\n\n- This.\n".to_owned()));
        assert!(notes_of(changelog, "0.1.0", false).is_err());
        let unreleased = changelog.replace("0.2.0, 2026-12-01", "Unreleased");
        assert!(notes_of(&unreleased, "0.2.0", false).is_err());
        assert_eq!(notes_of(&unreleased, "0.2.0", true), Ok("### New\n\n- This.\n".to_owned()));
        assert!(notes_of(&changelog.replace("-12-", "-dec-"), "0.2.0", false).is_err());
    }
}
