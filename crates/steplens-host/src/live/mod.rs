//! Watched folders on this machine: [`Folder`] has their files, [`Watch`] follows them, and [`server`] serves them with the page, for
//! `steplens serve` and for Python. [`Dataset`] has the files of a fleet, which is served in the same way.
//!
//! What must never be here: what lines and small files mean (`steplens-formats`), what is said of them (`steplens-report`), and a
//! terminal.
//!
//! Where to start: [`folder`], then [`server`].

mod dataset;
pub mod folder;
pub mod server;
mod traces;
mod watch;

pub use dataset::Dataset;
pub use folder::Folder;
pub use traces::Traces;
pub use watch::Watch;
