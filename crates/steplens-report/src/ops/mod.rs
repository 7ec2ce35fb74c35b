//! Ops: all of them, tables of some of them, op types, and everything about one op.

mod all;
mod arguments;
mod columns;
mod details;
mod flow;
mod said;
mod table;
mod types;

pub use all::{Ops, Options, answer, write_csv, write_json};
pub use arguments::{ArgumentRow, arguments};
pub use columns::{Cells, OpColumns};
pub use details::details;
pub use flow::flow;
pub use said::{Surroundings, has_recorded_label, has_stages, surroundings};
pub use table::{OpPages, column, lengths, rows};
pub use types::types;
