//! What was asked for on the command line.

use crate::run::Result;
use crate::{serve, test};
use lexopt::{Arg, Parser, ValueExt};

/// A chore, and what it needs to know.
#[derive(Debug)]
pub(crate) enum Chore {
    Serve(serve::Options),
    Test(test::Options),
    Format,
    Bench(Vec<String>),
    /// For how long each target: as long as usual if nothing says.
    Fuzz {
        targets: Vec<String>,
        seconds: Option<u32>,
    },
    Dist,
    Npm,
    Wheel,
    /// A draft needs no date in the changelog.
    Release {
        draft: bool,
    },
    Publish {
        is_dry_run: bool,
    },
    Screenshots,
    Interop,
    Page,
    Help,
}

pub(crate) fn parse(mut parser: Parser) -> Result<Chore> {
    let (mut words, mut options, mut seconds) = (Vec::new(), serve::Options::default(), None);
    let (mut draft, mut times, mut is_dry_run) = (false, false, false);
    let said = |why: lexopt::Error| format!("{why}; `cargo xtask help` lists the chores");
    while let Some(arg) = parser.next().map_err(said)? {
        let is_chore = |name| words.first().is_some_and(|word| word == name);
        match arg {
            Arg::Value(word) => words.push(word.string().map_err(said)?),
            Arg::Long("draft") if is_chore("release") => draft = true,
            Arg::Long("dry-run") if is_chore("publish") => is_dry_run = true,
            Arg::Long("times") if is_chore("test") => times = true,
            Arg::Long("open") if is_chore("serve") => options.open = true,
            Arg::Long("port") if is_chore("serve") => {
                let port = parser.value().and_then(|value| value.parse());
                options.port =
                    Some(port.map_err(|why| format!("--port: {why}, want a number from 1 to 65535"))?);
            }
            Arg::Long("seconds") if is_chore("fuzz") => {
                let value = parser.value().and_then(|value| value.parse());
                seconds = Some(value.map_err(|why| format!("--seconds: {why}, want a number"))?);
            }
            Arg::Long("help") | Arg::Short('h') => return Ok(Chore::Help),
            other => return Err(said(other.unexpected())),
        }
    }
    let Some((chore, words)) = words.split_first() else { return Ok(Chore::Help) };
    Ok(match (chore.as_str(), words) {
        ("serve", []) => Chore::Serve(options),
        ("test", stages) => Chore::Test(test::Options { stages: stages.to_vec(), times }),
        ("fmt", []) => Chore::Format,
        ("bench", which) => Chore::Bench(which.to_vec()),
        ("fuzz", targets) => Chore::Fuzz { targets: targets.to_vec(), seconds },
        ("dist", []) => Chore::Dist,
        ("npm", []) => Chore::Npm,
        ("wheel", []) => Chore::Wheel,
        ("release", []) => Chore::Release { draft },
        ("publish", []) => Chore::Publish { is_dry_run },
        ("screenshots", []) => Chore::Screenshots,
        ("interop", []) => Chore::Interop,
        ("page", []) => Chore::Page,
        ("help", []) => Chore::Help,
        (chore, words) => {
            let got = [&[chore.to_owned()], words].concat().join(" ");
            return Err(format!("got `{got}`, want one of these:\n\n{}", crate::USAGE));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> String {
        match parse(Parser::from_args(line.split(' ').filter(|word| !word.is_empty()))) {
            Ok(chore) => format!("{chore:?}"),
            Err(sentence) => sentence.lines().next().unwrap_or_default().to_owned(),
        }
    }

    #[test]
    fn chores_and_their_options() {
        assert_eq!(parsed(""), "Help");
        assert_eq!(parsed("serve --port 80 --open"), "Serve(Options { port: Some(80), open: true })");
        assert_eq!(parsed("test fmt rust"), "Test(Options { stages: [\"fmt\", \"rust\"], times: false })");
        assert_eq!(parsed("release --draft"), "Release { draft: true }");
        assert_eq!(parsed("publish --dry-run"), "Publish { is_dry_run: true }");
        assert_eq!(parsed("fuzz open --seconds=9"), "Fuzz { targets: [\"open\"], seconds: Some(9) }");
    }

    #[test]
    fn workflows_call_chores_that_there_are() {
        let folder = crate::run::root().join(".github/workflows");
        let mut called = Vec::new();
        for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
            let text = std::fs::read_to_string(entry.path()).expect("it can be read");
            let lines = text
                .lines()
                .filter(|line| !line.trim_start().starts_with(['#', '-']) || line.contains("run:"));
            let chores = lines.filter_map(|line| line.split_once("cargo xtask ")).map(|(_, chore)| chore);
            called.extend(chores.map(|chore| chore.trim_end_matches(" &").to_owned()));
        }
        let known = called.iter().all(|chore| !parsed(chore).starts_with("got") && parsed(chore) != "Help");
        assert!(known && called.len() >= 3, "{called:?}");
    }

    #[test]
    fn the_workflow_runs_the_two_commands_of_the_readme() {
        let read = |file: &str| std::fs::read_to_string(crate::run::root().join(file)).expect("it is there");
        let readme = read("README.md");
        let (_, section) = readme.split_once("## The two commands").expect("there is the section");
        let rows = section.lines().take_while(|line| !line.starts_with("## "));
        let commands: Vec<&str> = rows.filter_map(|row| row.strip_prefix("| `")?.split('`').next()).collect();
        assert_eq!(commands, ["cargo xtask serve", "cargo xtask test"]);
        let workflow = read(".github/workflows/test.yml");
        let is_run = |line: &str, command: &str| {
            let line = line.trim_start().trim_start_matches("- run: ");
            line == command
                || [" --", " ${{ matrix.stages }}"]
                    .iter()
                    .any(|more| line.starts_with(&format!("{command}{more}")))
        };
        for command in commands {
            assert!(workflow.lines().any(|line| is_run(line, command)), "{command}");
        }
        // The jobs side by side run each stage once.
        let (_, jobs) = workflow.split_once("        stages:\n").expect("there is a matrix");
        let jobs = jobs
            .lines()
            .map_while(|line| line.trim_start().strip_prefix("- "))
            .flat_map(str::split_whitespace);
        let (mut run, mut stages): (Vec<&str>, Vec<&str>) = (jobs.collect(), test::every_stage().collect());
        run.sort_unstable();
        stages.sort_unstable();
        assert_eq!(run, stages);
    }

    #[test]
    fn what_no_chore_knows_is_refused() {
        assert_eq!(parsed("tset rust"), "got `tset rust`, want one of these:");
        assert_eq!(parsed("dist now"), "got `dist now`, want one of these:");
        assert_eq!(parsed("test --open"), "invalid option '--open'; `cargo xtask help` lists the chores");
        assert!(parsed("serve --port 70000").ends_with("want a number from 1 to 65535"));
    }
}
