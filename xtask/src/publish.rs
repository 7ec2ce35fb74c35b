//! `cargo xtask publish`: the program as crates and the npm package, as `cargo xtask release` made them. `--dry-run` does all but send them.
//!
//! Wheels are made on several machines, and sent by the workflow (`.github/workflows/release.yml`).

use std::fs;
use std::path::{Path, PathBuf};

use crate::npm;
use crate::run::{Result, cargo, command, output, root, run, say, target_dir};

pub(crate) fn publish(is_dry_run: bool) -> Result {
    let tarball =
        target_dir().join("release-files").join(format!("steplens-{}.tgz", env!("CARGO_PKG_VERSION")));
    let page = root().join("dist/steplens.html");
    for made in [&tarball, &page] {
        if !made.is_file() {
            return Err(format!("{} is not there: run `cargo xtask release` first", made.display()));
        }
    }
    let dry_run = is_dry_run.then_some("--dry-run");
    if !is_dry_run && !output(command("git").args(["status", "--porcelain"]))?.is_empty() {
        return Err(
            "there are changes that are not committed: what is published is what a commit holds".into()
        );
    }
    if is_dry_run {
        say("documenting the crates as docs.rs does");
        let mut doc = cargo();
        doc.env("RUSTDOCFLAGS", "-D warnings").args(["doc", "--quiet", "--locked", "--no-deps", "--lib"]);
        run(doc.args(crates()?.iter().flat_map(|name| ["--package", name])))?;
    }
    let _page = PageInCrate::put(&page)?;
    say("the crates of the program");
    // To cargo the page is a change that is not committed.
    run(cargo().args(["publish", "--workspace", "--locked", "--allow-dirty"]).args(dry_run))?;
    say("the npm package");
    run(command(npm::program()).args(["publish", "--access", "public"]).args(dry_run).arg(&tarball))
}

/// The names of the crates that are published: all that have no `publish.workspace`, which says no.
pub(crate) fn crates() -> Result<Vec<String>> {
    let failed = |e: std::io::Error| format!("could not list the crates: {e}");
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("crates")).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let manifest = fs::read_to_string(entry.path().join("Cargo.toml")).map_err(failed)?;
        if !manifest.contains("\npublish.workspace = true\n") {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// The page in the crate of the program, as long as that is published: else a later build would take it for one that is new.
struct PageInCrate(PathBuf);

impl PageInCrate {
    fn put(page: &Path) -> Result<Self> {
        let folder = root().join("crates/steplens-cli/page");
        let failed = |e: std::io::Error| format!("could not put the page into {}: {e}", folder.display());
        fs::create_dir_all(&folder).map_err(failed)?;
        let own = Self(folder.clone());
        fs::copy(page, folder.join("steplens.html")).map_err(failed)?;
        Ok(own)
    }
}

impl Drop for PageInCrate {
    fn drop(&mut self) {
        if let Err(why) = fs::remove_dir_all(&self.0) {
            say(&format!("remove {} by hand: {why}", self.0.display()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str) -> String {
        fs::read_to_string(root().join(path)).expect("it is there")
    }

    /// The crates of ours that the manifest of `name` names outside of its tests.
    fn needs(name: &str) -> Vec<String> {
        let manifest = read(&format!("crates/{name}/Cargo.toml"));
        let sections = manifest.split("\n[").filter(|own| !own.starts_with("dev-dependencies]"));
        let lines = sections.filter(|own| own.contains("dependencies]")).flat_map(str::lines);
        let ours = lines.filter(|line| line.starts_with("steplens-"));
        ours.filter_map(|line| line.split(['.', ' ']).next()).map(str::to_owned).collect()
    }

    #[test]
    fn the_program_and_what_it_stands_on_are_published_and_nothing_else() {
        let published = crates().expect("they can be listed");
        let mut needed = vec!["steplens-cli".to_owned()];
        let mut done = 0;
        while let Some(name) = needed.get(done).cloned() {
            needed
                .extend(needs(&name).into_iter().filter(|other| !needed.contains(other)).collect::<Vec<_>>());
            done += 1;
        }
        needed.sort_unstable();
        assert_eq!(published, needed);
        assert_eq!(published.len(), 8, "{published:?}");
    }

    #[test]
    fn what_is_published_says_what_it_is_and_has_the_licences() {
        let root_manifest = read("Cargo.toml");
        let version = env!("CARGO_PKG_VERSION");
        for name in crates().expect("they can be listed") {
            let wanted = format!("{name} = {{ path = \"crates/{name}\", version = \"={version}\" }}");
            assert!(root_manifest.contains(&wanted), "Cargo.toml wants `{wanted}`");
            let manifest = read(&format!("crates/{name}/Cargo.toml"));
            for key in ["description = \"", "license.workspace = true", "repository.workspace = true"] {
                assert!(manifest.contains(key), "{name}: {key}");
            }
            for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
                assert_eq!(read(licence), read(&format!("crates/{name}/{licence}")), "{name}");
            }
        }
    }
}
