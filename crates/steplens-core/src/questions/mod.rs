//! What a user asks about a window, an op or a step. From a [`Study`](crate::Study). For the report, which puts the answers
//! into rows and sentences.
//!
//! | module | what it has |
//! |---|---|
//! | [`any_running`] | for how long at least one op of a type ran |
//! | [`around`] | the ops around an op: inside of, after and under which it ran |
//! | [`clock_finding`] | whether the clocks of tasks differ, as a finding of the doctor |
//! | [`coloring`] | the colour of each op, and the time of each colour in a window |
//! | [`concurrency`] | how many ops of a range run at once, and the most at any moment |
//! | [`flame`] | what ran inside of what, summed by path of names |
//! | [`flow`] | where an op's data came from and where it went, hop by hop |
//! | [`kernels`] | the kernels of a range by name, how they were launched, and by which ops |
//! | [`lengths`] | a histogram of op durations |
//! | [`limits`] | what the analyses left out |
//! | [`lost_transfers`] | transfers between tasks that were not recorded, as a finding of the doctor |
//! | [`op_list`] | the ops of a range, in the order of a column |
//! | [`op_types`] | where the time went, by op type |
//! | [`over_steps`] | the critical paths of several steps: how often each op is on them |
//! | [`phases`] | forward, backward, optimizer: the phase of each op |
//! | [`range`] | the ops in a window, of some devices or lanes |
//! | [`strips`] | how busy devices were, for rows without lanes |

pub mod any_running;
pub mod around;
pub mod clock_finding;
pub mod coloring;
pub mod concurrency;
pub mod flame;
pub mod flow;
pub mod kernels;
pub mod lengths;
pub mod limits;
pub mod lost_transfers;
pub mod op_list;
pub mod op_types;
pub mod over_steps;
pub mod phases;
pub mod range;
pub mod strips;
