//! Where the time of a run of tests goes: a table at its end, and `target/test-times.json`, which the next run is compared with.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};

use crate::run::{Result, label, say, target_dir};

/// Rows of files, and of tests, that the table has for each stage.
const SLOWEST: usize = 20;
/// Tests that changed most which a comparison names.
const MOST_CHANGED: usize = 20;
/// Two runs of the same code differ by less than this: not worth a row.
const LEAST_CHANGE_S: f64 = 0.5;
const SCHEMA: &str = "steplens.test-times/1";

/// What took time: a stage, a file or step of it, or a test in that file.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    stage: String,
    /// Empty for the stage itself.
    file: String,
    /// Empty for the file itself.
    test: String,
    seconds: f64,
}

static ROWS: Mutex<Vec<Row>> = Mutex::new(Vec::new());

fn add(row: Row) {
    ROWS.lock().unwrap_or_else(PoisonError::into_inner).push(row);
}

/// Notes the time of a whole stage.
pub(crate) fn stage(name: &str, seconds: f64) {
    add(Row { stage: name.to_owned(), file: String::new(), test: String::new(), seconds });
}

/// Notes the time of one test, or of all of `file` where `test` is empty, in the stage that this thread runs.
pub(crate) fn test(file: &str, test: &str, seconds: f64) {
    add(Row { stage: label().to_owned(), file: file.to_owned(), test: test.to_owned(), seconds });
}

/// Runs one step of a stage, such as a compilation, and notes how long it took.
pub(crate) fn timed<T>(step: &str, run: impl FnOnce() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let done = run();
    test(step, "", started.elapsed().as_secs_f64());
    done
}

/// A fresh file for the times that a script writes: one JSON object a line, with `file`, `test` and `seconds`.
pub(crate) fn file_for_script() -> Result<PathBuf> {
    let folder = target_dir().join("tools/times");
    let path = folder.join(format!("{}.jsonl", label()));
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, ""))
        .map_err(|e| format!("could not write {}: {e}", path.display()))?;
    Ok(path)
}

/// Reads what a script wrote there.
pub(crate) fn read_from_script(path: &Path) -> Result {
    let text = fs::read_to_string(path).map_err(|e| format!("could not read {}: {e}", path.display()))?;
    for line in text.lines() {
        let row: Value =
            serde_json::from_str(line).map_err(|e| format!("{}: {e} in `{line}`", path.display()))?;
        let word = |name: &str| row[name].as_str().unwrap_or_default();
        test(word("file"), word("test"), row["seconds"].as_f64().unwrap_or_default());
    }
    Ok(())
}

fn path() -> PathBuf {
    target_dir().join("test-times.json")
}

/// Prints the table and keeps the times; `compares` prints the changes since the last run, too.
pub(crate) fn finish(seconds: f64, compares: bool) -> Result {
    let rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let path = path();
    let before = fs::read_to_string(&path).ok().and_then(|text| read(&text));
    table(&rows).iter().for_each(|line| say(line));
    match (compares, &before) {
        (true, Some(before)) => changes(before, &rows).iter().for_each(|line| say(line)),
        (true, None) => say("times: there is no last run to compare with"),
        (false, _) => {}
    }
    let text = serde_json::to_string_pretty(&written(&kept(before.unwrap_or_default(), rows), seconds));
    let text = text.unwrap_or_default();
    fs::write(&path, text + "\n").map_err(|e| format!("could not write {}: {e}", path.display()))
}

/// The rows of this run, and of the last one those of stages that did not run.
fn kept(mut before: Vec<Row>, now: Vec<Row>) -> Vec<Row> {
    before.retain(|old| now.iter().all(|row| row.stage != old.stage));
    before.extend(now);
    before
}

fn written(rows: &[Row], seconds: f64) -> Value {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| json!({"stage": row.stage, "file": row.file, "test": row.test, "seconds": row.seconds}))
        .collect();
    json!({"schema": SCHEMA, "seconds": seconds, "rows": rows})
}

/// `None` if it is not what `written` makes.
fn read(text: &str) -> Option<Vec<Row>> {
    let whole: Value = serde_json::from_str(text).ok()?;
    if whole["schema"] != SCHEMA {
        return None;
    }
    let word = |row: &Value, name: &str| row[name].as_str().map(str::to_owned);
    whole["rows"]
        .as_array()?
        .iter()
        .map(|row| {
            Some(Row {
                stage: word(row, "stage")?,
                file: word(row, "file")?,
                test: word(row, "test")?,
                seconds: row["seconds"].as_f64()?,
            })
        })
        .collect()
}

/// How long each file took in the last run, to begin with the longest.
pub(crate) fn last_by_file(stage: &str) -> BTreeMap<String, f64> {
    let rows = fs::read_to_string(path()).ok().and_then(|text| read(&text)).unwrap_or_default();
    let of_stage = rows.into_iter().filter(|row| row.stage == stage && row.test.is_empty());
    of_stage.map(|row| (row.file, row.seconds)).collect()
}

fn table(rows: &[Row]) -> Vec<String> {
    let mut lines = vec!["times, in seconds (target/test-times.json has all of them)".to_owned()];
    for whole in rows.iter().filter(|row| row.file.is_empty()) {
        lines.push(format!("{:>8.1}  {}", whole.seconds, whole.stage));
        let of_stage = |is_test: bool| {
            let is_wanted = |row: &&Row| {
                row.stage == whole.stage && !row.file.is_empty() && is_test != row.test.is_empty()
            };
            let mut wanted: Vec<&Row> = rows.iter().filter(is_wanted).collect();
            wanted.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
            wanted.truncate(SLOWEST);
            wanted
        };
        lines.extend(of_stage(false).iter().map(|row| format!("{:>14.1}  {}", row.seconds, row.file)));
        let tests = of_stage(true);
        lines.extend(tests.iter().map(|row| format!("{:>18.2}  {}: {}", row.seconds, row.file, row.test)));
    }
    lines
}

/// What took longer or shorter than before: stages, then tests and files by how much they changed.
fn changes(before: &[Row], now: &[Row]) -> Vec<String> {
    let key = |row: &Row| (row.stage.clone(), row.file.clone(), row.test.clone());
    let sums = |rows: &[Row]| {
        let mut sums = BTreeMap::new();
        for row in rows {
            *sums.entry(key(row)).or_insert(0.0) += row.seconds;
        }
        sums
    };
    let (before, now) = (sums(before), sums(now));
    let ran = |stage: &str| now.keys().any(|(other, ..)| other == stage);
    let mut changed: Vec<_> = before
        .keys()
        .chain(now.keys().filter(|key| !before.contains_key(*key)))
        .filter(|(stage, ..)| ran(stage))
        .map(|key| (key, before.get(key).copied(), now.get(key).copied()))
        .filter(|(_, old, new)| (new.unwrap_or(0.0) - old.unwrap_or(0.0)).abs() >= LEAST_CHANGE_S)
        .collect();
    let size = |old: Option<f64>, new: Option<f64>| (new.unwrap_or(0.0) - old.unwrap_or(0.0)).abs();
    changed.sort_by(|a, b| {
        let is_stage = |key: &(String, String, String)| key.1.is_empty();
        is_stage(b.0).cmp(&is_stage(a.0)).then(size(b.1, b.2).total_cmp(&size(a.1, a.2)))
    });
    let stages = changed.iter().filter(|(key, ..)| key.1.is_empty()).count();
    changed.truncate(stages + MOST_CHANGED);
    let mut lines = vec!["times, compared with the last run".to_owned()];
    for ((stage, file, test), old, new) in changed {
        let figure = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
        let name = [stage, file, test]
            .map(String::as_str)
            .iter()
            .filter(|part| !part.is_empty())
            .copied()
            .collect::<Vec<_>>();
        lines.push(format!("{:>8} -> {:>8}  {}", figure(old), figure(new), name.join(": ")));
    }
    if lines.len() == 1 {
        lines.push(format!("no stage and no test differs by {LEAST_CHANGE_S} s"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(stage: &str, file: &str, test: &str, seconds: f64) -> Row {
        Row { stage: stage.to_owned(), file: file.to_owned(), test: test.to_owned(), seconds }
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let rows =
            [row("rust", "", "", 3.5), row("rust", "all", "", 2.0), row("rust", "all", "golden::one", 0.25)];
        assert_eq!(read(&written(&rows, 4.0).to_string()).as_deref(), Some(&rows[..]));
        assert_eq!(read("{\"schema\":\"another\"}"), None);
        assert_eq!(read("no JSON"), None);
    }

    #[test]
    fn the_table_has_the_slowest_files_and_tests_of_each_stage() {
        let mut rows =
            vec![row("rust", "", "", 30.0), row("wasm", "", "", 2.0), row("wasm", "one", "quick", 1.0)];
        rows.extend((0..30).map(|at| row("rust", &format!("file{at}"), "", f64::from(at))));
        let lines = table(&rows);
        assert_eq!(lines[1].trim(), "30.0  rust");
        assert_eq!(lines[2].trim(), "29.0  file29");
        assert_eq!(lines[21].trim(), "10.0  file10");
        assert_eq!(lines[22].trim(), "2.0  wasm");
        assert_eq!(lines[23].trim(), "1.00  one: quick");
        assert_eq!(lines.len(), 24);
    }

    #[test]
    fn a_comparison_names_what_changed_and_leaves_out_stages_that_did_not_run() {
        let before = [
            row("rust", "", "", 30.0),
            row("rust", "all", "", 9.0),
            row("rust", "all", "same", 1.0),
            row("page", "", "", 60.0),
        ];
        let now = [row("rust", "", "", 40.0), row("rust", "all", "same", 1.1), row("rust", "new", "", 12.0)];
        let lines: Vec<String> = changes(&before, &now)
            .iter()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(lines[1..], ["30.0 -> 40.0 rust", "- -> 12.0 rust: new", "9.0 -> - rust: all"]);
        assert_eq!(changes(&now, &now).len(), 2);
    }
}
