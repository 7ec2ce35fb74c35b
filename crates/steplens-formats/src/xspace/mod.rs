//! XSpace (`*.xplane.pb`): what the profilers of TensorFlow 2 and JAX write.
//!
//! | module | does |
//! |---|---|
//! | [`reader`] | bytes to rows: planes, lines, events, metadata, with problems where they are damaged |
//! | [`rows`] | events in 24 bytes each |
//! | [`shapes`] | what an event is apart from its times and numbers, once for all events that are alike |
//! | [`dictionaries`] | what ids mean in a plane, once for all planes that have the same names |
//! | [`tables`] | planes, lines and the names that come after the events that they name |
//! | [`lines`] | lines to devices, and which lines only repeat others |
//! | [`describe`] | names and stats to the name and label of an op |
//! | [`steps`] | which step an event belongs to |
//! | [`memory`] | allocations and frees among the events |
//! | [`numbers`] | the numbers of events, a byte or two each |
//! | [`arguments`] | what events say in addition, once for all that say the same |
//! | [`ops`] | rows to ops |
//!
//! Names follow the events that they name, steps and the start of the profile stand in any plane: so all events are kept in
//! rows until the file is over, and a row goes as its op comes. The schema is `xplane.proto`, the names of lines and stats
//! are those of `xplane_schema.cc`, both of TensorFlow's profiler.

mod arguments;
mod describe;
mod dictionaries;
mod lines;
mod memory;
mod numbers;
mod ops;
mod reader;
mod rows;
mod shapes;
mod steps;
mod tables;

pub(crate) use reader::XSpaceReader;
