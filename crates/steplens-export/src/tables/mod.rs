//! The tables of the report, and their rows as bytes.

pub mod stream;

pub use steplens_report::tables::{Column, Kind, Table, Value, progress};
