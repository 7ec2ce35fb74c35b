//! Which devices are one accelerator, and which kernels each op launched. From names of devices, and the names and times of
//! ops. For op durations, the step bar, critical paths and scheduling.
//!
//! | module | what it has |
//! |---|---|
//! | [`accelerators`] | every GPU once, and the devices whose mean the step bar shows |
//! | [`by_function`] | the ops of kernels whose names say no op |
//! | [`captures`] | the captures of graphs, in which nothing that is launched runs |
//! | [`event_pairs`] | times of a GPU that are two events around each operator |
//! | [`event_waits`] | calls that make a stream wait for an event |
//! | [`kernels`] | the kernels that an op launched on the streams of GPUs |
//! | [`launch`] | grid, block, registers, shared memory and occupancy of a kernel |
//! | [`launching`] | which calls launch something |
//! | [`multiprocessors`] | multiprocessors of a GPU as devices, of a kernel that was instrumented by hand |
//! | [`overhead`] | what a profiler notes as overhead |
//! | [`reads_back`] | ops of an executor that wait for a result of their GPU |
//! | [`task_queue`] | tasks that one thread of a program hands to another, which launches them |
//! | [`op_time`] | op durations: as scheduled, or while kernels ran |

pub mod accelerators;
mod by_function;
pub(crate) mod captures;
pub mod event_pairs;
pub(crate) mod event_waits;
pub mod kernels;
pub mod launch;
pub mod launching;
pub mod multiprocessors;
pub mod op_time;
pub mod overhead;
pub(crate) mod reads_back;
pub(crate) mod task_queue;
pub mod unrecorded;
