//! What each device did at each time, and in which row it is drawn. From the times, categories and threads of ops. For the
//! lanes of the page, the split of a window, and every sum over time.
//!
//! | module | what it has |
//! |---|---|
//! | [`colors`] | the colour of each op |
//! | [`coverage`] | what a device did at each time, by category |
//! | [`grouping`] | which ops are together when lanes are arranged by thread, op type or name scope |
//! | [`in_flight`] | how many ops of a device run at once, over slices of time |
//! | [`lanes`] | the row of the timeline for each op |
//! | [`nesting`] | the self time of ops that contain one another |
//! | [`split`] | how a window divides into compute, copy, communication and idle |
//! | [`sweep`] | the pieces of a window between two changes |
//! | [`threads`] | what threads are called |

pub mod colors;
pub mod coverage;
pub mod grouping;
pub mod in_flight;
pub mod lanes;
pub mod nesting;
pub mod split;
pub(crate) mod sweep;
mod threads;
