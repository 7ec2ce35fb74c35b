//! GPUs and other accelerators: their rows, and the kernels that ops launched.
//!
//! | module | what it has |
//! |---|---|
//! | [`accelerators`] | every GPU once, and what a step bar is the mean of |
//! | [`kernels`] | which kernels an op launched on the streams of GPUs |
//! | [`op_time`] | how long an op lasts: as scheduled, or while its kernels ran |

pub mod accelerators;
pub mod kernels;
pub mod op_time;
