//! A dataset of many traces: their tables as Parquet, which DuckDB and Spark read, and what was read from which file.
//!
//! | module | what it has |
//! |---|---|
//! | [`paths`] | what the path of a file says: its run, its task, its step |
//! | [`member`] | the tables of one file |
//! | [`part`] | the tables of several files as one part, sorted |
//! | [`parts`] | the files of parts |
//! | [`dataset`] | the folder: its parts, its manifest, what is left of work that was interrupted |
//! | [`damage`] | which parts are damaged |
//! | [`opening`] | what the program and Python index with: its options, how each file is opened |
//! | [`index`] | which files are new or changed, and reading them with all cores |
//! | [`overview`] | the summary that the page opens |
//!
//! `docs/fleet.md` says what the tables hold. What must never be here: an analysis, a reader of traces, a terminal.

pub mod damage;
pub mod dataset;
mod in_order;
pub mod index;
pub mod member;
pub mod opening;
pub mod overview;
pub mod part;
mod parts;
pub mod paths;
mod piece;
pub mod questions;
pub mod views;

pub use piece::Piece;
