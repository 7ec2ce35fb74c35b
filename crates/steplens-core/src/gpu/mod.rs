//! GPUs and other accelerators: their rows, and the kernels that ops launched.
//!
//! | module | what it has |
//! |---|---|
//! | [`accelerators`] | every GPU once, and the devices whose mean the step bar shows |
//! | [`kernels`] | the kernels that an op launched on the streams of GPUs |
//! | [`op_time`] | op durations: as scheduled, or while kernels ran |

pub mod accelerators;
pub mod kernels;
pub mod op_time;
