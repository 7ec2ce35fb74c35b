//! What communication cost, and who or what caused it: waits, tensors, collectives, stragglers, the order of parameters. From a
//! study: its transfers, their times, and what each device did. For the tab Network, `steplens network`, the findings and the
//! table of transfers.
//!
//! | module | what it has |
//! |---|---|
//! | [`arrival_order`] | whether parameters arrived in the order in which ops need them |
//! | [`chain`] | what led to an op, from its last input back to the step's start |
//! | [`collective_keys`] | the keys by which the ops of one collective are found |
//! | [`collectives`] | which ops of several devices are one collective, and which op the others waited for |
//! | [`process_groups`] | the process groups of PyTorch, and which of their ops belong together |
//! | [`ready`] | which rank was ready last for a tensor, as Horovod says it |
//! | [`roles`] | which ops of several tasks do the same work |
//! | `same_time` | whether ops that were joined by their order can belong together |
//! | [`stragglers`] | which task finished last among its peers, and the root cause |
//! | [`tensors`] | what was sent and waited for, tensor by tensor |
//! | [`tracer_figures`] | the figures of tensorflow-tracer's `Timeline` |
//! | [`waits`] | which transfer or collective a device waited for |

pub mod arrival_order;
pub mod chain;
pub(crate) mod collective_keys;
pub mod collectives;
pub mod process_groups;
pub mod ready;
pub mod roles;
mod same_time;
pub mod stragglers;
pub mod tensors;
pub mod tracer_figures;
pub mod waited;
pub mod waits;
