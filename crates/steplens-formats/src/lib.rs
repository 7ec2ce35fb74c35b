//! Reads bytes into a [`Trace`](steplens_core::Trace), and writes a trace to bytes.
//!
//! [`open::Opener`] takes the bytes of one or several files in slices of any size and returns an [`open::Opened`] trace;
//! [`session`] stores a trace in few bytes, and [`export`] puts it into the page. [`address`] is how either says what was shown.
//!
//! Each format has a folder, whose `FORMAT` says how its files begin and which reader takes them. [`sniff`] lists the formats and
//! finds that of a file. All readers have the shape of `reader.rs`.
//!
//! No file is ever completely in memory, except sessions: of a file that is larger than memory, as many ops are read as fit, and
//! the rest is counted by device. Only opening can fail ([`error`]). Damage inside a file costs the message it is in, and is
//! counted with its place.
//!
//! What must never be here: JavaScript, the file system, the network, reports of analyses (those are in `steplens-report`). Callers
//! provide bytes and receive bytes.
//!
//! Where to start: [`open`], `content.rs`, then [`run_metadata`].

#![forbid(unsafe_code)]

pub mod address;
mod base64;
mod chrome;
mod content;
mod crc32c;
pub mod error;
mod events;
pub mod export;
mod first_bytes;
mod frames;
mod lines;
mod mangled;
mod memory_events;
mod op_type;
pub mod open;
mod paddle;
mod pbjson;
mod pbtxt;
mod pickle;
mod reader;
pub mod run_metadata;
mod saved_as_text;
pub mod session;
mod silent_gpus;
pub mod sniff;
mod step_marks;
mod trace_events;
pub mod unpack;
pub mod watched;
mod wire;
mod xspace;

pub use error::ReadError;
pub use open::{Limits, Opened, Opener};
