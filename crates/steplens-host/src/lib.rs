//! Files on this machine, and all that the program and the Python package do with them alike.
//!
//! | module | what it has |
//! |---|---|
//! | [`options`] | what may be chosen: as options of commands, and in words |
//! | [`reading`] | files and folders to one trace, and the part of it that the options show |
//! | [`outputs`] | files that take their places when they are complete, and none over an input |
//! | [`export`], [`picture`], [`shared`] | other tools' files, figures, and the page with a trace inside |
//! | [`judged`], [`sides`] | the findings of a trace; two traces that are compared |
//! | [`fleet`] | a dataset of many traces: its files, what was read from which file, its questions |
//! | [`live`] | watched folders and datasets that are served with the page |
//! | [`failure`], [`progress`] | why work ends early; how far it is, as a line on a terminal, and whether it is still wanted |
//! | [`library`] | all of this for Python |
//!
//! What must never be here: what bytes mean (`steplens-formats`), an analysis, what is said of one (`steplens-report`); the command line, and
//! answers on a terminal.

#![forbid(unsafe_code)]

pub mod export;
pub mod failure;
pub mod fleet;
pub mod judged;
pub mod library;
pub mod live;
pub mod options;
pub mod outputs;
pub mod picture;
pub mod progress;
pub mod reading;
pub mod shared;
pub mod sides;
