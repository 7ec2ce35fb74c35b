//! `steplens.watch/1`: what a watched folder says of the programs that train, for the page and for `steplens watch`.

pub mod event;
mod runs;

pub use runs::{RunQuery, WatchedRun, run_row, runs, runs_json};

use crate::text;
use serde::Serialize;
use steplens_core::watched::asked::{Answer, Request};
use steplens_core::watched::calls::{CallFigures, figures};
use steplens_core::watched::names::{ProcessName, TraceName};
use steplens_core::watched::runs::{Call, Run, Runs};
use steplens_core::watched::{Fault, FaultKind, Place, Watched};
use steplens_messages::say;

/// How many traces of a process are listed.
const MOST_TRACES: usize = 200;

/// What a folder says now.
#[derive(Serialize)]
pub struct WatchState<'a> {
    schema: &'static str,
    /// In order of their names.
    pub processes: Vec<WatchedProcess<'a>>,
    /// In order of their ids, which begin with their time where Steplens made them.
    pub requests: Vec<AskedRow<'a>>,
    /// What is wrong with the files.
    pub problems: Vec<WatchProblem>,
}

/// A process, and its runs in figures.
#[derive(Serialize)]
pub struct WatchedProcess<'a> {
    /// Its name.
    pub name: &'a str,
    /// How many runs are listed.
    pub runs: u64,
    /// How many before them are no longer listed, and in no figure.
    pub dropped: u64,
    /// How many of those that are listed were traced.
    pub traced: u64,
    /// The global step of the last run. Null where none is known.
    pub step: Option<i64>,
    /// By what they fetch and are fed.
    pub calls: Vec<CallRow<'a>>,
    /// The traces that are there, the newest first; at most 200.
    pub traces: Vec<WatchedTrace>,
}

/// The runs with the same fetches and feeds.
#[derive(Serialize)]
pub struct CallRow<'a> {
    /// The row of this call in its process, by which runs name it. Null for the runs of which fetches and feeds are not known.
    pub call: Option<u32>,
    /// Null where they are not known.
    pub fetches: Option<Vec<&'a str>>,
    /// Null where they are not known.
    pub feeds: Option<Vec<&'a str>>,
    /// How many runs.
    pub runs: u64,
    /// How many of them were traced; their lengths are apart, because tracing makes a run longer.
    pub traced: u64,
    /// The mean of those that were not traced. Null without any; so are the next two.
    pub mean_ns: Option<i64>,
    /// The shortest of them.
    pub min_ns: Option<i64>,
    /// The longest of them.
    pub max_ns: Option<i64>,
    /// The mean of those that were traced. Null without any.
    pub traced_mean_ns: Option<i64>,
}

/// A trace that is there.
#[derive(Serialize)]
pub struct WatchedTrace {
    /// Its path within the folder.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// The number of its run in its process.
    pub run: u64,
    /// Null where none is known.
    pub step: Option<i64>,
    /// The traces of other processes that the same request wanted of the same step.
    pub together: Vec<String>,
}

/// A request, and what became of it.
#[derive(Serialize)]
pub struct AskedRow<'a> {
    /// Its id.
    pub id: &'a str,
    /// `now`, `every`, `multiple` or `stop`.
    pub kind: &'static str,
    /// The n of `every` and `multiple`.
    pub n: u64,
    /// How many runs; 0 until it is stopped.
    pub count: u64,
    /// Who is asked. Null for all.
    pub processes: Option<Vec<&'a str>>,
    /// In ns from 1970 as decimal text, because it does not fit in a double.
    pub expires_unix_ns: String,
    /// In order of the names of the processes.
    pub answers: Vec<AnswerRow<'a>>,
}

/// What became of a request in one process.
#[derive(Serialize)]
pub struct AnswerRow<'a> {
    /// Its name.
    pub process: &'a str,
    /// `seen`, `tracing`, `done`, `stopped`, `expired` or `refused`.
    pub state: &'static str,
    /// The numbers of the runs that were traced for it.
    pub runs: &'a Vec<u64>,
    /// Why it was refused.
    pub reason: Option<&'a str>,
    /// In ns from 1970 as decimal text, because it does not fit in a double.
    pub at_unix_ns: String,
}

/// Something that is wrong with the files.
#[derive(Serialize)]
pub struct WatchProblem {
    /// Its stable code.
    pub code: &'static str,
    /// How often.
    pub count: u64,
    /// A sentence: what is wrong, where first, and what is done about it.
    pub detail: String,
}

/// `steplens.watch/1`.
pub fn json(watched: &Watched) -> String {
    text(&answer(watched))
}

/// The same as a value.
pub fn answer(watched: &Watched) -> WatchState<'_> {
    let together = watched.asked_together();
    let trace = |run: &Run, path: &TraceName, bytes: u64| {
        let key = run.request.as_deref().zip(run.step);
        let same = key.and_then(|key| together.get(&key)).into_iter().flatten();
        let others = same.filter(|other| **other != path && watched.bytes_of(other).is_some());
        WatchedTrace {
            path: path.to_string(),
            bytes,
            run: run.number,
            step: run.step,
            together: others.map(ToString::to_string).collect(),
        }
    };
    let traces = |runs: &Runs| {
        let there = runs.runs.iter().rev().filter_map(|run| {
            let path = run.trace.as_ref()?;
            Some((run, path, watched.bytes_of(path)?))
        });
        there.take(MOST_TRACES).map(|(run, path, bytes)| trace(run, path, bytes)).collect::<Vec<_>>()
    };
    WatchState {
        schema: "steplens.watch/1",
        processes: watched
            .processes
            .iter()
            .map(|(name, runs)| WatchedProcess {
                name: name.as_str(),
                runs: runs.runs.len() as u64,
                dropped: runs.dropped,
                traced: runs.runs.iter().filter(|run| run.trace.is_some()).count() as u64,
                step: runs.runs.back().and_then(|run| run.step),
                calls: figures(runs).into_iter().map(|(id, own)| call_row(runs, id, own)).collect(),
                traces: traces(runs),
            })
            .collect(),
        requests: watched.requests.values().map(|request| asked_row(watched, request)).collect(),
        problems: watched.faults.iter().map(|(kind, fault)| problem(*kind, fault)).collect(),
    }
}

fn call_row(
    runs: &Runs,
    id: Option<steplens_core::watched::runs::CallId>,
    CallFigures { untraced, traced }: CallFigures,
) -> CallRow<'_> {
    let call: Option<&Call> = id.and_then(|id| runs.call(id));
    CallRow {
        call: id.map(|id| id.0),
        fetches: call.map(|call| texts(&call.fetches)),
        feeds: call.map(|call| texts(&call.feeds)),
        runs: untraced.count + traced.count,
        traced: traced.count,
        mean_ns: untraced.mean().map(|mean| mean.0),
        min_ns: untraced.least().map(|least| least.0),
        max_ns: untraced.most().map(|most| most.0),
        traced_mean_ns: traced.mean().map(|mean| mean.0),
    }
}

fn texts(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

fn asked_row<'a>(watched: &'a Watched, request: &'a Request) -> AskedRow<'a> {
    let answers = watched.answers.iter().filter(|((id, _), _)| *id == request.id);
    AskedRow {
        id: request.id.as_str(),
        kind: request.kind.word(),
        n: request.n,
        count: request.count,
        processes: request.processes.as_ref().map(|names| names.iter().map(ProcessName::as_str).collect()),
        expires_unix_ns: request.expires_unix_ns.to_string(),
        answers: answers.map(|((_, process), answer)| answer_row(process, answer)).collect(),
    }
}

fn answer_row<'a>(process: &'a ProcessName, answer: &'a Answer) -> AnswerRow<'a> {
    AnswerRow {
        process: process.as_str(),
        state: answer.state.word(),
        runs: &answer.runs,
        reason: answer.reason.as_deref(),
        at_unix_ns: answer.at_unix_ns.to_string(),
    }
}

/// What is wrong, as a sentence.
fn problem(kind: FaultKind, fault: &Fault) -> WatchProblem {
    let file = fault.file.as_str();
    let place = match &fault.place {
        Place::Byte(at) => at.to_string(),
        Place::Why(why) => why.clone(),
    };
    let detail = match kind {
        FaultKind::Line => say!("watched-damaged-line", file, at = place),
        FaultKind::LongLine => say!("watched-long-line", file, at = place),
        FaultKind::TraceName => say!("watched-foreign-trace", file, at = place),
        FaultKind::ManyCalls => say!("watched-many-calls", file, at = place),
        FaultKind::File => say!("watched-damaged-file", file, why = place),
        FaultKind::NotRead => say!("watched-not-read", file, why = place),
        FaultKind::ManyFiles => say!("watched-many-files", count = fault.count),
    };
    WatchProblem { code: kind.code(), count: fault.count, detail }
}
