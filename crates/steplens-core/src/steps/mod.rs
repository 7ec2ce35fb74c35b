//! Which parts of the files are a step, and how long the steps took. From what containers say of their parts, and the times of
//! ops. For the view, which shows one step, and `steplens steps`.
//!
//! | module | what it has |
//! |---|---|
//! | [`figures`] | how long the steps took, how they divide, and which stand out |
//! | [`first`] | which step is shown first |
//! | [`rule`] | which parts of the files are one step, and which are steps of their own |

pub mod figures;
pub mod first;
pub mod rule;
