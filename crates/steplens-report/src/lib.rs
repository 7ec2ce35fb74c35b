//! What the analyses found, in the words and rows that the page and the program both show.
//!
//! Each folder has a subject: its questions (queries, sorts, filters, pages), its answers (types that serde writes), and its
//! sentences. The same question has the same answer on the page and in the program. What is answered about one open trace is listed
//! in [`answers`], by name; the `Options` of each folder are a [`question::Question`].
//!
//! | module | what it answers |
//! |---|---|
//! | [`summary`] | the files, the step and its devices: `steplens.summary/1` |
//! | [`steps`] | the steps and runs to choose from: `steplens.steps/1` |
//! | [`doctor`] | what is wrong with a trace, as sentences: `steplens.doctor/1` |
//! | [`clocks`] | how much the clocks of tasks differ: `steplens.clocks/1` |
//! | [`found`] | what the files contain of every device, before anything is chosen |
//! | [`ops`] | every op (`steplens.ops/1`), tables of ops, op types, one op, its data flow |
//! | [`transfers`] | every transfer (`steplens.transfers/1`), and tables of transfers |
//! | [`network`] | the cost of communication and its causes: `steplens.network/1` |
//! | [`findings`] | what is worth changing, ranked by the time that it would save: `steplens.findings/1` |
//! | [`flame`] | what ran inside of what, summed by path of names: `steplens.flame/1` |
//! | [`kernels`] | the kernels of GPUs by name, how they were launched, and by which ops: `steplens.kernels/1` |
//! | [`memory`] | which bytes were alive when, and why: `steplens.memory/1` |
//! | [`colors`] | what colours stand for, and their sums |
//! | [`figures`], [`names`] | figures with their units, and names that are short and harmless, for texts and pictures |
//! | [`work`] | what ops calculate and move, in rows of op types and kernels, and of one op |
//! | [`options`], [`viewing`] | the words of a user's choices, and the open trace with these choices |
//! | [`causality`] | why each op started when it did, both critical paths: `steplens.critical-path/1` |
//! | [`compare`] | what differs between two traces, and why: `steplens.compare/1` |
//! | [`counters`] | the counters and instants of the files: `steplens.counters/1` |
//! | [`what_if`] | how long the step would take if something were different: `steplens.what-if/1` |
//! | [`scheduling`] | when ops were ready, scheduled and run, and what ran instead: `steplens.scheduling/1` |
//! | [`fleet`] | the tables of a dataset of many traces: `steplens.dataset/1` |
//! | [`overview`] | the summary of such a dataset, and what the page says of it |
//! | [`watched`] | what programs that train wrote into a watched folder: `steplens.watch/1` |
//! | [`range`], [`lanes`], [`search`] | the page's answers about a window, its lanes and a search |
//!
//! Functions return JSON texts unless their name or type says otherwise. A function `answer` returns the value that the function
//! `json` next to it writes, for callers that need no text. Every complete answer has a `schema`. Durations and times are
//! nanoseconds from the trace's origin; ids are row numbers. The page's types, `www/src/engine/contract/`, are made from these
//! structs and their comments: `tests/tests/contract/main.rs`. CSV has the fields of the JSON of the same name as its columns.
//!
//! What must never be here: an analysis (they are in `steplens-core`), a reader of traces, files, JavaScript, a terminal.

#![forbid(unsafe_code)]

pub mod answers;
pub mod causality;
pub mod check;
pub mod clocks;
pub mod colors;
pub mod compare;
pub mod counters;
mod csv;
pub mod doctor;
pub mod figures;
pub mod findings;
pub mod flame;
pub mod fleet;
pub mod fleet_answer;
pub mod found;
pub mod kernels;
pub mod lanes;
pub mod listed;
pub mod memory;
pub mod names;
pub mod network;
mod op_ref;
pub mod ops;
pub mod options;
pub mod overview;
pub mod question;
pub mod range;
mod rate;
pub mod recording;
pub mod redaction;
pub mod scheduling;
pub mod search;
pub mod steps;
pub mod summary;
pub mod tables;
pub mod transfers;
pub mod verdict;
pub mod viewing;
pub mod watched;
pub mod what_if;
mod wording;
pub mod work;

pub use op_ref::OpRef;

use serde::Serialize;

/// The JSON of a value whose serialization cannot fail: all map keys are strings, and writing to memory succeeds.
fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
