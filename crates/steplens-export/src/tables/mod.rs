//! A trace as tables: the columns of each table, and its rows. The caller decides how they are written.

pub mod stream;

pub use steplens_report::tables::{Column, Kind, Table, Value, progress};
