//! When each device did what, and in which row it is drawn.
//!
//! | module | what it has |
//! |---|---|
//! | [`colors`] | which of a few colours each op has |
//! | [`coverage`] | what a device did when, by category |
//! | [`grouping`] | which ops stand together when lanes are arranged by thread, op type or name scope |
//! | [`in_flight`] | how many ops of a device run at once, over slices of time |
//! | [`lanes`] | in which row of the timeline each op stands |
//! | [`nesting`] | whose moment a moment is where ops contain one another |
//! | [`split`] | how a window divides into compute, copy, communication and idle |
//! | [`sweep`] | the pieces of a window between two changes |

pub mod colors;
pub mod coverage;
pub mod grouping;
pub mod in_flight;
pub mod lanes;
pub mod nesting;
pub mod split;
pub(crate) mod sweep;
