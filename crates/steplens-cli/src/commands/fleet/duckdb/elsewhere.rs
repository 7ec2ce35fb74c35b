//! A DuckDB elsewhere on this machine: the program `duckdb`, or else the package of that name of a Python.
//!
//! Both write a line of JSON with the names of the columns, and then one for each row.

use super::{ALONE, Row, Script, failed};
use crate::render::visible;
use serde::Deserialize;
use serde_json::Value;
use std::env;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};
use steplens_host::failure::Failure;
use steplens_messages::say;

/// The exit code of [`DRIVER`] where Python has no package `duckdb`.
const NO_PACKAGE: i32 = 77;
/// Reads the statements from standard input, as a JSON array of texts. Numbers that JSON has not become texts.
const DRIVER: &str = include_str!("driver.py");
/// A file of settings that is not there.
const NOTHING: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };
/// How much of what it complains about is read.
const MOST_COMPLAINT: u64 = 1 << 16;

/// An answer that is being read.
pub(in super::super) struct Answer {
    columns: Vec<String>,
    running: Running,
}

/// DuckDB at work. It ends with this.
struct Running {
    child: Child,
    lines: BufReader<ChildStdout>,
    complaint: Option<JoinHandle<Vec<u8>>>,
}

/// Asks whichever DuckDB is there.
pub(in super::super) fn ask(script: &Script) -> Result<Answer, Failure> {
    if let Some(answer) = by_program(script)? {
        return Ok(answer);
    }
    let own = env::var_os("STEPLENS_PYTHON").map(|python| vec![python]);
    let pythons = own.unwrap_or_else(|| ["python3", "python"].map(OsString::from).to_vec());
    for python in pythons {
        if let Some(answer) = by_python(&python, script)? {
            return Ok(answer);
        }
    }
    Err(Failure::Unusable("no-duckdb", say!("ask-no-duckdb").to_owned()))
}

/// `None` if there is no program.
fn by_program(script: &Script) -> Result<Option<Answer>, Failure> {
    let mut command = Command::new("duckdb");
    command.args(["-init", NOTHING, "-bail", "-batch", "-jsonlines", ":memory:"]);
    let names = format!("SELECT to_json(list(column_name)) AS columns FROM (DESCRIBE\n{}\n)", script.query);
    let mut text = String::new();
    for statement in ALONE.into_iter().chain(script.set_up.iter().map(String::as_str)) {
        text += &format!("{statement};\n");
    }
    text += &format!("{names};\n{};\n", script.query);
    let Some(running) = Running::start(command, text.as_bytes())? else { return Ok(None) };
    running.answer().map(Some)
}

/// `None` if there is no such Python, or it has no DuckDB.
fn by_python(python: &OsString, script: &Script) -> Result<Option<Answer>, Failure> {
    let mut command = Command::new(python);
    command.args(["-c", DRIVER]);
    let own = script.set_up.iter().map(String::as_str).chain([script.query.as_str()]);
    let statements: Vec<&str> = ALONE.into_iter().chain(own).collect();
    let text = serde_json::to_vec(&statements).map_err(io::Error::other).map_err(failed)?;
    let Some(mut running) = Running::start(command, &text)? else { return Ok(None) };
    let is_silent = running.lines.fill_buf().map_err(failed)?.is_empty();
    if is_silent && running.child.wait().map_err(failed)?.code() == Some(NO_PACKAGE) {
        return Ok(None);
    }
    running.answer().map(Some)
}

impl Running {
    /// `None` if there is no such program.
    fn start(mut command: Command, text: &[u8]) -> Result<Option<Self>, Failure> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            child => child.map_err(failed)?,
        };
        let complaint = child.stderr.take().map(|mut from| {
            thread::spawn(move || {
                let mut text = Vec::new();
                // What cannot be read is not said; the exit code tells that something failed.
                let _ = from.by_ref().take(MOST_COMPLAINT).read_to_end(&mut text);
                let _ = io::copy(&mut from, &mut io::sink());
                text
            })
        });
        let stdin = child.stdin.take();
        let Some(stdout) = child.stdout.take() else {
            return Err(failed(io::Error::from(io::ErrorKind::BrokenPipe)));
        };
        let running = Self { child, lines: BufReader::with_capacity(1 << 16, stdout), complaint };
        match stdin.map_or(Ok(()), |mut stdin| stdin.write_all(text)) {
            // It ended before it read everything: it will have said why.
            Err(why) if why.kind() == io::ErrorKind::BrokenPipe => {}
            written => written.map_err(failed)?,
        }
        Ok(Some(running))
    }

    fn answer(mut self) -> Result<Answer, Failure> {
        #[derive(Deserialize)]
        struct Names {
            columns: Vec<String>,
        }
        match self.line()? {
            Some(line) => {
                let Names { columns } = serde_json::from_str(&line).map_err(failed)?;
                Ok(Answer { columns, running: self })
            }
            None => {
                Err(self.end().err().unwrap_or_else(|| failed(io::Error::from(io::ErrorKind::UnexpectedEof))))
            }
        }
    }

    fn line(&mut self) -> Result<Option<String>, Failure> {
        let mut line = String::new();
        let read = self.lines.read_line(&mut line).map_err(failed)?;
        Ok((read > 0).then_some(line))
    }

    /// Waits for its end, and says what it complained about if it failed.
    fn end(&mut self) -> Result<(), Failure> {
        let status = self.child.wait().map_err(failed)?;
        let complaint = self.complaint.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        if status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&complaint);
        // A terminal gets no colours of another program.
        let lines = said.lines().map(str::trim_end).filter(|line| !line.is_empty());
        let why = lines.map(|line| visible(line).into_owned()).collect::<Vec<_>>().join("\n");
        let why = if why.is_empty() { status.to_string() } else { why };
        Err(failed(why))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself, and then nothing is left to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// The names of its columns.
    pub(in super::super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Gives each row to `take`, with a value for each column.
    pub(in super::super) fn each(
        mut self,
        mut take: impl FnMut(&[Value]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        while let Some(line) = self.running.line()? {
            let Row(row) = serde_json::from_str(&line).map_err(failed)?;
            take(&row)?;
        }
        self.running.end()
    }
}
