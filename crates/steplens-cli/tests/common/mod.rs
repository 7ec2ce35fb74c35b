//! What the tests of the program share: running it, the fixtures, and a RunMetadata with any names.
#![allow(clippy::unwrap_used, reason = "only tests use this")]

pub(crate) mod shared_page;

use crate::places;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The output of the program.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The program, in the fixtures folder and without the variables that change its output.
pub(crate) fn steplens(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(places::program("steplens"));
    command.args(arguments).current_dir(fixtures());
    for variable in ["COLUMNS", "NO_COLOR", "TERM", "STEPLENS_PAGE"] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null());
    command
}

/// Runs the command to its end.
pub(crate) fn run(command: &mut Command) -> Said {
    said(command.output().unwrap())
}

/// Runs the command with `input` on its standard input.
pub(crate) fn run_with_input(command: &mut Command, input: &[u8]) -> Said {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    said(child.wait_with_output().unwrap())
}

fn said(output: Output) -> Said {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// What the program prints when it succeeds.
pub(crate) fn output(arguments: &[&str]) -> String {
    let said = run(&mut steplens(arguments));
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{arguments:?}");
    said.out
}

pub(crate) fn fixtures() -> PathBuf {
    places::root().join("tests/fixtures")
}

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    fs::read(fixtures().join(name)).unwrap()
}

/// An empty folder for the test called `name`.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = places::scratch().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A RunMetadata of one device, with consecutive ops of 1 ms: (name, label).
pub(crate) fn run_metadata(device: &str, ops: &[(&str, &str)]) -> Vec<u8> {
    let ops: Vec<(&str, &str, u64)> = ops.iter().map(|&(name, label)| (name, label, 1_000)).collect();
    timed_run_metadata(device, 1_700_000_000_000_000, &ops)
}

/// The same, from this µs on, with ops of these lengths in µs.
pub(crate) fn timed_run_metadata(device: &str, mut start_us: u64, ops: &[(&str, &str, u64)]) -> Vec<u8> {
    let mut dev_stats = field(1, device.as_bytes());
    for (name, label, length_us) in ops {
        // NodeExecStats: node_name 1, all_start_micros 2, all_end_rel_micros 5, timeline_label 8.
        let mut op = field(1, name.as_bytes());
        op.extend([number(2, start_us), number(5, *length_us), field(8, label.as_bytes())].concat());
        dev_stats.extend(field(2, &op));
        start_us += length_us;
    }
    field(1, &field(1, &dev_stats))
}

fn field(number: u32, bytes: &[u8]) -> Vec<u8> {
    let mut field = Vec::new();
    prost::encoding::bytes::encode(number, &bytes.to_vec(), &mut field);
    field
}

fn number(field: u32, value: u64) -> Vec<u8> {
    let mut number = Vec::new();
    prost::encoding::uint64::encode(field, &value, &mut number);
    number
}

/// Parses RFC 4180 as a spreadsheet does. Every line must have an end.
pub(crate) fn parse_csv(text: &str) -> Vec<Vec<String>> {
    assert!(text.ends_with('\n'), "the last line has no end");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let row = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}
