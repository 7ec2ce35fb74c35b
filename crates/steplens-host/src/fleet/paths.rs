//! What the path of a file says: its run, its task, its step.
//!
//! The user may write down how paths are to be read, as in `{run}/{task}/step-{step}.pb`. Without that, the run is the folder that the
//! file lies in, without folders that name a task or a step; and a word such as `worker-3` or `step-120` names a task or a step, where
//! the trace itself does not.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use regex::Regex;
use std::fmt::Write;
use std::sync::LazyLock;
use steplens_report::fleet::PathSays;

/// What is left of a file when nothing says its run: the name of the folder that was indexed is used.
const NO_RUN: &str = "";

/// A word of a path that names a task, with its number. What stands before it is no letter.
static TASK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:^|[^a-z])((?:worker|rank|task|host|node|process|trainer|pserver|ps|chief|gpu|replica)s?[-_.=]?\d+)").ok()
});
/// A word of a path that names a step, with its number.
static STEP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:^|[^a-z])(?:global_?)?(?:step|iteration|iter|run)s?[-_.=]?(\d{1,18})").ok()
});

/// What the path of a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathFacts {
    /// Its run.
    pub run: String,
    /// Its task and its step.
    pub says: PathSays,
}

/// How paths are read, as the user wrote it.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

impl Pattern {
    /// The pattern that `text` writes: `{run}`, `{task}` and `{step}` stand for what they name, `*` for anything within a folder's or
    /// file's name, `**` for anything. `None` if it names nothing, or one of them twice.
    pub fn of(text: &str) -> Option<Self> {
        let mut pattern = String::from("^");
        let mut rest = text;
        let mut named = Vec::new();
        while let Some(first) = rest.chars().next() {
            let known =
                [("{run}", r"(?<run>.+?)"), ("{task}", r"(?<task>[^/]+?)"), ("{step}", r"(?<step>\d{1,18})")];
            if let Some((name, means)) = known.into_iter().find(|(name, _)| rest.starts_with(name)) {
                if named.contains(&name) {
                    return None;
                }
                named.push(name);
                pattern += means;
                rest = &rest[name.len()..];
            } else if let Some(after) = rest.strip_prefix("**") {
                pattern += ".*";
                rest = after;
            } else if let Some(after) = rest.strip_prefix('*') {
                pattern += "[^/]*";
                rest = after;
            } else {
                pattern += &regex::escape(&first.to_string());
                rest = &rest[first.len_utf8()..];
            }
        }
        if named.is_empty() {
            return None;
        }
        Regex::new(&(pattern + "$")).ok().map(Self)
    }

    /// What `path` says by this pattern; `None` if it is not of its form.
    fn read(&self, path: &str) -> Option<PathFacts> {
        let found = self.0.captures(path)?;
        let text = |name: &str| found.name(name).map(|found| found.as_str().to_owned());
        let step = text("step").and_then(|step| step.parse().ok());
        let says = PathSays { task: text("task"), step, decides: true };
        Some(PathFacts { run: text("run").unwrap_or_else(|| run_of(path)), says })
    }
}

/// What `path`, which is below the folder that is indexed and has `/` between its names, says. A path that is not of the form of
/// `pattern` is read as without one.
pub fn facts(path: &str, pattern: Option<&Pattern>) -> PathFacts {
    pattern.and_then(|pattern| pattern.read(path)).unwrap_or_else(|| {
        let last = |regex: &LazyLock<Option<Regex>>| {
            // A number that letters follow is a part of a word: ps4w is no task.
            let ends = |end: usize| !path[end..].starts_with(char::is_alphabetic);
            let found = regex
                .as_ref()?
                .captures_iter(path)
                .filter(|found| found.get(0).is_some_and(|all| ends(all.end())));
            Some(found.last()?.get(1)?.as_str().to_owned())
        };
        let step = last(&STEP).and_then(|step| step.parse().ok());
        PathFacts { run: run_of(path), says: PathSays { task: last(&TASK), step, decides: false } }
    })
}

/// The folders above the file, without those that name a task, a step or nothing but that there are traces.
fn run_of(path: &str) -> String {
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    let names = |regex: &LazyLock<Option<Regex>>, folder: &str| {
        let found = regex.as_ref().and_then(|regex| regex.find(folder));
        found.is_some_and(|found| found.start() == 0 && found.end() == folder.len())
    };
    folders.retain(|folder| {
        let is_place = matches!(*folder, "traces" | "plugins" | "profile" | "." | "");
        // A folder called run-5 is a run, whatever else it numbers.
        let is_step = names(&STEP, folder) && !folder.to_ascii_lowercase().starts_with("run");
        !(is_place || is_step || names(&TASK, folder))
    });
    if folders.is_empty() { NO_RUN.to_owned() } else { folders.join("/") }
}

/// What stays as it is in a folder's name.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// The run as it stands in the dataset: DuckDB and Spark take what looks like a number, a date or nothing for that, so that such a
/// run has `run-` before it.
pub fn run_id(run: &str) -> String {
    let lower = run.to_ascii_lowercase();
    let is_word = matches!(lower.as_str(), "null" | "nan" | "inf" | "infinity" | "true" | "false");
    let is_name = run.starts_with(|c: char| c.is_alphabetic()) && !is_word;
    if is_name { run.to_owned() } else { format!("run-{run}") }
}

/// The folder of a run in a table's folder.
pub fn run_folder(run: &str) -> String {
    let mut folder = String::from("run=");
    // Writing to a String cannot fail.
    let _ = write!(folder, "{}", utf8_percent_encode(run, KEPT));
    folder
}

/// The run whose folder is called `name`.
pub fn run_of_folder(name: &str) -> Option<String> {
    let run = percent_decode_str(name.strip_prefix("run=")?);
    run.decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, pattern: Option<&str>) -> (String, Option<String>, Option<i64>) {
        let pattern = pattern.map(|pattern| Pattern::of(pattern).expect(pattern));
        let PathFacts { run, says } = facts(path, pattern.as_ref());
        (run, says.task, says.step)
    }

    #[test]
    fn words_of_a_path_name_the_run_the_task_and_the_step() {
        let all = |run: &str, task: Option<&str>, step: Option<i64>| {
            (run.to_owned(), task.map(str::to_owned), step)
        };
        assert_eq!(said("night/worker-3/step-120.pb", None), all("night", Some("worker-3"), Some(120)));
        assert_eq!(said("a/b/rank_07_step12.json.gz", None), all("a/b", Some("rank_07"), Some(12)));
        assert_eq!(said("ps4w.pb", None), all("", None, None));
        assert_eq!(said("plugins/profile/2026_11_26/host.xplane.pb", None), all("2026_11_26", None, None));
        assert_eq!(said("steps7/x.pb", None), all("", None, Some(7)));
        assert_eq!(said("footstep3/x.pb", None), all("footstep3", None, None));
        assert_eq!(said("run-5/x.pb", None), all("run-5", None, Some(5)));
    }

    #[test]
    fn a_pattern_decides() {
        let all = |run: &str, task: &str, step| (run.to_owned(), Some(task.to_owned()), Some(step));
        let pattern = Some("{run}/{task}/{step}*.pb");
        assert_eq!(said("a/b/c/17-x.pb", pattern), all("a/b", "c", 17));
        let pattern = Pattern::of("{run}/{task}/{step}*.pb").expect("it names three things");
        assert!(facts("a/b/17.pb", Some(&pattern)).says.decides);
        assert!(!facts("17.pb", Some(&pattern)).says.decides);
        for bad in ["", "*.pb", "{run}/{run}", "{name}"] {
            assert!(Pattern::of(bad).is_none(), "{bad}");
        }
        // What has a meaning in regular expressions has none here.
        assert_eq!(said("a.b/(x)1.pb", Some("{run}/(x){step}.pb")), ("a.b".to_owned(), None, Some(1)));
    }

    #[test]
    fn runs_are_never_taken_for_numbers_and_come_back_from_their_folders() {
        for (run, id) in
            [("night", "night"), ("2026-11-26", "run-2026-11-26"), ("", "run-"), ("NaN", "run-NaN")]
        {
            assert_eq!(run_id(run), id);
        }
        for run in ["night", "a/b", "ü %=:\\", "..", "run=x"] {
            let folder = run_folder(run);
            assert!(
                folder.bytes().skip(4).all(|b| b.is_ascii_alphanumeric() || b"-_.%".contains(&b)),
                "{folder}"
            );
            assert_eq!(run_of_folder(&folder).as_deref(), Some(run));
        }
    }
}
