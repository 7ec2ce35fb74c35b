//! Columns and tables: how much a trace holds in few bytes.
//!
//! | module | what it has |
//! |---|---|
//! | [`chunked`] | lists that grow without copying |
//! | [`column`] | numbers in as few bytes as they need |
//! | [`moments`] | times in four bytes |
//! | [`ranges`] | which rows of one table belong to a row of another |
//! | [`remembered`] | the last answer to a question |
//! | `shared` | how much memory is behind an `Arc` |
//! | [`strings`] | every string once |
//! | [`union`] | when anything ran, as intervals |

pub(crate) mod chunked;
pub mod column;
pub mod moments;
pub mod ranges;
pub(crate) mod remembered;
pub(crate) mod shared;
pub mod strings;
pub mod union;
