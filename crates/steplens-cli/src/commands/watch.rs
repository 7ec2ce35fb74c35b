//! `steplens watch`: what programs write into a watched folder, as they write it.

use super::Out;
use super::request::answer_line;
use super::serve::folder;
use super::stopped::{LOOK, Stopped};
use crate::args;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Harmless, Screen, units, visible};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use steplens_core::watched::asked::Answer;
use steplens_core::watched::names::{ProcessName, RequestId, TraceName};
use steplens_core::watched::{FaultKind, Watched};
use steplens_core::{CategoryRules, Study, View};
use steplens_formats::Opener;
use steplens_host::failure::{Failure, reason};
use steplens_host::live::Watch;
use steplens_host::reading::at_once;
use steplens_host::reading::input::Input;
use steplens_host::reading::memory_limit;
use steplens_host::reading::opening;
use steplens_messages::{clauses, listed, message, say};
use steplens_report::watched as report;
use steplens_report::watched::event::WatchEvent;

pub(super) fn run(args: &args::Watch) -> Result<(), Failure> {
    let mut watch = Watch::new(folder(&args.folder)?);
    let failed = |why: io::Error| {
        Failure::Sentence(say!("folder-not-read", folder = args.folder.to_string_lossy(), why = reason(&why)))
    };
    watch.look().map_err(failed)?;
    let mut shown = Shown::default();
    let mut out = Output::new(args);
    out.state(watch.watched())?;
    if args.once {
        return Ok(());
    }
    shown.know(watch.watched());
    let stopped = Stopped::on_ctrl_c();
    while !stopped.within(LOOK) {
        watch.look().map_err(failed)?;
        shown.print_new(watch.watched(), &args.folder, &mut out)?;
    }
    if args.json { Ok(()) } else { out.state(watch.watched()) }
}

/// What was printed of a folder.
#[derive(Default)]
struct Shown {
    /// By process, how many runs it had, those that are no longer listed among them.
    runs: BTreeMap<ProcessName, u64>,
    traces: BTreeSet<TraceName>,
    answers: BTreeMap<(RequestId, ProcessName), Answer>,
    faults: BTreeMap<FaultKind, u64>,
}

impl Shown {
    fn know(&mut self, watched: &Watched) {
        let count =
            |runs: &steplens_core::watched::runs::Runs| runs.dropped.saturating_add(runs.runs.len() as u64);
        self.runs = watched.processes.iter().map(|(name, runs)| (name.clone(), count(runs))).collect();
        self.traces = named_traces(watched);
        self.answers = watched.answers.clone();
        self.faults = watched.faults.iter().map(|(kind, fault)| (*kind, fault.count)).collect();
    }

    /// Prints what is new.
    fn print_new(&mut self, watched: &Watched, folder: &Path, out: &mut Output) -> Result<(), Failure> {
        for (process, runs) in &watched.processes {
            let before = self.runs.get(process).copied().unwrap_or(0);
            let now = runs.dropped.saturating_add(runs.runs.len() as u64);
            // Fewer than before: the process began a new file.
            let new = now.checked_sub(before).unwrap_or(now).min(runs.runs.len() as u64);
            if new > 0 {
                out.runs(watched, process, new as usize)?;
            }
        }
        for ((id, process), answer) in &watched.answers {
            if self.answers.get(&(id.clone(), process.clone())) != Some(answer) {
                out.answer(id, process, answer)?;
            }
        }
        for trace in named_traces(watched).difference(&self.traces) {
            out.trace(trace, folder)?;
        }
        for (kind, fault) in &watched.faults {
            if self.faults.get(kind) != Some(&fault.count) {
                out.problem(WatchEvent::problem(*kind, fault))?;
            }
        }
        self.know(watched);
        out.out.flush()?;
        Ok(())
    }
}

/// The traces that a run names and that are there.
fn named_traces(watched: &Watched) -> BTreeSet<TraceName> {
    let runs = watched.processes.values().flat_map(|runs| &runs.runs);
    let traces = runs.filter_map(|run| run.trace.as_ref());
    traces.filter(|trace| watched.bytes_of(trace).is_some()).cloned().collect()
}

/// Where it is printed, and how.
struct Output {
    out: Out,
    screen: Screen,
    is_json: bool,
}

impl Output {
    fn new(args: &args::Watch) -> Self {
        let stdout = io::stdout();
        let sink: Box<dyn Write> = match args.json && stdout.is_terminal() {
            true => Box::new(Harmless::new(stdout)),
            false => Box::new(stdout),
        };
        Self { out: BufWriter::new(sink), screen: Screen::new(args.color), is_json: args.json }
    }

    /// Everything that is known.
    fn state(&mut self, watched: &Watched) -> Result<(), Failure> {
        if self.is_json {
            writeln!(self.out, "{}", report::json(watched))?;
        } else {
            self.state_text(watched)?;
        }
        Ok(self.out.flush()?)
    }

    fn state_text(&mut self, watched: &Watched) -> Result<(), Failure> {
        let state = report::answer(watched);
        if state.processes.is_empty() {
            writeln!(self.out, "{}", self.screen.note(say!("watching-nothing")))?;
        }
        for process in &state.processes {
            let facts = [
                units::plural(process.runs, message!("watching-runs", count)),
                units::plural(process.traced, message!("watching-traced", count)),
            ];
            let mut facts: Vec<String> = facts.into();
            facts.extend(process.step.map(|step| say!("watching-step", step = step.to_string())));
            if process.dropped > 0 {
                facts.push(units::plural(process.dropped, message!("watching-dropped", count)));
            }
            writeln!(self.out, "{}", self.screen.title(process.name, &clauses(facts)))?;
            if process.calls.is_empty() {
                continue;
            }
            let mut table = Table::default()
                .column(say!("watching-title-fetches"), ColumnKind::Name(16), ALWAYS)
                .column(say!("watching-title-feeds"), ColumnKind::Name(8), 1)
                .column(say!("watching-title-runs"), ColumnKind::Figure, ALWAYS)
                .column(say!("title-mean"), ColumnKind::Figure, ALWAYS)
                .column(say!("title-least"), ColumnKind::Figure, 2)
                .column(say!("title-most"), ColumnKind::Figure, 3)
                .column(say!("watching-title-traced"), ColumnKind::Figure, 4)
                .column(say!("watching-title-traced-mean"), ColumnKind::Figure, 1);
            for call in &process.calls {
                table.row([
                    Cell::from(names(call.fetches.as_deref())),
                    names(call.feeds.as_deref()).into(),
                    units::count(call.runs).into(),
                    units::maybe_duration(call.mean_ns).into(),
                    units::maybe_duration(call.min_ns).into(),
                    units::maybe_duration(call.max_ns).into(),
                    units::count(call.traced).into(),
                    units::maybe_duration(call.traced_mean_ns).into(),
                ]);
            }
            table.write(&mut self.out, self.screen)?;
        }
        for ((_, process), answer) in &watched.answers {
            if !answer.state.is_end() {
                writeln!(self.out, "{}", answer_line(process, answer))?;
            }
        }
        self.out.flush()?;
        for problem in state.problems {
            self.say_problem(&problem)?;
        }
        Ok(())
    }

    /// The last `new` runs of a process.
    fn runs(&mut self, watched: &Watched, process: &ProcessName, new: usize) -> Result<(), Failure> {
        let Some(runs) = watched.processes.get(process) else { return Ok(()) };
        let newest = runs.runs.iter().skip(runs.runs.len().saturating_sub(new));
        if self.is_json {
            for run in newest {
                writeln!(self.out, "{}", WatchEvent::run(watched, process, run).json())?;
            }
            return Ok(());
        }
        let (mut sum, mut step) = (0_i128, None);
        for run in newest {
            sum += i128::from(run.length.0);
            step = run.step.or(step);
        }
        let mean = i64::try_from(sum / (new as i128).max(1)).unwrap_or(i64::MAX);
        let mut facts = vec![
            units::plural(new, message!("watching-new-runs", count)),
            say!("watching-mean", mean = units::duration(mean)),
        ];
        facts.extend(step.map(|step| say!("watching-step", step = step.to_string())));
        writeln!(self.out, "{}: {}", process.as_str(), clauses(facts))?;
        Ok(())
    }

    fn answer(&mut self, id: &RequestId, process: &ProcessName, answer: &Answer) -> Result<(), Failure> {
        match self.is_json {
            true => writeln!(self.out, "{}", WatchEvent::answer(id, process, answer).json())?,
            false => writeln!(self.out, "{}", answer_line(process, answer))?,
        }
        Ok(())
    }

    fn trace(&mut self, trace: &TraceName, folder: &Path) -> Result<(), Failure> {
        let (summary, figures) = match opened(folder, trace) {
            Ok((summary, figures)) => (summary, Some(figures)),
            // The next traces are printed all the same.
            Err(Failure::Sentence(why)) => (why, None),
            Err(other) => return Err(other),
        };
        match self.is_json {
            true => writeln!(self.out, "{}", WatchEvent::trace(trace, summary, figures).json())?,
            false => {
                writeln!(self.out, "{}  {}", self.screen.strong(&trace.to_string()), visible(&summary))?;
            }
        }
        Ok(())
    }

    fn problem(&mut self, event: WatchEvent<'_>) -> Result<(), Failure> {
        match (self.is_json, &event.problem) {
            (false, Some(problem)) => self.say_problem(problem),
            _ => Ok(writeln!(self.out, "{}", event.json())?),
        }
    }

    fn say_problem(&mut self, problem: &report::WatchProblem) -> Result<(), Failure> {
        self.out.flush()?;
        let (times, detail) = (units::count(problem.count), visible(&problem.detail));
        // If standard error cannot be written either, there is nothing left to do.
        let _ = writeln!(io::stderr(), "steplens: {times} × {}: {detail}", problem.code);
        Ok(())
    }
}

fn names(names: Option<&[&str]>) -> String {
    match names {
        Some([]) => String::new(),
        Some(names) => visible(&listed(names.iter().copied())).into_owned(),
        None => units::UNKNOWN.to_owned(),
    }
}

/// What a trace shows, in a line, and its span in ns, ops and transfers.
fn opened(folder: &Path, trace: &TraceName) -> Result<(String, (i64, u64, u64)), Failure> {
    let name = trace.to_string();
    let input = Input { path: Some(folder.join(&name)), name, process: None, folder: None };
    let inputs = [input];
    let mut opener = Opener::new(CategoryRules::default(), memory_limit::limits(None, 1));
    drop(at_once::open_all(&inputs, &mut opener)?);
    let opened = opening::finish(opener, &inputs)?;
    let study = Study::of_view(&Arc::new(opened.trace), View::default());
    let (span, ops) = (study.trace().span().length().0, study.trace().counted_ops() as u64);
    let transfers = study.transfers().rows().len() as u64;
    let problems: u64 =
        opened.files.iter().flat_map(|file| &file.problems).map(|problem| problem.count).sum();
    let mut facts = vec![
        units::duration(span),
        units::plural(ops, message!("program-ops", count)),
        units::plural(transfers, message!("program-transfers", count)),
    ];
    if problems > 0 {
        facts.push(units::plural(problems, message!("program-problems", count)));
    }
    Ok((clauses(facts), (span, ops, transfers)))
}
