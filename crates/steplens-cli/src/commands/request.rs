//! `steplens request`: asks programs that train for traces, by a file in their watched folder.

use super::serve::folder;
use super::stopped::{LOOK, Stopped};
use crate::args;
use crate::render::{units, visible};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;
use steplens_core::watched::Watched;
use steplens_core::watched::asked::{Answer, AnswerState, Request, RequestKind};
use steplens_core::watched::names::{ProcessName, RequestId};
use steplens_host::failure::{Failure, reason};
use steplens_host::live::Watch;
use steplens_host::live::folder::new_request;
use steplens_messages::say;

/// How much longer than the request stands an answer is waited for: the clocks of two machines differ.
const GRACE: Duration = Duration::from_secs(10);

/// How many runs of an answer are listed one by one.
const MOST_LISTED: usize = 6;

pub(super) fn run(args: &args::Request) -> Result<(), Failure> {
    let folder = folder(&args.folder)?;
    let failed = |why: io::Error| {
        Failure::Sentence(say!("folder-not-read", folder = args.folder.to_string_lossy(), why = reason(&why)))
    };
    if !folder.is_watched().map_err(failed)? {
        let shown = visible(&args.folder.to_string_lossy()).into_owned();
        return Err(Failure::Sentence(say!("request-no-watched-folder", folder = shown)));
    }
    let stands = Duration::from_secs(args.expires);
    let (id, expires_ns) = new_request(stands).map_err(failed)?;
    let (kind, n) = match args.which {
        args::Which { every: Some(n), .. } => (RequestKind::Every, n),
        args::Which { multiple: Some(n), .. } => (RequestKind::Multiple, n),
        args::Which { stop: true, .. } => (RequestKind::Stop, 1),
        _ => (RequestKind::Now, 1),
    };
    let count = args.count.unwrap_or(if kind == RequestKind::Every { 0 } else { 1 });
    let request = Request { processes: processes(args)?, ..Request::new(id, kind, n, count, expires_ns) };
    folder.ask(&request).map_err(|why| Failure::Sentence(say!("live-not-written", why = reason(&why))))?;
    let mut out = io::stdout();
    writeln!(out, "{}", request.id.as_str())?;
    out.flush()?;
    if args.wait { wait(Watch::new(folder), &request, stands, failed) } else { Ok(()) }
}

fn processes(args: &args::Request) -> Result<Option<Vec<ProcessName>>, Failure> {
    let name = |name: &String| {
        ProcessName::new(name)
            .ok_or_else(|| Failure::Sentence(say!("request-no-process", name = visible(name).into_owned())))
    };
    let names: Vec<_> = args.process.iter().map(name).collect::<Result<_, _>>()?;
    Ok((!names.is_empty()).then_some(names))
}

/// Prints what becomes of `request`, until every process that was asked is done with it.
fn wait(
    mut watch: Watch,
    request: &Request,
    stands: Duration,
    failed: impl Fn(io::Error) -> Failure,
) -> Result<(), Failure> {
    let stopped = Stopped::on_ctrl_c();
    let mut said = BTreeMap::<ProcessName, Answer>::new();
    let mut waited = Duration::ZERO;
    loop {
        watch.look().map_err(&failed)?;
        let watched = watch.watched();
        for (process, answer) in answers(watched, &request.id) {
            if said.get(process) != Some(answer) {
                print(process, answer)?;
                said.insert(process.clone(), answer.clone());
            }
        }
        let asked: Vec<&ProcessName> = match &request.processes {
            Some(names) => names.iter().collect(),
            None => watched.processes.keys().collect(),
        };
        let is_over = |process: &&ProcessName| said.get(*process).is_some_and(|answer| answer.state.is_end());
        if asked.iter().all(is_over) && !asked.is_empty() {
            let is_refused = said
                .values()
                .any(|answer| matches!(answer.state, AnswerState::Refused | AnswerState::Expired));
            return if is_refused { Err(Failure::Reported) } else { Ok(()) };
        }
        // One that has begun may take as long as it likes.
        let silent = asked.iter().filter(|process| !said.contains_key(**process));
        let names: Vec<&str> = silent.map(|process| process.as_str()).collect();
        if waited > stands.saturating_add(GRACE) && !names.is_empty() {
            let names = steplens_messages::listed(names);
            return Err(Failure::Sentence(say!("request-no-answer", names)));
        }
        if stopped.within(LOOK) {
            return Ok(());
        }
        waited = waited.saturating_add(LOOK);
    }
}

fn answers<'a>(watched: &'a Watched, id: &RequestId) -> impl Iterator<Item = (&'a ProcessName, &'a Answer)> {
    watched
        .answers
        .iter()
        .filter(move |((own, _), _)| own == id)
        .map(|((_, process), answer)| (process, answer))
}

fn print(process: &ProcessName, answer: &Answer) -> Result<(), Failure> {
    let mut out = io::stdout();
    writeln!(out, "{}", answer_line(process, answer))?;
    Ok(out.flush()?)
}

/// What became of a request in a process, as a line.
pub(super) fn answer_line(process: &ProcessName, answer: &Answer) -> String {
    let process = process.as_str();
    let many = answer.runs.last().filter(|_| answer.runs.len() > MOST_LISTED).map(u64::to_string);
    let count = units::count(answer.runs.len() as u64);
    let listed = answer.runs.iter().take(MOST_LISTED).map(u64::to_string);
    let runs = steplens_messages::listed(listed);
    let state = match answer.state {
        AnswerState::Seen => say!("request-seen").to_owned(),
        AnswerState::Tracing if answer.runs.is_empty() => say!("request-tracing").to_owned(),
        AnswerState::Tracing => match many {
            Some(last) => say!("request-tracing-many", count, last),
            None => say!("request-tracing-runs", runs),
        },
        AnswerState::Done if answer.runs.is_empty() => say!("request-done").to_owned(),
        AnswerState::Done => match many {
            Some(last) => say!("request-done-many", count, last),
            None => say!("request-done-runs", runs),
        },
        AnswerState::Stopped => say!("request-stopped").to_owned(),
        AnswerState::Expired => say!("request-expired").to_owned(),
        AnswerState::Refused => {
            let why = visible(answer.reason.as_deref().unwrap_or_default()).into_owned();
            say!("request-refused", why)
        }
    };
    format!("{process}: {state}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_runs_are_counted() {
        let said = |state, runs: std::ops::Range<u64>| {
            let process = ProcessName::new("main").expect("a name");
            answer_line(&process, &Answer { state, runs: runs.collect(), reason: None, at_unix_ns: 0 })
        };
        assert_eq!(said(AnswerState::Done, 7..9), "main: done: runs 7, 8");
        assert_eq!(said(AnswerState::Tracing, 0..6), "main: traces; so far runs 0, 1, 2, 3, 4, 5");
        assert_eq!(said(AnswerState::Tracing, 622..1_622), "main: traces; so far 1,000 runs, the last 1621");
        assert_eq!(said(AnswerState::Done, 0..7), "main: done: 7 runs, the last 6");
    }
}
