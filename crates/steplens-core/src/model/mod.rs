//! What a trace is: ops of nodes on devices, in parts, with outputs, memory and graphs.
//!
//! | module | what it has |
//! |---|---|
//! | [`arguments`] | what events say in addition: shapes, types, stacks, grids |
//! | [`category`] | compute, input, copy, communication, launch, waiting, range: and why |
//! | [`device`] | devices and their tasks |
//! | [`file`] | what a file turned out to be |
//! | [`file_order`] | in which order a file had its ops, where that is asked for |
//! | [`graph`] | partition graphs |
//! | [`label`] | what a timeline label says |
//! | [`memory`] | what allocators recorded |
//! | [`node`] | nodes: what ran, under which name |
//! | [`op`] | ops: one row an execution |
//! | [`output`] | what ops made |
//! | [`part`] | where in the files a row is from |
//! | [`problem`] | what was wrong with a file |
//! | [`process`] | names of processes whose files do not name them |
//! | [`trace`] | a trace |

pub mod arguments;
pub mod category;
pub mod device;
pub mod file;
pub mod file_order;
pub mod graph;
pub mod label;
pub mod memory;
pub mod node;
pub mod op;
pub mod output;
pub mod part;
pub mod problem;
pub(crate) mod process;
pub mod trace;
