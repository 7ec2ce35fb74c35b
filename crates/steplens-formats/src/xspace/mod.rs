//! XSpace (`*.xplane.pb`): what the profilers of TensorFlow 2 and JAX write.
//!
//! | module | does |
//! |---|---|
//! | [`reader`] | bytes to rows: planes, lines, events, metadata, with problems if they are damaged |
//! | [`rows`] | events in 24 bytes each |
//! | [`shapes`] | an event without its times and numbers, once for all events that are alike |
//! | [`dictionaries`] | the meaning of ids in a plane, once for all planes with the same names |
//! | [`tables`] | planes, lines and the names that come after their events |
//! | [`lines`] | lines to devices, and which lines only repeat others |
//! | [`describe`] | names and stats to the name and label of an op |
//! | [`memory`] | allocations and frees among the events |
//! | [`numbers`] | the numbers of events, one or two bytes each |
//! | [`arguments`] | other data of events, once for all events with the same data |
//! | [`first_look`] | which lines are work, and what launched kernels |
//! | [`ops`] | rows to ops |
//!
//! Names come after their events, and steps and the start of the profile may be in any plane. So all events are kept in rows until
//! the file ends, and a row is removed when its op is added. The schema is `xplane.proto`, the names of lines and stats are those
//! of `xplane_schema.cc`, both in TensorFlow's profiler.

mod arguments;
mod describe;
mod dictionaries;
mod first_look;
mod lines;
mod memory;
mod numbers;
mod ops;
mod reader;
mod rows;
mod shapes;
mod tables;

use crate::first_bytes::{FirstBytes, after_varint, starts_graphic};
use crate::reader::Format;
use reader::XSpaceReader;

/// XSpaces.
pub(crate) const FORMAT: Format = Format {
    name: "xspace",
    recognises: is_space,
    reader: |room| Box::new(XSpaceReader::new(room.memory_bytes)),
};

/// Whether a file begins with a plane that has its id or its name first.
fn is_space(first: &FirstBytes<'_>) -> bool {
    match first.first_message() {
        Some([0x08, ..]) => true,
        Some([0x12, name @ ..]) => after_varint(name).is_some_and(starts_graphic),
        _ => false,
    }
}
