//! Bytes to [`Trace`](steplens_core::Trace), and a trace to bytes.
//!
//! [`open::Opener`] takes the bytes of one or several files in slices of any size and gives an [`open::Opened`] trace;
//! [`json`] and [`csv`] write what the analyses say, in the words that every user of Steplens sees.
//! [`session`] keeps a trace in a few bytes, and [`export`] puts it into the page.
//!
//! What must never be here: JavaScript, the file system, the network. Callers bring bytes and take bytes away.
//!
//! Where to start: [`open`], then [`run_metadata`].

#![forbid(unsafe_code)]

mod base85;
mod chrome;
mod containers;
mod content;
pub mod csv;
pub mod error;
mod events;
pub mod export;
mod fields;
mod frames;
pub mod json;
mod lines;
mod op_type;
pub mod open;
mod paddle;
mod pbtxt;
mod pickle;
pub mod run_metadata;
pub mod session;
pub mod sniff;
mod unpack;
mod wire;
mod xspace;

pub use error::ReadError;
pub use open::{Limits, Opened, Opener};
