//! `steplens.watch-event/1`: what became new in a watched folder, a line each, as `steplens watch --json` prints it.

use super::{AnswerRow, WatchProblem, WatchedRun, answer_row, problem, run_row, texts};
use crate::text;
use serde::Serialize;
use steplens_core::watched::asked::Answer;
use steplens_core::watched::names::{ProcessName, RequestId, TraceName};
use steplens_core::watched::runs::{Call, Run};
use steplens_core::watched::{Fault, FaultKind, Watched};

/// What became new: one of `run`, `trace`, `answer` and `problem` is there.
#[derive(Serialize, Default)]
pub struct WatchEvent<'a> {
    schema: &'static str,
    /// Whose it is; empty for problems.
    pub process: &'a str,
    /// A new run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<NewRun<'a>>,
    /// A trace that arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<NewTrace>,
    /// An answer that is new or has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<NewAnswer<'a>>,
    /// Something that is wrong, or is so once more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<WatchProblem>,
}

/// A run, with what it fetched and was fed.
#[derive(Serialize)]
pub struct NewRun<'a> {
    /// What it holds.
    #[serde(flatten)]
    pub of: WatchedRun,
    /// Null where they are not known.
    pub fetches: Option<Vec<&'a str>>,
    /// Null where they are not known.
    pub feeds: Option<Vec<&'a str>>,
}

/// A trace that arrived.
#[derive(Serialize)]
pub struct NewTrace {
    /// Its path within the folder.
    pub path: String,
    /// Its run.
    pub run: u64,
    /// What it shows, in one line, or why it cannot be opened.
    pub summary: String,
    /// From the first start to the last end. Null where the trace cannot be opened; so are the next two.
    pub span_ns: Option<i64>,
    /// How many ops.
    pub ops: Option<u64>,
    /// How many transfers.
    pub transfers: Option<u64>,
}

/// An answer to a request.
#[derive(Serialize)]
pub struct NewAnswer<'a> {
    /// The request.
    pub id: &'a str,
    /// What it holds.
    #[serde(flatten)]
    pub of: AnswerRow<'a>,
}

impl<'a> WatchEvent<'a> {
    fn of(process: &'a str) -> Self {
        Self { schema: "steplens.watch-event/1", process, ..Self::default() }
    }

    /// A new run.
    pub fn run(watched: &'a Watched, process: &'a ProcessName, run: &Run) -> Self {
        let runs = watched.processes.get(process);
        let call: Option<&Call> = run.call.and_then(|id| runs?.call(id));
        let new = NewRun {
            of: run_row(watched, run),
            fetches: call.map(|call| texts(&call.fetches)),
            feeds: call.map(|call| texts(&call.feeds)),
        };
        Self { run: Some(new), ..Self::of(process.as_str()) }
    }

    /// A trace that arrived, and what it shows: a line, and its span, ops and transfers.
    pub fn trace(trace: &'a TraceName, summary: String, figures: Option<(i64, u64, u64)>) -> Self {
        let new = NewTrace {
            path: trace.to_string(),
            run: trace.run,
            summary,
            span_ns: figures.map(|(span, ..)| span),
            ops: figures.map(|(_, ops, _)| ops),
            transfers: figures.map(|(.., transfers)| transfers),
        };
        Self { trace: Some(new), ..Self::of(trace.process.as_str()) }
    }

    /// An answer that is new or has changed.
    pub fn answer(id: &'a RequestId, process: &'a ProcessName, answer: &'a Answer) -> Self {
        let new = NewAnswer { id: id.as_str(), of: answer_row(process, answer) };
        Self { answer: Some(new), ..Self::of(process.as_str()) }
    }

    /// Something that is wrong.
    pub fn problem(kind: FaultKind, fault: &Fault) -> Self {
        Self { problem: Some(problem(kind, fault)), ..Self::of("") }
    }

    /// The line.
    pub fn json(&self) -> String {
        text(self)
    }
}
