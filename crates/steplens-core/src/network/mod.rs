//! What communication cost, and who or what caused it: waits, tensors, collectives, stragglers, the order of parameters. From a
//! study: its transfers, their times, and what each device did. For the tab Network, `steplens network`, the findings and the
//! table of transfers.
//!
//! | module | what it has |
//! |---|---|
//! | [`arrival_order`] | whether parameters arrived in the order in which ops need them |
//! | `bound` | which ranks wait for each other in collectives, and who came last |
//! | [`chain`] | what led to an op, from its last input back to the step's start |
//! | [`ready`] | which rank was ready last for a tensor, as Horovod says it |
//! | [`stragglers`] | which task finished last among its peers, and the root cause |
//! | [`tensors`] | what was sent and waited for, tensor by tensor |
//! | [`tracer_figures`] | the figures of tensorflow-tracer's `Timeline` |
//! | [`waits`] | which transfer or collective a device waited for |

pub mod arrival_order;
mod bound;
pub mod chain;
pub mod ready;
pub mod stragglers;
pub mod tensors;
pub mod tracer_figures;
pub mod waited;
pub mod waits;
