//! The small files: `steplens.json`, requests, answers.

use serde::{Deserialize, Serialize};
use steplens_core::watched::asked::{Answer, AnswerState, Request, RequestKind};
use steplens_core::watched::names::{ProcessName, RequestId};
use steplens_messages::say;

const SCHEMA: &str = "steplens.watched-folder/1";

pub(super) fn too_large(most: u64) -> String {
    say!("watched-too-large", most)
}

fn parsed<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|why| say!("watched-not-json", why = why.to_string()))
}

/// The processes of `steplens.json`.
pub(super) fn processes(bytes: &[u8]) -> Result<Vec<ProcessName>, String> {
    #[derive(Deserialize)]
    struct Known {
        schema: String,
        processes: Vec<String>,
    }
    let known: Known = parsed(bytes)?;
    if known.schema != SCHEMA {
        return Err(say!("watched-other-schema", schema = known.schema, wanted = SCHEMA));
    }
    known.processes.iter().map(|name| process(name)).collect()
}

fn process(name: &str) -> Result<ProcessName, String> {
    ProcessName::new(name).ok_or_else(|| say!("watched-no-process", name))
}

/// A request as its file has it.
#[derive(Deserialize, Serialize)]
struct Asked {
    id: String,
    kind: String,
    n: Option<u64>,
    count: u64,
    processes: Option<Vec<String>>,
    expires_ns: i64,
}

pub(super) fn request(id: &RequestId, bytes: &[u8]) -> Result<Request, String> {
    let asked: Asked = parsed(bytes)?;
    if asked.id != id.as_str() {
        return Err(say!("watched-other-id", id = asked.id));
    }
    let names = asked.processes.map(|names| names.iter().map(|name| process(name)).collect());
    Ok(Request {
        id: id.clone(),
        kind: RequestKind::by_word(&asked.kind).ok_or_else(|| say!("watched-no-kind", word = asked.kind))?,
        n: asked.n.unwrap_or(1),
        count: asked.count,
        processes: names.transpose()?,
        expires_unix_ns: asked.expires_ns,
    })
}

/// The text of the file of `request`.
pub fn request_text(request: &Request) -> String {
    let names = |names: &Vec<ProcessName>| names.iter().map(|name| name.as_str().to_owned()).collect();
    let asked = Asked {
        id: request.id.as_str().to_owned(),
        kind: request.kind.word().to_owned(),
        n: Some(request.n),
        count: request.count,
        processes: request.processes.as_ref().map(names),
        expires_ns: request.expires_unix_ns,
    };
    // All map keys are strings, and writing to memory succeeds.
    serde_json::to_string(&asked).unwrap_or_default() + "\n"
}

pub(super) fn answer(id: &RequestId, process: &ProcessName, bytes: &[u8]) -> Result<Answer, String> {
    #[derive(Deserialize)]
    struct Said {
        id: String,
        process: String,
        state: String,
        runs: Vec<u64>,
        reason: Option<String>,
        at_ns: i64,
    }
    let said: Said = parsed(bytes)?;
    if said.id != id.as_str() || said.process != process.as_str() {
        return Err(say!("watched-other-id", id = format!("{}-{}", said.id, said.process)));
    }
    let state =
        AnswerState::by_word(&said.state).ok_or_else(|| say!("watched-no-state", word = said.state))?;
    Ok(Answer { state, runs: said.runs, reason: said.reason, at_unix_ns: said.at_ns })
}
