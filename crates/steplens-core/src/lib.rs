//! The trace model of Steplens and every analysis of it.
//!
//! A [`Trace`] is built once, by a [`TraceBuilder`] that a reader feeds, and never changes afterwards. Everything a
//! user sees is a pure function of it: see [`analysis`].
//!
//! What must never be here: input and output, clocks, threads, serialization, JavaScript, the wire's types. Readers
//! and writers live in `steplens-formats`.
//!
//! Where to start: [`trace`] says what a trace is, [`builder`] how one comes about, [`analysis`] what is asked of it.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod bits;
pub mod builder;
pub mod category;
mod chunked;
pub mod column;
pub mod device;
pub mod doctor;
pub mod graph;
pub mod ids;
pub mod label;
pub mod memory;
pub mod moments;
pub mod natural;
pub mod node;
pub mod op;
pub mod order;
pub mod output;
pub mod part;
pub mod problem;
mod process;
mod ranges;
pub mod rebuilt;
mod remembered;
pub mod selection;
pub mod strings;
pub mod study;
pub mod trace;
pub mod units;
pub mod view;

pub use builder::TraceBuilder;
pub use category::{Category, CategoryRules, Hint, Says};
pub use ids::{DeviceId, LaneId, NodeId, OpId, PartId, StringId, TransferId};
pub use problem::{Problem, Problems};
pub use selection::Selection;
pub use study::Study;
pub use trace::Trace;
pub use units::{Bytes, Interval, Nanos, Timestamp};
pub use view::View;
