//! Bytes to [`Trace`](steplens_core::Trace), and a trace to bytes.
//!
//! [`open::Opener`] takes the bytes of one or several files in slices of any size and gives an [`open::Opened`] trace;
//! [`json`] and [`csv`] write what the analyses say, in the words that every user of Steplens sees.
//! [`session`] keeps a trace in a few bytes, and [`export`] puts it into the page.
//!
//! With the feature `containers` (the default) every format is read. Without it only binary RunMetadata and sessions are, for
//! the page's first, small core; [`Opener::reader_elsewhere`] says when a file needs more.
//!
//! What must never be here: JavaScript, the file system, the network. Callers bring bytes and take bytes away.
//!
//! Where to start: [`open`], then [`run_metadata`].

#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "containers"), allow(dead_code, reason = "what only the other readers use"))]

mod base85;
#[cfg(feature = "containers")]
mod chrome;
#[cfg(feature = "containers")]
mod containers;
#[cfg(not(feature = "containers"))]
#[path = "containers_elsewhere.rs"]
mod containers;
mod content;
pub mod csv;
pub mod error;
#[cfg(feature = "containers")]
mod events;
pub mod export;
#[cfg(feature = "containers")]
mod frames;
pub mod json;
#[cfg(feature = "containers")]
mod op_type;
pub mod open;
#[cfg(feature = "containers")]
mod paddle;
#[cfg(feature = "containers")]
mod pbtxt;
#[cfg(feature = "containers")]
mod pickle;
pub mod run_metadata;
pub mod session;
pub mod sniff;
mod unpack;
mod wire;
#[cfg(feature = "containers")]
mod xspace;

pub use error::ReadError;
pub use open::{Limits, Opened, Opener};
