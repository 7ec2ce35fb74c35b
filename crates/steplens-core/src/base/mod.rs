//! The basis of all other folders: numbers with a meaning, and orders.
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
