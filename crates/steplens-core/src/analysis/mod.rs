//! Every analysis: a pure function of a trace, or of the result of another one.
//!
//! | module | answers |
//! |---|---|
//! | [`lanes`] | in which row of the timeline each op stands |
//! | [`grouping`] | which ops stand together when lanes are arranged by thread, op type or name scope |
//! | [`coverage`] | what a device did when, by category |
//! | [`split`] | how a window divides into compute, copy, communication and idle |
//! | [`dataflow`] | which node makes an input, and which of its runs |
//! | [`file_clocks`] | files whose clocks count from no date, set beside the others |
//! | [`flow`] | what an op's data was made from and what was made of it, hop by hop |
//! | [`kernels`] | which kernels an op launched on the streams of GPUs |
//! | [`op_time`] | how long an op lasts: as scheduled, or while its kernels ran |
//! | [`edges`] | where each input of an op came from, and who used what it made |
//! | [`makers`] | what every op waited for, told for all ops at once |
//! | [`transfers`] | which tensor went from where to where, made by which op, used by which |
//! | [`limits`] | what these left out, because a file asks for more than its size allows |
//! | [`links`] | how much went over each link between devices or tasks, how fast, and how busy it was |
//! | [`copies`] | what was copied between a GPU and its host, and within GPUs |
//! | [`traffic`] | how much is under way on a link, or on all, over slices of time |
//! | [`collectives`] | which ops of several devices are one collective, and who kept the others waiting |
//! | [`chain`] | what led to an op, from its last input back to the step's start |
//! | [`stragglers`] | which task ended last among its peers, and the first cause |
//! | [`tensors`] | what was sent and waited for, tensor by tensor |
//! | [`waits`] | which transfer or collective a device sat waiting for |
//! | [`tracer_figures`] | what tensorflow-tracer's `Timeline` says |
//! | [`variables`] | which variable of the model a transfer's tensor belongs to |
//! | [`transfer_times`] | how long each was queued, on the wire and unused, and whom it delayed |
//! | [`clocks`] | how far the clocks of tasks are apart |
//! | [`arrival_order`] | whether parameters came in the order in which ops need them |
//! | [`marks`] | what to draw of a window at a given width |
//! | [`range`] | which ops a window and a choice of device or lanes hold |
//! | [`op_list`] | which ops a range holds, in the order of a column |
//! | [`in_flight`] | how many ops of a device run at once, over slices of time |
//! | [`concurrency`] | the same for a range, and the most at any moment |
//! | [`nesting`] | whose moment a moment is where ops contain one another |
//! | [`accelerators`] | every GPU once, and what a step bar is the mean of |
//! | [`op_types`] | where the time went, by op type |
//! | [`steps`] | which parts of the files are one step, and which are steps of their own |
//! | [`step_of_op`] | which step an op that is looked at belongs to |
//! | [`roles`] | which ops of several tasks do the same work |
//! | [`step_figures`] | how long the steps took, how they divide, and which stand out |
//! | [`pattern`] | what to search for: a text or a regular expression |
//! | [`search`] | which ops match a pattern |

pub mod accelerators;
pub mod arrival_order;
pub mod chain;
pub mod clocks;
pub(crate) mod collective_keys;
pub mod collectives;
pub mod concurrency;
pub mod copies;
pub mod coverage;
pub mod dataflow;
pub mod edges;
pub mod file_clocks;
pub mod flow;
pub mod grouping;
pub mod in_flight;
pub mod kernels;
pub mod lanes;
pub mod limits;
pub mod links;
pub mod makers;
pub mod marks;
pub mod nesting;
pub mod op_list;
pub mod op_time;
pub mod op_types;
pub mod pattern;
pub mod range;
pub mod roles;
pub mod search;
pub mod split;
pub mod step_figures;
pub mod step_of_op;
pub mod steps;
pub mod stragglers;
mod sweep;
pub mod tensors;
pub mod tracer_figures;
pub mod traffic;
mod transfer_ends;
pub mod transfer_times;
pub mod transfers;
pub mod union;
pub mod variables;
pub mod waits;
