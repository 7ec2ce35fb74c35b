//! What a trace has: ops of nodes on devices, in parts, with outputs, memory and graphs. From the columns that
//! [`build`](super::build) made. For every analysis.
//!
//! | module | what it has |
//! |---|---|
//! | [`arguments`] | other data of events: shapes, types, stacks, grids |
//! | [`capability`] | what a GPU of NVIDIA can calculate with |
//! | [`category`] | compute, input, copy, communication, launch, waiting, range; and the reason |
//! | [`collective`] | what arguments say of a collective: operation, process group, bytes |
//! | [`counters`] | values that were recorded again and again |
//! | [`device`] | devices and their tasks |
//! | [`device_name`] | every way in which a release names a device |
//! | [`file`] | the result of reading a file |
//! | [`file_order`] | the order of ops in a file, if that is requested |
//! | [`graph`] | partition graphs |
//! | [`input_bytes`] | how many bytes the inputs of an op have |
//! | [`instants`] | moments with a name |
//! | [`kernel_name`] | the names of a GPU's ops in TensorFlow 1.14 to 2.0 |
//! | [`label`] | the content of a timeline label |
//! | [`memory`] | what allocators recorded |
//! | [`node`] | nodes: what ran, under which name |
//! | [`op`] | ops: one row per execution |
//! | [`op_bytes`] | how many bytes an op is about |
//! | [`output`] | the outputs of ops |
//! | [`owner`] | to what counters and instants belong |
//! | [`part`] | the part of a file that a row is from |
//! | [`peak`] | what accelerators calculate at most |
//! | [`phase`] | forward, backward, optimizer: by names |
//! | [`problem`] | what was wrong with a file |
//! | [`process`] | names of processes whose files do not name them |
//! | [`trace`] | a trace |

pub mod arguments;
pub mod capability;
pub mod category;
pub mod collective;
pub mod counters;
pub mod device;
pub(crate) mod device_name;
pub mod file;
pub mod file_order;
pub mod graph;
pub mod input_bytes;
pub mod instants;
pub(crate) mod kernel_name;
pub mod label;
pub mod memory;
pub mod node;
pub mod op;
pub mod op_bytes;
pub mod output;
pub mod owner;
pub mod part;
pub mod peak;
pub mod phase;
pub mod problem;
pub(crate) mod process;
pub mod trace;
