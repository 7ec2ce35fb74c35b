//! The commands, one file each, and what they share: reading the files and writing the output.

mod check;
mod clocks;
mod clocks_first;
mod completions;
mod critical_path;
mod doctor;
mod export;
mod findings;
mod headline;
mod licences;
mod man;
mod memory;
mod network;
mod op;
mod op_types;
mod ops;
mod path_over_steps;
mod picture;
mod report;
mod request;
mod scheduling;
mod serve;
mod steps;
mod summary;
mod transfers;
mod watch;
mod what_if;

use crate::args::{Args, Command, Files, Form};
use crate::failure::Failure;
use crate::input::{self, Input, inputs};
use crate::kept::Kept;
use crate::opening;
use crate::render::{Harmless, units, visible};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;
use steplens_core::clocks::{ClockChoice, ClockSetting};
use steplens_core::model::file::FileReport;
use steplens_core::{Study, Trace, View};
use steplens_formats::Opener;
use steplens_messages::{message, say};

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::Summary(args) => summary::run(args),
        Command::Ops(args) => ops::run(args),
        Command::Op(args) => op::run(args),
        Command::Transfers(args) => transfers::run(args),
        Command::Memory(args) => memory::run(args),
        Command::Steps(args) => steps::run(args),
        Command::Network(args) => network::run(args),
        Command::CriticalPath(args) => critical_path::run(args),
        Command::Scheduling(args) => scheduling::run(args),
        Command::WhatIf(args) => what_if::run(args),
        Command::Clocks(args) => clocks::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Findings(args) => findings::run(args),
        Command::Check(args) => check::run(args),
        Command::Report(args) => report::run(args),
        Command::Export(args) => export::run(args),
        Command::Picture(args) => picture::run(args),
        Command::Watch(args) => watch::run(args),
        Command::Request(args) => request::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
        Command::Licences => licences::run(),
    }
}

/// Standard output, buffered.
type Out = BufWriter<Box<dyn Write>>;

/// Whether the user named `file` on the command line, rather than a folder that contains it. Files are compared by name, not by
/// position: one input may report several files.
fn is_named(inputs: &[Input], file: &FileReport) -> bool {
    inputs.iter().any(|input| input.folder.is_none() && input.name == file.name)
}

/// How many unreadable files of a folder are listed one by one.
const MAX_REPORTED: usize = 5;

/// A trace with its analyses, and the files that it was read from.
struct Loaded {
    /// Everything that was opened, without the patterns that a session kept.
    opened: Arc<Trace>,
    /// How a session kept the trace to be shown.
    kept: Kept,
    /// Everything that was opened, with the patterns.
    whole: Arc<Trace>,
    /// The part that is shown.
    study: Study,
    files: Vec<FileReport>,
    /// By file: whether it was named on the command line and nothing in it was usable.
    is_unusable: Vec<bool>,
}

impl Loaded {
    /// Reads all files as one trace, slice by slice.
    fn read(files: &Files) -> Result<Self, Failure> {
        Self::read_with(files, |opener| opener)
    }

    /// Like [`read`](Self::read), with an opener that `set_up` prepares further.
    fn read_with(files: &Files, set_up: impl FnOnce(Opener) -> Opener) -> Result<Self, Failure> {
        let inputs = inputs(&files.files)?;
        let mut opener =
            set_up(opening::opener(files, opening::window(files, &inputs)?, opening::rules(files)?)?);
        let progress = input::open_all(&inputs, &mut opener)?;
        let opened = opening::finish(opener, &inputs)?;
        drop(progress);
        let is_unusable = |file: &FileReport| file.is_unreadable() && is_named(&inputs, file);
        let kept = opening::kept(files, &opened);
        let is_unusable = opened.files.iter().map(is_unusable).collect();
        let trace = Arc::new(opened.trace);
        let whole = opening::patterned(files, &kept, &trace);
        Ok(Self {
            is_unusable,
            study: Study::of_view(&whole, opening::view(files, &kept, &whole)?),
            opened: trace,
            kept,
            whole,
            files: opened.files,
        })
    }

    /// Aligns the clocks by the estimate, unless the session kept a choice for them.
    fn align(&mut self) {
        let view = self.study.view().clone();
        if view.clocks.is_none() {
            let clocks = Arc::new(view.clocks_of(&self.whole));
            let clocks = Some(ClockSetting { choice: ClockChoice::estimated(), clocks });
            self.study = Study::of_view(&self.whole, View { clocks, ..view });
        }
    }

    /// Prints with `write`, and then reports on standard error what was wrong with the files.
    fn print(&self, form: &Form, write: impl FnOnce(&mut Out) -> io::Result<()>) -> Result<(), Failure> {
        let for_machines = form.json || form.csv;
        // Programs that read the output need every byte unchanged. A terminal must not be controlled by the names in a file.
        let stdout = io::stdout();
        let sink: Box<dyn Write> = match for_machines && stdout.is_terminal() {
            true => Box::new(Harmless::new(stdout)),
            false => Box::new(stdout),
        };
        let mut out = BufWriter::with_capacity(1 << 16, sink);
        write(&mut out)?;
        out.flush()?;
        // JSON contains the problems itself.
        self.report_problems(form.json)
    }

    /// Lists the problems of the files. With `only_unusable`, only those that make the command fail.
    fn report_problems(&self, only_unusable: bool) -> Result<(), Failure> {
        let mut text = String::new();
        let (mut no_traces, mut more) = (0, 0);
        for (file, is_unusable) in self.files.iter().zip(&self.is_unusable) {
            let name = visible(&file.name);
            let (notes, problems): (Vec<_>, Vec<_>) =
                file.problems.iter().partition(|problem| problem.is_note());
            for note in notes.iter().filter(|_| !only_unusable) {
                text += &format!("steplens: {name}: {}\n", visible(&note.detail));
            }
            match problems.as_slice() {
                [.., why] if *is_unusable => {
                    text += &format!("steplens: {} [{}]\n", visible(&why.detail), why.code);
                }
                [] => {}
                _ if only_unusable => {}
                _ if file.is_unreadable() && no_traces == MAX_REPORTED => more += 1,
                problems => {
                    no_traces += usize::from(file.is_unreadable());
                    text += &format!(
                        "steplens: {name}: {}\n",
                        units::plural(
                            problems.iter().map(|problem| problem.count).sum::<u64>(),
                            message!("program-problems", count)
                        )
                    );
                    for problem in problems {
                        let times = units::count(problem.count);
                        text += &format!("  {times} × {}: {}\n", problem.code, visible(&problem.detail));
                        if problem.code == "memory-limit" {
                            text += &format!("    {}\n", say!("opening-less"));
                        }
                    }
                }
            }
        }
        if more > 0 {
            let files = units::plural(more, message!("program-more-files", count));
            text += &format!("steplens: {}\n", say!("files-without-traces", files));
        }
        // If standard error cannot be written either, there is nothing left to do.
        let _ = io::stderr().write_all(text.as_bytes());
        if self.is_unusable.contains(&true) { Err(Failure::Reported) } else { Ok(()) }
    }
}
