//! Numbers with a meaning, and how to sort, count and divide long work. From nothing of a trace. For all other folders.
//!
//! | module | what it has |
//! |---|---|
//! | [`bits`] | sets of rows, one bit each |
//! | `expression` | regular expressions of users |
//! | [`ids`] | ids of rows |
//! | [`natural`] | the order in which people expect names |
//! | [`order`] | sorting by numbers |
//! | [`pace`] | long work in pieces |
//! | [`progress`] | how far a writer of rows is |
//! | [`units`] | times, durations and bytes |

pub mod bits;
pub(crate) mod expression;
pub mod ids;
pub mod natural;
pub mod order;
pub mod pace;
pub mod progress;
pub mod units;
