//! What the analyses say, in the words and rows that the page and the program both show.
//!
//! Every folder is a subject: what is asked about it (queries, sorts, filters, pages), what is answered (types that serde writes),
//! and what is said of it in sentences. The same question has one answer, whoever asks.
//!
//! | module | what it answers |
//! |---|---|
//! | [`summary`] | the files, the step and its devices: `steplens.summary/1` |
//! | [`steps`] | the steps and runs to choose from: `steplens.steps/1` |
//! | [`doctor`] | what is wrong with a trace, in sentences: `steplens.doctor/1` |
//! | [`clocks`] | how far the clocks of tasks are apart: `steplens.clocks/1` |
//! | [`found`] | what the files hold of every device, before anything is chosen |
//! | [`tables`] | what each table has, column by column: of ops, transfers and what else is exported |
//! | [`ops`] | every op (`steplens.ops/1`), tables of them, op types, one op, its data's ways |
//! | [`transfers`] | every transfer (`steplens.transfers/1`), and tables of them |
//! | [`network`] | what communication costs, and what to blame: `steplens.network/1` |
//! | [`highlights`] | what matters most, for who has just opened it: `steplens.highlights/1` |
//! | [`memory`] | which bytes were alive when, and why: `steplens.memory/1` |
//! | [`colors`] | what colours stand for, and their sums |
//! | [`figures`], [`names`] | figures with their units, and names made short and harmless, as texts and pictures have them |
//! | [`options`], [`viewing`] | the words by which a user chooses, and what is open of what they ask for |
//! | [`causality`] | what made what start, both critical paths: `steplens.critical-path/1` |
//! | [`scheduling`] | when ops were ready, scheduled and run, and what ran instead: `steplens.scheduling/1` |
//! | [`range`], [`lanes`], [`search`] | the page's answers about a window, its lanes and a search |
//!
//! Functions return JSON texts unless their name or type says otherwise; a function `answer` returns what the function `json` next to it
//! writes, for edges that write no text. Every whole answer names its `schema`. Durations and times are
//! nanoseconds from the trace's origin; ids are row numbers. The page's types, `www/src/engine/contract/`, are made from these structs
//! and their comments: `tests/tests/contract/main.rs`. CSV has the fields of the JSON of the same name as its columns;
//! in it ops are numbers or names.
//!
//! What must never be here: an analysis (they are in `steplens-core`), a reader, files, JavaScript, a terminal.

#![forbid(unsafe_code)]

pub mod causality;
pub mod check;
pub mod clocks;
pub mod colors;
mod csv;
pub mod doctor;
pub mod figures;
pub mod found;
pub mod highlights;
pub mod lanes;
pub mod listed;
pub mod memory;
pub mod names;
pub mod network;
mod op_ref;
pub mod ops;
pub mod options;
pub mod range;
pub mod redaction;
pub mod scheduling;
pub mod search;
pub mod steps;
pub mod summary;
pub mod tables;
pub mod transfers;
pub mod viewing;
mod wording;

pub use op_ref::OpRef;

use serde::Serialize;

/// The text of a value whose serialization cannot fail: no map keys but strings, no writer but memory.
fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
