//! Protobuf as Steplens writes it, and the numbers of `proto/` that readers and writers need.
//!
//! [`Message`] is the one writer, for sessions and for files of other tools. Each of the other modules has the field numbers of one
//! schema, a module a message, and the values of its enums. `tests/tests/schema.rs` makes them from `proto/`. Why not prost:
//! `docs/decisions/own-writer.md`.
//!
//! What must never be here: a trace, a reader.

#![forbid(unsafe_code)]

pub mod chakra;
pub mod perfetto;
pub mod sessions;
pub mod tensorflow;
mod writer;

pub use writer::{Message, push_varint};
