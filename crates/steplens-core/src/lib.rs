//! The trace model of Steplens and every analysis of it.
//!
//! A [`Trace`] is built once, by a [`TraceBuilder`] that a reader feeds, and never changes afterwards. Everything a user sees is a
//! pure function of it.
//!
//! What must never be here: input and output, clocks, threads, serialization, JavaScript, the types of protobuf messages. Readers
//! and writers are in `steplens-formats`, the reports of the analyses in `steplens-report`.
//!
//! Folders import only from those before them, which `tests/tests/core_layers.rs` checks:
//!
//! | folder | what it has |
//! |---|---|
//! | [`base`] | times, ids, orders: the basis of all other folders |
//! | [`storage`] | columns and tables: the data of a trace in few bytes |
//! | [`model`] | the tables of a trace |
//! | [`build`] | how a trace is made |
//! | [`host_profile`] | the records of TensorFlow's host profiler next to the executor |
//! | [`timeline`] | what each device did at each time, and in which row it is drawn |
//! | [`search`] | what to search for, and which ops match |
//! | [`marks`] | what to draw of a window at a given width |
//! | [`gpu`] | accelerators, and the kernels that ops launched |
//! | [`steps`] | which parts of the files are a step |
//! | [`dataflow`] | which node makes an input, and which of its runs |
//! | [`transfers`] | which tensor went from which device to which |
//! | [`makers`] | which op or transfer made each input of an op, and which ops used its outputs |
//! | [`work`] | how much each op calculates, which bytes it moves, and how long that took |
//! | [`transfer_times`] | how long each transfer was queued, in transit and unused, and what it delayed |
//! | [`memory`] | which bytes were alive when, and why |
//! | [`clocks`] | how much the clocks of tasks differ |
//! | [`doctor`] | what is wrong with a trace, and its repair |
//! | [`collectives`] | which ops of several devices are one collective, and which op the others waited for |
//! | [`causality`] | why each op started when it did: the execution graph, the critical paths, slack |
//! | [`scheduling`] | when each op was ready, scheduled and run; how many ran at once; why streams were empty |
//! | [`study`] | a trace with all of the above, each computed when it is first needed |
//! | [`network`] | what waited for what |
//! | [`replay`] | how long the step would take if something were different |
//! | [`findings`] | what is worth changing, ranked by the time that it would save |
//! | [`questions`] | what a user asks about a window, an op or a step |
//! | [`fleet`] | what each task, op type and link did in each step, all steps at once |
//! | [`compare`] | what differs between two traces, and why |
//! | [`redact`] | a trace with hidden texts, to pass it on |
//! | [`watched`] | what a program that trains wrote into a watched folder |
//!
//! Where to start: [`model::trace`] has the trace, [`build::builder`] makes it, [`study`] has what is known about it.

#![forbid(unsafe_code)]

pub mod base;
pub mod build;
pub mod causality;
pub mod clocks;
pub mod collectives;
pub mod compare;
pub mod dataflow;
pub mod doctor;
pub mod findings;
pub mod fleet;
pub mod gpu;
pub mod host_profile;
pub mod makers;
pub mod marks;
pub mod memory;
pub mod model;
pub mod network;
pub mod questions;
pub mod redact;
pub mod replay;
pub mod scheduling;
pub mod search;
pub mod steps;
pub mod storage;
pub mod study;
pub mod timeline;
pub mod transfer_times;
pub mod transfers;
pub mod watched;
pub mod work;

pub use base::ids::{CounterId, DeviceId, InstantId, LaneId, NodeId, OpId, PartId, StringId, TransferId};
pub use base::units::{Bytes, Flops, Interval, Nanos, Timestamp};
pub use build::builder::TraceBuilder;
pub use build::selection::Selection;
pub use model::category::{Category, CategoryRules, Hint, Says};
pub use model::problem::{Problem, Problems};
pub use model::trace::Trace;
pub use study::Study;
pub use study::view::View;
