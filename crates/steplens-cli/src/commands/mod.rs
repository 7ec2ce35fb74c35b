//! The commands, one file each, and what they share: the command line, and writing the output.

mod baseline;
mod check;
mod clocks;
mod clocks_first;
mod compare;
mod completions;
mod counters;
mod critical_path;
mod doctor;
pub(crate) mod export;
pub(crate) mod findings;
mod flame;
mod fleet;
mod headline;
pub(crate) mod index;
mod kernels;
mod licences;
mod man;
mod memory;
mod network;
mod op;
mod op_types;
mod ops;
mod path_over_steps;
pub(crate) mod picture;
pub(crate) mod report;
mod request;
mod scheduling;
mod serve;
mod steps;
mod stopped;
mod summary;
mod transfers;
mod watch;
mod what_if;

use crate::args::{self, Form};
use crate::render::{Harmless, Screen, units, visible};
use clap::{Parser, Subcommand};
use std::io::{self, BufWriter, IsTerminal, Write};
use steplens_host::failure::Failure;
use steplens_host::reading::loaded::Loaded;
use steplens_messages::{message, say};
use steplens_report::question::Question;

#[derive(Debug, Parser)]
#[command(name = "steplens", version, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

/// The commands; what each takes, if not here, is `Args` of its file.
#[derive(Debug, Subcommand)]
enum Command {
    Summary(summary::Args),
    Ops(args::Ops),
    Op(args::Op),
    Transfers(args::Transfers),
    Network(network::Args),
    Memory(memory::Args),
    Kernels(kernels::Args),
    Counters(counters::Args),
    Flame(flame::Args),
    CriticalPath(args::CriticalPath),
    Scheduling(args::Scheduling),
    WhatIf(args::WhatIf),
    Steps(steps::Args),
    Clocks(clocks::Args),
    Doctor(doctor::Args),
    Findings(findings::Args),
    Compare(args::Compare),
    Check(args::Check),
    Baseline(args::Baseline),
    Report(args::Report),
    Export(args::Export),
    Picture(args::Picture),
    Index(args::Index),
    Fleet(args::Fleet),
    Watch(args::Watch),
    Request(args::Request),
    Serve(args::Serve),
    Completions(args::Completions),
    Man(args::Man),
    Licences,
}

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
        Command::Kernels(args) => kernels::run(args),
        Command::Counters(args) => counters::run(args),
        Command::Flame(args) => flame::run(args),
        Command::CriticalPath(args) => critical_path::run(args),
        Command::Scheduling(args) => scheduling::run(args),
        Command::WhatIf(args) => what_if::run(args),
        Command::Clocks(args) => clocks::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Findings(args) => findings::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Check(args) => check::run(args),
        Command::Baseline(args) => baseline::run(args),
        Command::Report(args) => report::run(args),
        Command::Export(args) => export::run(args),
        Command::Picture(args) => picture::run(args),
        Command::Index(args) => index::run(args),
        Command::Fleet(args) => fleet::run(args),
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

/// Standard output for this form.
fn sink(form: &Form) -> Out {
    let for_machines = form.json || form.csv;
    // Programs that read the output need every byte unchanged. A terminal must not be controlled by the names in a file.
    let stdout = io::stdout();
    let sink: Box<dyn Write> = match for_machines && stdout.is_terminal() {
        true => Box::new(Harmless::new(stdout)),
        false => Box::new(stdout),
    };
    BufWriter::with_capacity(1 << 16, sink)
}

/// How many unreadable files of a folder are listed one by one.
const MAX_REPORTED: usize = 5;

/// Prints of what a command works on.
trait Print {
    /// Prints what `question` asks, and then reports on standard error what was wrong with the files. `text` writes it for people.
    fn answer<Q: Question>(
        &self,
        question: &Q,
        form: &Form,
        text: impl FnOnce(&mut Out, Screen) -> Result<(), Failure>,
    ) -> Result<(), Failure>;

    /// Prints with `write`, and then reports on standard error what was wrong with the files.
    fn print<E: Into<Failure>>(
        &self,
        form: &Form,
        write: impl FnOnce(&mut Out) -> Result<(), E>,
    ) -> Result<(), Failure>;

    /// Lists the problems of the files. With `only_unusable`, only those that make the command fail.
    fn report_problems(&self, only_unusable: bool) -> Result<(), Failure>;
}

impl Print for Loaded {
    fn answer<Q: Question>(
        &self,
        question: &Q,
        form: &Form,
        text: impl FnOnce(&mut Out, Screen) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.print(form, |out| {
            if form.json {
                serde_json::to_writer(&mut *out, &question.answer(&self.shown())?)
                    .map_err(io::Error::from)?;
                return Ok(writeln!(out)?);
            }
            if form.csv {
                return Ok(question.write_csv(&self.shown(), out)?);
            }
            text(out, Screen::new(form.color))
        })
    }

    fn print<E: Into<Failure>>(
        &self,
        form: &Form,
        write: impl FnOnce(&mut Out) -> Result<(), E>,
    ) -> Result<(), Failure> {
        let mut out = sink(form);
        write(&mut out).map_err(Into::into)?;
        out.flush()?;
        // JSON contains the problems itself.
        self.report_problems(form.json)
    }

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
