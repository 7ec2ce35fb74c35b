//! Profiles of Paddle: what `paddle.fluid`'s profiler wrote, one file for each process.
//!
//! | module | does |
//! |---|---|
//! | [`records`] | bytes to records, resumable at any byte, and where to go on after damage |
//! | [`event`] | one event or memory event: its fields |
//! | [`path`] | what an event is inside of, which its name says |
//! | [`devices`] | places, threads and streams to devices |
//! | [`reader`] | records to what is kept of them |
//! | [`assemble`] | what was kept to ops, their kernels and their allocations |
//!
//! The schema is Paddle's `profiler.proto`: a `Profile` of events (1), its start and end (2, 3), and memory events (4). Start and end
//! are not used: a Paddle built without CUDA writes whatever was in memory there.
//!
//! Events come in no order of time, and what they made use of memory for comes after all of them. So they are kept, some 50 bytes
//! each, until the file ends.

mod assemble;
mod devices;
mod ends;
mod event;
mod path;
mod reader;
mod records;

pub(crate) use reader::PaddleReader;
