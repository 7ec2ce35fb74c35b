//! Which parts of the files are a step, and how long the steps took. From what containers say of their parts, and the times of
//! ops. For the view, which shows one step, and `steplens steps`.
//!
//! | module | what it has |
//! |---|---|
//! | [`ended_by`] | what steps end with, where no program marks where they begin |
//! | [`figures`] | how long the steps took, how they divide, and which stand out |
//! | [`first`] | which step is shown first |
//! | `kinds` | runs of another graph, which are no steps |
//! | `period` | when a marked step starts and ends |
//! | [`rule`] | which parts of the files are one step, and which are steps of their own |
//! | `step` | one step |

pub mod ended_by;
pub mod figures;
pub mod first;
mod kinds;
mod period;
pub mod rule;
mod step;
