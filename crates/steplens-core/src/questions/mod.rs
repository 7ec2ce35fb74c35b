//! What a user asks about a window, an op or a step: answers from a [`Study`](crate::Study).
//!
//! | module | what it has |
//! |---|---|
//! | [`any_running`] | for how long at least one op of a type ran |
//! | [`around`] | what an op ran inside of, after and under |
//! | [`clock_finding`] | whether the clocks of tasks differ, as a finding of the doctor |
//! | [`coloring`] | which colour each op has, and how much time each colour has in a window |
//! | [`concurrency`] | how many ops of a range run at once, and the most at any moment |
//! | [`flow`] | what an op's data was made from and what was made of it, hop by hop |
//! | [`lengths`] | how many ops are about how long |
//! | [`limits`] | what the analyses left out |
//! | [`op_list`] | which ops a range holds, in the order of a column |
//! | [`op_types`] | where the time went, by op type |
//! | [`over_steps`] | the critical paths of several steps: how often each op is on them |
//! | [`range`] | which ops a window and a choice of device or lanes hold |
//! | [`strips`] | how busy devices were, for rows that show no lanes |

pub mod any_running;
pub mod around;
pub mod clock_finding;
pub mod coloring;
pub mod concurrency;
pub mod flow;
pub mod lengths;
pub mod limits;
pub mod op_list;
pub mod op_types;
pub mod over_steps;
pub mod range;
pub mod strips;
