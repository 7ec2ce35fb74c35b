//! Profiles of Paddle, written by the profiler of `paddle.fluid`, one file for each process.
//!
//! | module | does |
//! |---|---|
//! | [`records`] | bytes to records, resumable at any byte, and where to continue after damage |
//! | [`event`] | whether bytes are an event or a memory event |
//! | [`path`] | what an event is inside of, from its name |
//! | [`devices`] | places, threads and streams to devices |
//! | [`reader`] | which data of records is kept |
//! | [`assemble`] | the kept data to ops, their kernels and their allocations |
//!
//! The schema is Paddle's `profiler.proto`: a `Profile` of events (1), its start and end (2, 3), and memory events (4). Start and
//! end are not used, because a Paddle built without CUDA writes uninitialised memory there.
//!
//! Events are not in order of time, and their memory events come after all of them. So they are kept, with about 50 bytes each,
//! until the file ends.

pub(crate) mod assemble;
mod devices;
mod ends;
mod event;
mod path;
mod reader;
mod records;

use crate::first_bytes::FirstBytes;
use crate::reader::Format;
use reader::PaddleReader;

/// Profiles of Paddle.
pub(crate) const FORMAT: Format = Format {
    name: "paddle-profile",
    recognises: is_profile,
    reader: |room| Box::new(PaddleReader::new(room.memory_bytes)),
};

/// Whether a file is a Profile: its first event has a number after its name. One without events starts with its own `start_ns`.
fn is_profile(first: &FirstBytes<'_>) -> bool {
    first.bytes.starts_with(&[START_NS]) || first.first_text().is_some_and(|(_, next)| next == Some(START_NS))
}

/// The tag of `start_ns`, which has one number in a Profile and in an event.
const START_NS: u8 = 0x10;
