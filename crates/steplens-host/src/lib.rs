//! Files on this machine, for the program and the Python package alike.
//!
//! | module | what it has |
//! |---|---|
//! | [`fleet`] | a dataset of many traces: its files, what was read from which file, its questions |
//! | [`live`] | watched folders and datasets that are served with the page |
//!
//! What must never be here: what bytes mean (`steplens-formats`), an analysis, what is said of one (`steplens-report`), a terminal.

#![forbid(unsafe_code)]

pub mod fleet;
pub mod live;
