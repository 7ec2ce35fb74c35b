//! Files and folders to one trace: which files, their bytes slice by slice and several at once, and the part of the trace that the options show.

pub mod at_once;
mod folder;
pub mod input;
pub(crate) mod kept;
pub mod loaded;
pub mod memory_limit;
pub mod opening;
mod unpacking;

pub use kept::Kept;
