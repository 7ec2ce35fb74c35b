//! Columns and tables that hold many rows in few bytes. From the basis alone. For the model, and for analyses that keep
//! something for each op.
//!
//! | module | what it has |
//! |---|---|
//! | `busy` | when anything ran, summed for any part of the time |
//! | [`chunked`] | lists that grow without copying |
//! | [`column`] | numbers in as few bytes as they need |
//! | [`moments`] | times in four bytes |
//! | [`ranges`] | which rows of one table belong to a row of another |
//! | [`remembered`] | rows that were looked up lately |
//! | `shared` | how much memory is behind an `Arc` |
//! | [`strings`] | every string once |
//! | [`union`] | the times that some intervals cover |

pub(crate) mod busy;
pub(crate) mod chunked;
pub mod column;
pub mod moments;
pub mod ranges;
pub(crate) mod remembered;
pub(crate) mod shared;
pub mod strings;
pub mod union;
