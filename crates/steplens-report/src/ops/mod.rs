//! Ops: all of them, tables of some, their types, and everything about one.

mod all;
mod columns;
mod csv;
mod details;
mod flow;
mod said;
mod table;
mod types;

pub use all::{answer, write_json};
pub use columns::{FigureColumn, OpColumns};
pub use csv::write_csv;
pub use details::{ArgumentRow, details};
pub use flow::flow;
pub use said::{Surroundings, arguments, has_recorded_label, has_stages, surroundings};
pub use table::{OpPages, column, lengths, rows};
pub use types::types;
